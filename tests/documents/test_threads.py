"""Threads and the journal, in a file that people edit."""

import os
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.documents import hand_edited, threads
from tapehead.store.paths import Layout

HAND = """# What we owe

* [ ] without a date
- [X] done by hand (2026-01-02)
- [ ]
- not a thread
+ [ ] (2026-01-03) in front (2026-01-04)\r

## Journal

- [ ] 2026-01-01 not a thread either
"""


@pytest.fixture
def layout(tmp_path):
    return Layout(str(tmp_path / "store"))


def text(layout):
    return Path(threads.path(layout)).read_text(encoding="utf-8")


def test_a_new_file(layout):
    """The first thread makes the file, with both headings, as a user would write it."""
    threads.add(layout, "limit\n the  rate", "2026-11-16")
    assert text(layout) == "## Threads\n\n- [ ] limit the rate (2026-11-16)\n\n## Journal\n"
    assert threads.threads(layout) == (threads.Thread(1, "limit the rate", "2026-11-16", done=False, line=2),)


def test_by_hand():
    """Any box outside the journal is a thread, whatever its mark, its date and its place; empty ones and lists are not."""
    found = [(t.number, t.text, t.date, t.done) for t in threads.threads_in(HAND)]
    assert found == [
        (1, "without a date", "", False),
        (2, "done by hand", "2026-01-02", True),
        (3, "(2026-01-03) in front", "2026-01-04", False),
    ]


def test_ticking_changes_one_character(layout):
    """One box is ticked, and no other character of a hand-made file changes; ticked twice, or gone, is told."""
    path = Path(threads.path(layout))
    path.parent.mkdir()
    path.write_bytes(HAND.encode())
    third = threads.threads(layout)[2]
    assert threads.tick(layout, third)
    assert path.read_bytes() == HAND.replace("+ [ ]", "+ [x]").encode()
    assert not threads.tick(layout, third)
    path.write_text("")
    assert not threads.tick(layout, third)


def test_a_thread_that_moved_is_still_found(layout):
    """Between the list and the tick a user may have moved it: it is known by its words, the nearest of two alike."""
    path = Path(threads.path(layout))
    path.parent.mkdir()
    path.write_text("- [ ] a\n- [ ] b\n- [ ] a\n")
    last = threads.threads(layout)[2]
    path.write_text("- [ ] a\n\n- [ ] b\n- [ ] a\n")
    assert threads.tick(layout, last)
    assert path.read_text() == "- [ ] a\n\n- [ ] b\n- [x] a\n"


def test_the_same_words_are_one_thread_while_it_is_open(layout):
    """Said twice it is noted once; said again after it was done it is a new one."""
    first = threads.add(layout, "a", "2026-11-16")
    assert threads.add(layout, " a ", "2026-11-17") == first
    assert threads.tick(layout, first)
    again = threads.add(layout, "a", "2026-11-18")
    assert [(t.number, t.done, t.date) for t in threads.threads(layout)] == [
        (1, True, "2026-11-16"),
        (2, False, "2026-11-18"),
    ]
    assert again.number == 2


def test_a_journal_line_for_each_end_once(layout):
    """The same end told again adds nothing; threads are noted above, and the journal is none of them."""
    assert threads.journal(layout, "s-1", "2026-11-16 09:00", 1, "made\nit")
    assert threads.journal(layout, "s-12", "2026-11-16 09:00", 3, "")
    assert not threads.journal(layout, "s-1", "2026-11-16 09:00", 1, "made\nit")
    assert threads.journal(layout, "s-1", "2026-11-17 10:30", 9, "again", was_lost=True)
    threads.add(layout, "open", "")
    lines = "- 2026-11-16 09:00 s-1 (1 file) made it\n- 2026-11-16 09:00 s-12 (3 files)\n"
    lines += "- 2026-11-17 10:30 s-1 (9 files) process lost: again\n"
    assert text(layout) == f"## Threads\n\n- [ ] open\n\n## Journal\n\n{lines}"
    assert [t.text for t in threads.threads(layout)] == ["open"]
    assert threads.forget(layout, "s-1") == 2
    assert text(layout) == "## Threads\n\n- [ ] open\n\n## Journal\n\n- 2026-11-16 09:00 s-12 (3 files)\n"
    assert threads.forget(layout, "s-1") == 0


def test_done_threads_go_to_the_journal_after_a_while(layout):
    """Those that are open, or were written down lately, stay; without a date the file's own age decides."""
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    assert threads.prune(layout, now) == 0
    hand_edited.put(
        threads.path(layout),
        "## Threads\n\n- [x] old (2026-11-01)\n- [x] new (2026-11-19)\n- [ ] open (2026-01-01)\n- [x] undated\n",
    )
    os.utime(threads.path(layout), (now.timestamp(), now.timestamp()))
    assert threads.prune(layout, now) == 1
    assert [t.text for t in threads.threads(layout)] == ["new", "open", "undated"]
    assert "done: old (open since 2026-11-01)" in text(layout)
    assert threads.prune(layout, now) == 0
    os.utime(threads.path(layout), (now.timestamp(), now.timestamp()))
    assert threads.prune(layout, now + timedelta(days=40)) == 2
    assert [t.text for t in threads.threads(layout)] == ["open"]
    assert text(layout).count(" done: ") == 3


WORDS = st.text(min_size=1, max_size=20).filter(str.split)


@given(st.text(max_size=60), st.lists(st.sampled_from(["- [ ] x", "- [x] y (2026-01-01)", "## Journal", ""])), WORDS)
def test_what_is_added_is_found_and_can_be_ticked(before, lines, words):
    """In any file: one more open thread, all former ones as they were, and its tick is one character."""
    old = "\n".join([before, *lines])
    new = threads.with_thread(old, words, "2026-11-16")
    added = [t for t in threads.threads_in(new) if t.date == "2026-11-16" and not t.done]
    if not added:  # no words are left once what cannot be printed is taken out, or an open fence swallowed the heading
        return
    ticked = threads.with_tick(new, added[-1])
    assert len(ticked) == len(new)
    assert sum(a != b for a, b in zip(new, ticked, strict=True)) == 1
    assert sum(t.done for t in threads.threads_in(ticked)) == sum(t.done for t in threads.threads_in(old)) + 1


def _add(root, number):
    threads.add(Layout(root), f"thread {number}", "2026-11-16")
    threads.journal(Layout(root), f"session-{number % 4}", "2026-11-16", 1, "x")


def test_many_at_once_lose_nothing(layout):
    """Eight processes add at the same time: every thread is there once, and every session has one journal line."""
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        list(pool.map(_add, [layout.root] * 8, range(8)))
    assert sorted(t.text for t in threads.threads(layout)) == [f"thread {n}" for n in range(8)]
    assert text(layout).count("session-") == 4
