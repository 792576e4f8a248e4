"""Disks that are full or read-only, files that belong to someone else."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from arena import TAPEHEAD, Arena, git, tree

from record import Record
from tapehead.engine.store_location import place_of
from tapehead.store.line import damage

SESSION = "stored"
NOBODY = 54_321
"""A user whom no password file knows: it has no home but the one in its environment."""


def _may_mount():
    return (
        os.geteuid() == 0
        and subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode == 0
    )


mounts = pytest.mark.skipif(not _may_mount(), reason="only root may mount, where the system lets it")


def _words(arena, session=SESSION):
    return [line.text("prompt") for line in arena.lines(session)]


def _prompt(arena, word):
    return arena.payload(SESSION, "UserPromptSubmit", prompt=word)


def _mounted(arena, *mount_lines, raw):
    """Runs a hook where these mounts are made, which nobody else sees."""
    lines = "\n".join(mount_lines)
    return arena.hook(
        raw, script=f"set -e; exec 3<&0; exec unshare -m sh -e -c '{lines}\nexec \"{TAPEHEAD}\" hook claude <&3'"
    )


def _at_home(arena):
    arena.root = place_of(arena.work, arena.env).roots[-1]
    return arena


def _full(path):
    return f'mount -t tmpfs -o size=16k none "{path}"; dd if=/dev/zero of="{path}/filler" bs=512 2>/dev/null || :'


@mounts
def test_a_full_disk(arena):
    """A full disk under the repository: the store at home takes the line."""
    os.mkdir(arena.root)
    assert _mounted(arena, _full(arena.root), raw=_prompt(arena, "full")) == ""
    assert _words(_at_home(arena)) == ["full"]


@mounts
def test_all_disks_full(arena):
    """Nowhere to write: exit 0, not a word, and the next event is recorded as if nothing had been."""
    os.mkdir(arena.root)
    assert _mounted(arena, _full(arena.root), _full(arena.home), raw=_prompt(arena, "lost")) == ""
    assert arena.hook(arena.payload(SESSION, "SessionStart")) == ""
    arena.quiet()
    arena.settled(SESSION)


@mounts
def test_after_all_disks_were_full_the_loss_is_told(arena):
    """Two exchanges while store and fallback were full: doctor says from when to when, and the next prompt brings their story."""
    began = datetime.now(UTC)
    record = Record(SESSION, begins=began, cwd=arena.work)
    git(arena.work, "commit", "-q", "--allow-empty", "-m", "first")

    def exchange(words, minutes, hook):
        """One prompt and its answer, so many minutes after the start by the agent's own record."""
        record.now = began + timedelta(minutes=minutes)
        record.prompt(words).reply(f"Did it: {words}.")
        path = record.write(Path(arena.base))
        said = [
            hook(arena.payload(SESSION, name, transcript_path=path, prompt=words, last_assistant_message="Did it."))
            for name in ("UserPromptSubmit", "Stop")
        ]
        arena.quiet()
        return said[0]

    def full(raw):
        return _mounted(arena, _full(arena.root), _full(arena.home), raw=raw)

    arena.hook(arena.payload(SESSION, "SessionStart", source="startup"))
    exchange("look at the door", 0, arena.hook)
    assert exchange("find the leak", 20, full) == ""
    assert exchange("and mend it with tar", 30, full) == ""
    assert "find the leak" not in _words(arena), "it could be written nowhere"
    exchange("what is next?", 60, arena.hook)
    told = subprocess.run(
        [TAPEHEAD, "doctor", "--json"], cwd=arena.work, env=arena.env, capture_output=True, check=False
    )
    [lost] = [each for each in json.loads(told.stdout)["findings"] if each["check"] == "unrecorded"]
    assert "2 prompts" in lost["what"]
    said = json.loads(exchange("and now?", 90, arena.hook))["hookSpecificOutput"]["additionalContext"]
    assert "find the leak" in said
    assert "mend it with tar" in said
    state = arena.settled(SESSION)
    first, last = (datetime.fromisoformat(state.unrecorded[name]) - began for name in ("from", "to"))
    assert abs(first - timedelta(minutes=20)) < timedelta(minutes=1)
    assert timedelta(minutes=29) < last < timedelta(minutes=61), (
        "until something could be recorded again, at the latest"
    )


@mounts
def test_a_read_only_disk(arena):
    """A store that can be read and not written: the one at home takes the line."""
    arena.hook(_prompt(arena, "before"))
    arena.quiet()
    before = tree(arena.root)
    lines = (f'mount --bind "{arena.root}" "{arena.root}"', f'mount -o remount,ro,bind "{arena.root}"')
    assert _mounted(arena, *lines, raw=_prompt(arena, "read-only")) == ""
    assert tree(arena.root) == before
    assert _words(_at_home(arena)) == ["read-only"]


@pytest.mark.parametrize("limit", [0, 1, 100, 300])
def test_files_that_may_not_grow(arena, limit):
    """A quota in the middle of a line tears it off; the next line stands on its own, and all is well again."""
    for hook in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        quota = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # noqa: E731 - it runs in the child
        assert arena.hook(arena.payload(SESSION, hook, prompt="torn"), preexec_fn=quota) == ""
    arena.quiet()
    arena.hook(_prompt(arena, "whole"))
    arena.hook(arena.payload(SESSION, "Stop"))
    arena.quiet()
    arena.settled(SESSION)
    assert _words(arena)[-8:].count("whole") == 1
    assert len(damage(arena.engine.store.lines(SESSION)[0])) <= 20
    assert arena.scratch() == []


@pytest.fixture
def stranger():
    """An arena that a user without a name can reach, and how a hook becomes that user."""
    if os.geteuid() != 0:
        pytest.skip("only root can become someone else")
    base = tempfile.mkdtemp()
    os.chmod(base, 0o755)
    arena = Arena(base)
    os.chown(arena.home, NOBODY, NOBODY)
    yield arena
    arena.close()
    shutil.rmtree(base)


# Another user may not be able to read this interpreter's files, so all that a hook can ask for is loaded before the change.
BECOME = f"""
import os, pwd, select
import tapehead.engine.background, tapehead.engine.engine, tapehead.engine.hook, tapehead.engine.start
from tapehead.cli.main import run_hook
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
run_hook("claude")
"""


def _as_stranger(arena, hook="UserPromptSubmit"):
    raw = arena.payload(SESSION, hook, prompt="strange")
    return arena.hook(raw, words=(sys.executable, "-c", BECOME))


def test_a_store_of_someone_else(stranger):
    """A store that belongs to another user is left alone, even where it could be written."""
    stranger.hook(_prompt(stranger, "mine"))
    stranger.quiet()
    for path in (stranger.root, *tree(stranger.root)):
        os.chmod(path, 0o777)
    for path in tree(stranger.home):
        os.chown(path, NOBODY, NOBODY)
    before = tree(stranger.root)
    assert _as_stranger(stranger) == ""
    assert tree(stranger.root) == before
    assert _words(_at_home_of(stranger)) == ["strange"]


def _at_home_of(arena):
    found = [path for path in tree(arena.home) if path.endswith(f"{SESSION}.tape")]
    assert len(found) == 1
    arena.root = os.path.dirname(os.path.dirname(found[0]))
    return arena


def test_a_repository_of_someone_else(stranger):
    """Where `.git` cannot be written the store at home is used, and nothing is made in the repository."""
    for hook in ("SessionStart", "UserPromptSubmit", "Stop"):
        assert _as_stranger(stranger, hook) == ""
    stranger.quiet()
    assert not os.path.exists(stranger.root)
    _at_home_of(stranger).engine.settle(SESSION)
    assert stranger.settled(SESSION).turn_number == 1


def test_a_git_directory_that_nobody_may_read(stranger):
    """An unreadable HEAD, an unreadable `.git`: recorded at home."""
    os.chmod(os.path.join(stranger.work, ".git", "HEAD"), 0)
    assert _as_stranger(stranger) == ""
    os.chmod(os.path.join(stranger.work, ".git"), 0)
    assert _as_stranger(stranger) == ""
    assert sum(path.endswith(f"{SESSION}.tape") for path in tree(stranger.home)) >= 1


def test_a_closed_store_of_our_own(stranger):
    """A store of the user's own that was closed to writing: home takes the line."""
    os.makedirs(os.path.join(stranger.root, "sessions"))
    for path in (stranger.root, os.path.join(stranger.root, "sessions")):
        os.chown(path, NOBODY, NOBODY)
        os.chmod(path, 0o500)
    assert _as_stranger(stranger) == ""
    assert _words(_at_home_of(stranger)) == ["strange"]


def test_a_user_without_name_and_home(stranger):
    """Outside git, without HOME and without an entry in the password file: nothing is recorded, nothing is said."""
    del stranger.env["HOME"]
    shutil.rmtree(os.path.join(stranger.work, ".git"))
    before = tree(stranger.base)
    assert _as_stranger(stranger) == ""
    assert tree(stranger.base) == before
