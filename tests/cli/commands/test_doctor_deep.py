"""`doctor` reads back what it says is well: checkpoints, snapshots and captures."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest

import repositories
import scenes
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.checkpoints.checkpoint_ref import REF, Checkpoints
from tapehead.cli import bytecode
from tapehead.cli.checks import read_back, tapes
from tapehead.git import run, stream
from tapehead.git import side as side_module
from tapehead.git.side import Side
from tapehead.store import captures
from tapehead.store.sessions import StateStore


@pytest.fixture
def worked(folder_of_module, monkeypatch):
    monkeypatch.setattr(bytecode, "missing", lambda *_: ())
    monkeypatch.setattr(read_back, "_NEWEST", 2)
    repository = repositories.kept(folder_of_module, monkeypatch, work)
    repository.kept = checkpoints_of(repository)
    return repository


def checkpoints_of(repository):
    return Checkpoints(Side(repository.layout.lines, f"{repository.root}/.git"))


def work(repository):
    """Two turns and four checkpoints, of which two are the newest."""
    scenes.git(repository.root, "commit", "-q", "--allow-empty", "-m", "base")
    repository.hook("SessionStart", source="startup")
    for number in range(2):
        repository.hook("UserPromptSubmit", prompt="do it")
        repository.engine.settle("one")
        Path(repository.root, "a.txt").write_text(f"recorded {number}\n")
        repository.hook("Stop", last_assistant_message="done")
        repository.engine.settle("one")
    commit = scenes.git(repository.root, "rev-parse", "HEAD")
    for number in range(4):
        one = Checkpoint(id=f"{number:012x}", commit=commit)
        files = {"brief.md": b"brief %d\n" % number}
        checkpoints_of(repository).put(one, files, Record(commit, checkpoints=(one.id,)), number)


def found(worked, *words):
    checks = ("checkpoints_read", "snapshots", "captures")
    return [one for one in worked.json("doctor", *words)["findings"] if one["check"] in checks]


def test_what_is_whole_is_well(worked):
    """Also where all of it is read."""
    assert found(worked) == found(worked, "--deep") == []


def damaged(worked, *names):
    """Objects of the user's repository whose bytes a disk has changed."""
    objects = Path(worked.root, ".git", "objects")
    for path in (objects / "pack").iterdir():
        if path.suffix == ".pack":
            path.rename(objects / "away.pack")
            scenes.git(worked.root, "-c", "alias.in=!git unpack-objects -q < .git/objects/away.pack", "in")
        else:
            path.unlink()
    for name in names:
        path = objects / name[:2] / name[2:]
        path.chmod(0o600)
        path.write_bytes(zlib.compress(b"blob 5\0other"))


def test_a_damaged_object_is_found(worked):
    """Of the newest checkpoints always, of the others by `--deep`."""
    for number, words in ((3, ()), (0, ("--deep",))):
        blob = scenes.git(worked.root, "rev-parse", f"{REF}:00/{number:010x}/brief.md")
        damaged(worked, blob)
        (one,) = found(worked, *words)
        assert (one["check"], one["level"]) == ("checkpoints_read", "error")
        assert f"00/{number:010x}/brief.md" in one["what"] or blob[:12] in one["what"]
        path = Path(worked.root, ".git", "objects", blob[:2], blob[2:])
        path.write_bytes(zlib.compress(b"blob %d\0brief %d\n" % (len(f"brief {number}\n"), number)))
    assert found(worked, "--deep") == []
    damaged(worked, scenes.git(worked.root, "rev-parse", f"{REF}:00/{0:010x}/brief.md"))
    assert found(worked) == []


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("00/0000000001/checkpoint.json", b"{"),
        ("00/0000000001/transcript.jsonl.gz", b"\x1f\x8bno"),
        ("by-commit/aa/b.json", b"[]"),
    ],
)
def test_what_is_not_what_it_should_be_is_found(worked, path, content):
    """A sound object that cannot be read as a checkpoint, a record or a transcript."""
    worked.kept.change(lambda: [stream.given(path.encode(), content)], "bad\n", 99)
    assert path in found(worked)[0]["what"]
    assert path in found(worked, "--deep")[0]["what"]


def own(worked, kind, holding=b""):
    """Our own objects of a kind."""
    objects = Path(worked.layout.lines, "objects")
    for folder in objects.iterdir():
        for path in folder.iterdir() if len(folder.name) == 2 else ():
            raw = zlib.decompress(path.read_bytes())
            if raw.startswith(kind) and holding in raw:
                yield path


def test_a_snapshot_that_is_not_whole_is_found(worked):
    """With the turn that no rewind can go to."""
    (path,) = own(worked, b"blob", b"\0recorded 0\n")
    path.unlink()
    (one,) = found(worked)
    assert (one["check"], " of one" in one["what"]) == ("snapshots", True)


def test_a_snapshot_whose_bytes_changed_is_found(worked):
    """By `--deep`, which reads everything."""
    (path,) = own(worked, b"blob", b"\0recorded 0\n")
    path.write_bytes(zlib.compress(b"blob 5\0other"))
    assert found(worked) == []
    assert [(one["check"], one["level"]) for one in found(worked, "--deep")] == [("snapshots", "error")]


@pytest.mark.parametrize("fixed", [True, False])
def test_recording_goes_on_after_a_damage(worked, fixed):
    """Where the newest mark itself is gone: by `--fix`, and by whatever is recorded next."""
    tip = scenes.git(worked.layout.lines, "rev-parse", "refs/marks/main")
    os.unlink(Path(worked.layout.lines, "objects", tip[:2], tip[2:]))
    (Path(worked.layout.lines) / "main.tip.json").unlink()
    assert [one["check"] for one in found(worked)] == ["snapshots"]
    if fixed:
        worked.run("doctor", "--fix")
    worked.hook("UserPromptSubmit", prompt="on")
    worked.engine.settle("one")
    Path(worked.root, "a.txt").write_text("later\n")
    worked.hook("Stop", last_assistant_message="done")
    worked.engine.settle("one")
    assert worked.json("rewind")[-1]["now"]
    assert found(worked) == []


def test_a_capture_that_was_changed_is_found(worked):
    """And set aside by `--fix`; former ones are read by `--deep`."""
    path = Path(captures.path(worked.layout, "one"))
    archive = path.parent / "archive"
    archive.mkdir(parents=True)
    (archive / "old.md").write_text("torn")
    assert found(worked) == []
    assert [one["check"] for one in found(worked, "--deep")] == ["captures"]
    (archive / "old.md").unlink()
    path.write_text("changed")
    (one,) = found(worked)
    assert (one["check"], one["fixable"], one["session"]) == ("captures", True, "one")
    worked.run("doctor", "--fix")
    assert found(worked) == []


@pytest.mark.parametrize("how", ["missing", "edited", "emptied"])
def test_captures_are_checked_without_being_asked(worked, how):
    """Each way of losing one is told, and `--fix` makes it again."""
    path = Path(captures.path(worked.layout, "one"))
    worked.hook("SessionEnd", reason="other")
    worked.engine.settle("one")
    assert found(worked) == []
    if how == "missing":
        path.unlink()
    else:
        path.write_text("" if how == "emptied" else path.read_text().replace("do it", "leave it"))
    (one,) = found(worked)
    assert (one["check"], one["level"], one["session"], one["fixable"]) == ("captures", "warning", "one", True)
    worked.run("doctor", "--fix")
    assert found(worked) == []
    assert "do it" in path.read_text()


def test_not_every_tape_is_read_whole(worked, monkeypatch):
    """Of many, the newest are; with --deep, all. The states are read once."""
    monkeypatch.setattr(tapes, "_WHOLE", 2)
    for number in range(5):
        worked.session(f"s{number}")
        os.utime(worked.tape(f"s{number}"), (number, number))
    read, loaded = [], []
    lines, load = StateStore.lines, StateStore.load

    def counted(self, name, offset=0):
        read.extend([] if offset else [name])
        return lines(self, name, offset)

    monkeypatch.setattr(StateStore, "lines", counted)
    monkeypatch.setattr(StateStore, "load", lambda self, name: loaded.append(name) or load(self, name))
    Path(worked.tape("s0")).write_bytes(b"torn\n" + Path(worked.tape("s0")).read_bytes())
    os.utime(worked.tape("s0"), (0, 0))
    told = [one["session"] for one in worked.json("doctor")["findings"] if one["check"] == "damaged"]
    assert told == []
    assert {*read} == {"one", "s4"}
    assert loaded.count("s1") == 1
    told = [one["session"] for one in worked.json("doctor", "--deep")["findings"] if one["check"] == "damaged"]
    assert told == ["s0"]


@pytest.mark.parametrize(
    ("content", "fixed"), [("", True), ("4d2f", False), ("0" * 40 + "\n", True), ("ref: refs/heads/none\n", False)]
)
def test_a_ref_that_names_nothing_is_found(worked, content, fixed):
    """The checkpoints' own ref, as a power cut may leave it: git's gc fails. `--fix`, or the next checkpoint, puts it back to what it named."""
    before, ids = worked.kept.tip(), worked.kept.ids()
    Path(worked.root, ".git", REF).write_text(content)
    told = [one for one in worked.json("doctor")["findings"] if one["check"] == "broken_refs"]
    assert [(one["level"], one["fixable"]) for one in told] == [("error", True)]
    if fixed:
        worked.run("doctor", "--fix")
        assert worked.kept.tip() == before
    else:
        worked.kept.change(lambda: [stream.given(b"more", b"1")], "more\n", 99)
    assert worked.kept.ids() == ids
    assert not [one for one in worked.json("doctor")["findings"] if one["check"] == "broken_refs"]
    scenes.git(worked.root, "gc", "-q", "--prune=now")


@pytest.mark.parametrize(("content", "fixed"), [("", False), ("\0" * 41, True)])
def test_a_chain_that_names_nothing_is_found(worked, content, fixed):
    """The snapshots' own ref. `--fix`, or the next snapshot, goes on from where it was."""
    ref = Path(worked.layout.lines, "refs", "marks", "main")
    before = ref.read_text()
    ref.write_text(content)
    assert [(one["check"], one["fixable"]) for one in found(worked)] == [("snapshots", True)]
    if fixed:
        worked.run("doctor", "--fix")
        assert ref.read_text() == before
    worked.hook("UserPromptSubmit", prompt="on")
    worked.engine.settle("one")
    assert found(worked, "--deep") == []
    assert before.strip() in scenes.git(worked.layout.lines, "rev-list", "refs/marks/main").split()


def test_as_many_tapes_are_replayed_as_there_is_time_for(worked, monkeypatch):
    """The newest, and always one; with --deep, all."""
    for number in range(4):
        worked.session(f"s{number}")
        os.utime(worked.tape(f"s{number}"), (number, number))
    replayed = []
    monkeypatch.setattr(tapes, "differences", lambda _, name: replayed.append(name) or {})
    for room, expected in ((0, []), (1, ["one"]), (os.path.getsize(worked.tape("one")) + 1, ["one", "s3"])):
        monkeypatch.setattr(tapes, "_REPLAYED", room)
        replayed.clear()
        worked.run("doctor")
        assert replayed == expected
    replayed.clear()
    worked.run("doctor", "--deep")
    assert len(replayed) == 5


@pytest.mark.parametrize("content", [b"", b'{"session": "one'])
def test_a_handoff_that_cannot_be_read_is_found(worked, content):
    """No start would get it, and nobody would know; `--fix` keeps the file in the quarantine."""
    worked.run("handoff", "--memo", "begin with a.txt")
    (path,) = Path(worked.layout.root, "batons").glob("*.json")
    assert "handoffs" not in [one["check"] for one in worked.json("doctor")["findings"]]
    path.write_bytes(content)
    assert "handoffs" in [one["check"] for one in worked.json("doctor")["findings"]]
    worked.run("doctor", "--fix")
    assert "handoffs" not in [one["check"] for one in worked.json("doctor")["findings"]]
    assert not path.exists()


def test_a_byte_that_changed_in_a_prompt_on_the_tape_is_found(worked):
    """The line can still be read, and its checksum no longer fits; dismissed once, it is no complaint any more."""
    path = Path(worked.tape("one"))
    assert "damaged" not in [one["check"] for one in worked.json("doctor")["findings"]]
    path.write_bytes(path.read_bytes().replace(b'"do it"', b'"do If"', 1))
    (one,) = [one for one in worked.json("doctor")["findings"] if one["check"] == "damaged"]
    assert (one["level"], one["session"], one["fixable"]) == ("warning", "one", True)
    assert "was changed after it was written" in one["what"]
    worked.run("doctor", "--fix")
    assert [one["level"] for one in worked.json("doctor")["findings"] if one["check"] == "damaged"] == ["note"]


@pytest.mark.parametrize("fixed", [True, False])
def test_a_deleted_ref_of_the_snapshots_is_found(worked, fixed):
    """`--fix` puts it back; without that the next snapshot goes on from the newest one all the same."""
    before = scenes.git(worked.layout.lines, "rev-parse", "refs/marks/main")
    Path(worked.layout.lines, "refs", "marks", "main").unlink()
    (one,) = found(worked)
    assert (one["check"], one["fixable"], "refs/marks/main" in one["what"]) == ("snapshots", True, True)
    if fixed:
        worked.run("doctor", "--fix")
        assert found(worked, "--deep") == []
    worked.hook("UserPromptSubmit", prompt="on")
    worked.engine.settle("one")
    assert before in scenes.git(worked.layout.lines, "rev-list", "refs/marks/main").split()
    assert found(worked, "--deep") == []


SPARSE = 60 << 30


def test_a_ref_of_gigabytes_is_told_and_git_is_never_asked_to_read_it(worked, monkeypatch):
    """Git would take it into memory with whatever it is asked. `--fix` puts the chain back to its newest mark."""
    before = worked.json("rewind")
    refs = [Path(worked.layout.lines, "refs", kind, "main") for kind in ("marks", "worktrees")]
    asked = []

    def watched(directory, *words, **more):
        asked.append(words) if any(ref.exists() and ref.stat().st_size > 1 << 20 for ref in refs) else None
        return run.git(directory, *words, **more)

    for ref in refs:
        os.truncate(ref, SPARSE)
    monkeypatch.setattr(side_module, "git", watched)
    [told] = found(worked, "--deep")
    assert "refs/marks/main" in told["what"]
    assert "refs/worktrees/main" in told["what"]
    worked.json("doctor", "--fix")
    assert asked == []
    assert found(worked, "--deep") == []
    assert worked.json("rewind") == before


def test_recording_goes_on_after_a_ref_of_gigabytes(worked):
    """By what was remembered of the newest mark: the next turn is recorded behind it."""
    ref = Path(worked.layout.lines, "refs", "marks", "main")
    os.truncate(ref, SPARSE)
    worked.hook("UserPromptSubmit", prompt="do it again")
    worked.engine.settle("one")
    Path(worked.root, "a.txt").write_text("recorded after it\n")
    worked.hook("Stop", last_assistant_message="done")
    worked.engine.settle("one")
    assert ref.stat().st_size < SPARSE
    assert "3" in {str(one["turn"]) for one in worked.json("rewind")}
    assert found(worked, "--deep") == []
