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
2. `config.toml` of the project, in its store: `tapehead config path` says where. It is shared by all worktrees;
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

## What you have to allow

Some settings run a command, name a directory, send something away, or decide what is redacted: those marked with `*` below. From
your own file and from the environment they count at once. From a project's file they count only after `tapehead config allow`, and
only for the very text that you allowed, because that file may have come with the repository (in an archive with a `.git` folder, for
instance). `tapehead config set` allows what it writes, as long as nothing else in the file waits for your yes; `tapehead config deny`
takes a yes back. Until then `tapehead config` and `tapehead doctor` name the lines that do not count. A config.toml that belongs to
another user, or that is a link inside a store, says nothing at all.

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
    default, mark = literal(setting.default), " *" if setting.guarded else ""
    return f"| `{setting.name}`{mark} | `{default}` | {allowed(setting)} | `{setting.variable}`{opposite} | {setting.meaning} |"
