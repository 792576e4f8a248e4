"""Processes that work ahead. Each test runs in a process of its own: forking one with threads in it is not safe."""

import subprocess
import sys

import pytest


def ran(script, timeout=60):
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-c",
            f"import os, signal\nfrom tapehead.system.ahead_process import *\n{script}",
        ],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_tasks_and_pieces():
    """One task after the other, each with all its pieces in order, however big they are."""
    script = """
one = Ahead(lambda n: (["x" * (n * i), {1: b"y"}] for i in range(20)))
for n in (1, 100_000):
    one.ask(n)
    pieces = list(one.answers())
    print(len(pieces), [len(text) for text, _ in pieces] == [n * i for i in range(20)], pieces[3][1])
one.end()
"""
    assert ran(script) == ["20 True {1: b'y'}", "20 True {1: b'y'}"]


def test_where_no_file_can_be_in_memory():
    """Elsewhere than on Linux, its files are on the disk, and nobody sees their names."""
    script = """
import tempfile
if hasattr(os, "memfd_create"):
    del os.memfd_create
tempfile.tempdir = tempfile.mkdtemp()
one = Ahead(lambda n: iter(["x" * n]))
one.ask(100_000)
print([len(piece) for piece in one.answers()], os.listdir(tempfile.tempdir))
one.end()
"""
    assert ran(script) == ["[100000] []"]


def test_it_is_only_a_little_ahead():
    """What it does is bounded by what was taken of it."""
    script = """
def work(path):
    for number in range(100):
        with open(path, "a") as file:
            file.write(".")
        yield number
import tempfile, time
path = tempfile.mkdtemp() + "/count"
one = Ahead(work)
one.ask(path)
one.answer()
while os.path.getsize(path) < PIECES + 2:  # one was taken, so many lie ready, and one is in its hands
    time.sleep(0.01)
time.sleep(0.3)
print(os.path.getsize(path) - PIECES)
print(len(list(one.answers())))
one.end()
"""
    assert ran(script) == ["2", "99"]


def test_tasks_that_are_given_ahead():
    """They are done one after the other, in the order in which they were given, and none is lost while others are at work."""
    script = """
one = Ahead(lambda task: iter([task] * 30))
for task in ("first", "second", "third"):
    one.ask(task)
for task in ("first", "second", "third"):
    print(task, set(one.answers()))
one.end()
"""
    assert ran(script) == ["first {'first'}", "second {'second'}", "third {'third'}"]


def test_several_at_once():
    """Whoever has something is heard."""
    script = """
some = [Ahead(lambda n: iter(range(n))) for _ in range(3)]
for number, one in enumerate(some):
    one.ask(number)
left = dict.fromkeys(some, 0)
while left:
    for one in waited_for([*left]):
        piece, problem = one.answer()
        if piece is None:
            print(some.index(one), left.pop(one))
        else:
            left[one] += 1
for one in some:
    one.end()
"""
    assert sorted(ran(script)) == ["0 0", "1 1", "2 2"]


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        ("OSError('no such file')", "no such file"),
        ("ValueError('odd')", "ValueError: odd"),
        ("MemoryError()", "MemoryError: "),
    ],
)
def test_what_goes_wrong_is_said(raised, said):
    """With the words of the error; the next task is done."""
    script = f"""
def work(task):
    yield 1
    if task == "bad":
        raise {raised}
one = Ahead(work)
for task in ("bad", "good"):
    one.ask(task)
    one.answer()
    print(one.answer()[1])
one.ask("bad")
try:
    list(one.answers())
except OSError as error:
    print("raised", error)
one.end()
"""
    assert ran(script) == [said, "", f"raised {said}"]


def test_one_that_is_killed():
    """Is said to be, now and whenever it is asked again; nobody waits for it for ever."""
    script = """
one = Ahead(lambda n: iter(range(n)))
os.kill(one._pid, signal.SIGKILL)
for _ in range(2):
    one.ask(3)
    waited_for([one])
    print(one.answer())
one.end()
"""
    assert ran(script) == [f"(None, '{_died()}')"] * 2


def _died():
    from tapehead.system.ahead_process import DIED

    return DIED


def test_none_outlives_the_one_that_started_it():
    """A kill of that one ends them all, those that work in two included."""
    script = """
import sys
from tapehead.system import ahead_process as ahead
def inner(n):
    while True:
        yield "x" * 1000
def outer(n):
    below = Ahead(inner)
    os.write(1, f"{below._pid}\\n".encode())
    below.ask(1)
    yield from below.answers()
some = [Ahead(outer) for _ in range(2)]
for one in some:
    one.ask(1)
    os.write(1, f"{one._pid}\\n".encode())
    one.answer()
os.kill(os.getpid(), signal.SIGKILL)
"""
    pids = [int(line) for line in ran(script)]
    assert len(pids) == 4
    import time

    deadline = time.monotonic() + 30
    while any(_alive(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
