"""What a rollout says was done: tool calls, what came back, and which call a process belongs to that outlived its call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.agents.codex import calls, patches, results
from tapehead.transcript import turns
from tapehead.transcript.entries import dicts, entry_of, first_word, take_list, within, word

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Payload = dict[str, Any]

_REMEMBERED = 200
_NO_ANSWER = ("web_search_call", "image_generation_call")
"""The agent's own service does these, and the file has nothing more of them."""
_LOOKS_AFTER = {"write_stdin": "session", "wait": "cell"}
_NUMBER = re.compile(r"\b(?:session|cell)_id: (\w{1,40})")


class Doing:
    """Reads calls and outputs. What it knows of calls that are not over is in `known`, which JSON can hold."""

    def __init__(self, known: dict[str, Any], *, echo: bool) -> None:
        self.known = known
        self.echo = echo
        """Whether what a process said later is also told as a result of the call that started it."""
        for key in ("parts", "unread", "running", "asked", "questions"):
            known.setdefault(key, {})

    def call(self, payload: Payload) -> Iterator[turns.Step]:
        """Read a tool call of any shape."""
        kind = word(payload, "type")
        ident = first_word(payload, "call_id", "id")
        tool = word(payload, "name") or kind.removesuffix("_call")
        given: Any = next((payload[key] for key in ("arguments", "input", "action") if payload.get(key)), {})
        made = calls.calls(ident, tool, given)
        self._await(ident, made)
        yield from made
        if kind in _NO_ANSWER:
            yield turns.Result(ident, word(payload, "status"), word(payload, "status") == "failed")

    def _await(self, ident: str, made: list[turns.Call]) -> None:
        """Remember what must be known of a call when its output comes."""
        first = made[0]
        if len(made) > 1:
            self._remember("parts", ident, len(made))
        if first.tool == calls.SCRIPT:
            self._remember("unread", ident, first.tool)
        number = _NUMBER.search(first.text) if first.tool in _LOOKS_AFTER else None
        if number:
            self._remember("asked", ident, f"{_LOOKS_AFTER[first.tool]} {number[1]}")
        if first.kind == turns.QUESTION:
            self._remember("questions", ident, _questions(first.arguments))

    def _remember(self, key: str, name: str, value: Any) -> None:
        """Keep something until it is asked for; what nobody asked for in a long time is forgotten."""
        kept = self.known[key]
        kept[name] = value
        while len(kept) > _REMEMBERED:
            del kept[next(iter(kept))]

    def expects(self, ident: str) -> bool:
        """Whether the output of a call means more than that it is over."""
        return any(ident in self.known[key] for key in ("parts", "asked", "questions"))

    def output(self, payload: Payload) -> Iterator[turns.Step]:
        """Read what a tool said, for each part of the call; and what it says of a process that another call started."""
        ident = first_word(payload, "call_id", "id")
        told = results.Output(payload.get("output"))
        self.known["unread"].pop(ident, None)
        answers = _answers(told.text, self.known["questions"].pop(ident, {}))
        yield turns.Result(ident, answers or told.text, told.failed)
        for n in range(1, self.known["parts"].pop(ident, 1)):
            yield turns.Result(calls.part(ident, n), "", told.failed)
        started = self.known["running"].get(self.known["asked"].pop(ident, ""), ident)
        if told.running:
            self._remember("running", told.running, started)
        if self.echo and started != ident and (told.text.strip() or told.exit_code is not None):
            yield turns.Result(started, told.text, told.failed)

    def beside(self, payload: Payload) -> Iterator[turns.Step]:
        """Read what the agent wrote down of a patch or a command in a script that could not be read; else it is known."""
        ident = first_word(payload, "call_id", "id")
        if not self.known["unread"] or not ident or ident in self.known["unread"]:
            return
        failed = payload.get("success") is False or word(payload, "status") == "failed"
        for n, fields in enumerate(_recorded(payload)):
            said = "" if n else first_word(payload, "aggregated_output", "stdout")
            yield turns.Call(calls.part(ident, n), **fields)
            yield turns.Result(calls.part(ident, n), said, failed)


def _recorded(payload: Payload) -> Iterator[dict[str, Any]]:
    yield from ({"tool": "apply_patch", **fields} for fields in patches.read_recorded(payload.get("changes")))
    command = payload.get("command")
    if isinstance(command, list):
        yield {"tool": "exec_command", "kind": turns.RUN, "text": calls.command({"command": command})}


def _questions(arguments: dict[str, Any]) -> dict[str, str]:
    return {word(one, "id"): word(one, "question") for one in dicts(arguments, "questions")}


def _answers(text: str, questions: dict[str, str]) -> str:
    """Give the user's answers, each with its question; nothing where there are none."""
    answers = within(entry_of(text.encode(errors="replace")), "answers") if questions else {}
    return "\n".join(f'"{questions.get(ident, ident)}"="{_chosen(one)}"' for ident, one in answers.items())


def _chosen(answer: Any) -> str:
    return ", ".join(one for one in take_list(answer, "answers") if isinstance(one, str))
