"""Large changes: compared in time, and one file that is too large is given up on alone."""

from __future__ import annotations

import pytest

import scenes
from tapehead.git import differences, hunks, layout
from tapehead.git.run import GitFailed
from tapehead.git.side import Side


@pytest.fixture
def side(tmp_path):
    repo = scenes.repository(tmp_path / "repo")
    found = Side(str(repo / ".git" / "tapehead" / "lines.git"), layout.find(str(repo)).common_dir)
    found.ready()
    found.repo = repo
    return found


def committed(side, **files):
    for name, content in files.items():
        (side.repo / name).write_bytes(content)
    scenes.git(side.repo, "add", "-A")
    scenes.git(side.repo, "commit", "-qm", "on")
    return scenes.git(side.repo, "rev-parse", "HEAD")


def test_one_file_is_too_large_and_the_others_are_not(side, monkeypatch):
    """It is named; a binary file is not: it has no lines."""
    monkeypatch.setattr(differences, "LARGEST", 1000)
    old = committed(side, small=b"a\n", large=b"a\n", binary=b"\0")
    new = committed(side, small=b"b\n", large=b"line\n" * 400, binary=b"\0\1")
    found = {diff.new: diff for diff in differences.between(side, old, new)}
    assert {path: diff.is_large for path, diff in found.items()} == {b"small": False, b"large": True, b"binary": False}
    assert found[b"small"].hunks == (hunks.Hunk(1, 1, 1, 1),)
    assert (found[b"large"].hunks, found[b"binary"].hunks) == ((), ())


def test_what_git_has_too_much_to_say_of_is_asked_piece_by_piece(side, monkeypatch):
    """Only the file that is too much by itself is given up on; a rename, and names of all kinds, are found all the same."""
    content = b"".join(b"%d\n" % number for number in range(200))
    old = committed(side, **{"a": b"a\n", "b *": b"b\n", ":(top)c": b"c\n", "moved": content, "much": b""})
    (side.repo / "moved").rename(side.repo / "elsewhere")
    new = committed(side, **{"a": b"A\n", "b *": b"B\n", ":(top)c": b"C\n", "much": b"much\n" * 5000})
    expected = differences.between(side, old, new)
    git, asked = side.git, []

    def limited(*words, **more):
        asked.append(words)
        said = git(*words, **more)
        if "-p" in words and len(said) > 8000:
            raise GitFailed("git diff-tree took longer than 60 s, or said too much")
        return said

    monkeypatch.setattr(side, "git", limited)
    found = differences.between(side, old, new)
    assert sorted(diff.new for diff in found) == sorted(diff.new for diff in expected)
    assert [diff.new for diff in found if diff.is_large] == [b"much"]
    assert {diff for diff in found if not diff.is_large} == {diff for diff in expected if diff.new != b"much"}
    assert ("R", b"moved", b"elsewhere") in {(diff.status, diff.old, diff.new) for diff in found}
    assert len(asked) < 12


def test_a_no_of_gits_is_a_no(side):
    """What it does not know, or what was killed, is not asked piece by piece."""
    with pytest.raises(GitFailed):
        differences.between(side, "0" * 40, scenes.git(side.repo, "rev-parse", "HEAD"))
