"""Older clients: one that meets an event it does not know rejects the user's whole settings, so it must never meet one."""

import json
import os
import sys

import pytest
from rig.client import CLAUDE, OLDER_CLAUDES
from rig.evidence import times
from rig.place import events_known_to

from tapehead.agents.claude.delivery import received
from tapehead.agents.claude.settings import EVENTS, hooks_of_ours

PLUGIN = os.path.join(os.path.dirname(__file__), "..", "..", "plugin")
versions = pytest.mark.parametrize("client", [CLAUDE, *OLDER_CLAUDES], ids=lambda client: client.version)
older = pytest.mark.parametrize("client", OLDER_CLAUDES, ids=lambda client: client.version)


@pytest.fixture
def strict(bare):
    """A user with hooks, an environment and a deny rule of their own."""
    with bare.edited_settings() as settings:
        settings |= {"env": {"MARK": "here"}, "permissions": {"deny": ["Bash(touch:*)"]}}
    return bare


def holds(place):
    """Whether all of the user's own settings are in force."""
    place.print_mode("try it {run touch denied}")
    place.print_mode("and this {run printenv MARK > mark}")
    with open(os.path.join(place.project, "mark"), encoding="utf-8") as file:
        env = file.read() == "here\n"
    hooks = {hook["hook_event_name"] for hook in place.evidence().hooks()}
    return env, not os.path.exists(os.path.join(place.project, "denied")), "Stop" in hooks


def asked_for(place):
    with open(place.settings, encoding="utf-8") as file:
        return {hook.event for hook in hooks_of_ours(file.read())}


@versions
def test_the_users_own_settings_hold(strict, seen, client):
    """After an install their hook runs, their environment is there, and what they denied is denied; our tape has the session."""
    strict.install()
    assert asked_for(strict) == {event for event in EVENTS if event in events_known_to(client.version)}
    assert holds(strict) == (True, True, True)
    assert seen.path(seen.sessions()[0])[-1] == "session_stop -> ended"
    found = json.loads(strict.tapehead("doctor", "--json").stdout)["findings"]
    assert [each for each in found if each["check"] in {"clients", "hooks"} and each["level"] != "note"] == []


@pytest.mark.parametrize(
    "client", [each for each in OLDER_CLAUDES if each.version != "2.1.80"], ids=lambda each: each.version
)
def test_doctor_cures_what_an_earlier_install_broke(strict, client):
    """An event too many voids the user's settings; doctor calls it an error, and `--fix` gives them back."""
    strict.install()
    with strict.edited_settings() as settings:
        settings["hooks"]["StopFailure"] = settings["hooks"]["SessionStart"][-1:]
    assert holds(strict) == (False, False, False)
    os.unlink(os.path.join(strict.project, "denied"))
    found = json.loads(strict.tapehead("doctor", "--json").stdout)["findings"]
    [error] = [each for each in found if each["check"] == "clients"]
    assert error["level"] == "error"
    assert f"Claude Code {client.version}" in error["what"]
    assert "StopFailure" in error["what"]
    strict.tapehead("doctor", "--fix")
    assert "StopFailure" not in asked_for(strict)
    assert holds(strict) == (True, True, True)


@pytest.mark.parametrize("client", OLDER_CLAUDES[:1], ids=lambda client: client.version)
def test_the_oldest_gets_the_brief_too(place, seen, client):
    """1.0 writes it into the conversation that the compaction left, and goes on from there."""
    place.print_mode("the number is 4711")
    [session] = seen.sessions()
    seen.state(session)
    place.print_mode("/compact", "--resume", session)
    [said] = [text for text in received(seen.hooks()[0]["transcript_path"]) or () if "tapehead: " in text]
    assert "where this session stood before its context was compacted" in said
    assert "4711" in said


@pytest.mark.parametrize("client", [CLAUDE, *OLDER_CLAUDES[1:]], ids=lambda client: client.version)
def test_the_brief_arrives_after_a_compaction(place, seen, client):
    """In mid-turn, once; where the record proves nothing, the delivery is unknown and never missing, and doctor says nothing of it."""
    place.print_mode("the number is 4711 {claim 985000} {run echo full}")
    assert [times(request, "tapehead: where this session stood") for request in seen.requests()][-1] == 1
    session = seen.sessions()[0]
    assert seen.delivery(session) == ("delivered" if client is CLAUDE else "unknown")
    assert '"delivery"' not in place.tapehead("doctor", "--json").stdout


@pytest.mark.parametrize("client", [CLAUDE, OLDER_CLAUDES[1], OLDER_CLAUDES[2]], ids=lambda client: client.version)
def test_the_plugin(bare, seen, client):
    """Its hooks run with every client that has plugins, and nothing of the user's own is harmed."""
    os.symlink(os.path.join(os.path.dirname(sys.executable), "tapehead"), os.path.join(bare.root, "bin", "tapehead"))
    bare.print_mode("hello", "--plugin-dir", PLUGIN, "--verbose")  # 2.0 takes all words up to an option for folders
    assert seen.path(seen.sessions()[0])[0] == "session_start -> idle"
