"""The messages: each revision's conversation, and every kind of nonsense, without a process around it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.cli.server.protocol import HANDSHAKE, STATELESS, About, Protocol

META = "io.modelcontextprotocol/"
TOOLS = [{"name": "recall", "description": "finds", "inputSchema": {"type": "object"}}]


def protocol():
    return Protocol(About("tapehead", "1", "ask"), TOOLS, lambda name, arguments: {"called": [name, arguments]})


def answered(message):
    raw = protocol().answer(message if isinstance(message, bytes) else json.dumps(message).encode())
    return json.loads(raw) if raw else None


def asked(method, params=None, ident=1):
    message = {"jsonrpc": "2.0", "id": ident, "method": method}
    return answered(message if params is None else {**message, "params": params})


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_a_handshake_settles_on_the_clients_revision(revision):
    """Every revision that an installed client speaks is spoken."""
    result = asked("initialize", {"protocolVersion": revision, "capabilities": {}})["result"]
    assert result["protocolVersion"] == revision
    assert result["capabilities"] == {"tools": {}}


@pytest.mark.parametrize("revision", ["2031-01-01", "1.0", None, 7])
def test_an_unknown_revision_is_offered_the_newest(revision):
    """The client decides whether that will do."""
    assert asked("initialize", {"protocolVersion": revision})["result"]["protocolVersion"] == HANDSHAKE[0]


def test_a_client_without_a_handshake():
    """Each request names its revision, each answer says that it is complete and whose it is."""
    params = {"_meta": {f"{META}protocolVersion": STATELESS[0], f"{META}clientCapabilities": {}}}
    found = asked("server/discover", params)["result"]
    listed = asked("tools/list", params)["result"]
    called = asked("tools/call", {**params, "name": "recall", "arguments": {"question": "x"}})["result"]
    assert set(STATELESS) < set(found["supportedVersions"])
    assert listed["tools"] == TOOLS
    assert listed["cacheScope"] == "public"
    assert called["called"] == ["recall", {"question": "x"}]
    for result in (found, listed, called):
        assert result["resultType"] == "complete"
        assert result["_meta"][f"{META}serverInfo"]["name"] == "tapehead"


def test_a_revision_that_nobody_knows_is_refused_with_those_that_are():
    """A newer client can then fall back to what both know."""
    error = asked("server/discover", {"_meta": {f"{META}protocolVersion": "2031-01-01"}})["error"]
    assert (error["code"], error["data"]) == (-32022, {"supported": [*STATELESS], "requested": "2031-01-01"})


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"garbage", -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method"', -32700),
        (b"[" * 100_000, -32700),
        (b"\xff\xfe\x00", -32700),
        ([], -32600),
        (7, -32600),
        (None, -32600),
        ({"id": 1}, -32600),
        ({"id": 1, "method": 7}, -32600),
        ({"id": None, "method": "ping"}, -32600),
        ({"id": {}, "method": "ping"}, -32600),
        ({"id": 1, "method": "resources/list"}, -32601),
        ({"id": 1, "method": "tools/list", "params": [1]}, -32602),
        ({"id": 1, "method": "tools/call", "params": {"name": "rm"}}, -32602),
        ({"id": 1, "method": "tools/call", "params": {"name": ["recall"]}}, -32602),
        ({"id": 1, "method": "tools/call", "params": {"name": "recall", "arguments": "x"}}, -32602),
        ({"id": 1, "method": "server/discover"}, -32602),
        ({"id": 1, "method": "ping", "params": {"_meta": {f"{META}protocolVersion": 7}}}, -32602),
    ],
)
def test_nonsense_is_an_error_with_its_code(message, code):
    """A client learns what was wrong with its message."""
    assert answered(message)["error"]["code"] == code


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "unheard/of"},
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        [{"jsonrpc": "2.0", "method": "notifications/initialized"}],
    ],
)
def test_what_needs_no_answer_gets_none(message):
    """Notifications, and answers to what we never asked."""
    assert answered(message) is None


def test_a_batch_is_answered_as_one():
    """Clients of 2025-03-26 may send several messages on one line."""
    batch = [{"id": 1, "method": "ping"}, {"method": "notifications/initialized"}, {"id": 2, "method": "no/such"}]
    assert [(each["id"], "result" in each) for each in answered(batch)] == [(1, True), (2, False)]


def test_half_a_surrogate_pair_does_not_leave_the_server():
    """A client that is strict about UTF-8 can read every answer."""
    server = Protocol(About("tapehead", "1", ""), TOOLS, lambda *_: {"text": "a \ud800 b\u2028"})
    raw = server.answer(b'{"id":1,"method":"tools/call","params":{"name":"recall"}}')
    assert json.loads(raw.decode("utf-8"))["result"]["text"] == "a ? b\u2028"
    assert raw.count(b"\n") == 1


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["id", "method", "params", "_meta", "name"]), inner)
    ),
)


@given(_JSON | st.fixed_dictionaries({"id": _JSON, "method": st.sampled_from(["tools/call", "ping"]), "params": _JSON}))
def test_no_message_breaks_it(message):
    """Whatever a client sends, the answer is a message or nothing."""
    answer = answered(message)
    assert answer is None or isinstance(answer, (dict, list))
