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
_HANDS_OVER = r"^(?:please |can you |could you |pls )?(?:summari[sz]e|tl;?dr|explain|translate|proofread|rephrase|rewrite|paraphrase|classify|analy[sz]e)\b"
_DOCUMENT = re.compile(
    r"#{1,6} \S|[-=_*]{3,}$|(?:from|to|cc|subject|date|sent|reply-to): ?\S|on .{4,80} wrote:|diff --git|@@ |[+-]{1,3}\s{2,}|index [0-9a-f]{7}|"
    r"\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|\[\w+\]|(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b|"
    r"Traceback \(|File \"|at \S+ ?\(|at https?:|\$ \S|\u276f|⏺|[│├└┌╲○░⎿]|\x1b\[|\[\d+(?:;\d+)?m|</?[A-Za-z!][\w:-]*[ >]|[{}\[\]]\s*$|\{\"|"
    r"(?:copyright|license|permission is hereby granted|all rights reserved)\b|(?:user|human|assistant|system|ai)\s*(?::|$)|<\|",
    re.IGNORECASE,
)
"""How a line of a document, a mail, a log, a terminal, a conversation or code begins."""
_SAYS_WHO = r"\b(?:says?|said|wrote|writes|reads|states|claims|tells?|told|according to)\b"
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
    return re.search(_SAYS_WHO, lowered) is not None and re.search(_OWN_VOICE, lowered) is None


def own_lines(prompt: str) -> Iterator[str]:
    """Give the lines of a prompt before anything that is pasted."""
    if prompt.startswith(_SHELL):
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
    if ":" not in line or re.search(_OWN_LIST, lowered):
        return line
    found = re.search(_INTRODUCES, lowered) if len(lowered) == len(line) else None
    return line[: found.end()] if found else line


def _hands_over(lines: list[str], n: int) -> bool:
    """Whether a line says what is to be done with a text, or announces one, and the text follows."""
    bare = lines[n].strip().lower()
    if not any(line.strip() for line in lines[n + 1 :]):
        return False
    if bare.endswith(":"):
        return re.search(_OWN_LIST, bare) is None
    return re.search(_HANDS_OVER, bare) is not None


def _without_quotes(prompt: str) -> str:
    """Take out what stands in double quotes or angle quotes and is more than a name."""
    return (
        re.sub(r"\"\"[^\0]*?(?:\"\"|\Z)|\"[^\"\n]{25,}\"|“[^”]{25,}”|«[^»]{25,}»", "…", prompt)
        if set(prompt) & set('"“«')
        else prompt
    )
