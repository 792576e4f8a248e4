"""Lines and their owners, without git: against a plain list of owners."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from tapehead.checkpoints.line_owners import (
    advance_files,
    both,
    came_from,
    carry_runs,
    cut,
    find_added,
    join_runs,
    owner_at,
)
from tapehead.git.hunks import FileDiff, Hunk, Origins, parse

LINES = st.lists(st.integers(0, 6), max_size=12)
OWNERS = st.sampled_from(["", "a", "b"])


def hunks_of(old, new):
    """A valid diff, by another algorithm than git's: what is tested here holds for any."""
    codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(Hunk(a + 1, b - a, c + 1, d - c) for kind, a, b, c, d in codes if kind != "equal")


def runs_of(owners):
    return join_runs((place, 1, owner) for place, owner in enumerate(owners, 1))


def owners_of(runs, count):
    return [owner_at(runs, line) for line in range(1, count + 1)]


def plainly(owners, hunks):
    """The owners after a change, moved by hand; None for new lines."""
    found, at = [], 1
    for hunk in hunks:
        found += owners[at - 1 : hunk.old - 1] + [None] * hunk.new_count
        at = hunk.old + hunk.old_count
    return found + owners[at - 1 :]


@given(LINES, LINES, st.data())
def test_lines_keep_their_owners(old, new, data):
    """What stayed is whose it was, what is new is the one's who changed it, and a stretch cut out of it says the same."""
    owners = [data.draw(OWNERS) for _ in old]
    hunks = hunks_of(old, new)
    expected = plainly(owners, hunks)
    assert owners_of(carry_runs(runs_of(owners), hunks), len(new)) == [owner or "" for owner in expected]
    diff = FileDiff("M", b"f", b"f", hunks)
    after = advance_files({b"f": runs_of(owners)}, [diff], "c").get(b"f", ())
    told = ["c" if owner is None else owner for owner in expected]
    assert owners_of(after, len(new)) == told
    assert [owner for _, count, owner in cut(after, 1, len(new)) for _ in range(count)] == told
    assert sum(count for _, count in find_added(diff)) == expected.count(None) == diff.added


@given(LINES, LINES, st.data())
def test_a_line_is_found_where_it_came_from(old, new, data):
    """Named, unnamed or absent: each line of the new file is one of the three, and the old line it leads to says the same."""
    owners = [data.draw(OWNERS) for _ in old]
    hunks = hunks_of(old, new)
    named, unnamed, absent = came_from(FileDiff("M", b"f", b"f", hunks), runs_of(owners), [(1, len(new))])
    found = {}
    for start, count, owner in named:
        found |= dict.fromkeys(range(start, start + count), owner)
    for start, count, line in unnamed:
        found |= {start + step: ("", line + step) for step in range(count)}
    for start, count in absent:
        found |= dict.fromkeys(range(start, start + count))
    expected = plainly(list(zip(owners, range(1, len(old) + 1), strict=True)), hunks)
    told = [None if each is None else each if not each[0] else each[0] for each in expected]
    assert [found[line] for line in range(1, len(new) + 1)] == told
    assert all(old[before - 1] == new[at - 1] for at, _, before in Origins(hunks).of(1, len(new)) if before)


@given(LINES, LINES, st.integers(1, 12), st.integers(0, 12))
def test_a_stretch_comes_from_where_its_lines_come_from(old, new, start, count):
    """A look at some lines says the same as a look at all of them."""
    hunks = hunks_of(old, new)
    every = {}
    for piece, where in ((every, (1, max(len(new), 24))), (found := {}, (start, count))):
        for at, many, before in Origins(hunks).of(*where):
            piece |= {at + step: before + step if before else 0 for step in range(many)}
    assert found == {line: every[line] for line in range(start, start + count)}


@given(st.lists(st.booleans(), max_size=12), st.lists(st.booleans(), max_size=12))
def test_the_lines_of_both(some, others):
    """As sets of lines would have it."""
    ranges = [[(line, 1) for line, there in enumerate(each, 1) if there] for each in (some, others)]
    lines = {line for line, count in both(*ranges) for line in range(line, line + count)}
    assert lines == {line for line, pair in enumerate(zip(some, others, strict=False), 1) if all(pair)}


def test_files_come_move_and_go():
    """A rename takes its runs along, also when two files change places; a deletion drops them; a commit's lines are not ours."""
    files = {b"a": ((1, 2, "s"),), b"b": ((1, 1, "t"),), b"c": ((1, 1, "s"),)}
    swap = [FileDiff("R", b"a", b"b"), FileDiff("R", b"b", b"a"), FileDiff("D", b"c", b"c")]
    assert advance_files(files, swap, "x") == {b"b": ((1, 2, "s"),), b"a": ((1, 1, "t"),)}
    new = FileDiff("A", b"n", b"n", (Hunk(1, 0, 1, 4),))
    assert advance_files({}, [new], "x", {b"n": [(2, 2)]}) == {b"n": ((2, 2, "x"),)}
    assert advance_files({}, [new], "x", {}) == {}
    assert advance_files({}, [new], "") == {}


def test_a_diff_is_read_by_its_numbers():
    """Lines that look like headers are passed over by their number; modes, binaries and submodules have no lines."""
    zero = b"0" * 40
    listed = [
        b":100644 100644 %s %s M\0tricky\0" % (zero, zero),
        b":100644 100644 %s %s R090\0old name\0new\nname\0" % (zero, zero),
        b":160000 160000 %s %s M\0sub\0" % (zero, zero),
        b":100644 120000 %s %s T\0kind\0" % (zero, zero),
        b":100644 100644 %s %s M\0last\0" % (zero, zero),
    ]
    patch = (
        b"diff --git a/tricky b/tricky\n--- a/tricky\n+++ b/tricky\n@@ -3,0 +4,2 @@ fn\n+@@ -1 +1 @@\n+diff --git x\n"
        b"@@ -9 +11 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n"
        b"diff --git a/o b/n\nsimilarity index 90%\n@@ -1,2 +0,0 @@\n-a\n-b\n"
        b"diff --git a/sub b/sub\n@@ -1 +1 @@\n-Subproject commit x\n+Subproject commit y\n"
        b"diff --git a/kind b/kind\n@@ -1 +0,0 @@\n-x\n"
        b"diff --git a/kind b/kind\n@@ -0,0 +1 @@\n+y\n"
        b"diff --git a/last b/last\nBinary files differ\n"
    )
    assert parse(b"".join(listed) + b"\0" + patch) == [
        FileDiff("M", b"tricky", b"tricky", (Hunk(4, 0, 4, 2), Hunk(9, 1, 11, 1))),
        FileDiff("R", b"old name", b"new\nname", (Hunk(1, 2, 1, 0),)),
        FileDiff("M", b"sub", b"sub"),
        FileDiff("T", b"kind", b"kind", (Hunk(1, 1, 1, 0), Hunk(1, 0, 1, 1))),
        FileDiff("M", b"last", b"last", opaque=zero.decode()),
    ]
    assert parse(b"") == []
