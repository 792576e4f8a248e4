"""What the host's summariser is told must survive: short, concrete, in the person's own words. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.restore.fence import clean, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.transcript.found import Digest

LIMIT = 1_500
"""Characters: the same text is shown to the person in the line of a manual compaction."""
_QUOTED = 160
_FEW = 6


def steer(digest: Digest) -> str:
    """The parts that a summary most often loses, as many as fit, most important first."""
    text = ""
    for part in _parts(digest):
        if len(text) + len(part) + 1 <= LIMIT:
            text += part + "\n"
    return clean(text).strip()


def _parts(digest: Digest) -> Iterator[str]:
    rules = [quote(rule.text, _QUOTED) for rule in digest.rules if rule.holds][:_FEW]
    if rules:
        yield "Rules the person set, word for word: " + " | ".join(f"“{rule}”" for rule in rules)
    if digest.asks:
        yield f"Asked last, word for word: “{quote(digest.asks[-1].text, 300)}”"
    todos = [quote(todo.text, _QUOTED) for todo in digest.todos if todo.holds][:_FEW]
    if todos:
        yield "Open items, by their own words: " + " | ".join(todos)
    files = [f"{quote(file.path, 120)}{_symbols(file.symbols)}" for file in digest.files if file.changed][:_FEW]
    if files:
        yield "Files being changed: " + ", ".join(files)
    commands = [f"`{quote(ran.text, _QUOTED)}`" for ran in digest.commands if ran.purpose][:_FEW]
    if commands:
        yield "Commands in use, exactly: " + ", ".join(commands)
    errors = [quote(error.text, _QUOTED) for error in digest.errors if error.holds][:2]
    if errors:
        yield "Errors still open: " + " | ".join(errors)


def _symbols(names: tuple[str, ...]) -> str:
    return f" ({', '.join(quote(name, 60) for name in names[:3])})" if names else ""
