"""Codex's background daemon: sessions of every terminal run in one process, with the environment of the terminal that started it."""

from rig.codex import READY, CodexTerminal
from rig.evidence import briefs
from rig.waiting import until


def test_two_terminals_one_process(place, seen, terminal):
    """Each goes on with its own brief after `/clear`, or is only pointed to one: never handed the other's as its own."""
    other = CodexTerminal(place, "two")
    terminal.trust("codex")
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    other.start("codex", READY)
    other.enter("the colour is mauve")
    seen.wait_for("Stop", "Stop")
    one, two = seen.sessions()
    assert seen.state(one)["host_pid"] == seen.state(two)["host_pid"], "one process for both"
    assert seen.state(two)["terminal"] == "", "and its terminal would be nobody's"
    terminal.enter("/clear")
    until(lambda: "4711" not in terminal.screen(), "the screen is clear", show=terminal.screen)
    terminal.enter("go on")
    seen.wait_for("SessionStart(clear)", "Stop")
    *_, new = seen.sessions()
    [story] = briefs(seen.request_after("go on"))
    [told] = seen.notes(new, "restored")
    assert not told["whole"], story
    place.run(place.client, "app-server", "daemon", "stop")
