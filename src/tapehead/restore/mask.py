"""Secrets are masked; ordinary code, hashes and ids stay readable."""

from __future__ import annotations

import re
from math import log2

MASK = "[masked]"

_SECRETS = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)"
    r"|\b(?:sk-(?:ant-|proj-)?[\w-]{20,}|gh[opusr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w.-]{20,}|npm_\w{30,}|pypi-[\w-]{40,}|hf_\w{30,}|[sr]k_(?:live|test)_\w{16,}"
    r"|whsec_\w{16,}|xapp-[\w-]{16,}|GOCSPX-[\w-]{16,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|dop_v1_\w{40,}|lin_api_\w{20,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{5,})"
    r"|(?<=://)[^\s/:@]{0,80}:[^\s/@]{1,200}(?=@)"
    r"|(?:(?<=[Bb]earer )|(?<=BEARER )|(?<=Basic ))[\w.~+/-]{16,}=*"
    r"|(?<![\w+/])(?![0-9a-fA-F]+(?![\w+/]))(?=[A-Za-z+/]*\d)(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9+/]{60,}={0,2}(?![\w+/])"
)
_ASSIGNED = re.compile(
    r"\b([A-Za-z_][\w.-]{0,60}?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?|AUTH)\w{0,30}"
    r"|PASSWORD|PASSWD|PWD|TOKEN|SECRET|CREDENTIALS?)(\"?'?\s*[=:]\s*[\"']?)([^\s\"'`,]{8,})",
    re.IGNORECASE,
)
_NAMES = ("key", "token", "secret", "passw", "pwd", "credential", "auth")
_PASSWORD = re.compile("passw|pwd|secret", re.IGNORECASE)
_A_PHRASE = 16
"""Letters of a password without a digit: shorter ones are words that a person says of one."""
_LIKELY_RANDOM = 3.0
"""Bits per character above which a value is no word: `changeme` has 2.8, a random key of 20 characters about 4."""


def mask(text: str) -> str:
    """Put a mask over every private key, provider token, password in an address and secret-looking assignment."""
    # Searching is cheap, and nearly every text has nothing to hide.
    if _SECRETS.search(text):
        text = _SECRETS.sub(MASK, text)
    lowered = text.lower()
    if any(name in lowered for name in _NAMES):
        text = _ASSIGNED.sub(_assigned, text)
    return text


def _assigned(match: re.Match[str]) -> str:
    name, sign, value = match.groups()
    if is_random(value) or (_PASSWORD.search(name) and len(value) >= _A_PHRASE and value.isalnum()):
        return f"{name}{sign}{MASK}"
    return match.group()


def is_random(value: str) -> bool:
    """Whether a value looks drawn by lot: letters and digits mixed, no code, and much information per character."""
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    code = any(c in "(){}[]<>" for c in value)
    return mixed and not code and entropy(value) >= _LIKELY_RANDOM


def entropy(value: str) -> float:
    """Bits per character."""
    counts = [value.count(c) for c in set(value)]
    return -sum(count / len(value) * log2(count / len(value)) for count in counts)
