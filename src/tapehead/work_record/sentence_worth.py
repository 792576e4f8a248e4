"""What a sentence is worth to a successor, by its words alone.

Words are looked up and not searched for by patterns: every sentence of a session comes by here, and a pattern with a hundred branches would
take longer than reading the transcript.
"""

from __future__ import annotations

import re

_PLAIN, _REASON, _SECOND, _OUTCOME, _DEAD_END, _PRAISED = 0.2, 0.4, 0.2, 0.15, 0.25, 0.4

_OTHER = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "'#")}
_OTHER[0x2019] = "'"


def _phrases(told: str) -> re.Pattern[str]:
    """Phrases between blanks: a search goes from blank to blank, and passes over all other letters."""
    return re.compile(f" (?:{told.replace(chr(10) + '    ', '')})(?= )")


_REASON_WORDS_TOLD = """
because decided decision chose opted incorrectly correctly wrong wrongly mismatch unnecessary must mustn't never already means doesn't
    didn't can't cannot won't isn't wasn't aren't fail fails failed require requires cycle cycles circular collision hang hangs hung stale
    broken stuck blocked delegate delegates manually
"""
_REASON_WORDS = frozenset(_REASON_WORDS_TOLD.split())
_REASON_STEMS = re.compile(
    " (?:reject|defer|postpone|revert|mistake|avoid|overengineer|supersed|duplicate|conflict|ambigu|crash|respawn|leak)"
)
_REASON_PHRASES = _phrases(
    """since the|since it|since we|since this|since they|root cause|turns out|turned out|the issue|the problem|the bug|the cause|
    the reason|the fix|the catch|the insight|the real issue|the actual issue|the key issue|the real problem|the actual problem|the key insight|
    the real cause|the actual cause|instead of|rather than|went with|going with|no longer|not needed|so that|does not|did not|needs to|need to|
    time out|timed out|too many|i will use|i'll use|i'd go with|i would go with|i recommend|i'd recommend|i suggest|i'd suggest|let's go with|let's use|
    the simplest|the cleanest|the safest|you need to|you have to|you'll need to|you'll have to|by hand"""
)
_OUTCOME_WORDS_TOLD = """
added removed replaced renamed moved fixed updated created implemented now use uses return returns closed merged pushed committed pass
    passes passed deleted kept keep keeps next pending still left released installed skipped work works only show shows http https
"""
_OUTCOME_WORDS = frozenset(_OUTCOME_WORDS_TOLD.split())
_OUTCOME_STEMS = re.compile(" (?:remain|recommend|#)")
_DEAD_ENDS = _phrases(
    """doesn't work|didn't work|does not work|did not work|won't work|doesn't help|didn't help|does not help|doesn't fix|didn't fix|
    does not apply|doesn't apply|doesn't support|does not support|doesn't exist|does not exist|wasn't enough|was not enough|isn't possible|
    is not possible|isn't needed|not needed|isn't supported|not supported|i incorrectly|i wrongly|i mistakenly|we incorrectly|instead of|
    rather than|not because|turned out|root cause|in favor of|in favour of|rejected|rejects|turned down|because|so that|otherwise|import cycle|
    would break|would cause|would mean|would require|would have"""
)
"""Why it is as it is, and what was tried and did not do: what a successor would otherwise try again."""
_PRAISES_TOLD = """
comprehensive comprehensively enterprise successfully robust excellent seamless seamlessly perfect perfectly beautiful beautifully
    sophisticated professional professionally amazing powerful deserve impressive outstanding flawless flawlessly world-class
    production-ready state-of-the-art cutting-edge
"""
_PRAISES = frozenset(_PRAISES_TOLD.split())
_TITLED = re.compile(
    r"(?:[A-Z][a-z-]+ ){2,}(?:[-\u2013\u2014] |[a-z]+(?:ing|ed) )|(?:[A-Z][a-z]+ ){2}[A-Z]?[a-z]+ (?:[\w-]+ ){0,4}(?:with|for|and|of|ensuring|providing|preventing|tracking|avoiding)\b[^.]*$"
)
"""A feature as a catalogue names it: no verb, and nothing that it came from."""


def worth_of(sentence: str) -> float:
    """About 0.2 for a plain sentence, 1 for one that gives reasons and says how it ended."""
    words, text = _taken_apart(sentence)
    reasons = _reasons(words, text)
    ended = not _OUTCOME_WORDS.isdisjoint(words) or _OUTCOME_STEMS.search(text) is not None
    told = _PLAIN + _REASON * (reasons > 0) + _SECOND * (reasons > 1) + _OUTCOME * ended
    told += _DEAD_END * (_DEAD_ENDS.search(text) is not None)
    praises = (
        sentence.endswith("!")
        or not _PRAISES.isdisjoint(sentence.lower().split() if "-" in sentence else words)
        or _TITLED.match(sentence) is not None
    )
    told *= _PRAISED if praises else 1.0
    told *= _GUESSED if _GUESSES.search(text) else 1.0
    return told * (_OF_A_TOOL if _TOOLS.search(text) else _POINTED if _points_back(sentence, words) else 1.0)


def _points_back(sentence: str, words: list[str]) -> bool:
    """Whether a sentence is about something that only the one before it names."""
    return bool(words) and words[0] in _POINTERS and not _NAMED.search(sentence)


_POINTERS = frozenset(("it", "they", "this", "that", "these", "those", "status", "ci"))
_NAMED = re.compile(r"[`/_#\d]|[a-z][A-Z]")
_GUESSES = _phrases(
    """i think|i believe|i suspect|i guess|maybe|perhaps|might be|may be|must be|seems to be|is likely|probably|possibly|appears to be"""
)
"""A guess at a cause: what it came to was said later, or never."""
_TOOLS = _phrases(
    """diagnostics?|imports? (?:is|are|was|were) (?:[a-z]+ )?(?:un)?used|unused imports?|is still used|are still used"""
)
"""What an editor or a compiler said on the way."""
_GUESSED, _OF_A_TOOL, _POINTED = 0.6, 0.25, 0.6


def gives_reasons(sentence: str) -> bool:
    """Whether a sentence says why."""
    return _reasons(*_taken_apart(sentence)) > 0


def _taken_apart(sentence: str) -> tuple[list[str], str]:
    words = sentence.lower().translate(_OTHER).split()
    return words, f" {' '.join(words)} "


def _reasons(words: list[str], text: str) -> int:
    """How many words and phrases give a reason; two are as good as more."""
    found = sum(map(_REASON_WORDS.__contains__, words)) + len(_REASON_STEMS.findall(text))
    return found if found > 1 else found + len(_REASON_PHRASES.findall(text))


def binds(line: str, heading: str = "") -> float:
    """How much a line of a plan sets a limit: what must hold, what stays as it is, how it is verified."""
    whole = f"{heading} {line}"
    if _FORBIDS.search(whole) or _DECIDES.search(heading):
        return 2.0
    return 0.8 if _BINDS.search(whole) else 0.0


_FORBIDS = re.compile(
    r"\b(?:must|never|always|do not|don't|not (?:to be )?(?:modif|chang|touch)\w+|no (?:changes?|modification)|unchanged|untouched|out of scope|"
    r"still pass)\b",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    r"\b(?:decisions?|decided|constraints?|requirements?|rules?|non-?goals?|conventions?|guidelines?|agreed|limits?|budgets?|principles?)\b",
    re.IGNORECASE,
)
"""Headings of what was settled beforehand: every line below sets a limit."""
_BINDS = re.compile(
    r"\b(?:leave|keep|existing|verif\w+|default|only|required?|ensure|at (?:most|least)|order|sort)\b", re.IGNORECASE
)
