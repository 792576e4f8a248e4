"""Two sides' checkpoints become one: every file of either, and where both changed one, both changes."""

from __future__ import annotations

from tapehead.git import checkpoint as values
from tapehead.git import stream
from tapehead.git.run import GitFailed

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.git.checkpoints import Checkpoints


def unite(ours: Checkpoints, theirs: str, at: int) -> str:
    """Takes another side's commit into our ref; returns what the ref then names. Nothing moves where nothing is new."""
    tip = ours.tip()
    if not theirs or theirs == tip or (tip and _contains(ours, tip, theirs)):
        return tip
    if (not tip or _contains(ours, theirs, tip)) and ours.moved(tip, theirs):
        return theirs  # they have all that we have
    return ours.change(lambda: _changes(ours, theirs), "both sides\n", at, other=theirs)


def _contains(ours: Checkpoints, tip: str, commit: str) -> bool:
    try:
        ours.side.git("merge-base", "--is-ancestor", commit, tip, env=_objects(ours))
    except GitFailed as error:
        error.raise_if_killed()
        return False
    return True


def _changes(ours: Checkpoints, theirs: str) -> list[bytes]:
    """What is theirs alone is taken as it is; what differs is united."""
    tip = ours.tip()
    if not tip:
        return [stream.root(_git(ours, "rev-parse", f"{theirs}^{{tree}}").decode("ascii").strip())]
    raw = _git(ours, "diff-tree", "-r", "-z", "--no-renames", tip, theirs)
    fields = iter(raw.split(b"\0"))
    rows = []
    for field in fields:
        if not field.startswith(b":"):
            continue
        _, mode, our_blob, their_blob, status = field[1:].decode("ascii").split(" ")
        path = next(fields)
        if status == "A":
            rows.append(stream.known(mode.encode(), their_blob, path))
        elif status == "M":
            rows.append(_united(ours, path, our_blob, their_blob))
    return rows


def _united(ours: Checkpoints, path: bytes, our_blob: str, their_blob: str) -> bytes:
    contents = [_git(ours, "cat-file", "blob", blob) for blob in (our_blob, their_blob)]
    if path.endswith(b"/checkpoint.json"):
        both = [values.read(content) for content in contents]
        if both[0] and both[1]:
            return stream.given(path, values.written(values.merged(both[0], both[1])))
    if path.startswith(b"by-commit/"):
        records = [values.read_record(content) for content in contents]
        if records[0] and records[1]:
            return stream.given(path, values.written_record(values.merged_record(records[0], records[1])))
    # Of two that took a handoff the one has it whose mark is on the remote: whoever comes later sees it there.
    return stream.given(path, contents[1] if path.endswith(b"/taken.json") else max(contents))


def _git(ours: Checkpoints, *words: str) -> bytes:
    return ours.side.git(*words, env=_objects(ours), most=1 << 28)


def _objects(ours: Checkpoints) -> dict[str, str]:
    return {"GIT_OBJECT_DIRECTORY": f"{ours.side.common_dir}/objects"}
