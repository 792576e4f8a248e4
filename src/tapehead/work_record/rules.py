"""The rules that the user set and that stand: their own sentences that insist, less what they took back later.

Steering, brief, notes and memories all fold the user's sentences with `Standing`, in order; what becomes of a rule is decided by `verdict`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.work_record.facts import Fact
from tapehead.work_record.orders import order, replaces
from tapehead.work_record.own_text import is_all_own, is_reported, own_text
from tapehead.work_record.rule_verdict import GONE, STANDS, UNSURE, about, concerns, verdict
from tapehead.work_record.sentences import flat, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.work_record.step_row import Conversation

_INSISTS = re.compile(
    r"[^a-z0-9_](?:do not|don'?t|never|always|must(?: not)?|should(?:n'?t| not| always| only)|no need|stop \w+ing|"
    r"instead(?: of)?|rather than|make sure|ensure|only (?:use|the|when|if|for now)|from now on|avoid|without (?:any|\w+ing)|prefere?|remember|"
    r"keep (?:the|it|all|our|this|that|every\w*|in mind)|not what|that(?:'?s| is) wrong|actually,|i (?:said|meant|prefer)|needs? to be|"
    r"has to|leave|revert|undo|let'?s (?:not|skip|leave|keep|stick|stay|hold|avoid|focus)|(?:where|when)(?:ever)? possible|"
    r"ignore (?!d)\w+|(?:not|hardly|too?) (?:worth|needed|necessary|much|risky|complex|big)|no longer)\b"
)
"""With the letter before, since most letters of a text have another one before them, and are passed over at once."""
_SAYS_NO = re.compile(
    r" (?:no|nope|nah),? (?=(?:\S+ ){3})(?!i (?:see|get|still)|it(?:'s| is) |there |[^,.]{2,40}, (?:but|just|only) (?:an?|the|now) )"
)
"""A no with what is to be done instead, or why."""
_ONLY_LEADS = re.compile(
    r" (?:who|how|why|where|which|what) (?:do|does|did|is|are|was|were|can|could|should|would|about|if)\b[^?]*$|.*:$"
)
"""A question without its mark, and the words before a list: what they ask or announce is no rule."""
_TELLS_OF_SELF = re.compile(
    r"[^a-z0-9_](?:i|we|they|you|who)(?: (?:still|really|also|just|always))? (?:do not|don'?t) (?!want|need|like|have to|ever)\w+|"
    r"^ (?:i|we|it|they|from|this|that)\b.* without \w+ing\b"
)
"""`I don't see it`, `it came without touching anything`: what somebody does or met, and no order."""
_CORRECTS = (
    r"^(?:no\b|nope|not\b|stop\b|wait\b|actually\b|don'?t\b|revert|undo)|\binstead\b|\brather than\b|not what|"
    r"that(?:'?s| is) (?:wrong|not)|\bi (?:said|meant)\b|\blet'?s (?:not|skip|leave)\b|\btoo? (?:much|big|risky|complex)\b"
)
"""As text: it is compiled for the first rule, and running notes never ask."""
A_RULE, _SHORTEST = 260, 8


def rules(conversation: Conversation) -> tuple[Fact, ...]:
    """Give what the user insisted on, newest first, sentence by sentence; questions are no rules.

    A correction comes with what it answers: the agent's last words before it. A rule that took the place of another comes with that one's
    words, and so does one that may have.
    """
    heard = Standing()
    for one in sayings(conversation):
        corrects = re.search(_CORRECTS, one.text.lower()) is not None
        heard.hear(one._replace(note=_last_words(conversation, one.at)) if corrects else one)
    return tuple(sorted(heard.rules.values(), key=lambda rule: -rule.at))


def sayings(conversation: Conversation) -> Iterator[Fact]:
    """Give the user's own sentences in order."""
    for place, said in conversation.human:
        sure = is_all_own(said.text)
        for one in own_sentences(said.text):
            yield Fact(one, place.turn, place.time, place.at, sure=sure)


def own_sentences(prompt: str, shortest: int = _SHORTEST) -> Iterator[str]:
    """Give the sentences of a prompt that are the user's own, and no questions."""
    for one in map(flat, sentences(own_text(prompt), A_RULE, shortest)):
        if not one.endswith("?"):
            yield one


class Standing:
    """The rules so far, and the orders that are none by themselves but may be changed by a later one, which is."""

    def __init__(self, rules: Iterable[Fact] = (), orders: Iterable[Fact] = ()) -> None:
        self.rules = {rule.text.lower(): rule for rule in rules}
        self.orders = {one.text.lower(): one for one in orders}
        self.subjects = set[str]().union(*(about(one.text) for one in (*self.rules.values(), *self.orders.values())))

    def hear(self, said: Fact) -> None:
        """Take the user's next sentence: what it takes back holds no more, and what it leaves open is told with it from here on."""
        insists, key = _insists(said.text), said.text.lower()
        gone, unsure = self._taken_back(said) if concerns(self.subjects, said.text) else ([], [])
        if gone or unsure or insists:
            self.rules.pop(key, None)
            earlier = " / ".join(map(told, unsure))
            self.rules[key] = said._replace(instead_of=gone[-1].text if gone else "", earlier=earlier)
        elif order(said.text) is not None:
            self.orders.pop(key, None)
            self.orders = dict([*self.orders.items(), (key, said)][-_ORDERS:])
        else:
            return
        self.subjects |= about(said.text)

    def _taken_back(self, said: Fact) -> tuple[list[Fact], list[Fact]]:
        found: dict[str, list[Fact]] = {STANDS: [], GONE: [], UNSURE: []}
        holding = [(key, rule) for key, rule in self.rules.items() if rule.holds]
        for key, rule in holding if about(said.text) else holding[-1:]:  # words that name nothing are about the last
            judged = verdict(rule.text, said.text)
            found[judged].append(rule)
            if judged != STANDS:
                self.rules[key] = rule._replace(holds=False, note=said.text)
        new = order(said.text)
        for key, one in [*self.orders.items()] if new is not None else ():
            if new is not None and (old := order(one.text)) is not None and replaces(new, old):
                found[GONE].insert(0, self.orders.pop(key))
        return found[GONE], found[UNSURE]


_ORDERS = 40
"""Orders that are no rules: more are not remembered."""


def told(rule: Fact) -> str:
    """Give a rule with its turn, after what it may have taken the place of."""
    return f"{rule.earlier} / {rule.text} (turn {rule.turn})" if rule.earlier else f"{rule.text} (turn {rule.turn})"


def _insists(sentence: str) -> bool:
    lowered = _TELLS_OF_SELF.sub(" ", f" {sentence.lower()}")
    insists = _INSISTS.search(lowered) is not None or _SAYS_NO.match(lowered) is not None
    return insists and _ONLY_LEADS.match(lowered) is None and not is_reported(sentence)


def _last_words(conversation: Conversation, at: int) -> str:
    before = next((text for place, text in reversed(conversation.agent) if place.at < at), "")
    found = sentences(before, A_RULE)
    return flat(found[-1]) if found else ""
