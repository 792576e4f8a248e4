from __future__ import annotations

import ast
import json
import re

import attrs
import pytest

import state_page
from tapehead.store import state
from tapehead.store.codec import unstructure

CLASSES = (state.State, state.PromptAttribution, state.TokenUsage, state.Failure, state.Waiting)
ROW = re.compile(r"\| `(\w+)` \| `(.*?)` \| (.*?) \| (.+) \|")


def rows_of(name):
    section = state_page.page().split(f"## {name}\n")[1].split("\n## ")[0]
    return [ROW.fullmatch(line).groups() for line in section.splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_field_has_one_row(cls):
    """The page lists the fields of each class, all of them, in the order of the file, with the type that the class gives them."""
    kinds = {node.target.id: ast.unparse(node.annotation) for node in body_of(cls)}
    expected = [(field.name, kinds[field.name].replace("|", "\\|")) for field in attrs.fields(cls)]
    assert [(name, kind) for name, kind, _, _ in rows_of(cls.__name__)] == expected


def body_of(cls):
    tree = ast.parse(state_page.SOURCE.read_text(encoding="utf-8"))
    found = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == cls.__name__)
    return [node for node in found.body if isinstance(node, ast.AnnAssign)]


def test_the_default_of_a_field_is_what_a_new_state_file_holds():
    """What the page says a field is when new, is in the JSON of a state that nothing was folded into."""
    document = unstructure(state.State("new"))
    told = {name: json.loads(default.strip("`")) for name, _, default, _ in rows_of("State") if default}
    assert told == {name: value for name, value in document.items() if name != "session_id"}


def test_a_field_whose_life_is_not_told_is_refused():
    """A field without its comment is an error that names it, also as the last one of its class."""
    for text in (
        "class State:\n    count: int = 0\n",
        'class State:\n    count: int = 0\n    other: int = 1\n    """Told."""\n',
    ):
        with pytest.raises(LookupError, match=r"State\.count has no comment"):
            state_page.page(text)


def test_a_class_that_stands_inside_the_state_cannot_be_forgotten():
    """Every class of the module is on the page, the state itself first."""
    found = re.findall(r"^## (\w+)$", state_page.page(), re.MULTILINE)
    assert found[0] == "State"
    assert set(found) == {cls.__name__ for cls in CLASSES}
