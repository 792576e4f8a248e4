"""A transcript's brief, without the command line around it: reading 4 MB takes less time than loading click.

`tapehead brief --transcript FILE --budget N` in its plain form is answered from here (see main.py); every other form, and every
error, is left to the command itself.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tapehead.transcript.turns import Turn
    from tapehead.work_record.facts import WorkRecord

FULL = 50_000
"""Tokens: as good as no budget, and still bounded."""


def usual_budget() -> int:
    """Tokens, where nobody says how many. A transcript belongs to no project: only the user's own settings count."""
    from tapehead.engine.store_location import config_home  # noqa: PLC0415 - only where no budget was given
    from tapehead.settings.loading import load  # noqa: PLC0415 - as above

    return load("", config_home(os.environ), os.environ).number("restore.budget")


def of_file(transcript: str) -> WorkRecord:
    """The work record of a transcript. Raises OSError.

    A short life that makes many small values and frees none: collecting them costs a fifth of the run. What writes the
    brief is loaded first: the memory that its patterns take while they are compiled serves the reading afterwards.
    """
    gc.disable()
    import tapehead.brief.brief  # noqa: F401, PLC0415 - as said
    from tapehead.work_record.work_record import gather_work  # noqa: PLC0415 - only here

    return gather_work(_turns(transcript))


def _turns(transcript: str) -> Iterator[Turn]:
    """As the agent's own reader reads them. Whose file it is costs modules to find out: most need no such look."""
    from tapehead.agents.readers import agent_of_file, reader_of  # noqa: PLC0415 - only here

    agent = "claude" if _is_likely_claudes(transcript) else agent_of_file(transcript)
    reader = reader_of(agent or "claude")
    return reader.skim(transcript) if reader else iter(())


def _is_likely_claudes(transcript: str) -> bool:
    if os.path.basename(transcript).startswith(("rollout-", "session-")):
        return False
    from tapehead import door  # noqa: PLC0415 - only here

    head = door.read(transcript, _HEAD)
    return not head.lstrip().startswith(b'{"role"') and not any(sign in head for sign in _OTHERS)


_HEAD = 600
_OTHERS = (
    b'"payload"',
    b'"projectHash"',
    b'"instructions"',
    b'"session.start"',
    b'"session_start"',
    b'"ses_',
    b'"provenance"',
    b'"parts"',
)
"""What stands at the beginning of another agent's record. In one of Claude Code's it costs a closer look, and nothing else."""


def text_of_file(found: WorkRecord, transcript: str, budget: int, source: str) -> str:
    """Its brief, which says how to get the rest."""
    from tapehead.brief.brief import brief  # noqa: PLC0415 - only here
    from tapehead.brief.inputs import Extras  # noqa: PLC0415 - only here

    more = Extras(command=f"tapehead brief --full --transcript {_typed(transcript)}")
    text = brief(found, budget=budget, source=source, extras=more)
    gc.freeze()  # nothing of it is looked through on the way out
    return text


def _typed(path: str) -> str:
    """A path as one types it into a shell; most paths need no quotes, and `shlex` takes memory."""
    if path and _NEEDS_NO_QUOTES.issuperset(path):
        return path
    import shlex  # noqa: PLC0415 - as said

    return shlex.quote(path)


_NEEDS_NO_QUOTES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")


def quickly(words: Sequence[str]) -> bool:
    """Prints the brief that these words ask for, if they are of the plain form and all is well; False leaves it to click."""
    given = dict(zip(words[::2], words[1::2], strict=False))
    budget, transcript = given.get("--budget") or str(usual_budget()), given.get("--transcript", "")
    plain = len(words) % 2 == 0 and given.keys() - {"--budget"} == {"--transcript"}
    if not plain or not (budget.isascii() and budget.isdigit() and int(budget)):
        return False
    try:
        text = text_of_file(of_file(transcript), transcript, int(budget), "compact")
    except OSError:
        return False
    from tapehead.text.plain import plain as printable  # noqa: PLC0415 - whoever made the brief has loaded it

    sys.stdout.write(printable(text))
    return bool(text)
