"""What went wrong: open until the same thing was done again with success, fixed by what was done in between."""

from __future__ import annotations

from tapehead.transcript import turns
from tapehead.transcript.commands import outcome
from tapehead.transcript.found import Fact

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.transcript.story import Act, Story

_A_COMMAND, _LOOKED_AT = 80, 800
_HOST_REFUSES = (
    "The user doesn't want",
    "<tool_use_error>",
    "File has not been read",
    "Request interrupted",
    "Permission",
)


def errors(story: Story) -> tuple[Fact, ...]:
    """Give the last failure of each command or file, newest first; `holds` while open, `note` says what fixed it."""
    failed: dict[str, Act] = {}
    fixed: dict[str, Fact] = {}
    edited = ""
    for act in story.acts:
        key = key_of(act)
        if is_failure(act):
            failed[key] = act
            fixed.pop(key, None)
        elif act.result is not None and key in failed:
            fixed[key] = _fact(failed.pop(key), key, f"fixed after editing {edited}" if edited else "passes now")
        if act.call.kind == turns.EDIT:
            edited = act.call.path
    found = [*fixed.values(), *(_fact(act, key, "") for key, act in failed.items())]
    return tuple(sorted(found, key=lambda fact: -fact.at))


def key_of(act: Act) -> str:
    """Give what a failure is known by: the file, or the command."""
    call = act.call
    return call.path or " ".join(call.text[:_LOOKED_AT].split(None, _A_COMMAND)[:_A_COMMAND])[:_A_COMMAND]


def is_failure(act: Act) -> bool:
    """Whether something went wrong, and not only that the host or the person said no."""
    return act.failed and act.call.kind in _CAN_FAIL and not act.said.startswith(_HOST_REFUSES)


_CAN_FAIL = (turns.RUN, turns.EDIT, turns.WRITE, turns.OTHER)


def _fact(act: Act, key: str, note: str) -> Fact:
    text = f"`{key}`: {outcome(act.said)}"
    return Fact(text, act.place.turn, act.place.time, act.place.at, holds=not note, note=note)
