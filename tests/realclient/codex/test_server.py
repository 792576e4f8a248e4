"""Our MCP server beside the real Codex: it lists the tools, calls them, and the answer is in the next request."""

import json

TOOLS = ("recall", "open", "why", "fix", "brief", "remember")


def test_the_tools_are_called(place, seen):
    """A question about the first session is answered in the second, and the pointer opens the turn."""
    place.print_mode("the anchor is made of number 4711")
    [session] = seen.sessions()
    place.tapehead("search", "anchor")
    pointer = f"{session[:13]}/1"
    place.print_mode("where is it {call recall question=what is the anchor made of}")
    asked = next(
        request for request in seen.requests() if request.get("tools") and "{call recall" in json.dumps(request)
    )
    assert [tool for tool in TOOLS if f'"name": "{tool}"' not in json.dumps(asked["tools"])] == []
    assert pointer in json.dumps(seen.requests()[-1])
    place.print_mode(f"open it {{call open pointer={pointer}}}")
    assert "> the anchor is made of number 4711" in json.dumps(seen.requests()[-1])
