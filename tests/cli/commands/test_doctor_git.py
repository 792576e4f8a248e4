"""What doctor knows of git: hooks that are shadowed, and commits and checkpoints that do not lead to each other."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import scenes
from tapehead.checkpoints import sync
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.cli import bytecode
from tapehead.git import hooks_install, trailers
from tapehead.git.side import Side
from tapehead.store import atomic, tape


@pytest.fixture
def known(repository, monkeypatch):
    monkeypatch.setattr(bytecode, "missing", lambda *_: ())
    scenes.git(repository.root, "commit", "-q", "--allow-empty", "-m", "base")
    repository.session()
    return repository


def found(repository, check, *words):
    return [one for one in repository.json("doctor", *words)["findings"] if one["check"] == check]


def put(repository, name="0123456789ab", commit="HEAD"):
    if commit == "HEAD":
        commit = scenes.git(repository.root, "rev-parse", "HEAD")
    kept = Checkpoints(Side(repository.layout.lines, f"{repository.root}/.git"))
    kept.put(Checkpoint(id=name, commit=commit), {}, Record(commit, checkpoints=(name,)), 0)
    return kept


def test_hooks_that_are_shadowed_are_put_back(known, tmp_path, monkeypatch):
    """Where they were wanted; in a folder of the work tree only a user can."""
    program = tmp_path / "tapehead"
    program.touch(mode=0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    atomic.write(known.layout.git_hooks, json.dumps({"program": str(program)}).encode())
    assert "post-commit" in found(known, "git_hooks")[0]["what"]
    known.run("doctor", "--fix")
    assert found(known, "git_hooks") == []
    assert hooks_install.missing(known.root) == []
    Path(known.root, "githooks").mkdir()
    scenes.git(known.root, "config", "core.hooksPath", "githooks")
    (one,) = found(known, "git_hooks", "--fix") or found(known, "git_hooks")
    assert "part of the work tree" in one["what"]


def test_hooks_that_nobody_asked_for_are_named_and_not_put_in(known):
    """Agents work here: doctor says what is missing and the command; it is no fault, and `--fix` leaves the repository alone."""
    (one,) = found(known, "git_hooks", "--fix")
    assert (one["level"], one["fixable"]) == ("note", False)
    assert "`tapehead install --git`" in one["hint"]
    assert hooks_install.missing(known.root) == [*hooks_install.NAMES]
    assert "git hooks are not installed" in known.run("doctor").stdout


def test_where_no_agent_works_nothing_is_missed(repository, monkeypatch):
    """A repository without sessions needs no hooks."""
    monkeypatch.setattr(bytecode, "missing", lambda *_: ())
    scenes.git(repository.root, "commit", "-q", "--allow-empty", "-m", "base")
    assert found(repository, "git_hooks") == []


def test_one_is_one(known):
    """A single commit, a single checkpoint: it is told in the singular."""
    scenes.git(known.root, "commit", "-q", "--allow-empty", "-m", f"x\n\n{trailers.NAME}: 0123456789ab")
    assert found(known, "trailers")[0]["what"].startswith("1 commit names a checkpoint")
    put(known, commit="1" * 40)
    assert found(known, "checkpoints")[0]["what"].startswith("1 checkpoint is of a commit that is not")


def test_a_trailer_without_a_checkpoint(known):
    """Until it is there."""
    scenes.git(known.root, "commit", "-q", "--allow-empty", "-m", f"x\n\n{trailers.NAME}: 0123456789ab")
    assert "0123456789ab" in found(known, "trailers")[0]["what"]
    put(known)
    assert found(known, "trailers") == []


def test_a_checkpoint_without_a_commit(known):
    """Of another clone, say."""
    put(known)
    assert found(known, "checkpoints") == []
    put(known, "ffffffffffff", "f" * 40)
    assert "ffffffffffff" in found(known, "checkpoints")[0]["what"]


def test_checkpoints_that_are_not_pushed(known, tmp_path):
    """Only for a remote that was synced before: nobody is told to."""
    scenes.git(known.root, "clone", "-q", "--bare", known.root, str(tmp_path / "remote.git"))
    scenes.git(known.root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    kept = put(known)
    assert found(known, "unpushed") == []
    sync.sync(kept, "origin", 0)
    assert found(known, "unpushed") == []
    put(known, "aaaaaaaaaaaa")
    assert "origin" in found(known, "unpushed")[0]["what"]


def test_a_broken_ref_is_named_and_mended(known):
    """The user's own gc fails for it; `--fix` brings it back."""
    kept = put(known)
    tip = kept.tip()
    assert found(known, "broken_refs") == []
    scenes.git(known.root, "update-ref", "-d", "refs/tapehead/checkpoints")
    scenes.git(known.root, "gc", "--quiet", "--prune=now")
    Path(known.root, ".git", "refs", "tapehead").mkdir(exist_ok=True)
    Path(known.root, ".git", "refs", "tapehead", "checkpoints").write_text(f"{tip}\n")
    (one,) = found(known, "broken_refs")
    assert (one["level"], tip[:12] in one["what"]) == ("error", True)
    known.run("doctor", "--fix")
    assert found(known, "broken_refs") == []
    assert kept.ids() == ["0123456789ab"]
    scenes.git(known.root, "gc", "--quiet")


def test_a_trailer_of_a_session_that_is_here_is_mended(known):
    """The id was promised, and nobody kept the promise: `--fix` has the session make its checkpoint."""
    session = known.engine.store.list()[0]
    tape.append(known.layout.reserved, {"id": "0123456789ab", "session": session, "at": "2027"})
    scenes.git(known.root, "commit", "-q", "--allow-empty", "-m", f"x\n\n{trailers.NAME}: 0123456789ab")
    assert found(known, "trailers")[0]["fixable"]
    known.run("doctor", "--fix")
    assert found(known, "trailers") == []
    kept = Checkpoints(Side(known.layout.lines, str(Path(known.root, ".git"))))
    assert kept.get("0123456789ab").session == session
