"""Decisions: their text, their numbers, and a user's edits."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.documents import adrs
from tapehead.documents.adrs import Adr
from tapehead.store.paths import Layout

FULL = Adr(
    3,
    "Use SQLite",
    "2026-11-16",
    "Accepted",
    "s-1",
    "one file",
    "two writers",
    "WAL\n\n- one\n",
    "a server",
    "### Good\nfast",
    "## Links\n\nz",
)


@pytest.fixture
def layout(tmp_path):
    return Layout(str(tmp_path / "store"))


def test_the_text_of_a_decision():
    """Head, then each part under its heading, as a user would write it."""
    assert adrs.render_adr(FULL) == (
        "# ADR-0003: Use SQLite\n\nDate: 2026-11-16  \nStatus: Accepted  \nSession: s-1  \nTL;DR: one file  \n"
        "\n## Context\n\ntwo writers\n\n## Decision\n\nWAL\n\n- one\n\n## Alternatives\n\na server\n"
        "\n## Consequences\n\n### Good\nfast\n\n## Links\n\nz\n"
    )
    assert "\nSession: s-1  \nConfidence: high  \nTL;DR: one file  \n" in adrs.render_adr(
        FULL._replace(confidence="high")
    )
    assert adrs.render_adr(Adr(1, "Bare")) == "# ADR-0001: Bare\n\n"


WORDS = st.text("abc ,.:#-é", min_size=1, max_size=20).map(lambda t: " ".join(t.split()).strip("# :.-")).filter(bool)
BODY = st.lists(WORDS.filter(lambda w: ":" not in w), max_size=3).map("\n\n".join)


@given(WORDS, WORDS, BODY, BODY, BODY, BODY, st.sampled_from(["", "high", "medium", "low"]))
def test_what_is_written_is_read_again(title, tldr, context, decision, alternatives, consequences, confidence):
    """Every field comes back as it was."""
    adr = Adr(7, title, "2026-11-16", "Accepted", "s", tldr, context, decision, alternatives, consequences)
    adr = adr._replace(confidence=confidence)
    assert adrs.understood(adrs.render_adr(adr), 7) == adr


def test_full_round_trip():
    """Deeper headings stay with their part, foreign ones are kept whole, Windows line ends and a mark in front are no matter."""
    text = "\ufeff" + adrs.render_adr(FULL).replace("\n", "\r\n")
    assert adrs.understood(text, 3) == FULL._replace(decision="WAL\n\n- one")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", Adr(0, "")),
        ("Use X\nbecause Y\n", Adr(0, "Use X", decision="because Y")),
        (
            "# adr-12 - Use X\n\n- **Status**: Superseded by 13\n* TLDR: x\nfree\n## Decision\nd\n",
            Adr(0, "Use X", status="Superseded by 13", tldr="x", context="free", decision="d"),
        ),
        ("\n## Decision\n\nd\n", Adr(0, "", decision="d")),
        ("\n## Use X\n\nd\n", Adr(0, "Use X", decision="d")),
        (
            "# T\n## Alternatives Rejected\n1. a\n## Other\no\n### Context\nc\n",
            Adr(0, "T", context="c", alternatives="1. a", rest="## Other\no\n### Context\nc"),
        ),
    ],
)
def test_by_hand(text, wanted):
    """What a user wrote is understood as far as it goes, in other words and orders; nothing is an error."""
    assert adrs.understood(text) == wanted


def test_the_gist():
    """The TL;DR, or else the first line of the decision; one that was given up holds no more."""
    assert FULL.gist == "one file"
    assert FULL._replace(tldr="").gist == "WAL"
    assert Adr(1, "x").gist == ""
    assert [Adr(1, "x", status=s).holds for s in ("", "Accepted", "superseded by 2", "Rejected")] == [
        True,
        True,
        False,
        False,
    ]


def test_numbers_go_on_from_the_highest(layout):
    """Gaps stay gaps; a file that a user named counts, what is no decision does not; of two with one number the first is read."""
    assert adrs.files(layout) == {}
    first, path = adrs.write(layout, Adr(0, "Über Größe: a/b " + "long " * 30))
    assert (first.number, os.path.basename(path)) == (
        1,
        "ADR-0001-ber-gr-e-a-b-long-long-long-long-long-long-long-long-long.md",
    )
    folder = Path(adrs.directory(layout))
    for name in ("adr-0007.md", "ADR-0007-z.md", "README.md", "ADR-x.md", "ADR-0009-draft.txt"):
        (folder / name).write_text("# Mine\n")
    assert adrs.write(layout, Adr(0, "!?"))[1] == str(folder / "ADR-0008.md")
    assert {n: os.path.basename(p) for n, p in adrs.files(layout).items()} == {
        1: os.path.basename(path),
        7: "ADR-0007-z.md",
        8: "ADR-0008.md",
    }
    assert [a.title for a in adrs.list_adrs(layout)][1:] == ["Mine", "!?"]


def test_one_that_cannot_be_read_is_passed_over(layout):
    """A folder with the name of a decision hides none of the others."""
    adrs.write(layout, Adr(0, "One"))
    (Path(adrs.directory(layout)) / "ADR-0002-x.md").mkdir()
    assert [a.name for a in adrs.list_adrs(layout)] == ["ADR-0001"]
    assert adrs.write(layout, Adr(0, "Three"))[0].name == "ADR-0003"


def _write(root, number):
    return adrs.write(Layout(root), Adr(0, f"Decision {number}"))[0].number


def test_numbers_are_nobody_elses(layout):
    """Eight processes at once get eight numbers and eight files."""
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        numbers = list(pool.map(_write, [layout.root] * 8, range(8)))
    assert sorted(numbers) == list(range(1, 9)) == list(adrs.files(layout))
    assert sorted(a.title for a in adrs.list_adrs(layout)) == [f"Decision {n}" for n in range(8)]
