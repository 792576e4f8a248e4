"""L1 without a model: one line that says what was asked and what came of it. Pure, and taken from their own words."""

from __future__ import annotations

import os
import re
from itertools import chain
from typing import NamedTuple

from tapehead.work_record.sentences import each_sentence, flat

ASKED, CAME = 44, 52
"""Characters of either half: together about as many tokens as a line of a diary."""
_ARROW = " → "
_ENOUGH = 8_000
"""Characters of a prompt or a reply that are looked at: whole files are pasted into some."""
_A_HEADING = 3
"""Words of a heading, which says nothing by itself."""
_FILLER = re.compile(
    r"^(?:(?:ok(?:ay)?|so|now|yes|yeah|no|great|good|perfect|thanks?|thank you|hi|hello|hey|alright|well|hm+|also|and|but|then|please|pls|actually"
    r"|can you|could you|would you|can we|could we|will you|i(?:'d| would) like (?:you )?to|i want (?:you )?to|i need (?:you )?to|you (?:should|need to|can|must)"
    r"|we (?:should|need to|can|must)|let'?s|let us|go ahead and|just|try to|make sure (?:to|that)|help me(?: to)?|i think|maybe|for now|next)\b[\s,.!:;-]*)+",
    re.IGNORECASE,
)
_RESULTS = frozenset(
    {
        *("fixed", "added", "created", "updated", "implemented", "removed", "deleted", "renamed"),
        *("refactored", "moved", "replaced", "pushed", "committed", "merged", "installed", "wrote"),
        *("written", "passes", "passed", "passing", "failed", "fails", "failing", "works"),
        *("working", "done", "complete", "completed", "found", "resolved", "changed", "built"),
        *("deployed", "released", "verified", "confirmed", "ready", "cannot", "couldn't"),
    }
)
_RESULT = re.compile(r"\b(?:root cause|the (?:issue|problem|bug|fix) (?:is|was)|no longer|could not)\b")
_WORDS = re.compile(r"[a-z']+")
_ANNOUNCES = re.compile(
    r"^(?:now |next |first |then |good[,.!]? |great[,.!]? |perfect[,.!]? )?(?:let me|i'll|i will|i'm going to|let's)\b",
    re.IGNORECASE,
)
_LEADS_IN = re.compile(r"\b(?:following|below)\b[^:]{0,20}:$", re.IGNORECASE)
_MARKS = re.compile(r"\*\*|__|^#+\s*|^[-*•]\s+|[✅❌✓✔🎉🚀⚠️]+\s*")
_NO_MARKS = frozenset("*_#-[")
"""In plain ASCII, every mark and every link has one of these."""
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class Happened(NamedTuple):
    """What a turn's line is made of."""

    prompts: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    """Files, in the order of their edits."""
    ran: tuple[str, ...] = ()
    """Commands."""
    tools: int = 0
    """Calls in all."""


def headline(turn: Happened) -> str:
    """The line; empty where nothing at all happened."""
    asked = _asked(turn.prompts)
    came = _came(turn)
    return _ARROW.join(half for half in (asked, came) if half)


def _asked(prompts: tuple[str, ...]) -> str:
    """The first sentence of the prompt that asks for something, without the words around it."""
    for prompt in prompts:
        told = each_sentence(prompt[:_ENOUGH])
        first = next(told, "") or flat(prompt[:_ENOUGH])
        asks = (one for one in chain((first,), told) if len(_bare(one).split()) > 1)
        best = _bare(next(asks, first))
        if _LEADS_IN.search(best) and (next_one := next(told, "")):
            after = _bare(next_one)
            best = f"{best} {after}"  # "Implement the following plan:" says nothing without its first line
            best = best if len(best) <= ASKED else after
        if best:
            return _short(best, ASKED)
    return ""


def _bare(sentence: str) -> str:
    bare = _FILLER.sub("", _plain(sentence))
    return bare or _plain(sentence)


def _came(turn: Happened) -> str:
    said = _outcome(turn.replies)
    files = _files(turn.edited)
    if said and files and len(said) + len(files) + 3 <= CAME:
        return f"{said} ({files})"
    if said:
        return _short(said, CAME)
    if files:
        return _short(f"edited {files}", CAME)
    if turn.ran:
        return _short(f"ran {flat(turn.ran[-1])}", CAME)
    return f"{turn.tools} tool calls" if turn.tools > 1 else "one tool call" if turn.tools else "no answer"


def _outcome(replies: tuple[str, ...]) -> str:
    """The sentence of the last reply that says what came of it; other words of it where none does."""
    return next((best for reply in reversed(replies) if (best := _telling(reply[:_ENOUGH]))), "")


def _telling(reply: str) -> str:
    """What an agent did it says first: the first result counts, then whole sentences, then what it announced."""
    others: dict[str, str] = {}
    for one in filter(None, map(_plain, each_sentence(reply, 400))):
        if one.endswith(":"):
            continue
        if _ANNOUNCES.match(one):
            others.setdefault("announced", one)
        elif _tells_a_result(one.lower()):
            return one
        else:
            others.setdefault("whole" if len(one.split()) > _A_HEADING else "short", one)
    return next((others[kind] for kind in ("whole", "short", "announced") if kind in others), "") or _plain(
        next(each_sentence(reply, 400), reply)
    )


def _tells_a_result(lowered: str) -> bool:
    return not _RESULTS.isdisjoint(_WORDS.findall(lowered)) or bool(_RESULT.search(lowered))


def _files(paths: tuple[str, ...]) -> str:
    names = list(dict.fromkeys(os.path.basename(path) for path in paths))
    more = f" +{len(names) - 2}" if len(names) > 2 else ""  # noqa: PLR2004 - two names fit on a line
    return ", ".join(names[:2]) + more


def _plain(text: str) -> str:
    """Without the marks of Markdown; most sentences have none, and a look for them is cheaper than the patterns."""
    if not text.isascii() or not _NO_MARKS.isdisjoint(text):
        text = _LINK.sub(r"\1", _MARKS.sub("", text))
    return flat(text)


def _short(text: str, longest: int) -> str:
    """Cut between words."""
    if len(text) <= longest:
        return text.rstrip(" .:,;") or text
    kept = text[: longest - 1]
    return (kept.rsplit(" ", 1)[0] if " " in kept[longest // 2 :] else kept).rstrip(" .:,;(") + "…"
