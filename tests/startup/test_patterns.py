"""Compiled regular expressions that are kept: what is found with them is what is found without."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from json import decoder, scanner

import pytest

from tapehead.startup import patterns
from tapehead.work_record import commits

EXPRESSIONS = [
    (r"(?P<key>\w+)\s*=\s*(?P<value>[^\s;]+)", 0),
    (rb"a|b(?=c)", re.IGNORECASE.value),
    (r"(?i:über)|[à-ÿ]{2,}", re.MULTILINE.value),
    (r"(?x) a  # a comment", 0),
]


@pytest.fixture
def compiler(monkeypatch):
    """The compiler of `re`, which is put back afterwards; what it really compiled is in its list."""
    from re import _compiler

    really, compiled = _compiler.compile, []

    def compile_pattern(text, flags=0):
        compiled.append(text)
        return really(text, flags)

    monkeypatch.setattr(_compiler, "compile", compile_pattern)
    monkeypatch.setattr(patterns, "_KEPT", {})
    re.purge()
    yield compiled
    re.purge()


def kept():
    return {key: patterns.make(*key) for key in EXPRESSIONS}


@pytest.mark.parametrize("how", [re.compile, patterns.compile], ids=["by re", "by what stands in for it"])
def test_a_kept_expression_is_the_same_and_is_not_compiled_again(compiler, how):
    """Also where it has names, flags inside, or is one of bytes."""
    fresh = [re.compile(*one) for one in EXPRESSIONS]
    patterns.offer(kept())
    re.purge()
    compiler.clear()
    again = [how(*one) for one in EXPRESSIONS]
    assert again == fresh
    assert [one.groupindex for one in again] == [one.groupindex for one in fresh]
    assert again[0].search("a = b;")["value"] == "b"
    assert not compiler


@pytest.mark.parametrize("how", [re.compile, patterns.compile], ids=["by re", "by what stands in for it"])
def test_what_is_not_kept_is_compiled(compiler, how):
    """And so is the same expression with other flags, and one that is compiled stays as it is."""
    patterns.offer(kept())
    compiler.clear()
    assert how(r"unheard of").search("unheard of")
    assert how(EXPRESSIONS[0][0], re.DOTALL).flags & re.DOTALL
    assert len(compiler) == 2
    assert how(fresh := re.compile("a")) is fresh


@pytest.mark.parametrize("made", [None, (0, b"", 0, {}, ()), (0, b"odd", 0, {}, ()), (0, "no numbers", 0, {}, ())])
def test_what_the_engine_refuses_is_compiled(compiler, made):
    """Whatever was kept there."""
    patterns.offer({EXPRESSIONS[0]: made})
    compiler.clear()
    assert patterns.compile(*EXPRESSIONS[0]).search("a = b;")["key"] == "a"
    assert compiler == [EXPRESSIONS[0][0]]


def test_the_flags_and_the_escapes_are_those_of_re():
    """By name and number; every letter, and bytes."""
    for name in ("ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "VERBOSE"):
        assert getattr(patterns, name) == getattr(re, name)
    letters = "".join(map(chr, range(300)))
    assert patterns.escape(letters) == re.escape(letters)
    assert patterns.escape(b"a.b") == re.escape(b"a.b")


def test_expressions_are_told_with_the_module_that_asked(monkeypatch):
    """In a process of its own, which has compiled nothing yet: ours, and those of Python's own modules."""
    program = (
        "import sys, json\nfrom tapehead.startup import patterns\n"
        "def work():\n    import json, tapehead.work_record.commits\n"
        "print({name: sorted(map(repr, keys)) for name, keys in patterns.listen(work).items()})"
    )
    program = program.replace("import sys, json", "import sys")
    told = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True).stdout
    ours = next(one for one in vars(commits).values() if isinstance(one, re.Pattern))
    seen = eval(told)
    assert any(repr(ours.pattern) in key for key in seen[commits.__name__])
    assert any(repr(scanner.NUMBER_RE.pattern) in key for key in seen[scanner.__name__])
    assert any(repr(decoder.WHITESPACE.pattern) in key for key in seen[decoder.__name__])
    assert json.__name__ not in seen
