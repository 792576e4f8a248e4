"""Secrets that stand bare after they were told once: `my password is X`, and X in a command ten turns later.

Of a session's secrets only those are remembered that nothing else would know again. On disk they are keyed hashes, so that the next
process knows a value when it meets it, and nobody can read it there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 32
"""Values of a session; of more, the newest."""
_SHORTEST, _LONGEST = 8, 64
_TOKEN = re.compile(rf"[^\s\"'`,;=<>()\[\]{{}}|]{{{_SHORTEST},{_LONGEST}}}")
_ENDS = ".,:!?"


class Repeated:
    """The secrets that a session told so far."""

    def __init__(self, kept: list[str] | None = None) -> None:
        self.key, *hashes = kept or [""]
        self.hashes: dict[str, None] = dict.fromkeys(hashes)
        """Of all values, those of earlier processes included."""
        self.values: dict[str, None] = {}
        """Those that this process has met, newest last."""

    def kept(self) -> list[str]:
        """What is kept on disk; nothing where there is nothing to keep."""
        return [self.key, *[*self.hashes][-MOST:]] if self.hashes else []

    def news(self, values: Iterable[str]) -> list[str]:
        """Those of some secrets that could be learnt and were not, each once."""
        new = dict.fromkeys(value for value in values if value not in self.values)
        return [value for value in new if _SHORTEST <= len(value) <= _LONGEST and _is_mixed(value)]

    def learn(self, values: Iterable[str]) -> None:
        """Remember some of the news."""
        for value in values:
            self.key = self.key or _new_key()
            self.hashes[self._hash(value)] = None
            self.values[value] = None

    def where(self, text: str) -> list[tuple[int, int]]:
        """Where one of them stands bare."""
        if len(self.values) < len(self.hashes):
            self._meet(text)
        return [
            match.span()
            for value in [*self.values][-MOST:]
            if value in text
            for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text)
        ]

    def _meet(self, text: str) -> None:
        """Know a value of an earlier process again."""
        for token in {found.strip(_ENDS) for found in _TOKEN.findall(text)}:
            if _is_mixed(token) and self._hash(token) in self.hashes:
                self.values[token] = None

    def _hash(self, value: str) -> str:
        from hashlib import blake2b  # noqa: PLC0415 - most sessions tell none

        return blake2b(value.encode(errors="replace"), digest_size=12, key=bytes.fromhex(self.key)).hexdigest()


def _is_mixed(value: str) -> bool:
    """Whether letters and digits or signs stand in it: a word that was once a password is still a word."""
    return any(map(str.isalpha, value)) and not value.replace("-", "").replace("_", "").isalpha()


def _new_key() -> str:
    from os import urandom  # noqa: PLC0415 - for the first secret of a session

    return urandom(16).hex()
