"""Our MCP server beside the real Claude Code: it lists the tools, calls them, and the answer is in the next request."""

import json
import os
import sys

import pytest
from rig.client import CLAUDE, OLDER_CLAUDES
from rig.place import Place

PLUGIN = os.path.join(os.path.dirname(__file__), "..", "..", "plugin")
TOOLS = {f"mcp__tapehead__{name}" for name in ("recall", "open")}
"""Those that are offered at once; the newest client keeps the others until the model searches for them."""


@pytest.fixture(params=[CLAUDE, *OLDER_CLAUDES[:2]], ids=lambda client: client.version)
def agent(request):
    return request.param, type("OlderPlace", (Place,), {"RECORDED": ("SessionStart", "Stop")})  # all that 1.0 knows of


def offered(request):
    return {tool["name"] for tool in request.get("tools") or ()}


def answered(request):
    """What a tool answered in a request."""
    found = request["messages"][-1]["content"]
    return json.dumps([block for block in found if block.get("type") == "tool_result"], ensure_ascii=False)


def test_the_tools_are_called(place, seen):
    """A question about the first session is answered in the second, and the pointer opens the turn."""
    place.print_mode("the anchor is made of number 4711")
    [session] = seen.sessions()
    place.tapehead("search", "anchor")  # takes the turn in; the server only reads, and the worker may still be at it
    pointer = f"{session[:8]}/1"
    place.print_mode("where is it {call recall question=what is the anchor made of}")
    asked, found = seen.requests()[-2:]
    assert offered(asked) >= TOOLS
    assert "mcp__tapehead__remember" in json.dumps(asked)
    assert pointer in answered(found)
    assert "4711" in answered(found)
    place.print_mode(f"open it {{call open pointer={pointer}}}")
    assert "the anchor is made of number 4711" in answered(seen.requests()[-1])


def plug_in(place):
    """The program on the PATH, as a user of the plugin has it; the words that load the plugin."""
    os.symlink(os.path.join(os.path.dirname(sys.executable), "tapehead"), os.path.join(place.root, "bin", "tapehead"))
    return "--plugin-dir", PLUGIN, "--verbose"  # 2.0 takes all words up to an option for folders


plugged = pytest.mark.parametrize("agent", [CLAUDE, OLDER_CLAUDES[1]], indirect=True, ids=lambda client: client.version)


@plugged
def test_the_plugin_carries_it(bare, seen):
    """Without anything in the settings: the tools are there, by the plugin's name for them."""
    words = plug_in(bare)
    bare.print_mode("the anchor is made of number 4711", *words)
    [session] = seen.sessions()
    bare.tapehead("search", "anchor")  # takes the turn in; the server only reads, and the worker may still be at it
    bare.print_mode("where is it {call recall question=what is the anchor made of}", *words)
    assert "mcp__plugin_tapehead_tapehead__recall" in offered(seen.requests()[-2])
    assert f"{session[:8]}/1" in answered(seen.requests()[-1])


@plugged
def test_a_handoff_is_written_when_the_prompt_comes_in(bare, seen):
    """Before the model has said a word: a model that fails has handed over all the same."""
    words = plug_in(bare)
    bare.print_mode("/tapehead:handoff {fail 400}", *words)
    [session] = seen.sessions()
    with open(os.path.join(bare.project, ".git", "tapehead", "batons", "main.json"), encoding="utf-8") as file:
        assert json.load(file)["session"] == session


@plugged
def test_slash_commands_take_arguments(bare, seen):
    """The question and the pointer reach the model with the tools that answer them; `brief` and `status` run with what was typed."""
    words = plug_in(bare)
    bare.print_mode("the anchor is made of number 4711", *words)
    [session] = seen.sessions()
    bare.tapehead("search", "anchor")  # takes the turn in; the server only reads, and the worker may still be at it
    pointer = f"{session[:8]}/1"
    bare.print_mode(
        "/tapehead:recall what is the anchor made of {call recall question=what is the anchor made of}", *words
    )
    asked, found = seen.requests()[-2:]
    assert "earlier work in this repository: what is the anchor made of" in str(asked["messages"])
    assert pointer in answered(found)
    bare.print_mode(f"/tapehead:detail {pointer} {{call open pointer={pointer}}}", *words)
    assert "the anchor is made of number 4711" in answered(seen.requests()[-1])
    bare.print_mode(f"/tapehead:brief --session {session}", *words)
    assert "the anchor is made of number 4711" in str(seen.requests()[-1]["messages"])
    bare.print_mode("/tapehead:status --json", *words)
    assert "transcript_path" in str(seen.requests()[-1]["messages"]), "as --json prints it"
