"""Whether a rule still stands after later words of the user. The one place that decides it: for steering, brief, notes and memories.

Three answers: it stands, it is gone, or both must be told in their order. Where the words leave room, they are told both: the older alone
would bind the agent to what the user may have taken back.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tapehead.work_record.orders import order, replaces

if TYPE_CHECKING:
    from tapehead.work_record.orders import Order

STANDS, GONE, UNSURE = "stands", "gone", "unsure"

_FORGETS = (
    r"\b(?:forget|disregard|ignore|never ?mind)\b.{0,20}?\b(?:what i (?:said|told|asked)|i said|i told you|my (?:earlier|previous|last|former))\b|"
    r"\b(?:forget|never ?mind) about\b|\b(?:forget|ignore|disregard|drop|scrap|cancel|revoke|lift|remove|undo|withdraw|retract|rescind)\b.{0,60}?"
    r"\b(?:rules?|instructions?|restrictions?|requirements?|constraints?|ban|policy)\b|^(?:\w+,? ){0,2}(?:never ?mind|scratch that|forget (?:it|that))\b|"
    r"\b(?:no longer|not) (?:applies|apply|holds?|counts?|valid|a rule)\b|\bi (?:take|took) (?:(?:that|it) )?back\b|\bi(?:'ve| have)? changed my mind\b|"
    r"\b(?:unfreeze|unlock|unban|unblock)\b|\b(?:is|are) (?:off the table|moot|history|void)\b|"
    r"\b(?:rules?|restrictions?|requirements?|constraints?|ban|policy|freeze|limit)\b.{0,40}?"
    r"\b(?:over|lifted|gone|ended|void|dropped|removed|silly|wrong|a mistake|obsolete|outdated|ignore|forget)\b"
)
_ALLOWS = (
    r"\b(?:fine|ok|okay|allowed?|permitted|go ahead|feel free|you (?:can|may)|we can|no problem|acceptable|all right|alright|welcome|"
    r"not a problem|i don'?t mind|do use|do it anyway|fair game|open (?:for|to)|(?:is|are) back|no longer (?:off[- ]limits|forbidden|banned|frozen|taboo))\b"
)
_FORBIDS = r"\b(?:never|don'?t|dont|do not|no longer|no more|stop|avoid|dropped|must not|mustn'?t|should(?:n'?t| not)|not allowed|forbidden|no need|skip|can wait|without|not)\b"
_CHANGES = (
    r"\b(?:actually|instead|no longer|any ?more|from now on|after all|on second thoughts?|changed my mind|now|correction|wait|sorry|again|"
    r"going forward|from here on|switch|rather|let'?s go with|go back to|back to|bring back|(?:not|no longer) needed|dropped|optional|"
    r"(?:is|are) enough|suffices?|any longer|minimum)\b|\bit is(?:,? then)?\W*$"
)
_LIFTS = (
    r"\b(?:optional|forget (?:about )?(?:the|those|my|that)|drop (?:it|them|that|\w+,)|strike|lifted|overkill|unneeded|unnecessary|pointless|no more|up for grabs|sure|why not|"
    r"whatever|un(?:signed|tested|checked|typed|formatted|limited|restricted|documented)|needs? no|skip|don'?t bother|can wait|no need)(?!\w)"
)
"""What may take a rule back, where it is said of the same."""
_FOR_NOW = r"\b(?:this (?:once|time)|just once|for now|today|for this one|only here|temporarily)\b"
_SMALL = (
    "a an the this that these those it its them they i you we me my your our us he she in on at of for to from by with into as is are be was "
    "were been being do does did done don't dont never always not no nope nah yes ok okay please just only also too again any all more most "
    "some ever still now then so and or but if when while until before after since because actually instead rather than from there here what "
    "which who how why use used using should must may can could would will shall need needs have has had make sure want wants like fine good "
    "forget forgot ignore disregard drop said told say earlier previous last rule rules about anymore longer changed mind take back scratch "
    "never mind nevermind go ahead feel free allowed allow wait sorry well second thought thoughts each every once time let's lets keep thing "
    "things stuff way new old other another one two yourself file files code everything anything something really"
)
_NOT_ABOUT = frozenset(_SMALL.split())
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


_GIVES_UP = (
    r"(?:\bnot|\binstead of|\brather than|\bno more|\bover) [\w.+-]+|\b[\w.+-]+ (?:is|are) (?:gone|out|history|dead)\b"
)
"""What is named only to say that something else takes its place."""


def verdict(rule: str, later: str) -> str:
    """Say what becomes of a rule after later words."""
    old, new = _plain(rule), _plain(later)
    if new.endswith("?") or new == old or not concerns(about(old), new):
        return STANDS
    first = order(rule)
    judged = _judged(old, new, first, order(later))
    partly = first is not None and not first.alone  # the sentence says something else too
    return UNSURE if judged == GONE and (partly or re.search(_FOR_NOW, new)) else judged


def _judged(old: str, new: str, first: Order | None, second: Order | None) -> str:
    shared = about(old) & about(new)
    if first is not None and second is not None and replaces(second, first):
        return GONE
    if _is_rival(old, new, shared):
        return GONE if _covers(old, new) else UNSURE
    if re.search(_FORGETS, new):
        return GONE if shared else STANDS if about(new) else UNSURE
    return _opposed(old, new, shared)


def concerns(subjects: set[str] | frozenset[str], later: str) -> bool:
    """Whether later words may be about rules of these subjects: any other judgement than STANDS needs that."""
    words = about(later)
    return not words or not words.isdisjoint(subjects) or any(words & kind and subjects & kind for kind in _RIVALS)


@lru_cache(maxsize=1_024)
def about(text: str) -> frozenset[str]:
    """Give the words that say what a sentence is about."""
    bare = (word.strip("`'\".,!?;:()[]*").removeprefix("no-") for word in _plain(text).split())
    return frozenset(_stem(word) for word in bare if len(word) > 1 and word not in _NOT_ABOUT)


def _opposed(old: str, new: str, shared: frozenset[str]) -> str:
    """Judge by who forbids and who allows the same thing: the deed alone is not the thing."""
    sizes = len(about(old)), len(about(new))
    # A rule that names nothing but a deed is about the deed.
    things = {word for word in shared if _root(word) not in _DEEDS} or (shared if shared == about(old) else set())
    if (
        shared
        and max(sizes) <= _FEW
        and re.search(_LIFTS, new)
        and re.search(_LIFTS, old) is None
        and "make sure" not in new
    ):
        return GONE if re.search(_CHANGES, new) and re.search(_ALLOWS, new) else UNSURE
    if not things or max(sizes) > _FEW or len(shared) * 2 < min(sizes):
        return STANDS  # sentences that tell much are not about the same for one word in common
    forbade, allows = _forbade(old), re.search(_ALLOWS, new) is not None
    forbids = re.search(_FORBIDS, _without_allowing(new)) is not None
    if forbade == forbids:
        return STANDS
    changes = re.search(_CHANGES, new) is not None
    if (allows or changes) and (forbade or _same_deed(old, new)):
        return GONE
    begins = re.escape(new.split(maxsplit=1)[0])
    asks_for = forbade and re.search(rf"\b(?:never|don'?t|do not) {begins}(?!\S*\w)", old) is not None
    return UNSURE if changes or asks_for or _same_deed(old, new) else STANDS


_FEW = 8


def _forbade(old: str) -> bool:
    """Whether a rule forbids; `never ... without asking` asks for the asking."""
    return re.search(_FORBIDS, old) is not None and re.search(r"\b(?:never|not|don'?t)\b.+\bwithout\b", old) is None


def _without_allowing(new: str) -> str:
    """Take out the words in which `not` and `without` forbid nothing."""
    return re.sub(
        r"not a problem|no problem|i don'?t mind|why not|don'?t (?:worry|forget)|no longer (?:off|forbidden|banned|frozen|taboo)",
        "",
        new,
    )


def _same_deed(old: str, new: str) -> bool:
    """Whether both speak of doing the same, or nearly the same."""
    one, other = _verbs(old), _verbs(new)
    return bool(one & other) or any(one & family and other & family for family in _FAMILIES)


def _verbs(text: str) -> set[str]:
    return {_root(word.strip("`'\".,!?;:()")) for word in text.split()} & _DEEDS


def _root(word: str) -> str:
    stem = (word.removesuffix("ing") if len(word) > 4 else word).removesuffix("ed").rstrip("e")  # noqa: PLR2004 - `sing`
    return stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem  # noqa: PLR2004 - as above


_DEEDS = frozenset(stem for family in _FAMILIES for stem in family)


def _is_rival(old: str, new: str, shared: frozenset[str]) -> bool:
    """Whether both choose, of things of which one uses one; or give the same thing another number."""
    new = re.sub(_GIVES_UP, " ", new)
    if re.search(_FORBIDS, old) or re.search(_FORBIDS, new):
        return False
    before, after = about(old), about(new)
    for kind in _RIVALS:
        one, other = before & kind, after & kind
        if one and other and one != other and not (one & other):
            return True
    numbers = [frozenset(re.findall(r"\d[\d.]*", text)) for text in (old, new)]
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
    return before == after or not after or re.search(_CHANGES, new) is not None


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())  # noqa: RUF001 - the other apostrophe


def _stem(word: str) -> str:
    if "." in word or len(word) <= 3:  # noqa: PLR2004 - `gas`
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    one = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    return _root(one) if one.endswith("ing") else one
