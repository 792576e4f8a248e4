"""The registry: which stores there are on this machine, for the commands that look at all projects."""

from __future__ import annotations

import os
from contextlib import suppress

from tapehead.store import atomic
from tapehead.text.checksum import sha256


def register(home: str, root: str) -> None:
    """Names a store, once. Where that cannot be written, only the commands over all projects miss it."""
    raw = root.encode("utf-8", "surrogateescape")
    path = os.path.join(home, "stores", sha256(raw)[:16])
    if home and not os.path.exists(path):
        with suppress(OSError):
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            atomic.write(path, raw + b"\n")


def unregister(home: str, root: str) -> None:
    """Takes the name of a store away that is gone."""
    atomic.remove(os.path.join(home, "stores", sha256(root.encode("utf-8", "surrogateescape"))[:16]))


def list_stores(home: str) -> list[str]:
    """The stores that were named and are still there."""
    directory = os.path.join(home, "stores")
    names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
    roots = []
    for name in names:
        with suppress(OSError):
            raw = atomic.read(os.path.join(directory, name))
            roots.append(raw.decode("utf-8", "surrogateescape").rstrip("\n"))
    return sorted(root for root in set(roots) if os.path.isdir(root))
