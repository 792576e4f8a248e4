"""Nothing of ours calls a model or a server: what leaves the machine leaves it through the user's git alone."""

from __future__ import annotations

import ast
from pathlib import Path

import tapehead

SOURCES = Path(tapehead.__file__).parent
SPEAKING = {"socket", "ssl", "http", "urllib", "asyncio", "ftplib", "smtplib", "xmlrpc", "socketserver", "requests"}
ALLOWED = {
    ("cli/web/server.py", "http"),  # listens on loopback, for the user's browser
    ("cli/web/server.py", "http.server"),
    ("cli/web/server.py", "urllib.parse"),
    ("history/database.py", "urllib.parse"),  # spells a path
}


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module


def test_no_module_can_call_anybody():
    """By what each of them imports, anywhere in it."""
    found = {
        (path.relative_to(SOURCES).as_posix(), name)
        for path in SOURCES.rglob("*.py")
        for name in imported(ast.parse(path.read_bytes()))
        if name.partition(".")[0] in SPEAKING
    }
    assert found == ALLOWED
