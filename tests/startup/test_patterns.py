"""Compiled regular expressions that are kept: what is found with them is what is found without."""

from __future__ import annotations

import marshal
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tapehead.startup import own_file, patterns

EXPRESSIONS = [
    (r"(?P<key>\w+)\s*=\s*(?P<value>[^\s;]+)", 0),
    (rb"a|b(?=c)", re.IGNORECASE.value),
    (r"(?i:über)|[à-ÿ]{2,}", re.MULTILINE.value),
    (r"(?x) a  # a comment", 0),
]


@pytest.fixture
def compiler(monkeypatch):
    """The compiler of `re`, which is put back afterwards; how often it really compiled is in its list."""
    from re import _compiler

    really, compiled = _compiler.compile, []

    def compile_pattern(text, flags=0):
        compiled.append(text)
        return really(text, flags)

    monkeypatch.setattr(_compiler, "compile", compile_pattern)
    re.purge()
    yield compiled
    re.purge()


def test_a_kept_expression_is_the_same_and_is_not_compiled_again(tmp_path, compiler):
    """Also where it has names, flags inside, or is one of bytes."""
    fresh = [re.compile(*one) for one in EXPRESSIONS]
    patterns.keep(EXPRESSIONS, str(tmp_path))
    patterns.install(str(tmp_path))
    re.purge()
    compiler.clear()
    again = [re.compile(*one) for one in EXPRESSIONS]
    assert again == fresh
    assert [one.groupindex for one in again] == [one.groupindex for one in fresh]
    assert again[0].search("a = b;")["value"] == "b"
    assert not compiler


def test_what_is_not_kept_is_compiled(tmp_path, compiler):
    """And so is the same expression with other flags."""
    patterns.keep(EXPRESSIONS, str(tmp_path))
    patterns.install(str(tmp_path))
    compiler.clear()
    assert re.compile(r"unheard of").search("unheard of")
    assert re.compile(EXPRESSIONS[0][0], re.DOTALL).flags & re.DOTALL
    assert len(compiler) == 2


def other_python(path):
    path.write_bytes(marshal.dumps(("another", {EXPRESSIONS[0]: None})))


def linked(path):
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


SPOILED = {
    "garbage": lambda path: path.write_bytes(b"\xff" * 40),
    "empty": lambda path: path.write_bytes(b""),
    "torn": lambda path: path.write_bytes(path.read_bytes()[:-20]),
    "of another Python": other_python,
    "a link": linked,
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path)),
    "of another user": lambda path: os.chown(path, 12345, -1),
}


@pytest.mark.parametrize("spoil", SPOILED)
def test_a_file_that_is_not_ours_is_not_used(tmp_path, compiler, spoil):
    """All is compiled then, and found as ever."""
    if spoil == "of another user" and os.geteuid():
        pytest.skip("only root can give a file away")
    patterns.keep(EXPRESSIONS, str(tmp_path))
    path = tmp_path / os.path.basename(own_file.path_in(str(tmp_path), patterns.NAME))
    SPOILED[spoil](path)
    patterns.install(str(tmp_path))
    compiler.clear()
    assert re.compile(*EXPRESSIONS[0]).search("a = b;")["key"] == "a"
    assert compiler == [EXPRESSIONS[0][0]]


def test_the_file_holds_what_hooks_load_and_is_private(tmp_path):
    """It is made by a process of its own, which has compiled nothing yet."""
    program = "import sys; from tapehead.startup.warm_start import main; main(sys.argv[1])"
    subprocess.run([sys.executable, "-I", "-c", program, str(tmp_path)], check=True)
    path = own_file.path_in(str(tmp_path), patterns.NAME)
    _, kept = marshal.loads(Path(path).read_bytes()[4:])
    from tapehead.work_record import commits

    assert len(kept) > 100
    assert any(text == one.pattern for text, _ in kept for one in vars(commits).values() if isinstance(one, re.Pattern))
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.path.basename(path) in os.listdir(tmp_path)


def test_where_it_cannot_be_written_there_is_none(tmp_path):
    """Nor is a directory made for it."""
    patterns.keep(EXPRESSIONS, str(tmp_path / "not" / "there"))
    patterns.install("")
    assert os.listdir(tmp_path) == []
