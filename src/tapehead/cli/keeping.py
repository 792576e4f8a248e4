"""What the commands that keep things share: where they write, which session they are about, and what came on stdin."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tapehead.cli.here import pick
from tapehead.cli.output import Failure
from tapehead.cli.own import own_sessions
from tapehead.durable.extract import kind_of
from tapehead.durable.memory import Memory, description_for, name_for
from tapehead.store.by_hand import Busy
from tapehead.store.paths import is_session_id
from tapehead.text.mask import masked
from tapehead.text.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.cli.here import Here
    from tapehead.durable.shelf import Shelf

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


def the_session(at: Here, wanted: str | None) -> str:
    """The session that was meant; inside an agent it is the agent's own, as soon as it is known here."""
    listed = at.engine.store.list() if wanted is None else []
    own = next((each for each in own_sessions() if is_session_id(each) and each in listed), None)
    return own or pick(at, wanted)


def session_if_any(at: Here) -> str:
    """The session at work, or nothing where none was ever recorded: a decision may come before the first of them."""
    return the_session(at, None) if at.engine.store.list() else ""


def keep_memory(  # noqa: PLR0913 - what a memory is made of
    shelf: Shelf, given: str, kind: str | None, *, source: str, name: str | None = None, description: str | None = None
) -> tuple[Memory, bool]:
    """Keep a memory, and say whether a secret was redacted in it. A name that is given takes the place of its former memory."""
    text, secrets = masked(plain(given.strip()))
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
