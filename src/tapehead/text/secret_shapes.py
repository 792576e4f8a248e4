"""Secrets by their shape: a word that names one, and beside it a value that looks like one, in whatever syntax.

`=` and `:`, JSON, YAML, XML, headers, flags of any command, and prose are all the same here: a name, what leads from it to the value, and the
value. The looser the lead, the more the value must look drawn by lot. Names are found by searches that cost next to nothing.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from tapehead.text.entropy import entropy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.text.word_places import WordPlaces

_WORDS = (
    *(b"pass", b"key", b"token", b"secret", b"pwd", b"cred"),
    *(b"psk", b"securestring", b"kennwort", b"contrase", b"mot de passe", b"wachtwoord", b"senha "),
)
"""What names a secret. Of other languages the commonest words."""
_REST = re.compile(r"[\w-]{0,30}")
_FOR = r"(?:\s+(?:for|of|to|on|at|in|from|für|de|del|pour|du)\s[^\n.;:=\"'`]{1,40}?)?"
_STRONG = re.compile(
    r"\\?[\"'\])*`]{0,3}"
    + _FOR
    + r"(?:(?:'s|\s{1,20}(?:is|are|was|ist|lautet|war|es|est|è|é|will be|becomes))(?:\s{1,20}now)?\s{0,20}:?\s{1,20}|\s{0,20}(?:=>|:=|=|:|->|\u2192)\s{0,20})[\\\"'`\u201c\u2018*(]{0,3}"
    r"|,?\s{1,20}(?:so\s)?(?:enter|type|use|give(?:\sit)?|answer|say|try|it'?s)\s[\"'](?=[^\"'\n]{4,60}[\"'])"
    r"|\s{1,20}[\"\u201c](?=[^\"\u201d\n]{4,60}[\"\u201d])|\s{1,20}'(?=[^'\n]{4,60}'(?!\w))|[\"']?\s{1,20}value\s{0,20}=\s{0,20}[\"']|[^<>\n]{0,60}>(?=[^<>\n]{4,80}</)|\\?[\"']?\s{0,20},?\s{0,20}\n[\s-]{0,20}[\"']?value[\"']?\s{0,20}[:=]\s{0,20}[\"']?"
)
"""What leads from a name to its value and to nothing else."""
_WEAK = re.compile(
    r"\\?[\"'\]):]{0,2}\s{1,20}(?:[\w.@\\-]{1,60}\s{0,20}[/:]\s{0,20})?(?:(?:from|to|and|with|as|the|for|of|by|was)\s{1,20}){0,2}[\"'`\u201c\u2018(]{0,2}"
)
_VALUE = re.compile(r"[^\s\"'`\u201c\u201d\u2018\u2019<>,;|\\]{4,200}")
_NEXT = re.compile(r"[^\n.;]{1,60}?\s(?=\S)")
_JOINED = "_-."
_ENDS = ".,:;!?)]}*"
_RANDOM = 16
"""Letters of a value that is drawn by lot whatever leads to it."""
_NONE = re.compile(
    r"[$%<{\[(&/~#=]|\.|-|.*\*{2}|x{3,}|0x|\d+(?:\.\d+)*(?:px|ms|s|k|kb|mb|gb|%|min|h|d|x|st|nd|rd|th)?$|\d{4}-\d\d(?!\d)|\d+:\w|u[0-9a-f]{4}|v\d|\w+\(|"
    r"(?:sha|md|aes|rsa|hmac|base|utf|oauth|http|argon|pbkdf|ed|rs|hs|es|ps|ipv|python|node|gpt|claude|win|arm|amd|x86|iso|ascii|latin|cl100k|o200k)[-_]?v?\d|"
    r".*(?:example|placeholder|redacted|masked|changeme$|your|dummy|sample|fixme|todo|environ|getenv|null|none|undefined|required|optional|missing|"
    r"string|stdin|prompt|hash|crypt|verif|check|reset|requir|provid|specif|default|secret|passw|token|username|login|config|file|path|name|field|"
    r"value|param|header|count|limit|usage|index|error|test|mock|fake|schema|type|class|func|handler|manager|service|button|input|form|\w\()",
    re.IGNORECASE,
)
"""What stands where a secret would: a variable, a number with its unit, a method, a name in code, or a word about it."""
_A_FILE = re.compile(
    r"\.(?:py|js|ts|tsx|go|rs|md|json|ya?ml|toml|txt|sh|sql|html|css|java|rb|c|h|log|lock|pem|key|pub|env|com|org|io|net|dev)\b|:\d+(?::|$)|^[\w-]+(?:\.[\w-]+)+$"
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_ID = re.compile(r"(?:toolu|msg|req|call|chatcmpl|resp|fc|rs|run|session|sess|evt|file|org|proj|user|task|agent)[_-]")
_KINDS = (
    "api",
    "secret",
    "access",
    "private",
    "encryption",
    "signing",
    "master",
    "session",
    "auth",
    "deploy",
    "service",
    "account",
    "admin",
    "license",
)
"""What stands before `key` where it is one that opens something."""


def shaped(text: str, known: WordPlaces) -> Iterator[tuple[int, int]]:
    """Where values stand that their surroundings call secret, in no order; `known` is where words stand that others look for, too."""
    for word in _WORDS:
        for at in known[word]:
            yield from _beside(text, at, at + len(word), word)


def _beside(text: str, at: int, end: int, word: bytes) -> Iterator[tuple[int, int]]:
    """Look at what stands behind a name."""
    rest = _REST.match(text, end)
    stop = rest.end() if rest else end
    if word == b"pass" and text[stop : stop + 7].lower() == " phrase":
        stop += 7
    joined = at > 0 and (text[at - 1].isalnum() or text[at - 1] in _JOINED)
    names = _names_secret(text, at, stop, word, joined=joined)
    if names and (before := _BEFORE.search(text, max(0, at - _BACK), at)) and is_chosen(before[1]):
        yield before.span(1)
        return
    lead = _lead(text, at, stop) if names else None
    if lead is not None:
        span = _value(text, lead.end(), assigned=_assigns(text, at, lead))
        if span and (
            is_chosen(text[slice(*span)], assigned=_assigns(text, at, lead)) or _is_phrase(text, at, span, lead)
        ):
            yield span
            return
    if text[stop : stop + 1] not in _OPENS:
        return
    for n, span in enumerate(_words_behind(text, stop)):
        value = text[slice(*span)]
        if (
            (names and n == 0 and _is_handed_over(text, at, value))
            or (
                names
                and not _HEX.fullmatch(value)
                and (
                    is_mixed(value)
                    or (n == 0 and text[at:stop].lower() != "pass" and len(value) >= _A_WORD and is_chosen(value))
                )
            )
            or is_drawn(value)
        ):
            yield span


def _is_handed_over(text: str, at: int, value: str) -> bool:
    """Whether a number in hexadecimal letters, behind its name, is given for use: anywhere else it may be a commit or a checksum."""
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return (
        len(value) >= _RANDOM
        and mixed
        and bool(_HEX.fullmatch(value))
        and _GIVEN.search(text, max(0, at - _BACK), at) is not None
    )


_GIVEN = re.compile(
    r"\b(?:use|using|with|try|set|enter|paste|send|my|our)\s(?:the\s|this\s|my\s|our\s)?(?:[\w-]{1,20}\s){0,2}\Z",
    re.IGNORECASE,
)
_BACK = 80
_BEFORE = re.compile(r"(?<!\S)[\"'`]?([^\s\"'`]{6,60})[\"'`]? (?:is|was) (?:the|my|your|our) (?:\w+ ){0,3}\Z")
"""What stands before the name: `X is the new password`."""


def _lead(text: str, at: int, stop: int) -> re.Match[str] | None:
    """Give what leads from a name to its value: of a flag and a variable a blank does."""
    if found := _STRONG.match(text, stop):
        return found
    start, furthest = at, max(0, at - _A_NAME)  # no further: a hostile text is one long name
    while start > furthest and (text[start - 1].isalnum() or text[start - 1] in "_-/."):
        start -= 1
    name = text[start:stop]
    is_flag = name.startswith(("-", "/")) or name.isupper() or ("_" in name and name.isidentifier())
    return _GIVES.match(text, stop) if is_flag or name.lower().endswith("securestring") else None


def _is_phrase(text: str, at: int, span: tuple[int, int], lead: re.Match[str]) -> bool:
    """Whether words are given for a password: three and more with dashes, or one between the tags of an element."""
    value = text[slice(*span)]
    if _NONE.match(value) or not text.startswith(("pass", "Pass", "pwd"), at):
        return False
    if " " in value:
        return _SPOKEN.fullmatch(value) is not None and "phrase" in text[at : at + 12].lower()
    return _PHRASE.fullmatch(value) is not None or (lead[0].endswith(">") and len(value) >= _SHORTEST)


_A_NAME = 60
_SPOKEN = re.compile(r"[a-z]{3,}(?: [a-z]{3,}){2,7}")
_PHRASE = re.compile(r"[A-Za-z]{3,}(?:[-_.][A-Za-z]{3,}){2,}")
_GIVES = re.compile(r"\s{1,20}[\"'`]?|[:=]\s{0,20}[\"'`]?")
_OPENS = (" ", "'", '"', ":", "]", ")", "=", "\\")


def _names_secret(text: str, at: int, stop: int, word: bytes, *, joined: bool) -> bool:
    """Whether a word names a secret by itself: `pass` and `key` only as a part of another, or with what kind of key it is."""
    name = text[at:stop].lower()
    if word == b"pass":
        name = name.replace(" ", "").replace("-phrase", "phrase")
    if word == b"key":
        if name not in ("key", "keys", "key_id") and not name.startswith("key-"):
            return False
        before = text[max(0, at - 14) : at].lower().rstrip(" _-.")
        return before.endswith(_KINDS) or text.startswith(" is ", stop)
    if word == b"pass":
        if name.startswith(("passw", "passphrase", "passcode", "passkey")) or name in ("passin", "passout"):
            return True
        return name in ("pass", "pass-") and not (text[at:stop].isupper() and not joined)
    if word == b"cred" and not name.startswith(("credential", "creds")):
        return False
    return len(name) - len(word) <= _A_SUFFIX and not name.startswith(("tokeniz", "tokens", "secretar", "key"))


_A_SUFFIX = 16


def _assigns(text: str, at: int, lead: re.Match[str]) -> bool:
    """Whether a variable of the environment is set: `DB_PASS=word`, with nothing between."""
    return lead[0].rstrip("\"'") == "=" and text[at : at + 4].isupper()


def _value(text: str, start: int, *, assigned: bool) -> tuple[int, int] | None:
    """Give where a value stands; what is quoted may hold blanks."""
    quote = text[start - 1 : start]
    if quote in ('"', "'") and quote:
        end = text.find(quote, start, start + _QUOTED)
        if end > start and "\n" not in text[start:end] and " " in text[start:end]:
            inner = text[start:end]
            digit = any(map(str.isdigit, inner))
            mixed = digit and (assigned or any(c in _SIGNS for c in inner))
            return (start, end) if mixed or _SPOKEN.fullmatch(inner) else None
    found = _VALUE.match(text, start)
    if found is None:
        return None
    bare = found[0].rstrip(_ENDS)
    return (start, start + len(bare)) if bare else None


_QUOTED, _SIGNS = 60, frozenset("!@#$^&*+?~")


def _words_behind(text: str, stop: int) -> Iterator[tuple[int, int]]:
    """Give the next few words of the line, each as a value."""
    end = text.find("\n", stop, stop + _LINE)
    end = end if end >= 0 else min(len(text), stop + _LINE)
    for n, found in enumerate(_VALUE.finditer(text, stop, end)):
        if n >= _FEW:
            return
        bare = found[0].rstrip(_ENDS).lstrip("(*")
        start = found.start() + found[0].find(bare) if bare else found.start()
        # `set TOKEN=...` is led otherwise; a value behind a name's `=` is looked at by itself.
        if "=" in bare:
            start, bare = start + bare.rfind("=", 0, -2) + 1, bare[bare.rfind("=", 0, -2) + 1 :]
        if bare:
            yield start, start + len(bare)


_LINE, _FEW = 90, 4


def is_chosen(value: str, *, assigned: bool = False) -> bool:
    """Whether a value that is given for a secret is one: a word with a digit or a sign in it, that is no code."""
    if len(value) < _SHORTEST or _is_plain(value):
        return False
    digits = sum(map(str.isdigit, value))
    if assigned and value.isalpha() and value.islower():
        return len(value) >= _A_WORD
    if not any(map(str.isalpha, value)):
        return _GROUPS.fullmatch(value) is not None
    if any(c in _SIGNS for c in value[1:]):
        return True
    return digits > 1 or (digits == 1 and (not (value[-1].isdigit() and value[:-1].isalpha()) or _turns(value)))


_GROUPS = re.compile(r"\d{3,6}(?:-\d{3,6}){2,}")


def _turns(value: str) -> bool:
    """Whether capitals stand within a word."""
    return any(map(str.islower, value)) and any(map(str.isupper, value[1:]))


_SHORTEST, _A_WORD = 6, 8


def is_mixed(value: str) -> bool:
    """Whether a value that only stands near the name of a secret is one: capitals, small letters and digits, or signs."""
    if len(value) < _A_WORD - 1 or _is_plain(value) or "/" in value or "_" in value or ":" in value:
        return False
    kinds = sum(any(map(kind, value)) for kind in (str.islower, str.isupper, str.isdigit))
    digits = sum(map(str.isdigit, value))
    return (kinds > 2 and digits > 1) or (digits > 1 and kinds > 1 and any(c in _SIGNS for c in value[1:]))  # noqa: PLR2004 - all three


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for one."""
    return _NONE.match(value) is not None


def is_drawn(value: str) -> bool:
    """Whether a value is drawn by lot: long, of all kinds of letters, changing from one kind to the other all the time."""
    if (
        len(value) < _RANDOM
        or _is_plain(value)
        or _HEX.fullmatch(value)
        or not value.replace("-", "").replace("_", "").isalnum()
    ):
        return False
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value]
    changes = sum(a != b for a, b in pairwise(kinds))
    return len(set(kinds)) > 2 and kinds.count("d") > 2 and changes * 3 >= len(value) and entropy(value) >= _BITS  # noqa: PLR2004 - all three


_BITS = 3.3


def _is_plain(value: str) -> bool:
    if _NONE.match(value) or _UUID.match(value) or _ID.match(value) or any(c in "(){}[]<>$" for c in value):
        return True
    return not value.isascii() or _A_FILE.search(value) is not None
