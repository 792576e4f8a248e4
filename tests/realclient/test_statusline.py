"""Our status line below the real client's prompt."""

import json

from rig.terminal import Terminal
from rig.waiting import until


def _installed(place):
    done = place.tapehead("install", "--statusline")
    assert done.returncode == 0, done.stderr


def test_it_shows_phase_and_context(bare, seen):
    """In the terminal, with the phase and the room until the compaction, and moved on by each answer; the window is kept."""
    _installed(bare)
    terminal = Terminal(bare, "one")
    terminal.claude()
    terminal.wait_for("tapehead IDLE | compacts at 967k")
    terminal.enter("add it up {claim 150000}")
    terminal.wait_for("Answer 1")
    terminal.wait_for("| context 150k of 967k, 84% left")
    terminal.enter("/compact")
    terminal.wait_for("tapehead RESTORED | compacts at 967k | captured ")
    [session] = seen.sessions()
    with open(f"{seen.sessions_dir}/{session}.seen", encoding="utf-8") as file:
        kept = json.load(file)
    assert kept["window"] == 1_000_000
    assert kept["cost"] > 0
    terminal.leave()


def test_the_monitor_sees_what_the_client_does(bare):
    """The phase in mid-turn, the use from the transcript, window and cost from the status line; after a compaction no old number."""
    _installed(bare)
    terminal = Terminal(bare, "one")

    def session():
        [found] = json.loads(bare.tapehead("monitor", "--json").stdout)
        return found

    terminal.claude()
    terminal.enter("add it up {claim 150000}")
    terminal.wait_for("| context 150k of 967k")
    until(lambda: session()["phase"] == "idle", "the turn is over", show=lambda: str(session()))
    found = session()
    assert (found["agent"], found["branch"]) == ("claude", "main")
    assert found["model"].startswith("claude-")
    assert (found["context"]["used"], found["context"]["window"]) == (150_000, 1_000_000)
    assert found["cost"] > 0
    terminal.enter("take your time {wait 5}")
    until(lambda: session()["phase"] == "active", "the agent works")
    terminal.wait_for("Answer 2")
    terminal.enter("/compact")
    until(
        lambda: session()["context"]["used"] is None, "nothing is known of the new context", show=lambda: str(session())
    )
    assert session()["compactions"] == 1
    terminal.leave()


def test_one_of_their_own_stays(bare):
    """It is what the user sees, before and after."""
    with bare.edited_settings() as settings:
        settings["statusLine"] = {"type": "command", "command": "echo THEIR OWN LINE"}
    _installed(bare)
    terminal = Terminal(bare, "one")
    terminal.claude()
    terminal.wait_for("THEIR OWN LINE")
    assert "tapehead" not in terminal.screen().split("THEIR OWN LINE")[1]
    terminal.leave()
