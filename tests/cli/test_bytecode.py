import importlib.util
import os
import py_compile
import subprocess
import sys

import pytest

from tapehead.cli import bytecode
from tapehead.cli.bytecode import keep_for_hooks
from tapehead.engine.store_location import state_home
from tapehead.startup import warm_start


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two modules that nobody compiled."""
    inner = tmp_path / "bytecode_probe" / "inner"
    inner.mkdir(parents=True)
    for directory in (inner.parent, inner):
        (directory / "__init__.py").write_text("x = 1\n")
    (inner / "notes.txt").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield inner.parent
    sys.modules.pop("bytecode_probe", None)


def sources(package):
    return (str(package / "__init__.py"), str(package / "inner" / "__init__.py"))


def test_compiled_once(package):
    """What is not compiled is named, compiled once, and then no longer missing."""
    assert bytecode.missing(["bytecode_probe"]) == sources(package)
    assert bytecode.compile_now(["bytecode_probe"]) == ()
    assert bytecode.missing(["bytecode_probe"]) == ()


def test_what_hooks_take_is_made_with_it(package, monkeypatch):
    """The file that lets them start faster lies in the user's state directory then."""
    monkeypatch.setattr(bytecode, "keep_for_hooks", keep_for_hooks)  # no other test waits for it
    os.makedirs(state_home(os.environ))
    assert bytecode.compile_now(["bytecode_probe"]) == ()
    assert len(warm_start.files_in(state_home(os.environ))) == 1


@pytest.mark.parametrize("by_hash", [True, False])
def test_only_what_python_would_take_counts(package, by_hash):
    """Bytecode that is older than its source, torn or of another Python counts as missing; one checked by hash does not age."""
    modes = py_compile.PycInvalidationMode
    kind = modes.UNCHECKED_HASH if by_hash else modes.TIMESTAMP
    compiled = [py_compile.compile(path, invalidation_mode=kind) for path in sources(package)]
    assert bytecode.missing(["bytecode_probe"]) == ()
    os.utime(sources(package)[0], (1, 1))
    assert bytecode.missing(["bytecode_probe"]) == (() if by_hash else sources(package)[:1])
    with open(compiled[1], "r+b") as file:
        file.write(b"xxxx")
    assert sources(package)[1] in bytecode.missing(["bytecode_probe"])
    with open(compiled[1], "wb"):
        pass
    assert sources(package)[1] in bytecode.missing(["bytecode_probe"])


def test_what_cannot_be_compiled_is_told(package):
    """A place that cannot be written leaves its modules missing, without an error."""
    (package / "__pycache__").write_text("in the way")
    assert bytecode.compile_now(["bytecode_probe"]) == sources(package)[:1]


def test_packages():
    """What a hook loads is found as it is installed; a package that is not there has nothing missing."""
    found = {os.path.basename(os.path.dirname(path)) for path in bytecode._sources(bytecode.PACKAGES)}
    assert {"tapehead", "store", "attr", "attrs"} <= found
    assert bytecode.missing(["no_such_package"]) == ()


def test_a_stand_in_hides_nothing():
    """In a process that has not loaded attrs, where a stand-in takes its place, its source files are found as well."""
    program = "from tapehead.cli import bytecode; print(sum('attrs' in file for file in bytecode._sources(['attrs'])))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(found.stdout) > 1
