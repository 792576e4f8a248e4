"""What in a user's words is worth remembering beyond the session: found by how it is said, word for word. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from tapehead.memories.likeness import same, words
from tapehead.memories.memory import FEEDBACK, PROJECT, REFERENCE, USER
from tapehead.work_record.own_order import is_dangerous, sets_rule
from tapehead.work_record.own_text import is_all_own, is_short
from tapehead.work_record.rule_verdict import is_question
from tapehead.work_record.sentences import flat, prose

ASKED, GENERAL, REPEATED, FACT = "asked to remember", "said as general", "said more than once", "said as a fact"

_ASKS = re.compile(
    r"^(?:(?:and|also|so|but|actually|no|ok|okay|yes|well|wait|sorry|oh)[,:]? )*(?:please,? |can you |could you )?(?:(?:always )?remember(?: that|:|,| to)? (?!when\b|how\b|me\b)|"
    r"(?:do not|don'?t) forget(?: that|:|,| to)? |keep in mind(?: that|:|,)? |(?:for the future|note for later|make a note)(?: that)?[:,]? |"
    r"save (?:this )?(?:to|in) (?:your )?memory[:,]? )(.+)",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"\b(?:always|never|from now on|in general|generally|by default|whenever|every time|each time|i (?:always|never|prefer|like|hate|"
    r"don'?t like|want you to always)|we (?:always|never)|going forward|in (?:the )?future)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^(?:no\b|nope|not\b|stop\b|don'?t\b|actually\b)|\binstead\b|\brather than\b|\bi (?:said|told you|meant)\b|\bagain\b.*\bnot\b|"
    r"\b(?:never|always|don'?t|do not|must not|stop \w+ing)\b",
    re.IGNORECASE,
)
_PASSES = re.compile(
    r"\b(?:for now|this time|this once|just once|today|tonight|this session|this (?:pr|branch|commit|turn|run)|right now|at the moment|"
    r"until (?:i|we|the)|temporarily|before (?:i|we) (?:merge|commit|push)|after this)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:instead|actually|no longer|not any ?more|from now on|changed my mind|rather than|i meant|correction|scratch that|not .+ but)\b",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"\b(?:i am|i'm|my name is|call me|i work (?:as|at|on|in)|my role|i(?:'ve| have) (?:been|never)|i know|i don'?t know)\b",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"https?://|\b(?:dashboard|wiki|jira|linear|confluence|notion|slack|grafana|sentry|tracked (?:in|at)|documented (?:in|at)|lives? (?:in|at)|"
    r"is (?:kept|hosted|found) (?:in|at|on)|tickets? (?:are|is))\b",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(?:always|never|don'?t|do not|prefer|must|should|avoid|stop|use|run|write|make sure|instead|rather)\b",
    re.IGNORECASE,
)
_ABOUT_ME = re.compile(
    r"^(?:(?:by the way|btw|fyi|for context|note)[,:]? (?:that )?)?(?:"
    r"(?:i am|i'm) (?:(?:an? |the )(?!bit\b|little\b|lot\b|few\b|fan\b|fool\b|idiot\b|moment\b)(?:[\w-]+ ){0,4}?(?:engineer|developer|scientist|designer|manager|student|researcher|"
    r"analyst|admin\w*|architect|teacher|writer|founder|lead|maintainer|programmer|consultant|beginner|novice|expert|newcomer)\b|"
    r"(?:quite |fairly |pretty |completely |totally |rather )?new to \w|responsible for \w|not (?:very )?familiar with \w|(?:very )?familiar with \w)|"
    r"my (?:name is|role is|job is|background is)\b|i work (?:as|at|for) |"
    r"i(?:'ve| have) (?:never (?:used|written|worked with)|been (?:using|writing|working with) [\w+#.-]+ for)\b)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\b(?:(?:is|are) (?:frozen|on hold|blocked|deprecated|embargoed|postponed|cancell?ed|due)|code freeze|feature freeze|deadline (?:is|for)|"
    r"(?:launch|release|demo|audit|migration|cut ?over) (?:is|starts|begins|happens|takes place|was moved))\b.*"
    r"\b(?:until|till|by|on|from|since|because|so that|starting|next|end of|to)\b",
    re.IGNORECASE,
)
_STANDS_AT = re.compile(
    r"\b(?:(?:bugs?|issues?|tickets?|incidents?|tasks?|docs|documentation|designs?|metrics|dashboards?|logs?|alerts?|runbooks?|on-?call)\b.{0,60}"
    r"\b(?:(?:is|are) (?:tracked|kept|documented|found|hosted|collected|reported|stored)|lives?) (?:in|at|on|under)\b|"
    r"(?:dashboard|wiki|board|tracker|runbook)s?\b.{0,60}\b(?:is|are) (?:at|in|on|https?://)|"
    r"^(?:the |our |all )?(?:[\w-]+ ){1,5}(?:is|are|lives?) at https?://)",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(*])")
_MARK = re.compile(r"^(?:[-*•]\s+|\d+[.)]\s+|#+\s+|\[[ x]\]\s+)+")
_LONGEST, _FEWEST = 260, 2


class Found(NamedTuple):
    """Something to remember, in the user's own words."""

    words: str
    kind: str
    why: str
    """ASKED, GENERAL, REPEATED or FACT."""
    changes: bool = False
    """Whether they say that it takes the place of something."""


def found(prompt: str) -> list[Found]:
    """What a prompt asks to remember, or says as a general preference; what is pasted, asked or only for now is neither."""
    kept = [one for one in map(_judged, sayings(prompt)) if one is not None]
    return list({one.words.lower(): one for one in kept}.values())


def corrections(prompt: str) -> list[str]:
    """What a prompt corrects or forbids: worth remembering once it had to be said again."""
    return [
        one
        for one in sayings(prompt)
        if _CORRECTS.search(one) and not _PASSES.search(one) and sets_rule(one) and len(words(one)) >= _FEWEST
    ]


def is_repeated(correction: str, earlier: list[str]) -> bool:
    """Whether a correction was made before."""
    return any(same(correction, one) for one in earlier)


def kind_of(saying: str) -> str:
    """Which of the four kinds a saying is."""
    if _WHERE.search(saying):
        return REFERENCE
    if _WHO.search(saying) and not _GENERAL.search(saying):
        return USER
    return FEEDBACK if _RULE.search(saying) or _GENERAL.search(saying) else PROJECT


def changes(saying: str) -> bool:
    """Whether a saying takes something back."""
    return bool(_CHANGES.search(saying))


def sayings(prompt: str) -> list[str]:
    """The sentences of a prompt, each by itself however short; questions and what is pasted are none."""
    own = prompt if is_all_own(prompt) else ""
    found = (flat(one) for line in prose(own) for one in _END.split(_MARK.sub("", line).replace("**", "")))
    return [one for one in found if one and len(one) <= _LONGEST and not is_question(one)]


def short_saying(prompt: str) -> list[str]:
    """A short prompt that is not surely the user's own: it can take something back, and nothing else."""
    said = flat(prompt)
    return [said] if is_short(prompt) and not is_question(said) else []


def _judged(saying: str) -> Found | None:
    asked = _ASKS.match(saying)
    what = asked[1].strip() if asked else saying
    if len(words(what)) < _FEWEST or is_dangerous(saying) or (_PASSES.search(what) and not asked):
        return None
    if asked:
        return Found(what, kind_of(what), ASKED, changes(saying))
    if _GENERAL.search(what) and sets_rule(what) and not _ABOUT_ME.search(what):
        return Found(what, kind_of(what), GENERAL, changes(saying))
    kind = _fact(what)
    return Found(what, kind, FACT, changes(saying)) if kind else None


def _fact(saying: str) -> str:
    """Which kind of fact a saying tells: about the user, about what goes on, or where things are; nothing where it is an order."""
    kinds = ((_ABOUT_ME, USER), (_STANDS_AT, REFERENCE), (_GOES_ON, PROJECT))
    return next((kind for pattern, kind in kinds if pattern.search(saying)), "")
