"""Our status line in Claude Code's settings."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from json_documents import printed, scrawled, values

from tapehead.agents.claude.settings import with_hooks
from tapehead.agents.claude.statusline_settings import command_in, is_ours, with_ours, without_ours

HOOK = "/opt/bin/tapehead hook claude"
LINE = "/opt/bin/tapehead statusline"
THEIRS = {"type": "command", "command": "~/.claude/line.sh"}

settings = st.fixed_dictionaries({}, optional={"model": st.text(), "hooks": st.just({}), "env": values})
dressed = printed(settings) | scrawled(settings)


def installed(text, line=LINE, *, wanted=True):
    return with_ours(text, HOOK, line, wanted=wanted)


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        (LINE, True),
        ("'/with space/tapehead' statusline", True),
        ("if command -v tapehead >/dev/null 2>&1; then tapehead statusline; fi", True),
        ("tapehead status", False),
        (HOOK, False),
        ("my-tapehead statusline", False),
        ("tapehead statusline-of-mine", False),
        ("~/.claude/statusline.sh", False),
    ],
)
def test_ours_is_known_by_its_command(command, ours):
    """And by nothing else."""
    assert is_ours(command) is ours


@given(dressed)
@example("{}")
@example("{\n}\n")
@example('{"hooks": {}}')
def test_in_and_out_again(text):
    """With the file before, the same bytes, whatever the file looked like."""
    inside = installed(text)
    assert command_in(inside) == LINE
    assert installed(inside) == inside
    assert without_ours(inside, text) == text


@given(dressed)
def test_out_again_after_the_hooks_were_taken_out_by_hand(text):
    """The status line alone goes as it came."""
    inside = installed(text)
    document = json.loads(inside.removeprefix("\ufeff"))
    del document["hooks"]
    left = json.loads(without_ours(json.dumps(document)))
    assert "statusLine" not in left


@pytest.mark.parametrize("theirs", [THEIRS, {"type": "command"}, None, "x", [], {}])
def test_another_one_is_never_overwritten_nor_removed(theirs):
    """Whatever it is, null included: the file is what the hooks alone make of it."""
    text = json.dumps({"statusLine": theirs}, indent=2)
    assert installed(text) == with_hooks(text, HOOK)
    assert json.loads(without_ours(installed(text), text)) == {"statusLine": theirs}


def test_it_is_not_set_unless_it_is_wanted():
    """A plain install sets none, and keeps one of ours up to date."""
    assert command_in(installed("{}", wanted=False)) is None
    assert (
        command_in(installed(installed("{}"), "/new/tapehead statusline", wanted=False)) == "/new/tapehead statusline"
    )


def test_a_file_that_was_blank_is_blank_again():
    """Also where only the status line is left of ours."""
    document = json.loads(installed(None))
    del document["hooks"]
    assert without_ours(json.dumps(document), "\n") == "\n"
    assert without_ours(installed("\n"), "\n") == "\n"


@pytest.mark.parametrize("text", [None, "", "[]", "{}"])
def test_nothing_is_set_where_nothing_is(text):
    """No file, an empty one, one that is no object."""
    assert command_in(text) is None
