"""What is not worth remembering across sessions, because it can be read elsewhere, and goes stale here. Pure.

It goes by the kind of sentence, not by its topic. Refused are: what a part of the code does or is; who changed what; what cured a failure.
Kept is what says how to work, why, who decides, what is planned, and where things are outside the code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.memories import likeness
from tapehead.memories.restated import restates

if TYPE_CHECKING:
    from collections.abc import Iterable

_ADDRESS = re.compile(r"\w+://\S+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|internal|local|corp|example|app)\b\S*")

# -- code ----------------------------------------------------------------------------------------------------------------

_FILE = r"\b[\w-]+\.(?:py|ts|tsx|js|jsx|mjs|go|rs|java|kt|rb|c|h|cc|cpp|cs|php|swift|sh|sql|toml|yaml|yml|json|vue|css|html)\b"
_PRODUCTS = r"(?:Git(?:Hub|Lab)|TypeScript|JavaScript|YouTube|PayPal|PostgreSQL|MySQL|GraphQL|OpenAPI|DevOps|BigQuery|CircleCI|OAuth|LinkedIn|WhatsApp|JetBrains|PyCharm|PowerPoint)"
_NAME = (
    rf"(?:[\w.-]+/)+[\w.-]+|{_FILE}|\b[a-z_]\w*\(\)|(?-i:\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z]+(?:_[A-Z0-9]+)+\b"
    rf"|\b[a-z]+[A-Z]\w*\b|\b(?!{_PRODUCTS}\b)(?:[A-Z][a-z0-9]+){{2,}}\b)"
)
"""A path, a file, or a name that only code has: parse_line, useCart, CheckoutView, MAX_SIZE, main()."""
_PART = (
    r"(?:functions?|class(?:es)?|methods?|modules?|packages?|structs?|tables?|columns?|endpoints?|routes?|enums?|interfaces?|constants?|schemas?"
    r"|middlewares?|helpers?|handlers?|parsers?|loaders?|models?|components?|hooks?|folders?|director(?:y|ies)|pages?|forms?|screens?|queues?|caches?"
    r"|workers?|jobs?|databases?|micro-?services?|services?|librar(?:y|ies)|framework|monorepo|backend|frontend|server|client|codebase|entry point|tests? suite)"
)
_DOES = (
    r"(?:extends|overrides|implements|inherits|imports|exports|renders?|calls|invokes|wraps|returns|raises|throws|parses|validates|polls|caches|stores|contains|consists of"
    r"|reads|writes|sends|loads|handles|listens|talks to|depends on|relies on|gets its \w+ from|lives? (?:in|under)|sits? (?:in|under)|runs? (?:from|on|in)"
    r"|is based on|(?:is|are) (?:written in|built (?:with|on|around))|uses|has|have|exposes|takes|accepts)"
)
_MADE = r"(?:is|are|gets?) (?:\w+ly )?(?:rendered|mounted|defined|declared|implemented|cached|parsed|seriali[sz]ed|validated|called|registered|instantiated|imported|configured|computed|persisted|wired)"
_CODE = re.compile(
    rf"{_NAME}|\b{_MADE}\b|^there (?:is|are)\b.*\b{_PART}\b|\b{_PART}\b(?: [\w'-]+){{0,4}}? {_DOES}\b|"
    rf"^(?:the|this|our) (?:project|app|application|code|repo(?:sitory)?|site|api|{_PART})(?: \w+)? {_DOES}\b",
    re.IGNORECASE,
)
"""A statement that names a place in the code, or says what a part of it does."""

# -- history -------------------------------------------------------------------------------------------------------------

_CHANGED = (
    r"(?:merged|committed|reverted|rebased|pushed|renamed|refactored|reworked|rewrote|redesigned|tagged|released|cherry-picked|squashed|introduced|bumped|moved|deleted"
    r"|removed|added|created|implemented|replaced|converted|migrated|ported|upgraded|extracted|cleaned up|changed|landed|split|wrote|built|broke|fixed|finished|cut|dropped"
    r"|rolled back|went out|shipped|deployed|switched)"
)
_THEN = (
    r"(?:yesterday|today|last (?:night|week|month|year|commit|release|sprint|pr)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|this (?:morning|week)|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|\d{4}-\d\d-\d\d|ago|recently"
    r"|in v?\d+\.\d+)"
)
_COMMITS = r"(?:branch|commits?|pull request|merge request|[pm]rs? ?#?\d+|main|master|origin|release|v\d+(?:\.\d+)*)"
_HASH = re.compile(r"(?<![\w-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\w-])|\b[Cc]ommit [0-9a-f]{7,40}\b")
_HISTORY = re.compile(
    rf"\bgit (?:log|blame|history)\b|\bwho (?:changed|wrote|touched|committed|added)\b|\b{_CHANGED}\b.*\b(?:{_THEN}|{_COMMITS})\b|\b{_COMMITS}\b.*\b{_CHANGED}\b|"
    rf"^(?:(?-i:[A-Z][a-z]+)|i|we|they|she|he|someone)(?: (?:just|already|then|also|has|have))* {_CHANGED}\b|^{_CHANGED} the\b",
    re.IGNORECASE,
)

# -- recipes -------------------------------------------------------------------------------------------------------------

_FAILING = (
    r"(?:fail\w*|hangs?|hung|crash\w*|breaks?|broken|stuck|errors?|[45]\d\d|stale|tim(?:es?|ed) ?out|timeout|segfaults?|deadlock\w*|leaks?|flaky|exceptions?"
    r"|refused|corrupt\w*|missing|not found|bugs?|problem|issue|panics?|cannot|can.t|won.t|wrong|loops?|outage|blank|complains?|runs? out of|acts? up|freezes|warnings?"
    r"|you (?:see|get|hit|run into)|(?-i:E[A-Z]{4,}|[A-Z]\w*Error))"
)
_MENDING = (
    r"(?:re-?run|run|restart|reboot|delete|remove|clear|re-?install|install|re-?build|kill|set|unset|export|add|re-?try|reset|update|upgrade|downgrade|pin|prune"
    r"|increase|raise|lower|disable|enable|bump|flush|drop|touch|chmod|chown|attach|recreate|regenerate|purge|wipe|stop|start|change|step|look|open|free|switch)"
)
_CURED = r"(?:fixed|solved|cured|resolved|repaired|mended|sorted(?: out)?|got rid of|get rid of|gets rid of|worked around|did the trick|does the trick|helped|helps|fixes|solves|cures)"
_RECIPE = re.compile(
    rf"\b{_FAILING}\b.*?[,:;'\"] (?:\w+ ){{0,2}}{_MENDING}\b|^{_MENDING}\b.* (?:if|when|whenever|until|after)\b.*\b{_FAILING}\b|"
    rf"\bto (?:fix|debug|reproduce|diagnose|solve|cure|work around|get rid of|get past)\b.*?[,: ] ?(?:\w+ )?{_MENDING}\b|"
    rf"\b(?:fix|workaround|work-around|solution|cure|remedy|cause|trick|culprit) (?:for|of|to)\b.*(?:\b(?:is|was)\b|:)|"
    rf"\b{_CURED}\b.*\b(?:by|with|after)\b|\b{_FAILING}\b.*\b{_CURED}\b|\b{_CURED} (?:the|it|this|that)\b|\b(?:i|we|it was) debugged\b|"
    rf"\b{_FAILING}\b.*\b(?:was|were|is|are) (?:caused by|due to|a missing|an?\b)|\b{_FAILING}\b.*\b(?:goes|went|go|gone) away\b|"
    rf"\b{_FAILING}\b.*\b(?:came from|comes from|turned out to be|unless you|(?:passes|works|is gone|disappears) (?:once|when|after|again|if))\b|"
    r"\b(?:root cause|culprit|to find the (?:bug|leak|deadlock|cause))\b|\bfail\w* because\b|"
    r"\bthe (?:bug|fix|problem|error|crash|failure) (?:was|is caused by|came from)\b",
    re.IGNORECASE,
)

# -- what is kept --------------------------------------------------------------------------------------------------------

_DIRECTION = re.compile(
    r"^(?:please |and |but )*(?:always|never|do not|don.t|avoid|prefer|use|ask|keep|write|make sure|only|no|run|my|mark|when you|before you|explain|show|speak|measure|commit|ship"
    rf"|i(?!(?: just| already| have| also)* {_CHANGED}))\b|"
    r"\b(?:always|never|must|should|do not|don.t|instead of|owns?|reviews?|maintains?|decides?|answers?|signs? off|until|because|so that|so (?:no|every|keep)|wants?|demands?|prefers?|we chose|by (?:an? (?:agency|team|partner|vendor)|the team))\b",
    re.IGNORECASE,
)
"""What says how to work, who does what, or why, is nowhere else, whatever files it names."""
_RULE = re.compile(
    r"(?:^|[,;:.] |\b(?:but|and|so|then|please|you|we) )(?:always|never|do not|don.t)\b|\bmust\b|\b(?:ask|tell|show|call|ping) (?:me|us|him|her|them|first|before|[A-Z])|^ask\b|\bstop and ask\b|\binstead of\b",
    re.IGNORECASE,
)
"""What a user wants done when something fails. That a listener `was never removed` is no rule."""
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
    if any(likeness.is_contained(text, line) or restates(text, line) for line in instructions):
        return "the project's own instructions (CLAUDE.md or AGENTS.md) say it already"
    bare = _ADDRESS.sub("", text)
    if _HASH.search(bare) and not _RULE.search(bare):
        return _STATED[1][1]
    if _RECIPE.search(bare) and not _RULE.search(bare):
        return _MENDED
    if _DIRECTION.search(bare):
        return ""
    return next((reason for pattern, reason in _STATED if pattern.search(bare)), "")
