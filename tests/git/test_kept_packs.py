"""What a ref of ours is about to name, no prune takes; and a ref that is broken all the same is mended."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

import scenes
from tapehead.checkpoints import ref_repair, sync
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.checkpoints.checkpoint_ref import REF, Checkpoints
from tapehead.checkpoints.handoff_ref import Handoff, Handoffs
from tapehead.checkpoints.union import unite
from tapehead.git import kept_packs
from tapehead.git.run import GitFailed
from tapehead.git.side import Side


@pytest.fixture
def repo(tmp_path):
    return scenes.repository(tmp_path / "repo")


def side_of(repo):
    return Side(str(repo / ".git" / "tapehead" / "lines.git"), str(repo / ".git"))


def put(repo, *numbers):
    for number in numbers:
        one = Checkpoint(id=f"{number:012x}", commit=f"{number:040x}")
        Checkpoints(side_of(repo)).put(one, {"brief.md": b"x\n"}, Record(one.commit, checkpoints=(one.id,)), number)


def ids(repo):
    return [int(name, 16) for name in Checkpoints(side_of(repo)).ids()]


def sweep(repo):
    """The harshest that a user can do."""
    scenes.git(repo, "reflog", "expire", "--expire=now", "--all")
    scenes.git(repo, "repack", "-a", "-d", "-q")
    scenes.git(repo, "gc", "--quiet", "--prune=now")


def sound(repo):
    return not scenes.git(repo, "fsck", "--full", "--strict", "--no-dangling")


@pytest.fixture
def swept(monkeypatch):
    """A gc that prunes, between the writing of objects and every move of a ref."""
    moved = Checkpoints.moved

    def after_a_sweep(self, old, new):
        sweep(os.path.dirname(self.side.common_dir))
        return moved(self, old, new)

    monkeypatch.setattr(Checkpoints, "moved", after_a_sweep)


@pytest.mark.usefixtures("swept")
def test_no_prune_takes_what_a_ref_is_about_to_name(repo):
    """Not of a checkpoint, not of a rewritten one, not of a handoff, not of two sides that are united."""
    put(repo, 1)
    one = Checkpoints(side_of(repo)).get(f"{1:012x}")
    Checkpoints(side_of(repo)).keep([one], [Record("a" * 40, checkpoints=(one.id,))], "rewritten\n", 0)
    Handoffs(side_of(repo), "origin").put(Handoff("id", "session"), {"brief.md": b"y\n"}, 0)
    base = scenes.git(repo, "rev-parse", REF).strip()
    put(repo, 2)
    scenes.git(repo, "update-ref", "refs/theirs", REF)
    scenes.git(repo, "update-ref", REF, base)
    put(repo, 3)
    unite(Checkpoints(side_of(repo)), scenes.git(repo, "rev-parse", "refs/theirs").strip(), 0)
    sweep(repo)
    assert ids(repo) == [1, 2, 3]
    assert sound(repo)


@pytest.mark.usefixtures("swept")
def test_what_lies_about_already_is_packed_all_the_same(repo):
    """An object that git has, and that no ref names, is any prune's: the pack has a copy."""
    put(repo, 1)
    scenes.git(repo, "update-ref", "-d", REF)
    put(repo, 1)
    assert ids(repo) == [1]
    assert sound(repo)


def test_nothing_is_left_behind(repo):
    """No keep, no scratch repository; also not of a writer that was killed, once that is an hour ago."""
    put(repo, 1)
    pack = kept_packs.Kept(side_of(repo), scenes_pack(repo))
    scratch = kept_packs.Scratch(side_of(repo)).__enter__()
    foreign = repo / ".git" / "objects" / "pack" / "pack-users.keep"
    foreign.write_text("mine\n")
    keep = Path(pack.path)
    put(repo, 2)
    assert (keep.exists(), os.path.exists(scratch.path)) == (True, True)
    for path in (keep, foreign, scratch.path):
        os.utime(path, (time.time() - 7200,) * 2)
    put(repo, 3)
    assert (keep.exists(), os.path.exists(scratch.path), foreign.exists()) == (False, False, True)


def scenes_pack(repo):
    return subprocess.run(
        ["git", "-C", str(repo), "pack-objects", "--revs", "--stdout", "-q"],
        input=b"HEAD\n",
        capture_output=True,
        check=True,
    ).stdout


def lose(repo, *, copies=True, former=True):
    """Everything that the checkpoints consist of goes, as a prune at the wrong moment would do it."""
    tip = scenes.git(repo, "rev-parse", REF).strip()
    scenes.git(repo, "update-ref", REF, "HEAD" if not former else f"{REF}~1")
    sweep(repo)
    (repo / ".git" / REF).parent.mkdir(parents=True, exist_ok=True)
    (repo / ".git" / REF).write_text(f"{tip}\n")
    if not copies:
        for path in kept_packs.copies(side_of(repo)):
            os.unlink(path)
    gc = subprocess.run(["git", "-C", str(repo), "gc", "-q"], capture_output=True, check=False)
    assert gc.returncode, "the user's own gc fails"
    return tip


def test_a_broken_ref_is_mended_from_our_copies(repo):
    """Nothing is lost then."""
    put(repo, 1, 2, 3)
    tip = lose(repo)
    assert ref_repair.broken(str(repo / ".git")) == {REF: tip}
    assert ref_repair.mend_all(side_of(repo)) == {REF: tip}
    assert (ids(repo), ref_repair.broken(str(repo / ".git"))) == ([1, 2, 3], {})
    sweep(repo)
    assert sound(repo)


def test_or_goes_back_to_what_is_whole(repo):
    """Where there are no copies; what it named is noted."""
    put(repo, 1, 2, 3)
    tip = lose(repo, copies=False)
    ref_repair.mend_all(side_of(repo))
    assert ids(repo) == [1, 2]
    assert side_of(repo).recall("moves.json")["lost"] == [f"{REF} {tip}"]
    sweep(repo)


def test_or_is_taken_away(repo):
    """Where nothing is left: the user's gc works again."""
    put(repo, 1, 2)
    lose(repo, copies=False, former=False)
    assert ref_repair.mend_all(side_of(repo)) == {REF: ""}
    sweep(repo)
    put(repo, 3)
    assert ids(repo) == [3]


def test_the_next_checkpoint_mends(repo):
    """By itself, whoever writes it."""
    put(repo, 1, 2)
    lose(repo)
    put(repo, 3)
    assert ids(repo) == [1, 2, 3]
    sweep(repo)
    assert sound(repo)


def test_a_sync_mends_what_it_stumbles_over(repo, tmp_path):
    """Git neither fetches nor pushes beside a broken ref."""
    scenes.git(tmp_path, "clone", "-q", "--bare", "repo", "remote.git")
    put(repo, 1, 2)
    lose(repo)
    assert sync.sync_all(side_of(repo), str(tmp_path / "remote.git"), 0).sent == 2


def lose_blob(repo, name):
    """One file of the checkpoints, whose pack is unpacked for it."""
    names = [path for path in (repo / ".git" / "objects" / "pack").iterdir() if path.suffix == ".pack"]
    for path in names:
        raw = path.read_bytes()
        for each in (path, path.with_suffix(".idx"), path.with_suffix(".rev")):
            each.unlink(missing_ok=True)
        subprocess.run(["git", "-C", str(repo), "unpack-objects", "-q"], input=raw, check=True)
    (repo / ".git" / "objects" / name[:2] / name[2:]).unlink()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_what_is_new_is_missed_without_looking_at_the_rest(repo, monkeypatch, number):
    """A sync looks at what came since the last; older losses are left to doctor, and to a push that fails."""
    put(repo, 1)
    before = scenes.git(repo, "rev-parse", REF).strip()
    ref_repair.mend_news(side_of(repo))
    put(repo, 2, 3)
    tip = scenes.git(repo, "rev-parse", REF).strip()
    place = f"{REF}:{number:012x}"
    blob = scenes.git(repo, "rev-parse", f"{place[: len(REF) + 3]}/{place[len(REF) + 3 :]}/checkpoint.json").strip()
    lose_blob(repo, blob)
    common = str(repo / ".git")
    assert kept_packs.is_whole(common, tip, before) == (number == 1)
    assert not kept_packs.is_whole(common, tip)
    assert ref_repair.mend_news(side_of(repo)) == ({} if number == 1 else {REF: tip})
    ref_repair.mend_news(side_of(repo))
    asked = []
    monkeypatch.setattr(kept_packs, "git", lambda _, *words, **__: asked.append(words[0]) or b"")
    ref_repair.mend_news(side_of(repo))
    assert asked == ["rev-list", "diff-tree", "cat-file"]


def test_a_push_that_fails_has_everything_looked_at(repo, tmp_path):
    """What lay deeper is mended then, and the push is done again."""
    put(repo, 1)
    blob = scenes.git(repo, "rev-parse", f"{REF}:00/0000000001/checkpoint.json").strip()
    ref_repair.mend_news(side_of(repo))
    put(repo, 2)
    lose_blob(repo, blob)
    scenes.git(tmp_path, "init", "-q", "--bare", "remote.git")
    assert sync.sync_all(side_of(repo), str(tmp_path / "remote.git"), 0).sent == 2


def test_a_ref_that_breaks_while_it_moves_is_made_whole(repo, monkeypatch):
    """The objects are looked for once more after the move, while the copy is at hand."""
    put(repo, 1)
    moved = Checkpoints.moved

    def and_lost(self, old, new):
        done = moved(self, old, new)
        for name in os.listdir(repo / ".git" / "objects" / "pack"):
            os.unlink(repo / ".git" / "objects" / "pack" / name)
        return done

    monkeypatch.setattr(Checkpoints, "moved", and_lost)
    put(repo, 2)
    monkeypatch.undo()
    assert kept_packs.is_whole(str(repo / ".git"), scenes.git(repo, "rev-parse", REF).strip())
    assert ids(repo) == [1, 2]


def test_a_git_that_is_killed_says_nothing_about_what_is_whole(repo, monkeypatch):
    """Its answer is no answer, and nothing is mended for it."""
    put(repo, 1)

    def killed(*_, **__):
        raise GitFailed("killed", -9)

    monkeypatch.setattr(kept_packs, "git", killed)
    with pytest.raises(GitFailed):
        kept_packs.is_whole(str(repo / ".git"), "HEAD")


def test_a_prune_that_takes_the_file_being_written_is_outlived(repo, monkeypatch):
    """It takes git's temporary files, too: the pack is written once more, and no keep stays behind."""
    real, failed = kept_packs.git, []

    def fails(directory, *words, **named):
        if words[0] == "index-pack" and not failed:
            failed.append(words)
            raise GitFailed("git index-pack ended with 128", 128)
        return real(directory, *words, **named)

    monkeypatch.setattr(kept_packs, "git", fails)
    put(repo, 1)
    assert (ids(repo), len(failed)) == ([1], 1)
    assert not list((repo / ".git" / "objects" / "pack").glob("*.keep"))
