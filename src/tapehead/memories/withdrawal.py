"""What later words of the user take back of what is remembered or proposed: decided as for the rules of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.memories.memory import description_for
from tapehead.work_record.rule_verdict import GONE, STANDS, verdict

if TYPE_CHECKING:
    from typing import Any

    from tapehead.memories.memory import Memory
    from tapehead.memories.memory_files import Shelf

OF_A_SESSION = "session "
"""How the source of a memory begins that was taken from a prompt. What a user wrote by hand is theirs to change."""


def still_waiting(rows: list[list[str]], saying: str, source: str) -> list[list[str]]:
    """Give the proposals, or the corrections that were heard, that stand after later words; what is uncertain is not proposed.

    A row begins with what was said, and one of its fields says where.
    """
    return [row for row in rows if not _is_older(row, source) or verdict(row[0], saying) == STANDS]


def _is_older(row: list[str], source: str) -> bool:
    return _time(_where(row, source)) < _time(source)


def _where(row: list[str], otherwise: str) -> str:
    return next((one for one in row[1:] if one.startswith(OF_A_SESSION)), otherwise)


def is_overruled(words: str, source: str, memories: list[Memory], rows: list[list[str]]) -> bool:
    """Whether something that was said later, and is remembered or proposed already, takes these words back or quotes them."""
    later = [first_line(memory) for memory in memories if _time(memory.source) > _time(source)]
    later += [row[0] for row in rows if _is_older(["", source], _where(row, source))]
    quoted = any(words in memory.text for memory in memories)
    return quoted or any(verdict(words, one) != STANDS for one in later)


def withdraw(shelf: Shelf, saying: str, source: str) -> int:
    """Bring the memories up to date with later words: the newer takes the older one's place, or stands behind it."""
    count = 0
    for memory in shelf.memories():
        older = memory.source.startswith(OF_A_SESSION) and _time(memory.source) < _time(source)
        judged = verdict(first_line(memory), saying) if older else STANDS
        if judged != STANDS:
            shelf.save(_replaced(memory, saying, source) if judged == GONE else _doubted(memory, saying, source))
            count += 1
    return count


def first_line(memory: Memory) -> str:
    """Give what a memory says by itself."""
    return memory.text.partition("\n")[0]


def _time(source: str) -> str:
    """Give when something was said: words that are read again take nothing back that was said after them."""
    return source.rpartition(", ")[2]


def _replaced(memory: Memory, saying: str, source: str) -> Memory:
    text = f"{saying}\n\nThis takes the place of what was said before: “{first_line(memory)}”"
    about: dict[str, Any] = {"description": description_for(saying), "said": saying, "replaces": memory.description}
    return memory._replace(text=text, source=source, **about)


def _doubted(memory: Memory, saying: str, source: str) -> Memory:
    later = f"Later, in {source}: “{saying}”"
    told = memory.text if later in memory.text else f"{memory.text.rstrip()}\n\n{later}"
    return memory._replace(text=told, description=description_for(f"{first_line(memory)} (later: {saying})"))


def without_session(kept: dict[str, Any], session_id: str) -> None:
    """Takes out what waits of a session, what was heard in it, and how far it was read."""
    begins = f"session {session_id}, "
    for name in ("proposed", "heard"):
        kept[name] = [row for row in kept[name] if not any(str(cell).startswith(begins) for cell in row)]
    kept["read"].pop(session_id, None)
