"""Our hooks beside others: all run, with their arguments, stdin and exit codes; out again without a trace."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess

import pytest

import scenes
from tapehead.git import hooks_install
from tapehead.git.hooks_install import NAMES, install, missing, uninstall

SHELL = '#!/bin/sh\nset -e\nprintf \'%s\\n\' "$0" "$@" >> "$HEARD"\ncat >> "$HEARD"\nexit 3\n'
PYTHON = "#!/usr/bin/env python3\nimport os, sys\nopen(os.environ['HEARD'], 'a').write(repr(sys.argv[1:]) + sys.stdin.read())\nsys.exit(3)\n"


@pytest.fixture
def repo(tmp_path):
    return scenes.repository(tmp_path / "repo")


@pytest.fixture
def ours(tmp_path):
    """A stand-in for tapehead that says what it was called with, and then fails."""
    program = tmp_path / "bin dir" / "tapehead"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho ours "$@" >> "$HEARD"\ncat >> "$HEARD"\necho noise; echo noise >&2; exit 9\n')
    program.chmod(0o755)
    return str(program)


def called(hook, tmp_path, *words, stdin=""):
    heard = tmp_path / "heard"
    heard.write_text("")
    env = {**os.environ, "HEARD": str(heard)}
    done = subprocess.run([str(hook), *words], input=stdin, capture_output=True, text=True, check=False, env=env)
    return done.returncode, done.stdout + done.stderr, heard.read_text()


def folder(directory):
    """Every file of a folder: its kind, mode and content."""
    found = {}
    for path in sorted(directory.rglob("*")):
        mode = path.lstat().st_mode
        found[path.name] = (mode, os.readlink(path) if stat.S_ISLNK(mode) else path.is_file() and path.read_bytes())
    return found


def test_where_there_was_nothing(repo, ours, tmp_path):
    """Ours run, fail silently, and are gone afterwards."""
    hooks = repo / ".git" / "hooks"
    before = folder(hooks)
    assert missing(str(repo)) == [*NAMES]
    assert [change.changed for change in install(str(repo), ours)] == [True] * len(NAMES)
    assert not any(change.changed for change in install(str(repo), ours))
    assert missing(str(repo)) == []
    assert called(hooks / "pre-push", tmp_path, "origin", stdin="refs\n") == (0, "", "ours hook git pre-push origin\n")
    uninstall(str(repo))
    assert folder(hooks) == before


@pytest.mark.parametrize("text", [SHELL, PYTHON, SHELL.replace("/bin/sh", "/usr/bin/env bash")])
def test_beside_a_hook(repo, ours, tmp_path, text):
    """It hears what it heard before, and its exit code counts."""
    hook = repo / ".git" / "hooks" / "pre-push"
    hook.write_text(text)
    hook.chmod(0o751)
    before = folder(hook.parent)
    code, said, heard = called(hook, tmp_path, "a b", stdin="in\nput")
    install(str(repo), ours)
    assert called(hook, tmp_path, "a b", stdin="in\nput") == (code, said, "ours hook git pre-push a b\n" + heard)
    uninstall(str(repo))
    assert folder(hook.parent) == before
    assert code == 3


@pytest.mark.parametrize("kind", ["switched off", "a link", "no first line", "one line", "binary"])
def test_beside_strange_hooks(repo, ours, tmp_path, kind):
    """One that is switched off stays so; a link stays a link; what is no script is not written into."""
    hook = repo / ".git" / "hooks" / "post-commit"
    elsewhere = repo / "script"
    elsewhere.write_text(SHELL)
    elsewhere.chmod(0o755)
    hook.write_bytes(
        {"no first line": b"exit 3\n", "one line": b"#!/bin/false", "binary": b"\x7fELF\0\xff"}.get(
            kind, SHELL.encode()
        )
    )
    hook.chmod(0o644 if kind == "switched off" else 0o755)
    if kind == "a link":
        hook.unlink()
        hook.symlink_to("../../script")
    before = folder(hook.parent)
    install(str(repo), ours)
    assert "ours hook git post-commit" in called(hook, tmp_path)[2]
    assert elsewhere.read_text() == SHELL
    assert called(hook, tmp_path)[0] == {"switched off": 0, "a link": 3, "no first line": 3, "one line": 1}.get(
        kind, 126
    )
    uninstall(str(repo))
    assert folder(hook.parent) == before


def test_what_the_shell_sees_to_be_nothing_to_us(repo, ours, tmp_path):
    """A message that nobody left anything beside, and an amend: no process is started for them."""
    install(str(repo), ours)
    hooks, message = repo / ".git" / "hooks", tmp_path / "MSG"
    assert called(hooks / "commit-msg", tmp_path, str(message)) == (0, "", "")
    assert called(hooks / "post-rewrite", tmp_path, "amend") == (0, "", "")
    assert called(hooks / "post-rewrite", tmp_path, "rebase")[2] == "ours hook git post-rewrite rebase\n"
    (tmp_path / "MSG.tapehead").write_text("")
    assert called(hooks / "commit-msg", tmp_path, str(message))[2] == f"ours hook git commit-msg {message}\n"


@pytest.fixture
def store(repo):
    """With a store, the shell's part decides and writes by itself."""
    (repo / ".git" / "tapehead").mkdir()
    return repo / ".git" / "tapehead"


@pytest.mark.parametrize(
    "shell", ["/bin/sh", "/usr/bin/env bash", "/bin/sh -eu", "/usr/bin/env zsh", "/usr/bin/env ksh"]
)
def test_a_commit_is_written_down_by_the_shell(repo, ours, store, tmp_path, shell):
    """In order, with what HEAD is and whether a rebase runs; whatever shell a hook is for, and what comes after it runs as before."""
    if not shutil.which(shell.split()[-1].removeprefix("-eu") or "sh"):
        pytest.skip("no such shell")
    install(str(repo), ours)
    hook = repo / ".git" / "hooks" / "post-commit"
    hook.write_text(hook.read_text().replace("#!/bin/sh", f"#!{shell}") + "echo after; exit 4\n")
    env = {**os.environ, "HEARD": str(tmp_path / "heard")}
    head = scenes.git(repo, "rev-parse", "HEAD")
    for folder_of_git in ("", "rebase-merge"):
        (repo / ".git" / (folder_of_git or ".")).mkdir(exist_ok=True)
        done = subprocess.run([str(hook)], cwd=repo, capture_output=True, text=True, check=False, env=env)
        assert (done.returncode, done.stdout, done.stderr) == (4, "after\n", "")
    rows = (store / "commits.tape").read_text().splitlines()
    assert rows == [f"{what} {head} refs/heads/main {repo}" for what in ("commit", "rebase")]
    assert stat.S_IMODE((store / "commits.tape").stat().st_mode) == 0o600


def test_what_the_shell_leaves_to_the_program(repo, ours, store, tmp_path, monkeypatch):
    """A commit whose trailer was removed, and a store that cannot be written: git waits for the program, as it always did."""
    install(str(repo), ours)
    monkeypatch.chdir(repo)
    hook = repo / ".git" / "hooks" / "post-commit"
    (repo / ".git" / "COMMIT_EDITMSG.tapehead").write_text("")
    assert called(hook, tmp_path)[2] == "ours hook git post-commit\n"
    (repo / ".git" / "COMMIT_EDITMSG.tapehead").unlink()
    (store / "commits.tape").mkdir()
    assert called(hook, tmp_path)[2] == "ours hook git post-commit\n"
    assert not list(store.glob("commits.tape/*"))


def test_a_push_asks_the_program_only_where_settings_speak_of_it(repo, ours, store, tmp_path, monkeypatch):
    """A project's file, the user's own, or the environment; the program reads them, the shell only sees the word."""
    install(str(repo), ours)
    monkeypatch.chdir(repo)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    hook, yes = repo / ".git" / "hooks" / "pre-push", "ours hook git pre-push origin\n"
    assert called(hook, tmp_path, "origin") == (0, "", "")
    for folder_of_settings in (store, tmp_path / ".config" / "tapehead", tmp_path / "xdg" / "tapehead"):
        folder_of_settings.mkdir(parents=True, exist_ok=True)
        (folder_of_settings / "config.toml").write_text("[checkpoints]\npush = true\n")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
        assert called(hook, tmp_path, "origin")[2] == yes, folder_of_settings
        (folder_of_settings / "config.toml").write_text("[checkpoints]\ntrailer = true\n")
    assert called(hook, tmp_path, "origin") == (0, "", "")
    monkeypatch.setenv("TAPEHEAD_CHECKPOINTS_PUSH", "true")
    assert called(hook, tmp_path, "origin")[2] == yes


def test_another_program_takes_the_place(repo, ours):
    """An install after an upgrade brings the call up to date, and nothing else."""
    hook = repo / ".git" / "hooks" / "post-commit"
    hook.write_text(SHELL)
    hook.chmod(0o755)
    install(str(repo), "/old/tapehead")
    install(str(repo), ours)
    assert hook.read_text().count(hooks_install.BEGIN) == 1
    assert "/old/" not in hook.read_text()
    uninstall(str(repo))
    assert hook.read_text() == SHELL


@pytest.mark.parametrize("path", [".husky/_", "/absolute"])
def test_where_git_looks_elsewhere(repo, ours, tmp_path, path):
    """core.hooksPath is followed, relative or not; a folder of the work tree only where git ignores it."""
    where = repo / path if not path.startswith("/") else tmp_path / "absolute"
    where.mkdir(parents=True)
    scenes.git(repo, "config", "core.hooksPath", path if not path.startswith("/") else str(where))
    if path.startswith("."):
        assert {change.problem[:22] for change in install(str(repo), ours)} == {"it is part of the work"}
        assert not list(where.iterdir())
        (where / ".gitignore").write_text("*")
    install(str(repo), ours)
    assert sorted(name.name for name in where.iterdir() if name.name != ".gitignore") == sorted(NAMES)
    assert scenes.git(repo, "status", "--porcelain") == ""
    uninstall(str(repo))
    assert [name.name for name in where.iterdir() if name.name != ".gitignore"] == []


def test_a_worktree_and_a_submodule(repo, ours, tmp_path):
    """A worktree shares the hooks of its repository; a submodule has its own."""
    scenes.git(repo, "worktree", "add", "-q", str(tmp_path / "linked"))
    install(str(tmp_path / "linked"), ours)
    assert missing(str(repo)) == []
    other = scenes.repository(tmp_path / "other")
    scenes.git(repo, "submodule", "--quiet", "add", str(other), "sub")
    assert missing(str(repo / "sub")) == [*NAMES]
    install(str(repo / "sub"), ours)
    assert (repo / ".git" / "modules" / "sub" / "hooks" / "post-commit").exists()
    assert missing(str(repo / "sub")) == []


def test_what_others_set_aside_is_cleaned_too(repo, ours):
    """pre-commit renames what it finds and calls it; that counts as running us, and goes with an uninstall."""
    hooks = repo / ".git" / "hooks"
    before = folder(hooks)
    install(str(repo), ours)
    (hooks / "post-commit").rename(hooks / "post-commit.legacy")
    (hooks / "post-commit").write_text("#!/usr/bin/env bash\n# File generated by pre-commit: …\n")
    (hooks / "post-commit").chmod(0o755)
    assert missing(str(repo)) == []
    (hooks / "pre-push").write_text("#!/bin/sh\n# somebody else's\n")
    assert missing(str(repo)) == ["pre-push"]
    (hooks / "pre-push").unlink()
    uninstall(str(repo))
    (hooks / "post-commit").unlink()
    assert folder(hooks) == before
