"""Every kind of place that a hook may run in: it exits 0, prints nothing that the agent would misread, and records what it can."""

import os

import pytest
from arena import TAPEHEAD, Arena, commit, git, tree

from tapehead.engine.store_location import place_of

SESSION = "placed"
HOOKS = ("SessionStart", "UserPromptSubmit", "Stop")


def _run(arena, directory, **options):
    """A short session in a directory."""
    for hook in HOOKS:
        raw = arena.payload(SESSION, hook, prompt="do it", last_assistant_message="done", cwd=directory)
        assert arena.hook(raw, **options) == ""
    arena.quiet()


def _recorded(arena, root):
    """The session stands in this store, whole and settled."""
    arena.root = root
    state = arena.settled(SESSION)
    assert [line.event.value for line in arena.lines(SESSION) if line.event] == [
        "session_start",
        "turn_start",
        "turn_end",
    ]
    assert (state.turn_number, state.phase.value) == (1, "idle")
    return state


def _at_home(arena, directory):
    """The store in the user's own directory for a place."""
    return place_of(directory, arena.env).roots[-1]


def test_a_plain_repository(arena):
    """The store is in `.git`, and closed to others."""
    _run(arena, arena.work)
    _recorded(arena, arena.root)
    for path in tree(arena.root):
        assert not os.stat(path).st_mode & 0o077, path


def test_not_a_repository(tmp_path):
    """Outside git it goes to the user's state directory."""
    arena = Arena(str(tmp_path), repository=False)
    _run(arena, arena.work)
    _recorded(arena, _at_home(arena, arena.work))
    assert os.listdir(arena.work) == []


def test_a_bare_repository(tmp_path):
    """A bare repository has its store inside."""
    arena = Arena(str(tmp_path), repository=False)
    git(arena.work, "init", "-q", "--bare", "--template=")
    _run(arena, arena.work)
    _recorded(arena, os.path.join(arena.work, "tapehead"))


def test_a_worktree(arena):
    """A linked worktree shares the store of the main one, under its own name."""
    commit(arena.work, "one")
    linked = os.path.join(arena.base, "linked")
    git(arena.work, "worktree", "add", "-q", linked)
    _run(arena, linked)
    state = _recorded(arena, arena.root)
    assert (state.worktree_id, state.worktree_path) == ("linked", linked)
    assert state.base_commit == git(arena.work, "rev-parse", "HEAD").strip()


def test_a_submodule(arena):
    """A submodule has its own store, in its own git directory."""
    inner = os.path.join(arena.base, "inner")
    os.mkdir(inner)
    git(inner, "init", "-q", "-b", "main")
    commit(inner, "one")
    git(arena.work, "submodule", "--quiet", "add", inner, "sub")
    _run(arena, os.path.join(arena.work, "sub"))
    _recorded(arena, os.path.join(arena.work, ".git", "modules", "sub", "tapehead"))


def test_a_git_file(tmp_path):
    """A `.git` file leads to the git directory that it names."""
    arena = Arena(str(tmp_path), repository=False)
    elsewhere = os.path.join(arena.base, "elsewhere")
    git(arena.work, "init", "-q", "--separate-git-dir", elsewhere)
    _run(arena, arena.work)
    _recorded(arena, os.path.join(elsewhere, "tapehead"))


@pytest.mark.parametrize("text", ["gitdir: ../victim", "gitdir: /", "gitdir:", "nonsense", ""])
def test_a_git_file_that_leads_nowhere(tmp_path, text):
    """A `.git` file that names no git directory is followed nowhere: nothing is written where it points."""
    arena = Arena(str(tmp_path), repository=False)
    victim = os.path.join(arena.base, "victim")
    os.mkdir(victim)
    with open(os.path.join(arena.work, ".git"), "w", encoding="utf-8") as file:
        file.write(text)
    _run(arena, arena.work)
    _recorded(arena, _at_home(arena, arena.work))
    assert os.listdir(victim) == []


def test_a_repository_in_mid_rebase(arena):
    """A rebase that stopped at a conflict disturbs nothing, and is not disturbed."""
    commit(arena.work, "one")
    git(arena.work, "checkout", "-q", "-b", "side")
    commit(arena.work, "two")
    git(arena.work, "checkout", "-q", "main")
    commit(arena.work, "three")
    with pytest.raises(Exception, match="rebase"):
        git(arena.work, "rebase", "side")
    before = git(arena.work, "status", "--porcelain=v2", "--branch")
    _run(arena, arena.work)
    _recorded(arena, arena.root)
    assert git(arena.work, "status", "--porcelain=v2", "--branch") == before


@pytest.mark.parametrize("head", [b"", b"\xff\x00\xfe", b"ref: ../../../../etc/passwd", b"ref: " + b"x" * 100_000])
def test_a_head_that_says_nothing(arena, head):
    """Whatever HEAD holds, the session is recorded; where git says that this is no repository, at home."""
    with open(os.path.join(arena.work, ".git", "HEAD"), "wb") as file:
        file.write(head)
    _run(arena, arena.work)
    assert _recorded(arena, _at_home(arena, arena.work)).base_commit == ""
    assert not os.path.exists(os.path.join(arena.work, ".git", "tapehead"))


def test_a_store_that_is_a_file(arena):
    """Where a file is in the store's place, the store at home takes the lines; the file stays as it is."""
    with open(arena.root, "w", encoding="utf-8") as file:
        file.write("mine")
    mine = arena.root
    _run(arena, arena.work)
    _recorded(arena, _at_home(arena, arena.work))
    with open(mine, encoding="utf-8") as file:
        assert file.read() == "mine"


def test_no_home(arena):
    """In a repository nothing else is needed."""
    del arena.env["HOME"]
    arena.env["XDG_STATE_HOME"] = os.path.join(arena.base, "state")
    _run(arena, arena.work)
    _recorded(arena, arena.root)


@pytest.mark.parametrize("home", ["relative", "/dev/null", "/proc/nowhere"])
def test_a_home_that_is_none(tmp_path, home):
    """Outside git, with a home that cannot hold anything, nothing can be recorded, and nobody is told."""
    arena = Arena(str(tmp_path), repository=False)
    arena.env["HOME"] = home
    _run(arena, arena.work)
    assert os.listdir(arena.work) == []


@pytest.mark.parametrize("inside", [True, False])
def test_a_deleted_working_directory(tmp_path, inside):
    """The name that the shell knew still leads to the repository, or to the store at home."""
    arena = Arena(str(tmp_path), repository=inside)
    script = f'mkdir gone; cd gone; rmdir ../gone; exec "{TAPEHEAD}" hook claude'
    for hook in HOOKS:
        raw = arena.payload(SESSION, hook, cwd=None)
        assert arena.hook(raw, script=script, cwd=arena.work) == ""
    arena.quiet()
    gone = os.path.join(arena.work, "gone")
    _recorded(arena, arena.root if inside else _at_home(arena, gone))


def test_a_directory_that_was_deleted(arena):
    """A cwd in the payload that is no more still has a repository above it."""
    _run(arena, os.path.join(arena.work, "no", "more"))
    _recorded(arena, arena.root)


def test_a_work_tree_full_of_modules(arena):
    """Modules of the work tree are never loaded, even where PYTHONPATH names it and the hook runs in it."""
    for name in ("json", "os", "attr", "attrs", "select", "datetime", "hashlib", "binascii", "fcntl", "pwd"):
        with open(os.path.join(arena.work, name + ".py"), "w", encoding="utf-8") as file:
            file.write("import os\nprint('hijacked')\nos._exit(7)\n")
    arena.env["PYTHONPATH"] = arena.work
    _run(arena, arena.work, cwd=arena.work)
    _recorded(arena, arena.root)
