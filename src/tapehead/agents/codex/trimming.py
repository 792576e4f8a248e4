"""What a trim of a Codex thread would do: which turns go, which stay, and whether all of it is understood. Pure.

Codex itself puts a line `compacted` behind a rollout when it compacts: from there on the thread's history is what that line says. A trim is
such a line. Nothing in front of it moves, so that byte offsets and ordinals which Codex keeps in its databases stay true.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tapehead.tokens.estimate import estimate_tokens
from tapehead.transcript.entries import dicts, within, word

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSIONS = ((0, 166),)
"""The versions whose rollouts were trimmed and resumed with the client itself."""
LARGEST = 512 * 1024 * 1024
_LINES = frozenset(
    ["session_meta", "response_item", "event_msg", "turn_context", "world_state", "compacted", "token_usage_record"]
)
_ITEMS = frozenset(
    ["message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"]
)
_CALLS = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
_ENDS = ("task_complete", "turn_aborted")
_FORKS = ("forked_from_id", "history_base", "parent_thread_id")

Item = dict[str, Any]


class Refused(Exception):
    """The rollout is not one that a trim understands; the words are for a user."""


class Turn(NamedTuple):
    """What the model was given and said in one turn."""

    items: tuple[Item, ...]


class Rollout(NamedTuple):
    """A rollout that is understood, as far as its thread's history goes."""

    thread: str
    version: str
    last_ordinal: int
    before: tuple[Item, ...]
    """What the newest compaction left of the history before it."""
    turns: tuple[Turn, ...]
    """The turns since."""


class Plan(NamedTuple):
    """What a trim does."""

    thread: str
    ordinal: int
    goes: int
    """Turns that go, of those since the newest compaction."""
    stays: int
    tokens_before: int
    tokens_after: int
    compacted: bool
    """Whether what an earlier compaction left goes too."""
    kept: tuple[Item, ...]

    def line(self, note: str, at: str) -> bytes:
        """The line that carries it out."""
        item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": note}]}
        payload = {"message": note, "replacement_history": [item, *self.kept]}
        row = {"timestamp": at, "ordinal": self.ordinal, "type": "compacted", "payload": payload}
        return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def understood(raw: bytes) -> Rollout:
    """The rollout, if every line of it is of a known kind and its last turn is over. Raises Refused."""
    if not raw.endswith(b"\n"):
        raise Refused("its last line is torn: Codex was killed while it wrote")
    rows = [_row(number, line) for number, line in enumerate(raw.split(b"\n")[:-1])]
    if not rows or rows[0]["type"] != "session_meta":
        raise Refused("it does not begin with session_meta")
    meta = rows[0]["payload"]
    version = _checked_meta(meta)
    before: tuple[Item, ...] = ()
    turns: list[list[Item]] = []
    is_open = False
    for row in rows[1:]:
        kind, payload = row["type"], row["payload"]
        if kind == "compacted":
            before, turns = tuple(_items(payload, "replacement_history")), []
        elif kind == "response_item":
            _add(turns, _checked(payload))
        elif kind == "event_msg":
            told = word(payload, "type")
            if "rolled_back" in told:
                raise Refused("the conversation was taken back to an earlier prompt in it")
            if told == "task_started":
                turns.append([])
                is_open = True
            is_open = is_open and told not in _ENDS
    if is_open:
        raise Refused("its last turn is not over")
    thread = word(meta, "id")
    return Rollout(thread, version, rows[-1]["ordinal"], before, tuple(Turn(tuple(turn)) for turn in turns if turn))


def plan(rollout: Rollout, keep: int, note_tokens: int = 0) -> Plan:
    """Keeps the newest turns as they are. Raises Refused where nothing would go, or where what stays is not understood."""
    goes, stays = rollout.turns[:-keep] if keep else rollout.turns, rollout.turns[-keep:] if keep else ()
    if not goes:
        raise Refused(
            f"it has {len(rollout.turns)} turns since its last compaction: nothing would go with --keep {keep}"
        )
    kept = tuple(item for turn in stays for item in turn.items)
    _check_kept(kept)
    dropped = tuple(item for turn in goes for item in turn.items)
    after = _cost(kept) + note_tokens
    before = _cost(rollout.before) + _cost(dropped) + _cost(kept)
    return Plan(
        rollout.thread,
        rollout.last_ordinal + 1,
        len(goes),
        len(stays),
        before,
        after,
        bool(rollout.before),
        kept,
    )


def _row(number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise Refused(f"line {number + 1} is no JSON") from None
    if not isinstance(row, dict) or not isinstance(row.get("payload"), dict):
        raise Refused(f"line {number + 1} is of a form that trim does not know")
    if row.get("type") not in _LINES:
        raise Refused(f"line {number + 1} is of the kind {row.get('type')!r}, which trim does not know")
    if row.get("ordinal") != number:
        raise Refused(
            f"line {number + 1} has the number {row.get('ordinal')!r}: lines are missing, or of an older format"
        )
    return row


def _checked_meta(meta: dict[str, Any]) -> str:
    """The version that wrote it."""
    version = word(meta, "cli_version")
    known = ", ".join(".".join(map(str, each)) for each in VERSIONS)
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers not in VERSIONS:
        raise Refused(f"Codex {version or 'of an unknown version'} wrote it; trim knows {known}")
    if word(meta, "history_mode") != "paginated":
        raise Refused(
            f"its history is kept in the form {word(meta, 'history_mode') or 'legacy'!r}, which trim does not know"
        )
    if any(meta.get(name) for name in _FORKS):
        raise Refused("it is a fork: a part of its history is in another rollout")
    if "subagent" in within(meta, "source") or word(meta, "thread_source") == "subagent":
        raise Refused("it is a subagent's")
    return version


def _add(turns: list[list[Item]], item: Item) -> None:
    if not turns:
        turns.append([])
    turns[-1].append(item)


def _items(payload: dict[str, Any], name: str) -> Iterator[Item]:
    return map(_checked, dicts(payload, name))


def _checked(item: Item) -> Item:
    kind = word(item, "type")
    if kind == "compaction" or (kind == "message" and item.get("encrypted_content")):
        raise Refused("a part of its history is encrypted by the provider (a remote compaction)")
    if kind not in _ITEMS:
        raise Refused(f"it has an item of the kind {kind!r}, which trim does not know")
    return item


def _check_kept(kept: tuple[Item, ...]) -> None:
    if any(item.get("encrypted_content") for item in kept):
        raise Refused("the turns that would stay have encrypted thoughts, which only belong where they stand")
    for call, answer in _CALLS.items():
        asked = {word(item, "call_id") for item in kept if word(item, "type") == call}
        answered = {word(item, "call_id") for item in kept if word(item, "type") == answer}
        if asked != answered:
            raise Refused("a tool call in the turns that would stay has no answer, or an answer no call")


def _cost(items: tuple[Item, ...]) -> int:
    return sum(sum(map(estimate_tokens, _texts(item))) for item in items)


def _texts(item: Item) -> Iterator[str]:
    yield from (word(part, "text") for part in dicts(item, "content"))
    yield from (word(item, name) for name in ("arguments", "input", "name"))
    output = item.get("output")
    yield output if isinstance(output, str) else json.dumps(output) if output else ""
