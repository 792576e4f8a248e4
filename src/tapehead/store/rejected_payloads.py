"""What came in and belongs to no session: kept so that doctor can say what it was. Light: the hook writes it."""

import os

from tapehead.store.paths import Layout
from tapehead.store.tape import append, instant, stamp, unread

_ENOUGH = 256 * 1024  # one former file is kept beside it: garbage that comes for ever must not fill a disk
_SHOWN = 200


def keep(layout: Layout, now_ns: int, host: str, reason: str, raw: bytes) -> None:
    """Writes down that something came, why nobody could use it, and how it began."""
    try:
        if os.stat(layout.strays).st_size > _ENOUGH:
            os.replace(layout.strays, layout.strays + ".old")
    except FileNotFoundError:
        pass
    shown = raw[:_SHOWN].decode("utf-8", "backslashreplace")
    data: dict[str, object] = {"reason": reason, "bytes": len(raw), "begins": shown}
    line: dict[str, object] = {"id": stamp(now_ns, os.getpid()), "at": instant(now_ns), "host": host, "note": "stray"}
    append(layout.strays, {**line, "data": data})


def lines(layout: Layout) -> list[bytes]:
    """All that is kept, oldest first."""
    return [*unread(layout.strays + ".old", 0)[0], *unread(layout.strays, 0)[0]]
