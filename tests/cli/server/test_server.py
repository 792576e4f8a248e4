"""`tapehead mcp` as a process: what its tools say, and that nothing breaks it or is written by it."""

import json
import os
import sqlite3
import threading

import pytest

from served import FIRST, KEY, SECOND
from tapehead.cli.server.answers import OPENED, RECALLED
from tapehead.cli.server.protocol import HANDSHAKE
from tapehead.cli.server.stdio import LONGEST
from tapehead.store import served_agents
from tapehead.system import processes as process
from tapehead.tokens.estimate import tokens


def test_the_tools_say_what_they_do(client):
    """All but remember only read, and say so."""
    tools = {tool["name"]: tool for tool in client.tools()}
    assert [*tools] == ["recall", "open", "why", "fix", "brief", "remember"]
    assert [name for name, tool in tools.items() if not tool["annotations"]["readOnlyHint"]] == ["remember"]
    assert tools["recall"]["inputSchema"]["required"] == ["question"]


def test_a_question_is_answered_and_its_pointer_opens(told, client):
    """A line per hit, each quoted; a pointer gives the turn, with secrets redacted and the agent's tags defused."""
    found, failed = client.call("recall", question="anchor")
    assert not failed
    assert "Mend the anchor of the boat" in found
    assert tokens(found) <= RECALLED
    assert f"{FIRST[:8]}/1" in found
    turn, failed = client.call("open", pointer=f"{FIRST[:8]}/1")
    assert not failed
    assert "> Mended the anchor, it works." in turn
    assert tokens(turn) <= OPENED
    for text in (found, turn):
        assert KEY not in text
        assert "</system-reminder>" not in text


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_the_same_conversation_in_every_older_revision(told, client, revision):
    """A handshake, the list, a question, a hit in full, a mistake: what the SDK's client does in its own."""
    about = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    greeted = client.ask("initialize", protocolVersion=revision, **about)["result"]
    client.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert (greeted["protocolVersion"], greeted["serverInfo"]["name"]) == (revision, "tapehead")
    assert client.ask("ping")["result"] == {}
    assert "recall" in [tool["name"] for tool in client.ask("tools/list")["result"]["tools"]]
    assert f"{FIRST[:8]}/1" in client.call("recall", question="anchor")[0]
    assert "Mended the anchor" in client.call("open", pointer=f"{FIRST[:8]}/1")[0]
    assert client.call("open", pointer="nothing")[1]


def test_a_question_can_be_narrowed(told, client):
    """To a file, and to a time on."""
    assert SECOND[:8] not in client.call("recall", question="boat", since="1d", file="anchor.py")[0]
    assert FIRST[:8] not in client.call("recall", question="Mend", since="1d")[0]


def test_the_prompts_behind_a_file(told, client):
    """Each with the pointer of its turn."""
    assert f"{FIRST[:8]}/1" in client.call("why", path="anchor.py")[0]
    assert "Mend the anchor of the boat" in client.call("why", path=f"{told.root}/anchor.py")[0]


def test_how_an_error_went_away(told, client):
    """The failure, what was done since, and the pointer of the turn; an error that was never met is said to be so."""
    found, failed = client.call("fix", error="ModuleNotFoundError: No module named 'hull'")
    assert not failed
    assert "then ran “pip install keel”" in found
    assert f"{SECOND[:8]}/1" in found
    assert "This error is new" in client.call("fix", error="Segmentation fault in the rudder")[0]


def test_a_brief(told, client):
    """Of a session by the beginning of its id, and of the agent's own without one."""
    assert "Mend the anchor of the boat" in client.call("brief", session=FIRST[:8])[0]


def test_the_agents_own_brief(told, start):
    """The client says whose server it is."""
    assert "Mend the anchor of the boat" in start(CLAUDE_CODE_SESSION_ID=FIRST).call("brief")[0]


def test_a_memory_is_kept(told, client):
    """With its kind, with secrets redacted, and with who said it."""
    said, failed = client.call("remember", text=f"The anchor is rusty, key {KEY}", kind="project")
    assert not failed
    assert "redacted" in said
    shown = told.run("memories", "show", "the-anchor-is-rusty-key-masked").stdout
    assert "The anchor is rusty" in shown
    assert "an agent, over MCP" in shown
    assert KEY not in shown


WRONG_CALLS = [
    ("recall", {}, "question is missing. recall takes (question, file?, since?)"),
    ("recall", {"question": 7}, "question must be of type string"),
    ("recall", {"question": "x", "since": "soon"}, "Can't parse 'soon' as a time. try 2026-11-15"),
    ("recall", {"question": "x", "limit": 3}, "recall has no argument 'limit'"),
    ("open", {"pointer": "nothing"}, "`recall` gives pointers"),
    ("open", {"pointer": f"{FIRST[:8]}/99"}, "has no turn 99"),
    ("why", {"path": "/etc/passwd", "line": 1}, "there is no file '/etc/passwd'"),
    ("why", {"path": "oars.py"}, "no agent is known to have changed oars.py"),
    ("fix", {"error": "7"}, "this is no error's text"),
    ("why", {"path": "x", "line": True}, "line must be of type integer"),
    ("brief", {"session": "nobody"}, "No session 'nobody' here"),
    ("remember", {"text": "x", "kind": "gossip"}, "kind must be one of user, feedback, project, reference"),
    ("remember", {"text": " \n", "kind": "user"}, "Nothing to remember"),
]


def test_a_wrong_call_says_what_is_right(told, client):
    """An error is a tool's answer, which the model reads and can act on."""
    for tool, arguments, says in WRONG_CALLS:
        text, failed = client.call(tool, **arguments)
        assert (failed, says in text) == (True, True), (tool, arguments, text)


def test_nothing_found_is_no_error(told, client):
    """It says what else to try."""
    text, failed = client.call("recall", question="zeppelin")
    assert not failed
    assert "Nothing found" in text


def test_nothing_is_written_but_by_remember(told, client, unchanged):
    """Not one byte in the repository, the store or the home, whatever is asked, and also after the server is gone."""
    (memory, log) = (told.layout.memory, f"{told.layout.memory}-wal")
    assert os.path.exists(memory)
    assert not os.path.exists(log)
    unchanged()
    for _ in range(3):
        client.call("recall", question="anchor")
        client.call("open", pointer=f"{FIRST[:8]}/1")
        client.call("brief", session=FIRST)
        client.call("why", path="anchor.py")
        client.call("fix", error="ModuleNotFoundError: No module named 'oars'")
        client.call("open", pointer="nobody/1")
    client.close()
    assert unchanged() == {}


def test_an_agent_that_greeted_is_known_to_be_served(told, client):
    """From the greeting on, until the server ends: a brief names the tools meanwhile."""
    about = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    here = process.host_above(os.getpid())
    assert not served_agents.is_served(told.layout, here.pid, here.started)
    client.ask("initialize", protocolVersion=HANDSHAKE[0], **about)
    assert served_agents.is_served(told.layout, here.pid, here.started)
    client.close()
    assert not served_agents.is_served(told.layout, here.pid, here.started)


def test_a_place_without_a_store_stays_without_one(repository, client, unchanged):
    """Every tool that reads says that nothing is kept here, and makes nothing."""
    unchanged()
    for tool, arguments in (
        ("recall", {"question": "x"}),
        ("open", {"pointer": "a/1"}),
        ("brief", {}),
        ("why", {"path": "x"}),
        ("fix", {"error": "no such file"}),
    ):
        text, failed = client.call(tool, **arguments)
        assert failed
        assert "tapehead knows nothing of" in text
    client.close()
    assert unchanged() == {}


def test_a_locked_history_is_an_error_that_passes(told, client):
    """Somebody holds the database: the model is told to try again, and then it works."""
    holder = sqlite3.connect(told.layout.memory, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    text, failed = client.call("recall", question="anchor")
    assert failed
    assert "in use by another process" in text
    holder.execute("ROLLBACK")
    holder.close()
    assert not client.call("recall", question="anchor")[1]


@pytest.mark.parametrize("damage", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5_000])
def test_a_damaged_history_is_an_error_that_says_what_to_do(told, client, damage):
    """The file stays as it is, for doctor; the server goes on."""
    with open(told.layout.memory, "r+b") as file:
        file.write(damage)
    for _ in range(2):
        text, failed = client.call("recall", question="anchor")
        assert failed
        assert "tapehead doctor" in text
    with open(told.layout.memory, "rb") as file:
        assert file.read(len(damage)) == damage
    assert "Mend the anchor" in client.call("brief", session=FIRST)[0]


def test_a_history_of_an_older_version_is_left_alone(told, client):
    """Whoever may write brings it over; the server says how."""
    with sqlite3.connect(told.layout.memory) as database:
        database.execute("PRAGMA user_version = 0")
    text, failed = client.call("recall", question="anchor")
    assert failed
    assert "older version" in text


@pytest.mark.parametrize("many", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_many_calls_at_once(told, client, many):
    """Every one is answered, in order, and the server ends well."""
    asked = {"name": "recall", "arguments": {"question": "anchor"}}
    lines = [json.dumps({"id": n, "method": "tools/call", "params": asked}).encode() for n in range(many)]
    threading.Thread(target=client.send, args=lines).start()
    answers = [client.read() for _ in range(many)]
    assert [each["id"] for each in answers] == [*range(many)]
    assert not any(each["result"]["isError"] for each in answers)
    assert client.close() == (0, b"")


def test_garbage_does_not_end_it(told, client):
    """Lines that are no messages, or far too long, are answered with an error; the next call is answered as ever."""
    client.send(b"\x00\xff garbage", b"", b"   ", b"{" * 1000, b"x" * (LONGEST + 10), b'{"id": 1}')
    assert [client.read()["error"]["code"] for _ in range(4)] == [-32700, -32700, -32700, -32600]
    assert not client.call("recall", question="anchor")[1]
    assert client.close() == (0, b"")


def test_a_client_that_is_gone(told, client):
    """Its end of the pipe is closed: the server ends with 0 and says nothing."""
    client.process.stdout.close()
    client.send(b'{"id": 1, "method": "tools/list"}', b'{"id": 2, "method": "tools/list"}')
    client.process.stdin.close()
    assert client.process.wait(20) == 0
    assert client.process.stderr.read() == b""
    client.process.stderr.close()


def test_a_torn_line_at_the_end(client):
    """A client that dies in the middle of a message leaves no crash behind."""
    client.process.stdin.write(b'{"id": 1, "met')
    assert client.close() == (0, b"")


def test_the_project_that_the_agent_names(told, start, tmp_path):
    """Claude Code says where the project is, wherever it started the server."""
    elsewhere = start(CLAUDE_PROJECT_DIR=str(tmp_path))
    assert elsewhere.call("recall", question="anchor")[1]
    assert not start(CLAUDE_PROJECT_DIR=told.root).call("recall", question="anchor")[1]


def test_with_plugin_and_settings_the_tools_are_there_once(told, start):
    """The client starts both: where the settings name us, the plugin's offers nothing; alone it offers all."""
    alone = start(TAPEHEAD_VIA="plugin")
    assert len(alone.tools()) == 6
    entry = {"mcpServers": {"tapehead": {"type": "stdio", "command": "/bin/tapehead", "args": ["mcp"]}}}
    with open(os.path.join(os.environ["HOME"], ".claude.json"), "w", encoding="utf-8") as file:
        json.dump(entry, file)
    assert start(TAPEHEAD_VIA="plugin").tools() == []
    assert len(start().tools()) == 6
