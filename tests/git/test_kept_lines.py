"""Lines that git calls new and that are old: told by their text, across hunks too."""

from __future__ import annotations

from tapehead.git.kept_lines import Change, Kept, bare, kept


def texts(first, *lines):
    return [(number, bare(line)) for number, line in enumerate(lines, first)]


def test_a_line_is_broken_into_the_hunk_before_its_own():
    """Of two calls one behind the other that a formatter broke, git keeps the bracket of the other: the second call went in a hunk by itself."""
    came = [b"one(", b"  first_one,", b"  second_one,", b")", b")", b"other(", b"  first_other,", b"  second_other,"]
    hunks = [
        (texts(4, b"one(first_one, second_one)"), texts(4, *came)),
        (texts(6, b"other(first_other, second_other)"), []),
    ]
    pieces = [Kept(number, 1, b"a", 4) for number in range(4, 8)] + [
        Kept(number, 1, b"a", 6) for number in range(9, 12)
    ]
    assert kept([Change(b"a", hunks)]) == [tuple(pieces)]


def test_hunks_far_apart_have_nothing_to_do_with_each_other():
    """A line that went there and pieces that came here are another's."""
    hunks = [([], texts(4, b"call(", b"one,", b"two")), (texts(90, b"call(one, two)"), [])]
    assert kept([Change(b"a", hunks)]) == [()]
