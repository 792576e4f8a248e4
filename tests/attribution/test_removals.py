"""A generated file changes in tens of thousands of places at once: looking up what became of each takes no longer for the others."""

from __future__ import annotations

import time

from tapehead.attribution import removals
from tapehead.checkpoints import line_owners
from tapehead.git import kept_lines
from tapehead.git.hunks import FileDiff, Hunk
from tapehead.git.kept_lines import Kept

MANY = 20_000
SECONDS = 5.0
ODD = tuple(Hunk(2 * number + 1, 1, 2 * number + 1, 1) for number in range(MANY))
EVEN = tuple(Hunk(2 * number + 2, 1, 2 * number + 2, 1) for number in range(MANY))


def test_who_removed_each_of_many_lines():
    """In a commit after another that changed as many lines of the file."""
    begun = time.process_time()
    before = {b"lock": ((1, 2 * MANY, "agent"),)}
    since = {b"lock": FileDiff("M", b"lock", b"lock", ODD)}
    told = removals.by_owner(before, FileDiff("M", b"lock", b"lock", EVEN), "", since)
    assert told == {"agent": MANY}
    assert time.process_time() - begun < SECONDS


def test_many_lines_that_were_only_set_in():
    """Each is found where it was."""
    begun = time.process_time()
    kept = tuple(Kept(hunk.new, 1, b"lock", hunk.old) for hunk in ODD)
    diff = FileDiff("M", b"lock", b"lock", ODD, kept=kept)
    same, new = line_owners.kept(diff, line_owners.find_added(diff))
    assert (len(same), new) == (MANY, [])
    assert time.process_time() - begun < SECONDS


def test_a_line_that_was_broken_beside_other_changes():
    """A line is found again in its pieces, also where another was put before it or in between; what was put there is new."""
    old = [(1, b"gone=1"), (2, b"call(first,second)")]
    new = [(1, b"x=2"), (2, b"call("), (3, b"first,"), (4, b"added,"), (5, b"second,"), (6, b")")]
    (found,) = kept_lines.kept([kept_lines.Change(b"a", [(old, new)])])
    assert {one.new + step: one.old for one in found for step in range(one.many)} == {2: 2, 3: 2, 5: 2, 6: 2}


def test_a_line_that_was_broken_and_of_which_a_part_went():
    """What is left of it, several lines one behind the other, is still whoever's it was; a line that only says a part of it is new."""
    old = [(1, b"first=1"), (2, b"value=compute(alpha_value,beta_value)")]
    new = [(1, b"added=1"), (2, b"alpha_value,"), (3, b"beta_value,"), (4, b")")]
    (found,) = kept_lines.kept([kept_lines.Change(b"f", [(old, new)])])
    assert [(one.new, one.old) for one in found] == [(2, 2), (3, 2), (4, 2)]
    (found,) = kept_lines.kept([kept_lines.Change(b"f", [(old, [(1, b"compute(alpha_value,beta_value)")])])])
    assert found == ()
