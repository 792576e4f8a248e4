"""The words that a drawing puts on a row, in UML's own order: event [guard] / actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.statemachine.vocabulary import Fact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.statemachine.table import Row


def facts(row: Row) -> list[str]:
    """The facts that a row asks for, in the order of the vocabulary: a set has none of its own."""
    return [fact.name for fact in Fact if fact in row.facts]


def actions(row: Row) -> str:
    """What a row does, in the order in which it is done."""
    return ", ".join(action.name for action in row.do)


def guard(row: Row, rows: Iterable[Row]) -> str:
    """When a row answers: its facts, or `else` where rows with facts stand before it, or nothing."""
    if row.facts:
        return " and ".join(facts(row))
    rivals = (other for other in rows if (other.phase, other.event) == (row.phase, row.event))
    return "else" if any(other.facts for other in rivals) else ""


def sentence(row: Row, rows: Iterable[Row]) -> str:
    """The whole row but for its two phases."""
    when = guard(row, rows)
    return row.event.name + (f" [{when}]" if when else "") + (f" / {actions(row)}" if row.do else "")


def stanza(row: Row, rows: Iterable[Row]) -> list[str]:
    """The same over several lines: a label on an arrow is narrow, and a line that breaks by itself breaks anywhere."""
    when = guard(row, rows)
    does = in_pairs([action.name for action in row.do])
    return [row.event.name, *([f"[{when}]"] if when else []), *(["/ " + does[0], *does[1:]] if does else [])]


def in_pairs(words: list[str]) -> list[str]:
    """Words two a line, with a comma wherever another follows."""
    lines = [", ".join(words[place : place + 2]) for place in range(0, len(words), 2)]
    return [line + "," for line in lines[:-1]] + lines[-1:]


def events(rows: Iterable[Row]) -> list[str]:
    """The events of some rows, each once."""
    return list(dict.fromkeys(row.event.name for row in rows))
