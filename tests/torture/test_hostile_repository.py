"""A repository that means harm: nothing that came with it is run, written through or believed."""

import os

import pytest
from arena import TAPEHEAD, commit, git

from tapehead.engine.store_location import place_of

HOOKS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
SOMEONE = 4321
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def plant(folder, evil):
    """A folder that looks like a bare repository, with a store that names commands."""
    for name in ("objects", "refs", "tapehead"):
        os.makedirs(os.path.join(folder, name))
        put(os.path.join(folder, name, "keep"), "")
    put(os.path.join(folder, "HEAD"), "ref: refs/heads/main\n")
    settings(os.path.join(folder, "tapehead"), evil)


def settings(root, evil):
    command = f"touch {evil}"
    text = f'[notes]\ncommand = "{command}"\nfirst = 0\nstep = 0\ncalls = 0\n[summarizer]\ncommand = "{command}"\n'
    put(os.path.join(root, "config.toml"), text)


def put(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def talk(arena, directory, session="victim"):
    """A session with enough in it for notes, in a directory."""
    record = os.path.join(arena.base, "transcript.jsonl")
    put(
        record,
        '{"type":"user","uuid":"u1","sessionId":"victim","message":{"role":"user","content":"Please build the parser"}}\n'
        '{"type":"assistant","uuid":"u2","parentUuid":"u1","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}\n',
    )
    for hook in HOOKS:
        raw = arena.payload(
            session, hook, prompt="x", cwd=directory, transcript_path=record, last_assistant_message="ok"
        )
        arena.hook(raw, cwd=directory)
    arena.quiet()


def recorded(arena, directory, session="victim"):
    """The only store of a place has all of the session."""
    (arena.root,) = place_of(directory, arena.env).roots
    events = [line.event.value for line in arena.lines(session) if line.event]
    assert events == ["session_start", "turn_start", "turn_end", "session_stop"]


def test_a_clone_runs_nothing(arena):
    """A committed folder that looks like a git dir has no say: its commands are not run, its store is not touched, home is used."""
    evil = os.path.join(arena.base, "evil")
    plant(os.path.join(arena.work, "docs", "example"), evil)
    commit(arena.work, "one")
    git(arena.work, "add", "-A")
    git(arena.work, "commit", "-qm", "an example")
    clone = os.path.join(arena.base, "clone")
    git(arena.base, "clone", "-q", arena.work, clone)
    folder = os.path.join(clone, "docs", "example")
    talk(arena, folder)
    assert not os.path.exists(evil)
    assert sorted(os.listdir(os.path.join(folder, "tapehead"))) == ["config.toml", "keep"]
    recorded(arena, folder)


def test_a_git_dir_that_came_with_a_project_runs_nothing(arena):
    """An unpacked archive may hold a `.git` with a store in it: its commands do not count, and the session is recorded."""
    evil = os.path.join(arena.base, "evil")
    os.mkdir(arena.root, 0o700)
    settings(arena.root, evil)
    talk(arena, arena.work)
    assert not os.path.exists(evil)
    assert len([line for line in arena.lines("victim") if line.event]) == 4


def test_what_the_user_allowed_runs(arena):
    """The same file, once the user allowed its text: the test above would see a command that runs."""
    evil = os.path.join(arena.base, "evil")
    os.mkdir(arena.root, 0o700)
    settings(arena.root, evil)
    arena.hook(b"", words=(TAPEHEAD, "config", "allow"), cwd=arena.work, stderr=None)
    talk(arena, arena.work)
    assert os.path.exists(evil)


@as_root
@pytest.mark.parametrize("whose", ["repository", "store", "sessions"])
def test_root_obeys_no_store_of_another_user(arena, whose):
    """Neither its settings nor a byte of it: root's own home takes the session."""
    evil = os.path.join(arena.base, "evil")
    os.makedirs(os.path.join(arena.root, "sessions"), 0o700)
    settings(arena.root, evil)
    store = arena.root
    given = {"repository": arena.work, "store": store, "sessions": os.path.join(store, "sessions")}[whose]
    for directory, folders, files in os.walk(given):
        for name in (".", *folders, *files):
            os.chown(os.path.join(directory, name), SOMEONE, SOMEONE)
    talk(arena, arena.work)
    assert not os.path.exists(evil)
    assert [names for _, _, names in os.walk(store)] == [["config.toml"], []]
    recorded(arena, arena.work)


@as_root
def test_root_by_sudo_leaves_nothing_that_the_user_cannot_read(arena):
    """Git works there for root who came by sudo; our store would be root's, so it is made at home."""
    for directory, folders, files in os.walk(arena.work):
        for name in (".", *folders, *files):
            os.chown(os.path.join(directory, name), SOMEONE, SOMEONE)
    arena.env["SUDO_UID"] = str(SOMEONE)
    talk(arena, arena.work)
    assert not os.path.exists(arena.root)
    recorded(arena, arena.work)


@pytest.mark.parametrize("what", ["", "sessions", "captures", "places"])
@pytest.mark.parametrize("leads", ["away", "nowhere"])
def test_links_in_a_store_are_not_followed(arena, what, leads):
    """A link as the store or as one of its folders, with something behind it or nothing: home takes the session."""
    target = os.path.join(arena.base, "target")
    if leads == "away":
        os.mkdir(target)
    if what:
        os.mkdir(arena.root, 0o700)
    os.symlink(target, os.path.join(arena.root, what).rstrip("/"))
    talk(arena, arena.work)
    assert not os.path.exists(target) or os.listdir(target) == []
    recorded(arena, arena.work)
