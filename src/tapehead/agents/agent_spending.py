"""What a transcript says of its costs, of any agent: message by message where the agent counts so, else turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.readers import reader_of
from tapehead.transcript.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Iterator


def spendings(agent: str, path: str) -> list[Spending]:
    """Each message once, with its final counts. Raises OSError where the file cannot be read."""
    found: dict[str, Spending] = {}
    for number, one in enumerate(_of_agent(agent, path)):
        key = one.id or f"\n{number}"
        found[key] = found[key].grown(one) if key in found else one
    return [*found.values()]


def _of_agent(agent: str, path: str) -> Iterator[Spending]:
    if agent == "claude":
        from tapehead.agents.claude.spending import spent  # noqa: PLC0415 - only for its files

        return spent(path)
    return _by_turn(agent, path)


def _by_turn(agent: str, path: str) -> Iterator[Spending]:
    reader, model = reader_of(agent), ""
    for turn in reader.read(path).turns if reader else ():
        used = turn.usage
        model = used.model or model
        yield Spending(
            id="",
            time=turn.began or turn.ended,
            model=model,
            project=turn.cwd,
            input=used.input,
            output=used.output,
            cache_read=used.cache_read,
            cache_written=used.cache_written,
        )
