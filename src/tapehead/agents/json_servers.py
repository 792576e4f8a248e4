"""Our MCP server in the text of a JSON settings file: a member of `mcpServers` among others. Nothing else is touched."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.agents.hook_entries import UnexpectedShapeError
from tapehead.agents.json_edit import append, interior, remove, replace
from tapehead.agents.json_text import Document, Object, String, is_blank, parse
from tapehead.agents.server_command import ARGUMENTS, NAME, is_ours

if TYPE_CHECKING:
    from typing import Any

KEY = "mcpServers"


@frozen
class JsonServers:
    """The servers in one agent's file."""

    typed: bool = False
    """Whether an entry says that it talks through pipes."""

    def command_in(self, text: str) -> str:
        """The program that our entry runs; empty where there is none, or somebody else's has our name."""
        entry = None if is_blank(text) else _ours(parse(text))
        command = entry.last("command") if entry else None
        return command.value if isinstance(command, String) else ""

    def with_server(self, text: str | None, program: str) -> str:
        """The text with our server. An entry of ours keeps what the user added to it; one of theirs by our name stays."""
        document = parse("{}\n" if text is None or is_blank(text) else text)
        root = _object(document, document.root, "the file")
        servers = document.member(root, KEY)
        if servers is None:
            return append(document, root, {NAME: self._entry(program)}, key=KEY)
        known = _object(document, servers.value, KEY)
        if document.member(known, NAME) is None:
            return append(document, known, self._entry(program), key=NAME)
        entry = _ours(document)
        command = entry.last("command") if entry else None
        if not isinstance(command, String) or command.value == program:
            return document.text
        return replace(document, command, program)

    def without_server(self, text: str, before: str | None = None) -> str:
        """The text without our server; what it leaves empty goes with it, unless it stood there `before`."""
        document = None if is_blank(text) else parse(text)
        if document is None or _ours(document) is None:
            return text
        root = _object(document, document.root, "the file")
        servers = root.last(KEY)
        assert isinstance(servers, Object)
        former, inside = _former(before)
        if len(servers.items) > 1 or former is not None:
            return remove(document, servers, _index(servers, NAME), former or "")
        left = remove(document, root, _index(root, KEY), inside)
        nothing_left = before is not None and is_blank(before) and len(root.items) == 1
        return before if before is not None and nothing_left else left

    def _entry(self, program: str) -> dict[str, Any]:
        return {**({"type": "stdio"} if self.typed else {}), "command": program, "args": [*ARGUMENTS]}


def _ours(document: Document) -> Object | None:
    root = document.root
    servers = root.last(KEY) if isinstance(root, Object) else None
    entry = servers.last(NAME) if isinstance(servers, Object) else None
    if not isinstance(entry, Object):
        return None
    return entry if is_ours(json.loads(document.text[entry.start : entry.end])) else None


def _former(before: str | None) -> tuple[str | None, str]:
    """What was between the braces of the servers in the file before, None where there were none; and of the file itself."""
    if before is None or is_blank(before):
        return None, ""
    document = parse(before)
    if not isinstance(document.root, Object):
        return None, ""
    servers = document.root.last(KEY)
    found = interior(document, servers) if isinstance(servers, Object) else None
    return found, interior(document, document.root)


def _index(parent: Object, key: str) -> int:
    return max(at for at, member in enumerate(parent.items) if member.key == key)


def _object(document: Document, node: Any, what: str) -> Object:
    if not isinstance(node, Object):
        raise UnexpectedShapeError(f"{what} is not an object", document.text, node.start)
    return node
