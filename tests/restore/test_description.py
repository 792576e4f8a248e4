from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.restore import handback
from tapehead.restore.description import Description, NotAsWritten, Section, matter_of, read, written

words = st.text("abc xyz\n-#>", max_size=40)
sections = st.builds(Section, st.sampled_from(handback._ORDER), st.text("abc", min_size=1), words.map(str.strip))
descriptions = st.builds(
    Description,
    st.dictionaries(st.text("abc_", min_size=1, max_size=6), st.text("ab/:c.+-19", max_size=12)),
    st.lists(sections, max_size=4).map(tuple),
    st.just("ACTIVE -> HALTED"),
)


@given(descriptions)
def test_what_is_written_is_read(description):
    """Front matter, sections and the machine's move come back as they were."""
    assert read(written(description)) == description


@given(descriptions, st.data())
def test_any_change_below_the_front_matter_is_noticed(description, data):
    """One character changed, added or removed in the body, and the text is not trusted."""
    text = written(description)
    body = text.index("\n---\n\n") + 6
    place = data.draw(st.integers(body, len(text) - 1))
    for changed in (text[:place] + text[place + 1 :], text[:place] + "§" + text[place:], text[:place]):
        with pytest.raises(NotAsWritten):
            read(changed)


@pytest.mark.parametrize("text", ["", "nothing", "---\na: b\n", "---\na: b\n---\n\nbody"])
def test_what_is_no_description_is_refused(text):
    """No front matter, one without an end, or without a checksum."""
    with pytest.raises(NotAsWritten, match=r".+"):
        read(text)


def test_the_matter_alone_is_not_checked():
    """Whoever replaces a file may ask whose it was, even if it is torn; nonsense says nothing."""
    text = written(Description({"line": "x"}, (), "A -> B"))
    assert matter_of(text + "scribble")["line"] == "x"
    assert matter_of("nonsense") == {}


def test_values_stay_on_their_line():
    """A value cannot add a line of its own to the front matter."""
    found = read(written(Description({"project": 'a\nchecksum: 0\u2028"x"'}, (), "A -> B")))
    assert found.matter == {"project": "a checksum: 0 'x'"}


def story(**bodies):
    parts = tuple(Section(priority, f"about {priority}", body) for priority, body in bodies.items())
    return Description({"session_id": "s"}, parts, "A -> B")


FULL = story(LOW="low", HIGH="high", CRITICAL="crit", MEDIUM="med", ARCHIVE="arch")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("startup", ["CRITICAL", "HIGH"]),
        ("compact", ["CRITICAL", "HIGH", "MEDIUM"]),
        ("resume", ["CRITICAL", "HIGH", "MEDIUM"]),
        ("of tomorrow", ["CRITICAL", "HIGH", "MEDIUM"]),
        ("full", ["CRITICAL", "HIGH", "MEDIUM", "LOW", "ARCHIVE"]),
    ],
)
def test_each_source_is_told_its_share(source, told):
    """The most important first; what is left out is named, with the way to it."""
    text = handback.whole(FULL, source, "opening", 9_500)
    assert [line.split()[-1] for line in text.splitlines() if line.startswith("## ")] == told
    assert ("Not repeated here" in text) == (source != "full")


@given(st.lists(sections, max_size=6).map(tuple), st.integers(300, 2000))
def test_the_limit_is_kept_by_whole_sections(parts, limit):
    """Never more than the host takes in sections, and never half a one."""
    text = handback.whole(Description({}, parts, ""), "full", "opening", limit)
    told, _, _ = text.partition("\nNot repeated here")
    assert len(told) <= limit


def test_a_section_that_does_not_fit_is_named():
    """It is left out whole; a smaller one after it still comes; an empty one is not missed."""
    text = handback.whole(story(CRITICAL="x" * 5000, HIGH="small", LOW=""), "startup", "opening", 1000)
    assert "xxx" not in text
    assert "small" in text
    assert text.rstrip().endswith("Not repeated here: about CRITICAL (`tapehead brief --full` shows them).")


def test_a_pointer_is_short_and_shows_the_way():
    """What it was, and the command for the rest, within its bound."""
    text = handback.pointer(story(CRITICAL="x" * 5000), "opening")
    assert len(text) <= handback.POINTER
    assert "tapehead brief --session s" in text
    assert handback.pointer(story(LOW="x"), "opening").startswith("opening\n\nThe rest")


@given(st.text())
def test_quoted_text_is_harmless(text):
    """No tag can be opened or closed, no terminal moved, and printable words stay."""
    found = handback.harmless(text)
    assert "<" not in found
    assert all(letter in "\n\t" or letter.isprintable() for letter in found)
