"""Our MCP server in the text of a TOML settings file: a table of its own at the end. Nothing else is touched."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING

from tapehead.agents.server_command import ARGUMENTS, NAME, is_ours
from tapehead.agents.settings_file import SettingsFileError

if TYPE_CHECKING:
    from typing import Any

_HEADER = re.compile(rf"^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*{NAME}[ \t]*\][^\n]*\n?", re.MULTILINE)
_NEXT = re.compile(r"^[ \t]*\[", re.MULTILINE)
_COMMAND = re.compile(r"^([ \t]*command[ \t]*=[ \t]*)(\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')", re.MULTILINE)


class TomlError(SettingsFileError):
    """A file that is no TOML, or would be none with our table in it."""


class TomlServers:
    """The servers in Codex's file. What we write is read back before it is kept: a file of ours never stops the agent."""

    @staticmethod
    def command_in(text: str) -> str:
        """The program that our table runs; empty where there is none, or somebody else's has our name."""
        entry = _entry(_read(text))
        return str(entry["command"]) if is_ours(entry) else ""

    def with_server(self, text: str | None, program: str) -> str:
        """The text with our table; one of ours keeps what the user added to it, one of theirs by our name stays."""
        text = text or ""
        entry = _entry(_read(text))
        if entry is not None and (not is_ours(entry) or entry["command"] == program):
            return text
        written = self._renewed(text, program) if entry else self._added(text, program)
        if not is_ours(_entry(_read(written))):
            raise TomlError("our table does not fit into the file: write [mcp_servers.tapehead] by hand")
        return written

    @staticmethod
    def without_server(text: str, before: str | None = None) -> str:
        """The text without our table, and without the line that parted it from what stood before it."""
        span = _span(text)
        if span is None or not is_ours(_entry(_read(text))):
            return text
        start, end = span
        head, tail = text[:start], text[end:]
        newline = "\r\n" if "\r\n" in text else "\n"
        if head.endswith(newline * 2) and (not tail or tail.startswith((newline, "[", " ", "\t"))):
            head = head.removesuffix(newline)
        if not tail and before is not None and head == before + newline:
            return before
        return head + tail

    @staticmethod
    def _added(text: str, program: str) -> str:
        newline = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        words = ", ".join(map(json.dumps, ARGUMENTS))
        lines = (
            f"[mcp_servers.{NAME}]",
            f"command = {json.dumps(program, ensure_ascii=False)}",
            f"args = [{words}]",
            "",
        )
        return text + gap + newline.join(lines)

    @staticmethod
    def _renewed(text: str, program: str) -> str:
        span = _span(text)
        if span is None:
            return text
        start, end = span
        quoted = json.dumps(program, ensure_ascii=False)
        return text[:start] + _COMMAND.sub(lambda match: match[1] + quoted, text[start:end], count=1) + text[end:]


def _span(text: str) -> tuple[int, int] | None:
    """Where our table stands: from its header to the next one, or to the end."""
    header = _HEADER.search(text)
    if header is None:
        return None
    following = _NEXT.search(text, header.end())
    return header.start(), following.start() if following else len(text)


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise TomlError(f"not TOML: {error}") from None


def _entry(found: dict[str, Any]) -> Any:
    servers = found.get("mcp_servers")
    return servers.get(NAME) if isinstance(servers, dict) else None
