"""What a text names, by eyes of the benchmark's own: with the work record's eyes it could not see what the work record misses.

A file is known by its name, a folder by its last two parts, however a path was spelt; code names have an underscore or a capital
inside; refs are issues, commits and versions. Plain words are not names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(r"#?[A-Za-z0-9_~.@][\w./@+-]*")
_PLAIN = re.compile(r"[A-Za-z]?[a-z]*\.?|[A-Z]+|[\d.]{1,4}")
_FILE = re.compile(r"[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}")
_REF = re.compile(r"#\d{1,6}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}|v?\d+\.\d+\.\d+")
_CODE = re.compile(r"[A-Za-z_]\w*")
_SHORTEST, _LONGEST = 5, 60
_ENDING = re.compile(
    r"c|cc|cfg|cpp|cs|css|csv|exs?|go|gradle|h|hpp|html|ini|java|jsx?|jsonl?|kt|lock|lua|md|mjs|mmd|mod|nix|php|proto|py|rb|rs|rst|"
    r"scss|sh|sql|svelte|svg|swift|templ|tf|toml|tsx?|txt|vue|xml|ya?ml|zig"
)
"""A word with one of these is a file also without its folder; `buffer.seek` is not."""


def names(text: str) -> set[str]:
    """Everything that a text names, each once."""
    return {name for _, name in place_names(text)}


def place_names(text: str) -> Iterator[tuple[int, str]]:
    """Everything that a text names, with the place of the word that names it."""
    for word in _WORD.finditer(text):
        if not _PLAIN.fullmatch(found := word.group()):
            for name in _in_word(found):
                yield word.start(), name


@lru_cache(maxsize=65536)
def _in_word(word: str) -> tuple[str, ...]:
    word = word.rstrip(".-/+@")
    *folders, last = [part for part in word.split("/") if part.strip(".~")] or [""]
    if _REF.fullmatch(word):
        return (word,)
    if _FILE.fullmatch(last) and (folders or _ENDING.fullmatch(last.rpartition(".")[2])):
        return (last,)
    if folders:
        return (f"{folders[-1]}/{last}",)
    return tuple(code for code in _CODE.findall(word) if _is_code(code))


def _is_code(word: str) -> bool:
    inner = word.strip("_")
    mixed = not inner.isupper() and any(letter.isupper() for letter in inner[1:])
    return _SHORTEST <= len(word) <= _LONGEST and ("_" in inner or mixed)
