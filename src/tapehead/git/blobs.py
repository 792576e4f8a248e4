"""Many small files of git's at once: one process for hundreds of them, and one more for what nobody thought of."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_AT_ONCE = 500


class Blobs:
    """What files hold, by the names of their objects."""

    def __init__(self, git: Callable[..., bytes]) -> None:
        self._git = git
        self._known: dict[str, bytes] = {}

    def fetch(self, names: Iterable[str]) -> None:
        """Reads these ahead."""
        rest = iter(names)
        while asked := list(islice(rest, _AT_ONCE)):
            raw = self._git("cat-file", "--batch", stdin="".join(f"{name}\n" for name in asked).encode("ascii"))
            self._known |= _read(raw)

    def __call__(self, name: str) -> bytes:
        """What one holds."""
        if name not in self._known:
            self._known[name] = self._git("cat-file", "blob", name)
        return self._known[name]


def _read(raw: bytes) -> dict[str, bytes]:
    """`NAME blob SIZE`, the bytes, a newline; what is missing is left out."""
    found, at = {}, 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        words = raw[at:end].decode("ascii", "replace").split(" ")
        at = end + 1
        if len(words) == 3:  # noqa: PLR2004 - the other answer is `NAME missing`
            size = int(words[2])
            found[words[0]] = raw[at : at + size]
            at += size + 1
    return found
