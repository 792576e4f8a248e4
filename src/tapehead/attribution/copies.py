"""Whose lines a commit has that nobody saw being made: a server's squash or rebase, a pick, a split, a patch that came by mail.

It is worked out from the commits that are on record, the surest first: one with the same files (tree), one with the same change (patch id),
those that its message names (trailers), and else those that have lines of the same text. Where git still has such a commit, its diff and
its blame tell which line is which; where it never came here, the digests that the record keeps of its lines. The record of the
original is left as it is.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tapehead.attribution import server_squashes
from tapehead.attribution.committed_lines import History
from tapehead.attribution.earlier_lines import from_commit
from tapehead.attribution.snapshots import Chain
from tapehead.attribution.text_match import Recorded, matches
from tapehead.checkpoints import line_owners, line_texts
from tapehead.checkpoints.checkpoint import Record
from tapehead.checkpoints.patch_id import patch_id
from tapehead.checkpoints.record_index import RecordIndex
from tapehead.git import commit_contents, trailers
from tapehead.git.run import GitFailed, git
from tapehead.store.origin import is_own
from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from tapehead.attribution.text_match import Found
    from tapehead.checkpoints.checkpoint_ref import Checkpoints
    from tapehead.checkpoints.line_owners import Range, Run
    from tapehead.git.commit_contents import Patch
    from tapehead.store.paths import Layout

_SECONDS = 20.0
_TIPS = 3
"""Commits that are compared line by line."""
_FILES = 50
"""Files of a commit for which git blame is asked: with more, their digests must do."""
_ORIGINALS = 30
_NEWEST = 1_000
"""Commits of all branches that a sync looks at."""


class Derived(NamedTuple):
    """What was worked out of a commit."""

    found: dict[bytes, list[Run]]
    """Whose lines it brought, the human's too, where that is known."""
    originals: tuple[Record, ...]
    kind: str


class Copies:
    """The records of a repository, with those that follow from them."""

    def __init__(self, kept: Checkpoints, directory: str, promised: Container[str] = ()) -> None:
        self.kept = kept
        self.directory = directory
        self.promised = promised
        """Ids of checkpoints that are about to be made here: a message that names one says nothing of another place."""
        self._index: RecordIndex | None = None
        self._by_path: dict[bytes, dict[str, Record]] = {}
        """The records that were asked for, by file."""
        self._found: dict[str, Record | None] = {}
        self._since = 0
        """When the first record was made: what is older cannot be a copy."""

    def records(self, commits: Iterable[str]) -> dict[str, Record]:
        """What is on record of these commits, and what follows for the others."""
        wanted = set(commits)
        known = self.kept.records(wanted)
        return {**known, **self.derived(wanted - known.keys())}

    def derived(self, commits: Iterable[str]) -> dict[str, Record]:
        """Of commits without a record, those that have lines of recorded ones."""
        wanted = set(commits)
        new = sorted(wanted - self._found.keys())
        if new and self._learned():
            told = commit_contents.read(self.directory, new, self._since)
            self._found |= {name: self._derive(told[name]) if name in told else None for name in new}
        return {name: record for name in wanted if (record := self._found.get(name))}

    def examine(self, commits: list[str]) -> dict[str, Record]:
        """The same for commits that were not looked at before, which the index remembers. One that names a checkpoint is looked at again."""
        if not self._learned() or self._index is None:
            return {}
        new = self._index.without(commits)
        known = self.kept.records(new)
        told = commit_contents.read(self.directory, [name for name in new if name not in known], self._since)
        self._found |= {name: self._derive(patch) for name, patch in told.items()}
        done = [
            (path, name) for name, one in told.items() if not trailers.everywhere(one.message) for path in one.files
        ]
        self._index.note_examined([*done, *((b"", name) for name in known)])
        return {name: record for name in told if (record := self._found.get(name))}

    def _learned(self) -> bool:
        """Looks whether anything is on record, once."""
        if self._index is None:
            self._index = RecordIndex(self.kept)
            self._since = self._index.begun()
        return bool(self._index)

    def _seen(self, commit: str) -> Record | None:
        """The record of a commit that was seen being made."""
        record = self.kept.record(commit) if commit else None
        return record if record and not record.derived else None

    def _of_path(self, path: bytes) -> dict[str, Record]:
        """The records that have lines of a file."""
        if path not in self._by_path:
            names = self._index.commits_of(path) if self._index else ()
            self._by_path[path] = {one.commit: one for one in self.kept.records(names).values() if not one.derived}
        return self._by_path[path]

    def take(
        self, commit: str, left: dict[bytes, list[Range]], found: dict[bytes, list[Run]]
    ) -> dict[bytes, list[Range]]:
        """Takes over the lines of a commit that recorded ones have; returns what they do not have."""
        told = commit_contents.read(self.directory, [commit]) if left and self._learned() else {}
        worked = self._worked_out(told[commit]) if commit in told else None
        if worked is None:
            return left
        still = {}
        for path, ranges in left.items():
            runs = worked.found.get(path, [])
            there = line_owners.both(ranges, [(start, count) for start, count, _ in runs])
            by = tuple(sorted(runs))
            found[path] += [run for start, count in there for run in line_owners.cut(by, start, count)]
            still[path] = line_owners.minus(ranges, there)
        return {path: ranges for path, ranges in still.items() if ranges}

    def _derive(self, patch: Patch) -> Record | None:
        worked = self._worked_out(patch)
        files = (
            {path: runs for path, each in worked.found.items() if (runs := line_owners.join_runs(each))}
            if worked
            else {}
        )
        if worked is None or not files:
            return None
        checkpoints = dict.fromkeys(one for record in worked.originals for one in record.checkpoints)
        texts = line_texts.of_commit(self.kept.side, patch.commit, files)
        return Record(patch.commit, patch.tree, "", tuple(checkpoints), files, texts, worked.kind)

    def _worked_out(self, patch: Patch) -> Derived | None:
        if len(patch.parents) > 1 or not patch.files:
            return None
        named = trailers.everywhere(patch.message)
        sure, kind = self._originals(patch, named)
        lines, used = self._by_text(patch, sure)
        both = {**sure, **used}
        left = {path: _ranges(each) for path, each in patch.files.items()}
        found: dict[bytes, list[Run]] = {path: [] for path in left}
        if len(left) <= _FILES and (tips := self._tips(patch, both)):
            chain, history = Chain(self.kept.side, ""), History(self.directory, self.kept.records, self.kept.side.path)
            for tip in tips:
                left = from_commit(chain, patch.commit, tip, history, left, found)
        for path, each in lines.items():
            there = {number for start, count in left.get(path, ()) for number in range(start, start + count)}
            found[path] += [(one.line, 1, one.source.owner) for one in each if one.line in there]
            left[path] = line_owners.minus(left.get(path, []), [(one.line, 1) for one in each])
        is_elsewhere = any(one not in self.promised and self.kept.get(one) is None for one in named)
        if is_elsewhere or (not both and server_squashes.is_unseen(self.directory, patch)):
            for path, ranges in left.items():
                found[path] += [(start, count, line_owners.NOT_KNOWN) for start, count in ranges]
        return Derived(found, tuple(both.values()), kind or "content")

    def _originals(self, patch: Patch, named: list[str]) -> tuple[dict[str, Record], str]:
        """The recorded commits of which something other than their lines says that this one is a copy; and what says so."""
        if (same := self._seen(self.kept.commit_by("tree", patch.tree))) and not self._is_behind(same.commit, patch):
            return {same.commit: same, **self._named(named)}, "tree"
        if any(map(self._of_path, patch.files)):
            same = self._seen(self.kept.commit_by("patch", patch_id(self.directory, patch.commit)))
            if same and not self._is_behind(same.commit, patch):
                return {same.commit: same}, "patch"
        found = self._named(named)
        return found, "trailer" if found else ""

    def _named(self, ids: list[str]) -> dict[str, Record]:
        known = [one for name in ids if (one := self.kept.get(name))]
        names = [name for one in known for name in (one.commit, *one.former_commits)]
        return {name: record for name in names if (record := self._seen(name))}

    def _by_text(self, patch: Patch, sure: dict[str, Record]) -> tuple[dict[bytes, list[Found]], dict[str, Record]]:
        """By file, the lines that recorded ones say; and the commits that have them."""
        behind: dict[str, bool] = {}
        lines: dict[bytes, list[Found]] = {}
        used: dict[str, Record] = {}
        for path, each in patch.files.items():
            records = {**self._of_path(path), **sure}
            while True:
                runs = [run for one in records.values() for run in _runs(one, path, is_sure=one.commit in sure)]
                found = matches(each, runs)
                sources = {one.source.commit for one in found}
                behind |= {name: self._is_behind(name, patch) for name in sources - behind.keys()}
                older = {name for name in sources if behind[name]}
                if not older:
                    break
                records = {name: one for name, one in records.items() if name not in older}
            lines[path] = found
            used |= {name: records[name] for name in sources}
        return lines, used

    def _tips(self, patch: Patch, records: dict[str, Record]) -> list[str]:
        """Of these commits those that git still has, without what others build on; the one with the same files first."""
        names = [name for name in records if not self._is_behind(name, patch)][:_ORIGINALS]
        there = self._there(names)
        if not there:
            return []
        try:
            raw = git(self.directory, "merge-base", "--independent", *there, timeout=_SECONDS)
        except GitFailed as error:
            error.raise_if_killed()
            return []
        tips = raw.decode("ascii").split()
        return sorted(tips, key=lambda name: records[name].tree != patch.tree)[:_TIPS]

    def _there(self, names: list[str]) -> list[str]:
        asked = "".join(f"{name}^{{commit}}\n" for name in names).encode()
        if not asked:
            return []
        raw = git(self.directory, "cat-file", "--batch-check", stdin=asked, timeout=_SECONDS)
        return [
            row.split(" ")[0]
            for row in raw.decode("ascii", "replace").splitlines()
            if row.split(" ")[1:2] == ["commit"]
        ]

    def _is_behind(self, name: str, patch: Patch) -> bool:
        """Whether a commit builds on another: then it does not have its lines from there, it only wrote or brought back the same."""
        try:
            git(self.directory, "merge-base", "--is-ancestor", name, patch.commit, timeout=_SECONDS)
        except GitFailed as error:
            error.raise_if_killed()
            return False
        return True


def note_copies(layout: Layout, kept: Checkpoints, directory: str, at: int) -> int:
    """Writes down whose lines the newest commits of all branches have that nobody recorded, so that others need not work it out.

    Only for those with lines of a session of our own: what is another's they write down themselves. How many there were.
    """
    try:
        words = ("rev-list", f"--max-count={_NEWEST}", "--no-merges", "--branches", "--remotes")
        newest = git(directory, *words, timeout=_SECONDS).decode("ascii").split()
    except GitFailed as error:
        error.raise_if_killed()
        return 0
    copies = Copies(kept, directory)
    found = copies.examine(newest)
    own = [record for record in found.values() if any(map(partial(_is_own, layout), _owners(record)))]
    if own:
        kept.keep([], own, f"derived {len(own)}\n", at)
    return len(own)


def _owners(record: Record) -> set[str]:
    return {owner for runs in record.files.values() for _, _, owner in runs}


def _is_own(layout: Layout, owner: str) -> bool:
    return is_session_id(owner) and is_own(layout, owner)


def _runs(record: Record, path: bytes, *, is_sure: bool) -> list[Recorded]:
    """The recorded lines of a file; where something else says that it is a copy, those of all files: one may have moved."""
    paths = [path] if not is_sure or path in record.files else list(record.files)
    return [
        Recorded(record.commit, owner, line_texts.split(text), is_sure)
        for name in paths
        for (_, _, owner), text in zip(record.files.get(name, ()), record.texts.get(name, ()), strict=False)
    ]


def _ranges(lines: list[tuple[int, bytes]]) -> list[Range]:
    return [(start, count) for start, count, _ in line_owners.join_runs((number, 1, "x") for number, _ in lines)]
