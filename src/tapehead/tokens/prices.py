"""What tokens cost by the providers' public lists. The one table of prices; a file of the user's own goes before it.

A model that is not listed has no price: nothing is guessed. List prices know no discount, no surcharge for long contexts and no
subscription.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from tapehead import door

AS_OF = "2026-11"
"""When each row was last compared with its source (below)."""
FILE = "prices.toml"
_MILLION = 1_000_000


class Price(NamedTuple):
    """Dollars for a million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_write_long: float
    """For what stays in the cache for an hour."""

    def dollars(self, read: int, written: int, cached: int, to_cache: int, to_cache_long: int = 0) -> float:
        """What so many tokens cost."""
        tokens = (read, written, cached, to_cache, to_cache_long)
        return sum(many * price for many, price in zip(tokens, self, strict=True)) / _MILLION


# Claude's rows are those of the price table inside Claude Code 2.1.325, the others those that OpenCode 1.18.33 brings for the provider itself.
# A row that neither has is not here: gpt-5-codex and gpt-5.1-codex are listed by resellers only, and at different prices.
_TABLE = {
    "claude-fable-5-2": Price(8.0, 40.0, 0.2, 10.0, 16.0),
    "claude-fable-5-1": Price(10.0, 50.0, 0.25, 12.5, 20.0),
    "claude-fable-5": Price(10.0, 50.0, 1.0, 12.5, 20.0),
    "claude-opus-5-5": Price(4.0, 20.0, 0.2, 5.0, 8.0),
    "claude-opus-5": Price(5.0, 25.0, 0.5, 6.25, 10.0),
    "claude-opus-4-8": Price(5.0, 25.0, 0.5, 6.25, 10.0),
    "claude-opus-4-7": Price(5.0, 25.0, 0.5, 6.25, 10.0),
    "claude-opus-4-6": Price(5.0, 25.0, 0.5, 6.25, 10.0),
    "claude-opus-4-5": Price(5.0, 25.0, 0.5, 6.25, 10.0),
    "claude-opus-4-1": Price(15.0, 75.0, 1.5, 18.75, 30.0),
    "claude-opus-4": Price(15.0, 75.0, 1.5, 18.75, 30.0),
    "claude-sonnet-5-5": Price(2.0, 10.0, 0.1, 2.5, 4.0),
    "claude-sonnet-5": Price(2.0, 10.0, 0.2, 2.5, 4.0),
    "claude-sonnet-4-6": Price(3.0, 15.0, 0.3, 3.75, 6.0),
    "claude-sonnet-4-5": Price(3.0, 15.0, 0.3, 3.75, 6.0),
    "claude-sonnet-4": Price(3.0, 15.0, 0.3, 3.75, 6.0),
    "claude-3-7-sonnet": Price(3.0, 15.0, 0.3, 3.75, 6.0),
    "claude-3-5-sonnet": Price(3.0, 15.0, 0.3, 3.75, 6.0),
    "claude-haiku-4-5": Price(1.0, 5.0, 0.1, 1.25, 2.0),
    "claude-3-5-haiku": Price(0.8, 4.0, 0.08, 1.0, 1.6),
    "gpt-5.3-codex": Price(1.75, 14.0, 0.175, 0.0, 0.0),
    "gpt-5.2": Price(1.75, 14.0, 0.175, 0.0, 0.0),
    "gpt-5.1": Price(1.25, 10.0, 0.125, 0.0, 0.0),
    "gpt-5": Price(1.25, 10.0, 0.125, 0.0, 0.0),
    "gpt-5-mini": Price(0.25, 2.0, 0.025, 0.0, 0.0),
    "gpt-5-nano": Price(0.05, 0.4, 0.005, 0.0, 0.0),
}
"""Only models with one price at all times: one whose price changed, or depends on the length of the prompt, is not here."""
_DATED = re.compile(r"[-@]?(?:20\d{6}|latest|\d{4}-\d\d-\d\d)(?:-v\d+(?::\d+)?)?$")
"""What stands behind a model's name and does not change its price."""


class Prices(NamedTuple):
    """What holds: the table, and over it the user's own file."""

    models: dict[str, Price]
    own: str = ""
    """The user's file, where there is one."""
    problem: str = ""
    """Why that file does not count."""

    def of(self, model: str) -> Price | None:
        """The price of a model by its very name, with or without a date behind it; None where it is not listed."""
        return self.models.get(model) or self.models.get(_DATED.sub("", model))


def load_prices(directory: str) -> Prices:
    """The prices, with those of `prices.toml` in the user's directory for settings: one table a model, dollars for a million tokens."""
    path = os.path.join(directory, FILE) if directory else ""
    if not path or not os.path.isfile(path):
        return Prices(_TABLE)
    import tomllib  # noqa: PLC0415 - most users have no such file

    try:
        with door.open_reader(path) as file:
            found = {name: _price(row) for name, row in tomllib.load(file).items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        return Prices(_TABLE, path, str(error))
    return Prices({**_TABLE, **found}, path)


def _price(row: dict[str, float]) -> Price:
    if unknown := sorted(row.keys() - {*Price._fields}):
        raise ValueError(f"there is no {unknown[0]}; allowed: {', '.join(Price._fields)}")
    if not all(type(value) in (int, float) and value >= 0 for value in row.values()):
        raise ValueError("a price is a number of dollars for a million tokens")
    return Price(*(float(row.get(name, 0.0)) for name in Price._fields))
