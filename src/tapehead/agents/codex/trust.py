"""Whether Codex runs a hook: the user's trust is written into config.toml, with a fingerprint of what was trusted.

The fingerprint is the agent's own: the event, the matcher and the one handler with its defaults filled in, as JSON with sorted keys.
"""

from __future__ import annotations

import json
import os.path
import re
from hashlib import sha256
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from typing import Any

    from tapehead.agents.hook_entries import InstalledHook

TRUSTED, NEW, CHANGED, OFF = "trusted", "new", "changed", "off"
_SECONDS, _AT_AN_END, _MOST_AT_AN_END = 600, 1, 3
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


@frozen
class Known:
    """What config.toml says of hooks."""

    states: dict[str, Any]
    """By the file, the event, and where in it the handler stands."""
    hooks_on: bool = True


def read(path: str) -> Known | None:
    """What is known; None where the file cannot be read."""
    import tomllib  # noqa: PLC0415 - only for doctor

    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except FileNotFoundError:
        return Known({})
    except (OSError, ValueError):
        return None
    features, hooks = found.get("features"), found.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    off = isinstance(features, dict) and features.get("hooks") is False
    return Known(states if isinstance(states, dict) else {}, not off)


def standing(known: Known, path: str, text: str, hook: InstalledHook) -> str:
    """Whether the agent runs an entry, and if not, why."""
    event = _WORD.sub("_", hook.event).lower()
    states = [known.states.get(f"{each}:{event}:{hook.index}:{hook.handler}") for each in _names(path)]
    state = next((each for each in states if isinstance(each, dict)), {})
    if state.get("enabled") is False:
        return OFF
    trusted = state.get("trusted_hash")
    if not trusted:
        return NEW
    return TRUSTED if trusted == fingerprint(text, hook) else CHANGED


def fingerprint(text: str, hook: InstalledHook) -> str:
    """What the agent makes of an entry of ours."""
    group = json.loads(text.removeprefix("\ufeff"))["hooks"][hook.event][hook.index]
    identity = {
        "event_name": _WORD.sub("_", hook.event).lower(),
        "hooks": [_filled(group["hooks"][hook.handler], hook)],
    }
    if isinstance(group.get("matcher"), str):
        identity["matcher"] = group["matcher"]
    return "sha256:" + sha256(_canonical(identity)).hexdigest()


def _filled(handler: dict[str, Any], hook: InstalledHook) -> dict[str, Any]:
    at_an_end = hook.event == "SessionEnd"
    seconds = handler.get("timeout")
    seconds = seconds if isinstance(seconds, int) else (_AT_AN_END if at_an_end else _SECONDS)
    kept: dict[str, Any] = {
        name: handler[name] for name in ("statusMessage", "additionalContextLimit", "commandWindows") if name in handler
    }
    filled: dict[str, Any] = {"type": "command", "command": hook.command, "async": bool(handler.get("async")), **kept}
    return filled | {"timeout": max(1, min(seconds, _MOST_AT_AN_END) if at_an_end else seconds)}


def _canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _names(path: str) -> tuple[str, ...]:
    """A file by the name that the agent may have for it: as it is called, and where it lies."""
    return path, os.path.realpath(path)
