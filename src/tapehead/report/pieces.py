"""Small pieces that several parts of a page are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.report.markup import Html, el, join_markup
from tapehead.report.phrases import number

if TYPE_CHECKING:
    from tapehead.report.report_values import Excerpt


def cut_note(text: Excerpt) -> Html | None:
    """That not all of a text is shown."""
    return (
        el("p", f"{number(text.left_out)} more characters are not shown.", class_="cut-note") if text.left_out else None
    )


def turn_link(turn: int, key: str) -> Html:
    """A link to a turn further down."""
    return join_markup([el("a", f"turn {turn}", href=f"#{key}-t{turn}"), " "])
