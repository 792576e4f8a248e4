"""What the person asked for, and what they corrected, forbade or insisted on: always in their own words."""

from __future__ import annotations

import re

from tapehead.transcript.found import Fact
from tapehead.transcript.sentences import flat, sentences

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.transcript.orders import Given
    from tapehead.transcript.story import Story

_INSISTS = re.compile(
    r"[^a-z0-9_](?:do not|don'?t|never|always|must(?: not)?|should(?:n'?t| not| always| only)|no need|stop \w+ing|"
    r"instead(?: of)?|rather than|make sure|ensure|only (?:use|the|when|if)|from now on|avoid|without|prefer|remember|"
    r"keep (?:the|it|in mind)|not what|that(?:'?s| is) wrong|actually,|i (?:said|meant|prefer)|needs? to be|"
    r"has to|leave|revert|undo)\b"
)
"""With the letter before, since most letters of a text have another one before them, and are passed over at once."""
_CORRECTS = (
    r"^(?:no\b|nope|not\b|stop\b|wait\b|actually\b|don'?t\b|revert|undo)|\binstead\b|\brather than\b|not what|"
    r"that(?:'?s| is) (?:wrong|not)|\bi (?:said|meant)\b"
)
"""As text: it is compiled for the first rule, and running notes never ask."""
_A_RULE, _SHORTEST = 260, 8
_A_QUESTION = "?"


def asks(story: Story) -> tuple[Fact, ...]:
    """Every prompt in order, each once: what was typed again counts where it was typed last."""
    found: dict[str, Fact] = {}
    for place, said in story.human:
        text = said.text.strip()
        first = found.pop(text, None) if found and text != next(iter(found)) else None
        if first is None and text in found:
            continue
        found[text] = Fact(text, place.turn, place.time, place.at, note="queued" if said.queued else "")
    return tuple(found.values())


def rules(story: Story) -> tuple[Fact, ...]:
    """Give what the person insisted on, newest first, sentence by sentence; questions are no rules.

    A correction comes with what it answers: the agent's last words before it. An order that takes the place of an earlier
    one comes with that one's words, and the earlier one, where it is a rule, holds no more.
    """
    found: dict[str, Fact] = {}
    given = _Given()
    for place, said in story.human:
        for one in map(flat, sentences(said.text[:_A_PROMPT], _A_RULE, _SHORTEST)):
            replaced = [] if one.endswith(_A_QUESTION) else given.take(one)
            for old, alone in replaced:
                if alone and (rule := found.get(old.lower())) is not None:
                    found[old.lower()] = rule._replace(holds=False, note=one)
            if replaced or (not one.endswith(_A_QUESTION) and _insists(one.lower())):
                was = _last_words(story, place.at) if re.search(_CORRECTS, one.lower()) else ""
                instead_of = replaced[-1][0] if replaced else ""
                found[one.lower()] = Fact(one, place.turn, place.time, place.at, note=was, instead_of=instead_of)
    return tuple(sorted(found.values(), key=lambda rule: -rule.at))


def insisted(story: Story) -> list[Fact]:
    """Give the same sentences alone, oldest first: what each answers or takes the place of is not asked."""
    found: dict[str, Fact] = {}
    for place, said in story.human:
        text = said.text[:_A_PROMPT]
        if not _insists(flat(text.replace("**", "")).lower()):
            continue  # most prompts insist on nothing: one search says so before they are taken apart
        for one in map(flat, sentences(text, _A_RULE, _SHORTEST)):
            if not one.endswith(_A_QUESTION) and _insists(lowered := one.lower()):
                found.pop(lowered, None)
                found[lowered] = Fact(one, place.turn, place.time, place.at)
    return list(found.values())


def _insists(lowered: str) -> bool:
    return _INSISTS.search(f" {lowered}") is not None


class _Given:
    """The orders so far; they are taken apart as soon as one comes that could take the place of another."""

    def __init__(self) -> None:
        self.earlier: list[str] = []
        self.orders: Given | None = None

    def take(self, one: str) -> list[tuple[str, bool]]:
        """Take a sentence; give those that it takes the place of."""
        if self.orders is None and not _may_overrule(one.lower()):
            self.earlier.append(one)
            return []
        if self.orders is None:
            from tapehead.transcript.orders import Given  # noqa: PLC0415  few sessions need it

            self.orders = Given()
            for said in self.earlier:
                self.orders.take(said)
        return self.orders.take(one)


def _may_overrule(lowered: str) -> bool:
    """Whether a sentence could take the place of an earlier one: it must say that it changes, forbids or allows something."""
    if lowered.startswith(_TURNS) or lowered.rstrip(".!").endswith(_NOW):
        return True
    return _answers(lowered) or any(map(lowered.__contains__, _CHANGES))


def _answers(lowered: str) -> bool:
    """Whether it begins like an answer, and goes on with an order."""
    first = lowered.replace(",", "").split(" ", 2) if lowered.startswith(_ANSWERS) else [""]
    return first[0] in _ANSWERS and first[1:2] != [] and first[1] not in _NO_ORDERS


_ANSWERS = ("no", "nope", "nah", "ok", "okay", "yes", "actually", "wait", "sorry", "now", "please")
_NO_ORDERS = ("i", "this", "that", "it", "the", "with", "can", "we", "they", "is")
_NOW = (" now", " again")
_TURNS = (
    *("don't", "don’t", "dont", "do not", "never", "stop", "avoid", "you ", "feel free", "go ahead", "it's "),  # noqa: RUF001  the other apostrophe
    *("set ", "raise", "lower", "increase", "reduce", "limit", "bump", "cap ", "keep", "change", "switch", "replace"),
    *("use ", "go with", "stick with", "always", "we can", "we don't", "we should", "we must"),
)
_CHANGES = (
    *("instead", "rather than", "in place of", "no longer", "no need", "any more", "anymore", "switch", "replac"),
    *("swap", "migrat", "from now on", "going forward", "after all", "second thought"),
)


def _last_words(story: Story, at: int) -> str:
    before = next((text for place, text in reversed(story.agent) if place.at < at), "")
    told = sentences(before, _A_RULE)
    return flat(told[-1]) if told else ""


_A_PROMPT = 4_000
"""A longer prompt holds something pasted, and what is pasted is no rule."""
