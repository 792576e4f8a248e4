"""Which prompts are in the conversation, as far as a session file was read: the user may go back (`/rewind`), or cancel one.

What the lines look like was found by running the client (0.61.0): `$rewindTo` names the first prompt that is gone. A prompt that was
cancelled before an answer is followed by a notice, and is not in the history that the agent writes down after it; one that the
agent had begun to answer stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.gemini.messages import CANCELLED, steps, text_of
from tapehead.transcript.entries import dicts, within, word
from tapehead.transcript.turns import HUMAN, Said

if TYPE_CHECKING:
    from typing import Any

_NOTICES = ("info", "error", "warning")


class Living:
    """The prompts by their ids, oldest first, each with its turn."""

    def __init__(self, prompts: list[Any] | None = None, *, unanswered: str = "", cancelled: bool = False) -> None:
        self.prompts: list[Any] = prompts if prompts is not None else []
        self.unanswered = unanswered
        """The newest prompt, while the agent has not said or done anything for it."""
        self.cancelled = cancelled
        """Whether the user cancelled it."""

    def leave(self, entry: dict[str, Any]) -> list[Any]:
        """Give the prompts that a line takes out of the conversation."""
        back = entry.get("$rewindTo")
        if isinstance(back, str):
            at = next((n for n, (ident, _) in enumerate(self.prompts) if ident == back), 0)
            gone, self.prompts = self.prompts[at:], self.prompts[:at]
            return gone
        history = [word(message, "id") for message in dicts(within(entry, "$set"), "messages")]
        if not (history and self.cancelled) or self.unanswered in history:
            return []
        gone = [one for one in self.prompts if one[0] == self.unanswered]
        self.prompts = [one for one in self.prompts if one[0] != self.unanswered]
        self.unanswered, self.cancelled = "", False
        return gone

    def hear(self, message: dict[str, Any], turn: int = 0) -> bool:
        """Take a message; whether it is a prompt of the user's."""
        kind, ident = word(message, "type"), word(message, "id")
        if kind == "gemini":
            self.unanswered = ""
        elif kind in _NOTICES:
            self.cancelled = self.cancelled or (
                bool(self.unanswered) and text_of(message.get("content")).strip() == CANCELLED
            )
        elif kind == "user" and any(isinstance(step, Said) and step.who == HUMAN for _, step in steps(message)):
            if ident not in (one[0] for one in self.prompts[-1:]):
                self.prompts.append([ident, turn])
            self.unanswered, self.cancelled = ident, False
            return True
        return False
