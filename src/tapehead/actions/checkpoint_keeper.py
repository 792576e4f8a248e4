"""CONDENSE: what a session did for a commit goes into git, beside every branch."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from tapehead import __version__
from tapehead.actions.checkpoint_decisions import (
    asked_by_line,
    count_tokens,
    join_once,
    list_decisions,
    list_failures,
    prompts_since,
)
from tapehead.actions.commit_counts import line_counts, per_file
from tapehead.actions.own_files import full_path, own_files
from tapehead.actions.transcript_part import Masked, grown
from tapehead.attribution import commit_lines, line_turns
from tapehead.attribution.committed_lines import History
from tapehead.attribution.copies import Copies
from tapehead.attribution.evidence import gather
from tapehead.attribution.last_work import is_late
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.brief.brief import brief
from tapehead.checkpoints import line_owners, line_texts
from tapehead.checkpoints.checkpoint import ID_BYTES, TRANSCRIPT, Checkpoint, Record, is_name
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.patch_id import patch_id
from tapehead.git import layout as git_layout
from tapehead.git import trailers
from tapehead.git.reflog import heads_before
from tapehead.git.run import GitFailed, git
from tapehead.git.trees import Busy
from tapehead.history.fork_offset import own_offset
from tapehead.store import reserved_ids
from tapehead.store.state import is_at_work

if TYPE_CHECKING:
    from tapehead.attribution.commit_lines import Commit, Share
    from tapehead.attribution.snapshot_keeper import WorkTree
    from tapehead.brief.session_work import Accounts
    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import PromptAttribution, State

_FILES = 200
_BUDGET = 2_000
"""Tokens of the brief that a checkpoint keeps."""
_SECONDS = 20.0


class CheckpointKeeper:
    """The checkpoints of the sessions in one store."""

    def __init__(self, layout: Layout, accounts: Accounts, also: tuple[str, ...] = ()) -> None:
        self.layout = layout
        self.accounts = accounts
        self.also = also
        """What is redacted beside what is known as a secret."""

    def condense(self, state: State, line: Line) -> dict[str, Any] | None:
        """Writes the session's part in a commit; None where it has none. A git that was killed is asked once more."""
        try:
            return self._condensed(state, line)
        except GitFailed:
            return self._condensed(state, line)

    def _condensed(self, state: State, line: Line) -> dict[str, Any] | None:
        tree = work_tree(self.layout, state)
        name = line.text("commit")
        if tree is None or not is_name(name) or line.data.get("declined") is True:
            return None  # the last one: the trailer was removed in the editor, which is a no
        kept = Checkpoints(tree.side)
        tree.side.ready()
        commit = commit_lines.read(tree.chain, name)
        history = History(tree.repository.worktree, kept.records, tree.side.path)
        working = state.session_id if is_at_work(state) else ""
        seen = commit_lines.before(tree.chain, commit)[0]
        late = is_late(state, seen, tree.repository.worktree)
        copies = Copies(kept, tree.repository.worktree, reserved_ids.sessions(self.layout))
        root = tree.repository.worktree
        now = int(line.at.timestamp() * 1e9)
        evidence = gather(self.layout, state if working else None, seen, root, now) if working or seen.open else None
        share = commit_lines.share(
            tree.chain,
            commit,
            history,
            working,
            tree.repository.git_dir,
            is_late=late,
            copies=copies,
            evidence=evidence,
            now=partial(_lying, tree, name),
        )
        own = own_files(tree, state, share, seen, working)
        promised = self._reserved(state, commit)
        if not own and not promised:
            self._note_unknown(kept, tree, commit, share, int(line.at.timestamp()))
            return None
        known = self._known(kept, tree, state, commit, promised)
        return self._written(kept, tree, state, line, commit, share, own, known)

    @staticmethod
    def _note_unknown(kept: Checkpoints, tree: WorkTree, commit: Commit, share: Share, at: int) -> None:
        """Lines of which nobody can tell who wrote them must not pass for the human's later: they are on record without a checkpoint."""
        if share.by(line_owners.NOT_KNOWN):
            patch = patch_id(tree.repository.worktree, commit.name)
            kept.keep([], [Record(commit.name, commit.tree, patch, (), share.files)], f"unknown in {commit.name}\n", at)

    def _written(  # noqa: PLR0913, PLR0917 - all that a checkpoint is made of
        self,
        kept: Checkpoints,
        tree: WorkTree,
        state: State,
        line: Line,
        commit: Commit,
        share: Share,
        own: list[str],
        known: Checkpoint,
    ) -> dict[str, Any]:
        secret = {part: Masked(self.also) for part in ("transcript", "brief", "prompts", "account")}
        transcript, offset = grown(
            kept, known, state.transcript_path, own_offset(state, state.checkpoint_offset), secret["transcript"]
        )
        account = self.accounts.of(state)
        files = {
            "brief.md": secret["brief"](brief(account, budget=_BUDGET, source="compact")).encode("utf-8", "replace")
        }
        files |= {TRANSCRIPT: transcript} if transcript else {}
        patch = patch_id(tree.repository.worktree, commit.name)
        first = state.turn_number if state.turn_checkpoint_ids else state.checkpoint_turn + 1
        prompts, since = prompts_since(self.layout, state, first)
        lines = line_counts(share, state.session_id)
        texts = line_texts.of_commit(tree.side, commit.name, share.files)
        turns = line_turns.turns_of(tree.chain, state.session_id, state.turn_number, share.files, texts)
        files |= asked_by_line(self.layout, state, turns, Masked(self.also))
        made = attrs.evolve(
            known,
            commit=commit.name,
            tree=commit.tree,
            patch_id=patch,
            branch=line.text("branch"),
            session=state.session_id,
            agent=state.agent,
            model=state.model,
            first_turn=known.first_turn or min(first, state.turn_number),
            last_turn=state.turn_number,
            prompts=join_once(known.prompts, map(secret["prompts"], prompts)),
            decisions=join_once(known.decisions, map(secret["account"], list_decisions(account, since))),
            tried=join_once(known.tried, map(secret["account"], list_failures(account, since))),
            files=tuple(sorted({*known.files, *own})[:_FILES]),
            attribution=lines,
            per_file=per_file(share, state.session_id),
            per_prompt={**known.per_prompt, **_per_prompt(state)},
            transcript={"file": os.path.basename(state.transcript_path), "end": offset},
            tokens=count_tokens(state),
            compactions=state.compaction_count,
            created_at=known.created_at or line.at.isoformat(),
            updated_at=line.at.isoformat(),
            tapehead=__version__,
            masked={where: each.count for where, each in secret.items() if each.count},
        )
        record = Record(commit.name, commit.tree, patch, (made.id,), share.files, texts)
        kept.put(made, files, record, int(line.at.timestamp()))
        return {
            "id": made.id,
            "commit": commit.name,
            "turn": state.turn_number,
            "offset": offset,
            "in_mid_turn": is_at_work(state),
            "left": self._left(tree, state, commit),
            "session_added": lines["session_added"],
            "agent_added": lines["agent_added"],
            "human_added": lines["human_added"],
        }

    def retire(self, state: State, line: Line) -> dict[str, Any] | None:  # noqa: ARG002 - one shape for all ports
        """A session that ended without touching a file: commits need not be told to it any more."""
        return {"session": state.session_id}

    def _reserved(self, state: State, commit: Commit) -> str:
        """The id in the message that was promised to this session."""
        named = trailers.found(commit.message)
        promised = reserved_ids.sessions(self.layout) if named else {}
        return next((one for one in reversed(named) if promised.get(one) == state.session_id), "")

    def _known(self, kept: Checkpoints, tree: WorkTree, state: State, commit: Commit, promised: str) -> Checkpoint:
        """The checkpoint that this commit continues (it was amended, or this is done again), or a new one."""
        before = heads_before(tree.repository.git_dir, commit.name, 0)[:1]
        amended = kept.record(before[0]) if before else None
        for checkpoint_id in (promised, *trailers.found(commit.message), *(amended.checkpoints if amended else ())):
            known = kept.get(checkpoint_id) if checkpoint_id else None
            if known and known.session == state.session_id and not _still_there(tree, known.commit, commit):
                names = dict.fromkeys((*known.former_commits, known.commit))
                former = tuple(name for name in names if name and name != commit.name)
                return attrs.evolve(known, former_commits=former)
        made_of = f"{state.session_id} {commit.name}".encode()
        free = promised if promised and kept.get(promised) is None else ""
        return Checkpoint(id=free or hashlib.sha256(made_of).hexdigest()[: 2 * ID_BYTES])

    def _left(self, tree: WorkTree, state: State, commit: Commit) -> list[str]:
        """The touched files that the commit does not have as they are: they carry over to the next one."""
        words = ("diff-index", "--name-only", "-z", commit.name, "--")
        try:
            raw = git(tree.repository.worktree, *words, timeout=_SECONDS)
            new = git(tree.repository.worktree, "ls-files", "--others", "-z", timeout=_SECONDS, most=1 << 26)
        except GitFailed:
            return list(state.files_touched)
        dirty = {full_path(tree, path) for path in (*raw.split(b"\0"), *new.split(b"\0")) if path}
        return [path for path in state.files_touched if path in dirty]


def _lying(tree: WorkTree, commit: str) -> str:
    """The work tree as it is, where it is still that of a commit."""
    with suppress(Busy):
        return tree.trees.record().tree if git_layout.head(tree.repository)[1] == commit else ""
    return ""


def _still_there(tree: WorkTree, known: str, commit: Commit) -> bool:
    """Whether the checkpoint's commit is one that this one builds on, or that another branch has: then this one is a copy of it."""
    if not known or known == commit.name:
        return False
    try:
        tree.side.git("merge-base", "--is-ancestor", known, commit.name)
    except GitFailed:
        return _on_a_branch(tree, known)
    return True


def _on_a_branch(tree: WorkTree, known: str) -> bool:
    words = ("for-each-ref", f"--contains={known}", "--count=1", "refs/heads", "refs/remotes")
    try:
        return bool(git(tree.repository.worktree, *words, timeout=_SECONDS).strip())
    except GitFailed:
        return False  # git has it no more


def _per_prompt(state: State) -> dict[str, dict[str, Any]]:
    """What was taken with each prompt since the last checkpoint."""
    pending = state.pending_prompt_attribution
    taken = [*state.prompt_attributions, *([pending] if pending else [])]
    return {str(one.turn): _taken(one) for one in taken if one.turn and one.checkpoint_number == state.step_count + 1}


def _taken(one: PromptAttribution) -> dict[str, Any]:
    columns = {
        "user_added": one.user_added_per_file,
        "user_removed": one.user_removed_per_file,
        "agent_added": one.agent_added_per_file,
        "agent_removed": one.agent_removed_per_file,
    }
    files = sorted({path for column in columns.values() for path in column})
    counts = (one.user_lines_added, one.user_lines_removed, one.agent_lines_added, one.agent_lines_removed)
    per_file = {path: {name: column.get(path, 0) for name, column in columns.items()} for path in files[:_FILES]}
    return {**dict(zip(columns, counts, strict=True)), "files": per_file}
