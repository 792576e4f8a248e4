"""Old marks go, and what they alone held."""

from __future__ import annotations

import pytest

import scenes
from tapehead.attribution import snapshots
from tapehead.git import layout, pruning
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.git.trees import Trees

DAY = 24 * 3600


def test_a_chain_is_cut_at_its_first_young_mark(tmp_path, monkeypatch):
    """The young ones are whole, the old ones gone with what they recorded; a second time there is nothing to do."""
    repo = scenes.repository(tmp_path / "repo")
    repository = layout.find(str(repo))
    side = Side(str(repo / ".git" / "tapehead" / "lines.git"), repository.common_dir)
    assert pruning.prune(side, 0) == 0
    trees, chain = Trees(repository, side, "main"), snapshots.Chain(side, "main")
    made = []
    for number in range(6):
        (repo / "file.txt").write_text(f"recorded {number}\n")
        mark = snapshots.Mark(snapshots.END, "s", number, f"line-{number}", number * 10 * DAY)
        made.append(chain.put(mark, trees.record()))
    assert pruning.prune(side, 25 * DAY) == 0
    monkeypatch.setattr(pruning, "_YOUNG", -1.0)
    assert pruning.prune(side, 50 * DAY) == 1
    assert [name for name, _ in chain.newest(99)] == [known.mark for known in reversed(made[2:])]
    assert chain.known(made[2].mark).work == made[2].work
    assert side.git("cat-file", "blob", f"{made[5].work}:file.txt") == b"recorded 5\n"
    with pytest.raises(GitFailed):
        side.git("cat-file", "-e", made[0].mark)
    with pytest.raises(GitFailed):
        side.git("cat-file", "-e", made[0].work)
    assert pruning.prune(side, 50 * DAY) == 0
    assert pruning.prune(side, 5000 * DAY) == 1
    assert len(chain.newest(99)) == 1
    assert not scenes.git(repo, "fsck", "--full", "--strict", "--no-dangling")


def test_a_copy_of_our_own_is_kept_where_the_user_has_one_too(tmp_path, monkeypatch):
    """And outlives the user's."""
    repo = scenes.repository(tmp_path / "repo")
    repository = layout.find(str(repo))
    side = Side(str(repo / ".git" / "tapehead" / "lines.git"), repository.common_dir)
    trees, chain = Trees(repository, side, "main"), snapshots.Chain(side, "main")
    made = []
    for number in range(3):
        (repo / "file.txt").write_text(f"recorded {number}\n")
        scenes.git(repo, "commit", "-qam", "on")
        mark = snapshots.Mark(snapshots.END, "s", number, f"line-{number}", number * 10 * DAY)
        made.append(chain.put(mark, trees.record()))
    monkeypatch.setattr(pruning, "_YOUNG", -1.0)
    for _ in range(2):
        pruning.prune(side, 45 * DAY)
    scenes.git(repo, "reset", "-q", "--hard", "HEAD~2")
    scenes.git(repo, "reflog", "expire", "--expire=now", "--all")
    scenes.git(repo, "gc", "-q", "--prune=now")
    assert side.git("cat-file", "blob", f"{made[2].work}:file.txt") == b"recorded 2\n"
