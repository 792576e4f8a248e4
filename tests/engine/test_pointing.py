"""A line about former work, at an edit or a failure."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys

import pytest

from record import BEGINS, SESSION, Record
from remembered import Memory
from tapehead.actions.former_work import keep_list
from tapehead.agents.claude.hooks import heard
from tapehead.engine.pointing import point
from tapehead.engine.store_location import place_of
from tapehead.store import injections
from tapehead.store.line import readable
from tapehead.store.paths import Layout
from tapehead.store.tape import tail
from tapehead.tokens.estimate import tokens

FILE = "/srv/boat/engine.py"
ERROR = "Exit code 1\nImportError: cannot import name 'Sail' from 'boat.rigging' (/srv/boat/rigging.py)"
NOW = int(BEGINS.timestamp() * 1000) + 3_600_000
BOTH = ("edit", "failure")


@pytest.fixture
def told(tmp_path):
    """A repository in whose former session a file was edited, and a failure solved."""
    subprocess.run(["git", "init", "-q", str(tmp_path / "boat")], check=True)
    place = place_of(str(tmp_path / "boat"), {"HOME": str(tmp_path)})
    layout = Layout(place.roots[0])
    record = Record().prompt("Mend the import of sails").call("Bash", ERROR, failed=True, command="pytest tests")
    record.call("Edit", "edited", file_path=FILE, new_string="from boat import Sail")
    record.call("Bash", "12 passed", command="pytest tests").reply("Mended.")
    os.makedirs(layout.sessions, mode=0o700)
    memory = Memory(tmp_path)
    memory.told(record)
    memory.database.close()
    os.rename(memory.database.path, layout.memory)
    return place, layout


def asked(place, *, session="mine", edit="", failure=""):
    hook = "PreToolUse" if edit else "PostToolUseFailure"
    payload = {"session_id": session, "hook_event_name": hook, "tool_input": {"file_path": edit}, "error": failure}
    return point(place, heard(payload, {}), NOW * 1_000_000)


def test_an_edit_of_a_file_that_another_session_changed(told):
    """It names the turn that tells why, in at most 60 tokens; a file that nobody changed is none of it."""
    place, layout = told
    keep_list(layout, BOTH, NOW)
    said = asked(place, edit=FILE)
    assert f"tapehead detail {SESSION[:8]}/1" in said
    assert tokens(said) <= 60
    assert asked(place, edit="/srv/boat/other.py") == ""


def test_a_failure_that_was_met_and_solved(told):
    """Whatever its paths and numbers; another error is none of it."""
    place, layout = told
    keep_list(layout, BOTH, NOW)
    again = ERROR.replace("Sail", "Mast").replace("/srv/boat", "/home/me")
    said = asked(place, failure=again)
    assert f"tapehead detail {SESSION[:8]}/1" in said
    assert "engine.py" in said
    assert tokens(said) <= 60
    assert asked(place, session="other", failure="ValueError: the anchor is too heavy for this chain") == ""


def test_once_per_session_and_matter(told):
    """The same file again says nothing; another session hears of it, and the one that did the work never."""
    place, layout = told
    keep_list(layout, BOTH, NOW)
    assert asked(place, edit=FILE)
    assert not asked(place, edit=FILE)
    assert asked(place, failure=ERROR)
    assert asked(place, session="third", edit=FILE)
    assert not asked(place, session=SESSION, edit=FILE)


def test_it_is_on_record(told):
    """On the session's tape, and in the list of what models were told."""
    place, layout = told
    keep_list(layout, BOTH, NOW)
    said = asked(place, edit=FILE)
    [note] = readable(tail(layout.tape("mine"), 10_000))
    assert (note.note, note.data["text"]) == ("pointed", said)
    [one] = injections.newest(layout)
    assert (one["to"], one["session"], one["text"]) == ("mine", SESSION, said)
    assert {stat.S_IMODE(os.stat(path).st_mode) for path in (layout.pointed, layout.former_work)} == {0o600}


@pytest.mark.parametrize(("words", "edit", "failure"), [(("edit",), True, False), (("failure",), False, True)])
def test_only_what_the_setting_asks_for(told, words, edit, failure):
    """Each by its word."""
    place, layout = told
    keep_list(layout, words, NOW)
    assert bool(asked(place, edit=FILE)) is edit
    assert bool(asked(place, failure=ERROR)) is failure


def test_without_the_setting_there_is_nothing(told):
    """The list goes with the last word, and a hook that is still registered says nothing and writes nothing."""
    place, layout = told
    keep_list(layout, BOTH, NOW)
    keep_list(layout, (), NOW)
    assert not os.path.exists(layout.former_work)
    assert asked(place, edit=FILE) == ""
    assert os.listdir(layout.sessions) == []


def test_what_is_older_than_seven_days_is_not_pointed_to(told):
    """An edit of last month says little."""
    place, layout = told
    keep_list(layout, BOTH, NOW + 8 * 86_400_000)
    assert asked(place, edit=FILE) == ""


@pytest.mark.parametrize("interrupt", [True, False])
def test_what_the_user_stopped_is_no_failure(told, interrupt):
    """Nor is what tells too little to be sure."""
    place, layout = told
    keep_list(layout, BOTH, NOW)
    payload = {"session_id": "mine", "hook_event_name": "PostToolUseFailure", "is_interrupt": interrupt}
    said = point(place, heard({**payload, "error": ERROR if interrupt else "Exit code 1"}, {}), 1)
    assert said == ""


def test_the_hook_itself(told, tmp_path):
    """As the agent runs it: JSON with the line, for the hook that was asked; a broken list breaks nobody."""
    _, layout = told
    keep_list(layout, BOTH, NOW)
    payload = {"session_id": "mine", "hook_event_name": "PreToolUse", "cwd": str(tmp_path / "boat")}
    payload |= {"tool_name": "Edit", "tool_input": {"file_path": FILE}}

    def run():
        done = subprocess.run(
            [sys.executable, "-c", "from tapehead.cli.main import main; main()", "hook", "claude"],
            input=json.dumps(payload).encode(),
            capture_output=True,
            check=True,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        )
        return done.stdout

    said = json.loads(run())["hookSpecificOutput"]
    assert said["hookEventName"] == "PreToolUse"
    assert "tapehead detail" in said["additionalContext"]
    with open(layout.former_work, "w") as file:
        file.write(f'{{"edit": "{FILE}"')
    payload["session_id"] = "other"
    assert run() == b""
