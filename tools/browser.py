"""A headless Chromium, driven through its debugging pipe: the standard library is enough for it. For the tests and the pictures."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType

NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
_SECONDS = 60.0
_PHONE = 600


def installed() -> str | None:
    """The browser of this machine, if it has one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in a browser of its own, with everything that it said and asked for."""

    def __init__(self) -> None:
        self.said: list[str] = []
        """Errors, warnings and exceptions of the page."""
        self.requested: list[str] = []
        """Addresses that it asked for, the page's own included."""
        self.dialogs = 0
        self._last = 0
        self._rest = b""
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

    def __enter__(self) -> Self:
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        command = [installed() or NAMES[0], *_FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"]

        def at_their_numbers() -> None:  # the browser reads from 3 and writes to 4
            for number, end in ((13, theirs_in), (14, theirs_out)):
                os.dup2(end, number)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self._process = subprocess.Popen(  # noqa: S603 - our own words
            command,
            preexec_fn=at_their_numbers,  # noqa: PLW1509 - nothing else runs in this process
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        found = self._ask("Target.getTargets")["targetInfos"]
        target = next(one["targetId"] for one in found if one["type"] == "page")
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{part}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._profile.cleanup()

    def open(self, address: str) -> float:
        """Load a page; the seconds until it was ready."""
        began = time.monotonic()
        self._loaded = False
        self.ask("Page.navigate", url=address)
        while not self._loaded:
            self._take(self._read())
        return time.monotonic() - began

    def look(self, *, width: int = 1_400, height: int = 900, dark: bool = False) -> None:
        """Set the size of the window and the user's wish for dark or light."""
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < _PHONE
        )
        wish = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[wish])

    def run(self, script: str) -> Any:
        """What an expression gives; a promise is waited for."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def picture(self) -> bytes:
        """What is to be seen, as PNG."""
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])

    def ask(self, method: str, **words: Any) -> dict[str, Any]:
        """Ask the page's side of the browser."""
        return self._ask(method, self._session, **words)

    def _ask(self, method: str, session: str = "", **words: Any) -> dict[str, Any]:
        self._last += 1
        message = {"id": self._last, "method": method, "params": words, **({"sessionId": session} if session else {})}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self._take(answer)

    def _read(self) -> dict[str, Any]:
        parts = [self._rest]
        while b"\0" not in parts[-1]:
            if not select.select([self._in], [], [], _SECONDS)[0]:
                raise TimeoutError("the browser says nothing")
            piece = os.read(self._in, 1 << 16)
            if not piece:
                raise EOFError("the browser is gone")
            parts.append(piece)
        message, _, self._rest = b"".join(parts).partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def _take(self, event: dict[str, Any]) -> None:
        method, about = event.get("method"), event.get("params", {})
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Network.requestWillBeSent":
            self.requested.append(about["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs += 1
        elif method == "Runtime.exceptionThrown":
            self.said.append(str(about["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.said.append(f"{about['entry']['level']}: {about['entry']['text']}")
        elif method == "Runtime.consoleAPICalled":
            self.said.append(f"{about['type']}: {about['args']}")
