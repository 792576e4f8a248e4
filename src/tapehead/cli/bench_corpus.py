"""What the benchmarks share: which transcripts, unpacked for as long as they are read, and a word while it takes time."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tapehead.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ENDINGS = (".jsonl", ".jsonl.gz")


def own(env: Mapping[str, str]) -> str:
    """Where Claude Code keeps the transcripts of this machine."""
    home = env.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    return os.path.join(home, "projects")


def files_in(paths: tuple[str, ...]) -> list[str]:
    """The transcripts that the paths name, those in directories included."""
    found: set[str] = set()
    for path in paths:
        if os.path.isdir(path):
            inside = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
            found.update(name for name in inside if name.endswith(_ENDINGS))
        elif os.path.exists(path):
            found.add(path)
    return sorted(found)


@contextmanager
def open_unpacked(path: str) -> Iterator[str]:
    """The path itself, or that of a plain copy which is gone afterwards."""
    if not path.endswith(".gz"):
        yield path
        return
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as plain:
        with gzip.open(path) as packed:
            shutil.copyfileobj(packed, plain)
        plain.flush()
        yield plain.name


@contextmanager
def said(what: str) -> Iterator[None]:
    """Says what is being done while it is done, to whoever sits at a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    with console(stderr=True).status(what):
        yield
