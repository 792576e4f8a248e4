"""Programs that are started by subprocess and ended with all that they started."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import Any

from tapehead import system

if system.IS_POSIX:
    ALONE: dict[str, Any] = {"start_new_session": True}
    """For subprocess.Popen: in a group of its own, which `end_with_all` ends. On Windows without a window of its own, too."""
else:
    from tapehead.system import windows_api

    ALONE = windows_api.QUIETLY


def end_with_all(process: subprocess.Popen[Any]) -> None:
    """Ends a program that was started ALONE, and what it started."""
    if system.IS_POSIX:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        return
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(  # noqa: S603 - the system's own program
            ["taskkill", "/T", "/F", "/PID", str(process.pid)],  # noqa: S607 - as above
            capture_output=True,
            check=False,
            timeout=10,
            **ALONE,
        )
    with suppress(OSError):
        process.kill()
