"""Whether a rule still stands after later words of the user. The one place that decides it: for steering, brief, notes and memories.

Four answers: it stands, later words touch it, they leave it unsure, or it is gone. Where they touch it or leave it unsure, both are told in
their order: the older alone would bind the agent to what the user may have taken back. Whoever keeps a rule beyond its session looks at the
last two only: a topic comes up again all the time.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tapehead.work_record.orders import order, replaces
from tapehead.work_record.own_text import head
from tapehead.work_record.request_words import COURTESY, VERBS, VOICE, WORKS
from tapehead.work_record.rule_topics import about, plain, root, shares, topics

if TYPE_CHECKING:
    from tapehead.work_record.orders import Order

STANDS, TOUCHED, UNSURE, GONE = "stands", "touched", "unsure", "gone"

_FORGETS = re.compile(
    r"\b(?:forget|disregard|ignore|never ?mind)\b.{0,20}?\b(?:what i (?:said|told|asked)|i said|i told you|my (?:earlier|previous|last|former))\b|"
    r"\b(?:forget|never ?mind) about\b|\b(?:forget|ignore|disregard|drop|scrap|cancel|revoke|lift|remove|undo|withdraw|retract|rescind)\b.{0,60}?"
    r"\b(?:rules?|instructions?|restrictions?|requirements?|constraints?|ban|policy)\b|^(?:\w+,? ){0,2}(?:never ?mind|scratch that|forget (?:it|that))\b|"
    r"\b(?:no longer|not) (?:applies|apply|holds?|counts?|valid|a rule)\b|\bi (?:take|took) (?:(?:that|it) )?back\b|\bi(?:'ve| have)? changed my mind\b|"
    r"\b(?:unfreeze|unlock|unban|unblock)\b|\b(?:is|are) (?:off the table|moot|history|void)\b|"
    r"\b(?:rules?|restrictions?|requirements?|constraints?|ban|policy|freeze|limit)\b.{0,40}?"
    r"\b(?:over|lifted|gone|ended|void|dropped|removed|silly|wrong|a mistake|obsolete|outdated|ignore|forget)\b"
)
_ALLOWS = re.compile(
    r"\b(?:fine|ok|okay|allowed?|permitted|go ahead|feel free|you (?:can|may)|we can|no problem|acceptable|all right|alright|welcome|"
    r"not a problem|i don'?t mind|do use|do it anyway|fair game|open (?:for|to)|(?:is|are) back|no longer (?:off[- ]limits|forbidden|banned|frozen|taboo))\b"
)
_FORBIDS = re.compile(
    r"\b(?:never|don'?t|dont|do not|no longer|no more|stop|avoid|dropped|must not|mustn'?t|should(?:n'?t| not)|not allowed|forbidden|no need|skip|can wait|without|not)\b"
)
_CHANGES = re.compile(
    r"\b(?:actually|instead|no longer|any ?more|from now on|after all|on second thoughts?|changed my mind|now|correction|wait|sorry|again|"
    r"going forward|from here on|switch|rather|let'?s go with|go back to|back to|bring back|(?:not|no longer) needed|dropped|optional|"
    r"(?:is|are) enough|suffices?|any longer|minimum)\b|\bit is(?:,? then)?\W*$"
)
_LIFTS = re.compile(
    r"\b(?:optional|forget (?:about )?(?:the|those|my|that)|drop (?:it|them|that|\w+,)|strike|lifted|overkill|unneeded|unnecessary|pointless|no more|up for grabs|sure|why not|"
    r"whatever|un(?:signed|tested|checked|typed|formatted|limited|restricted|documented)|needs? no|skip|don'?t bother|can wait|no need)(?!\w)"
)
"""What may take a rule back, where it is said of the same."""
_FOR_NOW = re.compile(r"\b(?:this (?:once|time)|just once|for now|today|for this one|only here|temporarily)\b")
_ALIKE = (
    "touch chang edit modify updat fix refactor rewrit renam delet remov mov writ overwrit clean",
    "us add introduc install import switch adopt",
    "run execut start launch",
    "commit amend squash",
    "push deploy releas publish",
    "writ creat add generat",
)
_FAMILIES = tuple(frozenset(verbs.split()) for verbs in _ALIKE)
"""Stems of verbs that name nearly the same deed."""
_RIVALS = (
    frozenset(("tab", "space")),
    frozenset(("npm", "yarn", "pnpm", "bun")),
    frozenset(("pip", "uv", "poetry", "pipenv", "conda")),
    frozenset(("jest", "vitest", "mocha")),
    frozenset(("pytest", "unittest")),
    frozenset(("sqlite", "postgre", "postgresql", "mysql", "mariadb", "mongodb")),
    frozenset(("javascript", "typescript")),
    frozenset(("single", "double")),
    frozenset(("camelcase", "snake_case", "kebab-case")),
    frozenset(("dark", "light")),
    frozenset(("rebase", "merge")),
    frozenset(("english", "german", "french", "spanish")),
    frozenset(("short", "long", "detailed", "brief")),
)
"""Words of which one rules out the other."""


_GIVES_UP = re.compile(
    r"(?:\bnot|\binstead of|\brather than|\bno more|\bover) [\w.+-]+|\b[\w.+-]+ (?:is|are) (?:gone|out|history|dead)\b"
)
"""What is named only to say that something else takes its place."""


def verdict(rule: str, later: str, *, near: bool = False) -> str:
    """Say what becomes of a rule after later words; `near` where it was the last one said, and not long before."""
    judged, old, new = plain_verdict(rule, later), plain(rule), plain(later)
    if judged != STANDS or new == old or is_question(new):
        return judged
    if shares(old, new):
        tones = set(_REVISES.findall(new)) - set(_REVISES.findall(old))  # said again, it is the same
        return UNSURE if tones else TOUCHED
    return (
        TOUCHED
        if near and (_turns(new) or _is_fragment(new) or _gives_number(old, new) or topics(old) & topics(new))
        else STANDS
    )


def plain_verdict(rule: str, later: str) -> str:
    """Say the same where the words of both leave no room for another reading, or for two: for what is compared by its likeness, too."""
    old, new = plain(rule), plain(later)
    if new == old or is_question(new) or not concerns(about(old), new):
        return STANDS
    first = order(rule)
    judged = _judged(old, new, first, order(later))
    partly = first is not None and not first.alone  # the sentence says something else too
    return UNSURE if judged == GONE and (partly or _FOR_NOW.search(new)) else judged


def _gives_number(old: str, new: str) -> bool:
    """Whether short words give a number after a rule that gave one."""
    return len(new.split()) <= _FEW_WORDS and not new.isdigit() and all(_DIGIT.search(text) for text in (old, new))


def is_question(words: str) -> bool:
    """Whether words only ask: a request in the form of a question is none."""
    return words.endswith("?") and _ASKS_TO.match(words.lower()) is None


def is_revised(rule: str, later: str) -> bool:
    """Whether words that need not be the user's own speak of taking a rule back; of a few words lighter ones do."""
    return _has_tone(later) and shares(rule, later)


@lru_cache(maxsize=256)
def _has_tone(later: str) -> bool:
    """Whether words have the tone of taking something back: each rule is held against the same ones."""
    tone = _REVISES if len(later.split()) <= _FEW_WORDS else _REVISES_NEAR
    return tone.search(plain(later)) is not None


_ASKS_TO = re.compile(
    r"(?:\w+,? ){0,2}?(?:can|could|would|will|may|shall) (?:you|we|i)\b|(?:how|what) about\b|why (?:not|don't (?:you|we))\b"
)
"""A question that asks for something to be done."""
_STRONG = (
    r"actually|instead|after all|no longer|any ?more|any longer|changed? (?:my|our) minds?|on (?:second|reflection)|scratch|forget|never ?mind|disregard|scrap|"
    r"cancel|revoke|lift|lifted|void|undo|revert|retract|withdraw|rescind|take (?:it |that )?back|took back|overrule|fine|ok|okay|alright|all right|allowed|"
    r"permitted|acceptable|tolerable|welcome|go ahead|feel free|no problem|works? for me|as well|back|from (?:now|here)|switch|moved? to|we moved|convert|"
    r"wrong|mistake|rather|enough|suffic\w*|optional|unnecessary|unneeded|no more|since today|as of|it is\W*$|doesn't matter|don't care|whatever|either way|"
    r"(?:is|are|would be|looks?|seems?|feels?|reads?|works?) (?:\w+ )?(?:\w{3,}er|more|good|required|needed)|won|then\W*$|wait,? no|exception|doch|erlaubt|nicht mehr|statt|stattdessen|ab jetzt"
)
_REVISES_NEAR = re.compile(rf"\b(?:{_STRONG})\b")
"""The tone of taking something back, or of allowing it."""
_REVISES = re.compile(
    rf"\b(?:{_STRONG}|drop|dropp(?:ed|ing)|off|over|allow|may|can|free to|hurt|too|also|again|changed?|better|nicer|prefer|needed|skip|stop|less|more|longer|shorter|"
    r"without|now|starting|today|this time|once|except|unless|just|not|no|nah|nope|wait|sorry|correction|let's|would (?:do|be)|jetzt|mehr|wieder)\b"
)
"""The same, where it is said of what the rule is about: there lighter words do."""


_AGREES = re.compile(r"^(?:(?:ok|okay|yes|sure|fine|great|good|perfect)\b[ ,.!]*)+")
_UNDOES = re.compile(r"\b(?:scratch|forget|never ?mind|disregard|scrap|cancel|undo|revert|ignore|take)\b")
_DIGIT, _NUMBER = re.compile(r"\d"), re.compile(r"\d[\d.]*")


def _turns(new: str) -> bool:
    """Whether words that name nothing of a rule take back what was said before: more than a yes, an ok or thanks."""
    words = [word for word in head(new) if word not in _CONTENT]
    said = _AGREES.sub("", new)
    objectless = _UNDOES.search(said)
    turns = _REVISES_NEAR.search(said) or _PERMITS.search(said)
    return bool(words or objectless) and len(said.split()) <= _FEW_WORDS and turns is not None


_FEW_WORDS = 12
_PERMITS = re.compile(
    r"\b(?:you (?:can|may)|if you (?:want|like|wish)|whenever|wherever|whichever|however you|as you (?:like|wish|see fit)|i don'?t mind)\b|^(?:less|more|fewer) \w"
)
"""A leave, or more or less of something: after a rule it may be about that."""
_CONTENT = frozenset(
    (
        "that",
        "is",
        "fine",
        "it's",
        "looks",
        "good",
        "go",
        "on",
        "thanks",
        "continue",
        "perfect",
        "nice",
        "ok",
        "proceed",
        "next",
        "done",
        "works",
    )
)


def _is_fragment(new: str) -> bool:
    """Whether words name something and say nothing of it: they answer what was said before."""
    words = head(new)
    if not words or len(words) > _A_FRAGMENT or new.endswith("?"):
        return False
    if words[0] in WORKS or words[0] in VOICE or words[0] in COURTESY or not VERBS.isdisjoint(words):
        return False
    return bool(topics(new) - _CONTENT) and not (words[0].isdigit() and len(words) == 1)


_A_FRAGMENT = 6


def _judged(old: str, new: str, first: Order | None, second: Order | None) -> str:
    shared = about(old) & about(new)
    if first is not None and second is not None and replaces(second, first):
        return GONE
    if _is_rival(old, new, shared):
        return GONE if _covers(old, new) else UNSURE
    if _FORGETS.search(new):
        return GONE if shared else STANDS if about(new) else UNSURE
    return _opposed(old, new, shared)


def concerns(subjects: set[str] | frozenset[str], later: str) -> bool:
    """Whether later words may be about rules of these subjects: any other judgement than STANDS needs that."""
    words = about(later)
    return not words or not words.isdisjoint(subjects) or any(words & kind and subjects & kind for kind in _RIVALS)


def _opposed(old: str, new: str, shared: frozenset[str]) -> str:
    """Judge by who forbids and who allows the same thing: the deed alone is not the thing."""
    sizes = len(about(old)), len(about(new))
    # A rule that names nothing but a deed is about the deed.
    things = {word for word in shared if root(word) not in _DEEDS} or (shared if shared == about(old) else set())
    if shared and max(sizes) <= _FEW and _LIFTS.search(new) and _LIFTS.search(old) is None and "make sure" not in new:
        return GONE if _CHANGES.search(new) and _ALLOWS.search(new) else UNSURE
    if not things or max(sizes) > _FEW or len(shared) * 2 < min(sizes):
        return STANDS  # sentences that tell much are not about the same for one word in common
    forbade, allows = _forbade(old), _ALLOWS.search(new) is not None
    forbids = _FORBIDS.search(_without_allowing(new)) is not None
    if forbade == forbids:
        return STANDS
    changes = _CHANGES.search(new) is not None
    if (allows or changes) and (forbade or _same_deed(old, new)):
        return GONE
    begins = re.escape(new.split(maxsplit=1)[0])
    asks_for = forbade and re.search(rf"\b(?:never|don'?t|do not) {begins}(?!\S*\w)", old) is not None
    return UNSURE if changes or asks_for or _same_deed(old, new) else STANDS


_FEW = 8


def _forbade(old: str) -> bool:
    """Whether a rule forbids; `never ... without asking` asks for the asking."""
    return _FORBIDS.search(old) is not None and _WITHOUT.search(old) is None


_WITHOUT = re.compile(r"\b(?:never|not|don'?t)\b.+\bwithout\b")
_HARMLESS = re.compile(
    r"not a problem|no problem|i don'?t mind|why not|don'?t (?:worry|forget)|no longer (?:off|forbidden|banned|frozen|taboo)"
)


def _without_allowing(new: str) -> str:
    """Take out the words in which `not` and `without` forbid nothing."""
    return _HARMLESS.sub("", new)


def _same_deed(old: str, new: str) -> bool:
    """Whether both speak of doing the same, or nearly the same."""
    one, other = _verbs(old), _verbs(new)
    return bool(one & other) or any(one & family and other & family for family in _FAMILIES)


def _verbs(text: str) -> set[str]:
    return {root(word.strip("`'\".,!?;:()")) for word in text.split()} & _DEEDS


_DEEDS = frozenset(stem for family in _FAMILIES for stem in family)


def _is_rival(old: str, new: str, shared: frozenset[str]) -> bool:
    """Whether both choose, of things of which one uses one; or give the same thing another number."""
    new = _GIVES_UP.sub(" ", new)
    if _FORBIDS.search(old) or _FORBIDS.search(new):
        return False
    before, after = about(old), about(new)
    for kind in _RIVALS:
        one, other = before & kind, after & kind
        if one and other and one != other and not (one & other):
            return True
    numbers = [frozenset(_NUMBER.findall(text)) for text in (old, new)]
    words = [{word for word in some if not word[0].isdigit()} for some in (before, after)]
    return bool(
        numbers[0]
        and numbers[1]
        and numbers[0] != numbers[1]
        and shared
        and words[1] <= words[0]
        and len(words[1]) >= len(words[0]) - 1
    )


def _covers(old: str, new: str) -> bool:
    """Whether the newer speaks of as much as the older: where each names a place of its own, both may hold."""
    rivals = frozenset().union(*_RIVALS)
    before, after = ({word for word in about(text) - rivals if not word[0].isdigit()} for text in (old, new))
    return before == after or not after or _CHANGES.search(new) is not None
