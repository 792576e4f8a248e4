"""Our bytecode in one file: a module from it is the same module, and whatever is wrong with the file, Python finds the module as ever."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time

import pytest

import tapehead
from tapehead.startup import bundle, own_file, warm_start

SOURCE = '"""A probe."""\nfrom . import inner\nNAME = __name__\nFILE = __file__\n'


class Probe:
    """A package of two modules, kept in a bundle; a later process asks for it."""

    def __init__(self, directory):
        self.state = str(directory)
        self.folder = directory / "bundle_probe"
        self.folder.mkdir()
        (self.folder / "__init__.py").write_text(SOURCE)
        (self.folder / "inner.py").write_text("WORD = 'kept'\n")
        self.path = directory / os.path.basename(own_file.path_in(self.state, bundle.NAME))

    def keep(self):
        found = []
        for name, file, is_package in (
            ("bundle_probe", "__init__.py", True),
            ("bundle_probe.inner", "inner.py", False),
        ):
            source = str(self.folder / file)
            code = compile((self.folder / file).read_text(), source, "exec")
            found.append((name, source, os.stat(source), is_package, code))
        bundle.keep(found, self.state)

    def load(self):
        for name in [name for name in sys.modules if name.startswith("bundle_probe")]:
            del sys.modules[name]
        importlib.invalidate_caches()
        bundle.install(self.state)
        return importlib.import_module("bundle_probe")

    def is_from_bundle(self):
        return isinstance(self.load().__spec__.loader, bundle.Finder)


@pytest.fixture
def probe(tmp_path, monkeypatch):
    """One that leaves nothing behind."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    made = Probe(tmp_path)
    made.keep()
    yield made
    for name in [name for name in sys.modules if name.startswith("bundle_probe")]:
        del sys.modules[name]


def test_a_module_from_the_bundle_is_the_same(probe):
    """Its name, its file, its folder and what it imports."""
    found = probe.load()
    assert isinstance(found.__spec__.loader, bundle.Finder)
    assert ("bundle_probe", str(probe.folder / "__init__.py")) == (found.NAME, found.FILE)
    assert (found.__doc__, found.inner.WORD, list(found.__path__)) == ("A probe.", "kept", [str(probe.folder)])
    assert not warm_start.is_needed(probe.state)


def test_a_changed_source_is_read(probe):
    """Also where only its time tells; the next worker learns that the bundle is stale."""
    (probe.folder / "inner.py").write_text("WORD = 'changed'\n")
    assert probe.load().inner.WORD == "changed"
    assert warm_start.is_needed(probe.state)
    probe.keep()
    os.utime(probe.folder / "__init__.py", (1, 1))
    assert not probe.is_from_bundle()


def test_a_source_that_is_gone_is_not_there(probe):
    """A module that was removed by an upgrade does not live on."""
    (probe.folder / "inner.py").unlink()
    with pytest.raises(ImportError):
        probe.load()


SPOILED = {
    "garbage": lambda path: path.write_bytes(b"\xff" * 4_000),
    "empty": lambda path: path.write_bytes(b""),
    "torn": lambda path: path.write_bytes(path.read_bytes()[:-20]),
    "a changed byte in the index": lambda path: path.write_bytes(
        path.read_bytes()[:60] + b"\0" + path.read_bytes()[61:]
    ),
    "a link": lambda path: (path.rename(path.with_name("elsewhere")), path.symlink_to("elsewhere")),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path)),
    "of another user": lambda path: os.chown(path, 12345, -1),
    "missing": lambda path: path.unlink(),
}


@pytest.mark.parametrize("spoil", SPOILED)
def test_a_file_that_is_not_ours_is_not_used(probe, spoil):
    """The module is found as ever."""
    if spoil == "of another user" and os.geteuid():
        pytest.skip("only root can give a file away")
    SPOILED[spoil](probe.path)
    assert not probe.is_from_bundle()


def test_one_of_another_python_is_not_used(probe, monkeypatch):
    """Its bytecode would be foreign."""
    monkeypatch.setattr(sys, "version", "another")
    assert not probe.is_from_bundle()


def test_one_of_another_installation_is_not_used(probe, monkeypatch):
    """Two installations with one state directory: a process that had modules of both would break."""
    assert probe.is_from_bundle()
    monkeypatch.setattr(sys, "meta_path", [one for one in sys.meta_path if not isinstance(one, bundle.Finder)])
    monkeypatch.setattr(tapehead, "__file__", "/elsewhere/tapehead/__init__.py")
    assert not probe.is_from_bundle()


def test_a_process_takes_what_another_left(tmp_path):
    """The whole of it: the files are private, and all of ours that a hook loads comes from them."""
    run = "import sys; from tapehead.startup import warm_start as w; w.{}(sys.argv[1])"
    subprocess.run([sys.executable, "-I", "-c", run.format("main"), str(tmp_path)], check=True)
    assert {os.path.join(tmp_path, name) for name in os.listdir(tmp_path)} == {*warm_start.files_in(str(tmp_path))}
    assert {os.stat(path).st_mode & 0o777 for path in warm_start.files_in(str(tmp_path))} == {0o600}
    program = (
        run.format("install") + "; import tapehead.engine.engine, tapehead.actions.brief_keeper; "
        "print(*(n for n, m in sys.modules.items() if n.startswith('tapehead.') "
        "and 'Finder' not in type(m.__spec__.loader).__name__), w.is_needed(sys.argv[1]))"
    )
    told = subprocess.run(
        [sys.executable, "-I", "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    *without, stale = told.stdout.split()
    assert stale == "False"
    assert {*without} <= {"tapehead.system", "tapehead.door", *(n for n in without if n.startswith("tapehead.startup"))}


def test_it_is_made_where_there_is_none_or_python_has_changed(probe, monkeypatch):
    """But not where another installation keeps its own there: the two would take turns."""
    probe.path.unlink()
    assert warm_start.is_needed(probe.state)
    probe.keep()
    ours = bundle._name_maker()
    monkeypatch.setattr(bundle, "_name_maker", lambda: ("another Python", ours[1]))
    assert warm_start.is_needed(probe.state)
    monkeypatch.setattr(bundle, "_name_maker", lambda: (ours[0], "/another/installation"))
    assert not warm_start.is_needed(probe.state)


def test_one_process_at_a_time_makes_it(tmp_path):
    """And after a failure nobody tries for a while."""
    path = own_file.path_in(str(tmp_path), bundle.NAME)
    first = own_file.claim(path)
    assert first is not None
    assert own_file.claim(path) is None
    os.close(first)
    again = own_file.claim(path)
    assert again is not None
    os.close(again)
    os.utime(f"{path}.new", (time.time() - 60,) * 2)
    assert own_file.claim(path) is None
    os.utime(f"{path}.new", (time.time() - 3_600,) * 2)
    os.close(own_file.claim(path))


def test_a_write_that_fails_leaves_the_former_file(tmp_path, monkeypatch):
    """And an empty one beside it, which an uninstall takes away; without a place nothing is written."""
    path = own_file.path_in(str(tmp_path), bundle.NAME)
    own_file.write(path, [b"former"])
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    own_file.write(path, [b"newer", b"and more"])
    assert own_file.read_own(path) == b"former"
    assert {os.path.getsize(one) for one in warm_start.files_in(str(tmp_path))} == {6, 0}
    own_file.write("", [b"x"])
    assert warm_start.files_in(os.path.join(tmp_path, "nowhere")) == ()


def test_code_that_the_disk_lost_is_not_run(probe):
    """The module is found as ever, and the bundle is made anew."""
    probe.path.write_bytes(probe.path.read_bytes()[:-40] + bytes(40))
    found = probe.load()
    assert (found.inner.WORD, isinstance(found.inner.__spec__.loader, bundle.Finder)) == ("kept", False)
    assert warm_start.is_needed(probe.state)
