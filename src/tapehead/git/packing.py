"""The objects of our own store, packed: a turn leaves some dozen small files, and packed they take a seventh of the room.

Git's own `repack` and `gc` would not do: they drop our copy of whatever the user's repository has, too, and that copy is there to outlive
the user's. So what is ours is listed by its files, packed by name, and only then are those files removed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.store import atomic, lock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.git.side import Side

MANY_LOOSE = 500
"""Loose objects from which on it is worth packing them."""
MANY_PACKS = 12
"""Packs from which on they become one: only within a pack can one version of a file be told by another."""
_FOLDER = 2
_HEX = frozenset("0123456789abcdef")
_ENDINGS = (".idx", ".pack", ".rev", ".bitmap", ".mtimes")
"""The index first: without it nobody looks into the pack."""
_MAGIC, _FANOUT = b"\377tOc\0\0\0\2", 256 * 4


def pack(side: Side) -> int:
    """Packs what lies about loose, where that is much; how many objects were. Nothing is done where somebody else is at it."""
    loose = _loose_objects(side)
    if len(loose) < MANY_LOOSE:
        return 0
    held = held_by_us(side, 0)
    if held is None:
        return 0
    try:
        packs = own_packs(side)
        old = packs if len(packs) >= MANY_PACKS else []
        named = {name for _, name in loose}.union(*(list_objects(side, one) for one in old))
        made = pack_objects(side, sorted(named))
        for path, _ in loose:
            atomic.remove(path)
        remove_packs(one for one in old if one != made)
    finally:
        lock.release(held)
    return len(loose)


def held_by_us(side: Side, seconds: float) -> int | None:
    """The lock under which objects are removed; None where another has it."""
    return lock.take(os.path.join(side.path, "packing.lock"), seconds)


def pack_objects(side: Side, names: list[str]) -> str:
    """A new pack of these, wherever they lie; its path without an ending."""
    if not names:
        return ""
    begin = os.path.join(side.path, "objects", "pack", "pack")
    asked = "".join(f"{name}\n" for name in names).encode()
    return f"{begin}-{side.git('pack-objects', '--quiet', begin, stdin=asked).decode('ascii').strip()}"


def remove_packs(packs: Iterator[str]) -> None:
    """Takes packs away whose objects are elsewhere by now."""
    for one in packs:
        for ending in _ENDINGS:
            atomic.remove(one + ending)


def own_packs(side: Side) -> list[str]:
    """The packs of our own store, without their endings."""
    folder = os.path.join(side.path, "objects", "pack")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return [os.path.join(folder, name.removesuffix(".idx")) for name in names if name.endswith(".idx")]


def list_objects(side: Side, one: str) -> set[str]:
    """What a pack holds."""
    raw = side.git("show-index", stdin=atomic.read(one + ".idx"), most=1 << 28)
    return {row.split()[1] for row in raw.decode("ascii").splitlines()}


def loose_files(side: Side) -> Iterator[tuple[str, str]]:
    """The files of our own store that are no packs, each with the name of its object."""
    objects = os.path.join(side.path, "objects")
    for folder in os.listdir(objects):
        if len(folder) == _FOLDER:
            for name in os.listdir(os.path.join(objects, folder)):
                yield os.path.join(objects, folder, name), folder + name


def _loose_objects(side: Side) -> list[tuple[str, str]]:
    length = len(side.like())
    return [(path, name) for path, name in loose_files(side) if len(name) == length and _HEX.issuperset(name)]


class Packed:
    """What the packs of our own store hold, by a look into their indexes: git would count the user's objects in."""

    def __init__(self, side: Side) -> None:
        self._size = len(side.like()) // 2
        self._indexes = [raw for one in own_packs(side) if (raw := _read(one + ".idx")).startswith(_MAGIC)]

    def holds(self, name: str) -> bool:
        """Whether an object is in one of them."""
        return any(self._is_in(raw, bytes.fromhex(name)) for raw in self._indexes)

    def _is_in(self, raw: bytes, name: bytes) -> bool:
        low = self._up_to(raw, name[0] - 1) if name[0] else 0
        high = self._up_to(raw, name[0])
        start = len(_MAGIC) + _FANOUT
        while low < high:
            middle = (low + high) // 2
            found = raw[start + middle * self._size : start + (middle + 1) * self._size]
            if found == name:
                return True
            low, high = (middle + 1, high) if found < name else (low, middle)
        return False

    @staticmethod
    def _up_to(raw: bytes, first: int) -> int:
        """How many objects have a name whose first byte is at most this."""
        at = len(_MAGIC) + 4 * first
        return int.from_bytes(raw[at : at + 4], "big")


def _read(path: str) -> bytes:
    try:
        return atomic.read(path)
    except OSError:
        return b""  # it was packed anew meanwhile
