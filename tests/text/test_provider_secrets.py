"""Secrets of forty kinds and more are redacted wherever they stand."""

import pytest

from planted import PLANTED, body
from tapehead.text.provider_secrets import ROWS
from tapehead.text.redaction import MASK, redact

SURROUNDINGS = {
    "alone": "{}",
    "in a sentence": "I set it to {} and it works.",
    "in code": 'client = Client("{}")',
    "in a shell": "export IT='{}' && run",
    "on a line of many": "one\ntwo {}\nthree",
    "after another script": "設定は {} です",
}


@pytest.mark.parametrize("around", SURROUNDINGS.values(), ids=SURROUNDINGS)
@pytest.mark.parametrize("secret", PLANTED.values(), ids=PLANTED)
def test_none_of_it_can_be_read(secret, around):
    """Wherever it stands."""
    safe = redact(around.format(secret))
    assert MASK in safe
    assert body(secret) not in safe


def test_there_are_forty_kinds_and_more():
    """Of providers and of places."""
    assert len(PLANTED) > 60
    assert len(ROWS) > 40


@pytest.mark.parametrize("name", [name for name, beginnings, _ in ROWS if beginnings])
def test_a_beginning_alone_is_no_secret(name):
    """Words that begin like a token stay."""
    for beginning in next(row[1] for row in ROWS if row[0] == name):
        for text in (f"{beginning}", f"the {beginning}something of it", f"{beginning}a_name_1"):
            if len(beginning) > 2:
                assert redact(text) == text
