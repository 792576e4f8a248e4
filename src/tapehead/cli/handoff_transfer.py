"""A session on its way to another machine and from there, through any remote that git knows."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from tapehead.actions.transcript_part import Masked
from tapehead.checkpoints.growth import CHANGED, DELETED, FORGED, MALFORMED
from tapehead.checkpoints.handoff_ref import Handoff, Handoffs, slug
from tapehead.checkpoints.sync import Synced, Unreachable, remotes, sync_all
from tapehead.cli.output import Failure
from tapehead.cli.team_sharing import name_in_git
from tapehead.engine.chores import remember
from tapehead.git import layout as git_layout
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.git.transport import why_refused
from tapehead.handoff.arrival import Busy, Place, Sender, receive, taken_here, took
from tapehead.handoff.parcel import Pack
from tapehead.handoff.unpacking import TooMuch
from tapehead.history.database import Unusable
from tapehead.store import batons
from tapehead.store.paths import place_name
from tapehead.text import redacted_excerpt

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.git.layout import Repository
    from tapehead.store.state import State


@frozen
class Sent:
    """A handoff that was written, and whether the remote has it already; else why not."""

    handoff: Handoff
    why_not: str = ""

    @property
    def reached(self) -> bool:
        return not self.why_not


def side_of(at: Here) -> Side:
    """Where git's own things of this repository are."""
    return Side(at.engine.layout.lines, _repository(at).common_dir)


def the_remote(at: Here, named: str | None) -> str:
    """The remote that was named, or that the settings name, if git knows it or it is an address; else the only one, or origin."""
    known = remotes(_repository(at).common_dir)
    named = named or at.engine.settings.text("checkpoints.remote") or None
    if named and (why := why_refused(named)):
        raise Failure(f"Can't use {named!r} as a remote: {why}", "`git remote` lists your remotes")
    if named:
        if named not in known and not _is_address(named):
            raise Failure(f"No git remote named {named}", "`git remote` lists them; a URL or a path works too")
        return named
    if not known:
        raise Failure("This repository has no remote", "`git remote add NAME URL`, or name a URL")
    if "origin" not in known and len(known) > 1:
        raise Failure(f"This repository has several remotes: {', '.join(known)}", "name one of them")
    return "origin" if "origin" in known else known[0]


def _is_address(word: str) -> bool:
    """Whether git would take it for one: `host:path`, `scheme://…`, or a path."""
    return ":" in word or os.sep in word or os.path.isdir(word)


def send(at: Here, state: State, remote: str, memo: str, to: str) -> Sent:
    """Hands a session over through a remote; one that cannot be reached now has it with the next sync."""
    side = side_of(at)
    remember(at.engine, state.session_id)
    pack, masked = Pack(at.engine.layout, at.engine.briefs), Masked()
    try:
        files = pack.of(state)
        branch, head = git_layout.head(_repository(at))
        handoff = Handoff(
            id=os.urandom(6).hex(),
            session=state.session_id,
            offered_at=at.now.isoformat(),
            memo=masked(memo),
            to=to,
            agent=state.agent,
            branch=branch,
            head=head,
            asked=masked(redacted_excerpt.in_line(state.last_prompt)),
            turns=state.turn_number,
            by=masked(name_in_git(_repository(at))),
        )
        handoff = evolve(handoff, masked=pack.masked.count + masked.count)
        Handoffs(side, remote).put(handoff, files, _seconds(at))
    except (GitFailed, Unusable, OSError) as error:
        raise Failure(f"Can't write the handoff: {error}", "run `tapehead doctor`") from None
    return Sent(handoff, _why_not(side, remote, at))


def look(at: Here, remote: str) -> tuple[list[Handoff], str]:
    """What waits on a remote, newest first; and why it could not be asked just now: then this is as it was known."""
    side = side_of(at)
    why_not = _why_not(side, remote, at)
    return Handoffs(side, remote).waiting(), why_not


def fetch(at: Here, remote: str, handoff: Handoff) -> bool:
    """Takes one: its sessions and its memory, then the mark that it is taken, then the baton for the next start here.

    Returns whether the remote has the mark. What breaks before the mark is done again; of two that take it at once the
    first has it, as far as the remote can be asked.
    """
    side, now, by = side_of(at), at.engine.clock_ns(), os.urandom(8).hex()
    known, place = Handoffs(side, remote), Place(at.place.worktree, at.place.worktree_id, now, os.getpid())
    try:
        went_there = frozenset(one.session for one in known.all())
        sender = Sender(handoff.session, slug(remote), handoff.by, went_there)
        receive(at.engine.layout, known.files(handoff), place, sender)
        if not known.take(handoff, by, at.now.isoformat(), _seconds(at)):
            raise _taken(handoff)
    except (GitFailed, Unusable, OSError, Busy, TooMuch) as error:
        raise Failure(f"Can't take the handoff: {error}", "nothing is lost; try again") from None
    reached = not _why_not(side, remote, at)
    mark = known.get(handoff.place)
    if mark and mark.taken_by != by:
        raise _taken(handoff)
    if not reached:
        known.took_unseen(handoff, by, at.now.isoformat(), _seconds(at))
    took(at.engine.layout, handoff.session, handoff.id, by)
    here = place_name(at.place.worktree_id)
    batons.offer(
        at.engine.layout,
        here,
        handoff.session,
        at.now.isoformat(),
        handoff.memo,
        to=handoff.to,
        keeps=at.engine.keeps_batons(),
    )
    return reached


def taken_twice(at: Here, remote: str) -> dict[str, str]:
    """What more than one clone has taken, by the handoff's folder; and how that is told here."""
    found = {}
    for one in Handoffs(side_of(at), remote).taken_twice():
        own = taken_here(at.engine.layout, one.session).get(one.id) in one.takers
        where = "here and in another clone" if own else f"in {len(one.takers)} clones"
        found[one.place] = (
            f"session {one.session}, handed off through {remote}, was taken {where}: both may continue it"
        )
    return found


def not_taken(done: Synced) -> list[str]:
    """What a remote changed or took away and we did not."""
    found = []
    if done.refused:
        count = Counter(done.refused.values())
        what = ", ".join(f"{many} {_WHY[why]}" for why, many in sorted(count.items()))
        found.append(
            f"refused from {done.remote}: {what}; yours stay as they are. See what it sent: `git log {done.kept_as}`"
        )
    if done.lost:
        many = "1 checkpoint" if done.lost == 1 else f"{done.lost} checkpoints"
        found.append(f"{done.remote} had lost {many}; sent again")
    return found


_WHY = {
    DELETED: "deleted there",
    CHANGED: "changed there",
    FORGED: "of a session recorded here that did not create it",
    MALFORMED: "that is not a checkpoint or handoff, or is too large",
}


def note_twice(at: Here, places: list[str]) -> None:
    """Leaves word on the tapes of the sessions that are known here."""
    for place in places:
        session, _, handoff = place.partition("/")
        if session in at.engine.store.list():
            at.engine.append(session, {"note": "taken_twice", "data": {"handoff": handoff}})
            at.engine.settle(session)


def _taken(handoff: Handoff) -> Failure:
    hint = f"`tapehead handoff --session {handoff.session}` hands it to the next start here anyway"
    return Failure(f"session {handoff.session} was taken elsewhere a moment ago", hint)


def _why_not(side: Side, remote: str, at: Here) -> str:
    """Brings both sides to the same; why that could not be, or nothing."""
    try:
        sync_all(side, remote, _seconds(at))
    except (Unreachable, GitFailed) as error:
        return str(error) or "no answer"
    return ""


def _seconds(at: Here) -> int:
    return int(at.now.timestamp())


def _repository(at: Here) -> Repository:
    if at.place.repository is None:
        raise Failure("Not a git repository", "`cd` into one")
    return at.place.repository
