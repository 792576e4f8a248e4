"""Writes docs/configuration.md: every setting with its default, from the registry in settings/registry.py."""

from __future__ import annotations

from tapehead.settings.editing import literal
from tapehead.settings.registry import SETTINGS, Setting
from tapehead.settings.values import allowed

OPENING = """\
# Settings

Everything works without any. Where something is to be different, it is said in one of three places; the first that says it
counts:

1. an environment variable of the agent (or of your shell, for the commands);
2. `config.toml` of the project, in its store: `tapehead config path` says where. It is shared by all worktrees and is in no
   work tree, so a repository that you clone cannot bring one along;
3. your own `config.toml`, in `$XDG_CONFIG_HOME/tapehead/` or `~/.config/tapehead/`.

`tapehead config` shows what holds and where it comes from, `tapehead config set NAME VALUE` writes it (`--user`: into your
own file), and `tapehead config unset NAME` takes it out. The part of a name before the dot is a table in the file:

```toml
steer = false

[baton]
ttl = "30m"
```

A value that is wrong, or a name that does not exist, breaks nothing: the next place in the list above serves, and
`tapehead doctor` names the file, the line, and what is allowed. In an environment variable yes and no are `1` and `0` (or
`true` and `false`, `yes` and `no`, `on` and `off`), and the parts of a list have commas between them.

Made from `src/tapehead/settings/registry.py` by `make redraw`; a test compares.
"""

CLOSING = """\
## Only in the environment

| variable | meaning |
| --- | --- |
| `TAPEHEAD_DEBUG` | `1`: a hook says on stderr what went wrong (it exits with 0 all the same) |
| `NO_COLOR` | anything: no colours |
"""


def page() -> str:
    """The whole page."""
    return f"{OPENING}\n{_table()}\n{CLOSING}"


def _table() -> str:
    rows = "\n".join(map(_row, SETTINGS.values()))
    return f"## All of them\n\n| setting | default | allowed | variable | meaning |\n| --- | --- | --- | --- | --- |\n{rows}\n"


def _row(setting: Setting) -> str:
    opposite = " (the opposite)" if setting.negated else ""
    default = literal(setting.default)
    return (
        f"| `{setting.name}` | `{default}` | {allowed(setting)} | `{setting.variable}`{opposite} | {setting.meaning} |"
    )
