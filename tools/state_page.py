"""Writes docs/state-file.md: every field of the saved state, from the classes and the comments in store/state.py."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from tapehead.store import state as described
from tapehead.store.codec import CONVERTER

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(described.__file__)
TOP = "State"
EXAMPLE_ID = "…"

OPENING = """\
# The state file

`sessions/<id>.json` in the store holds the state of one session. All of it follows from the session's tape, so a state file
that is lost or cannot be read is rebuilt from there. `tapehead replay` checks that the two agree, and `tapehead status --json` prints
the same fields.

Made from `src/tapehead/store/state.py` by `make redraw`; a test compares.

Types in the JSON: a `datetime` is text in ISO 8601 with its zone, a `tuple` is a list, a `Phase` is its
lower-case word, an object of a class below is a JSON object with that class's fields, and `None` is `null`. A value of
the wrong type makes the file unreadable; it goes to the quarantine with the reason.
"""


@frozen
class Field:
    """One field, as the source tells it."""

    name: str
    kind: str
    meaning: str


def page(source: str | None = None) -> str:
    """The whole page: the state first, then the classes that stand inside it."""
    text = SOURCE.read_text(encoding="utf-8") if source is None else source
    classes = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    names = [TOP, *(name for name in classes if name != TOP)]
    return "\n".join([OPENING, *(_section(classes[name]) for name in names)])


def _section(node: ast.ClassDef) -> str:
    defaults = _defaults(node.name)
    rows = [
        f"| `{field.name}` | `{_cell(field.kind)}` | {defaults.get(field.name, '')} | {_cell(field.meaning)} |"
        for field in fields_of(node)
    ]
    head = f"## {node.name}\n\n{ast.get_docstring(node)}\n\n| field | type | when new | meaning |\n| --- | --- | --- | --- |\n"
    return head + "\n".join(rows) + "\n"


def fields_of(node: ast.ClassDef) -> Iterator[Field]:
    """The fields of a class. One without its comment is an error: its life must be told."""
    for place, statement in enumerate(node.body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            yield Field(name, ast.unparse(statement.annotation), _comment(node, place, name))


def _comment(node: ast.ClassDef, place: int, name: str) -> str:
    after = node.body[place + 1] if place + 1 < len(node.body) else None
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
        return " ".join(after.value.value.split())
    raise LookupError(f"{node.name}.{name} has no comment that tells who sets it and when it is cleared")


def _defaults(name: str) -> dict[str, str]:
    """What a new one has in the JSON, field by field. The id has no default, and what is unknown is no field there."""
    cls: Any = getattr(described, name)
    document = CONVERTER.unstructure(cls(EXAMPLE_ID) if name == TOP else cls())
    return {field: f"`{json.dumps(value)}`" for field, value in document.items() if value != EXAMPLE_ID}


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
