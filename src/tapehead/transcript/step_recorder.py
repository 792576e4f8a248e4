"""Steps on their way to the memory: each gets its place in the session, and they are handed over with where the reading stands."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from tapehead.transcript import jsonl, packed_files
from tapehead.transcript.recorded_steps import IMAGE, SYSTEM, TAKEN_BACK, Batch, Cursor, Recorded
from tapehead.transcript.turns import HUMAN, Said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tapehead.transcript.turns import Step

AT_ONCE = 2_000
"""Steps in a batch."""
IMAGE_MARK = "[image]"
_HEAD = 256


class Recording:
    """Takes steps with their sources, and counts the turns."""

    def __init__(self, cursor: Cursor, head: str) -> None:
        self.steps: list[Recorded] = []
        self.turn = cursor.turn
        self.head = head
        self.about = dict(cursor.about)
        self.time: str = cursor.carry.get("time", "")
        self.origin = self.subagent = ""

    def add(self, source: str, step: Step) -> None:
        """Note a step. A user's words begin a turn, unless they were queued, or are said to a subagent."""
        said = step if isinstance(step, Said) else None
        if said and not said.text.strip():
            return
        if said and said.who == HUMAN and not self.subagent:
            self.turn += not (said.queued and self.turn)
        self._note(source, step)
        if said and said.who == HUMAN and (images := said.text.count(IMAGE_MARK)):
            self._note(f"{source}/images", Said(IMAGE, f"{images} with the prompt"))

    def _note(self, source: str, step: Step) -> None:
        self.steps.append(Recorded(source, self.turn, self.time, step, self.origin, self.subagent))

    def take_back(self, gone: Sequence[int]) -> None:
        """Mark turns as taken back, and say so where it happened."""
        if gone:
            said = say_taken_back(gone)
            self._note(f"{TAKEN_BACK}/{checksum(said.text.encode())}", said)
            self.steps += marks_of(gone, self.time, self.origin)

    def tell(self, **about: str) -> None:
        """Note what is known of the session; what is not known now stays as it was."""
        self.about |= {key: value for key, value in about.items() if value}

    def batch(self, offset: int, carry: dict[str, Any]) -> Batch:
        """Hand over what was read up to a byte."""
        steps, self.steps = self.steps, []
        kept = {"head": self.head, "time": self.time, **carry}
        return Batch(steps, Cursor(offset, self.turn, dict(self.about), kept))


def say_taken_back(gone: Sequence[int]) -> Said:
    """What is said where turns were taken back."""
    told = f"{gone[0]} to {gone[-1]}" if len(gone) > 1 else str(gone[0])
    return Said(SYSTEM, f"The user took back turn {told}: not in the conversation any more.")


def marks_of(gone: Sequence[int], time: str, origin: str) -> list[Recorded]:
    """Give the marks on turns that the user took back."""
    mark = Said(TAKEN_BACK, "The user took this turn back.")
    return [Recorded(f"{TAKEN_BACK}/{turn}", turn, time, mark, origin) for turn in gone]


def head_of(path: str) -> str:
    """What a file is known by, from its first bytes on; nothing where it has none yet."""
    with jsonl.open_jsonl(path) as file:
        first = file.read(_HEAD).partition(b"\n")[0]
    return checksum(first) if first else ""


def resume_cursor(path: str, cursor: Cursor, head: str) -> Cursor:
    """Give the cursor, or a new one for another file under the same name: what that one repeats is known by its ids."""
    shorter = not path.endswith(packed_files.SUFFIXES) and jsonl.size(path) < cursor.offset
    return Cursor() if shorter or cursor.carry.get("head", head) != head else cursor


def checksum(line: bytes) -> str:
    """Name a line that has no name."""
    return blake2b(line, digest_size=8).hexdigest()
