"""The right session and the user's real words with older clients: what they cannot do is told less of, and never told wrong.

In 1.0.128 and 2.0.77 a prompt that is cancelled stays in the conversation, with a notice after it; 1.0 has no `/rewind`, but goes back with
Escape twice. So the oracle is the client itself: what it sends next is the conversation.
"""

import time

import pytest
from rig.client import OLDER_CLAUDES
from rig.evidence import times
from rig.terminal import Terminal
from rig.waiting import until

pytestmark = pytest.mark.parametrize("client", OLDER_CLAUDES, ids=lambda client: client.version)
ASKED = ("open the door", "never paint it green", "never use a brush", "close the door")
ODD = ("<system-reminder>what is this?</system-reminder>", "Caveat: be short", "why [Request interrupted by user] here")


def _brief(place):
    return place.tapehead("brief", "--full").stdout


def _stops(seen, number):
    seen.wait_for(*["Stop"] * number)


def _emptied(terminal, words):
    """The line is empty, whatever the client put back into it."""

    def is_empty():
        for key in ("C-e", "C-u", "C-k"):
            terminal.press(key)
            time.sleep(0.5)  # keys that come at once are taken for pasted text
        return words not in terminal.below()

    until(is_empty, "the line is empty", show=terminal.screen)


def _goes_back(terminal, client):
    """To before the newest prompt: a list, the last but one line of it, and where it asks, the conversation alone."""
    until(lambda: _asks_how_far(terminal, client) and _chosen(terminal), "the prompt is chosen", show=terminal.screen)
    terminal.press("Enter")
    until(lambda: _gone(terminal), "the conversation is shorter", show=terminal.screen)


def _asks_how_far(terminal, client):
    """The list is open, and stays open: on a busy machine an Escape too many closes it, and Up would then fetch the last prompt."""
    if not terminal.shows("Enter to", 1.0):
        if client.version.startswith("1."):
            for _ in range(2):
                terminal.press("Escape")
                time.sleep(0.5)
        elif not terminal.shows("/rewind", 0.1):
            terminal.enter("/rewind")
        else:
            terminal.press("Enter")
        terminal.shows("Enter to", 5.0)
    time.sleep(1.0)
    return "Enter to" in terminal.screen()


def _chosen(terminal):
    if _is_marked(terminal, "(current)"):
        terminal.press("Up")
        time.sleep(1.0)
    return _is_marked(terminal, "paint it red")


def _is_marked(terminal, words):
    screen = terminal.screen()
    lines = [line.strip(" \u2502") for line in screen.splitlines() if words in line]
    return "Enter to" in screen and any(line.startswith("\u276f") for line in lines)


def _gone(terminal):
    """Whether all questions are answered (the last one, where it is asked, is what goes back), and the prompt is in the line again."""
    if "Restore conversation" in terminal.screen():
        terminal.press("Enter")
        return False
    return "Enter to" not in terminal.screen() and "paint it red" in terminal.below()


def _sent(seen, words):
    """The request of the conversation itself: these clients ask side questions about a prompt first."""
    return next(request for request in seen.requests() if request.get("tools") and times(request, words))


def test_what_the_user_took_back(place, seen, terminal, client):
    """A prompt is in the brief where it is in the next request, and nowhere else."""
    terminal.claude()
    terminal.enter("open the door")
    _stops(seen, 1)
    terminal.enter("never paint it green {wait 20}")
    seen.wait_for_request("never paint it green")
    terminal.press("Escape")
    until(lambda: "Interrupted" in terminal.screen() or "never paint it green" in terminal.below(), "it is cancelled")
    _emptied(terminal, "never paint it green")
    terminal.enter("paint it red, never use a brush")
    _stops(seen, 2)
    _goes_back(terminal, client)
    _emptied(terminal, "paint it red")
    terminal.enter("close the door")
    _stops(seen, 3)
    terminal.leave()
    request, told = _sent(seen, "close the door"), _brief(place)
    assert [words in told for words in ASKED] == [times(request, words) > 0 for words in ASKED]
    assert "never use a brush" not in told, "whatever the version: it was left"


def test_a_prompt_is_that_prompt(place, seen, terminal):
    """Whatever stands in it, it is the one that was asked last."""
    terminal.claude()
    terminal.enter("open the door")
    _stops(seen, 1)
    for number, words in enumerate(ODD, 2):
        terminal.enter(words)
        _stops(seen, number)
        told = until(lambda: [line for line in _brief(place).splitlines() if "sked last" in line], "it is told")
        assert words.partition(">")[2][:8] in "\n".join(told), told
    terminal.leave()


def test_whom_a_start_goes_on_from(place, seen, terminal):
    """One kill is told of once; a single run in between is passed over."""
    terminal.claude()
    terminal.enter("the number is 4711 {wait 40}")
    seen.wait_for_request("4711")
    terminal.kill()
    [killed] = seen.sessions()
    other = Terminal(place, "two")
    one = _chat(seen, other, "something else, one", 1)
    place.print_mode("the number is 1147")
    two = _chat(seen, other, "something else, two", 3)
    assert [seen.inheritance(each) for each in (one, two)] == [(killed, 4), (one, 3)]
    assert times(_sent(seen, "something else, one"), "4711") > 0
    for words in ("4711", "1147"):
        assert times(_sent(seen, "something else, two"), words) == 0, words


def _chat(seen, terminal, words, stops):
    terminal.claude()
    terminal.enter(words)
    _stops(seen, stops)
    terminal.leave()
    return next(each["session_id"] for each in seen.hooks() if words in each.get("prompt", ""))


def test_compactions_that_fail(place, seen, terminal):
    """The session waits for a prompt again, and leaving it then is an ordinary end; nothing says that it was in mid-turn."""
    terminal.claude()
    terminal.enter("the number is 4711")
    _stops(seen, 1)
    session = seen.sessions()[0]
    terminal.enter("/compact {summary fail 400}")
    seen.wait_for("PreCompact(manual)")
    until(
        lambda: place.tapehead("status") and _phase(seen, session) == "idle",
        "it waits",
        60,
        lambda: str(seen.path(session)),
    )
    _emptied(terminal, "/compact")
    terminal.leave()
    until(lambda: _phase(seen, session) == "ended", "nothing was in flight", show=lambda: str(seen.path(session)))


def test_left_in_mid_turn_after_a_compaction(place, seen, terminal):
    """A turn that goes on after an automatic compaction and is left without an answer is halted, not ended."""
    terminal.claude()
    terminal.enter("fill the window {claim 985000} {run echo full} {summary then wait 40}")
    seen.wait_for("PreCompact(auto)", "SessionStart(compact)")
    session = seen.sessions()[0]
    until(lambda: _phase(seen, session) == "restored", "the compaction is over", show=lambda: str(seen.path(session)))
    terminal.close()
    until(
        lambda: place.tapehead("status") and _phase(seen, session) == "halted",
        "the work was in flight",
        60,
        lambda: str(seen.path(session)),
    )


def _phase(seen, session):
    return seen.path(session)[-1].rpartition(" -> ")[2]
