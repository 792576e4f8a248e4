"""What of a user's words is shown, with secrets redacted: also where a text was cut, or stands inside data. Light."""

from __future__ import annotations

from tapehead.text.provider_secrets import BEGINNINGS
from tapehead.text.redaction import MASK, redact

_CUT = "…"
_LOOKED_AT = 2_000
"""Letters of a text of which the beginning is shown: a secret that begins there is known by far fewer."""


def first(text: str, letters: int) -> str:
    """The beginning of a text, with a mark where it was cut. Redacted before that: half a secret is known by no pattern."""
    shown = in_line(text[:_LOOKED_AT])
    return shown if len(shown) <= letters else shown[: letters - 1].rstrip() + _CUT


def in_line(text: str) -> str:
    """A line that may have been cut when it was kept: what is left of a secret at its end is known by how it begins."""
    masked = redact(text)
    head, gap, last = masked.rpartition(" ")
    if last.endswith(_CUT) and last.startswith(BEGINNINGS) and not last.removesuffix(_CUT).isalpha():
        return f"{head}{gap}{MASK}{_CUT}"
    return masked


def data(value: object) -> object:
    """The same of all texts in a value of JSON."""
    if isinstance(value, str):
        return in_line(value)
    if isinstance(value, dict):
        return {key: data(inner) for key, inner in value.items()}
    return [data(inner) for inner in value] if isinstance(value, (list, tuple)) else value
