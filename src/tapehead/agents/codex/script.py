"""Code mode: newer models call their tools from a script. This finds the calls in it, without running anything.

Arguments are nearly always literals, or a name that was given a literal above; of anything else the source itself is taken.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# What is not closed goes to the end: looking for its end again from every next character would never come to one.
_STRING = r"(?:String\.raw\s*)?`[^`\\]*(?:\\.[^`\\]*)*(?:`|\Z)|" + "|".join(
    rf"{mark}[^{mark}\\]*(?:\\.[^{mark}\\]*)*(?:{mark}|\Z)" for mark in "\"'"
)
_SEEN = re.compile(
    rf"(?P<named>\b(?:const|let|var)\s+(?P<name>[\w$]+)\s*=\s*(?=[\"'`{{\[]|String\.raw))|"
    rf"(?P<called>\btools\s*(?:\??\.\s*(?P<tool>\w+)|\[\s*[\"'](?P<quoted>\w+)[\"']\s*\])\s*\(\s*)|"
    rf"{_STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)",
    re.DOTALL,
)
_TOKEN = re.compile(
    rf"\s*(?:(?P<string>{_STRING})|(?P<number>-?\d{{1,15}}(?:\.\d{{1,15}})?)(?![\w.])|(?P<word>[\w$]+)|(?P<sign>.))",
    re.DOTALL,
)
_JOINED = re.compile(rf"\s*\.join\(\s*({_STRING})\s*\)", re.DOTALL)
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None}
_OPENING, _CLOSING = "([{", ")]}"
_ENDS = ",;" + _CLOSING
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_DEEPEST = 40
_LAST = 0x10FFFF


def calls(source: str) -> list[tuple[str, Any]]:
    """Give each call as (tool, argument), in the order of the script."""
    found: list[tuple[str, Any]] = []
    names: dict[str, Any] = {}
    at = 0
    while seen := _SEEN.search(source, at):
        at = seen.end()
        if seen["named"]:
            names[seen["name"]], at = _Literals(source, names).value(at)
        elif seen["called"]:
            value, at = _Literals(source, names).value(at)
            found.append((seen["tool"] or seen["quoted"], value))
    return found


class _Literals:
    """Reads values of the source, and says where they end."""

    def __init__(self, source: str, names: dict[str, Any]) -> None:
        self.source = source
        self.names = names

    def value(self, at: int, depth: int = 0) -> tuple[Any, int]:
        """Read a value; an expression that is no literal is its own source."""
        token = _TOKEN.match(self.source, at)
        if token is None or (token["sign"] or " ") in _CLOSING or depth > _DEEPEST:
            return None, at
        value, end = self._joined(*self._literal(token, depth))
        follows = _TOKEN.match(self.source, end)
        while follows and follows["sign"] == "+" and isinstance(value, str):
            more = _TOKEN.match(self.source, follows.end())
            piece, end = self._literal(more, depth) if more else ("", follows.end())
            value += str(piece)
            follows = _TOKEN.match(self.source, end)
        if follows is None or (follows["sign"] or " ") in _ENDS or (depth == 0 and follows["word"]):
            return value, end
        end = self._expression(at)
        return self.source[at:end].strip(), end

    def _joined(self, value: Any, end: int) -> tuple[Any, int]:
        """Lines that are written as a list and joined are one text."""
        joined = _JOINED.match(self.source, end) if isinstance(value, list) else None
        return (unquote(joined[1]).join(map(str, value)), joined.end()) if joined else (value, end)

    def _literal(self, token: re.Match[str], depth: int) -> tuple[Any, int]:
        if token["string"]:
            return unquote(token["string"]), token.end()
        if token["number"]:
            return float(token["number"]) if "." in token["number"] else int(token["number"]), token.end()
        if token["sign"] == "{":
            return self._object(token.end(), depth + 1)
        if token["sign"] == "[":
            return self._array(token.end(), depth + 1)
        word = token["word"] or token["sign"]
        return _WORDS[word] if word in _WORDS else self.names.get(word, word), token.end()

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while (token := _TOKEN.match(self.source, at)) and token["sign"] != "}":
            at = token.end()
            colon = _TOKEN.match(self.source, at)
            name = unquote(token["string"]) if token["string"] else token[0].strip()
            if colon and colon["sign"] == ":":
                found[name], end = self.value(colon.end(), depth)
                at = max(end, colon.end())
            elif token["word"]:
                found[name] = self.names.get(name, name)  # shorthand: {cmd} is {cmd: cmd}
        return found, token.end() if token else len(self.source)

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        while (token := _TOKEN.match(self.source, at)) and token["sign"] != "]":
            value, end = (None, token.end()) if token["sign"] == "," else self.value(at, depth)
            found += [] if token["sign"] == "," else [value]
            at = end if end > at else token.end()
        return found, token.end() if token else len(self.source)

    def _expression(self, at: int) -> int:
        """Where an expression ends: at the comma, the semicolon or the closing bracket that is not its own."""
        depth = 0
        while token := _TOKEN.match(self.source, at):
            sign = token["sign"] or " "
            if depth == 0 and sign in _ENDS:
                break
            depth += (sign in _OPENING) - (sign in _CLOSING)
            at = token.end()
        return at


def unquote(literal: str) -> str:
    """Give what a string literal stands for; what a template would fill in stays as it is written."""
    if literal.startswith("String.raw"):
        return literal.partition("`")[2].removesuffix("`")
    text = _ESCAPE.sub(lambda found: _meant(found[1]), literal[1:].removesuffix(literal[0]))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # two halves of a character are one


def _meant(escape: str) -> str:
    if escape[0] in "ux" and len(escape) > 1:
        code = int(escape[1:].strip("{}"), 16)
        return chr(code) if code <= _LAST else ""
    return _ESCAPED.get(escape, escape)
