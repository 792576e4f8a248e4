"""Our status line in the text of a Claude Code settings file: set where none is set, taken out where it is ours. Nothing else.

There is room for one status line alone, and a user who has one wants that one.
"""

from __future__ import annotations

import re
import shlex

from tapehead.agents.claude.scopes import SCOPES
from tapehead.agents.claude.settings import ENTRIES, EVENTS, without_hooks
from tapehead.agents.json_edit import append, interior, remove, replace
from tapehead.agents.json_text import Document, Object, String, is_blank, parse

KEY = "statusLine"
_OURS = re.compile(r"""(?<![\w.-])tapehead(?:\.exe)?(?=['"\s])[^;&|\n]*?\sstatusline(?![\w-])""")
_SHARED = "if command -v tapehead >/dev/null 2>&1; then tapehead statusline; fi"


def command_for(scope: str, executable: str) -> str:
    """Give the command line of a scope's status line."""
    return _SHARED if scope == "project" else f"{shlex.quote(executable)} statusline"


def scopes_below(scope: str) -> tuple[str, ...]:
    """Give the scopes whose settings this one's go before."""
    return SCOPES[: SCOPES.index(scope)]


def is_ours(command: str) -> bool:
    """Whether a command line prints our status line."""
    return _OURS.search(command) is not None


def command_in(text: str | None) -> str | None:
    """What the file's status line runs; empty where it is set to something else, None where none is set."""
    root = _root(_read(text))
    if root is None or root.last(KEY) is None:
        return None
    command = _command(root)
    return command.value if command else ""


def with_ours(
    text: str | None, command: str, statusline: str, *, wanted: bool, events: tuple[str, ...] = EVENTS
) -> str:
    """The text with our hooks, and with our status line if it is wanted and none is there. One of ours is kept up to date."""
    text = ENTRIES.limited_to(events).with_hooks(text, command)
    document = _read(text)
    root = _root(document)
    if document is None or root is None:
        return text
    ours = _command(root)
    if wanted and document.member(root, KEY) is None:
        return append(document, root, {"type": "command", "command": statusline}, key=KEY)
    if ours and is_ours(ours.value) and ours.value != statusline:
        return replace(document, ours, statusline)
    return text


def without_ours(text: str, before: str | None = None) -> str:
    """The text without our hooks and our status line. `before` is what the file was until they came."""
    document = _read(text)
    root = _root(document)
    ours = _command(root) if root else None
    if document and root and ours and is_ours(ours.value):
        index = max(at for at, member in enumerate(root.items) if member.key == KEY)
        text = remove(document, root, index, _interior(before))
        if before is not None and is_blank(before) and len(root.items) == 1:
            return before
    return without_hooks(text, before)


def _command(root: Object) -> String | None:
    found = root.last(KEY)
    command = found.last("command") if isinstance(found, Object) else None
    return command if isinstance(command, String) else None


def _interior(before: str | None) -> str:
    document = _read(before)
    root = _root(document)
    return interior(document, root) if document and root else ""


def _read(text: str | None) -> Document | None:
    return None if text is None or is_blank(text) else parse(text)


def _root(document: Document | None) -> Object | None:
    return document.root if document and isinstance(document.root, Object) else None
