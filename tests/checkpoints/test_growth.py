"""What another side may change: nothing of ours, and of others' only what grows."""

from __future__ import annotations

import attrs
import pytest

from tapehead.checkpoints import checkpoint as values
from tapehead.checkpoints import growth
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.checkpoints.growth import CHANGED, DELETED, FORGED, MALFORMED, Entry, Sides

OURS = Checkpoint(id="a" * 12, commit="1" * 40, session="mine", prompts=("do it",), updated_at="2020")
OTHERS = Checkpoint(id="b" * 12, commit="2" * 40, session="theirs", prompts=("do that",), updated_at="2020")


class Trees:
    """Three trees of files."""

    def __init__(self):
        self.contents = {}
        self.base = self.tree(OURS, OTHERS)

    def tree(self, *checkpoints, **files):
        found = {}
        for one in checkpoints:
            folder = f"{one.id[:2]}/{one.id[2:]}"
            found[f"{folder}/checkpoint.json"] = values.written(one)
            found[f"{folder}/brief.md"] = one.id.encode()
            record = Record(one.commit, checkpoints=(one.id,))
            found[f"by-commit/{one.commit[:2]}/{one.commit[2:]}.json"] = values.written_record(record)
        return {path.encode(): self.entry(content) for path, content in found.items()} | files

    def entry(self, content, mode=b"100644", size=None):
        name = f"{hash(content) & (1 << 160) - 1:040x}"
        self.contents[name] = content
        return Entry(mode, name, len(content) if size is None else size)

    def judged(self, theirs, ours=None, base=None, made=()):
        sides = Sides(
            self.base if ours is None else ours,
            theirs,
            self.base if base is None else base,
            self.contents.__getitem__,
            lambda session: session == "mine",
            lambda _, checkpoint: checkpoint in made,
        )
        return growth.checkpoints(sides)


@pytest.fixture
def trees():
    return Trees()


def refused(verdict):
    return {path.decode(): why for path, why in verdict.refused.items()}


def test_what_they_took_away_is_refused(trees):
    """All of it, each by its name."""
    verdict = trees.judged({})
    assert not verdict.taken
    assert set(verdict.refused.values()) == {DELETED}
    assert {b"aa/aaaaaaaaaa", b"bb/bbbbbbbbbb"} <= verdict.refused.keys()


def test_what_they_never_had_is_nothing_that_they_took_away(trees):
    """They are only behind."""
    assert trees.judged({}, base={}) == growth.Verdict()
    assert trees.judged(trees.base, ours=trees.tree(OURS, OTHERS, Checkpoint(id="c" * 12))) == growth.Verdict()


@pytest.mark.parametrize("field", ["updated_at", "created_at", "prompts", "commit", "session", "attribution"])
def test_ours_is_not_changed(trees, field):
    """Not in any field, whatever time they give it."""
    new = {"prompts": ("do it", "and that"), "attribution": {"agent_added": 9}}.get(field, "9999-01-01")
    theirs = trees.tree(OTHERS, attrs.evolve(OURS, **{field: new}))
    theirs |= {path: entry for path, entry in trees.base.items() if path.startswith(b"by-")}
    verdict = trees.judged(theirs)
    assert verdict.refused[b"aa/aaaaaaaaaa"] == CHANGED
    assert not any(path.startswith(b"aa/") for path in verdict.taken)


@pytest.mark.parametrize("name", ["brief.md", "transcript.jsonl.gz"])
def test_nothing_is_put_beside_ours(trees, name):
    """Neither in the place of a file nor where there was none."""
    theirs = {**trees.base, f"aa/aaaaaaaaaa/{name}".encode(): trees.entry(b"evil")}
    assert refused(trees.judged(theirs)) == {"aa/aaaaaaaaaa": CHANGED}


def test_anothers_may_grow(trees):
    """After an amend it has another name too, and more that was asked."""
    later = attrs.evolve(OTHERS, commit="3" * 40, former_commits=("2" * 40,), prompts=("do that", "and this"))
    theirs = {**trees.base, **trees.tree(later)}
    verdict = trees.judged(theirs)
    assert (verdict.refused, verdict.taken.keys()) == (
        {},
        {b"bb/bbbbbbbbbb/checkpoint.json", b"by-commit/33/33333333333333333333333333333333333333.json"},
    )


@pytest.mark.parametrize(
    "change", [{"prompts": ("other",)}, {"session": "x"}, {"commit": "4" * 40}, {"created_at": "x"}, {"agent": "x"}]
)
def test_anothers_may_not_become_something_else(trees, change):
    """What was asked, by which session, and what the commit was called: all that stays."""
    theirs = {**trees.base, **trees.tree(attrs.evolve(OTHERS, **change))}
    assert trees.judged(theirs).refused[b"bb/bbbbbbbbbb"] == CHANGED


def test_a_new_one_that_says_to_be_of_our_session(trees):
    """Only where that session's own tape says so: then this side lost it once."""
    new = Checkpoint(id="c" * 12, session="mine", commit="5" * 40)
    theirs = {**trees.base, **trees.tree(new)}
    assert refused(trees.judged(theirs)) == {"cc/cccccccccc": FORGED}
    assert not trees.judged(theirs, made={"c" * 12}).refused


@pytest.mark.parametrize("mode", [b"100755", b"120000", b"160000", b"040000"])
def test_only_plain_files(trees, mode):
    """A link, a program, a submodule is none."""
    new = Checkpoint(id="c" * 12, session="x")
    for name in (b"cc/cccccccccc/checkpoint.json", b"cc/cccccccccc/brief.md"):
        theirs = {**trees.base, **trees.tree(new)}
        theirs[name] = trees.entry(trees.contents[theirs[name].name], mode)
        assert trees.judged(theirs).refused[b"cc/cccccccccc"] == MALFORMED


@pytest.mark.parametrize(
    "path",
    [
        b"aa", b"cc/ccccccccccc/checkpoint.json", b"CC/cccccccccc/checkpoint.json", b"cc/cccccccccc/a/b", b"../x", b"x",
        b"cc/cccccccccc/.git", b"by-commit/zz/1.json", b"by-tree/aa/../x", b"by-tree/aa/" + b"1" * 38 + b"/x", b"\xff/x",
    ],
)  # fmt: skip
def test_only_paths_that_are_ours(trees, path):
    """Whatever else a tree can hold."""
    assert not trees.judged({**trees.base, path: trees.entry(b"1" * 40)}).taken


def test_what_says_to_be_another(trees):
    """A checkpoint below another's id, a record below another commit's name, an index that leads to no name."""
    told = trees.tree(Checkpoint(id="d" * 12, session="x", commit="6" * 40))
    moved = {
        b"cc/cccccccccc/checkpoint.json": told[b"dd/dddddddddd/checkpoint.json"],
        b"by-commit/77/77777777777777777777777777777777777777.json": told[
            b"by-commit/66/66666666666666666666666666666666666666.json"
        ],
        b"by-tree/77/77777777777777777777777777777777777777": trees.entry(b"../../x\n"),
    }
    verdict = trees.judged({**trees.base, **moved})
    assert not verdict.taken
    assert set(verdict.refused.values()) == {MALFORMED}


def test_what_is_too_big_is_not_read(trees):
    """By the size that git gives."""
    theirs = {**trees.base, b"cc/cccccccccc/checkpoint.json": trees.entry(b"{}", size=1 << 40)}
    theirs[b"by-commit/77/77777777777777777777777777777777777777.json"] = trees.entry(b"{", size=1 << 40)
    trees.contents.clear()
    trees.contents |= {trees.base[path].name: b"" for path in trees.base}
    assert set(trees.judged(theirs).refused.values()) == {MALFORMED}


def test_an_index_that_leads_to_ours_stays(trees):
    """Two commits of one tree: each side keeps the way to its own, and nobody is told."""
    path, ours, theirs = b"by-tree/99/99999999999999999999999999999999999999", "1" * 40, "2" * 40
    mine = {**trees.base, path: trees.entry(ours.encode())}
    verdict = trees.judged({**trees.base, path: trees.entry(theirs.encode())}, ours=mine)
    assert (verdict.taken, verdict.refused, verdict.stayed) == ({}, {}, {path})
    foreign = {**trees.base, path: trees.entry(theirs.encode())}
    assert trees.judged({**trees.base, path: trees.entry(ours.encode())}, ours=foreign).taken.keys() == {path}


def test_our_record_is_not_changed(trees):
    """Nobody adds a checkpoint to a commit of ours, or lines."""
    name = b"by-commit/11/11111111111111111111111111111111111111.json"
    more = Record("1" * 40, checkpoints=("a" * 12, "e" * 12))
    theirs = {**trees.base, name: trees.entry(values.written_record(more))}
    assert refused(trees.judged(theirs)) == {name.decode(): CHANGED}


def test_what_a_newer_version_writes_goes_along(trees):
    """It is not known here, and harms nobody."""
    assert trees.judged({**trees.base, b"by-author/ab/x.json": trees.entry(b"?")}).taken


class TestHandoffs:
    """Of one that is known only that it was taken is new."""

    BATON = b"s/h/baton.json"

    def judged(self, trees, theirs, ours, base):
        sides = Sides(ours, theirs, base, trees.contents.__getitem__, lambda _: False, lambda *_: False)
        return growth.handoffs(sides)

    @pytest.fixture
    def known(self, trees):
        return {self.BATON: trees.entry(b"{}"), b"s/h/sessions/s/tape.gz": trees.entry(b"t")}

    def test_a_new_one(self, trees, known):
        """All its files come."""
        assert self.judged(trees, known, {}, {}).taken == known

    @pytest.mark.parametrize("name", [b"baton.json", b"sessions/s/tape.gz", b"sessions/other/tape.gz", b"brief.md"])
    def test_nobody_changes_one(self, trees, known, name):
        """No file of it, and none is added."""
        theirs = {**known, b"s/h/" + name: trees.entry(b"evil")}
        assert self.judged(trees, theirs, known, known).refused == {b"s/h/" + name: CHANGED}

    def test_nobody_takes_one_away(self, trees, known):
        """Nor the mark that it was taken."""
        mine = {**known, b"s/h/taken.json": trees.entry(b"me")}
        assert set(self.judged(trees, {}, mine, mine).refused.values()) == {DELETED}
        assert self.judged(trees, {**known, b"s/h/taken.json": trees.entry(b"you")}, mine, mine).refused

    def test_it_can_be_taken(self, trees, known):
        """By one that was faster, and by one who could not ask."""
        mine = {**known, b"s/h/taken.json": trees.entry(b"me")}
        theirs = {**known, b"s/h/taken.json": trees.entry(b"you"), b"s/h/unseen/x.json": trees.entry(b"x")}
        verdict = self.judged(trees, theirs, mine, known)
        assert (verdict.taken.keys(), verdict.refused) == ({b"s/h/taken.json", b"s/h/unseen/x.json"}, {})

    @pytest.mark.parametrize(
        "path", [b"s/h", b"s/../baton.json", b"-s/h/baton.json", b"s/h/a/b/c/d", b"s/h/.x/y", b"s/\xff/y"]
    )
    def test_odd_names(self, trees, path):
        """They are none."""
        assert self.judged(trees, {path: trees.entry(b"")}, {}, {}).refused == {path: MALFORMED}
