"""What later words of the user take back of what is remembered or proposed: decided as for the rules of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.memories.memory import description_for
from tapehead.text.fence import quote, single
from tapehead.work_record.rule_verdict import GONE, STANDS, TOUCHED, UNSURE, plain_verdict, verdict

if TYPE_CHECKING:
    from typing import Any

    from tapehead.memories.memory import Memory
    from tapehead.memories.memory_files import Shelf

OF_A_SESSION = "session "
"""How the source of a memory begins that was taken from a prompt. What a user wrote by hand is theirs to change."""


def still_waiting(rows: list[list[str]], saying: str, source: str, *, is_kept: bool = False) -> list[list[str]]:
    """Give the proposals, or the corrections that were heard, that stand after later words; what is uncertain is not proposed.

    A row begins with what was said, and one of its fields says where. A proposal that words of the same session touch is told with them;
    words that are kept themselves (`is_kept`) are compared by their likeness later.
    """
    session = source.rpartition(", ")[0]
    said_in_it = [row for row in rows if _where(row, "").startswith(f"{session}, ") and _is_older(row, source)]
    left = []
    for row in rows:
        near = row in said_in_it[-1:]
        judged = _judged(row[0], saying, near=near, is_kept=is_kept) if _is_older(row, source) else STANDS
        if judged == TOUCHED and row in said_in_it and len(row) > _HEARD:
            left.append(
                [*row[:2], f"{row[2].partition(_LATER)[0]}{_LATER}“{single(quote(saying, _A_SAYING))}”", *row[3:]]
            )
        elif judged in (STANDS, TOUCHED):
            left.append(row)
    return left


def _judged(words: str, saying: str, *, near: bool, is_kept: bool) -> str:
    return plain_verdict(words, saying) if is_kept else verdict(words, saying, near=near)


_HEARD, _LATER, _A_SAYING = 2, "; later: ", 120
"""Fields of what was heard: words and where."""


def _is_older(row: list[str], source: str) -> bool:
    return _time(_where(row, source)) < _time(source)


def _where(row: list[str], otherwise: str) -> str:
    return next((one for one in row[1:] if one.startswith(OF_A_SESSION)), otherwise)


def is_overruled(words: str, source: str, memories: list[Memory], rows: list[list[str]]) -> bool:
    """Whether something that was said later, and is remembered or proposed already, takes these words back or quotes them."""
    later = [first_line(memory) for memory in memories if _time(memory.source) > _time(source)]
    later += [row[0] for row in rows if _is_older(["", source], _where(row, source))]
    quoted = any(words in memory.text for memory in memories)
    return quoted or any(plain_verdict(words, one) != STANDS for one in later)


def withdraw(shelf: Shelf, saying: str, source: str, *, is_kept: bool = False) -> int:
    """Bring the memories up to date with later words: the newer takes the older one's place, or stands behind it."""
    count = 0
    for memory in shelf.memories():
        older = memory.source.startswith(OF_A_SESSION) and _time(memory.source) < _time(source)
        judged = _judged(first_line(memory), saying, near=False, is_kept=is_kept) if older else STANDS
        if judged in (UNSURE, GONE):
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
    before = "\n".join(line for line in memory.text.split("\n") if not line.startswith("Later, in session ")).rstrip()
    told = memory.text if later in memory.text else f"{before}\n\n{later}"
    return memory._replace(text=told, description=description_for(f"{first_line(memory)} (later: {saying})"))


def without_session(kept: dict[str, Any], session_id: str) -> None:
    """Takes out what waits of a session, what was heard in it, and how far it was read."""
    begins = f"session {session_id}, "
    for name in ("proposed", "heard"):
        kept[name] = [row for row in kept[name] if not any(str(cell).startswith(begins) for cell in row)]
    kept["read"].pop(session_id, None)
