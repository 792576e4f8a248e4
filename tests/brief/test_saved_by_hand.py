"""What people keep, as lines for a brief."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tapehead.brief.inputs import Extras
from tapehead.brief.saved_by_hand import kept
from tapehead.documents import adrs, saved_notes, threads
from tapehead.documents.adrs import Adr
from tapehead.documents.saved_notes import Saved
from tapehead.store.paths import Layout


@pytest.fixture
def layout(tmp_path):
    return Layout(str(tmp_path / "store"))


def test_nothing_kept(layout):
    """Where nothing was kept there is nothing to say."""
    assert kept(layout, "s") == Extras()


def test_all_of_it(layout):
    """Notes of this session, open threads with their dates, decisions that hold, newest first, with their gist."""
    saved_notes.save(layout, "s", Saved(("f",), ("n",), ("x",)))
    saved_notes.save(layout, "other", Saved(("not this",)))
    threads.add(layout, "one", "2026-11-16")
    threads.add(layout, "two", "")
    threads.tick(layout, threads.add(layout, "three", "2026-11-16"))
    adrs.write(layout, Adr(0, "A", tldr="because"))
    adrs.write(layout, Adr(0, "B", status="Superseded by 3", tldr="no more"))
    adrs.write(layout, Adr(0, "C"))
    assert kept(layout, "s") == Extras(
        focus=("f",),
        notes=("n",),
        next_steps=("x",),
        threads=("one (2026-11-16)", "two"),
        adrs=("ADR-0003 C", "ADR-0001 A: because"),
    )


def test_the_journal_is_for_people(layout):
    """Nothing of it goes into a brief, not even what looks like a thread."""
    threads.add(layout, "one", "")
    threads.journal(layout, "s", "2026-11-16 10:00", 3, "[ ] looked at the parser")
    assert kept(layout, "s") == Extras(threads=("one",))


def test_five_threads_and_ten_decisions(layout):
    """The newest five threads by their dates, in the order of the file; the newest ten decisions."""
    for day in (9, 3, 1, 8, 2, 7, 6):
        threads.add(layout, f"t{day}", f"2026-11-0{day}")
    for number in range(12):
        adrs.write(layout, Adr(0, f"D{number + 1}"))
    found = kept(layout, "s")
    assert [thread[:2] for thread in found.threads] == ["t9", "t3", "t8", "t7", "t6"]
    assert [adr.split()[1] for adr in found.adrs] == [f"D{n}" for n in range(12, 2, -1)]


@pytest.mark.parametrize("name", ["threads.md", "captures/s/notes.md", "adrs"])
def test_what_cannot_be_read_is_left_out(layout, name):
    """A folder in the place of a file, or a file in the place of a folder, costs that kind alone."""
    path = Path(layout.root, name)
    path.parent.mkdir(parents=True)
    path.mkdir() if name != "adrs" else path.touch()
    if name != "threads.md":
        threads.add(layout, "one", "")
    assert kept(layout, "s") == Extras(threads=() if name == "threads.md" else ("one",))


def test_nothing_kept_loads_nothing(layout):
    """A start in a place where nothing is kept does not pay for the modules that read it."""
    code = "import sys; from tapehead.brief.saved_by_hand import kept; from tapehead.store.paths import Layout; kept(Layout(sys.argv[1]), 's'); print(*sys.modules)"
    run = [sys.executable, "-c", code, layout.root]
    loaded = subprocess.run(run, check=True, capture_output=True, text=True, env=os.environ).stdout.split()
    assert "tapehead.brief.inputs" in loaded
    assert not {
        "tapehead.documents.outline",
        "tapehead.documents.adrs",
        "tapehead.documents.threads",
        "tapehead.documents.saved_notes",
    } & {*loaded}
