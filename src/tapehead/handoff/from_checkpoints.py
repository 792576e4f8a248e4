"""A session of another machine, made from its checkpoints: what they have of its prompts and of its transcript, as a handoff would bring it.

Checkpoints are made at commits, so it ends with the newest of them: what came after it stays on the other machine.
"""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.checkpoints.checkpoint import Checkpoint


def parcel(parts: Iterable[tuple[Checkpoint, str]]) -> dict[str, bytes]:
    """The files of one session, of its checkpoints in order, each with its part of the transcript."""
    each = list(parts)
    newest = each[-1][0]
    transcript = "".join(text for _, text in each)
    folder = f"sessions/{newest.session}"
    return {
        f"{folder}/tape.gz": gzip.compress(b"".join(_lines([one for one, _ in each])), mtime=0),
        f"{folder}/transcript.gz": gzip.compress(transcript.encode("utf-8", "replace"), mtime=0),
    }


def _lines(checkpoints: list[Checkpoint]) -> Iterator[bytes]:
    first, last = checkpoints[0], checkpoints[-1]
    place = {"worktree": "", "worktree_id": "", "transcript_path": "", "branch": last.branch, "model": last.model}
    told: list[tuple[str, dict[str, Any]]] = [
        (first.created_at, {"event": Event.SESSION_START.value, "data": {"source": "startup", **place}})
    ]
    for one in checkpoints:
        for prompt in one.prompts:
            told += [
                (one.created_at, {"event": Event.TURN_START.value, "data": {"prompt": prompt}}),
                (one.created_at, {"event": Event.TURN_END.value, "data": {"reply": one.last_words}}),
            ]
    told.append((last.updated_at, {"event": Event.SESSION_STOP.value, "data": {"reason": "checkpoint"}}))
    for number, (at, line) in enumerate(told):
        moment = _nanoseconds(at) + number
        stamped = {"id": tape.stamp(moment, 0), "at": tape.instant(moment), "host": last.agent, **line}
        yield json.dumps(stamped, separators=(",", ":")).encode() + b"\n"


def _nanoseconds(at: str) -> int:
    """What others wrote may be no time."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return 0
    return max(0, round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1_000_000_000))
