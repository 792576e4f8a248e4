"""What the caller knows beside the transcript: the repository then and now, and what people saved by hand."""

from __future__ import annotations

from typing import NamedTuple


class RepoFacts(NamedTuple):
    """The repository at capture, and now: how fresh the account is."""

    branch: str = ""
    head: str = ""
    dirty: tuple[str, ...] = ()
    branch_now: str = ""
    head_now: str = ""
    dirty_now: tuple[str, ...] = ()
    doing: str = ""
    """What git is in the middle of now: a rebase, a merge."""
    conflicts: tuple[str, ...] = ()
    """The files that are in conflict now."""


class Extras(NamedTuple):
    """What people and earlier sessions left: each line goes into its section as it is."""

    focus: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()
    adrs: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    """What a newcomer should see of the project."""
    archive: tuple[str, ...] = ()
    noted: tuple[tuple[str, str, bool], ...] = ()
    """From the running notes: the section of a brief that a line belongs to, the line, and whether a user wrote it."""
    began: tuple[tuple[str, str], ...] = ()
    """From the same, where a transcript is too long for a work record to see its beginning: a section, and what the user said then."""
    put_back: tuple[str, ...] = ()
    """That a user put files back to an earlier turn: the transcript knows nothing of it."""
    not_recorded: tuple[str, ...] = ()
    """That tapehead was off for a while."""
    before: tuple[str, ...] = ()
    """The turns of the sessions that this one goes on from, a line each."""
    thoughts: tuple[str, ...] = ()
    """The agent's thinking of its last turn, where that is wanted."""
    goes_on: bool = False
    """Another session goes on with this work: what was said last is then given whole, as far as there is room."""
    room: str = ""
    """How much is left of the window, where that is known: nobody knows right after a compaction."""
    origin: str = ""
    """Where the session comes from, where another machine handed it over."""
    known: str = ""
    """The session's id in the store, where its turns can be looked up."""
    tools: bool = False
    """Whether the agent has our MCP server running: its tools are named then."""
    command: str = ""
    """The command that brings the rest, for the pointers of cut sections; made from the session id where empty."""
