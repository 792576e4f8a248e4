"""What the model really used, as the host recorded it."""

from __future__ import annotations

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from tapehead.transcript.named import NamedTuple


class Usage(NamedTuple):
    """Tokens of one or more messages."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0
    messages: int = 0
    context: int = 0
    """What the newest of the messages had before it: how full the window was."""
    window: int = 0
    """How much the model takes in at most, where the host says it; 0 where it does not."""
    model: str = ""
    """Its name, where the host says it."""

    def plus(self, later: Usage) -> Usage:
        """Both together; the context, the window and the model are the later one's, for they do not add up."""
        return Usage(
            self.input + later.input,
            self.output + later.output,
            self.cache_read + later.cache_read,
            self.cache_written + later.cache_written,
            self.messages + later.messages,
            later.context or self.context,
            later.window or self.window,
            later.model or self.model,
        )

    def beyond(self, earlier: Usage) -> Usage:
        """What the newer of two counts of the same message adds to the older one."""
        grown = (max(0, now - then) for now, then in zip(self[:4], earlier[:4], strict=True))
        return Usage(*grown, 0, self.context, self.window, self.model)


NOTHING_USED = Usage()
