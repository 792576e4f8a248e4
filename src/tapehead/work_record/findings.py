"""What the agent found, decided and did, in its own sentences, each with what it is worth to a successor.

A successor needs reasons more than steps: a sentence that says why, that corrects an earlier one or that tells how a thing ended
counts for more than one that announces the next call. The agent's last message of a turn is its report, and counts for more again.
"""

from __future__ import annotations

import re

from tapehead.transcript import turns
from tapehead.work_record.facts import Finding
from tapehead.work_record.sentences import flat, sentences, tells

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.work_record.step_row import Place, Story

_REASONS = re.compile(
    r"\b(?:because|since (?:the|it|we|this|they)|root cause|turn(?:s|ed) out|the (?:real |actual |key )?(?:issue|problem|bug|cause|reason|fix|catch|insight)|"
    r"instead of|rather than|decided|decision|chose|opted|went with|going with|reject\w*|defer\w*|postpone\w*|revert\w*|(?:in)?correctly|"
    r"wrong(?:ly)?|mistake\w*|mismatch|no longer|not needed|unnecessary|must(?:n't)?|never|already|so that|means|avoid\w*|"
    r"doesn't|does not|didn't|did not|can't|cannot|won't|isn't|wasn't|aren't|fail(?:s|ed)?|requires?|needs? to|timed? out|too many|"
    r"overengineer\w*|supersed\w*|duplicate\w*|conflict\w*|I will use|I'll use|cycles?|circular|collision|ambigu\w+|crash\w*|hangs?|hung|"
    r"respawn\w*|leak\w*|stale|broken|stuck|blocked|delegates?|you(?:'ll)? (?:need|have) to|manually|by hand)\b",
    re.IGNORECASE,
)
_OUTCOMES = re.compile(
    r"\b(?:added|removed|replaced|renamed|moved|fixed|updated|created|implemented|now|uses?|returns?|closed|merged|pushed|committed|"
    r"pass(?:es|ed)?|deleted|kept|keeps?|remain\w*|next|pending|still|left|released|installed|recommend\w*|skipped|works?|only|shows?)\b|"
    r"https?://|#\d+\b",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"(?:You'?re (?:absolutely )?right|Great|Perfect|Excellent|Good (?:question|catch|point|idea)|Awesome|Sure|Of course|Sounds good|"
    r"I can see|I see|I understand|Looks good|Nice|Done)\b[^.!:—-]{0,40}[.!:—-]+\s*",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"(?:But |So |And |OK,? |Ah,? |Hmm,? |Wait,? |Actually,? |Good - |Now )*(?:I need|I should|I have to|I know|I see|we need to|let me|let's)\b",
    re.IGNORECASE,
)
"""A step that was about to be taken: by now it is over."""
_PLAIN, _REASON, _SECOND, _OUTCOME = 0.2, 0.4, 0.2, 0.15
REPORT = 1.5
OF_A_SUBAGENT = 0.7
_OF_A_RESULT = 6_000


def findings(story: Story) -> tuple[Finding, ...]:
    """Every sentence that tells something, oldest first, each once: where it was said last."""
    found: dict[str, Finding] = {}
    for one in (*_said(story), *_instructed(story), *_delegated(story), *_published(story)):
        found.pop(one.text.lower(), None)
        found[one.text.lower()] = one
    return tuple(sorted(found.values(), key=lambda one: one.at))


def worth_of(sentence: str) -> float:
    """What a sentence is worth by its words alone: about 0.2 for a plain one, 1 for one that gives reasons and says how it ended."""
    reasons, outcomes = len(_REASONS.findall(sentence)), len(_OUTCOMES.findall(sentence))
    return _PLAIN + _REASON * (reasons > 0) + _SECOND * (reasons > 1) + _OUTCOME * (outcomes > 0)


def binds(line: str) -> float:
    """How much a line of a plan sets a limit: what must hold, what stays as it is, how it is verified."""
    return 2.0 if _FORBIDS.search(line) else 0.6 if _BINDS.search(line) else 0.0


_FORBIDS = re.compile(
    r"\b(?:must|never|always|do not|don't|not (?:to be )?(?:modif|chang|touch)\w+|no (?:changes?|modification)|unchanged|untouched|out of scope|"
    r"still pass|verification)\b",
    re.IGNORECASE,
)
_BINDS = re.compile(
    r"\b(?:leave|keep|existing|verif\w+|default|only|required?|ensure|at (?:most|least)|order|sort)\b", re.IGNORECASE
)


def _said(story: Story) -> Iterator[Finding]:
    reports = {place.turn: place.at for place, _ in story.agent}  # the last one of each turn
    for place, told in story.sentences:
        report = REPORT if reports[place.turn] == place.at else 1.0
        yield from _worth(place, told, report)


def _delegated(story: Story) -> Iterator[Finding]:
    """What a subagent reported: nobody else may have said it."""
    for act in story.acts:
        if act.call.kind == turns.DELEGATE and act.said and not act.failed:
            told = [flat(one) for one in sentences(act.said[:_OF_A_RESULT]) if tells(one)]
            yield from _worth(act.place, told, OF_A_SUBAGENT, from_subagent=True)


def _instructed(story: Story) -> Iterator[Finding]:
    """What the user was told to run: a sentence that ends with a colon, and the few lines of code behind it."""
    for place, text in story.agent:
        if "```" not in text:
            continue
        for intro, code in _INSTRUCTS.findall(text):
            lines = [line.strip() for line in code.splitlines() if line.strip() and not line.strip().startswith("#")]
            if 0 < len(lines) <= _FEW_LINES:
                said = flat(f"{intro.strip(' *#-')} `{'; '.join(lines)}`")
                yield Finding(said, place.turn, place.at, _INSTRUCTION)


_INSTRUCTS = re.compile(
    r"([^\n]*\b(?:you|run|try|use|command)\b[^\n]{0,80}:\**)\s*\n+```\w*\n(.{8,300}?)\n```", re.IGNORECASE | re.DOTALL
)
_FEW_LINES, _INSTRUCTION = 3, 0.9


def _published(story: Story) -> Iterator[Finding]:
    """What the agent wrote to others: the messages of commits, comments and replies, and documents. Reasons stand there."""
    documents: dict[str, tuple[Place, str]] = {}
    for act in story.acts:
        call = act.call
        if call.kind == turns.RUN and (call.text.startswith(_TELLS_OTHERS) or "git commit" in call.text):
            words = max(map("".join, _QUOTED.findall(call.text)), key=len, default="")
            yield from _best_of(words, act.place, _MESSAGE)
        elif call.kind == turns.WRITE and call.path.endswith(".md"):
            documents[call.path] = (act.place, call.text)
    for place, text in documents.values():
        yield from _best_of(text, place, _DOCUMENT)


def _best_of(text: str, place: Place, factor: float) -> list[Finding]:
    """The few sentences of a message or a document that give reasons; its lines may have been broken to a width."""
    whole = _BROKEN.sub(" ", text[:_OF_A_RESULT])
    told = [flat(one) for one in sentences(whole) if tells(one) and _REASONS.search(one)]
    return sorted(_worth(place, told, factor), key=lambda one: -one.worth)[:_OF_A_MESSAGE]


_BROKEN = re.compile(r"(?<=[^\n.:!?])\n(?=[a-z`(])")
_TELLS_OTHERS = ("gh ", "glab ")
_QUOTED = re.compile(r"<<'?(?:EOF|MSG|END)'?\n(.*?)\n(?:EOF|MSG|END)|\"((?:[^\"\\]|\\.){40,})\"", re.DOTALL)
_MESSAGE, _DOCUMENT, _OF_A_MESSAGE = 0.8, 0.7, 3


def _worth(place: Place, told: Iterable[str], factor: float, *, from_subagent: bool = False) -> Iterator[Finding]:
    for sentence in told:
        bare = sentence[greeting.end() :].strip() if (greeting := _GREETS.match(sentence)) else sentence
        if len(bare) >= _SHORTEST and tells(bare) and not _PASSING.match(bare):
            yield Finding(_begun(bare), place.turn, place.at, factor * worth_of(bare), from_subagent)


def _begun(sentence: str) -> str:
    """A sentence whose greeting was cut begins anew; a name of code stays as it is spelt."""
    first = sentence.split(None, 1)[0]
    return sentence[0].upper() + sentence[1:] if first.rstrip(",.:;").isalpha() and first.islower() else sentence


_SHORTEST = 13
