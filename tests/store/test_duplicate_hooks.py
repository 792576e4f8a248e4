"""An event that comes two ways is on the tape once; an event that comes again is there again."""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead import system
from tapehead.store import duplicate_hooks, tape

NOW = 1_800_000_000_000_000_000
SECOND = 1_000_000_000


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "sessions" / "s.tape")


def lines(path):
    return [json.loads(line) for line in tape.unread(path, 0)[0]]


def hear(path, via, payload=b"{}", seconds=0):
    return duplicate_hooks.append(path, {"id": "x", "data": {}}, payload, via, NOW + seconds * SECOND)


@pytest.mark.parametrize("order", [("settings", "plugin"), ("plugin", "settings")])
def test_whoever_comes_second_leaves(path, order):
    """The first writes and the second does not, whichever they are."""
    assert [hear(path, via) for via in order] == [True, False]
    assert [line["heard"]["via"] for line in lines(path)] == [order[0]]


def test_one_way_alone_is_never_doubted(path):
    """Without the other, events that look the same are as many events."""
    assert [hear(path, "plugin") for _ in range(3)] == [True, True, True]


@pytest.mark.parametrize(("seconds", "written"), [(0, False), (15, False), (-15, False), (16, True), (-16, True)])
def test_an_older_line_is_another_event(path, seconds, written):
    """The agent kills a hook after ten seconds: what was written longer ago than that is no twin; nor is what the clock cannot tell."""
    hear(path, "settings")
    assert hear(path, "plugin", seconds=seconds) is written


def test_another_payload_is_another_event(path):
    """Every byte counts."""
    hear(path, "settings", b'{"prompt_id":"1"}')
    assert hear(path, "plugin", b'{"prompt_id":"2"}')


def test_a_twin_is_found_behind_long_lines(path):
    """The mark is the last thing on a line: neither its length nor the lines after it hide it, as long as they are few."""
    long = {"id": "x", "data": {"summary": "s" * 300_000, "fake": ',"heard":{"as":"ca978112","via":"plugin","s":1}}'}}
    assert duplicate_hooks.append(path, long, b"p", "settings", NOW)
    for _ in range(20):
        tape.append(path, {"note": "restored", "data": {"text": "t" * 1000}})
    assert not duplicate_hooks.append(path, long, b"p", "plugin", NOW)


def test_damage_is_no_twin(path):
    """A mark that is torn or made up is passed over."""
    hear(path, "settings")
    [whole] = tape.unread(path, 0)[0]
    torn = whole.replace(b'"s":', b'"s":x')
    os.truncate(path, 0)
    tape.append_raw(path, torn)
    assert hear(path, "plugin")


def test_where_both_were_written_the_next_is_not_lost(path, monkeypatch):
    """Where no lock could be had both may be on the tape; the next event that looks the same is written once all the same."""
    for via in ("settings", "plugin"):
        monkeypatch.setattr(duplicate_hooks, "_is_told", lambda *_: False)
        hear(path, via)
    monkeypatch.undo()
    assert [hear(path, "plugin"), hear(path, "settings")] == [True, False]


@given(st.lists(st.permutations(["settings", "plugin"]), max_size=6))
def test_events_that_look_the_same_are_each_written_once(orders):
    """However often the same bytes come, and whoever is first each time, there are as many lines as events."""
    end = b""
    for count, order in enumerate(orders, 1):
        for via in order:
            if not duplicate_hooks._is_told(end, "k", via, 1):
                end += b'{"id":1,"heard":{"as":"k","via":"%s","s":1}}\n' % via.encode()
        assert end.count(b"heard") == count


def test_a_lock_that_nobody_lets_go_of(path, monkeypatch):
    """The agent must not wait for us: after half a second the line is written without the lock."""
    hear(path, "settings")
    clock = iter(range(100))
    monkeypatch.setattr(duplicate_hooks.time, "monotonic", lambda: next(clock) / 4)
    monkeypatch.setattr(duplicate_hooks.time, "sleep", lambda _: None)
    with open(path, "rb+") as other:
        assert system.try_lock(other.fileno())
        assert hear(path, "plugin", b"new")


def test_a_file_system_without_locks(path, monkeypatch):
    """The event is written."""

    def refuse(*_):
        raise OSError(38, "not implemented")

    monkeypatch.setattr(duplicate_hooks.system, "try_lock", refuse)
    assert hear(path, "plugin")
    assert len(lines(path)) == 1


def test_a_tape_that_cannot_be_read_is_still_written(path, monkeypatch):
    """Looking for a twin is never what loses the event."""

    def refuse(*_):
        raise OSError(5, "input/output error")

    fake = type(
        "system", (), {**vars(system), "try_lock": staticmethod(system.try_lock), "read_at": staticmethod(refuse)}
    )
    monkeypatch.setattr(duplicate_hooks, "system", fake)
    assert hear(path, "plugin")
    assert len(lines(path)) == 1


def test_a_lock_that_cannot_be_closed_is_no_failure(path, monkeypatch):
    """The line is there: saying otherwise would have it written into the next store as well."""

    def refuse(descriptor):
        os.close(descriptor)
        raise OSError(5, "input/output error")

    monkeypatch.setattr(duplicate_hooks, "os", type("os", (), {**vars(os), "close": staticmethod(refuse)}))
    assert hear(path, "plugin")
    assert len(lines(path)) == 1


def test_a_tape_that_cannot_be_written_says_so(tmp_path):
    """The caller tries the next store."""
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="Not a directory"):
        hear(str(tmp_path / "file" / "s.tape"), "plugin")


def _hear(path, number):
    return duplicate_hooks.append(
        path, {"id": str(number)}, b"%d" % (number // 2), ("settings", "plugin")[number % 2], NOW
    )


def test_races(path):
    """Forty runs of twenty events, two ways each, from four processes at once: every event once."""
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        written = list(pool.map(_hear, [path] * 40, range(40)))
    assert sum(written) == 20
    assert sorted(int(line["id"]) // 2 for line in lines(path)) == list(range(20))
