"""A transcript in the plain form: a message on each line, with who speaks, what, and if it can be had when and where.

The names of fields that agents and model APIs use for these are all known; docs/agents.md lists them. What a line lacks is taken from the lines before it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tapehead.agents.lines import Lines, Telling
from tapehead.agents.plain.places import WORDS, message_of, role_of, session_of
from tapehead.transcript import turns
from tapehead.transcript.entries import count, dicts, entry_of, first_word, take_list, within, word
from tapehead.transcript.recorded_steps import SYSTEM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tapehead.agents.lines import Entry, Named

_WHO = dict.fromkeys(("user", "human"), turns.HUMAN) | dict.fromkeys(("assistant", "agent", "model", "ai"), turns.AGENT)
_COMPACTIONS = ("compaction", "compact", "compacted", "compression", "summary", "summarization", "context_compacted")
_TIME = ("timestamp", "time", "created_at", "createdAt", "created", "ts", "date")
_CWD = ("cwd", "directory", "workdir", "working_directory", "workingDirectory", "workspace", "project")
_CALLS = ("tool_use", "tool_call", "function_call", "toolCall", "tool-call")
_RESULTS = ("tool_result", "function_call_output", "toolResult", "tool-result")
_GIVEN = ("input", "arguments", "args", "parameters")
_CALL_ID = ("tool_call_id", "tool_use_id", "toolCallId", "toolUseId", "call_id", "callId", "id")
_MILLISECONDS = 100_000_000_000
"""A number of seconds that is so large is one of milliseconds."""
_SHORT = 160
_KINDS = (
    (turns.RUN, ("bash", "shell", "exec", "terminal", "run_command", "command")),
    (turns.EDIT, ("edit", "replace", "patch")),
    (turns.WRITE, ("write", "create")),
    (turns.SEARCH, ("grep", "search", "glob", "find", "list", "fetch")),
    (turns.READ, ("read", "view", "open", "cat")),
)
"""A kind of tool, by words in the names that agents give theirs."""


class _Messages(Telling):
    """Reads messages. A line without a name goes by its number."""

    def ident(self, entry: Entry) -> str:
        self.known["line"] = count(self.known, "line") + 1
        return first_word(entry, "id", "uuid", "message_id") or f"line-{self.known['line']}"

    def steps(self, entry: Entry) -> Named:
        message, role = message_of(entry), role_of(entry)
        self.time = _time(entry) or _time(message) or self.time
        for each in (entry, message):
            self.cwd, self.model = first_word(each, *_CWD) or self.cwd, word(each, "model") or self.model
            self.branch = first_word(each, "branch", "gitBranch", "git_branch") or self.branch
        if {role, word(entry, "type").lower(), word(entry, "subtype").lower()} & {*_COMPACTIONS}:
            manual = "manual" in (word(entry, "trigger"), word(entry, "reason"))
            yield "boundary", turns.Boundary("manual" if manual else "auto", count(entry, "tokens"))
            if text := "\n".join(_texts(message)) or first_word(entry, "summary"):
                yield "summary", turns.Said(turns.SUMMARY, text)
        elif role in ("tool", "function"):
            yield from self._answered(message)
        else:
            yield from self._said(message, role)

    def _said(self, message: Entry, role: str) -> Named:
        for number, text in enumerate(_texts(message)):
            yield str(number), turns.Said(_WHO.get(role, SYSTEM), text)
        for part in _parts(message):
            if word(part, "type") in ("thinking", "reasoning") and (thought := first_word(part, "thinking", "text")):
                yield "thought", turns.Said(turns.THINKING, thought)
            elif word(part, "type") in _CALLS:
                yield self._called(part)
            elif word(part, "type") in _RESULTS:
                yield from self._answered(part)
        for made in (*dicts(message, "tool_calls"), *dicts(message, "toolCalls")):
            yield self._called({**made, **within(made, "function")})

    def _called(self, part: Entry) -> tuple[str, turns.Call]:
        ident = first_word(part, "id", *_CALL_ID) or f"call-{count(self.known, 'line')}"
        given = next((found for name in _GIVEN if (found := _object(part.get(name)))), {})
        return f"call/{ident}", _call(ident, first_word(part, "name", "tool", "tool_name", "toolName"), given)

    def _answered(self, part: Entry) -> Named:
        ident = first_word(part, *_CALL_ID) or f"call-{max(0, count(self.known, 'line') - 1)}"
        text = "\n".join(_texts(part)) or first_word(part, "output", "result")
        failed = part.get("is_error") is True or part.get("isError") is True or bool(word(part, "error"))
        yield f"result/{ident}", turns.Result(ident, text or word(part, "error"), failed)


def _call(ident: str, tool: str, given: Entry) -> turns.Call:
    low = tool.lower()
    kind = next((kind for kind, words in _KINDS if any(each in low for each in words)), turns.OTHER)
    old, new = first_word(given, "old_string", "old_str", "old"), first_word(given, "new_string", "new_str", "new")
    words = first_word(given, "command", "cmd", "content", "contents", "pattern", "query", "prompt", "patch", "url")
    others = (f"{key}: {value}" for key, value in given.items() if isinstance(value, str | int) and value != "")
    path = first_word(given, "path", "file_path", "filePath", "filename", "file", "target_file")
    text = words or ", ".join(other[:_SHORT] for other in others)[:_SHORT]
    return turns.Call(ident, tool, kind, path, text, ((old, new),) if old or new else (), arguments=given)


def _parts(message: Entry) -> list[Entry]:
    return [part for name in WORDS for part in dicts(message, name)]


def _texts(message: Entry) -> Iterator[str]:
    """What is said: words, or parts with words in them."""
    plain = first_word(message, "content", "text", "message")
    told = [each for name in WORDS for each in take_list(message, name)]
    texts = [plain, *(each if isinstance(each, str) else _text_of(each) for each in told)]
    return (text for text in texts if text.strip())


def _text_of(part: object) -> str:
    return word(part, "text") if word(part, "type") in ("", "text", "output_text", "input_text") else ""


def _object(value: object) -> dict[str, Any]:
    """Arguments may be an object, or its JSON as text."""
    return value if isinstance(value, dict) else entry_of(value.encode()) if isinstance(value, str) else {}


def _time(entry: Entry) -> str:
    if said := first_word(entry, *_TIME):
        return said
    found = next((entry[name] for name in _TIME if isinstance(entry.get(name), int | float)), 0)
    seconds = found / 1000 if found > _MILLISECONDS else found
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z") if seconds > 0 else ""


def _begun(path: str, known: dict[str, Any]) -> _Messages:
    return _Messages(session_of(path), known)


LINES = Lines(_begun)
read, skim, newest = LINES.read, LINES.skim, LINES.newest
