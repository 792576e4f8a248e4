"""Which part of a prompt the user wrote themselves: what is pasted into it says nothing for them.

A paste is known by what stands before it ("summarise this:") and by what documents, logs, mails and code look like. From there on nothing
counts: where it ends cannot be seen, and a rule that is missed does less harm than one that nobody set.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
    rf"(?:this|that|these|my|following|attached|in the|from the|from) (?:\w+ )?{_NOUN}|{_SPEAKS}(?: \w+){{0,3}})(?:,? (?:please|pls|thanks))?\W*$|"
    rf"^(?:(?:please|can you|could you|pls) )?(?:address|answer|reply to|check|read|improve|debug|review|fix|look at)\b.{{0,40}}\b{_NOUN}\W*$"
)
"""How a line ends after which somebody else's text comes: `fix this issue`, `look at what Bob wrote`, `parse this`."""
_IN_LINE = (
    r"(?<!\bi )(?<!\bwe )\b(?:said|says|wrote|writes|replied|answered|posted)(?: \w+){0,3}:(?=\s)|"
    rf"\b(?:{_SPEAKS}|found|got|received|reads)\b[^.:!?\n]{{0,40}}\b(?:this|these|following)\b[^.:!?\n]{{0,12}}[.:!](?=\s)|"
    rf"\b(?:this|these|following|my|the|our) {_NOUN}:(?=\s)|\b(?:prompt|text|message|errors?|description|criteria|output|response|input|string):(?=\s)|\bwhat do(?:es)? [^?\n]{{0,40}}\b(?:mean|say|tell)\b[^?\n]{{0,20}}\?(?=\s)|"
    r"\b(?:is|are) (?:this|these|the following)\b[^?\n]{0,12}\b(?:true|right|correct|good|valid|sane|safe|okay|ok|advice)\b[^?\n]{0,20}\?(?=\s)"
)
"""The same in the middle of a line: the words behind it are somebody else's."""
_POLITE = r"^(?:(?:hey|hi|ok|now|please|pls|can you|could you|would you|i want you to|i'd like you to)[, ]+)*"
_REWORKS = r"summari[sz]e|translate|proofread|rephrase|rewrite|reword|paraphrase|shorten|condense|compress|polish|spell-?check|simplify|transcribe|improve|reformulate"
_CODE = (
    r"(?:rust|go|golang|python|typescript|javascript|ts|js|java|kotlin|swift|ruby|php|c|cpp|bash|sh|sql|html|css|react|vue|svelte|scala|"
    r"elixir|haskell|lua|perl|zig|json|yaml|toml|a (?:class|function|module|loop|hook|component))\b"
)
_INTO_WHAT = (
    rf"(?:(?:the|my|our|this) (?:{_NOUN}|wording|paragraph|sentence|english|grammar|style|following|letter|reply)s?|this|that|it|these|politely|formally|nicely|briefly|shorter|better|please|pls|thanks|(?:to|into|in|as|for|with|by) (?!{_CODE})(?:\w+[ -]?){{1,3}}?|"
    r"(?:a bit |much |even )?(?:more|less) \w+)"
)
_KINDS_OF_TEXT = (
    r"(?:poem|song|haiku|rap|limerick|story|joke|tweet|slogan|title|headline|tagline|caption|summary|tl;?dr|abstract|outline|"
    r"bullet points?|bullets|slides?|mail|e-?mail|letter|blog post|press release|announcement|sentence|paragraph|quiz)"
)
_REWORKED = (
    rf"{_POLITE}(?:{_REWORKS})(?: {_INTO_WHAT}){{0,4}}\W*(?:[.:!,\u2014-](?=\s)|$)|"
    rf"{_POLITE}(?!improve)(?:{_REWORKS}) (?:what|my|(?:this|that|the)(?: last| next| first)? (?:{_NOUN}|paragraph|sentence|essay))\b[^.:\n]{{0,60}}?(?:[.:!]| -)(?=\s)|{_POLITE}(?:turn|put) (?:it|this|that) in(?:to)?\b|"
    rf"\b(?:typos?|grammar|spelling|punctuation|wording)\b\W*(?:[.:!](?=\s)|$)|"
    rf"{_POLITE}make (?:this|that|it|these) (?:\w+ ){{0,2}}(?:shorter|longer|nicer|formal|polite|friendl\w+|readable|concise|sound \w+|rhyme)\b|"
    rf"\b(?:make|write|compose|create|give me|craft|draft|turn|convert|need|want)\b(?: \w+){{0,4}}? (?:{_KINDS_OF_TEXT})(?: out)? (?:of|from|for|about|with|on)\b|"
    rf"\b(?:turn|convert|make|change)(?: (?:this|that|it|these))? into (?:\w+ ){{0,3}}?{_KINDS_OF_TEXT}\b|"
    rf"{_POLITE}(?:in|to|into) (?:english|german|french|spanish|italian|dutch|japanese|chinese|portuguese|plain words)\W*(?:please|pls)?\W*$|"
    rf"^(?:eli5|tl;?dr|spell-?check|grammar)\b\W*|{_POLITE}(?:grade|rate|judge|score|critique|fact-?check|proof-?read) (?:this|that|these|the)\b|"
    rf"\bwhat (?:tone|mood|style|language|sentiment)\b[^.\n]{{0,40}}\b(?:this|that|it)\b|\bwhat (?:do )?you (?:think|make) of (?:it|this|that)\b|"
    rf"\b(?:put|add|insert|paste|append|include|commit|copy|use) (?:this|these|that|the following)\b[^.\n]{{0,40}}\b(?:readme|docs?|contributing|changelog|\w+\.md|page|wiki|mail|body|comment|footer|header|description)\b"
)
"""What is to be made of a text, or done with one: the text stands behind it."""
_HEADING = re.compile(
    r"(?!(?:the|i|we|please|can|could|let|fix|add|make|write|update|create|use|run|check|remove|improve|implement|refactor|don'?t|never|always|move|"
    r"show|send|call|delete|open|close|rename|read|put|keep|change|clean|stop|also|and|but|then|now|in|on|when|if|it|this|there)\b)"
    r"[^.!?:\n]{0,40}\b(?:notes|minutes|meeting|retro|retrospective|stand-?up|agenda|recap)\b[^.!?:\n]{0,20}$|"
    r"(?:[\w'&/-]+ ){0,3}(?:meeting|stand-?up|call|retro\w*|workshop|interview|sync|planning|1:1|kick-?off)(?:'s)? (?:notes|minutes|summary|recap|log|transcript)\b|"
    r"(?:meeting )?(?:minutes|notes|recap|summary|todos?|action items|takeaways|highlights|excerpt|quotes?) (?:from|of)\b|"
    r"(?:agenda|attendees|participants|present|minutes|decisions|action items|takeaways|next steps|acceptance criteria|steps to reproduce|"
    r"expected behaviou?r|actual behaviou?r|background|(?:customer|user) feedback|release notes|(?:slack|teams|discord|mail|e-?mail|chat|forum) (?:thread|log|history|message)s?|"
    r"prerequisites|troubleshooting|getting started|table of contents)\b[^.\w]*$|dear\b(?: \w+){1,5}\W*$|step \d+:|\w+(?: \([^)\n]{1,20}\))?> \S|"
    r"[A-Z][\w.'-]{1,20}(?: [A-Z][\w.'-]{1,20})?(?: \([^)\n]{1,20}\)) ?(?:[:\u2013\u2014-]) \S",
    re.IGNORECASE,
)
"""How minutes, letters, forms and tutorials begin."""
_SPEAKER = re.compile(
    r"[-\u2022]? ?(?:(?:Dr|Mr|Mrs|Ms|Prof)\. )?([A-Za-z][\w'-]{0,20}(?: [A-Z][\w.'-]{0,20}){0,2})(?: \d+)?(?: \([^)\n]{1,20}\))?(?::| [\u2013\u2014-]) +\S"
)
_LABELS = (
    "note notes nb important also rule rules ps btw fyi style constraint constraints requirement requirements todo reminder remember edit task "
    "tasks goal goals context please warning update first second third finally next then question correction clarification hint tip thing things "
    "backend frontend server client api ui ux cli tests test testing docs code naming format formatting git commits commit imports types typing "
    "python typescript javascript rust go java css html sql database db deploy build ci logging errors security performance scope general way "
    "again so but and no yes ok sorry wait actually idea bug feature fix change preference preferences convention conventions limit limits "
    "instead reason priority caution attention careful deadline tone language answers replies plan now always never here summary"
)
_OWN_LABELS = frozenset(_LABELS.split())
"""What a user writes before a colon. Any other word there is taken for the name of somebody who speaks."""
_LABELLED = re.compile(r"([^:\n]{1,60}?)(?: ?::?|>>) +\S")
_REQUESTS = (
    "add address adjust allow also always and answer apply ask avoid be build bump but can capture change check clean close combine commit compare "
    "configure continue convert copy could create cut debug delete deploy disable do document does don't dont drop enable ensure execute explain "
    "export expose extend extract figure find finish fix focus for format from generate get give go group handle have help here hide how i i'd i'll i'm "
    "if ignore implement import improve in include increase inline install instead introduce is it it's join just keep leave let let's limit list load "
    "log look lower make merge migrate mock move must my never no not nothing now ok okay on only open optimise optimize our please plan port prefer "
    "prepare print profile publish pull push put raise read rebase record reduce refactor remember remove rename reorder replace reset resolve "
    "restore retry return reuse revert review rewrite run save search see send separate set ship should show simplify skip so solve sort split start "
    "stay step stick stop store support sure swap switch sync tell test that the then there these they think this to track trim try tune turn undo "
    "unify up update upgrade use validate verify wait we what when where which while who why with work would wrap write yes you your"
)
_BEGINS_REQUEST = frozenset(_REQUESTS.split())
"""How a user's own first line begins. A short one that begins with another word is the heading of a document."""
_HEADING_WORDS = 6
_NAMED = re.compile(r"[(\[@]?(\w+)(?:[)\]]|(?: \w+)? ?(?:->|=>|\.{2,}|\u2026|\||<\S+@\S+>))")
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
    rf"^(?:is|are|was|does|do|what|who|which|how|where|why|any)\b.{{0,60}}\b(?:this|that|these|the above) (?:{_NOUN}|tutorial|list|paragraph|sentence|statement|letter|reply|rule|poem|story)\b|"
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
        if cut != line or _hands_over(lines, n) or re.search(_REWORKED, bare.lower()):
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
        or _HEADING.match(bare) is not None
        or _is_spoken(bare)
        or _is_title(lines, n)
        or _is_wrapped(lines, n)
    )


def _is_spoken(bare: str) -> bool:
    """Whether a line gives somebody's words, with the name before them."""
    found = _SPEAKER.match(bare.replace("*", "").replace("__", ""))
    return found is not None and found[1].split()[-1].lower() not in _OWN_LABELS


def _is_title(lines: list[str], n: int) -> bool:
    """Whether the first line of a prompt names a text or somebody, and asks for nothing: what follows is theirs."""
    words = lines[n].split()
    if any(map(str.strip, lines[:n])):
        return False
    named = _NAMED.match(lines[n].strip())
    if named is not None and named[1].lower() not in _BEGINS_REQUEST | _OWN_LABELS:
        return True
    if (
        not any(map(str.strip, lines[n + 1 :]))
        or len(words) > _HEADING_WORDS
        or not words[0][0].isalnum()
        or words[0][-1] in ":.)"
    ):
        return False
    known = words[0].lower().strip(",") in _BEGINS_REQUEST
    return words[-1][-1] not in ".!?;" and not known and re.search(_ORDERS, lines[n].lower()) is None


def _is_wrapped(lines: list[str], n: int) -> bool:
    some = [line.rstrip() for line in lines[n : n + _WRAPPED]]
    whole = len(some) == _WRAPPED and all(len(line) in _WIDTH for line in some)
    return whole and not any(line.endswith((".", "!", "?", ":", ";")) for line in some[:-1])


def _cut(line: str) -> str:
    """Give a line up to the words that introduce a paste."""
    lowered = line.lower()
    if len(lowered) != len(line) or re.search(_OWN_LIST, lowered):
        return line
    label = _LABELLED.match(line)
    if label and re.search(_ORDERS, label[1].lower()) is None and re.search(_OWN_LIST, f"{label[1].lower()}:") is None:
        word = re.sub(r"[^a-z0-9']", "", label[1].split()[-1].lower()) if label[1].split() else ""
        if word not in _OWN_LABELS and re.search(_OWN_VOICE, label[1].lower()) is None:
            return label[1]
    ends = [found.end() for how in (_INTRODUCES, _IN_LINE, _REWORKED) if (found := re.search(how, lowered))]
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
