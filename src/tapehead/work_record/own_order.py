"""Whether a sentence of the user's own is an order to the agent that may stand as a rule.

The order must be the user's to the agent by its form: it begins the sentence, follows a request of work, or is said in the user's own voice.
An order that stands inside a text, or that would have the agent run, send or disable something dangerous, is none.
"""

from __future__ import annotations

import re

from tapehead.work_record import german_french
from tapehead.work_record.own_text import head, speaks, unlabelled
from tapehead.work_record.request_words import SPEAKS_FOR_SELF, WORKS

_INSISTS = re.compile(
    r"[^a-z0-9_](?:do not|don'?t|never|always|must(?: not)?|should(?:n'?t| not| always| only)|no need|stop \w+ing|"
    r"instead(?: of)?|rather than|make sure|ensure|only (?:use|edit|the|when|if|for now|in|on|after|with)|from now on|avoid|without (?:any|\w+ing)|prefere?|remember|"
    r"keep (?:the|it|all|our|this|that|every\w*|each|in mind)|not what|that(?:'?s| is) wrong|actually,|i (?:said|meant|prefer)|needs? to be|"
    r"has to|leave|revert|undo|let'?s (?:not|skip|leave|keep|stick|stay|hold|avoid|focus)|(?:where|when)(?:ever)? possible|"
    r"ignore (?!d)\w+|(?:not|hardly|too?) (?:worth|needed|necessary|much|risky|complex|big)|no longer)\b"
)
"""With the letter before, since most letters of a text have another one before them, and are passed over at once."""
_SAYS_NO = re.compile(
    r" (?:no|nope|nah),? (?=(?:\S+ ){3})(?!i (?:see|get|still)|it(?:'s| is) |there |[^,.]{2,40}, (?:but|just|only) (?:an?|the|now) )"
)
"""A no with what is to be done instead, or why."""
_BARS = re.compile(
    r" (?:please |also |and )?no (?:[\w-]+ ){0,2}?(?!(?:errors|problems|worries|issues|changes|questions|results|differences|matches|ideas|"
    r"thanks|tests|failures|warnings)\b)[a-z-]{3,}s(?: please)?\W*$"
)
"""`No new dependencies`; what reads as a report of how it went is none."""
_OCCASION = r"(?:before|after|with|at|for|on|in) (?:every|each|any) (?:\w+ )?(?:commit|push|merge|release|step|task|phase|milestone|turn|reply|answer|edit|change|session)\b"
_CHORE = r"(?:run|commit|push|test|lint|build|format|ask|stop|wait|rebase|pause|verify|check|summari[sz]e|report|tell me|show me|update the (?:changelog|readme|docs|tests|plan|todos?|notes))\b"
_EACH_TIME = re.compile(
    rf"{_OCCASION},? (?:please )?(?:you (?:must |should )?)?{_CHORE}|{_CHORE}[^,;:]{{0,60}} {_OCCASION}\W*$"
)
"""What the agent is to do whenever it comes to the same point of its work."""
_ONLY_LEADS = re.compile(
    r" (?:who|how|why|where|which|what) (?:do|does|did|is|are|was|were|can|could|should|would|about|if)\b[^?]*$|.*:$"
)
"""A question without its mark, and the words before a list: what they ask or announce is no rule."""
_TELLS_OF_SELF = re.compile(
    r"[^a-z0-9_](?:i|we|they|you|who)(?: (?:still|really|also|just|always))? (?:do not|don'?t) (?!want|need|like|have to|ever)\w+|"
    r"^ (?:i|we|it|they|from|this|that)\b(?! (?:want|need|expect|would|'d)).* without \w+ing\b"
)
"""`I don't see it`, `it came without touching anything`: what somebody does or met, and no order."""
_WHEN = r"(?:(?:when|if|whenever|before|after|for|in|on|while|until|once|as|from|going|by)\b[^,]{0,60}, )?"
_AT_HEAD = re.compile(
    _WHEN
    + r"(?:you |we )?(?:never|always|don'?t|do not|avoid|stop \w+ing|no (?:\w+ ){1,3}(?:in|for|on|to|from|at)\b|must|should (?!we|i|it|this|that|they|there)|only (?!because|thing)|make sure|ensure|be (?:sure|careful)|"
    r"ask (?:me )?(?:first|before)\b|"
    r"(?:answer|reply|respond|write|speak) (?:only |always )?(?:in|with|using|to me) |limit .{1,30} to |cap .{1,30} at |(?:write|put|name|format|phrase) (?:all|every|each) .{1,40} (?:in|with|as|like|after)\b|write (?:the |your |my |our )?(?:\w+ ){0,2}(?:comments|messages|docs|docstrings|replies|answers|names|subjects) in (?:plain |simple )?(?:english|german|french|spanish|italian|dutch|portuguese)\b|remember|keep (?:in mind|all|every|each|it|the|our|functions|lines|\w+ (?:short|brief|concise|minimal|small|under|below|simple|as))|prefer|stick (?:to|with)|from now on|"
    r"use (?!it\b|this\b|that\b|@)\S+(?: \S+){0,11}$|(?:make|add|write|leave|introduce|create|include|do) no \w+|leave .{1,40} (?:alone|as is|untouched|unchanged))"
)
_WE_USE = re.compile(
    r"we (?:only |always )?(?:use|want|prefer|stay|stick|are on)\b.{0,60}\b(?:not|instead|only|never|everywhere|in this (?:project|repo))\b"
)
_MODAL = re.compile(
    r"(?:(?:the|a|an|all|every|each|any|our|my|your|its|this|that|these|new) )?(?:[\w./`#-]+ ){1,5}?"
    r"(?:must|should(?:n't| not| always| never| only)|mustn't|has to|have to|shall)\b (?!read|say|state|be called|be named)"
)
_JOINT = re.compile(r"(?:[,;(.\u2013\u2014-]|\b(?:and|but|so|then|just|please|you|we|it|also|while|with)) *$")
_LABELLED = re.compile(
    r" (?:(?:please|also|and|ok) )*(?:remember|important|(?:rule|convention|requirement|constraint|preference)s?):? \S+ \S"
)
_NEXT = re.compile(r"[,;)] *(?:and|but|so|then) $")
"""What begins another order."""
_SOFT = (
    "only for now",
    "without",
    "instead",
    "rather",
    "needs to be",
    "has to",
    "where",
    "when",
    "no longer",
    "keep",
    "make sure",
    "ensure",
    "leave",
    "ignore",
)
_INSIDE = re.compile(r"[a-z0-9`',] (?:You|Never|Always|Do|Don't|Must|Make|Ensure|Avoid|Use|Please)\b")
"""A sentence that begins in the middle of another is quoted in it."""
_TEXT_MADE = re.compile(
    r"\b(?:text|message|comment|string|prompt|banner|tooltip|label|title|paragraph|sentence|section|line|note|rules?|readme|\w+\.md|data|"
    r"page|docstring|warning|error|description|header|footer|placeholder|saying|says|reads?)\b"
)
"""What is written somewhere: an order behind it is what is to be written."""


_LEADS = r" (?:(?:ok|okay|yes|yeah|so|and|also|then|now|maybe|well|alright|cool|great|i think)[,.!]* )*"
_ONCE = re.compile(
    rf"{_LEADS}(?:let'?s |please |you (?:can|should) |we (?:can|should) )?(?:just )?(?:(?:keep|carry) (?:on|going|moving|at it)|go (?:on|ahead)|move on|continue|proceed)\b|"
    rf"{_LEADS}(?:we|you|i) should (?:(?:also|probably|just|now|then|definitely|really|maybe|still) )*"
    r"(?:(?:do|have|get|add|make|run|write|create|open|file|try|take) (?:an?|one|some|another)|(?:do|try|test|check|commit|push|merge|fix|look) (?:it|this|that|at))\b"
)
"""What is to be done once, now: `let's keep going`, `we should do a commit as well`."""


_SHORTEST, _A_SIGN = 8, 3
"""Letters of an order that says something."""


def sets_rule(sentence: str) -> bool:
    """Whether a sentence of a prompt that is all the user's own sets a rule."""
    lowered = _TELLS_OF_SELF.sub(" ", f" {sentence.lower().replace('’', chr(39))}")  # noqa: RUF001 - the other apostrophe
    if (
        len(sentence) < _SHORTEST
        or sentence.endswith("?")
        or _ONLY_LEADS.match(lowered)
        or _INSIDE.search(sentence)
        or is_dangerous(sentence)
        or (_ONCE.match(lowered) and not _IN_GENERAL.search(lowered))
    ):
        return False
    if sentence.isupper() and len(sentence.split()) <= _A_SIGN:
        return False  # a sign or a heading
    if _LABELLED.match(lowered):
        return True
    lowered = f" {unlabelled(lowered).strip()}"
    words = head(lowered)
    said = lowered[lowered.find(words[0]) :] if words else ""
    if (_AT_HEAD.match(said) and not _is_errand(said)) or _WE_USE.match(said):
        return True
    if _SAYS_NO.match(lowered) or _BARS.match(lowered) or _EACH_TIME.match(said) or german_french.is_order(sentence):
        return True
    found = _INSISTS.search(lowered)
    if found is None:
        return _MODAL.match(said) is not None and not speaks(said)
    before = lowered[: found.start() + 1]
    if speaks(before):
        return False
    if words and words[0] in SPEAKS_FOR_SELF:
        return True
    if _MODAL.match(said):
        return True
    own = found[0][1:].startswith(_SOFT) or _JOINT.search(before) is not None or not head(before)
    return own and (_TEXT_MADE.search(before) is None or _NEXT.search(before) is not None)


def _is_errand(said: str) -> bool:
    """Whether something is to be used for one piece of work: `use the cli to raise the fan speed` says how, this once."""
    words = {found[1] for found in _USED_FOR.finditer(said)}
    return said.startswith("use ") and not words.isdisjoint(WORKS) and _IN_GENERAL.search(said) is None


_USED_FOR = re.compile(r"\b(?:to|and|then) (?!no\b|only\b|never\b|always\b|don't\b|must\b|from\b)([a-z]+)\b")
_IN_GENERAL = re.compile(r"\b(?:all|every\w*|any|always|only|instead|not|never|no|whenever|each)\b")


def is_dangerous(sentence: str) -> bool:
    """Whether a sentence would have the agent run what comes from elsewhere, send something away, or give up a check."""
    lowered = sentence.lower()
    for found in _DANGER.finditer(lowered):
        before = re.split(r"[,;:]| and | but | then ", lowered[: found.start()])[-1]
        if not _FORBIDS.search(before):
            return True
    return False


_FORBIDS = re.compile(
    r"\b(?:never|don'?t|do not|must not|mustn't|should not|shouldn't|avoid|no|not|without|stop|forbid)\b"
)
_CHECKS = r"(?:tls|ssl|cert\w*|verif\w+|checks?|signing|signatures?|sandbox\w*|permissions?|auth\w*|firewall|safety|guard\w*|protection|scan\w*|security|hooks?|approvals?|confirmations?|antivirus|2fa|mfa)"
_HELD = r"(?:credentials?|\.env\b|\.ssh\b|\.aws\b|\.netrc\b|printenv|env(?:ironment)? variables?|private keys?|api[ _-]?keys?|secrets?|tokens?|passwords?|id_rsa|keychain|cookies)"
_DANGER = re.compile(
    r"\|\s*(?:sudo\s+)?(?:ba|z|k|da)?sh\b|\|\s*(?:python|perl|node|ruby|php)\d?\b|\b(?:curl|wget|iwr|invoke-webrequest|fetch)\b[^,;]*(?:https?:|\w\.\w{2,}/|\d+\.\d+\.\d+\.\d+)|"
    r"\b(?:nc|ncat|netcat|telnet)\s+\S+\s+\d+|--dangerously|--yolo|--no-sandbox|--insecure\b|\bchmod\s+(?:-r\s+)?777|\brm\s+-rf\s+[~/]|\beval\s*[\"$(]|"
    rf"\b(?:disable|skip|bypass|turn off|switch off|ignore|suppress|circumvent|drop|remove|deactivate)\b[^,;.]{{0,30}}\b{_CHECKS}\b|"
    rf"\b(?:send|upload|post|email|mail|pipe|copy|push|forward|leak|exfiltrate|share|paste|print|echo|cat|log|dump|publish|expose|reveal|include|commit|attach|submit|transmit)\b[^,;]{{0,60}}{_HELD}|"
    rf"{_HELD}[^,;]{{0,60}}\b(?:to|at|into) (?:https?:|\S+@|\S+\.\w{{2,}}\b|a (?:server|gist|paste))|"
    r"\b(?:send|upload|post|pipe|forward|exfiltrate|transmit|report|submit)\b[^;]{0,80}(?:https?://|\S+@\S+\.\w+|\b\d+\.\d+\.\d+\.\d+)|"
    r"\b(?:authorized_keys|sudoers|crontab|reverse shell|backdoor|keylogger|setuid)\b|/etc/(?:passwd|shadow)|\bbase64 (?:-d|--decode)|"
    r"\b(?:install|run|execute|load|source)\b[^,;]{0,40}https?://|\b(?:never|don'?t|do not|without) (?:ask\w*|wait\w*) (?:\w+ ){0,3}(?:permission|approval|confirmation)|"
    r"\b(?:ignore|override|forget) (?:all |any |your )?(?:previous|prior|earlier|other|system|safety)\b[^,;.]{0,20}\b(?:instructions?|rules?|prompts?|guidelines?)\b"
)
"""`never ask for permission` is one by itself: it begins with what forbids, and nothing before it does."""
