"""What an agent's hook was heard to say, in the machine's words. Light: every hook makes one."""

from __future__ import annotations

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.statemachine.vocabulary import Event


class NotOurs(Exception):
    """A payload that this agent did not send, or that nothing can be made of. The text says why, for doctor."""


class Heard:
    """One payload, understood: an event or a note, for one session."""

    __slots__ = ("data", "event", "facts", "hook", "host", "note", "session_id")

    def __init__(self, host: str, hook: str, session_id: str) -> None:
        self.host = host
        self.hook = hook
        """The host's own name for what happened: the reply must speak of it."""
        self.session_id = session_id
        self.event: Event | None = None
        self.note = ""
        """The kind, where it is news that changes no phase."""
        self.facts: list[str] = []
        """What the payload itself tells of the world."""
        self.data: dict[str, object] = {}
        """The few fields that actions need. Never a tool's output."""


_LEFT_OUT = " [… {} characters …] "


def shortened(text: str, limit: int) -> str:
    """A text of at most `limit` characters, its middle left out where it is longer: the ends say most."""
    if len(text) <= limit:
        return text
    keep = max(0, limit - len(_LEFT_OUT.format(len(text))))
    left_out = _LEFT_OUT.format(len(text) - keep)
    end = keep // 3
    return (text[: keep - end] + left_out + text[len(text) - end :])[:limit]
