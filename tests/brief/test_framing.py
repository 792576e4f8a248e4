"""The account from a description, where nothing else is left."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tapehead.brief.capture_file import Description, Section
from tapehead.brief.framing import whole

ALL = Description(
    {}, tuple(Section(name, name.title(), f"- {name}") for name in ("LOW", "CRITICAL", "ARCHIVE", "MEDIUM", "HIGH")), ""
)


def titles(text):
    return [line[3:] for line in text.splitlines() if line.startswith("## ")]


def test_each_source_gets_its_sections_most_important_first():
    """A start the first two, a compaction three, a user all."""
    assert titles(whole(ALL, "startup", "", 9000)) == ["Critical", "High"]
    assert titles(whole(ALL, "compact", "", 9000)) == ["Critical", "High", "Medium"]
    assert titles(whole(ALL, "full", "", 9000)) == ["Critical", "High", "Medium", "Low", "Archive"]


def test_what_is_left_out_is_named_with_the_command_that_brings_it():
    """Not what is empty; and nothing where all is there."""
    told = whole(ALL, "startup", "Opening.", 9000)
    assert told.startswith("Opening.\n")
    assert told.endswith("Not repeated here: Medium, Low, Archive (`tapehead brief --full` shows them).\n")
    assert "Not repeated" not in whole(ALL, "full", "", 9000)
    assert "Empty" not in whole(Description({}, (Section("LOW", "Empty", ""),), ""), "startup", "", 9000)


def test_a_priority_of_a_version_to_come_goes_last():
    """It is no error, and it is not handed back unasked."""
    told = Description({}, (Section("URGENT", "New", "- x"), *ALL.sections), "")
    assert titles(whole(told, "full", "", 9000))[-1] == "Archive"
    assert "New" in whole(told, "full", "", 9000)


SECTIONS = st.builds(
    Section, st.sampled_from(["CRITICAL", "HIGH", "LOW", "X"]), st.text(max_size=300), st.text(max_size=900)
)


@given(st.lists(SECTIONS, max_size=12), st.text(max_size=200), st.integers(300, 3000))
def test_it_never_passes_its_limit(sections, opening, limit):
    """Whole sections only, and the names of those left out within what is left."""
    assert len(whole(Description({}, tuple(sections), ""), "compact", opening, limit)) <= limit
