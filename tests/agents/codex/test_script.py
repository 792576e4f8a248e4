"""Code mode: the calls in a script."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.codex import script


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (
            'const r = await tools.exec_command({cmd:"ls -l","n":3});\ntext(r.output);',
            [("exec_command", {"cmd": "ls -l", "n": 3})],
        ),
        (
            "await tools.exec_command({cmd: 'it\\'s', tty: true, x: null})",
            [("exec_command", {"cmd": "it's", "tty": True, "x": None})],
        ),
        ('const patch = "a\\n+b";\ntext(await tools.apply_patch(patch));', [("apply_patch", "a\n+b")]),
        ("const patch = `a\\`b\n+c`\ntools.apply_patch(patch)", [("apply_patch", "a`b\n+c")]),
        ("const p = String.raw`a\\n`; tools.apply_patch(p)", [("apply_patch", "a\\n")]),
        ('const p = ["a", "+b"].join("\\n"); tools.apply_patch(p)', [("apply_patch", "a\n+b")]),
        ('const p = "a\\n" +\n  "b"; tools.apply_patch(p)', [("apply_patch", "a\nb")]),
        ('const cmd = "ls"; tools.exec_command({cmd, n: -1.5})', [("exec_command", {"cmd": "ls", "n": -1.5})]),
        ("tools.exec_command({cmd: `cat ${file}`})", [("exec_command", {"cmd": "cat ${file}"})]),
        ("tools.exec_command({cmd: pick(a, b), n: 1})", [("exec_command", {"cmd": "pick(a, b)", "n": 1})]),
        ("await Promise.all([tools.a({x:[1,{y:2}]}), tools.b()])", [("a", {"x": [1, {"y": 2}]}), ("b", None)]),
        ('tools["mcp__x__y"]({q: "w"})', [("mcp__x__y", {"q": "w"})]),
        ('text("tools.exec_command({cmd: 1})") // tools.b()\n/* tools.c() */', []),
        ('tools.a({x: "\\u0041\\x42\\u{43}\\ud83d\\ude00\\\n"})', [("a", {"x": "ABC\N{GRINNING FACE}"})]),
        ("tools.a({x: 'not closed", [("a", {"x": "not closed"})]),
    ],
)
def test_calls_are_found_with_their_arguments(source, found):
    """Literals, names of literals, texts put together; of anything else its own source."""
    assert script.calls(source) == found


def test_a_long_text_is_put_together_whole():
    """A patch of many lines, each a text of its own."""
    lines = [f"+{number}\n" for number in range(500)]
    assert script.calls(f"tools.apply_patch({' + '.join(map(json.dumps, lines))})") == [("apply_patch", "".join(lines))]


@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,8}", fullmatch=True),
        st.text() | st.integers(-(10**9), 10**9) | st.booleans() | st.none(),
    )
)
def test_an_argument_that_json_can_write_is_read_as_written(argument):
    """Scripts mostly hold JSON, which is a part of their language."""
    sound = json.loads(re.sub(r"\\ud[89a-f]..", "?", json.dumps(argument)))
    assert script.calls(f"const r = await tools.run({json.dumps(sound)}); text(r)") == [("run", sound)]


@given(
    st.lists(
        st.sampled_from(
            [*"\"'`{}[](),;:+\\ \n", "tools.a(", "const x = ", "/*", "*/", "//", "x", "1", "${", "\\u12", ".join("]
        )
    ).map("".join)
)
def test_no_script_is_too_damaged(source):
    """Nothing raises, and every call has a name."""
    assert all(name == "a" for name, _ in script.calls(source))


@pytest.mark.parametrize("piece", ['"', '\\"', "/*", "{a:", "[", "tools.a(", "`${", "a+"])
def test_a_hostile_script_takes_no_longer_than_its_length(piece):
    """What never closes is looked at once: this ends within the time that all tests have."""
    script.calls("tools.a(" + piece * 100_000)
