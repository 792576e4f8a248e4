"""A config.toml as `tapehead config set` writes it, read without tomllib, which takes longer to load than a status line may.

Tables, and keys with a truth value, a whole number or a plain text; comments. At the first thing beyond that it gives up, and
tomllib reads the file. A test holds that the two never differ. Pure, and light.
"""

from __future__ import annotations

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_WORDS = {"true": True, "false": False}
_DIGITS = 15
_BLANK = " \t"


class _Beyond(Exception):
    """Something that only tomllib can judge."""


def document(text: str) -> dict[str, object] | None:
    """What the file says; None where it takes tomllib to know that."""
    found: dict[str, object] = {}
    table = found
    try:
        for line in text.replace("\r\n", "\n").split("\n"):
            stripped = line.strip(_BLANK)
            if not stripped.replace("\t", " ").isprintable():
                return None
            if stripped.startswith("["):
                table = _table(found, stripped)
            elif stripped and not stripped.startswith("#"):
                _take(table, stripped)
    except _Beyond:
        return None
    return found


def _table(found: dict[str, object], line: str) -> dict[str, object]:
    name, closed, rest = line[1:].partition("]")
    _nothing_but_a_comment(rest)
    if not closed or name in found:
        raise _Beyond
    made: dict[str, object] = {}
    found[_key(name)] = made
    return made


def _take(table: dict[str, object], line: str) -> None:
    name, equals, written = line.partition("=")
    key = _key(name.strip(_BLANK))
    if not equals or key in table:
        raise _Beyond
    table[key] = _value(written.strip(_BLANK))


def _value(written: str) -> object:
    if written.startswith("["):
        return _texts(written)
    return _text(written) if '"' in written else _word(written)


def _texts(written: str) -> list[str]:
    """A list of texts on one line, none of them with a bracket or a comma in it."""
    inside, closed, rest = written[1:].partition("]")
    _nothing_but_a_comment(rest)
    if not closed:
        raise _Beyond
    parts = [part.strip(_BLANK) for part in inside.split(",")]
    if parts[-1] == "":
        parts.pop()  # nothing in it, or a comma after the last
    if not all(part.startswith('"') and part.endswith('"') and len(part) > 1 for part in parts):
        raise _Beyond
    return [_text(part) for part in parts]


def _key(name: str) -> str:
    if not name or not _BARE.issuperset(name):
        raise _Beyond
    return name


def _text(written: str) -> str:
    if not written.startswith('"') or written.startswith('"""'):
        raise _Beyond
    text, closed, rest = written[1:].partition('"')
    _nothing_but_a_comment(rest)
    if not closed or "\\" in text:
        raise _Beyond
    return text


def _word(written: str) -> bool | int:
    word = written.partition("#")[0].strip(_BLANK)
    if word in _WORDS:
        return _WORDS[word]
    digits = word.replace("_", "")
    grouped = "__" in word or word.startswith("_") or word.endswith("_")
    if grouped or not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
        raise _Beyond
    if digits != "0" and digits.startswith("0"):
        raise _Beyond
    return int(digits)


def _nothing_but_a_comment(rest: str) -> None:
    stripped = rest.strip(_BLANK)
    if stripped and not stripped.startswith("#"):
        raise _Beyond
