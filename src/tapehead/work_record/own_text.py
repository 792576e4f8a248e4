"""Which prompts are plainly nothing but the user's own typed request: only those can set a rule.

A text that somebody hands over can't be told from typing by its own words. So the question is turned round: a prompt counts only where every
part of it reads as a short request to the agent, and nothing in it names a text, a source or a speaker, points at a text, or has the structure
of one. A rule that is missed does less harm than one that nobody set: its words still stand in the prompt that the brief quotes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tapehead.work_record import german_french
from tapehead.work_record.pointing_back import ORDERS, asks_of_what_came
from tapehead.work_record.request_words import (
    BEGINS_ORDER,
    COURTESY,
    DETERMINERS,
    HANDLES,
    LEADS,
    OWN_LABELS,
    OWN_SPEAKERS,
    OWN_WISHES,
    POINTERS,
    POINTING,
    PREPOSITIONS,
    REWORKS,
    REWRITES,
    SELF,
    SPEAKS,
    TEXTS,
    VERBS,
    VOICE,
    WORKS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WORDS, MOST_LINES = 120, 12
"""Words and lines of a prompt that is still taken for a request: what is longer is mostly pasted."""
_IMAGE = "[image]"
_APART = re.compile(r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!etc\.)[\"')\]]*\s+")
_MARK = re.compile(r"^(?:[-*•+]\s+|\(?\d{1,2}[.)]\s+|[a-z]\)\s+|\[[ x]?\]\s+)+")
_WORD = re.compile(r"[\w'’/#@+.-]*\w")  # noqa: RUF001 - the other apostrophe
_STRUCTURE = re.compile(
    r"```|~~~|\"\"|^\s*[>|#<{}\[$%]|^(?: {2,}|\t)\S|\t\S|[│├└┌╲○░⎿⏺\u276f]|\x1b|</?[a-zA-Z!][\w:-]*[ />]|<\||[{}]\s*$|^\s*[=_*~-]{3,}\s*$|"
    r"^\s*(?:from|to|cc|subject|date|sent|re|fwd?|title|description): ?\S|^\s*https?://\S+\s*$|\w+@\w+\.\w+|^\s*(?:[-+*] ?)?(?://|/\*|\w+=\S)|"
    r"^\s*\[?\d{4}-\d\d-\d\d|^\s*\[?\d{1,2}:\d\d|\d{1,2}:\d\d ?[ap]m\b|^\s*v\d+\.\d+|^\s*[A-Z]{2,10}-\d+\b|"
    r"\b(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|ERR!|Traceback)\b|^\s*at \S+\(| -- | - [A-Z].* - [A-Z]| \| |\|\s*$|/ .+ / |->|=>|\u2192|>>|^\s*\(\w+\) |^\s*\w+(?: \([^)\n]{1,20}\))? ?[>\u2013\u2014-] \w",
    re.MULTILINE,
)
"""What documents, mails, logs, terminals, tables, dialogues and code look like."""
_QUOTED = re.compile(
    r"\"[^\"\n]*\"|(?<!\w)'[^'\n]*(?:'\w[^'\n]*)*'(?!\w)|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^’]*’(?!\w)"  # noqa: RUF001 - how people quote
)
_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_LABEL = re.compile(r"^([^:\n]{1,80}?)\s*:(?=\s|$)")
_THINGS = r"transcripts?|instructions?|issues?|bugs?|errors?|logs?|output|messages?|comments?|notes|lists?|rules?|docs?|documents?|documentation|readme|changelog|plan|pr|diff|patch|warnings?|response|answer|config|snippet|page|file|review|report|description|questions?|table|string|line|code|tone|grammar|spelling|typos?|title|header|footer|input|example|claims?|idea|proposal|suggestion"
_POINTS_AT = re.compile(
    rf"\b(?:(?:this|these|those|the following|attached|his|her|their|the above) (?:\w+ )?|that |my )(?:{_THINGS})\b(?! (?:i|we|you)\b)|\bfollowing\b|\bas follows\b|\bbelow\b(?!\s+[\w./]*[/\d])|"
    r"\babove\b(?! \d)|\bhere(?:'s| is| are)\b|\battached\b|\bforwarded\b|\baccording to\b|\bfrom the (?!start|beginning|top|bottom|list|command|cli|ui|root|code)\w+\b\W*$|"
    r"\b(?:typos?|grammar|spelling|punctuation)\b|\b(?:sounds?|reads?) (?:nicer|better|friendlier|more|less|formal|polite)\b|\b(?:shorter|longer|nicer|friendlier|more formally|politely|formal)\b"
)
_TEXT_PHRASES = (
    "terms of", "press release", "threads from", "thread from", "stack overflow", "hacker news", "chat gpt", "my manager", "our manager", "the manager",
    "user story", "system prompt", "this prompt", "my prompt", "the prompt", "prompt for", "support agent", "bullet point", "one of our users",
    "some user", "acceptance criteria", "release notes", "tl;dr",
)  # fmt: skip
_RECEIVED = re.compile(
    r"\b(?:found|got|received|saw|read|have|see|seen|getting|get|took|copied|sent|came|stands|written|told|inherited) "
    r"(?:me |us |in |on |out )?(?:this|these|that|the following|it from|an? (?:\w+ )?(?:mail|message|error|warning|finding|audit|report|complaint|alert|notice|request|reply|memo|directive)|from|in the|on the|by|here)\b"
)
_SUPPOSES = re.compile(r"\bwhat (?:if|would|happens)\b|\b(?:imagine|suppose|pretend|hypothetically)\b")
_CODES = re.compile(
    r"\b(?:rust|go|golang|python|typescript|javascript|ts|js|java|kotlin|swift|ruby|php|c\+\+|bash|sql|html|css|react|vue|svelte|json|yaml|toml)\b"
)


def is_all_own(prompt: str) -> bool:
    """Whether a prompt is plainly nothing but the user's own request."""
    return own_parts(prompt) is not None


def own_text(prompt: str) -> str:
    """Give what of a prompt is surely the user's own: all of it, or the words before its first order and before anything handed over."""
    return prompt if is_all_own(prompt) else " ".join(_beginning(prompt))


def is_short(prompt: str) -> bool:
    """Whether a prompt is one short line without quotes, colons or marks: it may be quoted as what it is."""
    bare = prompt.strip()
    if "\n" in bare or len(bare.split()) > _A_SHORT:
        return False
    return not (_STRUCTURE.search(bare) or _QUOTED.search(bare) or ":" in _OF_A_FILE.sub("", bare))


_A_SHORT = 14
_OF_A_FILE = re.compile(r"^[\w/-]+\.\w{1,4}:")


@lru_cache(maxsize=256)
def own_parts(prompt: str) -> tuple[str, ...] | None:
    """Give the sentences of a prompt that is the user's own; None for any other."""
    block = _BLOCK.search(prompt[:_WITH_BLOCK]) if "```" in prompt else None
    before = prompt[: block.start()] if block and "```" not in prompt[: block.start()] else prompt
    text = "\n".join(line for line in before[: _LONGEST + 1].strip().splitlines() if line.strip() != _IMAGE).strip()
    if len(text) > _LONGEST or text.startswith("! ") or len(text.split()) > MOST_WORDS:
        return None  # before any closer look: these are the longest
    bare = _CODE.sub(
        lambda found: " … " if ORDERS.search(found[0].lower()) is None else found[0].replace("`", '"'), text
    )
    if _STRUCTURE.search(bare):
        return None
    lines = [_MARK.sub("", line.strip()) for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_LINES or any(len(_words(quoted)) >= _A_QUOTE for quoted in _QUOTED.findall(bare)):
        return None
    # What a user announces as a list of their own may have items of any form.
    listed = len(lines) > 1 and lines[0].endswith(":") and not _labels(_bare(lines[0]))
    if (
        len(lines) > 1
        and not listed
        and (_is_title(lines[0]) or any(_DANGLES.search(line.lower()) for line in lines[:-1]))
    ):
        return None
    parts = [part for line in lines for part in _APART.split(line) if part]
    said = [_bare(part) for part in parts]
    if listed and _OWN_RULES.match(said[0]):
        said[0] = "note"
    last = len(parts) - 1
    is_own = not any(
        _is_foreign(one, alone=last == 0 or listed, among=len(lines) > 1, final=n == last) for n, one in enumerate(said)
    )
    if not is_own or asks_of_what_came(said) or (last and any(map(german_french.is_order, parts))):
        return None
    return tuple(parts)


_LONGEST, _A_QUOTE = 1_500, 3
_OWN_RULES = re.compile(
    r"(?:please |always )*(?:follow|obey|respect|observe|stick to) (?:these|the following|my) (?:rules|conventions|constraints)\W*$"
)
_WITH_BLOCK = 20_000
_BLOCK = re.compile(r"\n\s*```[^\0]*\n\s*```\s*$")
"""A block in fences at the end of a prompt: what stands before it is judged without it."""
_DANGLES = re.compile(r"\b(?:for|of|from|with|about|into|to|as|is|are|says|on|in|this|these|what|and)\W*$")
"""How a line ends that another one must go on: with a text."""


def _is_title(line: str) -> bool:
    """Whether a line above others is a title: a few words with a name or a number among them."""
    words = line.split()
    return (
        len(words) <= _FEW
        and any(word[0].isupper() or word[0].isdigit() for word in words[1:])
        and line[-1] not in ".!?:,"
    )


def _beginning(prompt: str) -> Iterator[str]:
    """Give the first sentences of a prompt, as long as they only ask for something."""
    first = prompt[:_LONGEST].strip().partition("\n")[0]
    for part in _APART.split(first):
        ends = _LABEL.match(part)
        if ORDERS.search(_bare(part)) or _STRUCTURE.search(part) or len(part) > _A_BEGINNING:
            return
        yield f"{ends[1]}:" if ends else part
        if ends or _is_foreign(_bare(part), alone=True, among=False, final=False):
            return


_A_BEGINNING = 160


def _bare(part: str) -> str:
    return _QUOTED.sub(" … ", _CODE.sub(" … ", part)).lower().replace("’", "'").strip()  # noqa: RUF001 - the other apostrophe


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def head(sentence: str) -> list[str]:
    """Give the words of a sentence from the first one that says something."""
    words = _words(sentence)
    while len(words) > 1 and words[0].strip(",") in LEADS:
        words = words[1:]
    return words


def _is_foreign(part: str, *, alone: bool, among: bool, final: bool) -> bool:
    """Whether a sentence hands over a text, tells what somebody said, or is none of a request's."""
    words = head(unlabelled(part))
    order = ORDERS.search(part)
    # What is ordered may name a text: `don't add comments`. What stands before the order may not.
    begins = (words[:1] and words[0] in BEGINS_ORDER) or german_french.is_order(part)
    before = "" if begins else part[: order.start()] if order else part
    named = set(_words(before))
    if not named.isdisjoint(TEXTS) or any(phrase in before for phrase in _TEXT_PHRASES) or _SUPPOSES.search(part):
        return True
    if not named.isdisjoint(POINTING) and _POINTS_AT.search(before):
        return True
    if _RECEIVED.search(before) or speaks(before) or _labels(part):
        return True
    if not words or (_ANSWERS.match(part) and not among):
        return False
    return _hands_over(words, part, before, final=final) or not (_has_shape(words, among=among) or alone or final)


_ANSWERS = re.compile(
    r"(?:(?:yes|yep|yeah|no|nope|ok|okay|good|great|nice|perfect|right|correct|hm+|lgtm|agreed|approved|done|better|looks|works|it works|that works|still|not)"
    r"(?:,? (?:good|great|fine|right|better|yet|quite|now|again|so|far|job|work|there|broken|failing|fails|wrong|red|slow|working|thanks?)){0,3}"
    r"|(?:now|next|then|also|and)(?: the| a| an)?(?: [\w./-]+){1,3}|[\w./-]+ (?:next|now|too))[.!,]*$"
)
"""An answer to what the agent did, or the next thing in a word or two: `Still broken.`, `Now refunds.`, `Auth next.`"""


def speaks(part: str) -> bool:
    """Whether a sentence tells what somebody other than the user says."""
    words = _words(part)
    return any(
        word in SPEAKS and OWN_SPEAKERS.isdisjoint(words[max(0, n - _NEAR) : n]) for n, word in enumerate(words)
    ) or any(phrase in part for phrase in ("opened an", "wants us", "wants me"))


def unlabelled(part: str) -> str:
    """Give a sentence without a label of the user's own before it."""
    label = _LABEL.match(part.strip())
    return part.strip()[label.end() :] if label and not _labels(part.strip()) else part


def _labels(part: str) -> bool:
    """Whether something stands behind a colon that is not the user's: any word before it but a few names a source."""
    label = _LABEL.match(part)
    if label is None:
        return False
    words = head(label[1])
    wants = words[-1:] in (["is"], ["are"]) and words[-2:-1] and words[-2] in {"want", "need", "prefer", "like"}
    speaks = words[:1] and words[0] in SELF and not OWN_WISHES.isdisjoint(words[1:_NEAR])
    return not words or not (words[-1] in OWN_LABELS or speaks or wants)


def _hands_over(words: list[str], part: str, before: str, *, final: bool) -> bool:
    """Whether a request is about a text that stands beside it."""
    if words[0] in {"can", "could", "would", "will"} and words[1:2] == ["you"]:
        words = head(" ".join(words[2:])) or words
    if words[0] in REWORKS or "tldr" in words[:2] or not REWRITES.isdisjoint(_words(before)):
        return True
    if words[0] not in HANDLES:
        return False
    rest = [word for word in words[1:] if word not in LEADS]
    if rest and rest[0] in {"to", "into", "as"} and words[0] in {"convert", "turn", "format", "reformat", "rewrite"}:
        return True
    if not rest:
        return words[0] not in {"fix", "continue", "update"} and not final
    points = rest[0] in POINTERS or rest[:2] in (["at", "this"], ["at", "what"], ["at", "it"], ["the", "sentence"])
    worked = words[0] in {"fix", "make", "take", "add", "update", "debug"} and rest[0] in {"it", "that", "this"}
    return (
        points
        and not (worked and len(rest) <= _FEW and not final)
        and not _CODES.search(part)
        and not (worked and final)
    )


_FEW, _A_LINE, _NEAR = 4, 5, 3


def _has_shape(words: list[str], *, among: bool) -> bool:
    """Whether a sentence begins as requests do, or says something with a verb; among lines only the former: headings have none."""
    first = words[0].strip(",")
    says = not VERBS.isdisjoint(words[1:])
    if first == "from":
        return words[1:2] in (["now"], ["here"])
    if first in PREPOSITIONS:
        return says or not WORKS.isdisjoint(words[1:])
    if first in WORKS or first in VOICE or first in OWN_LABELS or (first in HANDLES) or first in COURTESY:
        return True
    if first.startswith(("/", "@", "#", "…")) or "." in first or not first.isascii():
        return True
    return says and len(words) >= _A_LINE if among else says or first in DETERMINERS
