"""The one table of prices."""

from __future__ import annotations

import pytest

from tapehead.tokens.prices import load_prices


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        ("claude-opus-5-5", (4.0, 20.0, 0.2, 5.0, 8.0)),
        ("claude-3-5-sonnet-20241022", (3.0, 15.0, 0.3, 3.75, 6.0)),
        ("claude-sonnet-4-20250514", (3.0, 15.0, 0.3, 3.75, 6.0)),
        ("claude-fable-5-1", (10.0, 50.0, 0.25, 12.5, 20.0)),
        ("gpt-5", (1.25, 10.0, 0.125, 0.0, 0.0)),
        ("gpt-5-2025-08-07", (1.25, 10.0, 0.125, 0.0, 0.0)),
        ("gpt-5.2", (1.75, 14.0, 0.175, 0.0, 0.0)),
    ],
)
def test_what_was_compared_with_its_source(model, dollars):
    """As the clients' own tables have it, with or without a date behind the name."""
    assert tuple(load_prices("").of(model)) == dollars


@pytest.mark.parametrize("model", ["gpt-5-codex", "gpt-5.1-codex", "claude-haiku-5-5", "gpt-5.4", "", "claude"])
def test_what_nobody_could_compare_has_no_price(model):
    """A price that depends on the length of the prompt, or that only resellers name, is not guessed."""
    assert load_prices("").of(model) is None
