"""`install --git`, what it remembers, and how hooks come back that others took out."""

from __future__ import annotations

import json
import os

import pytest

import scenes
from tapehead.cli import bytecode, install_git
from tapehead.cli.commands import install as module
from tapehead.cli.output import run
from tapehead.engine import git_setup, store_registry
from tapehead.engine.store_location import state_home
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
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
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
    assert capsys.readouterr().out == "no tapehead hooks in this repository\n"


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
    """With the path and the call, so that a user can put it in; nothing is installed, and the exit code says so."""
    (world / "githooks").mkdir()
    scenes.git(world, "config", "core.hooksPath", "githooks")
    for words in (("--git",), ("--git", "--dry-run")):
        assert install(*words) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert "part of the work tree" in said.err
        assert 'tapehead hook git NAME "$@"' in said.err
    assert install("--git", "--json") == 1
    assert not list((world / "githooks").iterdir())
    assert install() == 0
    assert capsys.readouterr().err.count("part of the work tree") == 2  # one note for all; and the answer in JSON above
    for name in hooks_install.NAMES:
        (world / "githooks" / name).write_text(f"#!/bin/sh\n{install_git.call(name).strip('`')}\n")
        (world / "githooks" / name).chmod(0o755)
    assert install("--git") == 0
    assert capsys.readouterr().out == "hooks are already installed in this repository\n"
    assert hooks_install.missing(str(world)) == []


@pytest.mark.parametrize("words", [("--git",), ("--git", "--dry-run"), ("--git", "--json")])
@pytest.mark.parametrize("command", [install, uninstall])
def test_outside_of_a_repository_there_is_none(world, capsys, command, words):
    """It is an error, whatever the answer is to look like."""
    os.chdir(world.parent)
    assert command(*words) == 1
    said = capsys.readouterr()
    assert (said.out, "not in a git repository" in said.err) == ("", True)


@pytest.mark.parametrize("command", [install, uninstall])
def test_git_alone_is_no_agents(world, capsys, command):
    """--agent beside --git is not passed over in silence; nothing is done."""
    assert command("--git", "--agent", "codex", "--dry-run") == 1
    assert "only this repository" in capsys.readouterr().err
    assert hooks_install.missing(str(world)) == [*hooks_install.NAMES]


def test_a_dry_run_with_nothing_to_do_says_so(world, capsys):
    """Not a word would look like a failure."""
    install("--git")
    capsys.readouterr()
    assert install("--git", "--dry-run") == 0
    assert capsys.readouterr().out == "hooks are already installed in this repository\n"


def test_gits_hooks_stay_while_an_agent_has_hooks(world, capsys):
    """Two scopes: the hooks of git go with the last one, or when they are asked for."""
    assert install("--scope", "project", "--agent", "claude") == 0
    assert install("--scope", "local", "--agent", "claude") == 0
    capsys.readouterr()
    assert uninstall("--scope", "project") == 0
    assert "the git hooks stay" in capsys.readouterr().err
    assert hooks_install.missing(str(world)) == []
    assert uninstall("--scope", "local") == 0
    assert hooks_install.missing(str(world)) == [*hooks_install.NAMES]


def test_the_hooks_of_other_repositories_are_named(world, tmp_path, capsys):
    """They stay: each is its own repository's. Those that nobody put in are not named."""
    for name in ("other", "without"):
        there = scenes.repository(tmp_path / name)
        store_registry.register(state_home(os.environ), str(there / ".git" / "tapehead"))
        (there / ".git" / "tapehead").mkdir()
    os.chdir(tmp_path / "other")
    install("--git")
    os.chdir(world)
    install("--agent", "claude")
    capsys.readouterr()
    assert uninstall() == 0
    said = capsys.readouterr().err
    assert f"git hooks are also in {tmp_path / 'other'}. To remove them, run there: `tapehead uninstall --git`" in said
    assert "without" not in said
    assert not hooks_install.missing(str(tmp_path / "other"))


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
