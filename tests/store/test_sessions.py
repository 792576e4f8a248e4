from __future__ import annotations

import errno
import json
import os
import stat

import pytest

import scenes
from tapehead.statemachine.vocabulary import Phase
from tapehead.store import lock
from tapehead.store.paths import Layout
from tapehead.store.sessions import StateStore, Unreadable
from tapehead.store.state import STALE_AFTER_SECONDS, State, is_stale


@pytest.fixture
def store(tmp_path):
    return StateStore(Layout(str(tmp_path / "store")))


def put(store, session_id, text):
    path = store.layout.state(session_id)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def test_what_is_saved_is_loaded(store):
    """A state comes back as it was, and the words in the file are the design's: snake case, a lower-case phase."""
    state = State("s", phase=Phase.COMPACTING, turn_number=3, unknown={"of_tomorrow": [1]})
    store.save(state)
    assert store.load("s") == state
    with open(store.layout.state("s"), encoding="utf-8") as file:
        document = json.load(file)
    assert document["phase"] == "compacting"
    assert document["of_tomorrow"] == [1]


def test_nothing_saved_is_none(store):
    """No file is no state, and no error."""
    assert store.load("s") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"session_id": 4}',
        '{"session_id": "s", "schema_version": "new"}',
        '{"session_id": "s", "schema_version": true}',
        '{"session_id": "s", "schema_version": -1}',
        '{"session_id": "s", "schema_version": 1, "phase": 3}',
        '{"session_id": "s", "schema_version": 1, "tape_offset": -1}',
        "[" * 100_000,
        '{"session_id": "another"}',
        '{"session_id": "../../s"}',
    ],
)
def test_a_file_that_makes_no_sense_is_unreadable(store, text):
    """Whatever is wrong with a state file, there is one kind of error for it, and it has a reason."""
    put(store, "s", text)
    with pytest.raises(Unreadable, match=r".+"):
        store.load("s")


def test_a_directory_in_place_of_a_state_is_unreadable(store):
    """What cannot be opened as a file is unreadable like any other, so that it is set aside and not met again for ever."""
    os.makedirs(store.layout.state("s"))
    with pytest.raises(Unreadable, match="not a regular file"):
        store.load("s")


def test_files_are_private(store):
    """State and directories are closed to everyone else, whatever the umask."""
    before = os.umask(0)
    try:
        store.save(State("s"))
        store.append("s", {"id": "1"})
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(os.stat(path).st_mode) for path in (store.layout.state("s"), store.layout.tape("s"))}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(os.stat(store.layout.sessions).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(store.layout.root).st_mode) == 0o700


def test_the_list_is_of_sessions_and_nothing_else(store):
    """Sessions with a state or a tape are listed once, in order; scratch files, locks and odd names are not."""
    assert store.list() == []
    store.save(State("b"))
    store.append("b", {})
    store.append("a.b", {})
    put(store, "c", "")
    for odd in (".hidden.json", "-x.tape", "s.json.1-2.scratch", "s.lock", "s.worker", "a b.json"):
        with open(os.path.join(store.layout.sessions, odd), "w", encoding="utf-8"):
            pass
    assert store.list() == ["a.b", "b", "c"]


def test_a_file_in_place_of_the_store_has_no_sessions(tmp_path):
    """Where a file lies in the way, there is nothing to list."""
    (tmp_path / "store").touch()
    assert StateStore(Layout(str(tmp_path / "store"))).list() == []


def test_behind_means_whole_lines(store):
    """A state is behind while whole lines are unread; a torn last line is nobody's to read yet."""
    assert not store.behind("s", None)
    store.append("s", {"id": "1"})
    assert store.behind("s", None)
    end = store.lines("s")[1]
    read = State("s", tape_offset=end)
    assert not store.behind("s", read)
    with open(store.layout.tape("s"), "ab") as file:
        file.write(b'{"torn')
    assert not store.behind("s", read)
    store.append("s", {"id": "2"})
    assert store.behind("s", read)


def test_a_transaction_excludes_another(store):
    """Who comes while it is held, and will not wait, is told so; afterwards it is free, even after an error."""
    with store.transaction("s", 0) as held:
        assert held
        with store.transaction("s", 0) as second:
            assert not second
        with store.transaction("other", 0) as third:
            assert third
    with pytest.raises(ZeroDivisionError), store.transaction("s", 0):
        _ = 1 / 0
    with store.transaction("s", 0) as again:
        assert again


def test_set_aside_keeps_the_file_and_the_reason(store):
    """An unreadable file is moved, never deleted, and its reason lies beside it."""
    put(store, "s", "{broken")
    kept = store.set_aside("s", "not JSON \udcff", 7)
    assert store.load("s") is None
    with open(kept, encoding="utf-8") as file:
        assert file.read() == "{broken"
    with open(kept + ".reason", encoding="utf-8") as file:
        assert file.read() == "not JSON ?\n"
    assert os.path.dirname(kept) == store.layout.aside


def test_clear_removes_state_and_tape(store):
    """After clear nothing of the session is left to load or list; clearing again is no error."""
    store.save(State("s"))
    store.append("s", {})
    store.save(State("other"))
    store.clear("s")
    store.clear("s")
    assert store.list() == ["other"]


def test_a_session_goes_to_the_archive_and_comes_back(store):
    """Archived it is not listed and its locks are gone; brought back it is what it was; both can be done again."""
    state = State("s", turn_number=2)
    store.save(state)
    store.append("s", {"id": "1"})
    with store.transaction("s", 0):
        pass
    lines = store.lines("s")
    store.archive("s")
    store.archive("s")
    assert store.list() == []
    assert os.listdir(store.layout.sessions) == []
    assert store.unarchive("s")
    assert not store.unarchive("s")
    assert store.load("s") == state
    assert store.lines("s") == lines


def test_unarchive_knows_what_it_does_not_have(store):
    """A session that was never archived is not there to bring back."""
    assert not store.unarchive("s")


def test_the_tape_is_flushed_before_the_state_that_has_read_it(store, monkeypatch):
    """After a power cut no state is ahead of its tape."""
    store.append("s", {"id": "1", "at": "2027-01-15T08:00:00.000000Z", "note": "x"})
    flushed = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_ino))
    store.save(State("s"))
    assert flushed.index(os.stat(store.layout.tape("s")).st_ino) < flushed.index(
        os.stat(store.layout.state("s")).st_ino
    )


def test_remove_all_leaves_what_is_not_ours(store, tmp_path):
    """Everything below the root goes; a link to a folder goes as a link, and what it points to stays."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").touch()
    store.save(State("s"))
    os.makedirs(os.path.join(store.layout.root, "captures", "s", "archive"))
    os.symlink(outside, os.path.join(store.layout.root, "link"))
    store.remove_all()
    store.remove_all()
    assert not os.path.exists(store.layout.root)
    assert (outside / "precious").exists()


def test_a_save_that_fails_leaves_the_former_state(store, monkeypatch):
    """Where the new file cannot be put in place, the old one is still there, and no scratch file is left behind."""
    store.save(State("s", turn_number=1))

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.save(State("s", turn_number=2))
    assert store.load("s").turn_number == 1
    assert os.listdir(store.layout.sessions) == ["s.json"]


def test_a_long_write_is_finished(store, monkeypatch):
    """A system that takes a few bytes at a time gets all of them."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data)[:10]))
    state = State("s", last_prompt="x" * 500)
    store.save(state)
    assert store.load("s") == state


def test_a_lock_waits_and_gives_up(tmp_path):
    """A lock that is held for longer than we wait is not ours; nothing stays open for it."""
    path = str(tmp_path / "new" / "sessions" / "x.lock")
    held = lock.take(path, 0)
    count = len(os.listdir("/proc/self/fd"))
    assert lock.take(path, 0.02) is None
    assert len(os.listdir("/proc/self/fd")) == count
    lock.release(held)
    again = lock.take(path, 0)
    assert again is not None
    lock.release(again)


def test_a_lock_that_the_system_refuses_is_said(tmp_path, monkeypatch):
    """An error of the disk gets out and the descriptor is closed; where there are no locks at all, one goes on without."""

    def refuse(*_):
        raise OSError(code, "refused")

    monkeypatch.setattr(lock.system, "try_lock", refuse)
    count = len(os.listdir("/proc/self/fd"))
    code = errno.EIO
    with pytest.raises(OSError, match="refused"):
        lock.take(str(tmp_path / "x.lock"), 1)
    assert len(os.listdir("/proc/self/fd")) == count
    code = errno.ENOLCK
    lock.release(lock.take(str(tmp_path / "x.lock"), 1))


def test_stale_is_seven_days_after_the_last_that_was_heard():
    """The last interaction, else the start; from a moment after seven days on, and not when the clock went back."""
    now = scenes.when()
    ended = State("s", ended_at=now)
    later = scenes.when(scenes.NOON + (STALE_AFTER_SECONDS * scenes.SECOND))
    assert not is_stale(State("s"), later)
    assert not is_stale(ended, later)
    assert is_stale(ended, scenes.when(scenes.NOON + (STALE_AFTER_SECONDS + 1) * scenes.SECOND))
    assert not is_stale(ended, scenes.when(0))
    long_after = scenes.when(scenes.NOON + (STALE_AFTER_SECONDS + 1) * scenes.SECOND)
    assert is_stale(State("s", last_interaction_at=now), long_after)
    assert is_stale(State("s", started_at=now), long_after)
    assert not is_stale(State("s", started_at=now, last_interaction_at=long_after), long_after)
    assert is_stale(State("s", last_interaction_at=now, ended_at=long_after), long_after), "its loss was noticed late"
