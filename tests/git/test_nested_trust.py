"""Repositories that nobody named: git is run only in those that can start nothing of their own."""

from __future__ import annotations

import pytest

import scenes
from tapehead.git.layout import find
from tapehead.git.nested_trust import is_harmless


def fsmonitor(inner, program):
    scenes.git(inner, "config", "core.fsmonitor", str(program))


def clean_filter(inner, program):
    scenes.git(inner, "config", "filter.x.clean", str(program))
    (inner / ".git" / "info" / "attributes").write_text("* filter=x\n")


def included(inner, program):
    (inner / ".git" / "more").write_text(f"[core]\n\tfsmonitor = {program}\n")
    scenes.git(inner, "config", "include.path", "more")


def behind_a_comment(inner, program):
    with (inner / ".git" / "config").open("a") as file:
        file.write(f"[core]\n# not continued \\\n\tfsmonitor = {program}\n")


def of_the_worktree(inner, program):
    scenes.git(inner, "config", "extensions.worktreeConfig", "true")
    scenes.git(inner, "config", "--worktree", "core.fsmonitor", str(program))


def ref_hook(inner, program):
    program.rename(inner / ".git" / "hooks" / "reference-transaction")


def ref_hook_elsewhere(inner, program):
    (inner / "hooks").mkdir()
    program.rename(inner / "hooks" / "reference-transaction")
    scenes.git(inner, "config", "core.hooksPath", "hooks")


def in_our_own(inner, program):
    side = inner / ".git" / "tapehead" / "lines.git"
    scenes.git(inner, "init", "-q", "--bare", str(side))
    scenes.git(inner, "--git-dir", str(side), "config", "core.hooksPath", str(program.parent))
    program.rename(program.parent / "reference-transaction")


def refs_elsewhere(inner, program):
    (inner / ".git" / "refs").rename(program.parent / "refs")
    (inner / ".git" / "refs").symlink_to(program.parent / "refs")


PLANTS = (
    refs_elsewhere,
    fsmonitor,
    clean_filter,
    included,
    behind_a_comment,
    of_the_worktree,
    ref_hook,
    ref_hook_elsewhere,
    in_our_own,
)


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_what_could_start_a_program(tmp_path, plant):
    """Or lets what is written into it go elsewhere: a repository like any other, but for that."""
    inner, program = scenes.repository(tmp_path / "inner"), tmp_path / "bin" / "program.sh"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    assert is_harmless(find(str(inner)))
    plant(inner, program)
    assert not is_harmless(find(str(inner)))


def test_an_ordinary_config_is_harmless(tmp_path):
    """What git, its hosts and people usually write into it; a work tree beside and a submodule are where they seem to be."""
    one = scenes.repository(tmp_path / "one")
    for key, value in (
        ("remote.origin.url", "git@example.org:x.git"),
        ("branch.main.remote", "origin"),
        ("user.email", "a@b"),
        ("core.hooksPath", ".husky"),
        ("lfs.repositoryformatversion", "0"),
        ("http.extraheader", "x"),
    ):
        scenes.git(one, "config", key, value)
    scenes.git(one, "worktree", "add", "-q", str(tmp_path / "beside"))
    outer = scenes.repository(tmp_path / "outer")
    scenes.git(outer, "submodule", "add", "-q", str(one), "sub")
    assert [is_harmless(find(str(path))) for path in (one, tmp_path / "beside", outer / "sub")] == [True] * 3
    scenes.git(outer / "sub", "config", "core.worktree", str(one))
    (tmp_path / "beside" / ".git").write_text(f"gitdir: {one / '.git'}\n")
    assert not is_harmless(find(str(outer / "sub")))
    assert not is_harmless(find(str(tmp_path / "beside")))
    scenes.git(one, "config", "core.worktree", "..")
    assert not is_harmless(find(str(one)))
