"""What is not worth remembering across sessions, because it can be read elsewhere, and goes stale here. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.memories import likeness

if TYPE_CHECKING:
    from collections.abc import Iterable

_ADDRESS = re.compile(r"\w+://\S+")
_PLACE = (
    r"(?:(?:[\w.-]+/)+[\w.-]+|\b[\w-]+\.(?:py|ts|tsx|js|jsx|mjs|go|rs|java|kt|rb|c|h|cc|cpp|cs|php|swift|sh|sql|toml|yaml|yml|json)\b"
    r"|\b[a-z_]\w*\(\))"
)
_PART = (
    r"(?:functions?|class(?:es)?|methods?|modules?|structs?|tables?|endpoints?|enums?|interfaces?|constants?|schema|entry point|architecture"
    r"|middleware|helpers?|handlers?|parser|loader|models?|columns?|(?:micro)?services)"
)
_CODE = re.compile(
    rf"{_PLACE}|^(?:the|our|this|there (?:is|are)|all|every)(?: \w+){{0,3}} {_PART}\b(?: \S+){{0,3}}",
    re.IGNORECASE,
)
"""A statement that names a place in the code, or a part of it."""
_CHANGED = (
    r"(?:merged|committed|reverted|rebased|pushed|renamed|refactored|tagged|released|cherry-picked|squashed|introduced|bumped|moved|deleted|removed|added|changed"
    r"|landed|split|wrote|bumps|rolled back|went out|shipped|deployed|switched)"
)
_THEN = (
    r"(?:yesterday|today|last (?:night|week|month|year|commit|release|sprint|pr)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|this morning|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|\d{4}-\d\d-\d\d|ago"
    r"|in v?\d+\.\d+)"
)
_COMMITS = r"(?:branch|commits?|pull request|merge request|[pm]r ?#?\d+|main|master|origin|release)"
_HISTORY = re.compile(
    rf"\bcommit [0-9a-f]{{7,40}}\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{{7,40}}\b|\bgit (?:log|blame|history)\b|\bwho (?:changed|wrote|touched|committed|added)\b|"
    rf"\b{_CHANGED}\b.*\b(?:{_THEN}|{_COMMITS})\b|\b{_COMMITS}\b.*\b{_CHANGED}\b",
    re.IGNORECASE,
)
_FAILING = (
    r"(?:fail\w*|hangs?|hung|crash\w*|breaks?|broken|stuck|errors?|[45]\d\d|stale|tim(?:es?|ed) ?out|timeout|segfaults?|deadlock\w*|leaks?|flaky|exceptions?"
    r"|refused|corrupt\w*|missing|bugs?|problem|issue|panics?|cannot|can.t|won.t|wrong|loops?|outage|blank|complains?|runs? out of|acts? up|(?-i:E[A-Z]{4,}|[A-Z]\w*Error))"
)
_MENDING = (
    r"(?:re-?run|run|restart|reboot|delete|remove|clear|re-?install|install|re-?build|kill|set|unset|export|add|re-?try|reset|update|upgrade|downgrade|pin"
    r"|increase|raise|disable|enable|bump|flush|drop|touch|chmod|attach|recreate|regenerate|purge|wipe|stop|start|change|step|look|open)"
)
_RECIPE = re.compile(
    rf"\b{_FAILING}\b.*?[,:;] (?:\w+ ){{0,2}}{_MENDING}\b|^{_MENDING}\b.* (?:if|when|whenever|until|after)\b.*\b{_FAILING}\b|"
    rf"\bto (?:fix|debug|reproduce|diagnose|solve|cure|work around|get rid of|get past)\b.*?[,: ] ?(?:\w+ )?{_MENDING}\b|"
    rf"\b(?:fix|workaround|work-around|solution|cure|remedy|cause|trick) (?:for|of|to)\b.*(?:\b(?:is|was)\b|:)|"
    rf"\b(?:fixed|solved|cured|resolved|debug\w*|worked around)\b.*\bby \w+ing\b|\b(?:i|we|it was) (?:fixed|solved|debugged)\b|"
    rf"\b{_FAILING}\b.*\b(?:was|were|is|are) (?:caused by|due to|a missing|an?\b)|\b{_FAILING}\b.*\b(?:goes|went|go) away\b|\b{_FAILING}\b.*\b(?:came from|comes from|turned out to be|unless you)\b|\b(?:cures|fixes|solves|helps (?:against|when|if)|fixed the|solved the)\b|"
    rf"\b(?:root cause|to find the (?:bug|leak|deadlock|cause))\b|\bfail\w* because\b|"
    r"\bthe (?:bug|fix|problem|error|crash|failure) (?:was|is caused by|came from)\b",
    re.IGNORECASE,
)
_DIRECTION = re.compile(
    r"^(?:please |and |but )*(?:always|never|do not|don.t|avoid|prefer|use|ask|keep|write|make sure|only|no|run|my|mark|when you|before you|i(?! (?:have )?(?:pushed|merged|committed|reverted|renamed|refactored|moved)))\b|"
    r"\b(?:always|never|must|should|do not|don.t|instead of|owns?|reviews?|maintains?|until|because|so that|wants?|prefers?)\b",
    re.IGNORECASE,
)
"""What says how to work, who does what, or why, is nowhere else, whatever files it names."""
_RULE = re.compile(r"\b(?:always|never|must|do not|don.t|ask|tell me|instead of)\b", re.IGNORECASE)
_COMMIT = re.compile(r"\bcommit [0-9a-f]{7,40}\b", re.IGNORECASE)
_NOW = re.compile(
    r"^(?:today|right now|currently|at the moment|this session|now)\b.*\b(?:we|i|are|am|is)\b|\b(?:work(?:ing)? on .* (?:today|right now|at the moment)|still in progress)\b",
    re.IGNORECASE,
)
_STATED = (
    (_NOW, "it is about now, and passes: `tapehead thread add` keeps what is open"),
    (_HISTORY, "`git log` says it"),
    (_CODE, "the code says it, and changes"),
)
_MENDED = "the fix is in the code, and its commit tells why"


def why_not(text: str, instructions: Iterable[str] = ()) -> str:
    """Why a text should not be remembered; nothing where it may."""
    if any(likeness.is_contained(text, line) for line in instructions):
        return "the project's own instructions (CLAUDE.md or AGENTS.md) say it already"
    bare = _ADDRESS.sub("", text)
    if _RECIPE.search(bare) and not _RULE.search(bare):
        return _MENDED
    if _DIRECTION.search(bare) and not _COMMIT.search(bare):
        return ""
    return next((reason for pattern, reason in _STATED if pattern.search(bare)), "")
