"""Which part of a prompt the user wrote themselves: what is pasted into it says nothing for them.

A paste is known by what stands before it ("summarise this:") and by what documents, logs, mails and code look like. From there on nothing
counts: where it ends cannot be seen, and a rule that is missed does less harm than one that nobody set.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = 3_000
"""Letters of a prompt that nobody types: of a longer one only the first paragraph counts."""
_SHELL, _IMAGE = "! ", "[image]"
_FENCES = ("```", "~~~")
_ABOUT_A_TEXT = (
    r"summari[sz]e|summary of|tl;?dr|explain|translate|proofread|rephrase|rewrite|paraphrase|classify|analy[sz]e|interpret|what does|"
    r"what do you (?:think|make) of|look at|have a look|check|read|review|address|answer|reply to|respond to|implement|execute|"
    r"clarify|debug|fix|says?|said|wrote|writes|reads|states|got|received|sent|shows?|prints?|printed|returns?|fails?|failing|failed|"
    r"copied|pasted|quoting|forwarded|from|here(?: is|'?s| are)|this is|these are|see"
)
_A_TEXT = (
    r"this|these|that|following|below|above|attached|text|article|post|page|readme|docs?|document|log|logs|output|error|errors|trace|"
    r"traceback|message|e-?mail|mail|issue|ticket|comments?|feedback|diff|patch|plan|spec|file|console|transcript|snippet|warning|response"
)
_OWN_LIST = (
    r"\b(?:rules|requirements|constraints|guidelines|preferences|conventions|principles|i want|i'?d like|i need|we want|we need|remember|"
    r"keep in mind|please note)\b[^:]{0,40}:\s*$"
)
_INTRODUCES = (
    rf"\b(?:{_ABOUT_A_TEXT})\b[^:\n]{{0,80}}\b(?:{_A_TEXT})\b[^:\n]{{0,40}}:(?=\s)|"
    rf"\b(?:{_A_TEXT})\b[^:\n]{{0,24}}\b(?:{_ABOUT_A_TEXT})\b[^:\n]{{0,40}}:(?=\s)|^(?:summari[sz]e|tl;?dr|translate|proofread)\b[^:\n]{{0,40}}:"
)
_NOUN = (
    r"(?:article|post|thread|page|readme|docs?|documentation|document|guide|manual|wiki|faq|logs?|output|errors?|trace|traceback|message|"
    r"e-?mail|mail|issue|ticket|bug|comments?|feedback|diff|patch|spec|config|transcript|snippet|warnings?|response|answer|prompt|text|advice|"
    r"instructions|notes|changelog|review|report|tweet|chat|conversation|description|policy)"
)
_SPEAKS = r"(?:says?|said|wrote|writes|claims?|mentions?|posted|tweeted|answered|replied|sent|reported|suggests?|recommends?|told|printed|prints?)"
_ANNOUNCES = (
    rf"^(?:here(?: is|'?s| are)|this is (?:our|my|the|a|an|from))\b|^https?://\S+$|\b(?:this|these|following|below|here|"
    rf"(?:this|these|my|following|attached|in the|from the|from) (?:\w+ )?{_NOUN}|{_SPEAKS}(?: \w+){{0,3}})(?:,? (?:please|pls|thanks))?\W*$|"
    rf"^(?:(?:please|can you|could you|pls) )?(?:address|answer|reply to|check|read|improve|debug|review|fix|look at)\b.{{0,40}}\b{_NOUN}\W*$"
)
"""How a line ends after which somebody else's text comes: `fix this issue`, `look at what Bob wrote`, `parse this`."""
_IN_LINE = (
    rf"\b(?:{_SPEAKS}|found|got|received|reads)\b[^.:!?\n]{{0,40}}\b(?:this|these|following)\b[^.:!?\n]{{0,12}}[.:!](?=\s)|"
    rf"\b(?:this|these|following|my|the|our) {_NOUN}:(?=\s)|\b(?:prompt|text|message|errors?|description|criteria|output|response|input|string):(?=\s)|\bwhat do(?:es)? [^?\n]{{0,40}}\b(?:mean|say|tell)\b[^?\n]{{0,20}}\?(?=\s)|"
    r"\b(?:is|are) (?:this|these|the following)\b[^?\n]{0,12}\b(?:true|right|correct|good|valid|sane|safe|okay|ok|advice)\b[^?\n]{0,20}\?(?=\s)"
)
"""The same in the middle of a line: the words behind it are somebody else's."""
_HANDS_OVER = r"^(?:please |can you |could you |pls )?(?:summari[sz]e|tl;?dr|explain|translate|proofread|rephrase|rewrite|paraphrase|classify|analy[sz]e)\b"
_DOCUMENT = re.compile(
    r"#{1,6} \S|[-=_*]{3,}$|(?:from|to|cc|subject|date|sent|reply-to): ?\S|on .{4,80} wrote:|diff --git|@@ |[+-]{1,3}\s{2,}|index [0-9a-f]{7}|"
    r"\[?\d{4}-\d\d-\d\d|\[?\d{1,2}:\d\d\b|\S.{0,30}\s\d{1,2}:\d\d ?[ap]m\b|v\d+\.\d+|[A-Z]{2,10}-\d+:|(?:npm )?err!|"
    r"\S.{0,30}\(\d{1,2}:\d\d\)|(?:re|fwd?): ?\S|(?:hi|hello|hey|dear)(?: \w+){1,3},$|//|/\*|<!--|\w+=\S|[^\t]+\t\S|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|\[\w+\]|(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b|"
    r"Traceback \(|File \"|at \S+ ?\(|at https?:|\$ \S|\u276f|⏺|[│├└┌╲○░⎿]|\x1b\[|\[\d+(?:;\d+)?m|</?[A-Za-z!][\w:-]*[ >]|[{}\[\]]\s*$|\{\"|"
    r"(?:copyright|license|permission is hereby granted|all rights reserved)\b|(?:user|human|assistant|system|ai)\s*(?::|$)|<\|",
    re.IGNORECASE,
)
"""How a line of a document, a mail, a log, a terminal, a conversation or code begins."""
_SAYS_WHO = (
    r"\b(?:says?|said|wrote|writes|reads|states|claims|tells?|told|mentions?|suggests?|recommends?|prints?|printed|according to)\b|"
    r"\b(?:get|gets|got|getting|see|saw|seeing|shows?|showed|throws?|threw|fails with)\b[^.:\n]{0,30}\b(?:error|message|warning|output|log)s?\b"
)
_QUOTES = r"[a-z0-9`'] (?:You|Never|Always|Do|Don't|Must|Make|Ensure|Avoid|Use|Please)\b"
"""A sentence that begins in the middle of another is quoted in it."""
_LOOKS_BACK = (
    r"\b(?:summari[sz]e|translate|rephrase|rewrite|shorten|proofread|paraphrase|explain|classify) (?:this|that|the above)\b|"
    r"^(?:is|was) (?:this|that) .{0,60}\?\W*$|\b(?:remove|delete|fix) (?:this|that) (?:comment|line|text|string)\b"
)
"""What is said of the text that stands before it."""
_ORDERS = r"\b(?:never|always|must|should|don'?t|do not|make sure|ensure|avoid|remember|only|keep|prefer|stop|use|from now on)\b"
"""Words of an order of the user's own, where they stand before the verb."""
_OWN_VOICE = r"\b(?:i|we)(?:'ve| have)? (?:\w+ )?(?:said|told|wrote|say)\b"
_WRAPPED, _WIDTH = 3, range(55, 120)
"""Lines in a row that somebody's editor broke: nobody presses Enter there in a prompt."""


def own_text(prompt: str) -> str:
    """Give the part of a prompt that is surely the user's own."""
    return "\n".join(own_lines(prompt))


def is_all_own(prompt: str) -> bool:
    """Whether nothing in a prompt is pasted, as far as can be told."""
    return len(prompt) <= LONG and sum(map(len, own_lines(prompt))) >= len("".join(prompt.splitlines()).strip())


def is_reported(sentence: str) -> bool:
    """Whether a sentence tells what somebody else says: what stands behind the verb is theirs."""
    lowered = sentence.lower()
    if re.search(_QUOTES, sentence):
        return True
    says = re.search(_SAYS_WHO, lowered)
    if says is None or re.search(_OWN_VOICE, lowered) is not None:
        return False
    return re.search(_ORDERS, lowered[: says.start()]) is None


def own_lines(prompt: str) -> Iterator[str]:
    """Give the lines of a prompt before anything that is pasted."""
    if prompt.startswith(_SHELL) or _looks_back(prompt):
        return
    lines = _without_quotes(prompt[: LONG + 1]).splitlines()
    if len(prompt) > LONG:
        lines = lines[: next((n for n, line in enumerate(lines) if n and not line.strip()), 1)]
    for n, line in enumerate(lines):
        bare = line.strip()
        if bare == _IMAGE:
            continue
        if bare and _is_pasted(lines, n):
            return
        cut = _cut(line)
        yield cut
        if cut != line or _hands_over(lines, n):
            return


def _looks_back(prompt: str) -> bool:
    """Whether the last words of a prompt are about the text before them."""
    last = prompt.rstrip().rpartition("\n")[2].strip().lower()
    found = re.search(_LOOKS_BACK, last)
    return found is not None and len(prompt.rstrip()) - len(last) + found.start() > _SHORT


_SHORT = 25
"""Letters before such words that can be no more than a request of the user's own."""


def _is_pasted(lines: list[str], n: int) -> bool:
    """Whether a document begins at a line."""
    line, bare = lines[n], lines[n].strip()
    indented = line.startswith(("    ", "\t")) or (
        line[0] == " " and n > 0 and not bare.startswith(("-", "*")) and not bare[0].isdigit()
    )
    return (
        bare.startswith(_FENCES)
        or bare[0] in ">|"
        or indented
        or _DOCUMENT.match(bare) is not None
        or _is_wrapped(lines, n)
    )


def _is_wrapped(lines: list[str], n: int) -> bool:
    some = [line.rstrip() for line in lines[n : n + _WRAPPED]]
    whole = len(some) == _WRAPPED and all(len(line) in _WIDTH for line in some)
    return whole and not any(line.endswith((".", "!", "?", ":", ";")) for line in some[:-1])


def _cut(line: str) -> str:
    """Give a line up to the words that introduce a paste."""
    lowered = line.lower()
    if len(lowered) != len(line) or re.search(_OWN_LIST, lowered):
        return line
    ends = [found.end() for how in (_INTRODUCES, _IN_LINE) if (found := re.search(how, lowered))]
    return line[: min(ends)] if ends else line


def _hands_over(lines: list[str], n: int) -> bool:
    """Whether a line says what is to be done with a text, or announces one, and the text follows."""
    bare = lines[n].strip().lower()
    if not any(line.strip() for line in lines[n + 1 :]):
        return False
    if bare.endswith(":"):
        return re.search(_OWN_LIST, bare) is None
    if re.search(_HANDS_OVER, bare):
        return True
    return re.search(_ANNOUNCES, bare) is not None and re.search(_OWN_VOICE, bare) is None


def _without_quotes(prompt: str) -> str:
    """Take out what stands in quotes and is more than a name."""
    return re.sub(_QUOTED, "…", prompt) if set(prompt) & set("\"'“„«") else prompt


_QUOTED = r"\"\"[^\0]*?(?:\"\"|\Z)|\"[^\"\n]{25,}\"|(?<!\w)'[^\n]{25,}?'(?!\w)|“[^”]{25,}”|„[^“”]{25,}[“”]|«[^»]{25,}»"
