"""What only one operating system has is named in tapehead.system and nowhere else."""

import ast
import inspect
import sys
from pathlib import Path

import pytest

import tapehead

sys.path.insert(0, str(Path(__file__).parent))  # the plugin of the other tests in this folder lies beside them
from names import DANGEROUS, MODULES, OS, SIGNAL

ROOT = Path(tapehead.__file__).parent
FORBIDDEN = {
    "os": {*OS, *DANGEROUS} - {"sync"},
    "signal": set(SIGNAL),
    "select": {"select", "poll", "epoll", "kqueue"},
}


def named(tree):
    """The names that a module uses and that are not everywhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in {*MODULES, "select", "msvcrt", "ctypes"})
        elif isinstance(node, ast.ImportFrom):
            if node.module in {*MODULES, "select", "msvcrt", "ctypes"}:
                yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names if one.name in FORBIDDEN.get(node.module, ()))
        elif isinstance(node, ast.Attribute) and node.attr in FORBIDDEN.get(ast.unparse(node.value), ()):
            yield ast.unparse(node)


def test_nobody_else_names_them():
    """Neither a module nor a function nor a flag that POSIX or Windows has alone."""
    found = {
        str(path.relative_to(ROOT)): names
        for path in ROOT.rglob("*.py")
        if path.parent.name != "system" and (names := sorted(set(named(ast.parse(path.read_text(encoding="utf-8"))))))
    }
    assert found == {}


@pytest.mark.parametrize(
    "code", ["import fcntl", "from os import fork", "os.geteuid()", "from signal import SIGKILL", "os.kill(1, 0)"]
)
def test_the_look_finds_them(code):
    """Each way of naming one."""
    assert list(named(ast.parse(code)))


def test_both_sides_have_the_same_functions():
    """What Windows puts in the place of a function takes and gives the same; and there is one for each."""
    sides = {}
    for name in ("__init__", "windows"):
        tree = ast.parse((ROOT / "system" / f"{name}.py").read_text(encoding="utf-8"))
        sides[name] = {
            node.name: (ast.unparse(node.args), ast.unparse(node.returns))
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        }
    extra = {"long_path"}
    assert sides["__init__"] == {name: form for name, form in sides["windows"].items() if name not in extra}
    source = inspect.getsource(sys.modules["tapehead.system"])
    assert "windows.IN_PLACE" in source
