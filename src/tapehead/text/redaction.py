"""Secrets are redacted; ordinary code, hashes and ids stay readable.

Everything that tapehead stores or hands on comes through here, megabytes of it at an import. So a text is first looked over with
searches that cost next to nothing, and the patterns, which are slow, see only what could be a secret.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from tapehead.text.account_secrets import beside_accounts
from tapehead.text.entropy import is_random
from tapehead.text.provider_secrets import BEFORE, BEGINNINGS, pattern
from tapehead.text.secret_shapes import is_placeholder, shaped
from tapehead.text.spoken_secrets import spoken
from tapehead.text.word_places import WordPlaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tapehead.text.repeated_secrets import Repeated

MASK = "[masked]"

# Patterns as text: most processes never need them, and `re` compiles each once, when it is first asked for.
_PRIVATE_KEY = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)"
)
_PRIVATE_KEY_OF_ONE = r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[^\0]*"
"""The same among texts that are looked over together: a key without an end must not run on through all that follow."""
_IN_ADDRESS = r"[^\s/:@]{0,80}:[^\s/@]{1,200}(?=@)"
_ADDRESS_LONGEST = 300
"""Letters in which that ends, from where an address begins."""
_OTHERS = (
    r"|(?:(?<=[Bb]earer )|(?<=BEARER )|(?<=Basic )|(?<=[Tt]oken ))[\w.~+/-]{16,}=*"
    r"|(?<=hooks\.slack\.com/services/)[\w/]{20,}|(?<=/api/webhooks/)\d{16,}/[\w-]{40,}"
    r"|(?<=AccountKey=)[\w+/]{60,}={0,2}|(?<=[?&]sig=)[\w%+/-]{30,}=*"
    r"|(?<![\w+/])(?![0-9a-fA-F]+(?![\w+/]))(?=[A-Za-z+/]*\d)(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9+/]{60,}={0,2}(?![\w+/])"
)
"""What no provider's name stands on: tokens in headers and addresses, and lines of keys."""
_FIRST_LETTERS = frozenset(beginning[:3].encode() for beginning in BEGINNINGS)
_FIRST_TWO = frozenset(beginning[:2].encode() for beginning in BEGINNINGS if len(beginning) == 2)  # noqa: PLR2004 - as it says
_INNER = "-(?:" + "|".join(re.escape(beginning) for beginning in BEGINNINGS if len(beginning) > 3) + r"|us\d)"  # noqa: PLR2004 - shorter ones are found everywhere
_BEFORE = ("bearer ", "basic ", "token ", "services/", "accountkey=", "sig=", *BEFORE)
"""What stands before a run where it is no beginning."""
_BEFORE_LONGEST = max(map(len, _BEFORE))
_JOINTS = frozenset(end.encode() for before in _BEFORE for end in (before[-2:], before[-2:].upper()))
"""How that ends."""
_MIXED = 20
"""Letters of a run of capitals, small letters and digits that is looked at whatever it begins with."""
_SHORTEST = 20
"""Letters of the shortest run that is looked at: no provider's token is known to be without one. Names in code are mostly shorter."""
_PART_OF_TWO = re.compile(r"(?:\bpat[a-zA-Z0-9]{14}\.|\$production\$[0-9a-z]{16}\$)\Z")
"""What stands before the second part of a token whose first part is shorter."""
_IN_HEADER = re.compile(
    r"orization[\"']?\s*[:=]\s*[\"']?(?:basic|bearer|token|digest|apikey|api-key)\s+([\w.~+/-]{8,}=*)", re.IGNORECASE
)
"""After `auth`: what a header carries may be shorter."""
_KEY_LINE = 40
"""A run this long may be part of a line of a key."""
_KEY_SIGNS = ("+", "/", "=")
_PARTS = (".", "$")
_ROOM_BEFORE = 80
_GAP = re.compile(r"[\s\"'`]")
_SEAM = '"\0"'
_TOGETHER = 200_000
_FEW = 20_000
"""Letters that take little room in any case."""
_RUN = b"x" * _SHORTEST
_LETTER, _OTHER = b"x "
_CLASSES = bytes(_LETTER if chr(c).isalnum() or c in b"_-" else _OTHER for c in range(128)) + bytes([_OTHER]) * 128
_DIGITS = b"0123456789"

_NAMES = ("key", "token", "secret", "passw", "pwd", "credential", "auth")
_NEVER_ALONE = ("key", "auth")
"""Names that only say something as the end of another: `api_key`, and not `key`."""
_ASSIGNED = re.compile(r"\w{0,40}\\?\"?'?\s*(?:=>?|:)\s*\\?[\"']?([^\s\"'`,“”\\]{6,})")
_SHORTEST_VALUE = 8
_PASSWORD = ("passw", "pwd", "secret")
_CHOSEN = ("passw", "pwd")
"""Names of what people choose themselves."""
_A_PHRASE = 16
"""Letters of a password without a digit: shorter ones are words that a user says of one."""
_A_PASSWORD = 2.2
"""The same of what is called a password: people take words, and write them twice."""
_FILES = ("~/", "./", "../")
_PLACES = ("/", "~", ".", "$")
"""How the value of PWD begins, which is a directory."""


def redact(text: str) -> str:
    """Put a mask over every private key, provider token, password in an address and secret-looking assignment."""
    return redact_and_count(text)[0]


def redact_and_count(text: str) -> tuple[str, int]:
    """The text with masks, and how many there are."""
    return _covered(text, secrets(text))


def _covered(text: str, found: Iterable[tuple[int, int]]) -> tuple[str, int]:
    spans = sorted(found)
    if not spans:
        return text, 0
    parts, end, count = [], 0, 0
    for start, stop in spans:
        if start >= end:
            parts += [text[end:start], MASK]
            count += 1
        end = max(end, stop)
    return "".join((*parts, text[end:])), count


def redact_all(texts: Sequence[str], told: Repeated | None = None) -> list[str]:
    """Mask many texts at the price of one search over them all: the few that could hold a secret are then looked at one by one.

    What `told` knows is redacted wherever it stands bare, and what is found is told to it.
    """
    found = list(texts)
    for chosen in _alike(texts):
        for some in _together(chosen, texts):
            for at in _touched([texts[at] for at in some]):
                spans = list(secrets(texts[some[at]]))
                found[some[at]] = _covered(texts[some[at]], spans)[0]
                if told is not None:
                    told.learn(_nameless(told.news(texts[some[at]][start:end] for start, end in spans)))
    if told is not None and told.hashes:
        found = [without_told(text, told) for text in found]
    return found


def without_told(text: str, told: Repeated) -> str:
    """Mask what was told elsewhere, wherever it stands bare."""
    return _covered(text, told.where(text))[0] if told.hashes else text


def _nameless(values: Iterable[str]) -> Iterator[str]:
    """Those of the values that nothing would know where they stand alone."""
    return (value for value in values if len(value) < _KEY_LINE and not any(secrets(value)))


def _alike(texts: Sequence[str]) -> list[list[int]]:
    """Put plain texts apart, since one arrow among a thousand makes all of them take four times the room; few are searched as one."""
    if sum(map(len, texts)) <= _FEW:
        return [[*range(len(texts))]]
    return [[at for at, text in enumerate(texts) if text.isascii() is plain] for plain in (True, False)]


def _together(chosen: list[int], texts: Sequence[str]) -> Iterator[list[int]]:
    """Cut a list of texts into parts that are searched at once."""
    start = size = 0
    for end, at in enumerate(chosen, 1):
        size += len(texts[at])
        if size >= _TOGETHER:
            yield chosen[start:end]
            start, size = end, 0
    if start < len(chosen):
        yield chosen[start:]


def _touched(texts: Sequence[str]) -> list[int]:
    """Which of the texts something was found in. Nothing can hide at a seam: what is found across one touches both sides."""
    spans = list(secrets(_SEAM.join(texts), _PRIVATE_KEY_OF_ONE))
    if not spans:
        return []
    begins = [0, *accumulate(len(text) + len(_SEAM) for text in texts)]
    found = (range(bisect_right(begins, start) - 1, bisect_right(begins, stop - 1)) for start, stop in spans)
    return sorted({at for some in found for at in some if at < len(texts)})


def secrets(text: str, private_key: str = _PRIVATE_KEY) -> Iterator[tuple[int, int]]:
    """Where secrets stand, in no order; some may overlap."""
    # One byte per letter, whatever the letter: places in it are places in the text.
    flat = text.encode("latin-1", "replace")
    # Rows of dashes stand everywhere: the word after them is found faster.
    if b"BEGIN" in flat:
        yield from (match.span() for match in re.finditer(private_key, text))
    yield from _in_addresses(text, flat)
    yield from _tokens(text, flat)
    lowered = flat.lower()
    known = WordPlaces(lowered)
    yield from _assigned(text, lowered, known)
    yield from spoken(text, lowered, known)
    yield from shaped(text, known)
    yield from beside_accounts(text, lowered, known)


def _in_addresses(text: str, flat: bytes) -> Iterator[tuple[int, int]]:
    at = flat.find(b"://")
    while at >= 0:
        if flat.find(b"@", at + 3, at + _ADDRESS_LONGEST) > 0 and (
            match := re.compile(_IN_ADDRESS).match(text, at + 3)
        ):
            yield match.span()
        at = flat.find(b"://", at + 3)


def _tokens(text: str, flat: bytes) -> Iterator[tuple[int, int]]:
    """Look with the pattern only at the words around a long run of letters that could be a token."""
    runs = flat.translate(_CLASSES) + b" "
    start = runs.find(_RUN)
    while start >= 0:
        end = runs.find(b" ", start + _SHORTEST)
        # Most runs are names in code: they are passed over without so much as a call.
        begins = flat[start : start + 3] in _FIRST_LETTERS or flat[start : start + 2] in _FIRST_TWO
        if (
            (begins and text.startswith(BEGINNINGS, start))
            or (len(flat[start:end].translate(None, _DIGITS)) < end - start and _suspect(text, start, end))
            or (
                flat[start - 2 : start] in _JOINTS
                and text[max(0, start - _BEFORE_LONGEST) : start].lower().endswith(_BEFORE)
            )
        ):
            gap = _GAP.search(text, end)
            end = gap.start() if gap else len(text)
            yield from (
                match.span() for match in re.compile(_pattern()).finditer(text, max(0, start - _ROOM_BEFORE), end)
            )
        start = runs.find(_RUN, end)


def _suspect(text: str, start: int, end: int) -> bool:
    """Whether a run of letters with a digit among them could be a token, however it begins."""
    run = text[start:end]
    if text[start - 1 : start] in _PARTS and _PART_OF_TWO.search(text, max(0, start - _ROOM_BEFORE), start):
        return True
    # A path has a word between slashes; a line of a key has capitals, small letters and digits all at once.
    after = text[end : end + 1]
    joined = end - start >= _KEY_LINE or text[start - 1 : start] in _KEY_SIGNS or after in _KEY_SIGNS
    if (joined or (end - start >= _MIXED and after == ".")) and run != run.lower() and run != run.upper():
        return after == "." or run.isalnum() or _has_inner(run)
    return _has_inner(run)


def _has_inner(run: str) -> bool:
    return "-" in run and re.compile(_INNER).search(run) is not None


_patterns: list[str] = []


def _pattern() -> str:
    """Put together when the first suspect is seen: most processes never need it."""
    if not _patterns:
        _patterns.append(pattern() + _OTHERS)
    return _patterns[0]


def _assigned(text: str, lowered: bytes, known: WordPlaces) -> Iterator[tuple[int, int]]:
    """What is assigned to a name that says it is secret, where it looks like one."""
    for name in _NAMES:
        word = name.encode()
        for at in known[b"pass" if name == "passw" else b"cred" if name == "credential" else word]:
            end = at + len(word)
            if not lowered.startswith(word, at):
                continue
            match = _ASSIGNED.match(text, end)
            if match and _named(text, at, name) and _secret_value(match.group(1), name):
                yield match.span(1)
            elif (
                name == "auth"
                and (header := _IN_HEADER.match(text, end))
                and (header[1].isdigit() or not is_placeholder(header[1]))
            ):
                yield header.span(1)
            elif name == "secret" and (given := _CONFIGURED.match(text, end)):
                yield given.span(1)


_CONFIGURED = re.compile(r"_access_key\s+[\"']?([\w+/]{16,})")
"""After `secret`: what `aws configure set` is given."""


def _named(text: str, at: int, name: str) -> bool:
    """Whether a name stands as a word, or as the end of one."""
    before = text[at - 1 : at]
    joined = bool(before) and (before.isalnum() or before in "_.-")
    return joined if name in _NEVER_ALONE else joined or not before or not before.isalnum()


def _secret_value(value: str, name: str) -> bool:
    if value.startswith(_FILES) or (name == "pwd" and value.startswith(_PLACES)):
        return False
    if name in _CHOSEN and is_random(value, _A_PASSWORD) and not value[0].isdigit():
        return True
    if len(value) < _SHORTEST_VALUE:
        return False
    return is_random(value) or (name in _PASSWORD and len(value) >= _A_PHRASE and value.isalnum())
