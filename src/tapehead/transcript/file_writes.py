"""What a tool call does to a file, so that it can be done again. Values."""

from __future__ import annotations

from typing import NamedTuple


class Change(NamedTuple):
    """One replacement."""

    old: str | None
    """None: the whole file becomes the new text."""
    new: str
    everywhere: bool = False


class WritingCall(NamedTuple):
    """A call by which files may have changed."""

    id: str
    tool: str
    at: int
    """When it was made, in nanoseconds since 1970."""
    ended: int = 0
    subagent: str = ""
    """Who made it; empty for the session itself."""
    what: str = ""
    """The file, the command, or what a subagent was told."""
    file: str = ""
    """The one that it changes; empty where it may be any."""
    changes: tuple[Change, ...] | None = None
    """None where nobody knows what it wrote."""
    before: str | None = None
    """The whole file as it was before, where the agent tells."""
    is_background: bool = False


def change_file(content: str | None, changes: tuple[Change, ...]) -> str | None:
    """A file after a call; None where the call cannot have found what it replaced. None as content is no file."""
    for old, new, everywhere in changes:
        if old is None or (not old and not content):
            content = new
            continue
        many = content.count(old) if content and old else 0
        if content is None or not many or (many > 1 and not everywhere):
            return None
        # An agent that deletes a whole line by its text means its end as well: Claude Code takes that along.
        gone = f"{old}\n" if not new and not old.endswith("\n") and f"{old}\n" in content else old
        content = content.replace(gone, new) if everywhere else content.replace(gone, new, 1)
    return content
