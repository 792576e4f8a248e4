"""A project that the user removed or moved stays so, whoever comes late."""

import os
import shutil
from contextlib import suppress

import pytest
from arena import TAPEHEAD

from tapehead.engine import worker
from tapehead.engine.store_location import place_of
from tapehead.store import lock

HOOKS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")


def live(arena, hooks=HOOKS, **options):
    for hook in hooks:
        arena.hook(arena.payload("s", hook, prompt="x", last_assistant_message="ok"), **options)
    arena.quiet()


@pytest.mark.parametrize("what", ["the project", "its git dir", "its store"])
def test_a_late_worker_makes_nothing_again(arena, what, monkeypatch):
    """The project, its git dir or the store went while a worker was on its way: not one directory comes back."""
    live(arena)
    gone = {"the project": arena.work, "its git dir": os.path.dirname(arena.root), "its store": arena.root}[what]
    monkeypatch.setenv("HOME", arena.home)
    monkeypatch.setattr("tapehead.system.alarms.end_after", lambda *_: None)
    monkeypatch.setattr(worker.os, "nice", lambda _: None)
    held = lock.take(arena.layout.worker("s"), 0)
    os.rename(gone, os.path.join(arena.base, "moved"))
    with suppress(OSError):  # there is nobody to hear it
        worker.main(arena.root, "s", str(held))
    assert not os.path.exists(gone)


@pytest.mark.parametrize("hook", HOOKS)
def test_a_late_hook_makes_nothing_again(arena, hook):
    """A hook of a session whose project is gone is recorded at home."""
    live(arena, HOOKS[:2])
    shutil.rmtree(arena.work)
    live(arena, (hook,))
    assert not os.path.exists(arena.work)
    (arena.root,) = place_of(arena.work, arena.env).roots
    assert len([line for line in arena.lines("s") if line.event]) == 1


def test_a_hook_that_stands_in_what_was_removed(arena):
    """The working directory itself is gone, and so is all above it."""
    script = f'rm -r "$PWD"; exec "{TAPEHEAD}" hook claude'
    raw = arena.payload("s", "UserPromptSubmit", cwd=None, prompt="x")
    arena.hook(raw, script=script, cwd=arena.work)
    arena.quiet()
    assert not os.path.exists(arena.work)


def test_no_home_is_made(tmp_path, arena):
    """A home that is not there is not made, with a project that is gone too."""
    arena.env["HOME"] = os.path.join(arena.base, "no", "home")
    shutil.rmtree(arena.work)
    live(arena)
    assert not os.path.exists(arena.work)
    assert not os.path.exists(os.path.join(arena.base, "no"))


@pytest.mark.parametrize("words", [("status",), ("doctor", "--fix"), ("gc",), ("search", "x"), ("status", "--every")])
def test_commands_over_all_projects_make_nothing_again(arena, words):
    """The registry still names the store of a project that was moved."""
    live(arena)
    os.rename(arena.work, os.path.join(arena.base, "moved"))
    process = arena.popen(b"", words=(TAPEHEAD, *words), cwd=arena.home)
    process.communicate(timeout=60)
    assert not os.path.exists(arena.work)
