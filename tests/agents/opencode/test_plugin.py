"""The plugin in OpenCode: what it tells the hook, in which order, and what it does with the answers. Needs node."""

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from tapehead.agents.opencode import setup

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(not NODE, reason="node is not here")
HOST = Path(__file__).parents[1] / "opencode_host.mjs"
# What the hook is: writes each payload down, and answers from a file of answers by the hook's name.
HOOK = """#!/usr/bin/env python3
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
payload = json.load(sys.stdin)
with open(here + "/heard.jsonl", "a") as file:
    file.write(json.dumps(payload) + "\\n")
with open(here + "/answers.json") as file:
    sys.stdout.write(json.load(file).get(payload["hook_event_name"], ""))
"""
PROMPT = {
    "message": {"id": "msg_1", "model": {"modelID": "m1"}},
    "parts": [{"id": "prt_1", "type": "text", "text": "go"}],
}
MAIN, SUB = {"id": "ses_1", "directory": "/home/me/project"}, {"id": "ses_2", "parentID": "ses_1"}
DONE = {"time": {"created": 1, "completed": 2}}


def event(kind, **properties):
    return ["event", {"event": {"type": kind, "properties": properties}}]


def prompted(session="ses_1"):
    return ["chat.message", {"sessionID": session}, json.loads(json.dumps(PROMPT))]


@pytest.fixture
def played(tmp_path):
    """Plays steps to the plugin; what came of each, and what the hook heard."""
    hook = tmp_path / "tape head"
    hook.write_text(HOOK)
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    plugin = tmp_path / "tapehead.mjs"
    plugin.write_text(setup.ENTRIES.text_of(f"'{hook}' x hook opencode").replace(f"'{hook}' x", f"'{hook}'"))

    def play(*steps, answers=None, messages=None):
        (tmp_path / "answers.json").write_text(json.dumps(answers or {}))
        (tmp_path / "heard.jsonl").unlink(missing_ok=True)
        script = {"sessions": {"ses_1": MAIN, "ses_2": SUB}, "messages": messages or {}, "steps": steps}
        env = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(tmp_path)}
        done = subprocess.run(
            [NODE, str(HOST), str(plugin), json.dumps(script)], env=env, capture_output=True, text=True, check=True
        )
        assert not done.stderr, done.stderr
        play.came, play.toasts = json.loads(done.stdout).values()
        heard = tmp_path / "heard.jsonl"
        return [json.loads(line) for line in heard.read_text().splitlines()] if heard.exists() else []

    play.journal = tmp_path / "tapehead" / "opencode" / "ses_1.jsonl"
    return play


def order(heard):
    return [each["hook_event_name"] for each in heard]


def test_one_turn(played):
    """A start, a prompt, an end of the turn, and an end: each with whose it is and where its record is."""
    messages = {
        "ses_1": [{"info": {"id": "msg_2", "role": "assistant", **DONE}, "parts": [{"type": "text", "text": "ok"}]}]
    }
    heard = played(
        event("session.created", info=MAIN), prompted(), event("session.idle", sessionID="ses_1"), ["dispose", {}],
        messages=messages,
    )  # fmt: skip
    assert order(heard) == ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]
    assert {(each["agent"], each["session_id"], each["cwd"]) for each in heard} == {
        ("opencode", "ses_1", "/home/me/project")
    }
    assert (heard[0]["source"], heard[1]["prompt"], heard[1]["model"], heard[2]["reply"]) == (
        "startup",
        "go",
        "m1",
        "ok",
    )
    assert heard[0]["transcript_path"] == str(played.journal)
    assert played.came[1] == PROMPT, "there was nothing to say"


def test_a_resume(played):
    """A session that was not begun in this process; it starts once."""
    assert [each.get("source") for each in played(prompted(), prompted())] == ["resume", None, None]


def test_the_story_behind_a_prompt(played):
    """As a part of the message that is known as not the user's, right behind their words; and the user is told apart."""
    answers = {
        "SessionStart": json.dumps({"context": "tapehead: so far", "person": "mind"}),
        "UserPromptSubmit": '{"context": "more"}',
    }
    played(prompted(), answers=answers)
    [_, added] = played.came[0]["parts"]
    assert (added["text"], added["synthetic"], added["messageID"]) == ("tapehead: so far\n\nmore", True, "msg_1")
    assert added["id"] > "prt_1"
    assert played.toasts == ["mind"]


def test_subagents_are_left_alone(played):
    """Their sessions have a parent."""
    compact = ["experimental.session.compacting", {"sessionID": "ses_2"}, {"context": []}]
    assert played(prompted("ses_2"), event("session.idle", sessionID="ses_2"), compact, ["dispose", {}]) == []


def test_compacted_by_hand(played):
    """The summariser is told what must survive; what is owed waits for the next prompt, and nothing stands in the system prompt."""
    told = {
        "info": {"id": "msg_3", "role": "assistant", "summary": True, **DONE},
        "parts": [{"type": "text", "text": "short"}],
    }
    heard = played(
        prompted(), event("session.idle", sessionID="ses_1"),
        event("message.part.updated", part={"type": "compaction", "sessionID": "ses_1", "auto": False}),
        ["experimental.session.compacting", {"sessionID": "ses_1"}, {"context": []}],
        ["experimental.chat.system.transform", {"sessionID": "ses_1"}, {"system": ["s"]}],
        event("session.compacted", sessionID="ses_1"), event("session.idle", sessionID="ses_1"),
        answers={"PreCompact": "keep x", "SessionStart": '{"context": "tapehead: so far"}'}, messages={"ses_1": [told]},
    )  # fmt: skip
    assert order(heard)[2:] == ["Stop", "PreCompact", "PostCompact"]
    assert (heard[3]["trigger"], heard[4]["trigger"], heard[4]["summary"]) == ("manual", "manual", "short")
    assert played.came[3] == {"context": ["keep x"]}
    assert played.came[4] == {"system": ["s"]}


def test_compacted_in_mid_turn(played):
    """The next request has the conversation in its system prompt, and so have those after it, until a prompt carries what is owed; it is told once."""
    asked = ["experimental.chat.system.transform", {"sessionID": "ses_1"}]
    heard = played(
        prompted(), ["experimental.session.compacting", {"sessionID": "ses_1"}, {"context": []}],
        [*asked, {"system": ["s"]}],
        ["experimental.compaction.autocontinue", {"sessionID": "ses_1"}, {"enabled": True}],
        event("session.compacted", sessionID="ses_1"), [*asked, {"system": ["s"]}], [*asked, {"system": ["s"]}],
        prompted(), [*asked, {"system": ["s"]}], answers={"SessionStart": '{"context": "tapehead: so far"}'},
    )  # fmt: skip
    assert order(heard)[2:] == ["PreCompact", "PostCompact", "SessionStart", "UserPromptSubmit"]
    assert (heard[2]["trigger"], heard[4]["source"]) == ("auto", "compact")
    assert [came["system"] for came in played.came if "system" in came] == [
        ["s"],
        *[["s", "tapehead: so far"]] * 2,
        ["s"],
    ]
    assert played.journal.read_text().count('"type":"told"') == 1


def test_a_turn_that_fails(played):
    """What went wrong is told in place of the turn's end; what the user stopped is no failure."""
    failed = event("session.error", sessionID="ses_1", error={"name": "APIError", "data": {"message": "no"}})
    stopped = event("session.error", sessionID="ses_1", error={"name": "MessageAbortedError"})
    idle = event("session.idle", sessionID="ses_1")
    heard = played(prompted(), failed, idle, prompted(), stopped, idle)
    assert order(heard) == ["SessionStart", "UserPromptSubmit", "StopFailure", "UserPromptSubmit", "Stop"]
    assert heard[2]["error"] == "no"


def test_the_journal(played):
    """Each message once, when it is whole, over two processes; nobody else can read it."""
    one = {"info": {"id": "msg_1", "role": "user"}, "parts": []}
    two, half = ({"info": {"id": "msg_2", "role": "assistant", **time}, "parts": []} for time in (DONE, {}))
    idle = event("session.idle", sessionID="ses_1")
    played(prompted(), idle, messages={"ses_1": [one, half]})
    played(prompted(), idle, prompted(), idle, messages={"ses_1": [one, two]})
    lines = [json.loads(line) for line in played.journal.read_text().splitlines()]
    assert [line["id"] for line in lines] == ["ses_1", "msg_1", "msg_2"]
    assert stat.S_IMODE(played.journal.stat().st_mode) == 0o600
    assert stat.S_IMODE(played.journal.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("answer", ["", "not JSON", "null", "[]", "3", '{"context": ""}'])
def test_whatever_the_hook_prints(played, answer):
    """What is no answer is none."""
    played(prompted(), answers={"SessionStart": answer, "UserPromptSubmit": answer})
    assert played.came[0] == PROMPT


def test_a_hook_that_is_not_there(tmp_path):
    """The session goes on."""
    plugin = tmp_path / "tapehead.mjs"
    plugin.write_text(setup.ENTRIES.text_of("/nowhere/tapehead hook opencode"))
    script = json.dumps(
        {"steps": [prompted(), event("session.idle", sessionID="ses_1"), event("odd"), ["dispose", {}]]}
    )
    env = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(tmp_path / "state")}
    done = subprocess.run([NODE, str(HOST), str(plugin), script], env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["came"][0] == PROMPT
