"""Captures and hand-backs: what is known of a session is gathered, written down, and turned into the next context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attr

from tapehead.actions.inheritance import WHOLE_STORY
from tapehead.git import layout as git_layout
from tapehead.git import run as git_run
from tapehead.restore import description as descriptions
from tapehead.restore import handback
from tapehead.store import captures, tape
from tapehead.store.line import readable
from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_GIT_SECONDS = 2.0
"""How long git may take while someone waits: in a very large repository the description does without it."""
_TAPE_LOOKED_AT = 256 * 1024
_PROMPTS = 5
_PROMPT = 600
_REPLY = 1_500
_FILES = 40


@attr.frozen
class Handed:
    """A text for the model, and what the tape remembers of it."""

    text: str
    remembered: dict[str, Any]


@attr.frozen
class Repo:
    """How the repository stands; `changed` is None where git did not say."""

    branch: str
    head: str
    changed: list[str] | None


class StoryKeeper:
    """The stories of the sessions in one store."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def capture(self, state: State, line: Line) -> dict[str, Any]:
        """Writes the standard description; the former one goes to the archive, unless this very line wrote it."""
        text = descriptions.written(self._describe(state, line))
        there = captures.read(self.layout, state.session_id)
        former = descriptions.matter_of(there) if there else {}
        same = former.get("line") == line.id
        archived = None if not there or same else _archive_name(former.get("captured_at", ""), line)
        captures.write(self.layout, state.session_id, text, archived)
        return {"characters": len(text), "trigger": line.text("trigger") or line.text("reason") or line.text("source")}

    def keep_summary(self, state: State, line: Line) -> dict[str, Any] | None:
        """Keeps the host's own summary of this compaction."""
        summary = line.text("summary")
        if not summary:
            return None
        captures.keep_summary(self.layout, state.session_id, state.compaction_count, summary)
        return {"characters": len(summary), "number": state.compaction_count}

    def hand_back(self, state: State, limit: int) -> Handed:
        """The text that tells the agent where it was."""
        inherited = bool(state.predecessor) and state.start_source not in ("compact", "resume")
        session_id = state.predecessor if inherited else state.session_id
        raw = captures.read(self.layout, session_id)
        if raw is None:
            return Handed("", {"session": session_id, "characters": 0})
        found = self._checked(raw, session_id, state)
        opening = f"tapehead: {_opening(state, found, inherited=inherited)}"
        whole = not inherited or state.predecessor_rule in WHOLE_STORY
        if whole:
            text = handback.whole(found, state.start_source, f"{opening} {self._freshness(state, found)}", limit)
        else:
            text = handback.pointer(found, opening)
        remembered = {"session": session_id, "whole": whole, "source": state.start_source, "characters": len(text)}
        return Handed(text, remembered)

    def _checked(self, raw: str, session_id: str, state: State) -> descriptions.Description:
        """One that is not as it was written is moved out of the way, so that it is met, and said, only once."""
        try:
            return descriptions.read(raw)
        except descriptions.NotAsWritten:
            captures.set_aside(self.layout, session_id, state.pending_restore)
            raise

    def _describe(self, state: State, line: Line) -> descriptions.Description:
        repo = look(state.worktree_path)
        prompts, reply = self._said(state.session_id)
        section = descriptions.Section
        return descriptions.Description(
            matter={
                "version": descriptions.VERSION,
                "session_id": state.session_id,
                "terminal": state.terminal,
                "captured_at": line.at.isoformat(),
                "compaction_count": str(state.compaction_count),
                "trigger": line.text("trigger") or line.text("reason") or line.text("source"),
                "project": state.worktree_path,
                "branch": repo.branch,
                "head": repo.head,
                "changed_files": str(len(repo.changed)) if repo.changed is not None else "unknown",
                "line": line.id,
            },
            sections=(
                section("CRITICAL", "Focus", _focus(state, prompts)),
                section("HIGH", "Last reply", _quoted(reply, _REPLY)),
                section("HIGH", "Earlier prompts, newest first", "\n\n".join(_quoted(p, _PROMPT) for p in prompts[1:])),
                section("MEDIUM", "Work tree", _work_tree(repo)),
                section("LOW", "Session", _session(state)),
            ),
            move=f"{state.phase_before.name} -> {state.phase.name}",
        )

    def _said(self, session_id: str) -> tuple[list[str], str]:
        """The newest prompts, newest first, and the last reply, as the tape has them."""
        lines = readable(tape.tail(self.layout.tape(session_id), _TAPE_LOOKED_AT))
        prompts = [line.text("prompt") for line in lines if line.text("prompt")]
        replies = [line.text("reply") for line in lines if line.event and line.text("reply")]
        return prompts[: -_PROMPTS - 1 : -1], replies[-1] if replies else ""

    def _freshness(self, state: State, found: descriptions.Description) -> str:
        """How the repository moved since the capture, in a sentence."""
        now = look(state.worktree_path)
        if not now.head:
            return ""
        then = found.matter
        moved = [
            handback.harmless(f"{what} was {old or 'unknown'} and is now {new or 'detached'}")
            for what, old, new in (
                ("branch", then.get("branch"), now.branch),
                ("HEAD", then.get("head", "")[:10], now.head[:10]),
            )
            if old != new
        ]
        return f"Since then: {'; '.join(moved)}." if moved else "Branch and HEAD are as they were then."


def look(worktree: str) -> Repo:
    """How the repository stands now."""
    repository = git_layout.find(worktree) if worktree else None
    if repository is None:
        return Repo("", "", None)
    branch, head = git_layout.head(repository)
    try:
        changed = git_run.changed_files(repository.worktree, _GIT_SECONDS) if repository.worktree else None
    except git_run.GitFailed:
        changed = None
    return Repo(branch, head, changed)


def _archive_name(captured_at: str, line: Line) -> str:
    """A file name for the former description: its own time, or ours where its own is no name."""
    name = captured_at.replace(":", "").replace("+", "-")
    return f"{name if is_session_id(name) else 'before-' + line.id}.md"


def _opening(state: State, found: descriptions.Description, *, inherited: bool) -> str:
    at = found.matter.get("captured_at", "")[:19]
    if inherited:
        return f"the work of session {state.predecessor} in this place, as it stood at {at} UTC ({found.move})."
    after = "its context was compacted" if state.start_source == "compact" else "it was last left"
    return f"where this session stood before {after} ({at} UTC, turn {state.turn_number})."


def _focus(state: State, prompts: list[str]) -> str:
    asked = _quoted(prompts[0], _PROMPT) if prompts else "(no prompt on record)"
    standing = f"Turn {state.turn_number}, {state.phase_before.value} when this was written."
    return f"{standing} Asked last:\n\n{asked}"


def _work_tree(repo: Repo) -> str:
    if not repo.head and not repo.branch:
        return "Not a git repository."
    lines = [f"Branch {handback.harmless(repo.branch) or '(detached)'} at {repo.head[:10] or '(no commit yet)'}."]
    if repo.changed is None:
        lines.append("Changed files: git did not answer in time.")
    else:
        lines.append(f"Changed files: {len(repo.changed) or 'none'}")
        lines += [f"- {handback.harmless(name)}" for name in repo.changed[:_FILES]]
        lines += [f"- … and {len(repo.changed) - _FILES} more"] if len(repo.changed) > _FILES else []
    return "\n".join(lines)


def _session(state: State) -> str:
    started = state.started_at.isoformat(timespec="seconds") if state.started_at else "unknown"
    return f"Started {started}; {state.turn_number} turns; compacted {state.compaction_count} times; model {handback.harmless(state.model) or 'unknown'}."


def _quoted(text: str, limit: int) -> str:
    """Somebody's words, marked as such line by line."""
    cut = text if len(text) <= limit else f"{text[: limit * 2 // 3]} […] {text[-limit // 3 :]}"
    return "\n".join(f"> {line}" for line in handback.harmless(cut).splitlines())
