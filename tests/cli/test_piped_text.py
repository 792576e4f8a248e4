"""What comes through a pipe without being asked for."""

from __future__ import annotations

import io
import os
import threading

import pytest

from tapehead.cli import piped_text


class Stdin:
    """A stdin that is a descriptor."""

    def __init__(self, descriptor):
        self.fileno = lambda: descriptor


@pytest.fixture
def pipe(monkeypatch):
    reading, writing = os.pipe()
    monkeypatch.setattr("sys.stdin", Stdin(reading))
    yield writing
    os.close(reading)


def test_a_pipe_is_waited_for_until_it_ends(pipe, monkeypatch):
    """However late the first word comes, and however many pauses there are: all of it is read."""
    waits = threading.Event()
    real = piped_text.system.is_readable

    def looked(*words):
        waits.set()
        return real(*words)

    def write():
        for word in (b"late", b" words"):
            waits.wait()
            waits.clear()
            os.write(pipe, word)
        os.close(pipe)

    monkeypatch.setattr(piped_text.system, "is_readable", looked)
    writer = threading.Thread(target=write)
    writer.start()
    assert piped_text.read_pipe() == "late words"
    writer.join()


@pytest.mark.parametrize("came", [b"", b"half"])
def test_a_pipe_that_never_ends_is_given_up_in_words(came, pipe, monkeypatch, capsys):
    """What came is kept, and stderr says that it was not waited for longer."""
    monkeypatch.setattr(piped_text, "PATIENCE", 0.0)
    os.write(pipe, came)
    assert piped_text.read_pipe() == came.decode()
    assert f"nothing {'more ' if came else ''}came through the pipe" in capsys.readouterr().err
    os.close(pipe)


@pytest.mark.parametrize("kind", ["null", "none", "terminal"])
def test_where_no_text_can_come_nothing_is_waited_for(kind, monkeypatch):
    """No input, no descriptor, or a terminal."""
    monkeypatch.setattr(piped_text, "_until_it_ends", lambda _: pytest.fail("it waits"))
    descriptors = [os.open(os.devnull, os.O_RDONLY)] if kind == "null" else [*os.openpty()]
    monkeypatch.setattr("sys.stdin", io.StringIO() if kind == "none" else Stdin(descriptors[-1]))
    assert piped_text.read_pipe() == ""
    for descriptor in descriptors:
        os.close(descriptor)


def test_a_file_is_read_whole(tmp_path, monkeypatch):
    """Whatever bytes it has; there is no end to wait for beyond its own."""
    (tmp_path / "memo").write_bytes(b"x" * 100_000 + b"\xff")
    with (tmp_path / "memo").open("rb") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert piped_text.read_pipe() == "x" * 100_000 + "\ufffd"
