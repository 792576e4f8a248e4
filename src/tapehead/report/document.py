"""An HTML document of ours: one style, one script, and a policy that lets nothing else run. The frame of every page."""

from __future__ import annotations

from tapehead.report.markup import Html, el
from tapehead.report.style import hash_text

MARK = "<!-- tapehead report -->"
"""Stands at the beginning: a file that has it may be written over."""


def policy(style: str, script: str, *, is_live: bool) -> str:
    """Nothing is loaded from anywhere, and nothing runs but these two texts; a page that is served may ask its own server."""
    own = "connect-src 'self'; " if is_live else ""
    return f"default-src 'none'; {own}style-src {hash_text(style)}; script-src {hash_text(script)}; base-uri 'none'; form-action 'none'"


def document(title: str, body: Html, style: str, script: str, *, is_live: bool = False) -> str:
    """The whole file."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy(style, script, is_live=is_live)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", title),
        el("style", Html(style)),
    )
    return f"<!doctype html>\n{MARK}\n{el('html', head, el('body', body, el('script', Html(script))), lang='en')}\n"
