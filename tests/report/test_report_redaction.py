"""Secrets in a report."""

from __future__ import annotations

import attrs
import pytest

from planted import PLANTED, body
from record import Record
from scenes import when
from tapehead.report.gather import gather, source_of_file
from tapehead.report.page import page
from tapehead.report.report_redaction import SLACK, excerpt, redact_values
from tapehead.report.report_values import Entry, Statement

SECRET = PLANTED["OpenAI"]


@pytest.mark.parametrize("kind", sorted(PLANTED))
def test_no_known_secret_reaches_the_page(kind, tmp_path):
    """Wherever it stood: in a prompt, a reply, a command, a result, a change of a file, a summary."""
    told = f"it is {PLANTED[kind]} ."
    record = Record().prompt(told).reply(told).call("Bash", told, command=f"echo {told}")
    record.call("Edit", told, file_path="/srv/boat/a.py", old_string=told, new_string=told).compacted(told)
    found = gather(source_of_file(record.write(tmp_path)), when())
    assert body(PLANTED[kind]) not in page([found], None)
    assert body(PLANTED[kind]) not in str(attrs.asdict(found))


def test_every_field_is_looked_at():
    """Also one in the depth of a tuple, and a title: no field can be forgotten."""
    found = redact_values((Entry("call", title=SECRET, path=SECRET), (("a", SECRET),), Statement(SECRET, note=SECRET)))
    assert SECRET not in str(found)


def test_what_the_user_listed_goes_too():
    """Names that no pattern knows."""
    assert redact_values(Statement("ask Ambrose"), ("Ambrose", "")).text == "ask [masked]"


@pytest.mark.parametrize("before", [0, 1, 50, 990, 999, 1_000, 1_001, 1_040, 2_980, 2_999])
def test_a_secret_at_the_cut_shows_no_part_of_itself(before):
    """A text is redacted before it is cut, and what the cut may have halved is not shown."""
    whole = excerpt("a " * (before // 2) + SECRET + " b" * 4_000, 1_000)
    shown = redact_values(whole).text
    assert len(shown) <= 1_000
    assert SECRET[:8] not in shown


def test_many_masks_do_not_pull_the_cut_into_view():
    """Masks are shorter than what they hide: what stood beyond the limit comes nearer, but never half a secret."""
    long = "-----BEGIN RSA PRIVATE KEY-----\n" + "x" * 1_200 + "\n-----END RSA PRIVATE KEY-----\n"
    text = long * 2 + "y " * ((1_000 + SLACK - 2 * len(long)) // 2 - 5) + SECRET
    shown = redact_values(excerpt(text, 1_000)).text
    assert "sk-" not in shown


def test_a_short_text_is_whole():
    """Nothing is cut off where nothing was left out."""
    whole = redact_values(excerpt("as it was", 100))
    assert (whole.text, whole.left_out) == ("as it was", 0)
    assert redact_values(excerpt("x" * 5_000, 100)).left_out == 4_900
