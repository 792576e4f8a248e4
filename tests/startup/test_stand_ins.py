"""Stand-ins for typing and attrs: the few names that a hook needs are ours, all others are the real ones."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tapehead

TRICK = re.compile(
    r"^TYPE_CHECKING = |tapehead\.startup\.(?:frozen_class|named_tuple|plain_enum|wrappers)", re.MULTILINE
)

PROGRAMS = {
    "the names that we have load nothing": """
from typing import TYPE_CHECKING, NamedTuple
from attrs import evolve, field, frozen
assert TYPE_CHECKING is False and NamedTuple.__module__ == "tapehead.startup.named_tuple"
assert not REAL & {*sys.modules}
""",
    "any other name loads the real module": """
from typing import Any, get_type_hints
assert "_typing" in sys.modules and get_type_hints(type("A", (), {"__annotations__": {"a": "int"}})) == {"a": int}
assert sys.modules["typing"].__file__ and __import__("typing").Any is Any
""",
    "whoever holds a stand-in gets the real names once they are there": """
import typing, attrs
typing.Any, attrs.fields
assert typing.NamedTuple.__module__ == "typing" and attrs.evolve.__module__.startswith("attr.")
""",
    "parts of the real package can be imported": """
from attrs.exceptions import FrozenInstanceError
import attrs, attrs.validators
assert attrs.exceptions.FrozenInstanceError is FrozenInstanceError and "attr" in sys.modules
""",
    "libraries that look typing up themselves get what they look for": """
import dataclasses
@dataclasses.dataclass
class Pair:
    left: int
    kept: "typing.ClassVar[int]" = 3
assert Pair(1).left == 1
""",
    "what our own classes do not know is left to attrs": """
from attrs import evolve, field, frozen
@frozen(repr=False)
class Mixed:
    left: int = field(default=1, converter=int)
    more: dict = field(factory=dict)
@frozen
class Plain:
    left: int = 2
assert Mixed("3").left == 3 and Mixed().more == {} and evolve(Plain(), left=4).left == 4 and repr(Plain()) == "Plain(left=2)"
""",
    "fifty threads may ask at once": """
import threading, typing
found = []
threads = [threading.Thread(target=lambda: found.append(typing.Any)) for _ in range(50)]
[one.start() for one in threads], [one.join() for one in threads]
assert len(found) == 50 and len({*map(id, found)}) == 1
""",
}

IN_HOOKS = {
    "the names that we have load nothing": """
import re
from collections.abc import Mapping
from collections import deque
from datetime import UTC, datetime, timedelta
from functools import partial, reduce
from bisect import bisect_left, bisect_right
assert datetime(2026, 1, 1, tzinfo=UTC) + timedelta(1) and issubclass(dict, Mapping)
assert re.IGNORECASE | re.MULTILINE == 10
import tapehead.statemachine.vocabulary as words
assert words.Phase("idle") is words.Phase.IDLE and "plain_enum" in type(words.Phase).__module__
assert not {name for name, one in sys.modules.items() if type(one).__name__ != "StandIn"} & LIBRARY
""",
    "an expression that nobody kept is compiled by the real one": """
import re
held = re
assert re.compile("a+", re.IGNORECASE).fullmatch("AA") and "re._compiler" in sys.modules
assert held.sub("a", "b", "aa") == "bb" and held.compile is sys.modules["re"].compile
""",
    "others than our modules get the real enumerations and wrappers": """
from enum import Enum, IntEnum
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
assert {one.__module__ for one in (Enum, IntEnum, contextmanager, suppress, cached_property, lru_cache)} == {"enum", "contextlib", "functools"}
""",
    "Python's own modules find what they need": """
import signal, subprocess, typing, dataclasses, argparse, tempfile, socket, json, sqlite3, logging, collections, datetime
assert isinstance(signal.SIGTERM, int) and signal.SIGTERM.name == "SIGTERM" and json.loads('{"a": 1}') == {"a": 1}
assert collections.abc.Mapping is __import__("collections.abc").abc.Mapping and collections.Counter("aa")["a"] == 2
assert datetime.datetime.strptime("2026", "%Y").year == 2026
""",
    "parts of the real package can be imported": """
import re._parser, collections.abc
assert re._parser.parse("a") and collections.namedtuple("Pair", "a b")(1, 2).b == 2
""",
}


@pytest.mark.parametrize("claim", IN_HOOKS)
def test_in_hooks_more_names_are_ours(claim):
    """For modules of Python's own, which take longer to load than a hook may run."""
    start = (
        'import sys\nLIBRARY = {"re", "enum", "contextlib", "functools", "collections", "datetime", "bisect", "types"}\n'
        "assert not LIBRARY & {*sys.modules}\nfrom tapehead.startup import stand_ins\nstand_ins.install_for_hooks()\n"
    )
    subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{start}{IN_HOOKS[claim]}"],
        check=True,
    )


@pytest.mark.parametrize("claim", PROGRAMS)
def test_a_name_is_ours_or_the_real_one(claim):
    """In a process that has loaded neither typing nor attrs."""
    start = 'import sys\nREAL = {"_typing", "attr", "inspect"}\nassert not REAL & {*sys.modules}\nimport tapehead\n'
    subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{start}{PROGRAMS[claim]}"],
        check=True,
    )


def test_nothing_stands_in_for_what_is_loaded():
    """Here typing was there first."""
    import typing

    assert typing.NamedTuple.__module__ == "typing"


def test_the_trick_stands_in_one_place():
    """Every other module imports typing and attrs as any program does."""
    source = Path(tapehead.__file__).parent
    knowing = {str(path.relative_to(source)) for path in source.rglob("*.py") if TRICK.search(path.read_text("utf-8"))}
    assert knowing == {"startup/stand_ins.py"}
