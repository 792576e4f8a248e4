"""What messages cost, in the agent's own counts: one, and the sum of some."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tapehead.tokens.prices import Prices


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


class Total:
    """The sum of some messages."""

    __slots__ = ("counts", "listed", "messages", "said", "unpriced")

    def __init__(self) -> None:
        self.counts = dict.fromkeys(COUNTS, 0)
        self.messages = 0
        self.said = 0.0
        """Dollars that the agent itself names in its record."""
        self.listed = 0.0
        """Dollars by the table of prices."""
        self.unpriced = 0
        """Tokens of models that have no price."""

    @property
    def dollars(self) -> float | None:
        """All of it; None where some of it has no price: half a sum would pass for the whole."""
        return None if self.unpriced else self.said + self.listed

    def add(self, one: Spending, prices: Prices) -> None:
        """Counts a message."""
        self.messages += 1
        for name in COUNTS:
            self.counts[name] += getattr(one, name)
        price = prices.of(one.model)
        if one.dollars is not None:
            self.said += one.dollars
        elif price:
            brief = max(0, one.cache_written - one.cache_written_long)
            self.listed += price.dollars(one.input, one.output, one.cache_read, brief, one.cache_written - brief)
        else:
            self.unpriced += one.input + one.output + one.cache_read + one.cache_written
