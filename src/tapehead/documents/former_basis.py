"""What former versions kept in `notes.known`, written with marshal: read byte by byte, since Python's own reader trusts what it reads.

Only what such a file can hold: numbers, texts, bytes, lists and dicts. Anything else is a ValueError.
"""

from __future__ import annotations

from typing import Any

_SEEN_BEFORE = 0x80
_SHORT, _LONG = b"zZ)", b"saAut([r"
"""Kinds with a length of one byte, and of four."""
_DEEPEST = 12


class Former:
    """A place in the bytes, and what was met on the way."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at, self._met = data, 0, list[Any]()

    def read(self, depth: int = 0) -> Any:
        """Give the next value."""
        code = self._take(1)[0]
        kind, number = bytes([code & ~_SEEN_BEFORE]), len(self._met)
        if code & _SEEN_BEFORE:
            self._met.append(self)  # what is not whole yet can't be meant
        if depth > _DEEPEST:
            raise ValueError("nested too deep")
        value = self._value(kind, depth + 1)
        if code & _SEEN_BEFORE:
            self._met[number] = value
        return value

    def _value(self, kind: bytes, depth: int) -> Any:
        if kind in _PLAIN:
            return _PLAIN[kind]
        if kind == b"i":
            return int.from_bytes(self._take(4), "little", signed=True)
        if kind == b"l":
            return self._long()
        if kind == b"{":
            return self._dict(depth)
        size = self._take(1)[0] if kind in _SHORT else self._size() if kind in _LONG else -1
        if kind == b"r" and 0 <= size < len(self._met) and self._met[size] is not self:
            return self._met[size]
        if kind in (b"[", b"(", b")") and 0 <= size <= len(self._data):
            return [self.read(depth) for _ in range(size)]
        if kind in b"saAutzZ" and size >= 0:
            raw = self._take(size)
            return raw if kind == b"s" else raw.decode("utf-8", "surrogatepass")
        raise ValueError(f"not a kind that was kept: {kind!r}")

    def _dict(self, depth: int) -> dict[Any, Any]:
        found = {}
        while self._data[self._at : self._at + 1] != b"0":
            key = self.read(depth)
            if not isinstance(key, (str, int)):
                raise ValueError("not a key")  # noqa: TRY004 - what stands there is wrong, not what was given
            found[key] = self.read(depth)
        self._at += 1
        return found

    def _long(self) -> int:
        size = self._size()
        digits = self._take(2 * abs(size))
        value = sum(int.from_bytes(digits[n : n + 2], "little") << (15 * (n // 2)) for n in range(0, len(digits), 2))
        return -value if size < 0 else value

    def _size(self) -> int:
        return int.from_bytes(self._take(4), "little", signed=True)

    def _take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        if len(taken) != size:
            raise ValueError("cut short")
        self._at += size
        return taken


_PLAIN: dict[bytes, Any] = {b"N": None, b"T": True, b"F": False}
