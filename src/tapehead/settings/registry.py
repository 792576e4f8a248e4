"""Every setting there is: its name, its kind, its default and what it means. Light: hooks may look here.

The one list. `tapehead config`, docs/configuration.md, the checks of values and the environment variables are all made from it.
"""

from __future__ import annotations

BOOL = "bool"
INT = "int"
FLOAT = "float"
DURATION = "duration"
TEXT = "text"
CHOICE = "choice"
TEXTS = "list of text"
DIRECTORY = "directory"

WHOLE = "whole"
POINTER = "pointer"


class Setting:
    """One setting, as a person may write it down."""

    __slots__ = ("choices", "default", "kind", "least", "meaning", "name", "negated", "variable")

    def __init__(  # noqa: PLR0913 - a row of the table below
        self,
        name: str,
        kind: str,
        default: object,
        meaning: str,
        *,
        choices: tuple[str, ...] = (),
        least: float = 0,
        variable: str = "",
        negated: bool = False,
    ) -> None:
        self.name = name
        """As config.toml has it: the part before the dot is a table there."""
        self.kind = kind
        self.default = default
        """As it would be written in config.toml."""
        self.meaning = meaning
        self.choices = choices
        """The words that a CHOICE allows."""
        self.least = least
        """The smallest number (or the fewest seconds) that makes sense."""
        self.variable = variable or "TAPEHEAD_" + name.upper().replace(".", "_")
        """The environment variable that goes before every file."""
        self.negated = negated
        """Whether that variable says the opposite of the setting."""


_ROWS = (
    Setting(
        "handoff.auto",
        BOOL,
        default=True,
        meaning="`/clear` names its session for the next start by itself (`TAPEHEAD_DISABLE_AUTO_HANDOFF=1` says no)",
        variable="TAPEHEAD_DISABLE_AUTO_HANDOFF",
        negated=True,
    ),
    Setting("baton.ttl", DURATION, "1h", "how long a baton waits for a start that takes it"),
    Setting(
        "inherit.near",
        CHOICE,
        WHOLE,
        "what a start is told that has the baton, or follows a `/clear` in the same process (rules 1 and 2)",
        choices=(WHOLE, POINTER),
    ),
    Setting(
        "inherit.far",
        CHOICE,
        POINTER,
        "what a start is told that only stands where another session stood (rules 3 to 6)",
        choices=(WHOLE, POINTER),
    ),
    Setting(
        "checkpoints.trailer",
        BOOL,
        default=True,
        meaning="commits with an agent's part name their checkpoint in a `Tapehead-Checkpoint` trailer",
    ),
    Setting(
        "checkpoints.mask",
        TEXTS,
        [],
        "words that are masked, beside what is known as a secret, before anything goes into git",
    ),
    Setting(
        "checkpoints.push",
        BOOL,
        default=False,
        meaning="`git push` takes the checkpoints along to the same remote",
    ),
    Setting("restore.budget", INT, 2_000, "tokens that the whole account of the work may cost", least=1),
    Setting(
        "restore.thinking", BOOL, default=False, meaning="the agent's thinking of the last turn is handed over too"
    ),
    Setting("steer", BOOL, default=True, meaning="the host's summariser is told what must survive a compaction"),
    Setting("memory.limit", INT, 200_000, "characters that are kept of one tool's output"),
    Setting("memory.thinking", BOOL, default=True, meaning="the agent's thinking is kept with the details of a turn"),
    Setting(
        "summarizer.command", TEXT, "", "a command that writes the one-line summaries of turns; empty: none is run"
    ),
    Setting("summarizer.timeout", DURATION, "30s", "how long that command may take", least=0.1),
    Setting("notes.enabled", BOOL, default=True, meaning="running notes of each session are kept, at turn ends"),
    Setting("notes.first", INT, 10_000, "tokens after which a session's notes are written for the first time"),
    Setting("notes.step", INT, 5_000, "tokens after which they are written again"),
    Setting("notes.calls", INT, 10, "calls that must have come, too, where the agent has not paused"),
    Setting("notes.command", TEXT, "", "a command that rewrites the sections of the notes; empty: none is run"),
    Setting("notes.timeout", DURATION, "60s", "how long that command may take", least=0.1),
    Setting(
        "remember.auto",
        CHOICE,
        "asked",
        "what of a person's words is remembered by itself: `asked` saves what they asked to remember and proposes the rest, `all` saves "
        "the rest too, `propose` only proposes, `off` does not look",
        choices=("asked", "all", "propose", "off"),
    ),
    Setting(
        "remember.directory",
        DIRECTORY,
        "",
        "where durable memories are kept; empty: `memories/` in the project's store",
    ),
    Setting("monitor.refresh", DURATION, "1s", "how often the monitor looks for news", least=0.1),
    Setting("window.reserve", INT, 20_000, "tokens of the model's window that are kept free for its answer"),
    Setting("window.warning", INT, 20_000, "how far below the automatic compaction a warning is due"),
    Setting("window.error", INT, 20_000, "how far below the automatic compaction the window counts as nearly full"),
    Setting("window.auto_compact", INT, 13_000, "how far below the usable window the host compacts by itself"),
    Setting("window.blocking", INT, 3_000, "how far below the usable window the host takes no more prompts"),
)

SETTINGS = {row.name: row for row in _ROWS}
