"""The machine is pure: it can neither look at the world nor change it, because it has nothing to do so with."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tapehead.statemachine

FOLDER = Path(tapehead.statemachine.__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")

# Without `site` a fresh Python has loaded almost nothing, not even `os`: what is there afterwards was asked for.
LOADED = """
import sys
import enum, __future__
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    __import__(f"tapehead.statemachine.{name}")
print(*sorted(set(sys.modules) - before))
print(*sorted({"os", "_typing", "random", "socket", "pathlib", "logging", "subprocess", "datetime"} & set(sys.modules)))
"""


def test_importing_the_machine_loads_the_machine():
    """A fresh process that imports every module of the machine has loaded enum, its dependencies, and the machine."""
    command = [sys.executable, "-I", "-S", "-c", LOADED, str(FOLDER.parent.parent), *MODULES]
    loaded, forbidden = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    stand_ins = ["attrs", "typing"]  # names that nothing real stands behind yet
    expected = [
        *stand_ins,
        "tapehead",
        "tapehead.startup",
        "tapehead.startup.stand_ins",
        "tapehead.statemachine",
        *(f"tapehead.statemachine.{name}" for name in MODULES),
    ]
    assert loaded.split() == sorted(expected)
    assert forbidden == ""


def imports_of(tree):
    """The modules that a source imports when it runs: what stands under TYPE_CHECKING never does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("name", MODULES)
def test_a_module_names_only_enum_and_its_siblings(name):
    """What every Python has loaded anyway (time, posix, io) is not named in the source either."""
    tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    others = {module for module in imports_of(tree) if not module.startswith("tapehead.statemachine.")}
    assert others <= {"enum", "__future__"}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_calls_nothing_that_reaches_out(name):
    """No module opens a file, prints, asks, evaluates or imports by name."""
    tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not names & {"open", "print", "input", "eval", "exec", "__import__", "globals"}
