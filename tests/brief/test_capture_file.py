"""The capture: what was written is what is read, or it is not believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.brief.capture_file import Description, NotAsWritten, Section, checksum, read, written

PRIORITIES = st.sampled_from(["CRITICAL", "HIGH", "MEDIUM", "LOW", "ARCHIVE"])
LINES = st.sampled_from(
    ["", "---", "machine: A -> B", "<!-- PRIORITY: HIGH -->", "## Now", "\\machine: x", "\\\\<!-- PRIORITY: "]
)
BODIES = st.lists(LINES | st.text(st.characters(codec="utf-8", exclude_characters="\r\n")), max_size=6).map("\n".join)
SECTIONS = st.builds(Section, PRIORITIES, st.sampled_from(["Now", "Open"]), BODIES.map(str.strip))
VALUES = st.text(st.characters(categories=("L", "N", "P", "S")) | st.just(" ")).map(lambda text: " ".join(text.split()))


@given(st.dictionaries(st.sampled_from(["branch", "focus", "line"]), VALUES), st.lists(SECTIONS, max_size=4))
def test_it_is_read_back_as_it_was_written(matter, sections):
    """Whatever it quotes: rules, marks, headings and escapes of its own included."""
    told = Description(matter, tuple(sections), "COMPACTING -> RESTORED")
    assert read(written(told)) == told


WHOLE = written(Description({"branch": "main"}, (Section("HIGH", "Open", "- one"),), "IDLE -> ENDED"))


@pytest.mark.parametrize("place", range(0, len(WHOLE), 3))
def test_a_torn_one_is_not_believed(place):
    """Cut anywhere."""
    with pytest.raises(NotAsWritten):
        read(WHOLE[:place])


@given(st.integers(WHOLE.index("<!--"), len(WHOLE) - 1), st.characters(codec="utf-8"))
def test_a_changed_letter_is_noticed(place, letter):
    """Anywhere below the front matter."""
    changed = WHOLE[:place] + letter + WHOLE[place + 1 :]
    if changed != WHOLE:
        with pytest.raises(NotAsWritten, match="checksum"):
            read(changed)


def test_without_a_checksum_it_is_not_believed():
    """Somebody wrote it by hand, or took the line out."""
    with pytest.raises(NotAsWritten, match="no checksum"):
        read(WHOLE.replace(next(line for line in WHOLE.splitlines() if line.startswith("checksum")) + "\n", ""))


@pytest.mark.parametrize(
    ("value", "scalar"),
    [
        ("main", "main"),
        ("feature/csv-export", "feature/csv-export"),
        ("no", "'no'"),
        ("2027-01-15", "'2027-01-15'"),
        ("it's", "'it''s'"),
        ("C:\\new", "'C:\\new'"),
        ("two\nlines\x1b[2J", "'two lines[2J'"),
        ("", "''"),
        ("größe", "'größe'"),
    ],
)
def test_the_front_matter_is_yaml_that_means_what_it_says(value, scalar):
    """Plain where nobody can take it for something else, quoted otherwise, and always on one line."""
    assert f"\nbranch: {scalar}\n" in written(Description({"branch": value}, (), ""))


def test_a_checksum_takes_any_text():
    """Half a character, too."""
    assert len(checksum("\ud800")) == 64


def test_a_changed_front_matter_is_not_as_written():
    """The checksum covers it too: branch and changed files are told to a model."""
    text = written(Description({"branch": "main", "session_id": "s"}, (Section("LOW", "A", "b"),), "IDLE -> ENDED"))
    assert read(text).matter == {"branch": "main", "session_id": "s"}
    with pytest.raises(NotAsWritten):
        read(text.replace("branch: main", "branch: evil"))


def test_the_sum_is_sha_256_whoever_works_it_out(monkeypatch):
    """Python's own code, or hashlib where that is not there."""
    import builtins
    import hashlib

    wanted = hashlib.sha256("ä".encode()).hexdigest()
    assert checksum("ä") == wanted
    real = builtins.__import__

    def refuse(name, *rest):
        if name in ("_sha2", "_sha256"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert checksum("ä") == wanted
