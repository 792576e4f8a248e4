"""Work in flight: what the agent last announced, what it had begun and not heard the end of."""

from __future__ import annotations

from tapehead.transcript import turns
from tapehead.transcript.commands import outcome
from tapehead.transcript.files import shorter
from tapehead.transcript.found import Fact
from tapehead.transcript.sentences import flat

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tapehead.transcript.story import Act, Story

_STARTED = 1
"""A background task's first result only says that it was started; the second one that it is over."""
_SHOWN = 200


def in_flight(story: Story) -> tuple[Fact, ...]:
    """Give the agent's last words, and every call without an answer since the person last spoke."""
    said = [Fact(text.strip(), place.turn, place.time, place.at) for place, text in story.agent[-1:]]
    since = story.human[-1][0].at if story.human else 0
    calls = [_begun(act, "no answer yet") for act in story.acts if act.result is None and act.place.at > since]
    return (*said, *calls[-3:])


def last_steps(story: Story) -> tuple[Fact, ...]:
    """Give the newest calls in words, oldest first; the same step twice in a row is one."""
    steps: list[Fact] = []
    for act in story.acts[-2 * _STEPS :]:
        told = _VERBS.get(act.call.kind)
        if told is None:
            continue
        text = flat(told(act, story.cwd))
        note = outcome(act.said) if act.failed or act.call.kind == turns.RUN else ""
        if not steps or steps[-1].text != text:
            steps.append(Fact(text[:_SHOWN], act.place.turn, act.place.time, act.place.at, not act.failed, note))
    return tuple(steps[-_STEPS:])


_STEPS = 5


def _edited(act: Act, cwd: str) -> str:
    new = next((line for old, text in act.call.pairs for line in _new(old, text)), "")
    return f"edited {shorter(act.call.path, cwd)}: `{new.strip()}`" if new else f"edited {shorter(act.call.path, cwd)}"


def _new(old: str, text: str) -> Iterator[str]:
    """Give the lines that an edit brought, not those that it only shows to say where."""
    kept = set(old.splitlines())
    return (line for line in text.splitlines() if line.strip() and line not in kept)


_VERBS: dict[str, Callable[[Act, str], str]] = {
    turns.EDIT: _edited,
    turns.WRITE: lambda act, cwd: f"wrote {shorter(act.call.path, cwd)}",
    turns.READ: lambda act, cwd: f"read {shorter(act.call.path, cwd)}",
    turns.RUN: lambda act, _: f"ran `{act.call.text}`",
    turns.SEARCH: lambda act, cwd: f"searched `{act.call.text}` in {shorter(act.call.path, cwd) or '.'}",
    turns.DELEGATE: lambda act, _: f"delegated: {act.call.text}",
}


def background(story: Story) -> tuple[Fact, ...]:
    """Give what runs beside the session and was not seen to end."""
    return tuple(
        _begun(act, "in the background") for act in story.acts if act.call.background and act.results <= _STARTED
    )


def _begun(act: Act, note: str) -> Fact:
    call = act.call
    what = flat(f"{call.tool} {call.path} {call.text}")[:_SHOWN]
    return Fact(what, act.place.turn, act.place.time, act.place.at, note=note)
