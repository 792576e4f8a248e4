"""What failed in new turns, and what worked again: by the file or the command, of which no more than a checksum is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.text.checksum import checksum
from tapehead.transcript import turns
from tapehead.work_record.errors import is_failure, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.work_record.step_row import Act


class Failure:
    """One that is new, or an earlier one that was cured."""

    __slots__ = ("act", "cured", "edited", "key")

    def __init__(self, key: str, act: Act | None) -> None:
        self.key = key
        self.act = act
        """None where it failed before these turns."""
        self.cured = False
        self.edited = ""
        """The file that was edited last before it worked; empty where none was in these turns."""


def failures(acts: Iterable[Act], still_open: set[int]) -> tuple[dict[int, Failure], str]:
    """By checksum, what happened last standing last; and which file was edited last."""
    found: dict[int, Failure] = {}
    left = set(still_open)
    edited = ""
    for act in acts:
        call, result = act.call, act.result
        failed = result is not None and result.failed
        if call.kind == turns.EDIT and call.path and not failed:
            edited = call.path
        if not (failed or (left and result is not None)):
            continue
        key = key_of(act)
        known = checksum(key)
        if failed and is_failure(act):
            found.pop(known, None)
            found[known] = Failure(key, act)
            left.add(known)
        elif not failed and known in left:
            failure = found.pop(known, None) or Failure(key, None)
            found[known] = failure
            failure.cured, failure.edited = True, edited
            left.remove(known)
    return found, edited
