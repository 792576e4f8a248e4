"""What the agent's summariser is told must survive: short, concrete, in the user's own words. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.text.fence import clean, put_in_quotes, quote
from tapehead.work_record.own_order import is_dangerous
from tapehead.work_record.own_text import own_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.facts import Fact, Ran, WorkRecord

LIMIT = 1_500
"""Characters: the same text is shown to the user in the line of a manual compaction."""
_QUOTED = 160
_FEW = 6


def steer(record: WorkRecord) -> str:
    """The parts that a summary most often loses, as many as fit, most important first."""
    text = ""
    for label, between, items in _parts(record):
        part = ""
        for item in items[:_FEW]:
            longer = f"{part}{between}{clean(item)}" if part else f"{label}: {clean(item)}"
            if len(text) + len(longer) < LIMIT:
                part = longer
        text += f"{part}\n" if part else ""
    return text.strip()


def _parts(record: WorkRecord) -> Iterator[tuple[str, str, list[str]]]:
    """What it is, what stands between its items, and the items, each short enough to fit by itself."""
    # Those first that nothing was said about later: it is the surest that they stand.
    standing = sorted((rule for rule in record.rules if rule.holds), key=lambda rule: bool(rule.later))
    yield "Rules the user set, word for word", " | ", [_rule(rule) for rule in standing]
    yield "Asked last, word for word", "", [_asked(ask) for ask in record.asks[-1:]]
    yield "Open items, by their own words", " | ", [quote(todo.text, _QUOTED) for todo in record.todos if todo.holds]
    files = [f"{quote(file.path, 120)}{_symbols(file.symbols)}" for file in record.files if file.changed]
    yield "Files being changed", ", ", files
    yield "Commands in use, exactly", ", ", [f"`{ran.text}`" for ran in record.commands if _fits(ran)]
    failing = [quote(error.text.rpartition("`: ")[0], _QUOTED) + "`" for error in record.errors if error.holds]
    yield "Still failing", " | ", failing[:2]  # without what it printed: these words are taken for orders


def _rule(rule: Fact) -> str:
    """A rule; where later words may have changed it, both in their order."""
    said = put_in_quotes(rule.text, _QUOTED)
    return f"{said} (turn {rule.turn}), later {quote(rule.later, 2 * _QUOTED)}" if rule.later else said


def _asked(ask: Fact) -> str:
    """The newest prompt, as far as it is surely the user's own: the summariser has the rest before it, and may take it for an order."""
    own = "" if is_dangerous(ask.text) else own_text(ask.text).strip()
    if len(own) >= len(ask.text.strip()):
        return put_in_quotes(own, _ASKED)
    return f"{put_in_quotes(own, _ASKED)} [and more, not quoted here]" if own else "[a longer text, not quoted here]"


_ASKED = 300


def _fits(ran: Ran) -> bool:
    """A command that is cut is no longer exact, and one of several lines would be taken for more than it is."""
    return bool(ran.purpose) and len(ran.text) <= _QUOTED and ran.text.isprintable()


def _symbols(names: tuple[str, ...]) -> str:
    return f" ({', '.join(quote(name, 60) for name in names[:3])})" if names else ""
