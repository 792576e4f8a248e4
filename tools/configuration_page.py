"""Writes docs/configuration.md: every setting with its default, from the registry in settings/setting_list.py."""

from __future__ import annotations

from tapehead.settings.setting_list import SETTINGS, Setting
from tapehead.settings.setting_values import describe_allowed, literal

OPENING = """\
# Settings

You need none of them: every setting has a default. tapehead looks for a setting in three places, and the first one counts:

1. an environment variable, of the agent or (for commands) of your shell
2. the project's `config.toml`, in `.git/tapehead/`; all worktrees share it (`tapehead config path` prints its path)
3. your own `config.toml`, in `$XDG_CONFIG_HOME/tapehead/` or `~/.config/tapehead/`

| command | what it does |
| --- | --- |
| `tapehead config` | lists every setting, its value and where it is set |
| `tapehead config set NAME VALUE` | writes it to the project's file; with `--user` to your own |
| `tapehead config unset NAME` | removes it again |

To turn all of it off in one repository, or for a while, no setting is needed: `tapehead off`, `tapehead off --for 2h`, `tapehead on`.

The part of a name before the dot is a table in the file:

```toml
steer = false

[baton]
ttl = "30m"
```

A wrong value or an unknown name breaks nothing: the next place in the list counts, and `tapehead doctor` names the file, the line and
the allowed values. In environment variables, write `1` or `0` (or `true`, `false`, `yes`, `no`, `on`, `off`), and lists with commas.

## Settings that need your permission

Settings marked with `*` run a command, name a directory, send data, or decide what is redacted. In your own file and in the
environment they count at once. In a project's file they count only after `tapehead config allow`, because that file may come with the
repository, for instance in an archive with a `.git` folder.

- You allow the exact text of the file. After a change by hand, allow it again.
- `tapehead config set` allows what it writes, unless something else in the file waits for permission.
- `tapehead config deny` takes the permission back.
- `tapehead config` and `tapehead doctor` name the lines that do not count yet.

A `config.toml` that belongs to another user, or that is a link inside a store, is ignored.

Made from `src/tapehead/settings/setting_list.py` by `make redraw`; a test compares.
"""

CLOSING = """\
## The marks of a window

For a window of 200,000 tokens the defaults give: 180,000 usable, warning and error at 160,000, automatic compaction at 167,000,
blocking at 177,000. What Claude Code 2.1.325 was seen to do, with a model of that window and answers that report a chosen usage:

| reported usage | automatic compaction off (`DISABLE_AUTO_COMPACT=1`) | on |
| --- | --- | --- |
| 140,000 | nothing | nothing |
| 155,000, 159,000 | nothing | "86% context used", "88% context used": of the usable 180,000 |
| 161,000 to 176,000 | "Context low (11% remaining) · Run /compact" down to 2%: the warning, from 160,000 on | the percentage |
| 176,935 | the next prompt is sent | |
| 176,973 | the next prompt is refused, "Prompt is too long": blocking, at 177,000 with the answer and the prompt | |
| 166,000 to 199,000 | | no compaction at the next prompt, which is sent |
| the server says "prompt is too long" | | the client compacts by itself, and sends the prompt again |

So reserve, warning and blocking are as the defaults say. Where the client compacts by itself depends on its version, and on whether a window
is set:

| Claude Code | a window of 200,000 | compacts by itself at |
| --- | --- | --- |
| 2.1.325 | nothing set | no mark: when the server says that the prompt is too long |
| 2.1.325 | the setting `autoCompactWindow: 200000`, or `CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000` | 167,000 |
| 2.1.325 | a window of 120,000 set in the same way | 87,000: the same distance from its end |
| 2.1.325 | 1,000,000, nothing set | seen at 970,000; the default says 967,000 |
| 2.1.76, 2.1.80 | nothing set | 167,000 |
| 1.0.128, 2.0.77 | nothing set | 155,000: they leave room for an answer of 32,000 tokens |

The client counts the usage that the last answer reported, and adds an estimate of what came since. `tests/realclient/test_window_marks.py` is the
measurement. To have tapehead count as your client does:

| your client | settings |
| --- | --- |
| compacts at the mark | none |
| waits for the server's word (2.1.325 with nothing set) | `window.reserve = 0`, `window.auto_compact = 0`, `window.blocking = 0`: room is counted to the end of the window |
| leaves room for 32,000 tokens (1.0, 2.0) | `window.reserve = 32000` |
| never compacts by itself (`DISABLE_AUTO_COMPACT=1`, `autoCompactEnabled: false`, or another agent) | `window.compacts = false`: room is counted to where it takes no more prompts |

## Only in the environment

| variable | meaning |
| --- | --- |
| `TAPEHEAD_DEBUG` | `1`: hooks write errors to stderr (they still exit with 0) |
| `TAPEHEAD_HOOK_SECONDS` | how long a hook may take before it goes without words: 1.8, and up to 60 for a slow machine |
| `NO_COLOR` | any value: no colours |
"""


def page() -> str:
    """The whole page."""
    return f"{OPENING}\n{_table()}\n{CLOSING}"


def _table() -> str:
    rows = "\n".join(map(_row, SETTINGS.values()))
    return f"## All settings\n\n| setting | default | allowed | variable | meaning |\n| --- | --- | --- | --- | --- |\n{rows}\n"


def _row(setting: Setting) -> str:
    opposite = " (`1` turns it off)" if setting.negated else ""
    default, mark = literal(setting.default), " *" if setting.guarded else ""
    return f"| `{setting.name}`{mark} | `{default}` | {describe_allowed(setting)} | `{setting.variable}`{opposite} | {setting.meaning} |"
