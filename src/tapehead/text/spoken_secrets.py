"""Secrets that are assigned to no name: said in prose, given to a command, or sent as a cookie.

Searches that cost next to nothing lead to places where one could stand; the patterns see only the line there. What a pattern finds must
look like a secret itself: what a program's help says in its place, a variable or a word about it is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_VALUE = r"""(?:"([^"\n]{4,200})"|'([^'\n]{4,200})'|([^\s"'`|;<>()]{4,200}))"""
_SAID = r"[\"'`“‘]?([^\s\"'`“”‘’,]{6,200})"  # noqa: RUF001 - how people quote
_LONG = r"[\"'`“‘]?([^\s\"'`“”‘’,]{12,200})"  # noqa: RUF001 - as above
_PART = r"[^\n|;]*?\s"
"""What may stand between a command and its option."""
_CODE = r"(?:pin(?:[- ]code)?|otp|totp|passcode|(?:2fa|mfa|door|backup|recovery|otp|sms|verification|authenticat(?:ion|or)|auth|security|one[- ]time|login|unlock|access)[- ](?:code|pin|passcode))"
_DIGITS_SAID = (
    r"(\d{3}[ -]\d{3}|\d{4}-\d{4}|\d{4,8})(?![\w%]|[.,:/-]\d|\s(?:lines?|times|files|bytes|ms|rows|words|chars))"
)
"""A number that opens something, as long as those are."""
_OF_OPTION = {
    "p": (
        rf"\bsshpass\s+-p\s*{_VALUE}",
        rf"\b(?:mysql\w*|mariadb[\w-]*)\b{_PART}-p{_VALUE}",
        rf"\b(?:docker|podman|nerdctl|helm|oc|az|skopeo|crane)\s+(?:registry\s+)?login\b{_PART}-p\s*{_VALUE}",
        rf"\bmongo(?:sh|dump|restore|export|import)?\b{_PART}-p\s+{_VALUE}",
        rf"\bsqlcmd\b{_PART}(?-i:-P)\s*{_VALUE}",
        rf"\b(?:un)?zip\b{_PART}(?-i:-P)\s+{_VALUE}",
        rf"\b7za?\b{_PART}-p{_VALUE}",
        rf"\b(?:snowsql|cqlsh|beeline|rabbitmqadmin|rdesktop|psexec)\b{_PART}-p\s*{_VALUE}",
    ),
    "u": (
        rf"\bcurl\b{_PART}-u\s*[\"']?[^\s:\"']{{1,80}}:([^\s\"']{{3,200}})",
        rf"\blftp\b{_PART}-u\s+[\"']?[^\s,\"']{{1,80}},([^\s\"']{{4,200}})",
        rf"\bsmbclient\b{_PART}-U\s+[\"']?[^\s%\"']{{1,80}}%([^\s\"']{{4,200}})",
    ),
    "a": (
        rf"\bredis-cli\b{_PART}-a\s+{_VALUE}",
        r"\bhttps?\s(?:[^\n|;]*?\s)?-a\s+[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})",
    ),
    "k": (rf"\bopenssl\s+\w+\b{_PART}-k\s+{_VALUE}",),
    "w": (rf"\bldap\w+\b{_PART}-w\s+{_VALUE}",),
    "b": (rf"\bcurl\b{_PART}-b\s*[\"']?[\w-]{{1,60}}=([^\s\"';]{{6,400}})",),
    "s": (r"\becho\s+(?:-n\s+)?[\"']?([^\s\"'|]{4,200})[\"']?\s*\|\s*sudo\s+-S\b",),
    "-u": (r"--(?:proxy-)?user[ =]\s*[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})",),
    "-c": (
        rf"\bcurl\b{_PART}--cookie[ =]\s*[\"']?[\w-]{{1,60}}=([^\s\"';]{{6,400}})",
        rf"--client-secret(?:=|\s+){_VALUE}",
    ),
    "-p": (
        rf"--pass(?:word|wd|phrase)?(?:=|\s+){_VALUE}",
        r"--proxy-user[ =]\s*[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})",
    ),
    "-a": (
        r"--auth[ =]\s*[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})",
        rf"--(?:api-key|auth-token|access-token)(?:=|\s+){_VALUE}",
    ),
    "-t": (rf"--token(?:=|\s+){_VALUE}",),
    "-s": (rf"--secret(?:-key)?(?:=|\s+){_VALUE}",),
}
"""What a command is given, by how the option begins."""
_OF_WORD = {
    "pass": (
        rf"\bpass(?:word|wd|phrase|code)s?\b[^\n.;:=\"'`]{{0,40}}?(?:'s|\s(?:is|was|are|to|ist))(?: now)?\s*:?\s+{_SAID}",
        rf"\bpass(?:phrase|code)\b\s*(?:[:=]|\s)\s*{_SAID}",
        r"\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+([^\s\"']{4,200})",
        r"\b[\w-]{1,40}:([^\s\"':|]{4,200})[\"']?\s*\|\s*(?:sudo\s+)?chpasswd\b",
        r"-pass(?:in|out|word)?\s+pass:([^\s\"']{4,200})",
        r"\bmachine\s+\S+\s+login\s+\S+\s+password\s+([^\s\"']{4,200})",
        r"<(?:\w+:)?password>([^<\s]{6,200})</",
        rf"_pass=\s*{_VALUE}",
        rf"_pass:\s+{_VALUE}",
        rf"\s--[\w-]{{1,30}}-pass(?:word|wd|phrase)?(?:=|\s+){_VALUE}",
        rf"\b(?:use|with|try)\s+{_SAID}[\"'`”’]?\s+(?:as|for)\s+(?:\w+\s+){{0,2}}pass(?:word|phrase)\b",  # noqa: RUF001 - as above
        rf"\b(?:user(?:name)?|login)\s+\S{{1,60}}\s+(?:and\s+)?(?:the\s+)?password\s+{_SAID}",
        rf"\bSSHPASS=\s*{_VALUE}",
        r"\b(?:echo|printf)\s+(?:-n\s+)?[\"']?([^\s\"'|]{4,200})[\"']?\s*\|[^\n|]*--password-stdin\b",
        rf",pass=\s*{_VALUE}",
        r"\bchpasswd\s*<<<\s*[\"']?[\w-]{1,40}:([^\s\"']{4,200})",
    ),
    "@tcp(": (r"\b[\w.-]{1,60}:([^\s@/:\"'`]{4,200})@tcp\(",),
    "pw": (rf"\bpw\s*(?::|\sis)\s+{_SAID}",),
    "key": (
        rf"\b(?:api[ _-]?key|secret(?: key)?|token)\b[^\n.;:=\"'`]{{0,30}}?(?::|\s(?:is|was))\s+(?=\S{{0,40}}\d){_LONG}",
    ),
    "login": (
        rf"\b(?:creds|credentials|log in with)\b\s*(?:are|is)?\s*:?\s+[\w.@-]{{1,60}}\s*[/:]\s*(?=\S{{0,40}}\d){_SAID}",
    ),
    "net": (
        rf"\bnet\s+use\s[^\n|;]*?/user:\S+\s+(?!/){_VALUE}",
        rf"\bnet\s+use\s+(?:[\w*]:?\s+)?\\\\\S+\s+(?!/){_VALUE}",
        rf"\bnet\s+use\s+(?:[\w*]:?\s+)?https?://\S+\s+(?!/){_VALUE}",
        rf"\bsmbclient\s+//\S+\s+(?!-){_VALUE}",
        rf"\s/rp\s+{_VALUE}",
        rf"\bnet\s+user\s+(?!/)\S+\s+(?!/){_VALUE}",
        r"\s/p(?:ass)?:([^\s\"']{4,200})",
    ),
    "code": (
        rf"(?<![\w.-]){_CODE}\b(?:\s(?:code|number))?(?:\s(?:for|of|to)\s[^\n.;:=]{{1,30}}?)?(?:'s|\s(?:is|was)(?:\snow)?:?|\s?[:=])\s*[\"'`*]*{_DIGITS_SAID}",
        rf"\b(?:use|enter|with|type|try|my|the|send|got|and)\s(?:the\s|my\s)?{_CODE}\s(?:code\s)?[\"'`]?{_DIGITS_SAID}",
        rf"(?<![\w.-])(?:(?-i:PIN|T?OTP)|(?:2fa|mfa|sms|one-time|verification|security|backup)[- ]code)\s(?:→\s)?{_DIGITS_SAID}",
        rf"\bcode from (?:the|my) (?:authenticator|sms|text|phone|app)\w*(?:'s|\s(?:is|was)|:)\s+{_DIGITS_SAID}",
        rf"\b(\d{{4,8}})\s(?:is|was)\s(?:my|your|the)\s(?:\w+\s){{0,2}}?{_CODE}\b",
        rf"--(?:otp|pin|totp|mfa-code|token-code)(?:=|\s+)[\"']?{_DIGITS_SAID}",
    ),
    "sqlplus": (r"\bsqlplus\s+(?:-\w+\s+)*[\w.$#]{1,60}/([^\s@\"'/]{4,200})",),
}
"""What is told otherwise, by a word that stands there."""
_ONLY_WITH = (
    (b"passp", b"passc"),
    (b"htpasswd",),
    (b"chpasswd",),
    (b"pass:",),
    (b"machine",),
    (b"password>",),
    (b"_pass=",),
    (b"_pass:",),
    (b"-pass",),
    (b" pass",),
    (b"user", b"login"),
    (b"sshpass=",),
    (b"-stdin",),
    (b",pass=",),
    (b"<<<",),
)
"""Of what one must stand in the line for each rule of `pass` but the first."""
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


def places(lowered: bytes, word: bytes) -> list[int]:
    """Where a word stands."""
    found, at = [], lowered.find(word)
    while at >= 0:
        found.append(at)
        at = lowered.find(word, at + len(word))
    return found


def spoken(text: str, lowered: bytes, passes: list[int]) -> Iterator[tuple[int, int]]:
    """Where such secrets stand, in no order; `passes` is where `pass` does."""
    for option in _OPTION.finditer(lowered):
        yield from _near(text, lowered, option.start(), _NEEDED[option[1]])
    for at in passes:
        if lowered[at + 4 : at + 5] in _GOES_ON or lowered[at - 1 : at] in _JOINED:
            yield from _near(text, lowered, at, ("pass", b"pass"))
        elif lowered[at - 3 : at] == b"ssh":
            yield from _near(text, lowered, at, ("pass", b"sshpass="))
    for name, words in _BY_WORD.items():
        for word in words:
            for at in places(lowered, word):
                if name != "code" or not _DIGITS.isdisjoint(lowered[max(0, at - 20) : at + 60]):
                    yield from _near(text, lowered, at, (name, word))
    yield from _cookies(text, lowered)


_BY_WORD: dict[str, tuple[bytes, ...]] = {
    "@tcp(": (b"@tcp(",),
    "pw": (b"pw: ", b"pw is "),
    "key": (b"api key", b"secret is ", b"token is ", b"token: "),
    "login": (b"creds", b"credentials", b"log in with "),
    "net": (b"net use ", b"net user ", b"smbclient ", b" /rp ", b" /p:", b" /pass:"),
    "code": (
        b"pin ",
        b"pin:",
        b"pin=",
        b"pin's",
        b"otp",
        b"2fa code",
        b"mfa code",
        b"sms code",
        b"ication code",
        b"auth code",
        b"security code",
        b"time code",
        b"backup code",
        b"recovery code",
        b"door code",
        b"code from ",
        b"-code",
        b"login code",
        b"unlock code",
        b"access code",
        b"passcode",
    ),
    "sqlplus": (b"sqlplus ",),
}
"""Where rules are tried that no option and no `pass` leads to."""
_NEEDED: dict[bytes, tuple[str | bytes, ...]] = {
    b"p": (
        "p",
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
    b"u": ("u", b"curl", b"smbclient", b"lftp"),
    b"k": ("k", b"openssl"),
    b"a": ("a", b"redis-cli", b"http"),
    b"w": ("w", b"ldap"),
    b"b": ("b", b"curl"),
    b"s": ("s", b"sudo -s"),
    b"-use": ("-u", b"--user"),
    b"-coo": ("-c", b"--cookie"),
    b"-cli": ("-c", b"--client-secret"),
    b"-pas": ("-p", b"--pass"),
    b"-pro": ("-p", b"--proxy-user"),
    b"-aut": ("-a", b"--auth"),
    b"-api": ("-a", b"--api-key"),
    b"-acc": ("-a", b"--access-token"),
    b"-tok": ("-t", b"--token"),
    b"-sec": ("-s", b"--secret"),
}
"""By how an option begins: its rules, and of what one must stand in the line before they are tried."""
_OPTION = re.compile(rb" -(?=([pubk]|[aw](?=[\s?\x80-\xff])|s\b|-(?:use|coo|cli|pas|pro|aut|api|acc|tok|sec)))")
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
        if name == "pass" and number and not any(word in line for word in _ONLY_WITH[number - 1]):
            continue
        for match in rule.finditer(text, start, end):
            group = match.lastindex or 0
            if name == "code" or is_given(match.group(group)):
                yield match.span(group)


def _patterns_of(name: str) -> tuple[re.Pattern[str], ...]:
    if name not in _patterns:
        rules = _OF_WORD[name] if name in _OF_WORD else _OF_OPTION[name]
        _patterns[name] = tuple(re.compile(rule, re.IGNORECASE) for rule in rules)
    return _patterns[name]


def _cookies(text: str, lowered: bytes) -> Iterator[tuple[int, int]]:
    """What a header keeps in cookies, each by itself: their names stay."""
    at = lowered.find(b"cookie")
    while at >= 0:
        if header := _HEADER.match(text, at):
            end = text.find("\n", header.end())
            for crumb in _CRUMB.finditer(text, header.end(), end if end >= 0 else len(text)):
                if crumb.group(1).lower() not in _ATTRIBUTES and is_given(crumb.group(2)):
                    yield crumb.span(2)
        at = lowered.find(b"cookie", at + 6)


def is_given(value: str) -> bool:
    """Whether a value is a secret itself: letters with digits, capitals or signs among them, and no word about one."""
    value = value.strip(".,:;!?")
    mixed = any(c.isdigit() or c.isupper() or c in _SIGNS for c in value[1:]) and any(map(str.isalpha, value))
    return mixed and not value.startswith(_BEGINS) and not _NO_SECRET.match(value)
