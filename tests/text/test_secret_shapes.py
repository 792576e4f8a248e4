"""Secrets are known by their shape, in any syntax; words about them are not."""

import sys

import pytest

from hostile_words import PLAIN, SECRETS
from tapehead.text.redaction import MASK, redact, redact_all
from tapehead.text.repeated_secrets import Repeated
from tapehead.text.secret_shapes import is_chosen, is_drawn, is_mixed


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_redacted_whatever_the_syntax(text, secret):
    """Assignments, data, headers, flags, prose, and other languages; what surrounds it stays."""
    shown = redact(text)
    assert secret not in shown
    assert MASK in shown
    assert shown[:3] == text[:3] or text.startswith(secret)


@pytest.mark.parametrize("text", PLAIN)
def test_words_about_secrets_stay(text):
    """Fields, functions, variables, hashes, ids and paths."""
    assert redact(text) == text


def test_a_value_that_was_told_once_is_redacted_where_it_stands_bare():
    """In every later text of the session."""
    told = Repeated()
    shown = redact_all(["my password is Gr33nTea77", "then type Gr33nTea77 into the box"], told)
    assert "Gr33nTea77" not in "".join(shown)


def test_the_looser_the_lead_the_more_a_value_must_look_drawn():
    """What is assigned may be a word with a digit; what stands near must mix; what stands anywhere in the line must be long, too."""
    assert is_chosen("s3cret-w0rd")
    assert is_mixed("letMeIn42")
    assert not is_mixed("letmein")
    assert is_drawn("aB3dE5fG7hI9jK1lM3")
    assert not is_drawn("createUserWithEmail2")
    assert not any(judge("getUserName()") for judge in (is_chosen, is_mixed, is_drawn))


@pytest.mark.parametrize(
    "text", ["/pwd" * 8_000, "psk.-_" * 4_000, "a/secret/b/" * 4_000, "password" + " " * 20_000, "password=" * 4_000]
)
def test_a_hostile_text_takes_no_longer_for_its_length(text):
    """Four times the text is at most about four times the steps, not sixteen: counted, not timed."""

    def steps(part):
        seen = 0

        def count(frame, event, _arg):
            nonlocal seen
            seen += event in ("call", "line")
            return count

        sys.settrace(count)
        try:
            redact(part)
        finally:
            sys.settrace(None)
        return seen

    quarter = steps(text[: len(text) // 8])
    assert steps(text[: len(text) // 2]) < 8 * quarter + 10_000
