"""The rules that the user set and that stand: their own sentences that insist, less what they took back later.

Steering, brief, notes and memories all fold the user's sentences with `Standing`, in order; what becomes of a rule is decided by `verdict`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.text.fence import quote, single
from tapehead.work_record.facts import Fact
from tapehead.work_record.orders import order, replaces
from tapehead.work_record.own_order import sets_rule
from tapehead.work_record.own_text import is_short, own_parts
from tapehead.work_record.rule_verdict import GONE, STANDS, is_question, is_revised, verdict
from tapehead.work_record.sentences import flat, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.work_record.step_row import Conversation

_COMMAND = re.compile(r"\s*(?:! |/\S+\s*$)")
_CALLED = re.compile(r"\A\s*/[\w:.-]+ +(?=\S+ \S)")
"""A command of the agent's with words of the user's behind it: those are an order as any other."""
_CORRECTS = re.compile(
    r"^(?:no\b|nope|not\b|stop\b|wait\b|actually\b|don'?t\b|revert|undo)|\binstead\b|\brather than\b|not what|"
    r"that(?:'?s| is) (?:wrong|not)|\bi (?:said|meant)\b|\blet'?s (?:not|skip|leave)\b|\btoo? (?:much|big|risky|complex)\b"
)
A_RULE, _SHORTEST = 260, 2


def rules(conversation: Conversation) -> tuple[Fact, ...]:
    """Give what the user insisted on, newest first, sentence by sentence; questions are no rules.

    A correction comes with what it answers: the agent's last words before it. A rule that took the place of another comes with that one's
    words, and one that may have changed with the later ones.
    """
    heard = Standing()
    for one in sayings(conversation):
        corrects = _CORRECTS.search(one.text.lower()) is not None
        heard.hear(one._replace(note=_last_words(conversation, one.at)) if corrects else one)
    return tuple(sorted(heard.rules.values(), key=lambda rule: -rule.at))


def sayings(conversation: Conversation) -> Iterator[Fact]:
    """Give the user's own sentences in order; only those are sure, and can set a rule or replace one.

    Those of any other short prompt may be quoted beside a rule that they may change. Those of the rest do not hold: they point at it, no more.
    """
    for place, said in conversation.human:
        if _COMMAND.match(said.text):
            continue  # a command of the shell or of the agent says nothing of a rule, though it may name its words
        text = _CALLED.sub("", said.text, count=1)
        own = own_parts(text) is not None
        for one in own_sentences(text) if own else _others(text):
            yield Fact(one, place.turn, place.time, place.at, sure=own, holds=own or is_short(text))


def _others(prompt: str) -> list[str]:
    return [flat(one) for one in sentences(prompt[:_LOOKED_AT], A_RULE, _SHORTEST)][:_FEW]


_LOOKED_AT, _FEW = 1_000, 8
"""Letters and sentences of a prompt that is not all the user's own, in which a rule may be spoken of."""


def own_sentences(prompt: str) -> Iterator[str]:
    """Give the sentences of a prompt that are the user's own, and no questions but those that ask for something to be done."""
    for part in own_parts(prompt) or ():
        one = flat(part.replace("**", ""))
        if _SHORTEST <= len(one) <= A_RULE and not is_question(one):
            yield one


class Standing:
    """The rules so far, and the orders that are none by themselves but may be changed by a later one, which is."""

    def __init__(self, rules: Iterable[Fact] = (), orders: Iterable[Fact] = ()) -> None:
        self.rules = {rule.text.lower(): rule for rule in rules}
        self.orders = {one.text.lower(): one for one in orders}

    def hear(self, said: Fact) -> None:
        """Take the user's next sentence: what it takes back holds no more, and what it may change is told with it from here on."""
        if not said.holds:
            self._point_at(said)
            return
        key = said.text.lower()
        gone = self._taken_back(said)
        if gone or (said.sure and sets_rule(said.text)):
            self.rules.pop(key, None)
            self.rules[key] = said._replace(instead_of=gone[-1].text if gone else "")
        elif order(said.text) is not None:
            self.orders.pop(key, None)
            self.orders = dict([*self.orders.items(), (key, said)][-_ORDERS:])

    def _taken_back(self, said: Fact) -> list[Fact]:
        """Give what a sentence takes the place of, and put it beside the rules that it may change."""
        gone = []
        newest = max((rule.turn for rule in self.rules.values() if rule.holds), default=0)
        for key, rule in [*self.rules.items()]:
            if not rule.holds:
                continue
            is_later = (said.turn, said.at) > (rule.turn, rule.at)
            near = rule.turn == newest and 0 < said.turn - rule.turn <= _NEAR
            judged = verdict(rule.text, said.text, near=near)
            if judged == GONE and said.sure:
                gone.append(rule)
                self.rules[key] = rule._replace(holds=False, note=said.text)
            elif judged != STANDS and is_later:
                self.rules[key] = rule._replace(later=_with_later(rule.later, said))
        new = order(said.text)
        for key, one in [*self.orders.items()] if new is not None else ():
            if new is not None and (old := order(one.text)) is not None and replaces(new, old):
                gone.insert(0, self.orders.pop(key))
        return gone

    def _point_at(self, said: Fact) -> None:
        """Name a turn whose words may change a rule, and are not surely the user's own: they are not quoted."""
        for key, rule in self.rules.items():
            if rule.holds and is_revised(rule.text, said.text) and f"turn {said.turn})" not in rule.later:
                self.rules[key] = rule._replace(later=_joined(rule.later, f"(may have changed in turn {said.turn})"))


_ORDERS = 40
"""Orders that are no rules: more are not remembered."""
_NEAR, _LATER, _A_LATER = 4, 2, 120
"""Turns after which words that name nothing are still about the last rule; how many later words stand beside a rule, and their letters."""
_BETWEEN, _THEN = "; ", " Later: "


def _with_later(before: str, said: Fact) -> str:
    return _joined(before, f"“{single(quote(said.text, _A_LATER))}” (turn {said.turn})")


def _joined(before: str, one: str) -> str:
    parts = [part for part in before.split(_BETWEEN) if part and part != one]
    return _BETWEEN.join([*parts, one][-_LATER:])


def told(rule: Fact) -> str:
    """Give a rule in one text, with what was said later about the same."""
    return f"{rule.text}{_THEN}{rule.later}" if rule.later else rule.text


def untold(text: str, turn: int) -> Fact:
    """Give the rule again that such a text tells."""
    words, _, later = text.partition(_THEN)
    return Fact(words, turn, later=later)


def _last_words(conversation: Conversation, at: int) -> str:
    before = next((text for place, text in reversed(conversation.agent) if place.at < at), "")
    found = sentences(before, A_RULE)
    return flat(found[-1]) if found else ""
