"""What a work record finds: facts with the place where they stand, files in play, commands with their outcome."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Fact(NamedTuple):
    """Something that was said or found, word for word, with where it stands and whether it still holds."""

    text: str
    turn: int = 0
    time: str = ""
    at: int = 0
    """The step at which it was found: the larger, the newer."""
    holds: bool = True
    note: str = ""
    """What belongs to it: a reason, what replaced it, what fixed it, the file a line stands in."""
    instead_of: str = ""
    """What it took the place of, word for word."""
    earlier: str = ""
    """Of a prompt that was typed again: when before."""
    later: str = ""
    """Of a rule: what the user said later about the same, with the turn, and may have changed it. The two are told together."""
    sure: bool = True
    """Whether its prompt is plainly nothing but the user's own request."""
    chooses: str = ""
    """The option that it stands for, where it names the number of one."""
    detail: str = ""
    """Of an item of a task list: what it is about."""
    answers: str = ""
    """What the agent had put before the user, where it is a short reply to that."""


class Finding(NamedTuple):
    """A sentence of the agent that a successor may need."""

    text: str
    turn: int
    at: int
    worth: float
    """What its words make it worth; what it names comes on top."""
    from_subagent: bool = False
    document: str = ""
    """The document in which the agent wrote it down."""


class Change(NamedTuple):
    """The newest change of a file."""

    path: str
    function: str
    """The function or class in which it was made, where that is known."""
    before: str
    after: str
    turn: int = 0
    at: int = 0
    edits: int = 1
    """How often the file was changed."""


class Touched(NamedTuple):
    """The files that were changed in one turn."""

    turn: int
    at: int
    """The step of the last of the changes."""
    paths: tuple[str, ...]


class View(NamedTuple):
    """A file that was lately in view."""

    path: str
    names: tuple[str, ...]
    """The names in it that the work is about, the weightiest first."""
    turn: int = 0
    at: int = 0
    places: tuple[str, ...] = ()
    """What it defines of them, each with its line."""


class Commit(NamedTuple):
    """A commit that the agent made."""

    id: str
    branch: str
    subject: str
    turn: int = 0
    at: int = 0
    message: str = ""
    """What its message says below the subject, on one line."""


class InPlay(NamedTuple):
    """A file that was worked on."""

    path: str
    done: str
    """What was done to it, in words: `edited 3x, read once`."""
    symbols: tuple[str, ...] = ()
    """The functions and classes that were worked on, newest first."""
    turn: int = 0
    at: int = 0
    changed: bool = False


class Ran(NamedTuple):
    """A command, word for word, with what came of its last run."""

    text: str
    times: int
    failed: bool
    outcome: str = ""
    purpose: str = ""
    """`test`, `build`, `lint`, `format`, `commit`, or nothing."""
    turn: int = 0
    at: int = 0


class WorkRecord(NamedTuple):
    """What the work of a session consists of."""

    session: str = ""
    branch: str = ""
    cwd: str = ""
    began: str = ""
    ended: str = ""
    turns: int = 0
    steps: int = 0
    compactions: int = 0
    asks: tuple[Fact, ...] = ()
    rules: tuple[Fact, ...] = ()
    todos: tuple[Fact, ...] = ()
    put_off: tuple[Fact, ...] = ()
    decisions: tuple[Fact, ...] = ()
    files: tuple[InPlay, ...] = ()
    commands: tuple[Ran, ...] = ()
    errors: tuple[Fact, ...] = ()
    in_flight: tuple[Fact, ...] = ()
    background: tuple[Fact, ...] = ()
    last_steps: tuple[Fact, ...] = ()
    """What the agent did last, oldest first; `note` is what came of it."""
    findings: tuple[Finding, ...] = ()
    """The agent's own sentences, oldest first."""
    settled: tuple[Finding, ...] = ()
    """What the documents settle that the agent wrote, oldest first."""
    changes: tuple[Change, ...] = ()
    """The newest change of each file, newest first."""
    touched: tuple[Touched, ...] = ()
    """Which files each turn changed, oldest first."""
    views: tuple[View, ...] = ()
    """The files lately in view, the last seen first."""
    commits: tuple[Commit, ...] = ()
    pushed_at: int = 0
    """The step of the last push."""
    refusals: tuple[Fact, ...] = ()
    """Calls that the user stopped."""
    answered: str = ""
    """The agent's words that the newest prompt answers."""
    deeds: tuple[Fact, ...] = ()
    """What commands opened, closed or made outside of the files, oldest first; `note` is the command."""
    tickets: tuple[Fact, ...] = ()
    """The pull requests and issues of the work, the last first; `note` is the title."""
    refs: tuple[Fact, ...] = ()
    plan: Fact | None = None
    given: Fact | None = None
    """The text of the last command or skill that the user called; `note` is its name."""
    summary: str = ""
    """What the agent's newest summary in the transcript says of the work before it."""
    weights: Mapping[str, float] = MappingProxyType({})
    """How likely each named thing is needed again: often and lately means likely."""
