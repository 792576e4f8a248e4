"""What the commands that keep things share: where they write, and what came on stdin."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tapehead.cli.output import Failure
from tapehead.documents.hand_edited import Busy
from tapehead.memories.extraction import kind_of
from tapehead.memories.memory import Memory, description_for, name_for
from tapehead.text.plain import plain
from tapehead.text.redaction import redact_and_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.memories.memory_files import Shelf

_MOST = 1 << 20
"""Characters that someone may want to keep at once: more than that is a file that went astray."""


@contextmanager
def writing() -> Iterator[None]:
    """Says in our form why something could not be kept."""
    try:
        yield
    except Busy as error:
        raise Failure(str(error), "nothing was written; try again in a moment") from None
    except OSError as error:
        raise Failure(f"Can't save: {error}", "nothing was written; run `tapehead doctor`") from None


def keep_memory(  # noqa: PLR0913 - what a memory is made of
    shelf: Shelf, given: str, kind: str | None, *, source: str, name: str | None = None, description: str | None = None
) -> tuple[Memory, bool]:
    """Keep a memory, and say whether a secret was redacted in it. A name that is given takes the place of its former memory."""
    text, secrets = redact_and_count(plain(given.strip()))
    if not text:
        raise Failure("Nothing to remember", '`tapehead remember "what should outlive this session"`')
    called = name_for(name or description or description_for(text))
    former = next((each for each in shelf.memories() if name and each.name == called), None)
    memory = Memory(
        called,
        kind or (former.kind if former else kind_of(text)),
        plain(description or description_for(text)),
        text,
        source,
        replaces=former.description if former and former.text != text else "",
    )
    return (shelf.save(memory) if name else shelf.add(memory)), bool(secrets)


def from_stdin() -> str:
    """All that comes on stdin, as text."""
    if sys.stdin.isatty():
        raise Failure("Nothing on stdin", "pipe the text in: `… | tapehead … -`, or give it as options")
    text = sys.stdin.buffer.read(_MOST + 1).decode("utf-8", "replace")
    if len(text) > _MOST:
        raise Failure("Too long: more than a million characters on stdin", "save a shorter text")
    return text
