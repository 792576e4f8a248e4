"""What a line itself tells, taken over into the state: pure, so that a replay arrives where the live fold did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from tapehead.actions import absorb_lines, absorb_neighbours, absorb_waiting
from tapehead.statemachine.vocabulary import Event, Fact, Phase
from tapehead.store.state import Failure
from tapehead.tokens.window import PACE

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tapehead.store.line import Line
    from tapehead.store.state import State

_PROMPT_SHOWN = 200
_LOOKED_AT = 2_000


def absorb(state: State, line: Line, was: Phase) -> State:
    """The state that knows what the line says. `was` is the phase that the line found."""
    state = _common(state, line)
    if line.event is not None:
        state = absorb_waiting.heard_from(state, line)
        return _EVENTS.get(line.event, _nothing)(state, line, was)
    return _NOTES.get(_FORMER.get(line.note, line.note), _nothing)(state, line, was)


def _common(state: State, line: Line) -> State:
    """What any line may carry: only what it does carry is taken over."""
    changes: dict[str, Any] = {}
    if state.started_at is None:
        changes["started_at"] = line.at
    if line.host not in ("", "git", "tapehead"):
        changes["agent"] = line.host
    for field, name in _CARRIED.items():
        if text := line.text(name):
            changes[field] = text
    if line.data.get("left_out") is True:  # it ran while tapehead was off: its transcript is not read any more
        changes["transcript_path"] = ""
    if not state.tapehead_version and (text := line.text("tapehead")):
        changes["tapehead_version"] = text
    if (pid := line.number("pid")) is not None:
        changes |= {"host_pid": pid, "host_started": line.text("pid_started"), "terminal": line.text("terminal")}
        changes["terminal_started"] = line.text("terminal_started")
    if line.text("worktree"):
        changes |= {"worktree_id": line.text("worktree_id"), "branch": line.text("branch")}
    if (commit := line.text("head")) and not state.base_commit:
        changes |= {"base_commit": commit, "attribution_base_commit": commit}
    return evolve(state, **changes)


_CARRIED = {"transcript_path": "transcript_path", "worktree_path": "worktree", "model": "model"}


def _session_start(state: State, line: Line, was: Phase) -> State:
    changes: dict[str, Any] = {"start_source": line.text("source") or "startup", "pending_steer": ""}
    changes |= {
        "handoff_missed": line.text("handoff_missed"),
        "turns_before": state.turn_number,
        "broken_off": state.last_prompt if state.unanswered else "",
    }
    changes |= {
        "handoff_cleared": line.data.get("handoff_cleared") is True,
        "one_off": line.data.get("one_off") is True,
        "forked": state.forked or "forked_from" in line.data,
    }
    if Fact.AFTER_COMPACTION in line.facts and not was.is_restored:  # there COMPACTED came first, and counted it
        changes |= _emptied(state, line)
    if predecessor := line.text("predecessor"):
        changes |= {"predecessor": predecessor, "predecessor_rule": line.number("rule") or 0}
    if (tokens := line.number("context_tokens")) is not None:
        changes["context_tokens"] = tokens
    return absorb_neighbours.met(evolve(state, **changes), line, was)


def _turn_start(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    return evolve(
        state,
        turn_number=state.turn_number + 1,
        turn_id=line.text("prompt_id") or line.id,
        last_prompt=state.last_prompt if line.text("asked_by") else _shown(line.text("prompt")),
        turn_checkpoint_ids=(),
        unanswered=True,
    )


def _turn_end(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    return evolve(state, unanswered=False)


def _broken_off(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    return evolve(state, pending_steer="")


def _compacted(state: State, line: Line, was: Phase) -> State:
    """Counted here only where no start after the compaction came first: an agent may send either, or both.

    Where it sends none, this is the start: what is handed back is the session's own brief, whomever it once inherited from.
    """
    over = evolve(state, pending_steer="")
    if not was.is_compacting:
        return over
    return evolve(over, start_source="compact", **_emptied(state, line))


def _emptied(state: State, line: Line) -> dict[str, Any]:
    """What a compaction that is counted here leaves: nobody knows how full the window is until the next answer."""
    known = {"context_tokens": None, "contexts": (), "context_estimate": 0}
    return {"compaction_count": state.compaction_count + 1, "compacted_at": line.at, **known}


def _captured(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    return evolve(
        state, captured_at=line.at, capture_failures=0, blocked_told=False, brief_tokens=line.number("brief_tokens")
    )


def _left_behind(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    return evolve(state, files_touched=tuple(dict.fromkeys((*state.files_touched, *line.texts("changed")))))


def _ingested(state: State, line: Line, was: Phase) -> State:
    state = _left_behind(state, line, was)  # on older tapes the snapshot is told with it
    if line.number("since") not in (None, state.transcript_offset):
        return state  # two lines of one batch read the same part: it counts once, and what came after is read next time
    usage = state.token_usage
    added = {name: line.number(name) or 0 for name in ("input", "output", "cache_read", "cache_creation")}
    changes: dict[str, Any] = {
        "token_usage": evolve(usage, **{name: getattr(usage, name) + more for name, more in added.items()}),
        "files_touched": tuple(dict.fromkeys((*state.files_touched, *line.texts("files")))),
    }
    numbers = {"transcript_offset": "offset", "context_tokens": "context_tokens", "context_window": "context_window"}
    changes |= {field: number for field, name in numbers.items() if (number := line.number(name)) is not None}
    changes |= _filled(state, line)
    texts = {"transcript_identifier": "identifier", "agent_version": "agent_version"}
    changes |= {field: text for field, name in texts.items() if (text := line.text(name))}
    if state.transcript_identifier and "transcript_identifier" in changes:
        changes["checkpoint_offset"] = 0  # it was a byte of another file
    return evolve(state, **changes, **_missed(state, line))


def _missed(state: State, line: Line) -> dict[str, Any]:
    """Prompts that nobody could record: their brief is owed, from the transcript, for a compaction may have been among them."""
    found = line.data.get("unrecorded")
    if not isinstance(found, dict):
        return {}
    before = state.unrecorded.get("prompts")
    prompts = (before if type(before) is int else 0) + (found["prompts"] if type(found.get("prompts")) is int else 0)
    told = {**found, "from": state.unrecorded.get("from") or found.get("from"), "prompts": prompts}
    owed = {} if state.ended_at else {"pending_restore": line.id, "start_source": "unrecorded"}
    return {"unrecorded": told, **owed}


def _filled(state: State, line: Line) -> dict[str, Any]:
    """How full the window was after each turn. What was before a compaction that this reading met says nothing any more."""
    dropped = line.data.get("dropped") is True
    more = line.data.get("contexts")
    counted = [each for each in more if type(each) is int] if isinstance(more, list) else []
    before = () if dropped else state.contexts
    estimate = (0 if dropped else state.context_estimate) + (line.number("estimate") or 0)
    return {"contexts": (*before, *counted)[-PACE:], "context_estimate": 0 if counted else estimate}


def _failed(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    action = line.text("action") or "unknown"
    known = state.failures.get(action, Failure())
    failures = {
        **state.failures,
        action: evolve(known, count=known.count + 1, last_at=line.at, reason=line.text("reason")),
    }
    return evolve(state, failures=failures, capture_failures=state.capture_failures + (action == "capture"))


def _restored(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """Only the restore that was handed over is settled: a newer one may be owed by now."""
    owed = "" if line.of == state.pending_restore else state.pending_restore
    told: dict[str, Any] = {
        "compactions_told": state.compaction_count,
        "awaiting_receipt": line.text("checksum"),
        "delivery": "",
    }
    return evolve(state, pending_restore=owed, **told)


def _receipt(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """Bad news may be too early, since the agent writes its record late: the next look can still find the text there."""
    arrived = line.text("delivery") == "delivered"
    return evolve(state, awaiting_receipt="" if arrived else state.awaiting_receipt, delivery=line.text("delivery"))


def _steered(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    return evolve(state, pending_steer="") if line.of == state.pending_steer else state


def _warned(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    said = line.texts("warnings")
    return evolve(state, pending_warnings=tuple(text for text in state.pending_warnings if text not in said))


def _surveyed(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """The first one counts: what a later one finds may be the agent's own."""
    if state.untracked_files_at_start is not None:
        return state
    return evolve(state, untracked_files_at_start=line.texts("untracked"))


def _retired(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    return evolve(state, fully_condensed=True)


def _repaired(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """A user looked at the failures and said so (`doctor --fix`)."""
    return evolve(state, failures={}, unrecorded={}, capture_failures=0, blocked_told=False)


def _unblocked(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """What made captures fail is gone: they are tried again."""
    return evolve(state, capture_failures=0, blocked_told=False)


def _nothing(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    return state


def _shown(prompt: str) -> str:
    """A prompt in one line, for display; the whole of it stands on the tape."""
    text = prompt[:_LOOKED_AT]
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    text = " ".join(text.split())
    return text if len(text) <= _PROMPT_SHOWN else text[: _PROMPT_SHOWN - 1] + "…"


_EVENTS: dict[Event, Callable[[State, Line, Phase], State]] = {
    Event.SESSION_START: _session_start,
    Event.TURN_START: _turn_start,
    Event.TURN_END: _turn_end,
    Event.COMPACTED: _compacted,
    Event.COMPACTION_FAILED: _broken_off,
}
_NOTES: dict[str, Callable[[State, Line, Phase], State]] = {
    "capture": _captured,
    "snapshot": _left_behind,
    "ingest": _ingested,
    "failed": _failed,
    "restored": _restored,
    "receipt": _receipt,
    "steered": _steered,
    "warned": _warned,
    "neighbours": absorb_neighbours.met,
    "told_neighbours": absorb_neighbours.told,
    "survey": _surveyed,
    "mark_lines": absorb_lines.absorb_snapshot,
    "condense": absorb_lines.absorb_checkpoint,
    "condense_if_touched": absorb_lines.absorb_checkpoint,
    "finished": absorb_lines.absorb_finish,
    "retire_if_untouched": _retired,
    "repaired": _repaired,
    "unblocked": _unblocked,
    "waiting": absorb_waiting.begin_waiting,
    "answered": absorb_waiting.end_waiting,
    "notified": absorb_waiting.note_notice,
    "subagent_stop": absorb_waiting.subagent_stopped,
}
_FORMER = {"discard_if_untouched": "retire_if_untouched"}
"""What a note is called on older tapes."""
