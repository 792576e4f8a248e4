"""Dates as people say them in a question: "last Tuesday", "in October", "on 4 February 2023", "two weeks ago". Pure.

A date is no filter. It counts like a word that everything said at that time has, so that a wrong guess hides nothing.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

_MONTH_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTHS = {name[:length]: number for number, name in enumerate(_MONTH_NAMES, 1) for length in (3, len(name))} | {
    "sept": 9
}
_DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple of": 2, "few": 3}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th)?"
_ISO = re.compile(r"\b(?:on )?(\d{4})([-/.])(\d\d?)\2(\d\d?)\b", re.IGNORECASE)
_IN_DIGITS = re.compile(r"\b(?:on )?(?<![\d./])(\d\d?)([./])(\d\d?)\2(\d{4})\b(?![\d./]\d)", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"\b(?:on )?(?:the )?{_ORDINAL}(?: of)? ({_MONTH})\b\.?(?:,? (\d{{4}}))?", re.IGNORECASE)
_DAY_LAST = re.compile(rf"\b(?:on )?({_MONTH})\b\.? {_ORDINAL}\b(?:,? (\d{{4}}))?", re.IGNORECASE)
# A month by itself may be a word or a name ("may", "march", "April"): only after one of these, or with a year, is it a time.
_IN_MONTH = re.compile(
    rf"\b(?:in|during|of|since|last|this|early|late|mid|around|by|until) (?:early |late |mid-?)?({_MONTH})\b(?:,? (\d{{4}}))?|\b({_MONTH})\b,? (\d{{4}})\b",
    re.IGNORECASE,
)
_IN_SEASON = re.compile(rf"\b(?:in |during |last |of |this )?({'|'.join(_SEASONS)}) (?:of )?(\d{{4}})\b", re.IGNORECASE)
_IN_YEAR = re.compile(r"\b(?:in|during|of|since) (20\d\d)\b", re.IGNORECASE)
_RELATIVE = re.compile(
    rf"\b(?:(today|this morning|this afternoon|tonight)|(yesterday|last night)|(?:on |last |this |past |this past )*({'|'.join(_DAY_NAMES)})"
    r"|(last|this|past) (week|month|year|weekend)"
    rf"|({'|'.join(_NUMBERS)}|\d{{1,3}}) (day|week|month|year)s? ago)\b",
    re.IGNORECASE,
)
_DECEMBER = 12
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


class Dated(NamedTuple):
    """The days that a question speaks of."""

    first: date
    last: date


def find_days(text: str, today: date, newest: date | None = None) -> tuple[list[Dated], str, list[str]]:
    """The days that a text speaks of, the text without the words that say so, and these words.

    A day without a year is the last such day up to the newest that there is. "The weekend before 10 April 2023" counts from that day.
    """
    found: list[Dated] = []
    said: list[str] = []
    year = next(iter(re.findall(r"\b(20\d\d)\b", text)), "")  # "between 11 and 15 August 2023": one year for both
    for pattern, read in _READERS:
        from_day = today if read is _relative else newest or today
        if read is _relative and found and year:
            from_day = found[0].first
        for match in list(pattern.finditer(text)):
            try:
                days = read(match, from_day, year)
            except (ValueError, OverflowError):  # the 31st of February
                continue
            if days is not None:
                found.append(days)
                said.append(match[0])
                text = text.replace(match[0], " ", 1)
    return found, text, said


def _iso(match: re.Match[str], _today: date, _year: str) -> Dated:
    return _day(date(int(match[1]), int(match[3]), int(match[4])))


def _in_digits(match: re.Match[str], _today: date, _year: str) -> Dated:
    """24.12.2023 has the day first; 12/24/2023 the month, unless that is no month."""
    first, sign, second, year = int(match[1]), match[2], int(match[3]), int(match[4])
    day, month = (first, second) if sign == "." or first > _DECEMBER else (second, first)
    return _day(date(year, month, day))


def _day_first(match: re.Match[str], today: date, year: str) -> Dated:
    return _day(_dated(today, match[3] or year, _MONTHS[match[2].lower()], int(match[1])))


def _day_last(match: re.Match[str], today: date, year: str) -> Dated:
    return _day(_dated(today, match[3] or year, _MONTHS[match[1].lower()], int(match[2])))


def _month(match: re.Match[str], today: date, year: str) -> Dated:
    number = _MONTHS[(match[1] or match[3]).lower()]
    return _months(_dated(today, match[2] or match[4] or year, number, 1), 1)


def _season(match: re.Match[str], _today: date, _year: str) -> Dated:
    return _months(date(int(match[2]), _SEASONS[match[1].lower()], 1), 3)


def _in_year(match: re.Match[str], _today: date, _year: str) -> Dated:
    return Dated(date(int(match[1]), 1, 1), date(int(match[1]), 12, 31))


def _relative(match: re.Match[str], today: date, _year: str) -> Dated | None:
    now, before, weekday, which, span, count, unit = match.groups()
    if now or before:
        return _day(today - timedelta(days=1 if before else 0))
    if weekday:
        back = (today.weekday() - _DAY_NAMES.index(weekday.lower())) % 7
        return _day(today - timedelta(days=back or 7))
    if count:
        days = _DAYS[unit.lower()]
        at = today - timedelta(days=days * (_NUMBERS.get(count.lower()) or int(count)))
        return Dated(at - timedelta(days=days // 4), at + timedelta(days=days // 4))
    return _span(which.lower() == "this", span.lower(), today)


def _span(this: bool, span: str, today: date) -> Dated:  # noqa: FBT001 - a word of the question
    if span == "week":
        first = today - timedelta(days=today.weekday() + (0 if this else 7))
        return Dated(first, first + timedelta(days=6))
    if span == "weekend":
        saturday = today - timedelta(days=(today.weekday() - 5) % 7)
        return Dated(saturday, saturday + timedelta(days=1))
    if span == "month":
        return _months((today.replace(day=1) - timedelta(days=0 if this else 1)).replace(day=1), 1)
    return Dated(date(today.year - (not this), 1, 1), date(today.year - (not this), 12, 31))


def _dated(today: date, year: str, month: int, day: int) -> date:
    """A day; without a year the last one that was."""
    if year:
        return date(int(year), month, day)
    at = date(today.year, month, day)
    return at if at <= today else date(today.year - 1, month, day)


def _day(at: date) -> Dated:
    return Dated(at, at)


def _months(first: date, count: int) -> Dated:
    after = first.month - 1 + count
    return Dated(first, date(first.year + after // 12, after % 12 + 1, 1) - timedelta(days=1))


_READERS = (
    (_ISO, _iso),
    (_IN_DIGITS, _in_digits),
    (_DAY_FIRST, _day_first),
    (_DAY_LAST, _day_last),
    (_IN_MONTH, _month),
    (_IN_SEASON, _season),
    (_IN_YEAR, _in_year),
    (_RELATIVE, _relative),
)
