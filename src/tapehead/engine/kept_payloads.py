"""Payloads that the hook script kept because the program did not run (agents/hook.sh): onto their tapes, the oldest first."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from attrs import frozen

from tapehead import door
from tapehead.agents.hook_command import unheard_in
from tapehead.agents.hook_event import NotOurs
from tapehead.agents.registry import AGENTS
from tapehead.engine.engine import Engine
from tapehead.engine.stdin import Unusable, parse_value
from tapehead.engine.store_location import place_of, state_home
from tapehead.store import rejected_payloads, tape
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tapehead.agents.hook_event import Heard

_TAPE_END = 256 * 1024
_MOST = 16 * 1024 * 1024


@frozen
class Kept:
    """One payload, with when and where it came."""

    path: str
    second: int

    @property
    def agent(self) -> str:
        """Whose hook it was: the end of the file's name."""
        return self.path.rpartition(".")[2]


def kept_payloads(env: Mapping[str, str]) -> list[Kept]:
    """All that is kept, the oldest first. What is half written, or nobody's, is left alone."""
    folder = unheard_in(state_home(env))
    names = os.listdir(folder) if os.path.isdir(folder) else []
    parts = [(name, *name.split(".")) for name in names if name.count(".") == 2]  # noqa: PLR2004 - second, process, agent
    found = [
        (int(second), int(process), name) for name, second, process, _agent in parts if (second + process).isdigit()
    ]
    kept = [Kept(os.path.join(folder, name), second) for second, _process, name in sorted(found)]
    return [each for each in kept if each.agent in AGENTS]


def take_in(kept: list[Kept], env: Mapping[str, str], clock: Callable[[], int]) -> None:
    """Put payloads on their tapes and forget them, then settle: a session is brought up to its end once."""
    sessions = dict.fromkeys(session for each in kept if (session := _take(each, env, clock)))
    for root, session_id in sessions:
        Engine(Layout(root), clock, env).settle(session_id)


def _take(kept: Kept, env: Mapping[str, str], clock: Callable[[], int]) -> tuple[str, str] | None:
    """The store and the session that a payload went to; None where it was of no use."""
    head, _, raw = door.read(kept.path, _MOST, follow=False).partition(b"\n\n")
    said = dict(line.partition("=")[::2] for line in head.decode("utf-8", "surrogateescape").split("\n"))
    around = {**env, **{name: value for name, value in said.items() if name.startswith("CLAUDE_") and value}}
    session = _record(kept, raw, said.get("cwd", ""), around, clock) if raw.strip() else None
    os.unlink(kept.path)
    return session


def _record(
    kept: Kept, raw: bytes, cwd: str, env: Mapping[str, str], clock: Callable[[], int]
) -> tuple[str, str] | None:
    agent = AGENTS[kept.agent]
    payload: object = {}
    try:
        payload, _ = parse_value(raw)
        heard = agent.heard(payload, env)
    except (NotOurs, Unusable) as error:
        place = place_of(agent.directory(payload, env) or cwd or os.sep, env)
        rejected_payloads.keep(Layout(place.roots[0]), clock(), kept.agent, str(error), raw)
        return None
    place = place_of(agent.directory(payload, env) or cwd or os.sep, env)
    path = Layout(place.roots[0]).tape(heard.session_id)
    heard.data |= {"worktree": place.worktree, "worktree_id": place.worktree_id}
    tape.append(path, _line(kept, heard, path))
    return place.roots[0], heard.session_id


def _line(kept: Kept, heard: Heard, path: str) -> dict[str, object]:
    """The event as it came; where the session went on since then, a note: it must not lead the session back."""
    now = kept.second * 1_000_000_000
    at = tape.instant(now)
    line: dict[str, object] = {"id": tape.stamp(now, os.getpid()), "at": at, "host": heard.host}
    late = any(_is_heard(line) and (line.get("at") or "") > at for line in _last_lines(path))
    line |= {"event": heard.event.value} if heard.event and not late else {"note": heard.note or "unheard"}
    return {**line, "facts": heard.facts, "data": {**heard.data, "unheard": True}}


def _last_lines(path: str) -> Iterator[dict[str, Any]]:
    for raw in tape.tail(path, _TAPE_END):
        with suppress(ValueError, RecursionError):
            line = json.loads(raw)
            if isinstance(line, dict):
                yield line


def _is_heard(line: dict[str, Any]) -> bool:
    """Whether a line is an event that a hook of ours heard when it came."""
    data = line.get("data")
    return "event" in line and isinstance(line.get("at"), str) and not (isinstance(data, dict) and "unheard" in data)
