"""`rewind` and its undo, byte for byte, whatever git is set to; whole, or not at all."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

import scenes
from tapehead.attribution import snapshots
from tapehead.git import raw_files
from tapehead.git.side import Side
from tapehead.rewind import file_writer


def files(root):
    """Every folder, file and link, with its mode and its bytes."""
    found = {}
    for directory, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*names, *folders):
            path = os.path.join(directory, name)
            mode = os.lstat(path).st_mode
            content = os.readlink(path) if os.path.islink(path) else Path(path).read_bytes() if name in names else None
            found[path] = (mode, content)
    return found


class Work:
    """One repository in which turns are made."""

    def __init__(self, repository):
        self.it = repository
        self.root = Path(repository.root)
        repository.hook("SessionStart", source="startup")

    def commit(self, **contents):
        for name, content in contents.items():
            (self.root / name).write_bytes(content)
        scenes.git(self.root, "add", "-A")
        scenes.git(self.root, "commit", "-qm", "on")

    def turn(self, change):
        self.it.hook("UserPromptSubmit", prompt="do it")
        self.it.engine.settle("one")
        before = files(self.root)
        change()
        self.it.hook("Stop", last_assistant_message="done")
        self.it.engine.settle("one")
        return before, files(self.root)

    def sweep(self):
        scenes.git(self.root, "reflog", "expire", "--expire=now", "--all")
        scenes.git(self.root, "gc", "-q", "--prune=now")

    def run(self, *words):
        return self.it.run("rewind", *words)


@pytest.fixture
def work(repository):
    return Work(repository)


def test_a_filter_that_loses_something_loses_nothing_here(work):
    """The files come back as they lay there, not as git would check them out."""
    scenes.git(work.root, "config", "filter.lossy.clean", "sed -e 's/#.*//'")
    scenes.git(work.root, "config", "filter.lossy.smudge", "sed -e 's/^/smudged /'")
    work.commit(
        **{".gitattributes": b"*.py filter=lossy\n*.txt text eol=crlf\n", "a.py": b"x # mine\n", "b.txt": b"1\n2\r\n"}
    )
    before, after = work.turn(lambda: [(work.root / name).write_bytes(b"new # too\n") for name in ("a.py", "b.txt")])
    assert work.run("--to", "0").exit_code == 0
    assert files(work.root) == before
    work.sweep()
    assert work.run("--undo").exit_code == 0
    assert files(work.root) == after


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_what_git_was_told_not_to_look_at(work, flag):
    """It is not written over without a word; forced, it comes and goes with the rest."""
    work.commit(**{"local.ini": b"default\n", "a.txt": b"a\n"})
    scenes.git(work.root, "update-index", flag, "local.ini")
    (work.root / "local.ini").write_bytes(b"my own secret\n")

    def change():
        (work.root / "a.txt").write_bytes(b"b\n")
        (work.root / "local.ini").write_bytes(b"the agent's\n")

    before, after = work.turn(change)
    done = work.run("--to", "0")
    assert (done.exit_code, "local.ini" in done.stderr) == (1, True)
    assert files(work.root) == after
    assert work.run("--to", "0", "--force").exit_code == 0
    assert files(work.root) == before
    assert work.run("--undo", "--force").exit_code == 0
    assert files(work.root) == after


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_what_is_staged_and_not_looked_at_may_be_missing(work, flag):
    """Git lists a new file that it does not look at as if it lay there: a rewind must not make it."""
    work.commit(**{"a.txt": b"a\n"})
    work.commit(**{"local.ini": b"default\n"})
    scenes.git(work.root, "update-index", flag, "local.ini")
    (work.root / "local.ini").unlink()
    scenes.git(work.root, "reset", "-q", "--soft", "HEAD~1")
    before, _ = work.turn(lambda: (work.root / "a.txt").write_bytes(b"b\n"))
    scenes.git(work.root, "rm", "-q", "--cached", "--sparse", "-f", "local.ini")
    assert work.run("--to", "0", "--force").exit_code == 0
    assert files(work.root) == before


def test_what_git_was_told_not_to_look_at_only_later_stays(work):
    """Nothing says how it was when it was not looked at."""
    work.commit(**{"local.ini": b"default\n", "a.txt": b"a\n"})
    work.turn(lambda: (work.root / "a.txt").write_bytes(b"b\n"))
    scenes.git(work.root, "update-index", "--skip-worktree", "local.ini")
    (work.root / "local.ini").write_bytes(b"mine\n")
    done = work.run("--to", "0")
    assert (work.root / "local.ini").read_bytes() == b"mine\n"
    assert (work.root / "a.txt").read_bytes() == b"a\n", done.stderr


def test_an_ignored_file_is_never_deleted(work):
    """Also where the rewind takes away the rule by which it was ignored."""
    work.commit(**{"a.txt": b"a\n"})
    work.turn(lambda: (work.root / ".gitignore").write_bytes(b"*.log\n"))
    (work.root / "kept.log").write_bytes(b"mine\n")
    after = files(work.root)
    assert work.run("--to", "0", "--force").exit_code == 0
    assert (work.root / "kept.log").read_bytes() == b"mine\n"
    assert work.run("--undo", "--force").exit_code == 0
    assert files(work.root) == after


def test_a_turn_outlives_a_reset_and_a_prune(work):
    """What was committed in it, or only staged, is in no ref of the user's any more."""
    work.commit(**{"a.txt": b"a\n"})

    def change():
        work.commit(**{"b.txt": b"committed\n"})
        (work.root / "c.txt").write_bytes(b"staged\n")
        scenes.git(work.root, "add", "c.txt")

    _, after = work.turn(change)
    scenes.git(work.root, "reset", "-q", "--hard", "HEAD~1")
    work.sweep()
    assert not (work.root / "b.txt").exists()
    done = work.run("--to", "1", "--force")
    assert done.exit_code == 0, done.stderr
    assert files(work.root) == after


def test_the_commit_that_recording_began_at_may_go_too(work):
    """Once HEAD has left it behind, what was borrowed from it is copied, before git may throw it away."""
    work.commit(**{"first.txt": b"1\n"})
    work.commit(**{"a.txt": b"a\n", "b.txt": b"b\n"})
    before, _ = work.turn(lambda: (work.root / "a.txt").write_bytes(b"A\n"))
    scenes.git(work.root, "reset", "-q", "--hard", "HEAD~1")
    work.turn(lambda: None)
    work.sweep()
    assert work.run("--to", "0", "--force").exit_code == 0
    assert files(work.root) == before


def test_a_record_of_a_former_version_is_checked_out(work, monkeypatch):
    """It has the files as git would commit them, so they come back as git would check them out."""
    work.commit(**{".gitattributes": b"*.txt text eol=crlf\n", "a.txt": b"1\r\n"})
    before, after = work.turn(lambda: (work.root / "a.txt").write_bytes(b"2\r\n"))
    read = snapshots.from_json

    def older(mark, found):
        return read(mark, {name: value for name, value in found.items() if name not in ("raw", "kept")})

    monkeypatch.setattr(snapshots, "from_json", older)
    assert work.run("--to", "0").exit_code == 0
    assert files(work.root) == before
    assert work.run("--undo").exit_code == 0
    assert files(work.root) == after


def test_permissions_come_back(work):
    """A file that nobody else may read is not open after a rewind and an undo."""
    work.commit(**{"a.txt": b"a\n"})

    def change():
        (work.root / "key").write_bytes(b"secret\n")
        (work.root / "key").chmod(0o600)

    work.turn(change)
    _, after = work.turn(lambda: (work.root / "a.txt").write_bytes(b"b\n"))
    assert work.run("--to", "0", "--force").exit_code == 0
    assert not (work.root / "key").exists()
    assert work.run("--to", "2").exit_code == 0
    assert files(work.root) == after


def test_a_nested_repository_is_left_alone(work):
    """What lies in it is its own, also where it took the place of a folder that was recorded."""
    work.commit(**{"a.txt": b"a\n"})
    (work.root / "sub").mkdir()
    work.turn(lambda: (work.root / "sub" / "x").write_bytes(b"x\n"))
    work.turn((work.root / "sub" / "x").unlink)
    scenes.git(work.root, "init", "-q", "sub")
    (work.root / "sub" / "y").write_bytes(b"y\n")
    done = work.run("--to", "1", "--force")
    assert not (work.root / "sub" / "x").exists()
    assert (work.root / "sub" / "y").read_bytes() == b"y\n"
    assert "sub/x" in done.stderr


def test_a_link_is_not_followed(work, tmp_path):
    """A folder that became a link to somewhere else: nothing is removed or written there."""
    (work.root / "d").mkdir()
    work.commit(**{"d/x": b"x\n", "a.txt": b"a\n"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x").write_bytes(b"theirs\n")

    def change():
        (work.root / "d" / "x").unlink()
        (work.root / "d").rmdir()
        (work.root / "d").symlink_to(tmp_path / "outside")

    before, after = work.turn(change)
    for words, seen in ((("--to", "0"), before), (("--undo",), after), (("--redo",), before)):
        assert work.run(*words, "--force").exit_code == 0
        assert files(work.root) == seen
        assert (tmp_path / "outside" / "x").read_bytes() == b"theirs\n"


def test_what_fails_half_way_is_taken_back(work, monkeypatch):
    """A disk that is full, a file that cannot be replaced: all is as it was, and the failure is told."""
    work.commit(**dict.fromkeys("abcd", b"a\n"))
    _, after = work.turn(lambda: [(work.root / name).write_bytes(b"b\n") for name in "abcd"])
    place, placed = file_writer._place, []

    def fails(base, path, one, content):
        placed.append(path)
        if len(placed) == 3:
            raise OSError(28, "No space left on device")
        place(base, path, one, content)

    monkeypatch.setattr(file_writer, "_place", fails)
    done = work.run("--to", "0")
    assert (done.exit_code, "nothing was changed" in done.stderr) == (1, True)
    assert files(work.root) == after
    monkeypatch.setattr(file_writer, "_place", place)
    assert "no rewind to revert" in work.run("--undo").stderr
    assert work.run("--to", "0").exit_code == 0


def test_a_failure_takes_no_step_from_undo_and_redo(work, monkeypatch):
    """What could be undone and redone before it can be afterwards, and nothing else."""
    work.commit(a=b"a\n")
    work.turn(lambda: (work.root / "a").write_bytes(b"b\n"))
    work.turn(lambda: (work.root / "a").write_bytes(b"c\n"))
    (work.root / "a").write_bytes(b"mine\n")
    done = work.run("--to", "1", "--force")
    assert done.exit_code == 0, done.stderr
    assert work.run("--undo").exit_code == 0
    place = file_writer._place
    for words in (("--to", "0", "--force"), ("--redo", "--force")):
        with monkeypatch.context() as patch:
            failing = iter([OSError(28, "No space left on device")])

            def fails(base, path, one, content, failing=failing):
                if error := next(failing, None):
                    raise error
                place(base, path, one, content)

            patch.setattr(file_writer, "_place", fails)
            assert work.run(*words).exit_code == 1
        assert (work.root / "a").read_bytes() == b"mine\n"
        assert work.run("--undo").exit_code == 1
    assert work.run("--redo").exit_code == 0
    assert (work.root / "a").read_bytes() == b"b\n"
    assert work.run("--undo").exit_code == 0
    assert (work.root / "a").read_bytes() == b"mine\n"


def test_what_could_not_be_taken_back_waits_for_an_undo(work, monkeypatch):
    """A rewind that breaks and cannot be taken back either keeps its step."""
    work.commit(**dict.fromkeys("ab", b"a\n"))
    _, after = work.turn(lambda: [(work.root / name).write_bytes(b"b\n") for name in "ab"])
    place = file_writer._place
    with monkeypatch.context() as patch:

        def fails(base, path, one, content):
            if path == b"b" or (work.root / "a").read_bytes() == b"a\n":
                raise OSError(28, "No space left on device")
            place(base, path, one, content)

        patch.setattr(file_writer, "_place", fails)
        assert work.run("--to", "0").exit_code == 1
    assert (work.root / "a").read_bytes() == b"a\n"
    assert work.run("--undo", "--force").exit_code == 0
    assert files(work.root) == after


def test_what_git_lost_is_told_before_anything_is_touched(work):
    """A record that cannot be carried out whole is not begun."""
    work.commit(**{"a.txt": b"a\n"})
    work.turn(lambda: (work.root / "b.txt").write_bytes(b"recorded\n"))
    _, after = work.turn(lambda: [(work.root / name).unlink() for name in ("a.txt", "b.txt")])
    blob = Path(work.it.store, "lines.git", "objects")
    for folder in blob.iterdir():
        if len(folder.name) == 2:
            for path in folder.iterdir():
                kind = scenes.git(blob.parent, "cat-file", "-t", folder.name + path.name)
                if (
                    kind == "blob"
                    and scenes.git(blob.parent, "cat-file", "blob", folder.name + path.name) == "recorded"
                ):
                    path.unlink()
                    break
    done = work.run("--to", "1", "--force")
    assert (done.exit_code, "thrown away" in done.stderr) == (1, True)
    assert files(work.root) == after


@pytest.mark.parametrize("number", range(1, 5))
def test_a_kill_can_be_undone_and_finished(work, monkeypatch, number):
    """At any file of a rewind, and of its undo: once more does it, and `doctor` says so until then."""
    work.commit(**dict.fromkeys("abcd", b"a\n"))
    before, after = work.turn(lambda: [(work.root / name).write_bytes(b"b\n") for name in "abcd"])
    place = file_writer._place

    class Killed(BaseException):
        """Nothing of ours runs after it."""

    def dies(base, path, one, content):
        if path == b"abcd"[number - 1 : number]:
            raise Killed
        place(base, path, one, content)

    for words, back, forth in ((("--to", "0"), "--undo", before), (("--undo",), "--undo", after)):
        monkeypatch.setattr(file_writer, "_place", dies)
        with pytest.raises(Killed):
            work.run(*words)
        monkeypatch.setattr(file_writer, "_place", place)
        found = [one for one in work.it.json("doctor")["findings"] if one["check"] == "cut_short"]
        assert len(found) == 1
        if forth is before:
            assert work.run(back, "--force").exit_code == 0
            assert files(work.root) == after
            assert work.run("--to", "0").exit_code == 0
        else:
            assert work.run(back, "--force").exit_code == 0
        assert files(work.root) == forth
        assert not [one for one in work.it.json("doctor")["findings"] if one["check"] == "cut_short"]
    assert work.run("--redo").exit_code == 0
    assert files(work.root) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_what_cannot_be_read_or_written_is_not_begun(work):
    """A folder that is read-only, a file that nobody may read."""
    (work.root / "d").mkdir()
    work.commit(**{"d/x": b"a\n", "y": b"a\n"})
    work.turn(lambda: [(work.root / name).write_bytes(b"b\n") for name in ("d/x", "y")])
    for path, mode in ((work.root / "d", 0o500), (work.root / "y", 0)):
        path.chmod(mode)
        assert work.run("--to", "0", "--force").exit_code == 1
        path.chmod(0o700)
        assert (work.root / "d" / "x").read_bytes() == b"b\n"


ASTRAY = [
    b"../outside.txt",
    b"a/../../outside.txt",
    b"/tmp/tapehead-outside.txt",
    b".git/hooks/post-checkout",
    b"a/.GIT/config",
    b".git ./hooks/pre-commit",
    b".g\xe2\x80\x8cit/config",
    b"GIT~1/config",
    b"a//b",
    b"a\0b",
]


def forged(work, field, name):
    """Puts another tree into what the oldest mark says, with all the marks behind it, as whoever unpacks a `.git` could."""
    side = Side(work.it.layout.lines, str(work.root / ".git"))
    [ref] = (
        side.git("for-each-ref", "--format=%(refname)", "refs/undo" if field == "kept" else "refs/marks")
        .decode()
        .split()
    )
    chain = side.git("rev-list", "--no-walk" if field == "kept" else "--reverse", ref).decode().split()
    said = json.loads(side.git("show", f"{chain[0]}:state.json")) | {field: name}
    blob = side.git("hash-object", "-w", "--stdin", stdin=json.dumps(said).encode()).decode().strip()
    top = side.git("mktree", stdin=f"100644 blob {blob}\tstate.json\n".encode()).decode().strip()
    made: tuple[str, ...] = ()
    for one in chain:
        words = ("commit-tree", top if not made else f"{one}^{{tree}}", *made)
        message = side.git("log", "-1", "--format=%B", one).decode()
        made = ("-p", side.git(*words, "-m", message).decode().strip())
    side.git("update-ref", ref, made[-1])
    for memory in Path(side.path).glob("*.tip.json"):
        memory.unlink()


def flat(work, path):
    """A flat tree with one file in it."""
    side = Side(work.it.layout.lines, str(work.root / ".git"))
    blob = side.git("hash-object", "-w", "--stdin", stdin=b"#!/bin/sh\n").decode().strip()
    return raw_files.write(os.path.join(side.path, "objects"), blob, {path: raw_files.Real(b"100755", blob, 0o755)})


@pytest.mark.parametrize("path", ASTRAY)
def test_a_record_of_somebody_else_names_no_file_outside(work, path):
    """Neither above the work tree nor in `.git`, where a hook would run: such a record is refused whole, and the files are named."""
    work.commit(**{"a.txt": b"one\n"})
    work.turn(lambda: (work.root / "a.txt").write_bytes(b"two\n"))
    forged(work, "raw", flat(work, path))
    everything = sorted(work.root.parent.rglob("*"))
    done = work.run("--to", "0", "--force")
    assert done.exit_code != 0
    assert "outside the work tree or in .git" in done.stderr
    assert (work.root / "a.txt").read_bytes() == b"two\n"
    assert [
        one for one in sorted(work.root.parent.rglob("*")) if one not in everything and "tapehead" not in one.parts
    ] == []
    assert not os.path.exists("/tmp/tapehead-outside.txt")


def test_a_tree_of_gits_own_form_names_none_either(work):
    """Git makes no such tree, but reads one."""
    work.commit(**{"a.txt": b"one\n"})
    work.turn(lambda: (work.root / "a.txt").write_bytes(b"two\n"))
    side = Side(work.it.layout.lines, str(work.root / ".git"))
    blob = side.git("hash-object", "-w", "--stdin", stdin=b"#!/bin/sh\n").decode().strip()
    tree = ""
    for name in (b"post-checkout", b"hooks", b".git"):
        row = (b"100755 " if not tree else b"40000 ") + name + b"\0" + bytes.fromhex(tree or blob)
        words = ("git", "--git-dir", side.path, "hash-object", "-w", "-t", "tree", "--literally", "--stdin")
        tree = subprocess.run(words, input=row, capture_output=True, check=True).stdout.decode().strip()
    forged(work, "work", tree)
    assert work.run("--to", "0", "--force").exit_code != 0
    assert not (work.root / ".git" / "hooks" / "post-checkout").exists()
    assert (work.root / "a.txt").read_bytes() == b"two\n"


def test_an_undo_names_none_either(work):
    """What is said to have lain there before a rewind is read with the same eyes."""
    work.commit(**{"a.txt": b"one\n"})
    work.turn(lambda: (work.root / "a.txt").write_bytes(b"two\n"))
    assert work.run("--to", "0").exit_code == 0
    forged(work, "kept", flat(work, b".git/hooks/post-checkout"))
    assert work.run("--undo").exit_code != 0
    assert not (work.root / ".git" / "hooks" / "post-checkout").exists()
    assert (work.root / "a.txt").read_bytes() == b"one\n"
