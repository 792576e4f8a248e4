"""What is known of a commit, in rows for people: what is of the commit once, and then each session's part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapehead.text.plain import row
from tapehead.text.wording import count, when

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.attribution.explanation import Explained, Part
    from tapehead.checkpoints.checkpoint import Checkpoint

SHORT = 10
_PROMPT = 300


def rows(found: Explained, *, with_brief: bool) -> Iterator[str]:
    """All of it; what others wrote makes no line of its own, but in a brief, which begins with a break."""
    return (one if one.startswith("\n") else row(one) for one in _rows(found, with_brief=with_brief))


def _rows(found: Explained, *, with_brief: bool) -> Iterator[str]:
    yield f"{found.commit[:SHORT]} {found.subject}"
    if found.absent:
        yield f"names {', '.join(found.absent)}, which is missing here: `tapehead sync` fetches it, if a remote has it"
    elif not found.parts:
        yield "No agent activity recorded for this commit."
    told: Checkpoint | None = None
    counted: set[str] = set()
    own = any(part.checkpoint.commit == found.commit for part in found.parts)
    for part in found.parts:
        one = part.checkpoint
        counts = (
            one.commit == found.commit or not own
        )  # else it was put together of several, and that one tells of another
        if counts and (told is None or not _same_commit(told, one)):
            yield from _of_commit(one)
            told, counted = one, set()
        yield from _of_session(part, counts=counts and one.session not in counted)
        counted.add(one.session)
        if not counts:
            yield f"  made for {one.commit[:SHORT]}"
        if with_brief and part.brief:
            yield "\n" + part.brief.rstrip()


def _same_commit(one: Checkpoint, other: Checkpoint) -> bool:
    """Several that speak of one commit (after a squash, or of several sessions) count the same lines."""
    return _shares(one) == _shares(other) and one.per_file.keys() == other.per_file.keys()


def _shares(one: Checkpoint) -> tuple[int, int, int]:
    lines = one.attribution
    return lines.get("agent_added", 0), lines.get("human_added", 0), lines.get("removed", 0)


def _of_commit(one: Checkpoint) -> Iterator[str]:
    by_agents, by_human, removed = _shares(one)
    share = round(100 * by_agents / (by_agents + by_human)) if by_agents + by_human else 0
    yield f"  lines: {by_agents} by agents ({share} %), {by_human} by hand, {removed} removed{_removers(one)}"
    yield from (f"  {_file(name, counts)}" for name, counts in one.per_file.items())


def _removers(one: Checkpoint) -> str:
    """Who removed them; lines of which nobody knows that are in neither number."""
    lines = one.attribution
    if "agent_removed" not in lines:
        return ""
    return f" ({lines['agent_removed']} by agents, {lines.get('human_removed', 0)} by hand)"


def _of_session(part: Part, *, counts: bool) -> Iterator[str]:
    one = part.checkpoint
    yield ""
    yield f"checkpoint {one.id}, session {one.session} ({' '.join(filter(None, (one.agent or 'unknown agent', one.model)))})"
    lines = f", {count(one.attribution.get('session_added', 0), 'line')} by this session" if counts else ""
    yield f"  {_turns(one)}, {when(one.created_at)}, compactions before it: {one.compactions}{lines}"
    if one.former_commits:
        yield f" formerly {', '.join(name[:SHORT] for name in one.former_commits)}"
    yield from (f"  asked: {' '.join(prompt.split())[:_PROMPT]}" for prompt in one.prompts)
    yield from (f"  decided: {text[:_PROMPT]}" for text in one.decisions)
    yield from (f"  tried: {text[:_PROMPT]}" for text in one.tried)
    yield from (f"  {_prompt(turn, taken)}" for turn, taken in one.per_prompt.items() if isinstance(taken, dict))
    if one.last_words:
        yield f"  ended with: {' '.join(one.last_words.split())[:_PROMPT]}"
    if spent := sum(one.tokens.values()):
        yield f"  tokens of the session by then: {spent:,}"
    if one.masked:
        yield f" redacted: {sum(one.masked.values())}"


def _turns(one: Checkpoint) -> str:
    return f"turn {one.first_turn}" if one.first_turn == one.last_turn else f"turns {one.first_turn} to {one.last_turn}"


def _prompt(turn: str, taken: dict[str, Any]) -> str:
    """What had changed when a turn's prompt came."""
    human, agents = (f"+{taken.get(f'{who}_added', 0)} -{taken.get(f'{who}_removed', 0)}" for who in ("user", "agent"))
    return f"before turn {turn}: {human} by hand since the last checkpoint, {agents} by agents so far"


def _file(name: str, counts: dict[str, int]) -> str:
    if counts.get("too_large"):
        return f"{name}: too large to attribute"
    return f"{name}: +{counts.get('added', 0)} ({counts.get('agent', 0)} by agents) -{counts.get('removed', 0)}"
