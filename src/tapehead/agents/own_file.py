"""A file of our own, where an agent takes hooks from every file in a directory: written whole, and gone with us."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import field, frozen

from tapehead.agents.hook_entries import OURS, InstalledHook, UnexpectedShapeError
from tapehead.agents.json_text import is_blank

if TYPE_CHECKING:
    from collections.abc import Callable


@frozen
class OwnFile:
    """The file of one agent: which events it is asked for, and what is written."""

    host: str
    events: tuple[str, ...]
    text_of: Callable[[str], str]
    """The whole file, for a command."""
    command_in: Callable[[str], str]
    """The command that a file of ours runs; nothing where it is none of ours."""
    _ours: re.Pattern[str] = field(init=False)

    @_ours.default
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(OURS.format(re.escape(self.host)))

    def is_ours(self, command: str) -> bool:
        """Whether a command line runs our hook."""
        return self._ours.search(command) is not None

    def hooks_of_ours(self, text: str) -> tuple[InstalledHook, ...]:
        """List what the file asks for: all of it, or nothing."""
        command = "" if is_blank(text) else self.command_in(text)
        return tuple(InstalledHook(event, command, 0) for event in self.events) if self.is_ours(command) else ()

    def with_hooks(self, text: str | None, command: str) -> str:
        """Give the file; one that somebody else wrote under this name is left alone."""
        if text is not None and not is_blank(text) and not self.hooks_of_ours(text):
            raise UnexpectedShapeError("the file is not one of tapehead's", text, 0)
        return self.text_of(command)

    def without_hooks(self, text: str, before: str | None = None) -> str:
        """Give what is left: nothing, unless it is somebody else's, or something stood there before."""
        if not self.hooks_of_ours(text):
            return text
        return before or ""
