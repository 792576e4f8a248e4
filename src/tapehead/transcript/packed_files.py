"""Packed transcripts, read as what is in them: `.gz` as people keep them, `.zst` as Codex packs its old ones.

Bytes are counted as unpacked, so that an offset means the same before and after a file was packed. A torn one is read as far as
it goes.
"""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

from tapehead import door

if TYPE_CHECKING:
    from typing import Any, BinaryIO

GZIP, ZSTD = ".gz", ".zst"
SUFFIXES = (GZIP, ZSTD)
_CHUNK = 1 << 20


class Unreadable(OSError):
    """A file that nothing on this machine can unpack."""


def open_packed(path: str) -> BinaryIO:
    """Open what is in a packed file. Raises OSError."""
    door.must_be_regular(path)
    return _zstd(path) if path.endswith(ZSTD) else _gzip(path)


def plain_name(path: str) -> str:
    """Give the name that a file had before it was packed."""
    return os.path.basename(path).removesuffix(GZIP).removesuffix(ZSTD)


def size(path: str) -> int:
    """How many bytes are in a packed file; it has to be unpacked to know."""
    with open_packed(path) as file:
        return sum(len(chunk) for chunk in iter(lambda: file.read(_CHUNK), b""))


def _gzip(path: str) -> BinaryIO:
    import gzip  # noqa: PLC0415  archives only: a hook must not pay for it
    import zlib  # noqa: PLC0415  as above

    return io.BufferedReader(_Torn(gzip.open(path, "rb"), (EOFError, gzip.BadGzipFile, zlib.error)), _CHUNK)  # type: ignore[arg-type]  # it reads bytes


def _zstd(path: str) -> BinaryIO:
    try:
        from compression import zstd  # type: ignore[import-not-found]  # noqa: PLC0415  from Python 3.14 on
    except ImportError:
        return _zstd_program(path)
    return io.BufferedReader(_Torn(zstd.open(path, "rb"), (EOFError, zstd.ZstdError)), _CHUNK)


def _zstd_program(path: str) -> BinaryIO:
    """Let the program do it, into a file that is gone when it is closed."""
    import subprocess  # noqa: PLC0415  as above
    import tempfile  # noqa: PLC0415  as above

    file = tempfile.TemporaryFile()  # noqa: SIM115  whoever asked for it closes it
    try:
        subprocess.run(["zstd", "-dcq", "--", path], stdout=file, stderr=subprocess.DEVNULL, check=False)  # noqa: S603, S607  the user's own
    except FileNotFoundError:
        file.close()
        raise Unreadable(f"{path} is packed with zstd: that takes Python 3.14 or the zstd program") from None
    file.seek(0)
    return file


class _Torn(io.RawIOBase):
    """What is being unpacked; where it is torn it is over."""

    def __init__(self, source: BinaryIO, torn: tuple[type[Exception], ...]) -> None:
        self.source = source
        self.torn = torn

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            chunk = self.source.read1(len(buffer))  # type: ignore[attr-defined]  # no more than one step: what comes before a tear is kept
        except self.torn:
            return 0
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a byte, or to the start where there is no such byte."""
        try:
            at = self.source.seek(offset, whence)
        except self.torn:
            at = -1
        return at if at == offset or whence != os.SEEK_SET else self.source.seek(0)

    def close(self) -> None:
        self.source.close()
        super().close()
