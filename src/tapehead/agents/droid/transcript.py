"""Droid's own record of a session: a message on each line, and where it was compacted. What was found by running `droid exec`.

Hooks and what only the model is shown stand among the messages, and say so (`visibility`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.droid.calls import call
from tapehead.agents.droid.places import session_of
from tapehead.agents.lines import Lines, Telling
from tapehead.transcript import turns
from tapehead.transcript.entries import dicts, entry_of, within, word
from tapehead.transcript.recorded_steps import HOOK, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from tapehead.agents.lines import Entry, Named

    Message = dict[str, Any]

_REMINDER = "<system-reminder>"


class _Messages(Telling):
    """Reads messages."""

    def meet(self, entry: Entry) -> None:
        self.cwd, self.title = word(entry, "cwd"), word(entry, "title")

    def ident(self, entry: Entry) -> str:
        return word(entry, "id")

    def steps(self, entry: Entry) -> Named:
        self.time = word(entry, "timestamp") or self.time
        tell = _TOLD.get(word(entry, "type"))
        if tell is not None:
            yield from tell(self, entry)

    def message(self, entry: Entry) -> Named:
        """Read what was said and done."""
        message = within(entry, "message")
        self.model = word(message, "modelId") or self.model
        for number, said in enumerate(hooks_words(message)):
            yield f"hook/{number}", turns.Said(HOOK, said)
        speaker = {"user": _asker(message), "assistant": turns.AGENT}.get(word(message, "role"))
        for number, part in enumerate(parts(message) if speaker else ()):
            tell = _PARTS.get(word(part, "type"))
            for name, step in tell(part, speaker) if tell and speaker else ():
                yield name or str(number), step

    def compaction(self, entry: Entry) -> Named:
        """Read where the agent dropped context, and what it kept."""
        yield "boundary", turns.Boundary("")
        yield "summary", turns.Said(turns.SUMMARY, word(entry, "summaryText"))


_TOLD: dict[str, Callable[[_Messages, Entry], Named]] = {
    "message": _Messages.message,
    "compaction_state": _Messages.compaction,
}


def parts(message: Message) -> list[Message]:
    """Give the parts of a message, of which one in plain words has one."""
    plain = word(message, "content")
    return [{"type": "text", "text": plain}] if plain else dicts(message, "content")


def hooks_words(message: Message) -> Iterator[str]:
    """Give what hooks told the model: the agent writes down what each printed."""
    for result in dicts(message, "hookResults") if word(message, "hookEventName") else ():
        printed = word(result, "stdout")
        inside = within(entry_of(printed.encode(errors="replace")), "hookSpecificOutput")
        if said := word(inside, "additionalContext"):
            yield said


def prompts(lines: bytes) -> Iterator[str]:
    """Give the user's words in some lines of a record."""
    for line in lines.splitlines():
        message = within(entry_of(line), "message") if b'"message"' in line else {}
        if word(message, "role") == "user" and _asker(message) == turns.HUMAN:
            words = [word(part, "text") for part in parts(message) if word(part, "type") == "text"]
            said = "\n".join(text for text in words if not text.startswith(_REMINDER))
            if said.strip():
                yield said


def _asker(message: Message) -> str:
    """Whose words a message of the user's side holds: their own, unless the agent says that only one of the two sees it."""
    return SYSTEM if word(message, "visibility") in ("llm_only", "user_only") else turns.HUMAN


def _text(part: Message, who: str) -> Named:
    if words := word(part, "text").strip():
        yield "", turns.Said(SYSTEM if words.startswith(_REMINDER) else who, word(part, "text"))


def _thought(part: Message, who: str) -> Named:  # noqa: ARG001 - one shape for all parts
    if word(part, "thinking").strip():
        yield "", turns.Said(turns.THINKING, word(part, "thinking"))


def _call(part: Message, who: str) -> Named:  # noqa: ARG001 - as above
    ident = word(part, "id")
    yield f"call/{ident}", call(ident, word(part, "name"), within(part, "input"))


def _result(part: Message, who: str) -> Named:  # noqa: ARG001 - as above
    ident = word(part, "tool_use_id")
    text = word(part, "content") or "\n".join(word(one, "text") for one in dicts(part, "content"))
    code = text.rpartition("[Process exited with code ")[2].split("]")[0] if "[Process exited" in text else "0"
    yield f"result/{ident}", turns.Result(ident, text, part.get("is_error") is True or code != "0")


_PARTS: dict[str, Callable[[Message, str], Named]] = {
    "text": _text,
    "thinking": _thought,
    "tool_use": _call,
    "tool_result": _result,
}


def _begun(path: str, known: dict[str, Any]) -> _Messages:
    return _Messages(session_of(path), known)


LINES = Lines(_begun)
read, skim, newest = LINES.read, LINES.skim, LINES.newest
