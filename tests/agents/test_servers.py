"""Our MCP server in the settings of agents: in and out again, whatever the file looks like."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from json_documents import printed, scrawled, values

from tapehead.agents.hook_entries import UnexpectedShapeError
from tapehead.agents.json_servers import JsonServers
from tapehead.agents.toml_servers import TomlError, TomlServers

PROGRAM = "/opt/with space/tapehead"
THEIRS = {"command": "/usr/bin/other", "args": ["serve"]}
JSON, TOML = JsonServers(), TomlServers()

servers = st.dictionaries(st.sampled_from(["other", "github"]), st.just(THEIRS))
settings = st.fixed_dictionaries({}, optional={"model": st.text(), "mcpServers": servers, "projects": values})


@given(printed(settings) | scrawled(settings))
@example("{}")
@example("{\n}\n")
@example('{"mcpServers": {}}')
@example('{"mcpServers": {\n}, "model": 1}')
@example("")
def test_json_in_and_out_again(text):
    """With the file before, the same bytes; nobody else's server is touched."""
    inside = JSON.with_server(text, PROGRAM)
    assert JSON.command_in(inside) == PROGRAM
    assert JSON.with_server(inside, PROGRAM) == inside
    assert JSON.without_server(inside, text) == text
    others = json.loads(text.removeprefix("\ufeff").strip() or "{}").get("mcpServers", {})
    assert json.loads(inside.removeprefix("\ufeff"))["mcpServers"] == {
        **others,
        "tapehead": {"command": PROGRAM, "args": ["mcp"]},
    }


def test_a_program_that_moved_keeps_what_the_user_added():
    """The command alone is renewed."""
    entry = {"command": "/old/tapehead", "args": ["mcp"], "timeout": 7}
    renewed = JSON.with_server(json.dumps({"mcpServers": {"tapehead": entry}}), PROGRAM)
    assert json.loads(renewed)["mcpServers"]["tapehead"] == {**entry, "command": PROGRAM}


@pytest.mark.parametrize("entry", [THEIRS, {"url": "https://example.org"}, 7])
def test_a_server_of_theirs_by_our_name_stays(entry):
    """It is neither changed nor taken out."""
    text = json.dumps({"mcpServers": {"tapehead": entry}})
    assert JSON.with_server(text, PROGRAM) == text
    assert JSON.without_server(text) == text
    assert not JSON.command_in(text)


@pytest.mark.parametrize("text", ["[]", '{"mcpServers": []}'])
def test_an_unexpected_shape_is_left_alone(text):
    """It is an error that says where."""
    with pytest.raises(UnexpectedShapeError):
        JSON.with_server(text, PROGRAM)


DOCUMENTS = [
    "",
    'model = "x"\n',
    'model = "x"',
    "\n\n",
    'model = "x"\n\n',
    'model = "x"\r\n[a]\r\nb = 1\r\n',
    '[mcp_servers.other]\ncommand = "o"\n\n[projects."/a"]\ntrust_level = "trusted"\n',
    "# a comment [mcp_servers.tapehead]\n",
]


@pytest.mark.parametrize("text", DOCUMENTS)
def test_toml_in_and_out_again(text):
    """A table at the end, and the same bytes without it."""
    inside = TOML.with_server(text, PROGRAM)
    assert inside.startswith(text)
    assert tomllib.loads(inside)["mcp_servers"]["tapehead"] == {"command": PROGRAM, "args": ["mcp"]}
    assert TOML.command_in(inside) == PROGRAM
    assert TOML.with_server(inside, PROGRAM) == inside
    assert TOML.without_server(inside, text) == text


def test_toml_that_the_agent_wrote_since():
    """What it added behind our table stays, and so does what the user wrote into the table as long as it stands."""
    inside = TOML.with_server("a = 1\n", PROGRAM) + '\n[projects."/a"]\ntrust_level = "trusted"\n'
    moved = TOML.with_server(inside.replace('args = ["mcp"]', 'args = ["mcp"]\nenabled = true'), "/new/tapehead")
    assert tomllib.loads(moved)["mcp_servers"]["tapehead"]["command"] == "/new/tapehead"
    assert tomllib.loads(moved)["mcp_servers"]["tapehead"]["enabled"]
    assert tomllib.loads(TOML.without_server(moved)) == {"a": 1, "projects": {"/a": {"trust_level": "trusted"}}}


@pytest.mark.parametrize("text", ['mcp_servers = {other = {command = "o"}}\n', "no toml", "mcp_servers = 3\n"])
def test_toml_that_our_table_does_not_fit_into(text):
    """Nothing is written that the agent could not read."""
    with pytest.raises(TomlError):
        TOML.with_server(text, PROGRAM)


def test_a_toml_server_of_theirs_by_our_name_stays():
    """It is neither changed nor taken out."""
    text = '[mcp_servers.tapehead]\nurl = "https://example.org"\n'
    assert TOML.with_server(text, PROGRAM) == text
    assert TOML.without_server(text) == text
