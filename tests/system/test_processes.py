from __future__ import annotations

import os
import subprocess

import pytest

from tapehead.system import processes as process


def stat(tmp_path, pid, name="claude", state="S", parent=1, tty=0, started="500"):
    """A process as the kernel tells of it."""
    fields = [state, str(parent), "0", "0", str(tty), *["0"] * 14, started, "0"]
    (tmp_path / str(pid)).mkdir(exist_ok=True)
    (tmp_path / str(pid) / "stat").write_text(f"{pid} ({name}) {' '.join(fields)}\n")


@pytest.fixture
def proc(tmp_path):
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "stat").touch()
    return str(tmp_path)


def test_this_very_process_is_found():
    """The real /proc: us, our parent, alive."""
    us = process.look(os.getpid())
    assert (us.pid, us.parent) == (os.getpid(), os.getppid())
    assert not process.is_lost(us.pid, us.started)
    assert not process.is_lost(us.pid, "")
    assert process.is_lost(us.pid, "1")


def test_a_dead_process_is_lost_even_before_it_is_buried():
    """A child that ended and was not waited for is gone; so is one that was."""
    child = subprocess.Popen(["true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert process.is_lost(child.pid, "")
    child.wait()
    assert process.is_lost(child.pid, "")


def test_names_can_be_anything(tmp_path, proc):
    """Brackets and spaces in a name do not shift the fields; odd bytes do not matter."""
    stat(tmp_path, 7, name="a) (b) S 1", parent=3, started="99")
    found = process.look(7, proc)
    assert (found.name, found.parent, found.started) == ("a) (b) S 1", 3, "99")


@pytest.mark.parametrize("text", ["", "7", "7 (x", "7 (x) S", "7 (x) S one two"])
def test_what_makes_no_sense_is_nobody(tmp_path, proc, text):
    """A file that is cut short, or says something else."""
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "stat").write_text(text)
    assert process.look(7, proc) is None


@pytest.mark.parametrize(("state", "gone"), [("S", False), ("R", False), ("T", False), ("Z", True), ("X", True)])
def test_zombies_are_gone(tmp_path, proc, state, gone):
    """The dead are dead, whether or not their parent has asked."""
    stat(tmp_path, 7, state=state)
    assert process.is_lost(7, "500", proc) == gone


def test_a_pid_given_away_again_is_another_process(tmp_path, proc):
    """By when it started."""
    stat(tmp_path, 7, started="500")
    assert process.is_lost(7, "400", proc)
    assert not process.is_lost(7, "500", proc)
    assert process.is_lost(8, "500", proc)


@pytest.mark.parametrize(
    ("number", "name"),
    [(0, ""), (136 << 8, "/dev/pts/0"), ((136 << 8) + 5, "/dev/pts/5"), ((137 << 8) + 5, "/dev/pts/261"),
     ((4 << 8) + 1, "/dev/tty1"), ((5 << 8) + 1, ""), ((136 << 8) + (1 << 20), "/dev/pts/256")],
)  # fmt: skip
def test_terminals_have_names(tmp_path, proc, number, name):
    """As proc(5) says: the minor number's upper bits are elsewhere."""
    stat(tmp_path, 7, tty=number)
    assert process.look(7, proc).terminal == name


def test_the_host_is_above_the_shells(tmp_path, proc):
    """Whoever ran the command line, through however many shells; nobody where there are only shells, or nothing."""
    stat(tmp_path, 9, name="sh", parent=8)
    stat(tmp_path, 8, name="bash", parent=7)
    stat(tmp_path, 7, name="node", parent=1)
    assert process.host_above(9, proc).pid == 7
    stat(tmp_path, 7, name="zsh", parent=1)
    stat(tmp_path, 1, name="init")
    assert process.host_above(9, proc) is None
    assert process.host_above(99, proc) is None
    stat(tmp_path, 7, name="zsh", parent=7)
    assert process.host_above(7, proc) is None


def test_without_proc_signals_are_asked(tmp_path, monkeypatch):
    """Where there is no /proc, a process is lost only if no signal could reach it."""
    nowhere = str(tmp_path / "none")
    assert not process.is_lost(os.getpid(), "", nowhere)

    def refuse(error):
        def kill(*_):
            raise error

        monkeypatch.setattr(os, "kill", kill)

    refuse(ProcessLookupError())
    assert process.is_lost(7, "", nowhere)
    refuse(PermissionError())
    assert not process.is_lost(7, "", nowhere)


def test_a_thread_that_ends_meanwhile_hides_only_its_own_children(tmp_path):
    """A client has many threads; one that was listed may be gone when its children are asked for."""
    for thread in ("10", "11", "12"):
        (tmp_path / "10" / "task" / thread).mkdir(parents=True)
    (tmp_path / "10" / "task" / "11" / "children").mkdir()  # cannot be read, as of a thread that is gone
    (tmp_path / "10" / "task" / "10" / "children").write_text("20 21 ")
    (tmp_path / "10" / "task" / "12" / "children").write_text("30 ")
    assert sorted(process.children(10, str(tmp_path))) == [20, 21, 30]
