"""What a setting may be: from TOML or from text to the value that the program works with. Pure, and light."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.settings import setting_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.settings.setting_list import Setting

    Value = bool | int | float | str | tuple[str, ...]

YES = ("true", "yes", "on", "1")
NO = ("false", "no", "off", "0")
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400}
_LARGEST = 10**15
"""More than any of these numbers can mean, and far from where a float turns into infinity."""


class Wrong(Exception):
    """A value that a setting does not take."""


def value_of(setting: Setting, written: object) -> Value:
    """The value that stands in a file, as the program works with it. Raises Wrong."""
    return _CHECKED[setting.kind](setting, written)


def written_of(setting: Setting, text: str) -> object:
    """What a file would say for this text, which came from the environment or a command line. Raises Wrong."""
    written = _SPELT.get(setting.kind, str)(text.strip())
    value_of(setting, written)
    return written


def literal(written: object) -> str:
    """A value as TOML has it. JSON's texts are TOML's, but for one character."""
    import json  # noqa: PLC0415 - only where a user is shown one

    if isinstance(written, list):
        return f"[{', '.join(map(literal, written))}]"
    return json.dumps(written, ensure_ascii=False).replace("\x7f", "\\u007f")


def describe_allowed(setting: Setting) -> str:
    """What a user may write, in words."""
    numbers = f"a whole number from {setting.least:.0f} on", f"a number from {setting.least} on"
    return {
        setting_list.BOOL: "true or false",
        setting_list.INT: numbers[0],
        setting_list.FLOAT: numbers[1],
        setting_list.DURATION: 'a duration such as "30s", "15m", "1h" or "1h30m"',
        setting_list.TEXT: "text in quotes",
        setting_list.CHOICE: " or ".join(f'"{word}"' for word in setting.choices),
        setting_list.WORDS: f'any of {", ".join(setting.choices)}, with commas between them, in quotes; "" for none',
        setting_list.DIRECTORY: 'a directory such as "/home/me/notes" or "~/notes", whole: hooks run in many places',
        setting_list.TEXTS: 'a list of texts such as ["one", "two"]; outside a file also one,two',
    }[setting.kind]


def _bool(_: Setting, written: object) -> bool:
    if type(written) is not bool:
        raise Wrong
    return written


def _int(setting: Setting, written: object) -> int:
    if type(written) is not int or not setting.least <= written <= _LARGEST:
        raise Wrong
    return written


def _float(setting: Setting, written: object) -> float:
    if isinstance(written, bool) or not isinstance(written, (int, float)) or not setting.least <= written <= _LARGEST:
        raise Wrong
    return float(written)


def _duration(setting: Setting, written: object) -> float:
    return _float(setting, seconds(written) if type(written) is str else written)


def _text(_: Setting, written: object) -> str:
    if type(written) is not str:
        raise Wrong
    return written


def _choice(setting: Setting, written: object) -> str:
    if type(written) is not str or written not in setting.choices:
        raise Wrong
    return written


def _directory(setting: Setting, written: object) -> str:
    """A whole path, or none: a part of one would be another place in every directory that a hook or a user stands in."""
    text = _text(setting, written)
    if text and not text.startswith(("/", "~/")) and text != "~":
        raise Wrong
    return text


def _texts(setting: Setting, written: object) -> tuple[str, ...]:
    if type(written) is not list:
        raise Wrong
    return tuple(_text(setting, each) for each in written)


def _words(setting: Setting, written: object) -> tuple[str, ...]:
    """Words of a choice, several or none, in the order of the choice."""
    named = [word.strip() for word in _text(setting, written).split(",") if word.strip()]
    if not set(named) <= set(setting.choices):
        raise Wrong
    return tuple(word for word in setting.choices if word in named)


_CHECKED: dict[str, Callable[[Setting, object], Value]] = {
    setting_list.BOOL: _bool,
    setting_list.INT: _int,
    setting_list.FLOAT: _float,
    setting_list.DURATION: _duration,
    setting_list.TEXT: _text,
    setting_list.CHOICE: _choice,
    setting_list.TEXTS: _texts,
    setting_list.DIRECTORY: _directory,
    setting_list.WORDS: _words,
}


def seconds(text: str) -> float:
    """`1h30m` and the like; a number alone is seconds."""
    import re  # noqa: PLC0415 - only where a duration is written in words

    number = r"(\d+(?:\.\d+)?)"
    if re.fullmatch(number, text, re.ASCII):
        return float(text)
    parts = re.findall(rf"{number} ?({'|'.join(_UNITS)})(?![a-z])", text, re.ASCII)
    if not parts or "".join(f"{amount}{unit}" for amount, unit in parts) != text.replace(" ", ""):
        raise Wrong
    return sum(float(amount) * _UNITS[unit] for amount, unit in parts)


def duration(amount: float) -> str:
    """Seconds as a user writes them down; `seconds` reads it."""
    whole = round(amount)
    if amount != whole:
        return f"{amount * 1000:.12g}ms" if amount < 1 else f"{amount:.12g}s"
    if whole < 2 * 60 and whole % 60:
        return f"{whole}s"
    parts = ((whole // 86_400, "d"), (whole // 3_600 % 24, "h"), (whole // 60 % 60, "m"), (whole % 60, "s"))
    return "".join(f"{number}{unit}" for number, unit in parts if number) or "0s"


def _spelt_bool(text: str) -> bool:
    word = text.lower()
    if word not in YES + NO:
        raise Wrong
    return word in YES


def _spelt_int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Wrong from None


def _spelt_float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Wrong from None


def _spelt_texts(text: str) -> object:
    """Words with commas between them, or the list as a file has it: then a comma may stand in a word."""
    return _as_in_a_file(text) if text.startswith("[") else [word.strip() for word in text.split(",") if word.strip()]


def _as_in_a_file(text: str) -> object:
    import tomllib  # noqa: PLC0415 - only where a list is written with its brackets

    try:
        document = tomllib.loads(f"list = {text}")
    except (ValueError, RecursionError):
        raise Wrong from None
    if len(document) > 1:  # more lines, with settings of their own
        raise Wrong
    return document["list"]


_SPELT: dict[str, Callable[[str], object]] = {
    setting_list.BOOL: _spelt_bool,
    setting_list.INT: _spelt_int,
    setting_list.FLOAT: _spelt_float,
    setting_list.TEXTS: _spelt_texts,
}
"""How a kind is spelt where there are no quotes. The others are their own text."""
