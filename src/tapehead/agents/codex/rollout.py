"""The lines of Codex's rollouts, of all versions so far, as steps.

What the lines look like was found by reading many: `response_item` is what the model was given and what it said, and is complete in
every version; `event_msg` repeats most of it for the screen, in two formats, and adds the counts of tokens. So the items are read,
and of the events only what stands nowhere else. The oldest files have the items with nothing around them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.codex import prompts
from tapehead.agents.codex.activity import Doing
from tapehead.agents.codex.results import IMAGE
from tapehead.transcript import turns
from tapehead.transcript.entries import count, dicts, take_list, within, word
from tapehead.transcript.recorded_steps import HOOK, SYSTEM
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Payload = dict[str, Any]
    Steps = Iterator[turns.Step | Usage]

_SPEAKER = {prompts.HOST: SYSTEM, prompts.HOOK: HOOK, prompts.SUMMARY: turns.SUMMARY}


class Rollout:
    """Reads entries one after another; what it must know from one to the next is in `known`, which JSON can hold."""

    def __init__(self, known: dict[str, Any] | None = None, *, echo: bool = True) -> None:
        self.known: dict[str, Any] = known if known is not None else {}
        self.doing = Doing(self.known, echo=echo)
        self.time = self.session = self.branch = self.cwd = self.model = self.version = self.subagent = ""

    def take(self, entry: dict[str, Any]) -> Steps:
        """Read one line: what was said and done in it, and what it cost."""
        payload = entry.get("payload", entry)
        take = _LINES.get(kind_of(entry))
        self.time = word(entry, "timestamp") or self.time
        if _is_summarising(entry):
            self.known["before"] = self.known.get("context", 0)  # what is counted from here on is the summary's own
        elif take is not None and isinstance(payload, dict):
            yield from take(self, payload)

    def meta(self, payload: Payload) -> Steps:
        """Read whose file it is. A fork may have copied the same line of its parent: the first one counts."""
        ident = word(payload, "id")
        if not self.session:
            self.session, self.subagent = belongs(payload)
        if ident in (self.subagent, self.session):
            self.branch = word(within(payload, "git"), "branch") or self.branch
            self.cwd = word(payload, "cwd") or self.cwd
            self.version = word(payload, "cli_version") or self.version
        yield from ()

    def context(self, payload: Payload) -> Steps:
        """Read where a turn is worked on, and by which model."""
        self.cwd = word(payload, "cwd") or self.cwd
        self.model = word(payload, "model") or self.model
        yield Usage(model=self.model)

    def item(self, payload: Payload) -> Steps:
        """Read what the model was given, or said, or did."""
        take = _ITEMS.get(word(payload, "type"))
        if take is not None:
            yield from take(self, payload)

    def message(self, payload: Payload) -> Steps:
        """Read words: the user's, the agent's, or the host's in the mouth of either."""
        role = word(payload, "role")
        if role == "assistant":
            self.known.pop("aborted", None)
            yield from (turns.Said(turns.AGENT, text) for text, _ in parts(payload) if text.strip())
        elif role == "user":
            yield from self._given(payload)
        else:
            yield from (
                turns.Said(HOOK if kind.startswith("hooks.") else SYSTEM, text) for text, kind in parts(payload)
            )

    def _given(self, payload: Payload) -> Steps:
        own: list[str] = []
        for text, kind in parts(payload):
            who = prompts.whose(text, kind)
            if who == prompts.PERSON:
                own += [words] if (words := prompts.own_words(text)) else []
            elif who == prompts.ABORTED:
                yield from self._aborted("interrupted")
            else:
                yield turns.Said(_SPEAKER[who], prompts.summary_words(text) if who == prompts.SUMMARY else text)
        if own:
            yield turns.Said(turns.HUMAN, "\n".join(own), queued=self._at_work())

    def _at_work(self) -> bool:
        """Whether the agent was at work already: the second prompt of a task was typed meanwhile."""
        queued = self.known.get("task") == "asked"
        if "task" in self.known:
            self.known["task"] = "asked"
        self.known.pop("aborted", None)
        return queued

    def reasoning(self, payload: Payload) -> Steps:
        """Read thinking: the summary, and all of it where the agent keeps it."""
        for key in ("summary", "content"):
            texts = (word(one, "text") for one in dicts(payload, key))
            yield from (turns.Said(turns.THINKING, text) for text in texts if text.strip())

    def call(self, payload: Payload) -> Steps:
        """Read a tool call."""
        return self.doing.call(payload)

    def output(self, payload: Payload) -> Steps:
        """Read what a tool said."""
        return self.doing.output(payload)

    def event(self, payload: Payload) -> Steps:
        """Read an event: only what no item says."""
        take = _EVENTS.get(word(payload, "type"))
        if take is not None:
            yield from take(self, payload)

    def started(self, payload: Payload) -> Steps:
        """A task begins: what is typed after its first prompt is typed while the agent is at work. It names the window."""
        self.known["task"] = "begun"
        self.known.pop("aborted", None)
        yield Usage(window=count(payload, "model_context_window"))

    def ended(self, payload: Payload) -> Steps:
        """A task is over, or was stopped."""
        self.known.pop("task", None)
        if word(payload, "type") == "turn_aborted":
            yield from self._aborted(word(payload, "reason"))

    def _aborted(self, reason: str) -> Steps:
        """The user stopped the agent; the host says so twice, as an event and to the model."""
        if not self.known.get("aborted"):
            self.known["aborted"] = True
            yield turns.Said(turns.INTERRUPTED, reason)

    def tokens(self, payload: Payload) -> Steps:
        """Read the counts; the same total again is no new message, but the window may be emptier."""
        info = within(payload, "info")
        if not (last := within(info, "last_token_usage")):
            return
        used = usage(last, count(info, "model_context_window"))
        again = info.get("total_token_usage") == self.known.get("total")
        self.known.update(total=info.get("total_token_usage"), context=used.context)
        yield Usage(context=used.context, window=used.window) if again else used

    def compacted(self, payload: Payload) -> Steps:
        """Read a compaction. What is kept of the history stands in it once more: nobody said that again."""
        yield turns.Boundary("", int(self.known.pop("before", 0) or self.known.get("context", 0)))
        yield turns.Said(turns.SUMMARY, prompts.summary_words(word(payload, "message")))

    def beside(self, payload: Payload) -> Steps:
        """Read what the agent wrote down of work that a script did."""
        return self.doing.beside(within(payload, "item") or payload)


def kind_of(entry: dict[str, Any]) -> str:
    """What a line is; in the oldest files an item is the line itself, and the first line says whose file it is."""
    if "payload" in entry:
        return word(entry, "type")
    return "response_item" if "type" in entry else "session_meta"


def _is_summarising(entry: dict[str, Any]) -> bool:
    """Whether the words are the summary that a compaction asked for: they stand in the compaction too."""
    return within(entry, "metadata").get("compaction_output") is True


def belongs(meta: Payload) -> tuple[str, str]:
    """Give the session that a file belongs to, and the subagent whose file it is, if it is one's."""
    ident, session = word(meta, "id"), word(meta, "session_id")
    source = within(meta, "source")
    if "subagent" not in source and word(meta, "thread_source") != "subagent":
        return ident or session, ""
    spawned = within(within(source, "subagent"), "thread_spawn")
    parent = word(meta, "parent_thread_id") or word(spawned, "parent_thread_id")
    return (session if session != ident else "") or parent or ident, ident


def parts(payload: Payload) -> Iterator[tuple[str, str]]:
    """Give the texts of a message, each with what newer versions say of it; an image is a note that there was one."""
    content = payload.get("content")
    kinds = take_list(within(payload, "internal_chat_message_metadata_passthrough"), "content_item_kinds")
    for n, one in enumerate(content if isinstance(content, list) else [{"text": content}]):
        kind = kinds[n] if n < len(kinds) and isinstance(kinds[n], str) else ""
        text = IMAGE if word(one, "type") == "input_image" else word(one, "text")
        if text:
            yield text, kind


def usage(counts: Payload, window: int) -> Usage:
    """Give what one message cost. Codex counts what was cached as part of the input; right after a compaction only the total is known."""
    sent, cached, written = (
        count(counts, key) for key in ("input_tokens", "cached_input_tokens", "cache_write_input_tokens")
    )
    out, context = count(counts, "output_tokens"), sent or count(counts, "total_tokens")
    return Usage(max(0, sent - cached - written), out, cached, written, int(bool(sent or out)), context, window)


_LINES: dict[str, Callable[[Rollout, Payload], Steps]] = {
    "session_meta": Rollout.meta,
    "turn_context": Rollout.context,
    "response_item": Rollout.item,
    "event_msg": Rollout.event,
    "compacted": Rollout.compacted,
}
_ITEMS: dict[str, Callable[[Rollout, Payload], Steps]] = {
    "message": Rollout.message,
    "reasoning": Rollout.reasoning,
    "function_call": Rollout.call,
    "custom_tool_call": Rollout.call,
    "local_shell_call": Rollout.call,
    "web_search_call": Rollout.call,
    "tool_search_call": Rollout.call,
    "image_generation_call": Rollout.call,
    "function_call_output": Rollout.output,
    "custom_tool_call_output": Rollout.output,
    "tool_search_output": Rollout.output,
}
_EVENTS: dict[str, Callable[[Rollout, Payload], Steps]] = {
    "task_started": Rollout.started,
    "turn_started": Rollout.started,
    "task_complete": Rollout.ended,
    "turn_complete": Rollout.ended,
    "turn_aborted": Rollout.ended,
    "token_count": Rollout.tokens,
    "patch_apply_end": Rollout.beside,
    "item_completed": Rollout.beside,
}
