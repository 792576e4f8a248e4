"""Packed transcripts, read as what is in them: `.gz` as people keep them, `.zst` as Codex packs its old ones.

Bytes are counted as unpacked, so that an offset means the same before and after a file was packed. A torn one is read as far as
it goes.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import BinaryIO

GZIP, ZSTD = ".gz", ".zst"
SUFFIXES = (GZIP, ZSTD)
_CHUNK = 1 << 20


class Unreadable(OSError):
    """A file that nothing on this machine can unpack."""


def unpacked(path: str) -> BinaryIO:
    """Give what is in a packed file as a file of its own, which is gone when it is closed."""
    import tempfile  # noqa: PLC0415  archives only: a hook must not pay for it

    file = tempfile.TemporaryFile()  # noqa: SIM115  whoever asked for it closes it
    try:
        (_zstd if path.endswith(ZSTD) else _gzip)(path, file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def plain_name(path: str) -> str:
    """Give the name that a file had before it was packed."""
    return os.path.basename(path).removesuffix(GZIP).removesuffix(ZSTD)


def _gzip(path: str, file: BinaryIO) -> None:
    import gzip  # noqa: PLC0415  as above
    import zlib  # noqa: PLC0415  as above

    with gzip.open(path, "rb") as source:
        try:
            while chunk := source.read(_CHUNK):
                file.write(chunk)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            return


def _zstd(path: str, file: BinaryIO) -> None:
    os.stat(path)  # a file that is not there is another matter than one that cannot be read
    try:
        from compression import zstd  # type: ignore[import-not-found]  # noqa: PLC0415  from Python 3.14 on
    except ImportError:
        _zstd_program(path, file)
        return
    with zstd.open(path, "rb") as source:
        try:
            while chunk := source.read(_CHUNK):
                file.write(chunk)
        except (EOFError, zstd.ZstdError):
            return


def _zstd_program(path: str, file: BinaryIO) -> None:
    import subprocess  # noqa: PLC0415  as above

    try:
        subprocess.run(["zstd", "-dcq", "--", path], stdout=file, stderr=subprocess.DEVNULL, check=False)  # noqa: S603, S607  the user's own
    except FileNotFoundError:
        raise Unreadable(f"{path} is packed with zstd: that takes Python 3.14 or the zstd program") from None
