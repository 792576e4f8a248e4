"""What was kept, read back: checkpoints, snapshots, captures and notes. The newest of each, or, where that is asked for, all of them."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from functools import partial
from typing import TYPE_CHECKING

from tapehead.attribution.snapshots import Chain
from tapehead.brief import capture_file
from tapehead.checkpoints import checkpoint, ref_repair, verification
from tapehead.checkpoints.checkpoint_ref import REF, Checkpoints
from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.here import states_of
from tapehead.documents import notes_basis
from tapehead.engine.chores import capture, keep_notes
from tapehead.git import unreadable_refs
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.notes.notes_keeper import VERSION
from tapehead.store import atomic
from tapehead.store import captures as kept

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.cli.here import Here

_NEWEST = 20
"""Changes to the checkpoints, and marks of each worktree, that are read back where nothing more is asked for."""
_SHOWN = 3
_LARGEST = 1 << 28


def checkpoints(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - as it was asked
    """Each file by its object's name, and whether it can be read as what it is; deep, all that refs of ours lead to."""
    repository = at.place.repository
    if repository is None:
        return []
    common = repository.common_dir
    broken = ref_repair.broken(common)  # told by a check of its own
    tips = sorted({name for ref, name in ref_repair.refs(common).items() if ref not in broken})
    bad: list[str] = []
    if deep:
        bad += [
            f"the object {name[:12]}"
            for name, raw in verification.objects(common, verification.led_to(common, tips))
            if raw is None
        ]
    if REF not in broken and Checkpoints(Side(at.engine.layout.lines, common)).tip():
        files = verification.checkpoint_files(common, REF, None if deep else _NEWEST)
        contents = dict(verification.objects(common, sorted({blob for _, blob in files})))
        bad += [path for path, blob in files if not _is_readable(path, contents[blob])]
    if not bad:
        return []
    what = f"{len(bad)} parts of checkpoints cannot be read: {', '.join(bad[:_SHOWN])}"
    return [Finding("checkpoints_read", ERROR, what, "`tapehead sync` fetches them, if another clone has them")]


def _is_readable(path: str, raw: bytes | None) -> bool:
    if raw is None:
        return False
    if path.endswith("/checkpoint.json"):
        return checkpoint.read(raw) is not None
    if path.startswith("by-commit/"):
        return checkpoint.read_record(raw) is not None
    return not path.endswith(".gz") or _is_packed(raw)


def _is_packed(raw: bytes) -> bool:
    """Whether it can be unpacked; more than a transcript can have is not tried."""
    try:
        with gzip.open(io.BytesIO(raw)) as file:
            size = 0
            while size < _LARGEST and (piece := file.read(1 << 20)):
                size += len(piece)
    except (OSError, EOFError, zlib.error):
        return False
    return True


def snapshots(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - as it was asked
    """Marks whose files are not all there: a rewind to them cannot be whole. Deep, every object of our own is read, too."""
    if at.place.repository is None or not os.path.isdir(os.path.join(at.engine.layout.lines, "refs")):
        return []
    side = Side(at.engine.layout.lines, at.place.repository.common_dir)
    found = []
    bad = [
        (ref, mark)
        for ref, mark, whole in verification.marks(side, None if deep else _NEWEST)
        if not whole or not _says(side, mark)
    ]
    if bad:
        names = ", ".join(_told(side, ref, mark) for ref, mark in bad[:_SHOWN])
        what = f"{len(bad)} snapshots are incomplete, so `rewind` cannot use them: {names}"
        chains = sorted({ref for ref, mark in bad if not mark or ref.startswith("refs/marks/")})
        hint = "`tapehead doctor --fix` continues from the newest complete one; the others stay as they are"
        stuck = [ref for ref in chains if not verification.is_whole(side, [ref])]
        found.append(
            Finding(
                "snapshots", WARNING, what, hint if stuck else "", mend=partial(_mend, side, stuck) if stuck else None
            )
        )
    if deep and (lost := [name for name, raw in verification.objects(side.path, sorted(_own(side))) if raw is None]):
        what = f"{len(lost)} objects of snapshots are damaged, such as {lost[0][:12]}"
        found.append(Finding("snapshots", ERROR, what, f"check the disk that holds {side.path}"))
    return found


def _mend(side: Side, chains: list[str]) -> None:
    for ref in unreadable_refs.oversized(side.path, "refs"):
        unreadable_refs.remove(side.path, ref)  # before git is asked about any of them
    for ref in chains:
        verification.mend_chain(side, ref)


def _says(side: Side, mark: str) -> bool:
    try:
        Chain(side, "").known(mark)
    except (GitFailed, ValueError, KeyError, TypeError):
        return False
    return True


def _told(side: Side, ref: str, mark: str) -> str:
    """By its session and turn, where that can still be read."""
    try:
        made = Chain(side, "").known(mark).made
    except (GitFailed, ValueError, KeyError, TypeError):
        return f"{ref} {mark[:12]}".strip()
    return (
        f"turn {made.get('turn')} of {made['session'][:8]}"
        if made.get("session")
        else f"{made.get('kind')} {mark[:12]}"
    )


def _own(side: Side) -> Iterator[str]:
    """Our own loose objects; those in packs are read with what leads to them."""
    objects = os.path.join(side.path, "objects")
    for folder in os.listdir(objects):
        if len(folder) == 2:  # noqa: PLR2004 - the first two letters of a name
            yield from (folder + name for name in os.listdir(os.path.join(objects, folder)) if "_" not in name)


def captures(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - as it was asked
    """Captures whose checksum does not fit: of each session the newest, or all of them."""
    found = []
    captured = {session_id for session_id, state in states_of(at).items() if state.captured_at}
    for session_id in at.engine.store.list():
        newest = kept.path(at.engine.layout, session_id)
        archive = os.path.join(at.engine.layout.captures(session_id), "archive")
        names = sorted(os.listdir(archive)) if deep and os.path.isdir(archive) else []
        for path in (newest, *(os.path.join(archive, name) for name in names)):
            if reason := _damage(path, expected=path == newest and session_id in captured):
                mend = partial(_capture_again, at, session_id) if path == newest else None
                what = f"a capture is damaged ({reason}): {path}"
                hint = (
                    "`tapehead doctor --fix` moves it to the quarantine and captures the session again" if mend else ""
                )
                found.append(Finding("captures", WARNING, what, hint, session_id, mend))
    return found


def outdated_notes(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - as it was asked
    """Running notes that an older version gathered: they may say what this version would not."""
    ids = at.engine.store.list()
    newest = ids if deep else sorted(ids, key=lambda one: _changed(notes_basis.path(at.engine.layout, one)))[-_NEWEST:]
    late = [one for one in newest if _is_outdated(at, one)]
    if not late:
        return []
    what = f"the notes of {len(late)} sessions come from an older version, such as those of {late[0]}"
    return [
        Finding("notes", NOTE, what, "`tapehead doctor --fix` makes them again", mend=partial(_notes_again, at, late))
    ]


def _is_outdated(at: Here, session_id: str) -> bool:
    state = states_of(at).get(session_id)
    if state is None or not os.path.isfile(state.transcript_path):
        return False  # nothing to make them from
    known = notes_basis.load(at.engine.layout, session_id)
    return bool(known) and known.get("version") != VERSION


def _notes_again(at: Here, sessions: list[str]) -> None:
    for session_id in sessions:
        keep_notes(at.engine, session_id, now=True)


def _changed(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _capture_again(at: Here, session_id: str) -> None:
    """The one that cannot be believed is kept aside, and another made from the transcript."""
    if kept.exists(at.engine.layout, session_id):
        kept.set_aside(at.engine.layout, session_id)
    capture(at.engine, session_id)


def _damage(path: str, *, expected: bool) -> str:
    try:
        capture_file.read(atomic.read(path).decode("utf-8", "replace"))
    except (FileNotFoundError, NotADirectoryError):
        return "the file is missing" if expected else ""
    except (OSError, capture_file.NotAsWritten) as error:
        return str(error)
    return ""
