"""What stands in the content of Claude Code's messages, and in its notices about work in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.claude.calls import call
from tapehead.agents.claude.prompts import between, is_refused
from tapehead.transcript import turns
from tapehead.work_record.files_in_play import above

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

IMAGE = "[image]"
_OVER = ("completed", "failed", "killed", "stopped")
_TASKS = ("task_id", "shell_id", "shellId")
"""What a task is called, where the agent looks at it or ends it."""


class Blocks:
    """Reads blocks, and remembers which call started which background task."""

    def __init__(self) -> None:
        self.started: dict[str, str] = {}

    def told(self, entry: dict[str, Any]) -> tuple[str, list[turns.Result]]:
        """Take a `user` line apart: its words, and what tools said in it."""
        message = entry.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            return content, []
        blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
        about = entry.get("toolUseResult")
        about = about if isinstance(about, dict) else {}
        time = entry.get("timestamp")
        started = (self._started(about), time if isinstance(time, str) else "")
        results = [self._result(one, about, *started) for one in blocks if one.get("type") == "tool_result"]
        if is_refused(entry):
            results = [one._replace(refused=True) for one in results]
        return self.words([one for one in blocks if one.get("type") != "tool_result"]), results + self._ended(about)

    def _result(self, block: dict[str, Any], about: dict[str, Any], task: str, time: str) -> turns.Result:
        ident = str(block.get("tool_use_id", ""))
        for key in ("backgroundTaskId", "agentId"):
            if isinstance(about.get(key), str):
                self.started[about[key]] = ident
        words, failed = self.words(block.get("content")), block.get("is_error") is True
        return turns.Result(ident, words, failed, self._before(about), task=task, time=time if task else "")

    @staticmethod
    def _started(about: dict[str, Any]) -> str:
        """Give the task that was only started: a shell in the background, or a subagent that nobody waits for."""
        task = about.get("agentId") if about.get("isAsync") is True else about.get("backgroundTaskId")
        return task if isinstance(task, str) else ""

    def _before(self, about: dict[str, Any]) -> str:
        before = about.get("originalFile")
        return before if isinstance(before, str) else ""

    def _ended(self, about: dict[str, Any]) -> list[turns.Result]:
        """Tell of a background task that turned out to be over when the agent looked, or that the agent ended."""
        task = about.get("task")
        task = task if isinstance(task, dict) else about
        name = next((task[key] for key in _TASKS if isinstance(task.get(key), str)), "")
        status = task.get("status")
        ident = self.started.get(name)
        if ident and (status in _OVER or (status is None and isinstance(task.get("message"), str))):
            return [
                turns.Result(ident, str(status or "killed"))
            ]  # who ends a task is told so by a message, without a status
        return []

    def notices(self, text: str) -> Iterator[turns.Result]:
        """Tell what a notice about a background task says, as that task's second result."""
        if not text.lstrip().startswith("<task-notification>"):
            return
        for notice in text.split("<task-notification>")[1:]:
            ident = between(notice, "<tool-use-id>", "</tool-use-id>")
            ident = ident or self.started.get(between(notice, "<task-id>", "</task-id>"), "")
            if ident:
                failed = between(notice, "<status>", "</status>") not in ("completed", "")
                yield turns.Result(ident, between(notice, "<summary>", "</summary>"), failed)

    @staticmethod
    def words(content: Any) -> str:
        """Join the text of any content; an image is a note that there was one."""
        if isinstance(content, str):
            return content
        blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
        texts = (IMAGE if one.get("type") == "image" else one.get("text") for one in blocks)
        return "\n".join(text for text in texts if isinstance(text, str))

    @staticmethod
    def done(message: dict[str, Any]) -> Iterator[turns.Step]:
        """Give what the agent said, thought and called in one line."""
        content = message.get("content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for block in content if isinstance(content, list) else []:
            kind = block.get("type") if isinstance(block, dict) else None
            if not isinstance(kind, str):
                continue
            if kind == "tool_use":
                yield call(block)
            elif kind in _SPOKEN and isinstance(block.get(kind), str) and block[kind].strip():
                yield turns.Said(_SPOKEN[kind], block[kind])


class Lean(Blocks):
    """For a work record: of a file before an edit, only what tells which function the edit stands in is kept."""

    def _before(self, about: dict[str, Any]) -> str:
        old = about.get("oldString")
        before = super()._before(about)
        return above(before, old) if isinstance(old, str) else before


_SPOKEN = {"text": turns.AGENT, "thinking": turns.THINKING}
