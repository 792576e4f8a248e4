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
WORDS = "words"

FULL = "full"
POINTER = "pointer"
OFF = "off"


class Setting:
    """One setting, as a user may write it down."""

    __slots__ = ("choices", "default", "guarded", "kind", "least", "meaning", "name", "negated", "variable")

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
        guarded: bool = False,
    ) -> None:
        self.name = name
        """As config.toml has it: the part before the dot is a table there."""
        self.kind = kind
        self.default = default
        """As it would be written in config.toml."""
        self.meaning = meaning
        self.choices = choices
        """The words that a CHOICE or WORDS allow."""
        self.least = least
        """The smallest number (or the fewest seconds) that makes sense."""
        self.variable = variable or "TAPEHEAD_" + name.upper().replace(".", "_")
        """The environment variable that goes before every file."""
        self.negated = negated
        """Whether that variable says the opposite of the setting."""
        self.guarded = guarded
        """Whether it names a command or a path, sends something away, or lets a secret through: a project's file may set it only once
        the user allowed that very file, since it may have come with the repository."""


_ROWS = (
    Setting(
        "capture.git",
        BOOL,
        default=True,
        meaning="captures and briefs look at the repository: branch, changed files, recent commits",
    ),
    Setting(
        "handoff.auto",
        BOOL,
        default=True,
        meaning="`/clear` hands its session off to the next start (`TAPEHEAD_DISABLE_AUTO_HANDOFF=1` turns it off)",
        variable="TAPEHEAD_DISABLE_AUTO_HANDOFF",
        negated=True,
    ),
    Setting("baton.ttl", DURATION, "1h", "how long a handoff (its file is called a baton) is valid"),
    Setting(
        "checkpoints.trailer",
        BOOL,
        default=True,
        meaning="add a `Tapehead-Checkpoint` line to the message of commits that an agent worked on",
    ),
    Setting(
        "checkpoints.mask",
        TEXTS,
        [],
        "words to redact, in addition to known forms of secrets, before anything goes into git",
        guarded=True,
    ),
    Setting(
        "checkpoints.push",
        BOOL,
        default=False,
        meaning="`git push` also pushes the checkpoints to the same remote",
        guarded=True,
    ),
    Setting(
        "checkpoints.remote",
        TEXT,
        "",
        "the git remote (or address) that checkpoints and handoffs go to, if it is not the one of the code",
        guarded=True,
    ),
    Setting(
        "checkpoints.others",
        BOOL,
        default=True,
        meaning="also record other repositories that a turn changes (submodules, nested ones), if their git config can start no program",
        guarded=True,
    ),
    Setting("restore.budget", INT, 2_000, "limit of a brief, in tokens", least=1),
    Setting(
        "restore.on_compact",
        CHOICE,
        FULL,
        "what the agent gets after a compaction: the brief (`full`), a pointer of at most 60 tokens, or nothing (`off`)",
        choices=(FULL, POINTER, OFF),
    ),
    Setting("restore.on_clear", CHOICE, FULL, "the same after `/clear`", choices=(FULL, POINTER, OFF)),
    Setting(
        "restore.on_start",
        CHOICE,
        POINTER,
        "the same for a new session, about the session before it; a handoff always gives the brief",
        choices=(FULL, POINTER, OFF),
    ),
    Setting(
        "restore.on_resume",
        CHOICE,
        POINTER,
        "the same for a resumed session; `pointer` is what changed meanwhile, and nothing if nothing changed",
        choices=(FULL, POINTER, OFF),
    ),
    Setting(
        "restore.memories",
        BOOL,
        default=True,
        meaning="list the memories for a new or cleared session, even where `restore.on_start` or `on_clear` is `off`; tell a resumed one of new memories",
    ),
    Setting(
        "restore.thinking", BOOL, default=False, meaning="include the agent's thinking of the last turn in the brief"
    ),
    Setting("steer", BOOL, default=True, meaning="before a compaction, tell the agent's summariser what must survive"),
    Setting(
        "archive.keep",
        BOOL,
        default=True,
        meaning="keep a compressed copy of each transcript, since agents delete them (Claude Code after 30 days)",
    ),
    Setting(
        "archive.limit",
        INT,
        500,
        "megabytes that the kept transcripts of a project may take; beyond that the oldest are deleted; 0: no limit",
    ),
    Setting("memory.limit", INT, 200_000, "characters of one tool output to keep in the history"),
    Setting("memory.thinking", BOOL, default=True, meaning="keep the agent's thinking in the history"),
    Setting(
        "recall.at",
        WORDS,
        "",
        "when Claude Code is pointed to former work by itself, in one line: at an `edit` of a file that another session changed in the last seven "
        "days, at a `failure` of a command that was met and solved before; run `tapehead install` after a change, for the hooks that this needs",
        choices=("edit", "failure"),
    ),
    Setting(
        "recall.parallel",
        BOOL,
        default=True,
        meaning="tell a session, once, that another one works in the same worktree, and which files that one changed",
    ),
    Setting(
        "summarizer.command",
        TEXT,
        "",
        "a command that writes one-line summaries of turns; empty: none",
        guarded=True,
    ),
    Setting("summarizer.timeout", DURATION, "30s", "time limit of that command", least=0.1),
    Setting("notes.enabled", BOOL, default=True, meaning="keep running notes of each session, updated after turns"),
    Setting("notes.first", INT, 10_000, "tokens before a session's first notes"),
    Setting("notes.step", INT, 5_000, "minimum tokens between note updates"),
    Setting("notes.calls", INT, 10, "minimum tool calls between note updates"),
    Setting("notes.command", TEXT, "", "a command that rewrites the sections of the notes; empty: none", guarded=True),
    Setting("notes.timeout", DURATION, "60s", "time limit of that command", least=0.1),
    Setting(
        "remember.auto",
        CHOICE,
        "asked",
        "what is remembered automatically: `asked` saves what you ask to remember and proposes the rest, `all` saves "
        "the rest too, `propose` only proposes, `off` does nothing",
        choices=("asked", "all", "propose", "off"),
    ),
    Setting(
        "remember.directory",
        DIRECTORY,
        "",
        "where memories are kept; empty: `memories/` in the project's store",
        guarded=True,
    ),
    Setting("monitor.refresh", DURATION, "1s", "how often the monitor checks for changes", least=0.1),
    Setting("monitor.bell", BOOL, default=True, meaning="the monitor rings when an agent begins to wait for you"),
    Setting(
        "notify.command",
        TEXT,
        "",
        "a command to run when an agent waits for you; `TAPEHEAD_MESSAGE` says which and for what; empty: none",
        guarded=True,
    ),
    Setting("notify.after", DURATION, "5s", "how long the agent must wait before that command runs"),
    Setting("notify.timeout", DURATION, "10s", "time limit of that command", least=0.1),
    Setting(
        "log.daily",
        BOOL,
        default=False,
        meaning="a line for each turn in `logs/YYYY/MM/YYYY-MM-DD.md` of the store, over all sessions",
    ),
    Setting("window.reserve", INT, 20_000, "tokens of the context window reserved for the answer"),
    Setting("window.warning", INT, 20_000, "tokens below the usable window at which a warning is due"),
    Setting("window.error", INT, 20_000, "tokens below the usable window at which the window counts as nearly full"),
    Setting(
        "window.compacts",
        BOOL,
        default=True,
        meaning="whether the agent compacts by itself; if not, room is counted up to blocking",
    ),
    Setting("window.auto_compact", INT, 13_000, "tokens below the usable window at which the agent compacts by itself"),
    Setting("window.blocking", INT, 3_000, "tokens below the usable window at which the agent takes no more prompts"),
)

SETTINGS = {row.name: row for row in _ROWS}

FORMER = {
    "inherit.near": ("restore.on_clear", {"whole": FULL, "pointer": POINTER}),
    "inherit.far": ("restore.on_start", {"whole": FULL, "pointer": POINTER, "none": OFF}),
}
"""Settings of former versions: the one that took their place, and its words for theirs. They count for one version more, with a hint."""
