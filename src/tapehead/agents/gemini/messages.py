"""One message of Gemini's as steps, each with a name that stays the same when the agent writes the message again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.gemini import prompts
from tapehead.agents.gemini.calls import call
from tapehead.agents.gemini.results import IMAGE, responses, result
from tapehead.transcript import turns
from tapehead.transcript.entries import count, dicts, within, word
from tapehead.transcript.recorded_steps import HOOK, SYSTEM
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Message = dict[str, Any]
    Named = Iterator[tuple[str, turns.Step | Usage]]

CANCELLED = "Request cancelled."
"""What the host says where the user stops the agent."""


def steps(message: Message) -> Named:
    """Give what was said and done in a message, and what it cost."""
    tell = _MESSAGES.get(word(message, "type"))
    if tell is not None:
        yield from tell(message)


def _user(message: Message) -> Named:
    """Read words to the model: the user's, a hook's, the agent's; or what tools answered."""
    content = message.get("content")
    answered = isinstance(content, list) and any(within(part, "functionResponse") for part in content)
    for ident, text, failed in responses(content):
        if ident:
            yield f"result/{ident}", turns.Result(ident, text, failed)
    text = text_of(content)
    if answered:
        if text.strip():
            yield "beside", turns.Said(SYSTEM, text)  # what stands beside a tool's answer is part of it
    elif prompts.is_summary(text):
        yield "boundary", turns.Boundary("")
        yield "summary", turns.Said(turns.SUMMARY, prompts.summary_words(text))
    elif prompts.is_surroundings(text):
        yield "context", turns.Said(SYSTEM, text)
    else:
        typed = text_of(message["displayContent"]) if message.get("displayContent") else text
        if words := prompts.own_words(typed):
            yield "prompt", turns.Said(turns.HUMAN, words)
        if said := prompts.hook_words(text):
            yield "hook", turns.Said(HOOK, said)


def _gemini(message: Message) -> Named:
    """Read what the agent thought, said and did; a tool's answer stands in its call."""
    for n, thought in enumerate(dicts(message, "thoughts")):
        words = " ".join(filter(None, (word(thought, "subject"), word(thought, "description"))))
        if words:
            yield f"thought/{n}", turns.Said(turns.THINKING, words)
    content = message.get("content")
    if (text := text_of(content)).strip() and text != prompts.THANKS:
        yield "reply", turns.Said(turns.AGENT, text)
    made = [within(part, "functionCall") for part in content] if isinstance(content, list) else []
    for record in (*dicts(message, "toolCalls"), *filter(None, made)):
        yield f"call/{word(record, 'id')}", call(record)
        if answer := result(record):
            yield f"result/{answer.id}", answer
    if count(within(message, "tokens"), "total"):
        yield "tokens", _usage(message["tokens"])._replace(model=word(message, "model"))


def _notice(message: Message) -> Named:
    """Read what the agent said beside the conversation."""
    text = text_of(message.get("content"))
    if text.strip():
        yield "notice", turns.Said(turns.INTERRUPTED if text.strip() == CANCELLED else SYSTEM, text)


_MESSAGES: dict[str, Callable[[Message], Named]] = {
    "user": _user,
    "gemini": _gemini,
    "info": _notice,
    "error": _notice,
    "warning": _notice,
}


def text_of(content: Any) -> str:
    """Join the text of any content; an image is a note that there was one, and thoughts are not said."""
    found = []
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            found.append(part)
        elif within(part, "inlineData") or within(part, "fileData"):
            found.append(IMAGE)
        elif isinstance(part, dict) and not part.get("thought"):
            found.append(word(part, "text"))
    return "\n".join(text for text in found if text)


def _usage(tokens: Message) -> Usage:
    """Give what one message cost. Gemini counts what was cached as part of the input, and thoughts beside the output."""
    sent, cached = count(tokens, "input"), count(tokens, "cached")
    out = count(tokens, "output") + count(tokens, "thoughts")
    return Usage(max(0, sent - cached) + count(tokens, "tool"), out, cached, 0, 1, sent)
