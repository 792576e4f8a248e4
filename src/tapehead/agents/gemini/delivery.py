"""What Gemini's own record says that the model got from hooks: part of a prompt, in a mark of the agent's, with brackets escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.agents.gemini.messages import text_of
from tapehead.agents.gemini.session import entries
from tapehead.transcript.entries import word

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAID = re.compile(r"<hook_context>(.*?)</hook_context>", re.DOTALL)


def received(path: str, offset: int = 0) -> Iterator[str]:
    """The texts, in file order, from a byte on; what stood escaped in the original is given as it stands too."""
    for _, entry in entries(path, offset):
        if word(entry, "type") == "user":
            for said in _SAID.findall(text_of(entry.get("content"))):
                yield from dict.fromkeys((said.replace("&lt;", "<").replace("&gt;", ">"), said))
