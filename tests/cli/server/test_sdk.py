"""The official SDK's own client talks to the server, in the current revision and after a handshake."""

import asyncio
import os

import pytest

from served import FIRST, TAPEHEAD


@pytest.fixture
def sdk():
    """Loaded where it is used: it takes a second, and every process of a run collects this file."""
    pytest.importorskip("mcp", reason="the SDK is not installed: pip install mcp")
    client = pytest.importorskip("mcp.client", reason="an SDK before 2.0").__dict__.get("Client")
    if client is None:
        pytest.skip("an SDK before 2.0")
    return client, pytest.importorskip("mcp.client.stdio")


async def conversation(sdk, root, mode):
    """What an agent does: it lists the tools, asks, and opens a hit; and it makes a mistake."""
    client_of, stdio = sdk
    server = stdio.StdioServerParameters(command=TAPEHEAD, args=["mcp"], cwd=root, env=dict(os.environ))
    async with client_of(stdio.stdio_client(server), mode=mode) as client:
        tools = (await client.list_tools()).tools
        found = await client.call_tool("recall", {"question": "anchor"})
        turn = await client.call_tool("open", {"pointer": f"{FIRST[:8]}/1"})
        wrong = await client.call_tool("open", {"pointer": "nothing"})
        return client.protocol_version, tools, found, turn, wrong


@pytest.mark.parametrize(("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
@pytest.mark.filterwarnings("default")
def test_the_conversation(sdk, told, mode, revision):
    """Tools with their annotations, hits, a whole turn, and an error that is the tool's."""
    spoken, tools, found, turn, wrong = asyncio.run(asyncio.wait_for(conversation(sdk, told.root, mode), 60))
    assert spoken == revision
    assert {tool.name: tool.annotations.read_only_hint for tool in tools}["recall"]
    assert "Mend the anchor of the boat" in found.content[0].text
    assert "Mended the anchor, it works." in turn.content[0].text
    assert (found.is_error, turn.is_error, wrong.is_error) == (False, False, True)
