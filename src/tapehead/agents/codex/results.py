"""What Codex's tools said: the words without the agent's own lines around them, and whether it went well."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript.entries import entry_of, within, word

if TYPE_CHECKING:
    from typing import Any

IMAGE = "[image]"
_HEAD = 400
"""How far the agent's own lines can go; what a command printed stands behind them."""
_OUTPUT = re.compile(r"^Output:\n?", re.MULTILINE)
_EXITED = re.compile(r"^(?:Process exited with code|Exit code:?) (-?\d{1,10})$", re.MULTILINE)
_GOES_ON = re.compile(r"^(?:Process|Script) running with (session|cell) ID (\w{1,40})$", re.MULTILINE)
_HOST_LINE = re.compile(
    r"^(?:Chunk ID|Wall time|Exit code|Process exited|Process running|Original token count|Total output lines|"
    r"Script (?:completed|failed|running))\b"
)
_PRINTED_ID = re.compile(r"\b(?:session_id|SESSION_ID)\"?\s*[:=]\s*\"?(\d{1,20})")
_WENT_WRONG = re.compile(
    r"script (?:failed|error)|\w+ (?:verification )?failed\b|failed to |error[: ]|execution error|aborted|"
    r"(?:\w+ ){0,2}(?:rejected|aborted) by user|command timed out|unsupported call|patch rejected",
    re.IGNORECASE,
)


class Output:
    """One output of a tool, taken apart."""

    def __init__(self, output: Any) -> None:
        text, exit_code = _told(output)
        head = _own_lines(text)
        body = text[len(head) :]
        said = _EXITED.search(head)
        if said:
            exit_code = int(said[1])
        self.running = _running(head, body)
        """The process or the script that goes on, by the agent's number for it: `session 17`, `cell 4`."""
        body, printed = _printed(body)
        self.exit_code = printed if exit_code is None else exit_code
        self.failed = _failed(output, text, self.exit_code)
        self.text = f"Exit code {self.exit_code}\n{body}" if self.exit_code else body


def _printed(body: str) -> tuple[str, int | None]:
    """Take apart what a script printed as it got it: an object with the output in it."""
    told = entry_of(body.encode(errors="replace")) if body.startswith("{") and '"output"' in body else {}
    code = told.get("exit_code")
    return word(told, "output") or body, code if type(code) is int else None


def _running(head: str, body: str) -> str:
    if found := _GOES_ON.search(head):
        return f"{found[1]} {found[2]}"
    # A script prints it where the model has to know it. Outputs are long, and a pattern is slow to say no.
    printed = _PRINTED_ID.search(body) if "session_id" in body or "SESSION_ID" in body else None
    return f"session {printed[1]}" if printed else ""


def _told(output: Any) -> tuple[str, int | None]:
    """Give the words of an output, in all the shapes that it has had, and the exit code where it stands beside them."""
    if isinstance(output, dict):
        return _words(output.get("content", output.get("output"))), None
    told = (
        entry_of(output.encode(errors="replace")) if isinstance(output, str) and output.startswith('{"output"') else {}
    )
    if "output" not in told:
        return _words(output), None
    code = within(told, "metadata").get("exit_code")
    return _words(told["output"]), code if type(code) is int else None


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    texts = (IMAGE if "image" in str(one.get("type")) else one.get("text") for one in blocks)
    return "\n".join(text.removesuffix("\n") for text in texts if isinstance(text, str))


def _own_lines(text: str) -> str:
    """Give the lines that the agent put before an output; nothing where it put none."""
    mark = _OUTPUT.search(text, 0, _HEAD)
    if mark and all(_HOST_LINE.match(line) for line in text[: mark.start()].splitlines()):
        return text[: mark.end()]
    first = text[:_HEAD].splitlines()
    return text[:_HEAD] if first and all(_HOST_LINE.match(line) for line in first) and len(text) < _HEAD else ""


def _failed(output: Any, text: str, exit_code: int | None) -> bool:
    if exit_code is not None:
        return exit_code != 0
    refused = isinstance(output, dict) and output.get("success") is False
    return refused or bool(_WENT_WRONG.match(text))
