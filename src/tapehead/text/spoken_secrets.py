"""Secrets that are assigned to no name: said in prose, given to a command, or sent as a cookie.

Searches that cost next to nothing lead to places where one could stand; the patterns see only the line there. What a pattern finds must
look like a secret itself: what a program's help says in its place, a variable or a word about it is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.text.secret_shapes import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.text.word_places import WordPlaces

_VALUE = r"""(?:"([^"\n]{4,200})"|'([^'\n]{4,200})'|([^\s"'`|;<>()]{4,200}))"""
_SAID = r"[\"'`“‘]?([^\s\"'`“”‘’,]{6,200})"  # noqa: RUF001 - how people quote
_LONG = r"[\"'`“‘]?([^\s\"'`“”‘’,]{12,200})"  # noqa: RUF001 - as above
_PART = r"[^\n|;]*?\s"
"""What may stand between a command and its option."""
_CODE = r"(?:pin(?:[- ]code)?|otp|totp|passcode|(?:2fa|mfa|door|backup|recovery|otp|sms|verification|authenticat(?:ion|or)|auth|security|one[- ]time|login|unlock|access)[- ](?:codes?|pin|passcode)|your code)"
_DIGITS_SAID = r"(?:[A-Z]-)?(\d{3}[ -]\d{3}|\d{4}-\d{4}|(?=[a-z-]*\d)(?=[\d-]*[a-z])[0-9a-z]{3,8}(?:-[0-9a-z]{3,8}){1,5}(?:(?:,| and|,? or)? (?=[a-z-]*\d)[0-9a-z]{3,8}(?:-[0-9a-z]{3,8}){1,5})*|\d{4,8})(?![\w%]|[.,:/-]\d|\s(?:lines?|times|files|bytes|ms|rows|words|chars))"
"""A number that opens something, as long as those are."""
_OF_OPTION = {
    "p": (
        rf"\bsshpass\s+-p\s*{_VALUE}",
        rf"\b(?:mysql\w*|mariadb[\w-]*)\b{_PART}-p{_VALUE}",
        rf"\b(?:docker|podman|nerdctl|helm|oc|az|skopeo|crane)\s+(?:registry\s+)?login\b{_PART}-p\s*{_VALUE}",
        rf"\bmongo(?:sh|dump|restore|export|import)?\b{_PART}-p\s+{_VALUE}",
        rf"\bsqlcmd\b{_PART}(?-i:-P)\s*{_VALUE}",
        rf"\b(?:un)?zip\b{_PART}(?-i:-P)\s+{_VALUE}",
        rf"\b(?:7za?|un\w+|rar)\b{_PART}-p{_VALUE}",
        rf"\s(?:-[ul]|--user(?:name)?|-username|--login)(?:[\s=]\s*|(?=\w))[^\n|;]*?\s-[pPwW]\s*{_VALUE}",
        rf"\s-[pPwW]\s+{_VALUE}[^\n|;]*?\s(?:-u|--user(?:name)?)[\s=]",
        rf"\buser(?:add|mod)\b{_PART}-p\s+{_VALUE}",
        rf"\b(?:snowsql|cqlsh|beeline|rabbitmqadmin|rdesktop|psexec)\b{_PART}-p\s*{_VALUE}",
    ),
    "u": (
        rf"\bcurl\b{_PART}-u\s*[\"']?[^\s:\"']{{1,80}}:([^\s\"']{{3,200}})",
        r"\s-u\s+[\"']?[^\s:/\"']{1,80}:(?=\S{0,40}\d)([^\s\"':/]{6,200})",
        rf"\blftp\b{_PART}-u\s+[\"']?[^\s,\"']{{1,80}},([^\s\"']{{4,200}})",
        rf"\bsmbclient\b{_PART}-U\s+[\"']?[^\s%\"']{{1,80}}%([^\s\"']{{4,200}})",
    ),
    "a": (
        rf"\bsnmp\w+\b{_PART}-[ax]\s+{_VALUE}",
        rf"\bredis-cli\b{_PART}-a\s+{_VALUE}",
        r"\bhttps?\s(?:[^\n|;]*?\s)?-a\s+[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})",
    ),
    "k": (rf"\bopenssl\s+\w+\b{_PART}-k\s+{_VALUE}",),
    "w": (rf"\bldap\w+\b{_PART}-w\s+{_VALUE}",),
    "b": (rf"\bcurl\b{_PART}-b\s*[\"']?[\w-]{{1,60}}=([^\s\"';]{{6,400}})",),
    "s": (r"\becho\s+(?:-n\s+)?[\"']?([^\s\"'|]{4,200})[\"']?\s*\|\s*sudo\s+-S\b",),
    "-u": (r"--(?:proxy-)?user[ =]\s*[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})",),
    "-c": (rf"\bcurl\b{_PART}--cookie[ =]\s*[\"']?[\w-]{{1,60}}=([^\s\"';]{{6,400}})",),
    "-p": (r"--proxy-user[ =]\s*[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})",),
    "-a": (r"--auth[ =]\s*[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})",),
}
"""What a command is given, by how the option begins."""
_OF_WORD = {
    "pass": (
        rf"\bpass(?:word|wd|phrase|code)s?\b[^\n.;:=\"'`]{{0,40}}?(?:'s|\s(?:is|was|are|to|ist|will be|becomes))(?: now)?\s*:?\s+{_SAID}",
        r"\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+([^\s\"']{4,200})",
        r"\b[\w-]{1,40}:([^\s\"':|]{4,200})[\"']?\s*\|\s*(?:sudo\s+)?chpasswd\b",
        r"-pass(?:in|out|word)?\s+pass:([^\s\"']{4,200})",
        r"\bmachine\s+\S+\s+login\s+\S+\s+password\s+([^\s\"']{4,200})",
        rf"\b(?:uses?|using|with|try|set)\s+{_SAID}[\"'`”’]?\s+(?:as|for)\s+(?:\w+\s+){{0,2}}pass(?:word|phrase)\b",  # noqa: RUF001 - as above
        r"\b(?:echo|printf)\s+(?:-n\s+)?[\"']?([^\s\"'|]{4,200})[\"']?\s*\|[^\n|]*--password-stdin\b",
        r"\bchpasswd\s*<<<\s*[\"']?[\w-]{1,40}:([^\s\"']{4,200})",
        rf"\bwpa_passphrase\s+\S+\s+{_VALUE}",
    ),
    "@tcp(": (r"\b[\w.-]{1,60}:([^\s@/:\"'`]{4,200})@tcp\(",),
    "pw": (
        rf"\b(?:input|owner|user)_pw\s+{_VALUE}",
        rf"\bpw\b[^\n.;:=]{{0,30}}?(?:[:=]\s*|\s(?:is|to|was)\s+)(?![\w.]+[\[(]){_SAID}",
    ),
    "by": (r"\bidentified\s+by\s+[\"']([^\"'\n]{4,200})[\"']", rf"\badd_?user\s+\S+\s+{_VALUE}"),
    "bearer": (r"\bbearer\s+(?=\S{0,60}\d)([\w.~+/-]{8,}=*)",),
    "hooks": (r"https?://[^\s/]*hooks?\.[^\s]*/([\w-]{16,})",),
    "send": (r"\bsend\s+\\?\"([^\"\\\n]{4,60})\\r",),
    "piped": (
        r"\b(?:echo|printf)\s+(?:-\w+\s+)?[\"']?([^\s\"'|\\]{4,200})(?:\\n)?[\"']?\s*\|\s*(?:sudo\s+-S|su|passwd|cryptsetup)\b",
    ),
    "query": (r"[?&](?:sig|code|state|sid|auth|access|signature|hash)=([\w%.~+/-]{8,400}=*)",),
    "phrase": (
        r"\b(?:(?:seed|recovery|backup|secret|wallet)\s+phrase|mnemonic)\b[^\n:]{0,30}?(?:\sis|:)\s+[\"']?((?:[a-z]{3,8}\s+){11,23}[a-z]{3,8})",
    ),
    "login": (
        rf"\b(?:creds|credentials|zugangsdaten|anmeldedaten|identifiants|credenciales|log ?in|sign in|account|wi-?fi)\b(?:\s(?:with|as|are|is|for \S+|on \S+))?\s*:?\s+[\w.@\\+-]{{1,60}}(?:\s*[/:,|]\s*|\s+(?:(?:and|with|using)\s+)?)(?=\S{{0,40}}\d){_SAID}",
    ),
    "net": (
        rf"\bnet\s+use\s[^\n|;]*?/user:\S+\s+(?!/){_VALUE}",
        rf"\bnet\s+use\s+(?:[\w*]:?\s+)?\\\\\S+\s+(?!/){_VALUE}",
        rf"\bnet\s+use\s+(?:[\w*]:?\s+)?https?://\S+\s+(?!/){_VALUE}",
        rf"\bsmbclient\s+//\S+\s+(?!-){_VALUE}",
        rf"\s/rp\s+{_VALUE}",
        rf"\bnet\s+user\s+(?!/)\S+\s+(?!/){_VALUE}",
        r"\s/p:([^\s\"']{4,200})",
    ),
    "code": (
        rf"(?<![\w.-]){_CODE}\b(?:\s(?:code|number))?(?:\s(?:for|of|to)\s[^\n.;:=]{{1,30}}?)?(?:'s|\s(?:is|are|was)(?:\snow)?:?|\s?[:=])\s*[\"'`*]*{_DIGITS_SAID}",
        rf"\b(?:use|enter|with|type|try|my|the|send|got|and)\s(?:the\s|my\s)?{_CODE}\s(?:code\s)?[\"'`]?{_DIGITS_SAID}",
        rf"(?<![\w.-])(?:(?-i:PIN|T?OTP)|(?:2fa|mfa|sms|one-time|verification|security|backup)[- ]code)\s(?:→\s)?{_DIGITS_SAID}",
        rf"\bcode from (?:the|my) (?:authenticator|sms|text|phone|app)\w*(?:'s|\s(?:is|was)|:)\s+{_DIGITS_SAID}",
        rf"\b(\d{{4,8}})\s(?:is|was)\s(?:my|your|the)\s(?:\w+\s){{0,2}}?{_CODE}\b",
        r"\bt?otp\b[^\n]{0,20}?\s((?-i:[A-Z2-7]{16,64}))\b",
        rf"--(?:otp|pin|totp|mfa-code|token-code)(?:=|\s+)[\"']?{_DIGITS_SAID}",
    ),
    "sqlplus": (r"\bsqlplus\s+(?:-\w+\s+)*[\w.$#]{1,60}/([^\s@\"'/]{4,200})",),
}
"""What is told otherwise, by a word that stands there."""
_ONLY_WITH = (b"htpasswd", b"chpasswd", b"pass:", b"machine", b" pass", b"-stdin", b"<<<", b"wpa_pass")
"""What must stand in the line for each rule of `pass` but the first."""
_HEADER = re.compile(r"cookie[\"']?\s*:\s*[\"']?(?=[\w.-]{1,80}=)", re.IGNORECASE)
_CRUMB = re.compile(r"([\w.-]{1,80})=([^;\s\"'\\]{8,4000})")
_ATTRIBUTES = frozenset({"path", "domain", "expires", "max-age", "samesite", "version", "priority"})
_SPREAD = 400
"""Letters before and behind a place that its line is looked at."""
_NO_SECRET = re.compile(
    r"[$%<{\[(]|\*{3}|\.{3}|…|x{3,}|.*(?:example|placeholder|redacted|masked|changeme|your|dummy|sample|fixme|todo|\.env|environ|"
    r"getenv|null|none|undefined|required|optional|valid|correct|missing|string|stdin|prompt|file|hash|crypt|protect|store|"
    r"verif|check|reset|chang|requir|provid|specif|wrong|empty|visible|hidden|saved|needed|known|config|default|secret|passw|"
    r"username|login|token|\w\()",
    re.IGNORECASE,
)
"""What stands where a secret would: a variable, a mark, or a word about it."""
_BEGINS = ("-", "/", "./", "~/", "#", "=", "&")
_SIGNS = frozenset("!@#$^&*+?~")
_DIGITS = frozenset(b"0123456789")


def spoken(text: str, lowered: bytes, known: WordPlaces) -> Iterator[tuple[int, int]]:
    """Where such secrets stand, in no order; `known` is where words stand that others look for, too."""
    for option in _OPTION.finditer(lowered):
        yield from _near(text, lowered, option.start(), _NEEDED[option[1]])
    for at in known[b"pass"]:
        if lowered[at + 4 : at + 5] in _GOES_ON or lowered[at - 1 : at] in _JOINED:
            yield from _near(text, lowered, at, ("pass", b"pass"))
    for at in known[b"cred"]:
        yield from _near(text, lowered, at, ("login", b"cred"))
    for name, words in _BY_WORD.items():
        for word in words:
            for at in known[word]:
                yield from _near(text, lowered, at, (name, word))
    yield from _codes(text, lowered, known)
    yield from _cookies(text, known[b"cookie"])


def _codes(text: str, lowered: bytes, known: WordPlaces) -> Iterator[tuple[int, int]]:
    """Numbers that open something, by what they are called: a digit must stand near."""
    for word in (b"code", b"pin", b"otp"):
        for at in known[word]:
            before, end = lowered[max(0, at - 12) : at], at + len(word)
            is_one = before.rstrip(b" -").endswith(_OF_CODES) or lowered.startswith(b" from ", end)
            if word != b"code":
                is_one = lowered[end : end + 1] in _AFTER_PIN and (
                    not before[-1:].isalpha() or before[-2:] in (b"t", b" t")
                )
            if is_one and not _DIGITS.isdisjoint(lowered[max(0, at - 40) : at + 60]):
                yield from _near(text, lowered, at, ("code", word))


_OF_CODES = (
    *(b"2fa", b"mfa", b"sms", b"ication", b"icator", b"auth", b"security", b"time", b"backup", b"recovery", b"door"),
    *(b"login", b"unlock", b"access", b"pass", b"pin", b"otp", b"token", b"your"),
)
"""What a code is for that opens something."""
_AFTER_PIN = (b" ", b":", b"=", b"'", b"")


_BY_RULE = ("code", "phrase")
"""What its rule alone decides: a number and a row of words look like nothing."""
_BY_WORD: dict[str, tuple[bytes, ...]] = {
    "@tcp(": (b"@tcp(",),
    "pw": (b"pw ", b"pw:", b"pw="),
    "bearer": (b"bearer ",),
    "by": (b"identified by", b"add_user "),
    "hooks": (b"//hook",),
    "send": (b'send "', b'send \\"'),
    "piped": (b"| su", b"| passwd", b"| cryptsetup"),
    "query": (b"sig=", b"&code="),
    "phrase": (b" phrase", b"mnemonic"),
    "login": (
        b" in with ",
        b"login with ",
        b"login is ",
        b"login as ",
        b" in as ",
        b"login:",
        b"wifi",
        b"gangsdaten",
        b"meldedaten",
        b"identifiants",
        b"credenciales",
    ),
    "net": (b"net use", b"smbclient ", b" /rp ", b" /p:"),
    "sqlplus": (b"sqlplus ",),
}
"""Where rules are tried that no option and no `pass` leads to."""
_NEEDED: dict[bytes, tuple[str | bytes, ...]] = {
    b"p": (
        "p",
        b" -u",
        b" -l",
        b"useradd",
        b" --user",
        b"rar",
        b"sshpass",
        b"mysql",
        b"mariadb",
        b"login",
        b"mongo",
        b"sqlcmd",
        b"zip",
        b"7z",
        b"snowsql",
        b"cqlsh",
        b"beeline",
        b"rabbitmqadmin",
        b"rdesktop",
        b"psexec",
    ),
    b"u": ("u", b":", b"smbclient", b"lftp"),
    b"k": ("k", b"openssl"),
    b"a": ("a", b"redis-cli", b"http", b"snmp"),
    b"w": ("w", b"ldap"),
    b"b": ("b", b"curl"),
    b"s": ("s", b"sudo -s"),
    b"-use": ("-u", b"--user"),
    b"-coo": ("-c", b"--cookie"),
    b"-pro": ("-p", b"--proxy-user"),
    b"-aut": ("-a", b"--auth"),
}
"""By how an option begins: its rules, and of what one must stand in the line before they are tried."""
_OPTION = re.compile(rb" -(?=([pubk]|[aw](?=[\s?\x80-\xff])|s\b|-(?:use|coo|pro|aut)))")
"""One search for them all: dashes stand everywhere, and few begin one of these."""
_GOES_ON, _JOINED = (b"w", b"p", b"c"), (b"_", b"-", b",")
"""How `pass` goes on, or what it is joined to, where it is not the word that tests say."""
_patterns: dict[str, tuple[re.Pattern[str], ...]] = {}
"""Compiled when the first line asks for them: most processes need none."""


def _near(text: str, lowered: bytes, at: int, needed: tuple[str | bytes, ...]) -> Iterator[tuple[int, int]]:
    """What the rules find in the line around a place."""
    start = max(lowered.rfind(b"\n", 0, at) + 1, at - _SPREAD)
    end = lowered.find(b"\n", at, at + _SPREAD)
    end = end if end >= 0 else min(len(text), at + _SPREAD)
    line, (name, *words) = lowered[start:end], needed
    if not any(word in line for word in words):  # type: ignore[operator]  # all but the first are bytes
        return
    for number, rule in enumerate(_patterns_of(str(name))):
        if name == "pass" and number and _ONLY_WITH[number - 1] not in line:
            continue
        for match in rule.finditer(text, start, end):
            group = match.lastindex or 0
            value = match.group(group)
            if name in _BY_RULE or (is_given(value) and not (name == "login" and is_placeholder(value))):
                yield match.span(group)


def _patterns_of(name: str) -> tuple[re.Pattern[str], ...]:
    if name not in _patterns:
        rules = _OF_WORD[name] if name in _OF_WORD else _OF_OPTION[name]
        _patterns[name] = tuple(re.compile(rule, re.IGNORECASE) for rule in rules)
    return _patterns[name]


def _cookies(text: str, found: list[int]) -> Iterator[tuple[int, int]]:
    """What a header keeps in cookies, each by itself: their names stay."""
    for at in found:
        if header := _HEADER.match(text, at):
            end = text.find("\n", header.end())
            for crumb in _CRUMB.finditer(text, header.end(), end if end >= 0 else len(text)):
                if crumb.group(1).lower() not in _ATTRIBUTES and is_given(crumb.group(2)):
                    yield crumb.span(2)


def is_given(value: str) -> bool:
    """Whether a value is a secret itself: letters with digits, capitals or signs among them, and no word about one."""
    value = value.strip(".,:;!?")
    mixed = any(c.isdigit() or c.isupper() or c in _SIGNS for c in value[1:]) and any(map(str.isalpha, value))
    return mixed and not value.startswith(_BEGINS) and not _NO_SECRET.match(value)
