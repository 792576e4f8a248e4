"""Takes secrets out of a report: every text in it, whichever field it stands in, so that no new field can be forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from tapehead.report.report_values import Excerpt
from tapehead.text.redaction import MASK, redact_all
from tapehead.text.repeated_secrets import Repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    T = TypeVar("T")

SLACK = 2_000
"""Letters beyond what is shown that are looked at: a secret that begins before the cut is known by far fewer."""
_TAIL = 500
"""Letters at the end of a text that was cut short: what stands there may be half a secret, and is not shown."""


def excerpt(text: str, limit: int) -> Excerpt:
    """The beginning of a text, with the slack that redaction needs."""
    return Excerpt(text[: limit + SLACK], limit, len(text))


def redact_values(value: T, also: Iterable[str] = ()) -> T:
    """The value without secrets, and without what the user listed (`also`)."""
    texts: list[str] = []

    def collect(text: str) -> str:
        texts.append(text)
        return text

    _walked(value, collect)
    listed = [word for word in also if word]
    safe = iter(redact_all([_without(text, listed) for text in texts], Repeated()))
    done: T = _walked(value, lambda _: next(safe))
    return done


def _without(text: str, listed: list[str]) -> str:
    for word in listed:
        text = text.replace(word, MASK)
    return text


def _walked(value: Any, visit: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return visit(value) if value else value
    if isinstance(value, tuple):
        return tuple(_walked(item, visit) for item in value)
    if isinstance(value, Excerpt):
        return _cut(value, visit(value.text)) if value.text else value
    if attrs.has(type(value)):
        fields = attrs.fields(type(value))
        return type(value)(*(_walked(getattr(value, field.name), visit) for field in fields))
    return value


def _cut(whole: Excerpt, safe: str) -> Excerpt:
    """What is shown of it. A mask is shorter than what it hides, so what was cut off may come within the limit."""
    shown = safe[: whole.limit] if len(whole.text) == whole.length else safe[: max(0, len(safe) - _TAIL)][: whole.limit]
    return Excerpt(shown, whole.limit, whole.length)
