"""What a report tells of one session: values that `gather` makes, and that the page and the exports only lay out."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - the export reads the annotations

from attrs import frozen

PROMPT = "prompt"
REPLY = "reply"
CALL = "call"
SUMMARY = "summary"
COMPACTION = "compaction"
INTERRUPTED = "interrupted"
SUBAGENT = "subagent"


@frozen
class Excerpt:
    """The beginning of a text, as much as a page can carry."""

    text: str = ""
    limit: int = 0
    """Letters that are shown. Until it is redacted, `text` has more: half a secret is known by no pattern."""
    length: int = 0
    """Letters of the whole text."""

    @property
    def left_out(self) -> int:
        """Letters that are not shown; 0 where all are."""
        return max(0, self.length - self.limit)


NOTHING = Excerpt()


@frozen
class Entry:
    """One thing that was said or done in a turn."""

    kind: str
    title: str = ""
    """The tool, or who speaks."""
    path: str = ""
    text: Excerpt = NOTHING
    outcome: Excerpt = NOTHING
    """What a tool said."""
    removed: Excerpt = NOTHING
    added: Excerpt = NOTHING
    failed: bool = False


@frozen
class Tokens:
    """What the agent counted."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0
    answers: int = 0


@frozen
class ModelCost:
    """What one model took of a session."""

    model: str
    tokens: Tokens
    dollars: float | None = None
    """By the agent's own record, else by list prices; None where the model has no price."""


@frozen
class ReportedTurn:
    """A prompt, and what came of it."""

    number: int
    prompt: Excerpt
    began: datetime | None
    ended: datetime | None
    entries: tuple[Entry, ...] = ()
    left_out: int = 0
    """Entries that are not among them."""
    tools: tuple[tuple[str, int], ...] = ()
    """How often each tool was used."""
    files: tuple[str, ...] = ()
    """The files that were changed."""
    commands: int = 0
    failed: int = 0
    """Calls that failed."""
    compactions: int = 0
    withdrawn: bool = False
    """The user went back to before it."""
    tokens: Tokens = Tokens()
    context: int = 0
    """How full the window was at its end."""


@frozen
class Point:
    """How full the window was at a moment."""

    turn: int
    at: datetime | None
    tokens: int
    compaction: int = 0
    """The number of the compaction that came right then; 0 where none did."""


@frozen
class Lost:
    """One thing that was known before a compaction."""

    kind: str
    text: str
    turn: int
    where: str
    """`summary`, `handed` or `archive`: see brief/losses.py."""


@frozen
class LostKind:
    """How many things of one kind there were before a compaction, and where they stand now."""

    kind: str
    kept: int
    """In the agent's summary."""
    handed: int
    archived: int


@frozen
class ReportedCompaction:
    """A compaction, what it lost and what was handed back."""

    number: int
    turn: int
    at: datetime | None
    tokens: int = 0
    """In the window before it, where the agent says so."""
    handed_tokens: int = 0
    handed: Excerpt = NOTHING
    summary: Excerpt = NOTHING
    kinds: tuple[LostKind, ...] = ()
    items: tuple[Lost, ...] = ()
    """Some of what the summary lost."""
    is_told: bool = True
    """Whether `kinds` was worked out: of a long session with many compactions only the newest are."""

    @property
    def kept(self) -> int:
        """Things that the agent's summary kept."""
        return sum(one.kept for one in self.kinds)

    @property
    def handed_back(self) -> int:
        """Things that the summary lost and the brief handed back."""
        return sum(one.handed for one in self.kinds)

    @property
    def archived(self) -> int:
        """Things that only the transcript still has."""
        return sum(one.archived for one in self.kinds)


@frozen
class ReportedMove:
    """An event, and how the machine answered."""

    at: datetime
    event: str
    was: str
    to: str
    actions: tuple[str, ...] = ()


@frozen
class Received:
    """A text that tapehead gave the model."""

    text: Excerpt
    tokens: int
    delivery: str = ""


@frozen
class FileShare:
    """A file of a commit, and which of its lines are the session's."""

    path: str
    added: int
    session: int
    agents: int
    """Lines of all agents, the session's included."""
    runs: tuple[tuple[int, int], ...] = ()
    """The session's lines, as (first, last)."""


@frozen
class ReportedCommit:
    """A commit that the session had a part in."""

    commit: str
    subject: str
    checkpoint: str
    at: datetime | None
    added: int
    session: int
    agents: int
    removed: int
    files: tuple[FileShare, ...] = ()


@frozen
class Statement:
    """A rule or a decision."""

    text: str
    turn: int = 0
    note: str = ""
    holds: bool = True


@frozen
class Report:
    """One session."""

    session: str
    made_at: datetime
    agent: str = ""
    agent_version: str = ""
    model: str = ""
    project: str = ""
    branch: str = ""
    phase: str = ""
    began: datetime | None = None
    ended: datetime | None = None
    turns: tuple[ReportedTurn, ...] = ()
    points: tuple[Point, ...] = ()
    window: int = 0
    """The size of the window; 0 where the agent does not say it."""
    compactions: tuple[ReportedCompaction, ...] = ()
    moves: tuple[ReportedMove, ...] = ()
    received: tuple[Received, ...] = ()
    tokens: Tokens = Tokens()
    models: tuple[ModelCost, ...] = ()
    dollars: float | None = None
    """The sum of the models; None where one of them has no price."""
    prices_as_of: str = ""
    """The date of the price list."""
    cost: float | None = None
    """Dollars, where the agent's status line says it."""
    commits: tuple[ReportedCommit, ...] = ()
    commits_left_out: int = 0
    rules: tuple[Statement, ...] = ()
    decisions: tuple[Statement, ...] = ()
    kept_decisions: tuple[Statement, ...] = ()
    """Those that the project keeps in files of their own."""
    is_missing: bool = False
    """Whether the agent's own record is gone: then only the tape tells."""
