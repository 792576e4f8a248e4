"""Sessions handed to another machine: what goes along, on a ref that a remote keeps for whoever takes it.

    <session>/<id>/baton.json, brief.md, turns.jsonl.gz, sessions/…     one handoff; nobody changes it any more
    <session>/<id>/taken.json                                           that somebody took it
    <session>/<id>/unseen/<by>.json                                     that somebody took it who could not ask the remote

The remote has it as `refs/tapehead/handoffs`. Here each remote has a ref of its own: what is handed over through one remote
does not go to another.
"""

from __future__ import annotations

import json
from binascii import crc32
from typing import TYPE_CHECKING

import attrs

from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import stream
from tapehead.git.run import GitFailed, git
from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from typing import Any

    from tapehead.git.side import Side

SHARED = "refs/tapehead/handoffs"
HANDING = "refs/tapehead/handing"
"""Here, with a ref for each remote below it."""
_TEXTS = ("offered_at", "memo", "to", "agent", "branch", "head", "asked", "by")
_LONGEST = 8_000
_SECONDS = 30.0
_MOST = 1_000
"""Handoffs of one remote that are looked at, the newest ones."""
_FILES, _BYTES = 1_000, 96 * 1024 * 1024
"""What one handoff may have in all, as it lies in git."""


@attrs.frozen
class Handoff:
    """One session that was handed over."""

    id: str
    session: str
    offered_at: str = ""
    memo: str = ""
    to: str = ""
    """The agent that it is meant for; any where empty."""
    agent: str = ""
    branch: str = ""
    head: str = ""
    """Where the work stood."""
    asked: str = ""
    """What was asked last."""
    turns: int = 0
    masked: int = 0
    """Secrets that were taken out."""
    by: str = ""
    """The name that its sender goes by in git. Nobody checks it."""
    taken_at: str = ""
    taken_by: str = ""
    """A word that only the taker knows: two that take at once can tell who was first."""
    unseen: tuple[str, ...] = ()
    """The words of those that took it while the remote could not be asked."""

    @property
    def takers(self) -> frozenset[str]:
        """All who have it, as far as is known here; more than one where somebody could not ask."""
        return frozenset(filter(None, (self.taken_by, *self.unseen)))

    @property
    def place(self) -> str:
        return f"{self.session}/{self.id}"


class Handoffs:
    """What was handed over through one remote, as far as it is known here."""

    def __init__(self, side: Side, remote: str) -> None:
        self.kept = Checkpoints(side, f"{HANDING}/{slug(remote)}", SHARED)

    def put(self, handoff: Handoff, files: dict[str, bytes], at: int) -> None:
        """Writes one, whole or not at all."""
        baton = attrs.asdict(handoff, filter=lambda field, _: not field.name.startswith(("taken", "unseen")))
        rows = [stream.given(f"{handoff.place}/{name}".encode(), content) for name, content in files.items()]
        rows.append(stream.given(f"{handoff.place}/baton.json".encode(), _json(baton)))
        self.kept.change(lambda: rows, f"handoff of {handoff.session}\n", at)

    def take(self, handoff: Handoff, by: str, when: str, at: int) -> bool:
        """Marks one as taken; False where somebody was faster."""

        def mark() -> list[bytes]:
            if self._read(handoff.place, "taken.json"):
                raise _Taken
            return [stream.given(f"{handoff.place}/taken.json".encode(), _json({"at": when, "by": by}))]

        try:
            self.kept.change(mark, f"{handoff.session} was taken\n", at)
        except _Taken:
            return False
        return True

    def took_unseen(self, handoff: Handoff, by: str, when: str, at: int) -> None:
        """Says that one was taken while nobody could be asked: a file of its own, which two clones' marks do not fight about."""
        row = stream.given(f"{handoff.place}/unseen/{by}.json".encode(), _json({"at": when, "by": by}))
        self.kept.change(lambda: [row], f"{handoff.session} was taken unseen\n", at)

    def waiting(self) -> list[Handoff]:
        """The newest of each session, where nobody has taken it; newest first."""
        return [one for one in self._newest() if not one.taken_at]

    def taken_twice(self) -> list[Handoff]:
        """The newest of each session, where more than one has taken it."""
        return [one for one in self._newest() if len(one.takers) > 1]

    def _newest(self) -> list[Handoff]:
        newest: dict[str, Handoff] = {}
        for one in self.all():
            newest.setdefault(one.session, one)
        return list(newest.values())

    def all(self) -> list[Handoff]:
        """All of them, newest first: by when they came here. What time a handoff gives for itself decides nothing."""
        names = self._names()
        there = {name for name in names if name.endswith("/baton.json")}
        places = [name.removesuffix("/baton.json") for name in self._as_they_came() if name in there]
        return [one for place in dict.fromkeys(places[:_MOST]) if (one := self.get(place, names))]

    def _as_they_came(self) -> list[str]:
        words = ("log", "--first-parent", "-m", "--no-renames", "--diff-filter=A", "--name-only", "-z", "--format=")
        try:
            raw = git(self.kept.side.common_dir, *words, self.kept.ref, "--", timeout=_SECONDS, most=1 << 26)
        except GitFailed:
            return []
        return raw.decode("utf-8", "replace").strip("\0\n").split("\0")

    def get(self, place: str, names: list[str] | None = None) -> Handoff | None:
        """One, by its folder; None where what is there cannot be one."""
        session, _, name = place.partition("/")
        if not is_session_id(session) or not is_session_id(name):
            return None
        baton, taken = self._read(place, "baton.json"), self._read(place, "taken.json")
        said: dict[str, Any] = {key: str(baton.get(key) or "")[:_LONGEST] for key in _TEXTS}
        said |= {key: value for key in ("turns", "masked") if type(value := baton.get(key)) is int}
        said |= {"taken_at": str(taken.get("at") or ""), "taken_by": str(taken.get("by") or "")}
        begin = f"{place}/unseen/"
        others = (one.removeprefix(begin) for one in names or self._names() if one.startswith(begin))
        unseen = tuple(sorted(one.removesuffix(".json") for one in others))
        return Handoff(id=name, session=session, unseen=unseen, **said) if baton else None

    def files(self, handoff: Handoff) -> dict[str, bytes]:
        """What came along, by its name below the handoff. Raises GitFailed where that is more than anybody would send."""
        begin = f"{handoff.place}/"
        sizes = {name: size for name, size in self._sizes().items() if name.startswith(begin)}
        if len(sizes) > _FILES or sum(sizes.values()) > _BYTES:
            raise GitFailed(f"it has {len(sizes)} files of {sum(sizes.values()) >> 20} MB")
        found = {name.removeprefix(begin): self.kept.blob(name) for name in sizes}
        return {name: content for name, content in found.items() if content is not None}

    def _names(self) -> list[str]:
        return [*self._sizes()]

    def _sizes(self) -> dict[str, int]:
        """All files, with their bytes."""
        words = ("ls-tree", "-r", "-z", "-l", self.kept.ref)
        try:
            raw = git(self.kept.side.common_dir, *words, timeout=_SECONDS, most=1 << 26).decode("utf-8", "replace")
        except GitFailed:
            return {}
        rows = (row.partition("\t") for row in raw.split("\0"))
        return {name: int(size) for about, _, name in rows if name and (size := about.split()[-1]).isdigit()}

    def _read(self, place: str, name: str) -> dict[str, Any]:
        try:
            found = json.loads(self.kept.blob(f"{place}/{name}") or b"{}")
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


class _Taken(Exception):
    """Somebody was faster."""


def slug(remote: str) -> str:
    """A remote's name as part of a ref's name. Of an address what tells it from others, and nobody's password."""
    kept = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in remote.rpartition("@")[2])
    return (
        kept
        if kept == remote
        else f"{kept.strip('-')[-40:] or 'remote'}-{crc32(remote.encode('utf-8', 'replace')):08x}"
    )


def _json(what: dict[str, Any]) -> bytes:
    return json.dumps(what, indent=1).encode() + b"\n"
