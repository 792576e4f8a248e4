"""Which remotes are talked to, and for how long."""

from __future__ import annotations

import os
import time

import pytest
from click.testing import CliRunner

import scenes
from tapehead.checkpoints import sync
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.cli.app import app
from tapehead.git import run, transport
from tapehead.git.side import Side
from tapehead.system import exchange


@pytest.fixture
def repo(tmp_path):
    return scenes.repository(tmp_path / "repo")


def kept(repo):
    return Checkpoints(Side(str(repo / ".git" / "tapehead" / "lines.git"), str(repo / ".git")))


@pytest.mark.parametrize(
    "remote",
    [
        "ext::sh -c 'touch ran'",
        "fd::0",
        "fd::17,18/x",
        "hg::x",
        "ftp://h/x",
        "--upload-pack=touch ran",
        "-x",
        "",
        "testgit::/x",
    ],
)
def test_helpers_and_options_are_refused(repo, remote):
    """Before git is asked at all."""
    with pytest.raises(sync.Unreachable):
        sync.sync(kept(repo), remote, 0)
    assert not (repo / "ran").exists()


@pytest.mark.parametrize(
    "remote",
    ["origin", "https://h/x", "ssh://h/x", "git+ssh://h/x", "ssh+git://h/x", "git@h:x", "../x", "C:/x", "file:///x"],
)
def test_what_git_takes_by_default_is_taken(remote):
    """Names, addresses, paths."""
    assert not transport.why_refused(remote)


def test_a_remote_of_the_config_that_is_a_helper(repo):
    """Also where the user's own git would run it."""
    scenes.git(repo, "config", "protocol.ext.allow", "always")
    scenes.git(repo, "remote", "add", "origin", "ext::sh -c 'touch ran; exit 1'")
    scenes.git(repo, "remote", "add", "other", "https://example.invalid/x")
    scenes.git(repo, "config", "url.ext::sh -c 'touch ran' .insteadOf", "https://example.invalid/")
    for remote in ("origin", "other"):
        with pytest.raises(sync.Unreachable, match="not allowed"):
            sync.sync(kept(repo), remote, 0)
    assert not (repo / "ran").exists()


def test_what_the_user_forbids_stays_forbidden(repo, tmp_path, monkeypatch):
    """By the config, for one transport or for all; or by the environment."""
    scenes.git(tmp_path, "clone", "-q", "--bare", "repo", "remote.git")
    scenes.git(repo, "remote", "add", "origin", str(tmp_path / "remote.git"))
    sync.sync(kept(repo), "origin", 0)
    monkeypatch.delenv("GIT_CONFIG_COUNT")
    scenes.git(repo, "config", "protocol.file.allow", "never")
    with pytest.raises(sync.Unreachable, match="not allowed"):
        sync.sync(kept(repo), "origin", 0)
    scenes.git(repo, "config", "protocol.allow", "never")
    assert transport._allowed(str(repo)) == []
    scenes.git(repo, "config", "protocol.file.allow", "always")
    sync.sync(kept(repo), "origin", 0)
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "https:ssh")
    with pytest.raises(sync.Unreachable, match="not allowed"):
        sync.sync(kept(repo), "origin", 0)


def test_a_remote_that_never_answers_ends_with_all_that_it_started(repo, tmp_path, monkeypatch):
    """At the limit: the program that stands for ssh, and what that started itself, beside it and below it."""
    program = tmp_path / "ssh"
    pids = tmp_path / "pids"
    program.write_text(
        f"#!/bin/sh\nsleep 300 & echo $! >> {pids}\n( sleep 300 & echo $! >> {pids} )\necho $$ >> {pids}\nwait\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("GIT_SSH", str(program))
    scenes.git(repo, "remote", "add", "origin", "ssh://nowhere/x")
    monkeypatch.setattr(transport, "SECONDS", 3.0)
    with pytest.raises(sync.Unreachable, match="took longer"):
        sync.sync(kept(repo), "origin", 0)
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == 3
    until = time.monotonic() + 20
    while any(map(_lives, started)) and time.monotonic() < until:
        time.sleep(0.02)  # a kill is heard a moment after it is sent
    assert not any(map(_lives, started))


def _lives(pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2][:1] != b"Z"
    except OSError:
        return False


def test_more_than_anybody_would_send(repo, tmp_path, monkeypatch):
    """A pack that is too big is not kept, and nothing of it lies about."""
    other = scenes.repository(tmp_path / "other")
    (other / "big").write_bytes(os.urandom(400_000))
    scenes.git(other, "add", "big")
    scenes.git(other, "commit", "-qm", "big")
    scenes.git(other, "update-ref", "refs/tapehead/checkpoints", "HEAD")
    monkeypatch.setattr(transport, "_LARGEST", 100_000)
    before = scenes.git(repo, "count-objects", "-v")
    with pytest.raises(sync.Unreachable):
        sync.sync(kept(repo), str(other), 0)
    assert scenes.git(repo, "count-objects", "-v") == before
    assert not [name for name in os.listdir(repo / ".git" / "tapehead" / "lines.git") if name.startswith("incoming")]


def test_the_command_says_why(repo, monkeypatch):
    """In a word that leads on."""
    monkeypatch.chdir(repo)
    done = CliRunner().invoke(app, ["sync", "fd::0"])
    assert done.exit_code == 1
    assert "only file, git, http, https, ssh addresses" in done.output
    assert CliRunner().invoke(app, ["sync", "--", "--upload-pack=x"]).exit_code == 1


def test_an_interrupt_ends_git_too(repo, monkeypatch):
    """Whoever presses Ctrl-C leaves nothing running."""
    killed = []

    def interrupted(*_):
        raise KeyboardInterrupt

    kill = exchange._kill
    monkeypatch.setattr(exchange, "_exchange", interrupted)
    monkeypatch.setattr(exchange, "_kill", lambda pid: (killed.append(pid), kill(pid)))
    with pytest.raises(KeyboardInterrupt):
        run.git(str(repo), "version", timeout=5, largest=1 << 20)
    assert len(killed) == 1
    with pytest.raises(ChildProcessError):
        os.waitpid(killed[0], 0)
