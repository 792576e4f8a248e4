"""The capture of a session at one moment: what is known of the work, with when, where and why it was written. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.brief import capture_file as descriptions
from tapehead.brief.repository_state import name_changes
from tapehead.store.paths import is_session_id
from tapehead.text.fence import clean, quote
from tapehead.tokens.estimate import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapehead.brief.repository_state import Repo
    from tapehead.store.line import Line
    from tapehead.store.state import State

_FILES = 40


def describe(  # noqa: PLR0913 - what a description is made of
    state: State,
    line: Line,
    former: dict[str, str],
    told: Sequence[descriptions.Section],
    repo: Repo,
    *,
    focus: str = "",
    decisions: int = 0,
) -> descriptions.Description:
    """The description: where the work stands, how the work tree is, and of the former one what it was about.

    Its focus is what the user saved as such (`tapehead save --focus`), else the last prompt.
    """
    section = descriptions.Section
    return descriptions.Description(
        matter={
            "version": descriptions.VERSION,
            "session_id": state.session_id,
            "terminal": state.terminal,
            "captured_at": line.at.isoformat(),
            "compaction_count": str(state.compaction_count),
            "trigger": trigger(line),
            "project": state.worktree_path,
            "branch": repo.branch,
            "head": repo.head,
            **name_changes(repo.changed),
            "token_estimate": str(sum(tokens(part.body) for part in told)),
            "decisions": str(decisions),
            "focus": clean(quote(focus or state.last_prompt, 160)),
            "line": line.id,
        },
        sections=(
            *told,
            section("MEDIUM", "Work tree", clean(_work_tree(repo))),
            section("LOW", "Session", clean(_session(state))),
            *((section("ARCHIVE", "Before this", _before(former)),) if former else ()),
        ),
        move=f"{state.phase_before.name} -> {state.phase.name}",
    )


def trigger(line: Line) -> str:
    """What it was written for."""
    return (
        line.text("trigger") or line.text("reason") or line.text("source") or (line.event.value if line.event else "")
    )


def archive_name(captured_at: str, line: Line) -> str:
    """A file name for the former description: its own time, or ours where its own is no name."""
    name = captured_at.replace(":", "").replace("+", "-")
    return f"{name if is_session_id(name) else 'before-' + line.id}.md"


def _work_tree(repo: Repo) -> str:
    if not repo.head and not repo.branch:
        return "Not recorded: the setting capture.git is off." if repo.unasked else "Not a git repository."
    lines = [f"Branch {quote(repo.branch, 120) or '(detached)'} at {repo.head[:10] or '(no commit yet)'}."]
    lines += ["Recent commits:", *(f"- {quote(commit, 120)}" for commit in repo.commits)] if repo.commits else []
    if repo.changed is None:
        return "\n".join([*lines, "Changed files: git did not answer in time."])
    lines.append(f"Changed files: {len(repo.changed) or 'none'}")
    lines += [f"- {quote(name, 200)}" for name in repo.changed[:_FILES]]
    return "\n".join([*lines, f"- … and {len(repo.changed) - _FILES} more"] if len(repo.changed) > _FILES else lines)


def _session(state: State) -> str:
    started = state.started_at.isoformat(timespec="seconds") if state.started_at else "unknown"
    model = clean(quote(state.model, 80)) or "unknown"
    return f"Started {started}; turns: {state.turn_number}; compactions: {state.compaction_count}; model {model}."


def _before(former: dict[str, str]) -> str:
    said = former.get("focus", "")
    return f"- {former.get('captured_at', '')} ({former.get('trigger', '')}), on {former.get('branch', '')}: {said}"
