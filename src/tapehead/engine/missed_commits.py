"""Commits that a session has not heard of: their hook was killed, passed over (`--no-verify`), or not there for a while.

Git's own list of where HEAD was (the reflog) tells which commits were made here since the session began, also where a later one was heard
of. Where git keeps no such list, the commits since the session began are asked for.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tapehead.git import layout as git_layout
from tapehead.git.reflog import born, made_here, made_since, moved_since
from tapehead.git.run import GitFailed, git
from tapehead.statemachine.vocabulary import Action, Event
from tapehead.store import off_switch, tape
from tapehead.store.line import readable

if TYPE_CHECKING:
    from tapehead.git.layout import Repository
    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_TAPE_LOOKED_AT = 256 * 1024
_MOST = 50
_REACHED = 5_000
"""Commits of the branches among which one that was made here must be: one that was amended or reset is gone."""
_TRIES = 3
_A_MOMENT = 60
"""Seconds between the making of a commit and the move of HEAD to it."""
_CONDENSING = frozenset({Action.CONDENSE.value, Action.CONDENSE_IF_TOUCHED.value})
_SECONDS = 10.0
_SECOND = 1_000_000_000


def find_missed(layout: Layout, state: State) -> list[tuple[str, str]]:
    """The commits that a session's tape has not heard of, oldest first, each with the branch; before them what went wrong."""
    repository = git_layout.find(state.worktree_path) if state.worktree_path else None
    if repository is None or git_layout.rebasing(repository.git_dir):
        return []
    branch, head = git_layout.head(repository)
    lines = readable(tape.tail(layout.tape(state.session_id), _TAPE_LOOKED_AT))
    told = [(line.id, line.text("commit")) for line in lines if line.event is Event.GIT_COMMIT]
    heard = {commit for _, commit in told}
    new = _new(state, repository, head, heard) if head and head not in heard else []
    between = _between(state, repository, lines, {*heard, *new}) if head else []
    made = _made_while_on(layout, repository, [*between, *new])
    return [(commit, branch) for commit in (*_gone_wrong(lines, told), *made)]


def _made_while_on(layout: Layout, repository: Repository, commits: list[str]) -> list[str]:
    """Without those that were made while tapehead was off here."""
    periods = off_switch.periods(layout) if commits else []
    if not periods:
        return commits
    try:
        times = {name: int(at) * _SECOND for at, name, *_ in _told(repository, "--no-walk=unsorted", *commits, "--")}
    except GitFailed:
        return []
    return [name for name in commits if not any(_is_within(times.get(name, 0), period) for period in periods)]


def _is_within(at: int, period: off_switch.Period) -> bool:
    """Git counts in whole seconds: one that began within the period's first second counts too."""
    return period.covers(at) or period.covers(at + _SECOND - 1)


def _between(state: State, repository: Repository, lines: list[Line], heard: set[str]) -> list[str]:
    """Those that were made here since the session began, or since what is looked at of its tape began, and that are still there."""
    if state.started_at is None or not lines:
        return []
    since = int(max(state.started_at, lines[0].at).timestamp())  # git counts in seconds
    before = [head for line in lines if line.event is Event.SESSION_START and (head := line.text("head"))]
    known = {*heard, *before}
    try:
        if made_here(repository.git_dir) is None:
            return [name for name in _by_time(repository, before, since) if name not in known][-_MOST:]
        found = [*made_since(repository.git_dir, since), *_without_a_word(repository, since)]
        found = [name for name in found if name not in known][-_MOST:]
        if not found:
            return []
        words = ("rev-list", f"--max-count={_REACHED}", "--branches", "HEAD", "--")
        there = set(git(repository.worktree, *words, timeout=_SECONDS).decode("ascii").split())
    except GitFailed:
        return []
    return [name for name in found if name in there]


def _by_time(repository: Repository, before: list[str], since: int) -> list[str]:
    """The commits since the session's first HEAD whose time is within the session, oldest first."""
    reach = ("HEAD", *(f"^{name}" for name in before[:1]))
    rows = _told(repository, "--first-parent", "--reverse", f"--max-count={_MOST}", *reach, "--")
    return [name for time, name, *_ in rows if int(time) >= since]


def _without_a_word(repository: Repository, since: int) -> list[str]:
    """Of the moves of HEAD that say nothing, those to a commit that was made then, on top of where HEAD was."""
    moved = moved_since(repository.git_dir, since)
    rows = _told(repository, "--no-walk=unsorted", *moved, "--") if moved else []
    return [
        name
        for time, name, *parents in rows
        if parents[:1] == [moved[name][0]] and abs(int(time) - moved[name][1]) <= _A_MOMENT
    ]


def _told(repository: Repository, *words: str) -> list[list[str]]:
    """Of each commit its time, its name and its parents."""
    raw = git(repository.worktree, "rev-list", "--timestamp", "--parents", *words, timeout=_SECONDS)
    return [row.split(" ") for row in raw.decode("ascii").splitlines()]


def _new(state: State, repository: Repository, head: str, heard: set[str]) -> list[str]:
    """Of the commits since the session's last one, those that were made here and that it has not heard of, oldest first.

    What a pull or a switch brought was made elsewhere: whoever is at work here has no part in it.
    """
    unborn = _began_before_all(state, repository)
    if not unborn and state.base_commit in ("", head):
        return []
    reach = (head,) if unborn else (head, f"^{state.base_commit}")
    try:
        words = ("rev-list", "--first-parent", "--reverse", f"--max-count={_MOST}")
        raw = git(repository.worktree, *words, *reach, timeout=_SECONDS)
    except GitFailed:
        return []
    found, made = raw.decode("ascii").split(), made_here(repository.git_dir)
    return [name for name in found if name not in heard and (made is None or name in made)]


def _began_before_all(state: State, repository: Repository) -> bool:
    """Whether there was no commit when the session began: then what it takes for its base is only the first that it saw."""
    return (
        not state.step_count
        and state.started_at is not None
        and state.started_at.timestamp() < born(repository.git_dir)
    )


def _gone_wrong(lines: list[Line], told: list[tuple[str, str]]) -> list[str]:
    """The commits that could not be condensed when they were last told of, and were not tried too often."""
    failed = {line.of for line in lines if line.note == "failed" and line.text("action") in _CONDENSING}
    last = {commit: line_id for line_id, commit in told}
    often = Counter(commit for _, commit in told)
    return [commit for commit, line_id in last.items() if line_id in failed and often[commit] < _TRIES]
