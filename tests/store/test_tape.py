from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenes
from tapehead.door import NotRegular
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import atomic, rejected_payloads, tape
from tapehead.store.line import Damaged, damage, parse, readable
from tapehead.store.paths import Layout, is_session_id, make_private, place_name

SIZE = len(tape.with_sum(b'{"n":0}\n'))
"""Bytes of a line with one number."""


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "sessions" / "x.tape")


def test_lines_come_back_in_order(path):
    """What is appended is read, in order, from any line's end on."""
    assert tape.unread(path, 0) == ([], 0)
    ends = []
    for number in range(3):
        tape.append(path, {"n": number})
        ends.append(tape.unread(path, 0)[1])
    assert [json.loads(raw)["n"] for raw in tape.unread(path, 0)[0]] == [0, 1, 2]
    assert tape.unread(path, ends[0]) == ([tape.with_sum(b'{"n":1}'), tape.with_sum(b'{"n":2}')], ends[2])
    assert tape.unread(path, ends[2]) == ([], ends[2])


def test_a_line_is_one_line_whatever_it_says(path):
    """Newlines, lone surrogates and all of Unicode in a value stay inside the line."""
    odd = {"text": "a\nb\r\u2028\x00\ud800é"}
    tape.append(path, odd)
    lines, _ = tape.unread(path, 0)
    assert [{**json.loads(raw), "sum": ""} for raw in lines] == [{**odd, "sum": ""}]


def test_a_torn_line_waits_and_takes_nobody_along(path):
    """A line without its newline is not read; the next line starts on its own, and the torn one is then a damaged one."""
    tape.append(path, {"n": 0})
    with open(path, "ab") as file:
        file.write(b'{"n":')
    lines, end = tape.unread(path, 0)
    assert (lines, end) == ([tape.with_sum(b'{"n":0}')], SIZE)
    tape.append(path, {"n": 1})
    assert tape.unread(path, end)[0] == [b'{"n":', tape.with_sum(b'{"n":1}')]


def test_a_full_disk_is_an_error(path, monkeypatch):
    """Where only a part could be written, the writer is told, and the next line starts on its own."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:4]))
    with pytest.raises(OSError, match=f"only 4 of {SIZE} bytes"):
        tape.append(path, {"n": 0})
    monkeypatch.undo()
    tape.append(path, {"n": 1})
    assert tape.unread(path, 0)[0] == [b'{"su', tape.with_sum(b'{"n":1}')]


def test_a_tape_that_cannot_be_closed_has_the_line(path, monkeypatch):
    """Whoever wrote it is not told to write it elsewhere."""
    close = os.close

    def fails(descriptor):
        close(descriptor)
        raise OSError(5, "the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(os, "close", fails)
        tape.append(path, {"note": "a"})
    assert tape.tail(path, 1_000) == [tape.with_sum(b'{"note":"a"}')]


def test_a_tape_longer_than_a_read_is_read_whole(path):
    """More than one read's worth of bytes is put together."""
    tape.append(path, {"n": "x" * (3 << 20)})
    lines, end = tape.unread(path, 0)
    assert len(lines) == 1
    assert end == os.stat(path).st_size


@given(st.lists(st.integers(0, 60), min_size=1, max_size=12), st.integers(1, 400))
def test_the_tail_is_the_newest_whole_lines(tmp_path_factory, sizes, limit):
    """Of a long tape the tail gives whole lines, the newest, never more than fit; of a short one all."""
    path = str(tmp_path_factory.mktemp("tape") / "x.tape")
    for number, size in enumerate(sizes):
        tape.append(path, {"n": number, "x": "x" * size})
    everything = tape.unread(path, 0)[0]
    found = tape.tail(path, limit)
    assert found == everything[len(everything) - len(found) :]
    assert sum(len(raw) + 1 for raw in found) <= limit
    assert tape.end(path, limit) == b"".join(raw + b"\n" for raw in found)
    if os.stat(path).st_size <= limit:
        assert found == everything
    elif len(found) < len(everything):  # a line is left out only where it, or its end, did not fit
        assert sum(len(raw) + 1 for raw in everything[len(everything) - len(found) - 1 :]) >= limit


def test_a_torn_end_is_not_among_the_newest(path):
    """Only whole lines are read, from the end too; where a single line is longer than what is asked for, nothing."""
    tape.append(path, {"n": 1})
    with open(path, "ab") as file:
        file.write(b'{"n":2')
    assert tape.end(path, 1_000) == tape.with_sum(b'{"n":1}') + b"\n"
    assert tape.end(path, 4) == b""


def test_no_tape_has_no_tail(path):
    """No file, no lines."""
    assert tape.tail(path, 100) == []


def test_stamps_are_never_the_same():
    """Two lines of one writer in the same nanosecond have different names."""
    assert len({tape.stamp(scenes.NOON, 7) for _ in range(100)}) == 100


@given(st.integers(0, 4_000_000_000_000_000_000), st.integers(0, 4_000_000_000_000_000_000))
def test_text_order_is_time_order(one, other):
    """Instants sort as text as they do as times, and are read back as what they were, to the microsecond."""
    assert (tape.instant(one) < tape.instant(other)) == (one // 1000 < other // 1000)
    assert scenes.when(one).timestamp() == pytest.approx(one / 1e9, abs=1e-5)


def test_a_written_line_is_read():
    """What a hook writes is what the machine reads: event, facts, data, agent, time."""
    written = scenes.as_written(Event.SESSION_STOP, scenes.NOON, facts=[Fact.CLEARED], data={"a": 1})
    found = parse(json.dumps(written).encode())
    assert (found.event, found.facts, found.data, found.host) == (
        Event.SESSION_STOP,
        frozenset({Fact.CLEARED}),
        {"a": 1},
        "claude",
    )
    assert (found.id, found.at, found.note, found.of) == (written["id"], scenes.when(), "session_stop", "")


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a JSON object"),
        (b"{}", "no id"),
        (b'{"id": "", "at": "2027-01-01T00:00:00Z"}', "no id"),
        (b'{"id": 4, "at": "2027-01-01T00:00:00Z"}', "no id"),
        (b'{"id": "x"}', "no at"),
        (b'{"id": "x", "at": "noon"}', "no time"),
        (b'{"id": "x", "at": "2027-01-01T00:00:00"}', "no time zone"),
    ],
)
def test_a_damaged_line_says_why(raw, why):
    """Whatever is wrong with a line, it is Damaged, with the reason; and it stops none of the others."""
    with pytest.raises(Damaged, match=why):
        parse(raw)
    good = json.dumps(scenes.as_written(Event.TURN_END, scenes.NOON)).encode()
    assert [found.event for found in readable([good, raw, b"", good])] == [Event.TURN_END, Event.TURN_END]
    [(place, reason)] = damage([good, b"", raw, good])
    assert place == 3
    assert why in reason


def test_fields_of_a_wrong_kind_are_left_out():
    """A line whose parts are not what they should be is read as far as it makes sense."""
    raw = (
        b'{"id":"x","at":"2027-01-01T00:00:00Z","event":["turn_end"],"facts":[1,"cleared","new"],"data":[],"host":null}'
    )
    found = parse(raw)
    assert (found.event, found.facts, found.data, found.host) == (None, frozenset({Fact.CLEARED}), {}, "")
    assert parse(b'{"id":"x","at":"2027-01-01T00:00:00Z","facts":"cleared"}').facts == frozenset()


def test_an_event_of_tomorrow_is_a_note():
    """An event that this version does not know changes nothing, and its word is there to read."""
    found = parse(b'{"id":"x","at":"2027-01-01T00:00:00Z","event":"dreamt"}')
    assert (found.event, found.note) == (None, "dreamt")


def test_data_is_asked_for_by_kind():
    """Text, whole numbers and lists of texts are given where they are, and nothing where something else is."""
    found = scenes.line("note", data={"t": "x", "n": 3, "b": True, "l": ["a", 1, "b"], "f": 1.5})
    assert [found.text(name) for name in "tnbx"] == ["x", "", "", ""]
    assert [found.number(name) for name in "tnbfx"] == [None, 3, None, None, None]
    assert [found.texts(name) for name in "tlx"] == [(), ("a", "b"), ()]


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(raw):
    """Whatever bytes stand on a tape, reading them gives a line or says that they are damaged."""
    assert len(readable([raw])) + len(damage([raw])) == (1 if raw else 0)


def test_strays_are_kept_and_bounded(tmp_path, monkeypatch):
    """What belongs to no session is written down, how it began and why; garbage without end fills two files at most."""
    layout = Layout(str(tmp_path / "store"))
    assert rejected_payloads.lines(layout) == []
    rejected_payloads.keep(layout, scenes.NOON, "claude", "not JSON", b"\xff{" + b"x" * 1000)
    [kept] = readable(rejected_payloads.lines(layout))
    assert kept.note == "stray"
    assert kept.data == {"reason": "not JSON", "bytes": 1002, "begins": "\\xff{" + "x" * 198}
    monkeypatch.setattr(rejected_payloads, "_ENOUGH", 100)
    for number in range(5):
        rejected_payloads.keep(layout, scenes.NOON + number, "claude", str(number), b"")
    assert [found.text("reason") for found in readable(rejected_payloads.lines(layout))] == ["3", "4"]


@pytest.mark.parametrize(
    "word",
    ["", ".", "..", "../x", "a/b", "-x", ".x", "a\n", "a\0", "a b", "ä", "x" * 129, None, 3, ["a"], "a\\b", "~"],
)
def test_no_odd_word_becomes_a_file_name(word):
    """What could leave its directory, hide in it, or not be written at all, names no session."""
    assert not is_session_id(word)


@pytest.mark.parametrize("word", ["a", "0-9_A.z", "x" * 128, "123e4567-e89b-12d3-a456-426614174000"])
def test_plain_words_name_sessions(word):
    """The ids of the agents do."""
    assert is_session_id(word)


@given(st.text(max_size=60))
def test_every_path_stays_in_the_store(worktree):
    """Whatever git calls a worktree, its place is a plain file name."""
    name = place_name(worktree)
    assert name == "main" or name.startswith("wt-")
    assert is_session_id(name)


def test_worktrees_are_told_apart():
    """A worktree called main is not the main one."""
    assert place_name("") == "main"
    assert place_name("main") == "wt-main"
    assert place_name("a b") != place_name("a_b")


def test_a_layout_names_every_thing_apart():
    """No two things of a store share a path, and all are below its root."""
    at = Layout("/r")
    named = [at.tape("s"), at.state("s"), at.lock("s"), at.worker("s"), at.captures("s"), at.baton("p"), at.place("p")]
    named += [at.sessions, at.archive, at.aside, at.strays, at.gc_mark]
    assert len(set(named)) == len(named)
    assert all(path.startswith("/r/") for path in named)


def test_the_directories_of_a_store_are_made_private(tmp_path):
    """The store and each folder that is made is closed to others; those that are there are left; what is no directory is said."""
    deep = tmp_path / "store" / "captures" / "c"
    make_private(str(deep))
    make_private(str(deep))
    assert {directory.stat().st_mode & 0o777 for directory in (deep, deep.parent, deep.parent.parent)} == {0o700}
    (tmp_path / "places").write_text("")
    with pytest.raises(NotADirectoryError):
        make_private(str(tmp_path / "places"))
    with pytest.raises(FileNotFoundError):
        make_private("")


@pytest.mark.parametrize("below", ["sessions", "captures/s", "captures/s/archive", "lines.git/objects/info", "x", ""])
def test_what_a_store_stands_in_is_never_made(tmp_path, below):
    """A project that was removed stays removed, also below a folder with the name of one of ours."""
    gone = tmp_path / "places" / "sessions" / "project"
    with pytest.raises(FileNotFoundError):
        make_private(str(gone / ".git" / "tapehead" / below))
    assert os.listdir(tmp_path) == []


def test_a_place_is_where_a_line_begins(path):
    """A reader can stand at the beginning and after each newline, and nowhere else: not within a line, not beyond the end."""
    assert tape.is_place(path, 0)
    assert not tape.is_place(path, SIZE)
    tape.append(path, {"n": 0})
    tape.append(path, {"n": 1})
    assert [offset for offset in range(3 * SIZE) if tape.is_place(path, offset)] == [0, SIZE, 2 * SIZE]


def test_a_few_strays_stay_in_one_file(tmp_path):
    """Only what grows without end is moved aside."""
    layout = Layout(str(tmp_path))
    for number in range(2):
        rejected_payloads.keep(layout, scenes.NOON + number, "claude", str(number), b"")
    assert len(rejected_payloads.lines(layout)) == 2
    assert os.listdir(tmp_path) == ["strays.tape"]


def test_lines_are_blanked_where_they_stand(tmp_path):
    """Nothing moves: the others are where they were, and readers pass over what is blank. No tape: none."""
    path = str(tmp_path / "sessions" / "s.tape")
    assert tape.blank(path, bool) == 0
    for word in ("one", "two", "one"):
        tape.append(path, {"session": word})
    size = os.stat(path).st_size
    assert tape.blank(path, lambda line: b'"one"' in line) == 2
    assert tape.blank(path, lambda line: b'"one"' in line) == 0
    lines, end = tape.unread(path, 0)
    assert [line.strip() for line in lines] == [b"", tape.with_sum(b'{"session":"two"}'), b""]
    assert end == os.stat(path).st_size == size


@given(st.binary(min_size=1, max_size=40), st.data())
def test_a_changed_byte_shows(text, data):
    """Whichever byte of a line: it is no JSON any more, or its checksum does not fit. A line without one is believed."""
    line = tape.with_sum(json.dumps({"id": "x", "data": text.hex()}).encode())
    at, byte = data.draw(st.integers(10, len(line) - 1)), data.draw(st.integers(0, 255))
    changed = line[:at] + bytes([byte]) + line[at + 1 :]
    assert tape.is_as_written(line)
    assert tape.is_as_written(changed) is (changed == line)
    assert tape.is_as_written(b'{"id":"x"}')


def test_no_tape_fills_the_memory(path, monkeypatch):
    """One that is larger than any tape is read piece by piece; a file of a store that is larger than any of ours holds none."""
    for number in range(10):
        tape.append(path, {"n": number})
    monkeypatch.setattr(tape, "_LARGEST", 3 * SIZE)
    lines, end = tape.unread(path, 0)
    assert (len(lines), end) == (3, 3 * SIZE)
    assert len(tape.unread(path, end)[0]) == 3
    os.truncate(path, 1 << 40)
    with pytest.raises(NotRegular):
        atomic.read(path)
