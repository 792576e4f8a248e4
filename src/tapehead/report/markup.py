"""The one door through which text comes into a page: what is not markup of ours is escaped, whoever forgets to ask for it."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from tapehead.text.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

_WITHIN = re.compile(r"#.*|\.\.?(?:/[\w.~-]*)+(?:#[\w-]+)?", re.DOTALL)
"""Where a link may lead: within the page, or to another page of the same server, below the page's own directory or above it."""
_VOID = frozenset({"meta", "input"})


class Html(str):
    """Markup that `el` made. Only this module makes it, and the page's own two constant texts (style.py)."""

    __slots__ = ()


def text(value: object) -> Html:
    """Anything as text: without what hides or steers, and with every sign of markup spelt out."""
    return value if isinstance(value, Html) else Html(escape(plain(str(value)), quote=True))


def el(name: str, /, *children: object, **attributes: object) -> Html:
    """An element. A child that is no markup is text; None is nothing. `class_` is `class`, `data_turn` is `data-turn`."""
    opened = f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}>"
    return Html(opened if name in _VOID else f"{opened}{join_markup(children)}</{name}>")


def join_markup(parts: Iterable[object]) -> Html:
    """One after the other."""
    return Html("".join(text(part) for part in parts if part is not None))


def _attribute(key: str, value: object) -> str:
    """An attribute; none where the value is None or False. Handlers, styles and links to elsewhere have no way in."""
    name = key.rstrip("_").replace("_", "-")
    if name.startswith("on") or name in {"style", "src", "srcdoc", "action"}:
        raise ValueError(f"no page of ours has the attribute {name}")
    if name == "href" and not _WITHIN.fullmatch(str(value)):
        raise ValueError("no page of ours links to elsewhere")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{text(value)}"'
