"""The concrete things that a text names: files, code names, refs. What links one part of the work to another."""

from __future__ import annotations

import re

_CODE = re.compile(r"[A-Za-z_]\w{4,60}")
_SHORTEST_NAME, _LONGEST_NAME = 5, 61
_HASH = frozenset("0123456789abcdef")
_SHORTEST_HASH, _LONGEST_HASH = 7, 40


def things(text: str) -> set[str]:
    """Give what a text names. A path is known by its last two parts and by its last one, however it was spelled."""
    found: set[str] = set()
    for token in split(text):
        if names := _known.get(token) or name_token(token):
            found.update(names)
    return found


def split(text: str) -> set[str]:
    """Give the tokens of a text that may name something, each once: plain words, which are most, name nothing."""
    return {token for token in text.translate(_APART).split() if not (token.isalpha() and token[1:].islower())}


_APART = "".join(c if c.isalnum() or c in "_./@+-#" else " " for c in map(chr, range(128)))
"""What stands between tokens becomes a blank; a table for ASCII is many times as fast as a pattern."""


_known: dict[str, tuple[str, ...]] = {}
"""What tokens name, as found before: the same ones come up again and again."""
_MOST = 50_000


def name_token(token: str) -> tuple[str, ...]:
    """Give what one token names: nothing, for a plain word."""
    found = _known.get(token)
    if found is None:
        if len(_known) > _MOST:
            _known.clear()
        found = _known[token] = _named(token)
    return found


def _named(token: str) -> tuple[str, ...]:
    if token.isalpha() and token[1:].islower():
        return ()
    if token.isidentifier():
        if _is_ref(token) or (_SHORTEST_NAME <= len(token) <= _LONGEST_NAME and is_code(token)):
            return (token,)
        return ()
    token = token.strip(".-+@/")
    found = []
    if "/" in token:
        parts = [part for part in token.split("/") if part not in {"", ".", ".."}]
        found.append("/".join(parts[-2:]))
        found += [part for part in parts[-1:] if "." in part]
    elif "." in token and _is_file(token):
        found.append(token)
    elif _is_ref(token):
        return (token,)
    return (*found, *(name for name in _CODE.findall(token) if is_code(name)))


def is_code(word: str) -> bool:
    """Whether a word is a name from code: it has an underscore or a capital inside."""
    inner = word.strip("_")
    return "_" in inner or not (inner[1:].islower() or inner.isupper() or not inner[1:])


def _is_file(token: str) -> bool:
    stem, _, extension = token.rpartition(".")
    return len(stem) > 1 and 0 < len(extension) <= 5 and extension.isalpha() and extension.islower()  # noqa: PLR2004  .templ, .proto


def _is_ref(token: str) -> bool:
    """Give a commit or an issue: `1f3a9c2`, `#312`."""
    if token.startswith("#"):
        return token[1:].isdigit()
    long_enough = _SHORTEST_HASH <= len(token) <= _LONGEST_HASH
    return long_enough and _HASH.issuperset(token) and any(c.isdigit() for c in token) and not token.isdigit()
