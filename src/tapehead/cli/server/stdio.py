"""The pipes of a server: a message per line in, a message per line out, and nothing else on either."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

from tapehead.cli.server.protocol import PARSE_ERROR

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 4 * 1024 * 1024
"""Bytes of a line: no question is longer."""
_TOO_LONG = b'{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"a line of more than %d bytes"}}\n' % (
    PARSE_ERROR,
    LONGEST,
)


def take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take stdin and stdout for the messages alone: what a git of ours reads, or a library prints, must not get among them."""
    reading, writing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return reading, writing


def serve(reading: BinaryIO, writing: BinaryIO, answer: Callable[[bytes], bytes]) -> None:
    """Answer line by line until the client is gone: its end of either pipe is closed."""
    try:
        while line := reading.readline(LONGEST + 1):
            if len(line) > LONGEST:
                _skip(reading, line)
                reply = _TOO_LONG
            else:
                reply = answer(line) if line.strip() else b""
            _write(writing, reply)
    except (BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        return


def _write(writing: BinaryIO, reply: bytes) -> None:
    while reply:
        reply = reply[writing.write(reply) or 0 :]


def _skip(reading: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = reading.readline(LONGEST)
