"""Beside husky, lefthook and pre-commit, as they install themselves: all hooks run, whoever came first."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rig import hook_managers

import scenes
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import hooks_install, trailers
from tapehead.git.side import Side

ROOT = str(Path(__file__).parents[2])
PROGRAM = str(Path(sys.executable).with_name("tapehead"))
HEARD = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-rewrite", "pre-push")


class Husky:
    """Its own folder, to which it turns git."""

    name = "husky"

    def write(self, repo):
        scripts = {"prepare": "husky"}
        wanted = {"private": True, "scripts": scripts, "devDependencies": {"husky": hook_managers.HUSKY}}
        (repo / "package.json").write_text(json.dumps(wanted))
        (repo / ".gitignore").write_text("node_modules\n")
        (repo / ".husky").mkdir()
        for hook in HEARD:
            (repo / ".husky" / hook).write_text(f'echo {hook} >> "$HEARD"\ntest "$FAILS" != {hook}\n')

    def install(self, run):
        run("npm", "install", "--offline", "--no-fund", "--no-audit", "--cache", hook_managers.npm_cache(ROOT))


class Lefthook:
    """Its script in the place of each hook."""

    name = "lefthook"

    def write(self, repo):
        rows = []
        for hook in HEARD:
            command = f'echo {hook} >> $HEARD; test "$FAILS" != {hook}'
            rows += [f"{hook}:", "  jobs:", f"    - run: {json.dumps(command)}"]
        (repo / "lefthook.yml").write_text("\n".join(rows) + "\n")
        (repo / ".gitignore").write_text("node_modules\n")

    def install(self, run):
        run("node", os.path.join(hook_managers.modules(ROOT), "lefthook", "bin", "index.js"), "install")


class PreCommit:
    """Its script in the place of each hook, which calls what it found."""

    name = "pre-commit"

    def write(self, repo):
        hooks = [
            {
                "id": hook,
                "name": hook,
                "language": "system",
                "always_run": True,
                "pass_filenames": False,
                "stages": [hook],
                "entry": f"sh -c 'echo {hook} >> $HEARD; test \"$FAILS\" != {hook}'",
            }
            for hook in HEARD
        ]
        config = {"default_install_hook_types": [*HEARD], "repos": [{"repo": "local", "hooks": hooks}]}
        (repo / ".pre-commit-config.yaml").write_text(json.dumps(config))

    def install(self, run):
        run(hook_managers.pre_commit(ROOT), "install")


class Team:
    """A repository with a remote, a manager of hooks, and an agent at work."""

    def __init__(self, base, manager):
        self.manager = manager
        self.heard = base / "heard"
        self.env = {**os.environ, "HEARD": str(self.heard), "GIT_EDITOR": "true", "FAILS": ""}
        self.env["PATH"] = f"{os.path.dirname(PROGRAM)}:{self.env['PATH']}"
        self.repo = scenes.repository(base / "repo")
        manager.write(self.repo)
        scenes.git(self.repo, "add", "-A")
        scenes.git(self.repo, "commit", "-qm", "set up")
        scenes.git(base, "init", "-q", "--bare", "remote.git")
        scenes.git(self.repo, "remote", "add", "origin", str(base / "remote.git"))

    def run(self, *words, check=True, **env):
        done = subprocess.run(
            words, cwd=self.repo, env={**self.env, **env}, capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.returncode

    def hook(self, name, **fields):
        payload = {"session_id": "one", "cwd": str(self.repo), "hook_event_name": name, **fields}
        subprocess.run([PROGRAM, "hook", "claude"], input=json.dumps(payload).encode(), check=True, capture_output=True)
        self.settle()

    def settle(self):
        """Waits for the detached settle, by its locks."""
        subprocess.run([PROGRAM, "hook", "git", "commits"], cwd=self.repo, check=True)
        for ending in (".worker", ".lock"):
            with (self.repo / ".git" / "tapehead" / "sessions" / f"one{ending}").open("a") as file:
                fcntl.flock(file, fcntl.LOCK_EX)

    def commit(self, *words, **env):
        """One more line of the agent's; what was heard, and the ids in the message."""
        with (self.repo / "agent.txt").open("a") as file:
            file.write("agent\n")
        self.run("git", "add", "-A")
        self.heard.write_text("")
        self.run("git", "commit", "-q", *words, **env)
        self.settle()
        return self.heard.read_text().split(), trailers.found(scenes.git(self.repo, "log", "-1", "--format=%B"))

    def kept(self):
        common = str(self.repo / ".git")
        return Checkpoints(Side(os.path.join(common, "tapehead", "lines.git"), common))


@pytest.fixture(params=[Husky, Lefthook, PreCommit], ids=lambda kind: kind.name)
def team(request, tmp_path):
    if reason := hook_managers.why_not(ROOT, request.param.name):
        pytest.skip(reason)
    return Team(tmp_path, request.param())


def all_run(team):
    """Commit, amend, rebase and push: theirs are all heard, ours did their work, and one of theirs that fails still counts."""
    heard, ids = team.commit("-m", "by the agent")
    assert heard == ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]
    assert len(ids) == 1
    assert team.kept().get(ids[0]).commit == scenes.git(team.repo, "rev-parse", "HEAD")
    editor = team.repo.parent / "editor"
    editor.write_text('#!/bin/sh\n{ echo written; cat "$1"; } > "$1.new" && mv "$1.new" "$1"\n')
    editor.chmod(0o755)
    heard, ids = team.commit(GIT_EDITOR=str(editor))
    assert heard == ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]
    assert len(ids) == 1
    team.heard.write_text("")
    team.run("git", "commit", "-q", "--amend", "-m", "amended")
    assert team.heard.read_text().split()[-1] == "post-rewrite"
    team.settle()
    team.heard.write_text("")
    team.run("git", "rebase", "-q", "--force-rebase", "HEAD~1")
    assert "post-rewrite" in team.heard.read_text().split()
    assert (team.repo / ".git" / "tapehead" / "rewrites.tape").exists()
    team.heard.write_text("")
    team.run("git", "push", "-q", "origin", "HEAD")
    assert team.heard.read_text().split() == ["pre-push"]
    assert hooks_install.missing(str(team.repo)) == []
    before = scenes.git(team.repo, "rev-parse", "HEAD")
    (team.repo / "agent.txt").write_text("refused\n")
    assert team.run("git", "commit", "-q", "-a", "-m", "x", check=False, FAILS="pre-commit")
    assert scenes.git(team.repo, "rev-parse", "HEAD") == before


def starts(team):
    team.hook("SessionStart", source="startup")
    team.hook("UserPromptSubmit", prompt="work")


def test_theirs_first(team):
    """Then ours beside them; and out again, theirs are as they were, and run as before."""
    team.manager.install(team.run)
    where = Path(hooks_install.directory(str(team.repo)))
    before = {path.name: (path.stat().st_mode, path.read_bytes()) for path in where.iterdir()}
    team.run(PROGRAM, "install", "--git")
    starts(team)
    all_run(team)
    team.run(PROGRAM, "uninstall", "--git")
    assert {path.name: (path.stat().st_mode, path.read_bytes()) for path in where.iterdir()} == before
    assert team.commit("-m", "without us") == (["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"], [])


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart", "Stop", "install", "doctor"])
def test_ours_first(team, event):
    """What they took away comes back with whatever comes next of an agent, or by hand; what was committed meanwhile is caught up."""
    team.run(PROGRAM, "install", "--git")
    starts(team)
    team.manager.install(team.run)
    lost = hooks_install.missing(str(team.repo))
    heard, meanwhile = team.commit("-m", "meanwhile")
    assert heard == ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]
    assert bool(meanwhile) == (not lost)
    missed = scenes.git(team.repo, "rev-parse", "HEAD")
    by_hand = {"install": ("install", "--git"), "doctor": ("doctor", "--fix")}
    if event in by_hand:
        told = team.run(PROGRAM, "doctor", check=False)
        assert bool(told) >= bool(lost)
        team.run(PROGRAM, *by_hand[event], check=False)
        assert hooks_install.missing(str(team.repo)) == []
        team.hook("UserPromptSubmit", prompt="more")
    else:
        team.hook(event, source="resume", prompt="more", last_assistant_message="done")
        assert hooks_install.missing(str(team.repo)) == []
        team.hook("UserPromptSubmit", prompt="more")
    assert len(team.kept().record(missed).checkpoints) == 1
    if event == "UserPromptSubmit":
        all_run(team)
    else:
        heard, ids = team.commit("-m", "more")
        assert (heard, len(ids)) == (["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"], 1)
