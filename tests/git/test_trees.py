"""The work tree as a tree object."""

from __future__ import annotations

import os
import subprocess

import pytest

import scenes
from tapehead.git import layout, trees, worktree
from tapehead.git.side import Side
from tapehead.store import lock


def recorder(worktree, name="main", store=None):
    repository = layout.find(str(worktree))
    path = str(store or os.path.join(repository.common_dir, "tapehead", "lines.git"))
    return trees.Trees(repository, Side(path, repository.common_dir), name)


def listed(one, tree):
    """The paths of a recorded tree with their content."""
    raw = one.side.git("ls-tree", "-r", "-z", tree).decode("utf-8", "surrogateescape")
    found = {}
    for entry in filter(None, raw.split("\0")):
        meta, path = entry.split("\t")
        mode, kind, name = meta.split()
        found[path] = (mode, one.side.git("cat-file", "blob", name).decode() if kind == "blob" else name)
    return found


def texts(one):
    return {path: text for path, (_, text) in listed(one, one.record().tree).items()}


def everything(repo):
    """Every byte and mode of a repository's own files and work tree, without what is ours."""
    found = {}
    for directory, folders, files in os.walk(repo):
        folders[:] = [name for name in folders if name != "tapehead"]
        for name in files:
            path = os.path.join(directory, name)
            with open(path, "rb") as file:
                found[path] = (os.lstat(path).st_mode, file.read())
    return found


@pytest.fixture
def repo(tmp_path):
    return scenes.repository(tmp_path / "repo")


def test_what_is_there_is_recorded(repo):
    """Changed, new, executable, linked and deleted files as they are; ignored ones not, whatever the index says."""
    (repo / "gone.txt").write_text("x\n")
    (repo / "staged.txt").write_text("old\n")
    scenes.git(repo, "add", "-A")
    scenes.git(repo, "commit", "-qm", "two")
    (repo / "gone.txt").unlink()
    (repo / "staged.txt").write_text("new\n")
    scenes.git(repo, "add", "staged.txt")
    (repo / "staged.txt").write_text("newer\n")
    (repo / ".gitignore").write_text("*.log\n")
    (repo / "noise.log").write_text("x")
    (repo / "new").mkdir()
    (repo / "new" / "tool").write_text("#!/bin/sh\n")
    (repo / "new" / "tool").chmod(0o755)
    (repo / "link").symlink_to("file.txt")
    one = recorder(repo)
    assert listed(one, one.record().tree) == {
        ".gitignore": ("100644", "*.log\n"),
        "file.txt": ("100644", "0\n"),
        "staged.txt": ("100644", "newer\n"),
        "new/tool": ("100755", "#!/bin/sh\n"),
        "link": ("120000", "file.txt"),
    }


def test_nothing_of_the_users_is_touched(repo):
    """Index, refs, objects, work tree: every byte is what it was, and fsck finds nothing new."""
    (repo / "file.txt").write_text("changed\n")
    (repo / "secret.env").write_text("TOKEN=abc\n")
    before, objects = everything(repo), scenes.git(repo, "count-objects", "-v")
    one = recorder(repo)
    assert texts(one)["secret.env"] == "TOKEN=abc\n"
    assert everything(repo) == before
    assert scenes.git(repo, "count-objects", "-v") == objects
    assert not scenes.git(repo, "fsck", "--full", "--strict")


def test_the_same_tree_twice_and_a_new_one_after_a_change(repo):
    """A second look at an unchanged work tree gives the same tree; the smallest change in it gives another."""
    one = recorder(repo)
    first = one.record()
    assert one.record() == first
    (repo / "file.txt").write_text("1\n")  # as long as it was before
    second = one.record()
    assert second.tree != first.tree
    (repo / "file.txt").write_text("0\n")
    assert one.record().tree == first.tree


def test_a_change_within_the_clocks_tick_is_seen(repo):
    """An entry as young as the user's index is doubtful in the copy too, and its content is compared."""
    for number in range(5):
        (repo / "file.txt").write_text(f"{number}\n")
        scenes.git(repo, "add", "file.txt")
        found = os.stat(repo / "file.txt")
        index = repo / ".git" / "index"
        os.utime(index, ns=(found.st_mtime_ns, found.st_mtime_ns))
        (repo / "file.txt").write_text(f"{number + 5}\n")
        os.utime(repo / "file.txt", ns=(found.st_atime_ns, found.st_mtime_ns))
        assert texts(recorder(repo))["file.txt"] == f"{number + 5}\n"


def test_a_file_that_is_ignored_later_goes(repo):
    """Also when it is the only thing that changes, and our copy knew the file."""
    (repo / "data.txt").write_text("x\n")
    one = recorder(repo)
    assert "data.txt" in texts(one)
    (repo / ".gitignore").write_text("data.txt\n")
    assert texts(one) == {"file.txt": "0\n", ".gitignore": "data.txt\n"}
    scenes.git(repo, "add", "-f", "data.txt")
    assert "data.txt" in texts(one)


def test_large_and_many_untracked_files_are_left_out_and_said(repo, monkeypatch):
    """Not tracked ones: those are the work."""
    monkeypatch.setattr(trees, "LARGEST", 10)
    monkeypatch.setattr(trees, "MOST", 3)
    (repo / "file.txt").write_text("larger than ten bytes\n")
    (repo / "big").mkdir()
    (repo / "big" / "film.bin").write_text("x" * 11)
    for number in range(3):
        (repo / f"n{number}").touch()
    one = recorder(repo)
    found = one.record()
    assert found.skipped == (b"big/film.bin", b"n2")
    assert listed(one, found.tree).keys() == {"file.txt", "n0", "n1"}


def test_before_the_first_commit_and_before_the_first_add(tmp_path):
    """A repository that has just been made has a work tree too."""
    scenes.git(tmp_path, "init", "-q", "repo")
    repo = tmp_path / "repo"
    assert texts(recorder(repo)) == {}
    (repo / "a").write_text("a\n")
    assert texts(recorder(repo)) == {"a": "a\n"}
    scenes.git(repo, "add", "a")
    (repo / "a").write_text("b\n")
    assert texts(recorder(repo)) == {"a": "b\n"}


def test_each_worktree_has_its_own(repo, tmp_path):
    """A linked worktree is recorded beside the main one, in the same store."""
    scenes.git(repo, "worktree", "add", "-q", str(tmp_path / "linked"))
    (tmp_path / "linked" / "only.txt").write_text("x\n")
    (repo / "file.txt").write_text("main\n")
    linked, main = recorder(tmp_path / "linked", "wt-linked"), recorder(repo)
    assert linked.side.path == main.side.path
    assert texts(linked) == {"file.txt": "0\n", "only.txt": "x\n"}
    assert texts(main) == {"file.txt": "main\n"}


def test_submodules_are_links_and_strange_repositories_are_left_alone(repo, tmp_path):
    """A submodule is the commit that it stands at, however dirty it is; a repository that lies about is none of the work."""
    other = scenes.repository(tmp_path / "other")
    scenes.git(repo, "submodule", "--quiet", "add", str(other), "sub")
    scenes.git(repo, "commit", "-qm", "sub")
    (repo / "sub" / "dirt").touch()
    scenes.repository(repo / "stray" / "inner")
    (repo / "stray" / "note").write_text("n\n")
    one = recorder(repo)
    found = listed(one, one.record().tree)
    assert found["sub"] == ("160000", scenes.git(other, "rev-parse", "HEAD"))
    assert {path for path in found if path.startswith("stray")} == {"stray/note"}
    scenes.git(repo / "sub", "commit", "-q", "--allow-empty", "-m", "on")
    head = scenes.git(repo / "sub", "rev-parse", "HEAD")
    assert listed(one, one.record().tree)["sub"] == ("160000", head)
    assert texts(recorder(repo / "sub"))["dirt"] == ""


def test_what_is_sparse_stays_in_the_tree(repo):
    """Files that are not checked out are part of the tree all the same."""
    for name in ("in", "out"):
        (repo / name).mkdir()
        (repo / name / "f").write_text(name)
    scenes.git(repo, "add", "-A")
    scenes.git(repo, "commit", "-qm", "x")
    scenes.git(repo, "sparse-checkout", "set", "--cone", "--sparse-index", "in")
    assert not (repo / "out").exists()
    (repo / "in" / "f").write_text("changed")
    assert texts(recorder(repo)) == {"file.txt": "0\n", "in/f": "changed", "out/f": "out"}


def test_filters_and_line_ends(repo, capfd):
    """What git would commit is recorded, not the bytes on disk; and nothing is printed about it."""
    scenes.git(repo, "config", "core.autocrlf", "true")
    scenes.git(repo, "config", "core.safecrlf", "true")
    scenes.git(repo, "config", "filter.shout.clean", "tr a-z A-Z")
    (repo / ".gitattributes").write_text("*.loud filter=shout\n")
    (repo / "a.loud").write_text("word\n")
    (repo / "dos.txt").write_bytes(b"one\r\ntwo\n")
    found = texts(recorder(repo))
    assert (found["a.loud"], found["dos.txt"]) == ("WORD\n", "one\ntwo\n")
    assert capfd.readouterr() == ("", "")


def test_in_the_middle_of_a_merge(repo):
    """Files in conflict are recorded as they lie there."""
    scenes.git(repo, "checkout", "-qb", "other")
    (repo / "file.txt").write_text("theirs\n")
    scenes.git(repo, "commit", "-qam", "theirs")
    scenes.git(repo, "checkout", "-q", "main")
    (repo / "file.txt").write_text("ours\n")
    scenes.git(repo, "commit", "-qam", "ours")
    subprocess.run(["git", "merge", "other"], cwd=repo, capture_output=True, check=False)
    assert "<<<<<<<" in texts(recorder(repo))["file.txt"]
    (repo / "file.txt").unlink()
    assert "file.txt" not in texts(recorder(repo))


def test_names_of_all_kinds(repo):
    """Spaces, newlines, quotes, bytes that are no UTF-8, pathspec letters; a folder in a file's place."""
    strange = [b"a b", b"line\nbreak", b'q"uote', b"\xff\xfe", b":(top)x", b"*"]
    for name in strange:
        with open(os.path.join(os.fsencode(repo), name), "w") as file:
            file.write("x")
    os.mkdir(os.path.join(os.fsencode(repo), b":(glob)*"))
    with open(os.path.join(os.fsencode(repo), b":(glob)*", b"in"), "w") as file:
        file.write("x")
    (repo / "file.txt").unlink()
    (repo / "file.txt").mkdir()
    (repo / "file.txt" / "f").write_text("x")
    assert {os.fsencode(path) for path in texts(recorder(repo))} == {*strange, b"file.txt/f", b":(glob)*/in"}


def test_a_memory_that_is_damaged_is_no_memory(repo):
    """What was known of files that lie about is read again."""
    (repo / "file.txt").write_text("on\n")
    one = recorder(repo)
    tree = one.record().tree
    for damage in ("", "[]", '{"blobs": 3}', "{}"):
        with open(os.path.join(one.side.path, one.memory), "w") as file:
            file.write(damage)
        assert one.record().tree == tree


def test_a_file_that_lies_about_is_read_once(repo, monkeypatch):
    """By its stat data it is known again; a young one is not trusted, and one that was written again is read again."""
    read = []
    looked = trees.Trees._raw
    monkeypatch.setattr(trees.Trees, "_raw", lambda self, path: read.append(path) or looked(self, path))
    (repo / "file.txt").write_text("on\n")
    one = recorder(repo)
    monkeypatch.setattr(trees, "_YOUNG", -(10**18))
    first = one.record()
    assert (one.record(), read) == (first, [b"file.txt"])
    (repo / "file.txt").write_text("longer\n")
    assert one.record() != first
    monkeypatch.setattr(trees, "_YOUNG", 10**18)
    one.record()
    one.record()
    assert read == [b"file.txt"] * 4


def test_with_the_cache_of_untracked_files(repo):
    """Where the user's index has one, new folders are named as a whole and looked into."""
    repository = layout.find(str(repo))
    assert worktree._untracked(repository) == "--untracked-files=all"
    scenes.git(repo, "update-index", "--force-untracked-cache")
    scenes.git(repo, "status")
    assert worktree._untracked(repository) == "--untracked-files=normal"
    (repo / "new" / "deep").mkdir(parents=True)
    (repo / "new" / "deep" / "f").write_text("f\n")
    (repo / "loose").write_text("l\n")
    assert texts(recorder(repo)) == {"file.txt": "0\n", "new/deep/f": "f\n", "loose": "l\n"}


def test_two_at_once_wait_for_each_other(repo, monkeypatch):
    """One that waited for too long says so."""
    monkeypatch.setattr(trees, "_WAIT", 0)
    one = recorder(repo)
    one.record()
    held = lock.take(one.lock, 0)
    with pytest.raises(trees.Busy):
        one.record()
    lock.release(held)
    assert one.record()


def test_a_moved_repository_keeps_its_records(repo, tmp_path):
    """The side repository finds the user's objects by where it lies; one outside names them in full."""
    one = recorder(repo)
    tree = one.record().tree
    repo.rename(tmp_path / "moved")
    assert listed(recorder(tmp_path / "moved"), tree) == {"file.txt": ("100644", "0\n")}
    outside = recorder(tmp_path / "moved", store=tmp_path / "state" / "lines.git")
    assert texts(outside) == {"file.txt": "0\n"}


def test_sha256(tmp_path):
    """A repository of the other object format has a side of the same."""
    scenes.git(tmp_path, "init", "-q", "--object-format=sha256", "repo")
    (tmp_path / "repo" / "a").write_text("a\n")
    one = recorder(tmp_path / "repo")
    assert len(one.record().tree) == 64
    assert texts(one) == {"a": "a\n"}


def test_what_is_recorded_is_closed_to_others(repo):
    """Untracked files may hold secrets."""
    (repo / "secret.env").write_text("x\n")
    one = recorder(repo)
    one.record()
    for directory, _, files in os.walk(one.side.path):
        assert not any(
            os.stat(path).st_mode & 0o077 for path in (directory, *(os.path.join(directory, f) for f in files))
        )
