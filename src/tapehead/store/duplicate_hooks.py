"""One event that the agent hands to us twice, through its settings and through the plugin, is written once. Light.

The agent runs both commands at the same moment, each with the same bytes on stdin. Whichever comes first writes the line; the other
finds it at the end of the tape and leaves. Looking and writing are one step under a lock on the tape itself, so a writer that is
killed in between has written nothing, and the other writes. Where anything is in doubt (no lock to be had, a line that is too old)
the line is written: an event twice is a blemish, an event lost is a hole.
"""

import os
import time
from binascii import crc32

from tapehead import system
from tapehead.store import tape
from tapehead.store.paths import open_own

WINDOW_SECONDS = 15
"""Twins start together and are killed by the agent after 10 seconds: an older line is another event that looks the same."""
ANY = "any"
"""The way of an event that the agent says several times by one way: of those in a row, the first counts."""
ONCE = "once"
"""The way of an event that several hooks may have found out at once: whoever comes first writes it."""
_LOOKED_AT = 64 * 1024
_WAIT, _PAUSE = 0.5, 0.002


def append(path: str, line: dict[str, object], payload: bytes, via: str, now_ns: int) -> bool:
    """Puts a line at the end of a tape, unless its twin that came another way is there; whether it did. Raises OSError.

    The line says at its very end by what it is known, so that a look at the last few bytes finds it whatever its length.
    """
    key, second = f"{crc32(payload):08x}{len(payload):x}", now_ns // 1_000_000_000
    descriptor = _held(path)
    try:
        if (_is_last if via == ANY else _is_told)(_tail(descriptor), key, "" if via == ONCE else via, second):
            return False
        tape.append(path, {**line, "heard": {"as": key, "via": via, "s": second}})
    finally:
        tape.close(descriptor)
    return True


def _is_told(end: bytes, key: str, via: str, second: int) -> bool:
    """Whether the others wrote down more of these events than we did: then this one is among them."""
    ours = theirs = 0
    mark = f',"heard":{{"as":"{key}","via":"'.encode()
    for line in end.split(b"\n") if mark in end else ():
        _, found, rest = line.rpartition(mark)
        way, _, seen = rest.removesuffix(b"}}").partition(b'","s":')
        if found and seen.isdigit() and abs(second - int(seen)) <= WINDOW_SECONDS:
            ours, theirs = (ours + 1, theirs) if way == via.encode() else (ours, theirs + 1)
    return theirs > ours


def _is_last(end: bytes, key: str, via: str, second: int) -> bool:
    """Whether the agent said this the last time that it said anything."""
    line = end.rpartition(b',"heard":')
    rest = line[2].partition(b"\n")[0]
    return _is_told(line[1] + rest, key, "", second) if f'"via":"{via}"'.encode() in rest else False


def _held(path: str) -> int:
    """The tape, locked for us; unlocked where someone does not let go, or where the file system has no locks."""
    descriptor = open_own(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    deadline = time.monotonic() + _WAIT
    while True:
        try:
            if system.try_lock(descriptor) or time.monotonic() >= deadline:
                return descriptor
        except OSError:
            return descriptor
        time.sleep(_PAUSE)


def _tail(descriptor: int) -> bytes:
    """The end of the tape; nothing where it cannot be read: what can still be written is."""
    try:
        size = os.fstat(descriptor).st_size
        return system.read_at(descriptor, _LOOKED_AT, max(0, size - _LOOKED_AT))
    except OSError:
        return b""
