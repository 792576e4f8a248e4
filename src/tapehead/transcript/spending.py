"""What one message cost, in the agent's own counts."""

from __future__ import annotations

from typing import NamedTuple


class Spending(NamedTuple):
    """The tokens of one message, or of one turn where the agent counts no finer."""

    id: str
    """The message's own id: copies of a transcript repeat it, and it counts once. Empty where there is none."""
    time: str = ""
    model: str = ""
    project: str = ""
    """The directory that it was asked in."""
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0
    """All that was put into the cache, what stays there for an hour included."""
    cache_written_long: int = 0
    """Of that, what stays for an hour, where the agent says it: it costs more."""
    dollars: float | None = None
    """Money, where the agent itself says it."""

    def grown(self, later: Spending) -> Spending:
        """The larger of each count: the first lines of a message are written while the model still speaks."""
        counts = {name: max(getattr(self, name), getattr(later, name)) for name in COUNTS}
        said = [each for each in (self.dollars, later.dollars) if each is not None]
        return self._replace(**counts, dollars=max(said) if said else None)


COUNTS = ("input", "output", "cache_read", "cache_written", "cache_written_long")
