"""Short replies: a yes, a no, the number of an option. What they decide stands in the agent's words before them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.work_record.sentences import flat, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST, _SHORT = 160, 80
_YES_OR_NO = re.compile(r"(?:yes|yea|yeah|yep|yup|no|nope|nah|agreed?|approved?|exactly|correct)\b", re.IGNORECASE)
_REPLIES = re.compile(
    r"(?:ok|okay|sure|perfect|great|good|fine|right|both|all of|neither|go (?:ahead|for|with)|do (?:it|that|this|both|all)|"
    r"let'?s (?:do|go|try|use|take|start|implement|add|apply|skip|leave|keep)|(?:i )?(?:like|prefer|think)|start with|sounds)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:(?:no|ok|okay|yes|yeah|thanks|nah)[,.]? )?(?:i(?:'?ll| will|'?ve| have|'?d| can|'?m going to)|we(?:'?ll| will| can)|leave|skip|drop|forget|undo|hold|park|save)"
    r"\b[^.!?\n]{0,40}?\b(?:that|this|it|those|these|them|both)\b",
    re.IGNORECASE,
)
"""`I'll do that manually`: what is kept back or put off has its name in the words before it."""
_ENDS_WITH_YES = re.compile(r",? (?:yes|yeah|please do|is fine|(?:sounds|looks) good)[.! ]*$", re.IGNORECASE)


def is_reply(prompt: str) -> bool:
    """Whether a prompt is short and says yes or no, or points at what was said: by itself it does not say what was decided."""
    if len(prompt) <= _LONGEST and _POINTS_BACK.match(prompt):
        return True
    if len(prompt) > _LONGEST or prompt.rstrip().endswith("?"):
        return False
    short = len(prompt) <= _SHORT and (_REPLIES.match(prompt) or _ENDS_WITH_YES.search(prompt))
    return bool(short) or _YES_OR_NO.match(prompt) is not None


def option_in(said: Sequence[str], reply: str) -> str:
    """What the numbers in a reply stand for: the lines with those numbers in the agent's words, given newest first."""
    found = _chosen(reply) if len(reply) <= _LONGEST else _IN_MIND.match(reply)
    numbers = re.findall(r"\d|\b[a-d]\b", next(filter(None, found.groups())).lower()) if found else []
    listed = next(filter(None, map(_options, said)), []) if numbers else []  # the newest list is the one to choose from
    meant = [
        next((flat(one[2].replace("**", "")) for one in listed if one[1].lower() == number), "") for number in numbers
    ]
    fits = found is not None and (found.re is _BARE or not any(one.endswith("?") for one in meant))
    shares = found is not None and (found.re is not _WITH_WORDS or any(_shares(reply, one) for one in meant))
    return " / ".join(filter(None, meant)) if fits and shares else ""


def _options(text: str) -> list[re.Match[str]]:
    """The options that a text lists, the last first: those called so, or else what is numbered."""
    lines = text.splitlines()[::-1]
    named, numbered = ([found for line in lines if (found := form.match(line))] for form in (_NAMED, _LISTED))
    return named if len(named) > 1 else numbered if len(numbered) > 1 else []


def _chosen(reply: str) -> re.Match[str] | None:
    """Where a reply names options by number or letter."""
    forms = (_AHEAD, _IN_MIND, _BY_THE_WAY, _WITH_WORDS)
    found = _BARE.fullmatch(reply.strip()) or _IN_WORDS.search(reply)
    return found or next(filter(None, (form.match(reply) for form in forms)), None)


def _shares(reply: str, option: str) -> bool:
    return not {*_meaning(reply)}.isdisjoint(_meaning(option))


_SOME = r"\d(?!\d)(?:(?:, ?| ?& ?| ?\+ ?| and | then )\d(?!\d|[.)] ))*"
_BARE = re.compile(rf"(?:options?|number|approach)? ?#?({_SOME}|[a-d])[.)]?(?: please| pls)?", re.IGNORECASE)
_IN_WORDS = re.compile(rf"\b(?:options?|approach|choice|number) #?({_SOME}|[a-d]\b)", re.IGNORECASE)
_BY_THE_WAY = re.compile(
    rf".*\b(?:for|do|with|take|fix) #?({_SOME})(?= (?:first|then|please|now)\b|[.!]?$)", re.IGNORECASE
)
_AHEAD = re.compile(rf"#?({_SOME})(?:, | (?:seems|sounds|looks|is|works|it is|then)\b)", re.IGNORECASE)
_IN_MIND = re.compile(
    rf"(?:(?:yes|yeah|ok|okay|hm+)[,.]? )?(?:i (?:think|like|prefer|vote for|would (?:do|take|go (?:for|with))|'d go (?:for|with))|let'?s (?:do|take|go (?:for|with))|"
    rf"go (?:for|with)) (?:#?({_SOME})(?=[.,!]| (?:is|are|seems?|sounds?|looks?)\b|$)|([a-d])\))",
    re.IGNORECASE,
)
_WITH_WORDS = re.compile(rf"#?({_SOME}) (?=[a-z])", re.IGNORECASE)
"""A number and what it is about: it may count something else, so the option must be about the same."""
_NAMED = re.compile(r"[\s>*_#-]*(?:option|approach) (\d|[a-d])\b[\s*_:.)(-]*(\S.*)", re.IGNORECASE)
_LISTED = re.compile(r"[\s>*_#-]*(\d|[a-d])(?:[.):]|\*\*[.):]?| -)[\s*_:.-]*(\S.*)", re.IGNORECASE)


def answers_by_number(said: Sequence[str], reply: str) -> list[tuple[str, str]]:
    """Pair the numbered lines of a reply with the points that the agent numbered so: what each is about, and what the user said to it.

    Nothing where the numbers do not fit: a list of the user's own has numbers, too.
    """
    answers = [(one[1], flat(one[2])) for line in reply.splitlines() if (one := _ANSWER.match(line))]
    lines = sum(1 for line in reply.splitlines() if line.strip())
    if len(answers) < _FEW_ANSWERS or len(answers) * 2 < lines:
        return []
    for text in said:
        points = {one[1]: _title(one[2]) for line in text.splitlines() if (one := _POINT.match(line))}
        pairs = [(points.get(number, ""), answer) for number, answer in answers]
        if all(point for point, _ in pairs) and "?" in text[-_OF_AN_END:]:
            fit = sum(1 for point, answer in pairs if _is_answer(point, answer))
            return pairs if fit * 3 >= len(pairs) * 2 else []  # other lists are the user's own orders
    return []


def _is_answer(point: str, answer: str) -> bool:
    said = (form.match(answer) for form in (_YES_OR_NO, _REPLIES, _POINTS_BACK))
    return any(said) or _shares(answer, point)


def _title(point: str) -> str:
    """What a point is about: its bold words, or its first sentence."""
    bare = flat(_SENTENCE_END.split(point.strip(" *_:"), maxsplit=1)[0].partition("**")[0]).rstrip(".:")
    return bare if len(bare) <= _A_TITLE else f"{bare[:_A_TITLE].rpartition(' ')[0]} …"


_ANSWER = re.compile(r"\s*#?(\d{1,2})[.):]\s*(\S.*)")
_POINT = re.compile(r"[\s>*_#-]*(?:(?:item|point|question|option) )?#?(\d{1,2})[.):]\s*[*_]*(\S.*)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\*\*|\s[\u2013\u2014-]\s")
_FEW_ANSWERS, _A_TITLE, _OF_AN_END = 2, 80, 400


def proposal_in(said: str) -> str:
    """What the agent's words put before the user: the question at their end, with what it asks about where the question alone does not say so."""
    told = [flat(one) for one in sentences(said[-_OF_THE_END:], _A_SENTENCE, 8)]
    asked = next(
        (n for n in range(len(told) - 1, max(-1, len(told) - 1 - _NEAR_THE_END), -1) if told[n][-1] == "?"), None
    )
    if asked is not None and len(_meaning(told[asked])) >= _ENOUGH:
        return told[asked]
    before = told[: asked if asked is not None else len(told)]
    near = [one for one in reversed(before[-_BEFORE:]) if one[-1] != ":"]
    proposed = next(filter(_PROPOSES.search, near), "")
    if asked is None:
        return proposed  # a mere report asks for no answer
    return f"{proposed or next(iter(near), '')} {told[asked]}".strip()


_OF_THE_END, _A_SENTENCE, _NEAR_THE_END, _BEFORE, _ENOUGH = 2_500, 240, 4, 12, 3
_PROPOSES = re.compile(
    r"\b(?:recommend\w*|suggest\w*|propos\w*|best|cleanest|simplest|safest|better|solution|approach|the fix|should|could|would|plan is|i'?d)\b",
    re.IGNORECASE,
)
_SAYS_LITTLE = """
want would like shall should could this that these those with approach proceed implement fixing apply change changes make update ahead them
they your have need look into also start help more over first from does what which sound good prefer create continue looking overview
capture thinking match expectations mental model sense happy clear okay integration work works
"""
_LITTLE = frozenset(_SAYS_LITTLE.split())


def _meaning(question: str) -> list[str]:
    words = (word.strip("`'\".,!?:()*") for word in question.lower().split())
    return [word for word in words if len(word) > _A_WORD and word not in _LITTLE]


_A_WORD = 3
