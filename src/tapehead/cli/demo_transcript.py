"""The session that the demo shows: made up, and written line by line as Claude Code writes its transcripts."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Self

STEP = timedelta(seconds=20)

CHARGE = "def charge(order, cents):\n    gateway.charge(order.card, cents)\n"
REFUND = "def refund(order, cents):\n    gateway.refund(order.card, cents)\n"
LOCK = "def charge(order, cents):\n    with order.lock:\n        gateway.charge(order.card, cents)\n"
KEY = "def charge(order, cents):\n    gateway.charge(order.card, cents, key=order.id)\n"
FIRST = "Checkout charges twice when Pay is double-clicked. Fix it. Never change the signature of charge()."
SECOND = "Good. Now add refunds. Always count in integer cents, no floats."
THIRD = "Go on with the refunds."
SUMMARY = (
    "This session is being continued from a previous conversation that ran out of context. The user reported that"
    " checkout charges twice when Pay is double-clicked. The assistant fixed charge() in pay.py with an idempotency key;"
    " its tests pass. Then it added refund() to pay.py, whose test fails. Pending: finish the refunds, test a partial"
    " refund."
)


class Transcript:
    """A session as its agent records it; every method adds the lines that Claude Code would write."""

    def __init__(self, session: str, cwd: str, begins: datetime, branch: str = "main") -> None:
        self.session, self.cwd, self.begins, self.branch = session, cwd, begins, branch
        self.lines: list[str] = []
        self.tools = 0

    def human(self, text: str) -> Self:
        """The user sends a prompt."""
        return self._line("user", {"role": "user", "content": text})

    def agent(self, text: str) -> Self:
        """The agent says something."""
        return self._answer({"type": "text", "text": text})

    def call(self, tool: str, says: str = "", *, failed: bool = False, **arguments: Any) -> Self:
        """The agent uses a tool, and the tool answers."""
        self.tools += 1
        ident = f"toolu_{self.tools:04d}"
        self._answer({"type": "tool_use", "id": ident, "name": tool, "input": arguments})
        result = {
            "type": "tool_result",
            "tool_use_id": ident,
            "content": says,
            **({"is_error": True} if failed else {}),
        }
        return self._line("user", {"role": "user", "content": [result]})

    def run(self, command: str, says: str = "", *, failed: bool = False) -> Self:
        """The agent runs a command."""
        return self.call("Bash", says, failed=failed, command=command)

    def edit(self, path: str, old: str, new: str) -> Self:
        """The agent changes a file."""
        done = f"The file {self.cwd}/{path} has been updated."
        return self.call("Edit", done, file_path=f"{self.cwd}/{path}", old_string=old, new_string=new)

    def todos(self, **items: str) -> Self:
        """The agent sets its task list: `done`, `doing` and `left`, each with `; ` between its items."""
        word = {"done": "completed", "doing": "in_progress", "left": "pending"}
        listed = [
            {"content": item, "status": word[status], "activeForm": item}
            for status, texts in items.items()
            for item in texts.split("; ")
        ]
        return self.call("TodoWrite", "Todos have been modified successfully.", todos=listed)

    def compacts(self, summary: str, *, trigger: str = "auto", boundary: bool = True) -> Self:
        """The agent replaces the conversation by a summary. Old versions wrote no boundary."""
        if boundary:
            about = {"trigger": trigger, "preTokens": 168_000}
            self._line(
                "system", None, subtype="compact_boundary", compactMetadata=about, content="Conversation compacted"
            )
        return self._line("user", {"role": "user", "content": summary}, isCompactSummary=True)

    def text(self) -> str:
        """The whole file."""
        return "".join(f"{line}\n" for line in self.lines)

    def _answer(self, block: dict[str, Any]) -> Self:
        message = {"id": f"msg_{len(self.lines):05d}", "role": "assistant", "model": "a-model", "content": [block]}
        return self._line("assistant", message)

    def _line(self, kind: str, message: dict[str, Any] | None, **more: Any) -> Self:
        entry = {
            "type": kind,
            "sessionId": self.session,
            "cwd": self.cwd,
            "gitBranch": self.branch,
            "isSidechain": False,
            "uuid": f"{self.session[:8]}-{len(self.lines):06d}",
            "timestamp": f"{self.begins + len(self.lines) * STEP:%Y-%m-%dT%H:%M:%S.000Z}",
            **({"message": message} if message else {}),
            **more,
        }
        self.lines.append(json.dumps(entry, separators=(",", ":")))
        return self


def made_up(session: str, cwd: str) -> Transcript:
    """The demo's session, up to the moment when its context is full."""
    told = Transcript(session, cwd, datetime.now(UTC) - timedelta(minutes=12))
    told.human(FIRST)
    told.edit("pay.py", CHARGE, LOCK)
    told.run("pytest -q tests/test_pay.py", "E   Timeout: charge() waits for a lock that refund() holds", failed=True)
    told.agent(
        "The lock deadlocks with refund(). Decided to send order.id as an idempotency key instead of locking, because the"
        " gateway drops a second charge with the same key."
    )
    told.edit("pay.py", LOCK, KEY)
    told.run("pytest -q tests/test_pay.py", "3 passed in 0.31s")
    told.agent("Double clicks charge once now; the signature of charge() is unchanged.")
    told.human(SECOND)
    told.todos(doing="Write refund() in pay.py", left="Test a partial refund; Note both changes in CHANGELOG.md")
    told.edit("pay.py", "", REFUND)
    told.run("pytest -q tests/test_refund.py", "E   AssertionError: assert 9.99 == 999", failed=True)
    return told.agent("refund() is right, but form.py:31 passes it dollars. It must pass cents.")
