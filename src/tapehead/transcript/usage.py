"""What the model really used, as the agent recorded it."""

from __future__ import annotations

from typing import NamedTuple


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
    """How much the model takes in at most, where the agent says it; 0 where it does not."""
    model: str = ""
    """Its name, where the agent says it."""

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
        return self._replace(
            input=max(0, self.input - earlier.input),
            output=max(0, self.output - earlier.output),
            cache_read=max(0, self.cache_read - earlier.cache_read),
            cache_written=max(0, self.cache_written - earlier.cache_written),
            messages=0,
        )


NOTHING_USED = Usage()
