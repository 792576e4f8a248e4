"""The Model Context Protocol, as far as a server of tools needs it: a message in, at most one message out. Pure.

Clients of the revisions up to 2025-11-25 shake hands first (`initialize`). Those of 2026-07-28 say their revision with every request
and ask `server/discover`. One server answers both: what a request says of itself decides.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Revisions that begin with a handshake, the newest first."""
STATELESS = ("2026-07-28",)
"""Revisions that every request names."""
PARSE_ERROR, INVALID_REQUEST, NO_SUCH_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
UNSUPPORTED_REVISION = -32022
_META = "io.modelcontextprotocol/"
_CACHED = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""The list of tools is the same as long as the process lives."""


class Refused(Exception):
    """A request that cannot be answered: a code of the protocol, and words."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **({"data": data} if data is not None else {})}


class About(NamedTuple):
    """What the server says of itself."""

    name: str
    version: str
    instructions: str


class Protocol:
    """Answers the messages of one client."""

    def __init__(
        self, about: About, tools: list[dict[str, Any]], call: Callable[[str, dict[str, Any]], dict[str, Any]]
    ) -> None:
        self.about = about
        self.tools = tools
        self.call = call
        self._methods: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "initialize": self._shake_hands,
            "server/discover": self._discover,
            "ping": lambda _: {},
            "tools/list": lambda _: {"tools": self.tools},
            "tools/call": self._call,
        }

    def answer(self, line: bytes) -> bytes:
        """The answer to one line; empty where none is due."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return _written(_failed(None, Refused(PARSE_ERROR, "a line that is not JSON")))
        if isinstance(message, list) and message:  # a batch, which clients of 2025-03-26 may send
            answers = [answer for each in message if (answer := self._answer(each))]
            return _written(answers) if answers else b""
        answer = self._answer(message)
        return _written(answer) if answer else b""

    def _answer(self, message: Any) -> dict[str, Any]:
        ident = message.get("id") if isinstance(message, dict) else None
        known = isinstance(ident, (str, int, float)) and not isinstance(ident, bool)
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            if isinstance(message, dict) and known and message.keys() & {"result", "error"}:
                return {}  # an answer, and we asked nothing
            return _failed(ident if known else None, Refused(INVALID_REQUEST, "a message without a method"))
        if "id" not in message:
            return {}  # a notification: there is nothing that we must be told
        if not known:
            return _failed(None, Refused(INVALID_REQUEST, "the id of a request is a string or a number"))
        try:
            return {"jsonrpc": "2.0", "id": ident, "result": self._result(message["method"], message.get("params"))}
        except Refused as refused:
            return _failed(ident, refused)

    def _result(self, method: str, params: Any) -> dict[str, Any]:
        if params is not None and not isinstance(params, dict):
            raise Refused(INVALID_PARAMS, "params must be an object")
        revision = _revision(params or {})
        perform = self._methods.get(method)
        if perform is None:
            raise Refused(NO_SUCH_METHOD, f"no method {method!r}")
        result = perform(params or {})
        if not revision:
            return result
        cached = _CACHED if method in ("server/discover", "tools/list") else {}
        return {**cached, **result, "resultType": "complete", "_meta": {f"{_META}serverInfo": self._info()}}

    def _info(self) -> dict[str, str]:
        return {"name": self.about.name, "version": self.about.version}

    def _shake_hands(self, params: dict[str, Any]) -> dict[str, Any]:
        """Speak the client's revision, or the newest that has a handshake: the client decides whether that will do."""
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in HANDSHAKE else HANDSHAKE[0],
            "capabilities": {"tools": {}},
            "serverInfo": self._info(),
            "instructions": self.about.instructions,
        }

    def _discover(self, params: dict[str, Any]) -> dict[str, Any]:
        if not _revision(params):
            raise Refused(INVALID_PARAMS, f"params._meta must name {_META}protocolVersion")
        return {
            "supportedVersions": [*STATELESS, *HANDSHAKE],
            "capabilities": {"tools": {}},
            "instructions": self.about.instructions,
        }

    def _call(self, params: dict[str, Any]) -> dict[str, Any]:
        name, arguments = params.get("name"), params.get("arguments")
        if name not in [tool["name"] for tool in self.tools]:
            raise Refused(INVALID_PARAMS, f"no tool {name!r}")
        if arguments is not None and not isinstance(arguments, dict):
            raise Refused(INVALID_PARAMS, "arguments must be an object")
        return self.call(str(name), arguments or {})


def _revision(params: dict[str, Any]) -> str:
    """The revision that a request names; empty where it was settled in a handshake."""
    meta = params.get("_meta")
    named = meta.get(f"{_META}protocolVersion") if isinstance(meta, dict) else None
    if named is None:
        return ""
    if not isinstance(named, str):
        raise Refused(INVALID_PARAMS, "the protocol version must be a string")
    if named not in STATELESS:
        raise Refused(
            UNSUPPORTED_REVISION, "unsupported protocol version", {"supported": [*STATELESS], "requested": named}
        )
    return named


def _failed(ident: Any, refused: Refused) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ident, "error": refused.error}


def _written(message: Any) -> bytes:
    """One line. Half a pair of surrogates, which JSON would spell out, is no text: strict clients reject it."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
