"""The core runs where nothing of POSIX is there, on what tapehead has for Windows, with a stand-in for the calls of Windows itself."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tapehead import system
from tapehead.store import tape

HERE = Path(__file__).parent
TESTS = HERE.parent
SHORT = [
    "statemachine/test_transition.py",
    "store/test_tape.py",
    "store/test_sessions.py",
    "store/test_duplicate_hooks.py",
    "store/test_atomic.py",
]
CORE = ["statemachine", "store", "transcript", "actions", "engine"]
TORTURE = ["torture/test_crowd.py", "torture/test_kills.py", "torture/test_locks.py"]
POSIX_ONLY = {
    "store/test_sessions.py::test_a_lock_that_the_system_refuses_is_said": "counts descriptors",
    "engine/test_attempts.py::test_a_third_time_only_after_a_pause": "forks",
    "engine/test_attempts.py::test_after_the_pause_it_is_tried_once": "forks",
    "engine/test_attempts.py::test_a_worker_counts_what_it_begins": "hands a lock to the worker, which inherits none here",
    "engine/test_deadline.py::test_what_takes_too_long_is_broken_off": "looks at SIGALRM",
    "engine/test_deadline.py::test_without_a_moment_there_is_no_timer": "looks at setitimer",
    "engine/test_hook.py::test_a_second_worker_is_not_started": "looks at posix_spawn",
    "engine/test_hook.py::test_a_store_of_someone_else_is_not_ours": "Windows does not tell whose a file is",
    "engine/test_hook.py::test_a_worker_settles_what_a_hook_left": "its processes have POSIX, and so other locks",
    "engine/test_hook.py::test_homes_of_every_kind": "changes the list of users",
    "engine/test_hook.py::test_what_is_nested_without_end_is_unusable": "sets a pipe to blocking",
}
"""Tests whose claim is about POSIX itself, and why they are left out."""


def core(tmp_path, names, python=sys.executable, more=("-p", "without_posix")):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(TESTS), str(TESTS.parent / "tools")])}
    words = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "base"), *more]
    left_out = [word for name in POSIX_ONLY for word in ("--deselect", f"tests/{name}")]
    done = subprocess.run(
        [python, "-m", "pytest", *words, *left_out, *(f"tests/{name}" for name in names)],
        cwd=TESTS.parent,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def test_the_stand_in_has_every_call():
    """By the same name: what a rename leaves behind would only show in the long form."""
    api = Path(system.__file__).with_name("windows_api.py")
    trees = [ast.parse(path.read_text()) for path in (api, HERE / "stand_in.py")]
    wanted, there = ({one.name for one in tree.body if isinstance(one, ast.FunctionDef)} for tree in trees)
    assert {name for name in wanted if not name.startswith("_")} <= there


def test_tape_locks_and_states_do(tmp_path):
    """Tape, locks, states and whole files, in a Python in which `import fcntl` and `os.fork` fail."""
    assert " passed" in core(tmp_path, [name for name in SHORT if (TESTS / name).exists()])


@pytest.mark.slow
def test_the_core_does(tmp_path):
    """The machine, the store, the transcripts, the actions and the engine."""
    assert " passed" in core(tmp_path, CORE)


def python_without_posix(folder):
    """A Python in which every process that is started has no POSIX: hooks, workers and whoever they start."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    places = [sysconfig.get_path("purelib"), str(Path(system.__file__).parents[2]), str(HERE)]
    [site] = folder.glob("lib/*/site-packages")
    (site / "without_posix.pth").write_text("\n".join([*places, "import without_posix", ""]))
    _, *rest = Path(sys.executable).with_name("tapehead").read_text().splitlines(keepends=True)
    script = folder / "bin" / "tapehead"
    script.write_text("".join([f"#!{folder}/bin/python\n", *rest]))
    script.chmod(0o755)
    return str(folder / "bin" / "python")


@pytest.mark.slow
def test_the_torture_does(tmp_path):
    """Crowds of hooks, kills and locks that are held, where hooks and workers themselves are processes without POSIX."""
    python = python_without_posix(tmp_path / "python")
    assert " passed" in core(tmp_path, TORTURE, python, ())


COUNTER = """
import os, sys
if sys.argv[1] == "windows":
    import without_posix
from tapehead import system
from tapehead.store import lock
assert system.IS_POSIX == (sys.argv[1] == "posix")
path, count = sys.argv[2:4]
for _ in range(int(count)):
    held = lock.take(path + ".lock", 60)
    with open(path) as file:
        number = int(file.read())
    with open(path, "w") as file:
        file.write(str(number + 1))
    lock.release(held)
"""
HOLDER = """
import sys, time
if sys.argv[1] == "windows":
    import without_posix
from tapehead.store import lock
held = lock.take(sys.argv[2], 0)
print(held is not None, flush=True)
time.sleep(600)
"""
APPENDER = """
import sys
if sys.argv[1] == "windows":
    import without_posix
from tapehead.store import tape
for number in range(200):
    tape.append(sys.argv[2], {"id": f"{sys.argv[3]}-{number}", "long": "x" * 300})
"""


def start(code, side, *words):
    env = {**os.environ, "PYTHONPATH": str(HERE)}
    return subprocess.Popen([sys.executable, "-c", code, side, *words], env=env, stdout=subprocess.PIPE, text=True)


both = pytest.mark.parametrize("side", ["posix", "windows"])


@both
def test_a_crowd_takes_turns(tmp_path, side):
    """Six processes count to 240 together; a lock that let two in would lose a count."""
    path = tmp_path / "number"
    path.write_text("0")
    crowd = [start(COUNTER, side, str(path), "40") for _ in range(6)]
    assert [one.wait() for one in crowd] == [0] * 6
    for one in crowd:
        one.stdout.close()
    assert path.read_text() == "240"


@both
def test_a_killed_holder_holds_nothing(tmp_path, side):
    """The lock dies with the process, and only then."""
    path = str(tmp_path / "x.lock")
    with start(HOLDER, side, path) as first:
        assert first.stdout.readline() == "True\n"
        with start(HOLDER, side, path) as second:
            assert second.stdout.readline() == "False\n"
            second.kill()
        first.send_signal(signal.SIGKILL)
        first.wait()
        with start(HOLDER, side, path) as third:
            assert third.stdout.readline() == "True\n"
            third.kill()


@both
def test_a_crowd_writes_one_tape(tmp_path, side):
    """Four writers, no lock: every line is there, once and whole.

    Who looks at the end of the file while the system is in the middle of another's write (it grows page by page) sees a line without its
    newline, and puts an empty line before its own. Readers pass over that; nothing else may stand between the lines.
    """
    (tmp_path / "sessions").mkdir()
    path = tmp_path / "sessions" / "s.tape"
    crowd = [start(APPENDER, side, str(path), str(number)) for number in range(4)]
    assert [one.wait() for one in crowd] == [0] * 4
    for one in crowd:
        one.stdout.close()
    lines = [line for line in path.read_text().split("\n") if line]
    said = [{"id": f"{number}-{each}", "long": "x" * 300} for number in range(4) for each in range(200)]
    written = [tape.with_sum(json.dumps(each, separators=(",", ":")).encode()).decode() for each in said]
    assert sorted(lines) == sorted(written)
