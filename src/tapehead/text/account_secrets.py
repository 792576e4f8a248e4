"""Secrets beside what they open: `user:X@host`, `auth=("user", "X")`, `<<< X` for a command that asks for one, `X  # password`.

No name leads to the value here: the account, the command or a remark behind it says what it is. So the value must look like a secret itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.text.secret_shapes import is_chosen
from tapehead.text.spoken_secrets import is_given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.text.word_places import WordPlaces

_BACK, _LINE = 130, 300
_USER = re.compile(r"(?<![\w./:@+-])([\w.+-]{1,40}):([^\s@/:\"'`<>(){}\[\],;|]{4,80})\Z")
_HOST = re.compile(
    r"@(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]|localhost|(?!v?\d)[A-Za-z0-9-]{1,60}(?:(?:\.[A-Za-z0-9-]{1,60})+|(?=:\d{2,5}\b)))(?![\w@])"
)
_NO_USERS = frozenset(
    "mailto email e-mail mail from to cc bcc author by contact user username sip sips xmpp acct account owner npm jsr id login reply-to sender".split()  # noqa: SIM905 - a list of words
)
"""Words before a colon behind which an address stands, and no password."""
_PAIR = re.compile(
    r"\w{0,12}\s{0,4}[=(:]\s{0,4}[(\[]?\s{0,4}(?:\w{1,20}\s{0,2}=\s{0,2})?[\"'][^\"'\s]{1,80}[\"']\s{0,4},\s{0,4}(?:\w{1,20}\s{0,2}=\s{0,2})?[\"']([^\"'\s]{4,80})[\"']\s{0,4}[)\]]"
)
"""Behind `auth`, `login` and `credential`: a name and a secret in brackets."""
_SAID = re.compile(
    r"(?:entication|s|entials?)?\s(?:is|are|was)\s{1,4}[\"'`]?[\w.@+-]{1,60}\s?[:/]\s?(?=[^\s\"'`]{0,40}\d)([^\s\"'`:/,]{6,80})"
)
"""Behind the same: `basic auth is bob:X`."""
_GIVEN = re.compile(r"<<<\s{0,4}[\"']?([^\s\"'|;&<>]{4,80})")
_ASKS = (
    *(b"pass", b"pw", b"secret", b"token", b"sudo -s", b"-stdin", b"cryptsetup", b"ssh-add", b"kinit", b"keytool"),
    *(b"gpg", b"login", b"vault", b" su ", b"keyring"),
)
_REMARK = re.compile(
    r"(?<!\S)[\"'`]?([^\s\"'`]{6,80})[\"'`]?[,;]?\s{1,20}(?:#|//|--|<-|\u2190)\s{0,4}(?:[\w'./-]{1,20} ){0,4}\Z"
)
_NAME_ENDS = re.compile(r"[\w-]{0,20}(?: key| phrase)?[).,;!]?[ \t]{0,20}(?=\n|\Z)")
_TYPED = re.compile(
    r"\b(?:type|types?d?|enter|use|uses|using|give|answer|paste|put|try|supply|send|need)\s(?:in\s|it\s)?[\"'`\u201c]?([^\s\"'`\u201c\u201d]{6,80})[\"'`\u201d]?,?\s(?:at|when|if|for|into|in|as|to)\b[^.\n;:=]{0,60}\Z",
    re.IGNORECASE,
)


_ECHOED = re.compile(
    r"(?:echo|printf)\s{1,4}(?:-\w{1,3}\s{1,4})?[\"']?(?:"
    r"[\w.@+-]{1,60}:([^\s\"'|:]{4,80})[\"']?\s{0,4}\|\s{0,4}(?:base64|openssl)\b"
    r"|([^\s\"'|:>]{6,80})[\"']?\s{0,4}(?:>{1,2}|\|\s{0,4}(?:sudo\s)?tee(?:\s-a)?\s)\s{0,4}\S{0,80}?(?:pass|secret|token|cred|\.key\b|_key\b|pwd|netrc))",
    re.IGNORECASE,
)
"""Written into a file that has the name of a secret, or with its user through base64, as a header wants it."""


def beside_accounts(text: str, lowered: bytes, known: WordPlaces) -> Iterator[tuple[int, int]]:
    """Where such secrets stand, in no order; `known` is where words stand that others look for, too."""
    yield from _before_hosts(text, lowered)
    for at in (*known[b"auth"], *known[b"cred"], *known[b"login"]):
        end = at + 4 + (lowered[at : at + 1] == b"l")
        if (found := _PAIR.match(text, end) or _SAID.match(text, end)) and is_given(found[1]):
            yield found.span(1)
    for at in known[b"<<<"]:
        start = lowered.rfind(b"\n", 0, at) + 1
        end = lowered.find(b"\n", at, at + _LINE)
        line = lowered[max(start, at - _LINE) : end if end >= 0 else at + _LINE]
        if any(word in line for word in _ASKS) and (found := _GIVEN.match(text, at)) and is_given(found[1]):
            yield found.span(1)
    for word in (b"echo ", b"printf "):
        for at in known[word]:
            if (found := _ECHOED.match(text, at)) and is_given(found[found.lastindex or 0]):
                yield found.span(found.lastindex or 0)
    for word in (b"pass", b"secret", b"token", b"pwd", b"key"):
        for at in known[word]:
            yield from _named_behind(text, lowered, at)


def _before_hosts(text: str, lowered: bytes) -> Iterator[tuple[int, int]]:
    at = lowered.find(b"@", 1)
    while at >= 0:
        if lowered.find(b":", max(0, at - _BACK), at) >= 0 and (host := _HOST.match(text, at)):
            found = _USER.search(text, max(0, at - _BACK), at)
            if found and found[1].lower() not in _NO_USERS and "sha256" not in host[0] and is_given(found[2]):
                yield found.span(2)
        at = lowered.find(b"@", at + 1)


def _named_behind(text: str, lowered: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Look at what stands before a name: a value that a remark calls so, or that is typed where it is asked for."""
    start = max(lowered.rfind(b"\n", 0, at) + 1, at - _BACK)
    before = lowered[start:at]
    found = None
    end = _NAME_ENDS.match(text, at) is not None  # a remark that says more is about something else
    if end and (b"#" in before or b"//" in before or b"--" in before or b"<-" in before or not before.isascii()):
        found = _REMARK.search(text, start, at)
    found = found or _TYPED.search(text, start, at)
    if found and is_chosen(found[1].rstrip(".,")):
        yield found.span(1)
