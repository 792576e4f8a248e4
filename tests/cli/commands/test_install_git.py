"""`install --git`, what it remembers, and how hooks come back that others took out."""

from __future__ import annotations

import json
import os

import pytest

import scenes
from tapehead.cli import bytecode, git_setup
from tapehead.cli.commands import install as module
from tapehead.cli.output import run
from tapehead.git import hooks_install
from tapehead.store.paths import Layout


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A repository and a program."""
    repo = scenes.repository(tmp_path / "repo")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tapehead").touch(mode=0o700)
    monkeypatch.chdir(repo)
    monkeypatch.setattr("sys.argv", [str(tmp_path / "bin" / "tapehead")])
    monkeypatch.setattr(bytecode, "compile_now", lambda: ())
    return repo


def install(*args):
    return run(module.install, args, "tapehead install")


def uninstall(*args):
    return run(module.uninstall, args, "tapehead uninstall")


def test_alone(world, capsys):
    """--git touches the repository and not the agent; a dry run neither; a second one says that there is nothing to do."""
    hooks = world / ".git" / "hooks"
    before = sorted(hooks.iterdir())
    assert install("--git", "--dry-run") == 0
    assert "+[ -x " in capsys.readouterr().out
    assert sorted(hooks.iterdir()) == before
    assert install("--git") == 0
    assert capsys.readouterr().out == f"hooks installed in {hooks} ({', '.join(hooks_install.NAMES)})\n"
    assert install("--git") == 0
    assert capsys.readouterr().out == "hooks are already installed in this repository\n"
    assert not os.path.exists(os.path.expanduser("~/.claude"))
    assert uninstall("--git", "--json") == 0
    assert [row["changed"] for row in json.loads(capsys.readouterr().out)["git"]] == [True] * len(hooks_install.NAMES)
    assert sorted(hooks.iterdir()) == before
    assert uninstall("--git") == 0
    assert capsys.readouterr().out == "no hooks of tapehead in this repository\n"


def test_together(world, capsys):
    """Without a word both are done, and undone; outside a repository there is only the agent."""
    assert install() == 0
    assert str(world / ".git" / "hooks") in capsys.readouterr().out
    assert not hooks_install.missing(str(world))
    assert install("--json") == 0
    assert [row["changed"] for row in json.loads(capsys.readouterr().out)["git"]] == [False] * len(hooks_install.NAMES)
    assert uninstall() == 0
    assert hooks_install.missing(str(world)) == [*hooks_install.NAMES]
    capsys.readouterr()
    os.chdir("/")
    assert install("--json") == 0
    assert json.loads(capsys.readouterr().out)["git"] == []


def test_a_hook_of_the_work_tree_is_left_alone_and_said(world, capsys):
    """With the path, so that a person can put the call in."""
    (world / "githooks").mkdir()
    scenes.git(world, "config", "core.hooksPath", "githooks")
    assert install("--git") == 0
    said = capsys.readouterr()
    assert "part of the work tree" in said.out + said.err
    assert not list((world / "githooks").iterdir())


def test_hooks_that_were_wanted_come_back(world, tmp_path):
    """After husky or lefthook took their place; not where nobody asked for them, nor after an uninstall."""
    layout = Layout(str(world / ".git" / "tapehead"))
    assert git_setup.heal(layout, str(world)) == []
    install("--git")
    assert git_setup.heal(layout, str(world)) == []
    (world / ".git" / "hooks" / "post-commit").write_text("#!/bin/sh\n# lefthook\n")
    assert git_setup.heal(layout, str(world)) == ["post-commit"]
    (world / ".husky" / "_").mkdir(parents=True)
    (world / ".husky" / "_" / ".gitignore").write_text("*")
    scenes.git(world, "config", "core.hooksPath", ".husky/_")
    assert git_setup.heal(layout, str(world)) == [*hooks_install.NAMES]
    uninstall("--git")
    assert git_setup.heal(layout, str(world)) == []
    assert not (world / ".git" / "hooks" / "pre-push").exists()
