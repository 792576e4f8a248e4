"""What the agent found, decided and did, in its own sentences, each with what it is worth to a successor.

A successor needs reasons more than steps: a sentence that says why, that corrects an earlier one or that tells how a thing ended
counts for more than one that announces the next call. The agent's last message of a turn is its report, and counts for more again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.facts import Finding
from tapehead.work_record.replies import option_in
from tapehead.work_record.sentence_worth import gives_reasons, worth_of
from tapehead.work_record.sentences import flat, tells, unwrap_lines
from tapehead.work_record.statements import statements
from tapehead.work_record.step_row import SENTENCES_OF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.work_record.step_row import Conversation, Place

_GREETS = re.compile(
    r"(?:You'?re (?:absolutely )?right|Great|Perfect|Excellent|Good (?:question|catch|point|idea)|Awesome|Sure|Of course|Sounds good|"
    r"I can see|I see|I understand|Looks good|Nice|Done)\b[^.!:—-]{0,40}(?:[.!:]+\s+|\s[—-]+\s+)",
    re.IGNORECASE,
)
_CONFIRMS = re.compile(r"(?:Good|Great|Perfect|Excellent|Nice|OK|Okay|Right|Yes|Yep|Yeah)(?:,|[.!]+|\s[—-]+)\s+(?=\S)")
_CONFIRMED = 0.5
"""A look at the code that found what was thought: it was worth saying then."""
_PASSING = re.compile(
    r"(?:But |So |And |OK,? |Ah,? |Hmm,? |Wait,? |Actually,? |Good(?: -|,|\.) |Great,? |Perfect,? |Now |I think )*(?:I need|I should|I have (?:to|a|all|everything|enough|(?:the|some) (?:\w+ )?(?:context|picture|information|info|understanding|idea))\b|I know|I see|I can see|I found it|I understand|we need to|let me|let's|"
    r"(?:the )?compiler is telling|that(?:'s| is) (?:it|all)|moving on to|time to)\b|"
    r"(?:(?:And |So |OK,? )?(?:Now|Next|Then|First|Finally|Also)[,:]? (?:(?:the|on to|for) (?:main|next|last|final)\b|"
    r"(?:add|apply|build|change|check|clean|commit|confirm|create|delete|do|extract|find|fix|implement|look|make|move|open|push|read|rebase|"
    r"refactor|remove|rename|replace|re-?run|rewrite|run|see|simplify|start|test|try|update|verify|view|wire|write)\b)|"
    r"(?:Re-?run|Run|Check|Verify|Confirm|Try) (?=[^`]*$))",
    re.IGNORECASE,
)
"""A step that was about to be taken: by now it is over."""
REPORT = 1.5
OF_A_SUBAGENT = 0.7
_OF_A_RESULT = 6_000


def findings(conversation: Conversation) -> tuple[Finding, ...]:
    """Every sentence that tells something, oldest first, each once: where it was said last."""
    found: dict[str, Finding] = {}
    ways = (_said, _instructed, _delegated, _published)  # what is instructed stands behind what is said
    for one in (found for way in ways for found in way(conversation)):
        found.pop(one.text.lower(), None)
        found[one.text.lower()] = one
        if one.worth == _INSTRUCTION:
            found.pop(f"{one.text.lower().partition(': `')[0]}.", None)  # the same without the command
    return tuple(sorted(found.values(), key=lambda one: one.at))


def _said(conversation: Conversation) -> Iterator[Finding]:
    reports = {place.turn: place.at for place, _ in conversation.agent}  # the last one of each turn
    for (place, told), (_, text) in zip(conversation.sentences, conversation.agent[-SENTENCES_OF:], strict=True):
        report = REPORT if reports[place.turn] == place.at else 1.0
        yield from _worth(place, (_with_option(one, text) for one in told), report)


def _with_option(sentence: str, text: str) -> str:
    """A sentence that names an option by its number, with what the same message says of that option."""
    meant = option_in([text], sentence) if len(sentence) < _A_CHOICE and _BY_NUMBER.search(sentence) else ""
    return (
        f"{sentence} (that is “{meant[:_OF_AN_OPTION]}”)" if meant and meant[:_KNOWN_BY] not in sentence else sentence
    )


_BY_NUMBER = re.compile(r"\b[Oo]ption #?[\dA-D]\b")
_A_CHOICE, _OF_AN_OPTION, _KNOWN_BY = 160, 110, 30


def _delegated(conversation: Conversation) -> Iterator[Finding]:
    """What a subagent reported: nobody else may have said it."""
    for act in conversation.acts:
        if act.call.kind == turns.DELEGATE and act.said and not act.failed:
            told = (one for one in statements(act.said[:_OF_A_RESULT]) if not one.startswith(_OF_THE_HOST))
            yield from _worth(act.place, told, OF_A_SUBAGENT, from_subagent=True)


_OF_THE_HOST = ("agentId:", "Async agent launched")
"""How an agent's own words in such a result begin."""


def _instructed(conversation: Conversation) -> Iterator[Finding]:
    """What the user was told to run: a sentence that ends with a colon, and the few lines of code behind it."""
    for place, text in conversation.agent:
        parts = text.split("```") if "```" in text else []
        for said, code in zip(parts[::2], parts[1::2], strict=False):  # what is said and what is code take turns
            intro = said.rstrip().rpartition("\n")[2].rstrip("* ")
            _, _, body = code.partition("\n")
            lines = [line.strip() for line in body.splitlines() if line.strip() and not line.strip().startswith("#")]
            if (
                0 < len(lines) <= _FEW_LINES
                and len(body) <= _OF_CODE
                and intro.endswith(":")
                and _INSTRUCTS.search(intro)
            ):
                told = flat(f"{intro.strip(' *#-')} `{'; '.join(lines)}`")
                yield Finding(told, place.turn, place.at, _INSTRUCTION)


_INSTRUCTS = re.compile(r"\b(?:you|run|try|use|command)\b", re.IGNORECASE)
_OF_CODE = 300
_FEW_LINES, _INSTRUCTION = 3, 0.9


def _published(conversation: Conversation) -> Iterator[Finding]:
    """What the agent wrote to others: comments, replies, and documents. Reasons stand there; the messages of commits stand with these."""
    documents: dict[str, tuple[Place, str]] = {}
    for act in conversation.acts[-_LATELY:]:
        call = act.call
        if call.kind == turns.RUN and call.text.startswith(_TELLS_OTHERS):
            words = max(map("".join, _QUOTED.findall(call.text)), key=len, default="")
            yield from _best_of(words, act.place, _MESSAGE)
        elif call.kind == turns.WRITE and call.path.endswith(".md"):
            documents[call.path] = (act.place, call.text)
    for place, text in documents.values():
        yield from _best_of(text, place, _DOCUMENT)


def _best_of(text: str, place: Place, factor: float) -> list[Finding]:
    """The few sentences of a message or a document that give reasons; its lines may have been broken to a width."""
    told = [one for one in statements(unwrap_lines(text[:_OF_A_TEXT])) if gives_reasons(one)]
    return sorted(_worth(place, told, factor), key=lambda one: -one.worth)[:_OF_A_MESSAGE]


_TELLS_OTHERS = ("gh ", "glab ")
_QUOTED = re.compile(r"<<'?(?:EOF|MSG|END)'?\n(.*?)\n(?:EOF|MSG|END)|\"((?:[^\"\\]|\\.){40,})\"", re.DOTALL)
_MESSAGE, _DOCUMENT, _OF_A_MESSAGE = 0.8, 0.7, 3
_LATELY, _OF_A_TEXT = 150, 2_500


def _worth(place: Place, told: Iterable[str], factor: float, *, from_subagent: bool = False) -> Iterator[Finding]:
    for sentence in told:
        bare = sentence[greeting.end() :].strip() if (greeting := _GREETS.match(sentence)) else sentence
        confirms = _CONFIRMS.match(bare)
        bare, of_it = (bare[confirms.end() :], _CONFIRMED) if confirms else (bare, 1.0)
        if len(bare) >= _SHORTEST and tells(bare) and not _PASSING.match(bare) and not _is_quoted(bare):
            yield Finding(_begun(bare), place.turn, place.at, factor * of_it * worth_of(bare), from_subagent)


def _is_quoted(sentence: str) -> bool:
    """Whether somebody else's words are told: those are found where they were said."""
    return sentence[0] == '"' and sentence.rstrip(".")[-1] == '"'


def _begun(sentence: str) -> str:
    """A sentence whose greeting was cut begins anew; a name of code stays as it is spelt."""
    first = sentence.split(None, 1)[0]
    return sentence[0].upper() + sentence[1:] if first.rstrip(",.:;").isalpha() and first.islower() else sentence


_SHORTEST = 13
