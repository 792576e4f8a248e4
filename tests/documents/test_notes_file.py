"""The files of the running notes, and who writes them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapehead.documents import notes_file as notes
from tapehead.documents.notes_basis import Beside
from tapehead.store import lock
from tapehead.store.paths import Layout, make_private

RUN = """
import os, sys
from tapehead.documents import notes_file as notes
from tapehead.store.paths import Layout

root, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
layout = Layout(root)
news, told = os.path.join(root, "news"), os.path.join(root, "told")

def work():
    with open(news) as file:
        text = file.read()
    with open(told, "a") as file:  # one writer at a time: nobody is in between
        file.write("")
    with open(told + "." + name, "w") as file:
        file.write(text)
    os.replace(told + "." + name, told)

for n in range(count):
    descriptor = os.open(news, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(descriptor, f"{name}-{n}\\n".encode())
    os.close(descriptor)
    notes.in_turn(layout, "one", work)
"""


@pytest.fixture
def layout(tmp_path):
    layout = Layout(str(tmp_path / "store"))
    make_private(layout.captures("one"))
    return layout


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(1, 12), min_size=2, max_size=4))
def test_the_trailing_run_loses_no_news(tmp_path_factory, counts):
    """Real processes bring news and write at once, each many times: when all are gone, everything that anyone brought is written."""
    root = tmp_path_factory.mktemp("race")
    make_private(Layout(str(root)).captures("one"))
    running = [
        subprocess.Popen([sys.executable, "-c", RUN, str(root), f"p{n}", str(count)]) for n, count in enumerate(counts)
    ]
    assert [process.wait() for process in running] == [0] * len(counts)
    brought = {f"p{n}-{each}" for n, count in enumerate(counts) for each in range(count)}
    assert set((root / "told").read_text().split()) == brought


def test_many_that_come_while_one_is_at_work_make_one_more_run(layout):
    """Whoever is turned away leaves at once; the one at work does it all once more, not once for each."""
    runs = []

    def work():
        runs.append(1)
        if len(runs) == 1:
            assert [notes.in_turn(layout, "one", work) for _ in range(5)] == [False] * 5

    assert notes.in_turn(layout, "one", work)
    assert len(runs) == 2


def test_one_that_fails_lets_go(layout):
    """The next one can have the lock."""
    with pytest.raises(ZeroDivisionError):
        notes.in_turn(layout, "one", lambda: 1 / 0)
    assert notes.in_turn(layout, "one", lambda: None)


def test_while_another_holds_the_lock_nothing_is_done(layout):
    """It says so."""
    held = lock.take(os.path.join(layout.captures("one"), "notes.lock"), 0)
    assert not notes.in_turn(layout, "one", lambda: pytest.fail("it is another's turn"))
    lock.release(held)


def test_files_are_for_nobody_else(layout):
    """Neither the notes nor what stands beside them."""

    def work():
        with Beside(layout, "one") as beside:
            notes.write(layout, "one", beside, {}, {"Task": ["- a"]})

    notes.in_turn(layout, "one", work)
    modes = {
        name: os.stat(os.path.join(layout.captures("one"), name)).st_mode & 0o777
        for name in os.listdir(layout.captures("one"))
    }
    assert set(modes) == {"notes.md", "notes.known", "notes.lock"}
    assert set(modes.values()) == {0o600}
