"""Days that a saying names from where it stands (`until Thursday`), with the date beside them: later, nobody knows which Thursday. Pure."""

from __future__ import annotations

import re
from datetime import date, timedelta

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMED = re.compile(
    rf"\b(?:(?P<next>next|this coming) )?(?P<day>{'|'.join(_DAYS)})\b|\b(?P<word>today|tonight|tomorrow|yesterday)\b|"
    r"\b(?P<ahead>next) (?P<span>week|month)\b|\b(?P<end>(?:the )?end of (?:the |this )?(?P<of>week|month))\b",
    re.IGNORECASE,
)
_OFFSETS = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
_WEEK = 7
_FRIDAY = 4


def absolute(saying: str, said_on: str) -> str:
    """The saying with its dates; as it was, where nobody knows when it was said."""
    try:
        today = date.fromisoformat(said_on[:10])
    except ValueError:
        return saying
    return _NAMED.sub(lambda found: f"{found[0]} ({_meant(found, today)})", saying)


def _meant(found: re.Match[str], today: date) -> str:
    if word := found["word"]:
        return (today + timedelta(days=_OFFSETS[word.lower()])).isoformat()
    if day := found["day"]:
        ahead = (_DAYS.index(day.lower()) - today.weekday()) % _WEEK or _WEEK
        return (today + timedelta(days=ahead)).isoformat()
    month = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    if (found["span"] or found["of"]).lower() == "month":
        return month.isoformat()[:7] if found["span"] else (month - timedelta(days=1)).isoformat()
    if found["span"]:
        return f"week of {(today + timedelta(days=_WEEK - today.weekday())).isoformat()}"
    return (today + timedelta(days=(_FRIDAY - today.weekday()) % _WEEK)).isoformat()
