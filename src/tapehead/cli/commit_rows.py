"""What is known of a commit, in rows for people: what is of the commit once, and then each session's part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapehead.checkpoints.line_owners import HUMAN, NOT_KNOWN, is_agent
from tapehead.text.plain import plain, row
from tapehead.text.wording import count, when

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.attribution.explanation import Explained, Part
    from tapehead.attribution.shares import Shares
    from tapehead.checkpoints.checkpoint import Checkpoint

SHORT = 10
_PROMPT = 300
_FILES = 200


def rows(found: Explained, *, with_brief: bool) -> Iterator[str]:
    """All of it; what others wrote makes no line of its own, but in a brief and a transcript, which begin with a break."""
    return (one if one.startswith("\n") else row(one) for one in _rows(found, with_brief=with_brief))


def _rows(found: Explained, *, with_brief: bool) -> Iterator[str]:
    yield f"{found.commit[:SHORT]} {found.subject}"
    if found.absent:
        yield f"names {', '.join(found.absent)}, which is missing here: `tapehead sync` fetches it, if a remote has it"
    elif not found.parts:
        yield "No agent activity recorded for this commit."
    else:
        yield from of_shares(found.shares, _removers(found))
    if found.record and found.record.derived:
        yield f"  derived from recorded commits, by {_DERIVED.get(found.record.derived, found.record.derived)}"
    counted: set[str] = set()
    own = any(part.checkpoint.commit == found.commit for part in found.parts)
    for part in found.parts:
        one = part.checkpoint
        counts = (
            one.commit == found.commit or not own
        )  # else it was put together of several, and that one tells of another
        lines = found.shares.owners.get(one.session, 0) if counts and one.session not in counted else None
        yield from _of_session(part, lines)
        counted.add(one.session)
        if not counts:
            yield f"  made for {one.commit[:SHORT]}"
        if with_brief and part.brief:
            yield "\n" + part.brief.rstrip()
        if part.transcript:
            yield "\n" + plain(part.transcript.rstrip())


_DERIVED = {"tree": "the same files", "patch": "the same change", "trailer": "its message", "content": "the same lines"}


def of_shares(shares: Shares, removers: str = "") -> Iterator[str]:
    """Whose lines were added, together and by file."""
    total = sum(shares.owners.values())
    percent = round(100 * shares.agent / total) if total else 0
    unknown = f", {shares.not_known} not known" if shares.not_known else ""
    removed = sum(shares.removed.values())
    yield f"  lines: {shares.agent} by agents ({percent} %), {shares.human} by hand{unknown}, {removed} removed{removers}"
    yield from file_rows(shares)


def file_rows(shares: Shares) -> Iterator[str]:
    """By file, how many lines came and went."""
    for name in sorted({*shares.files, *shares.removed, *shares.too_large})[:_FILES]:
        yield f"  {_file(name, shares)}"


def as_data(shares: Shares) -> dict[str, Any]:
    """The same for programs."""
    counts = {"agent": shares.agent, "human": shares.human, "not_known": shares.not_known}
    sessions = {owner: many for owner, many in shares.owners.items() if is_agent(owner)}
    files = {
        name: {
            "agent": sum(many for owner, many in by.items() if is_agent(owner)),
            "human": by.get(HUMAN, 0),
            "not_known": by.get(NOT_KNOWN, 0),
            "removed": shares.removed.get(name, 0),
        }
        for name in sorted({*shares.files, *shares.removed})
        if (by := shares.files.get(name, {})) is not None
    }
    return {**counts, "sessions": sessions, "files": files, "too_large": list(shares.too_large)}


def _file(name: str, shares: Shares) -> str:
    if name in shares.too_large:
        return f"{name}: too large to attribute"
    counts = shares.files.get(name, {})
    by_agents = sum(many for owner, many in counts.items() if is_agent(owner))
    return f"{name}: +{sum(counts.values())} ({by_agents} by agents) -{shares.removed.get(name, 0)}"


def _removers(found: Explained) -> str:
    """Who removed them; lines of which nobody knows that are in neither number."""
    parts = [part.checkpoint for part in found.parts if part.checkpoint.commit == found.commit]
    lines = parts[0].attribution if parts else {}
    if "agent_removed" not in lines:
        return ""
    return f" ({lines['agent_removed']} by agents, {lines.get('human_removed', 0)} by hand)"


def _of_session(part: Part, own: int | None) -> Iterator[str]:
    one = part.checkpoint
    yield ""
    yield f"checkpoint {one.id}, session {one.session[:8]} ({' '.join(filter(None, (one.agent or 'unknown agent', one.model)))})"
    lines = f", {count(own, 'line')} by this session" if own is not None else ""
    yield f"  {_turns(one)}, {when(one.created_at)}, compactions before it: {one.compactions}{lines}"
    if one.former_commits:
        yield f"  formerly {', '.join(name[:SHORT] for name in one.former_commits)}"
    yield from (f"  asked: {' '.join(prompt.split())[:_PROMPT]}" for prompt in one.prompts)
    yield from (f"  decided: {text[:_PROMPT]}" for text in one.decisions)
    yield from (f"  tried: {text[:_PROMPT]}" for text in one.tried)
    yield from (
        f"  {_prompt(turn, taken)}"
        for turn, taken in one.per_prompt.items()
        if isinstance(taken, dict) and any(taken.values())
    )
    if one.last_words:
        yield f"  ended with: {' '.join(one.last_words.split())[:_PROMPT]}"
    if spent := sum(one.tokens.values()):
        yield f"  tokens of the session by then: {spent:,}"
    if one.masked:
        yield f"  redacted: {sum(one.masked.values())}"


def _turns(one: Checkpoint) -> str:
    return f"turn {one.first_turn}" if one.first_turn == one.last_turn else f"turns {one.first_turn} to {one.last_turn}"


def _prompt(turn: str, taken: dict[str, Any]) -> str:
    """What had changed when a turn's prompt came."""
    human, agents = (f"+{taken.get(f'{who}_added', 0)} -{taken.get(f'{who}_removed', 0)}" for who in ("user", "agent"))
    return f"before turn {turn}: {human} by hand since the last checkpoint, {agents} by agents so far"
