"""The same exchange where neither posix_spawn nor select on a pipe is there: by subprocess and its threads."""

from __future__ import annotations

import subprocess
import threading
import time
from typing import TYPE_CHECKING

from tapehead.system import programs
from tapehead.system.exchange import SAID, NotStarted, in_one_line

if TYPE_CHECKING:
    from typing import IO

_CHUNK = 1 << 16


def run(
    command: list[str], env: dict[str, str], stdin: bytes, deadline: float, most: int
) -> tuple[bytes | None, int, str]:
    """See exchange.run."""
    try:
        process = subprocess.Popen(  # noqa: S603 - whoever calls says what is run
            command,
            env=env,
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **programs.ALONE,
        )
    except OSError as error:
        raise NotStarted(*error.args) from None
    out, said = _Pipe(process.stdout, most), _Pipe(process.stderr, 0)
    try:
        threading.Thread(target=_feed, args=(process, stdin), daemon=True).start()
        ended = out.whole.wait(max(0.0, deadline - time.monotonic())) and not out.is_too_much
        if not ended:
            programs.end_with_all(process)
        code = process.wait()
    except BaseException:  # broken off: it ends with us, and nothing of it stays
        programs.end_with_all(process)
        process.wait()
        raise
    finally:
        for each in (out, said):
            if each.whole.wait(1):
                each.pipe.close()
    return (
        (bytes(out.data) if ended else None),
        code,
        in_one_line(bytes(said.data[-SAID:])) if code or not ended else "",
    )


def _feed(process: subprocess.Popen[bytes], stdin: bytes) -> None:
    """How the program ended says why it did not read on."""
    if process.stdin:
        try:
            process.stdin.write(stdin)
            process.stdin.close()
        except (OSError, ValueError):
            return


class _Pipe:
    """What comes through a pipe, read by a thread; of the end of it alone where no size is given."""

    def __init__(self, pipe: IO[bytes] | None, most: int) -> None:
        assert pipe is not None
        self.pipe = pipe
        self.data = bytearray()
        self.most = most
        self.is_too_much = False
        self.whole = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while chunk := self.pipe.read1(_CHUNK):  # type: ignore[attr-defined]  # a buffered reader
                self.data += chunk
                if not self.most:
                    del self.data[:-SAID]
                elif len(self.data) > self.most:
                    self.is_too_much = True
                    break
        except (OSError, ValueError):
            pass
        self.whole.set()
