"""`codex exec`, `gemini -p`, `copilot -p`, `opencode run`: a single run is nobody's past, in whichever terminal it ran."""

import pytest
from rig.client import CODEX, COPILOT, GEMINI, OPENCODE
from rig.codex import CodexPlace, CodexTerminal
from rig.copilot import CopilotPlace, CopilotTerminal
from rig.evidence import times
from rig.gemini import GeminiPlace, GeminiTerminal
from rig.opencode import OpenCodePlace, OpenCodeTerminal
from rig.waiting import until

RIGS = {
    "codex": (CODEX, CodexPlace, CodexTerminal, "Stop", "/quit"),
    "gemini": (GEMINI, GeminiPlace, GeminiTerminal, "AfterAgent", "/quit"),
    "copilot": (COPILOT, CopilotPlace, CopilotTerminal, "Stop", "/exit"),
    "opencode": (OPENCODE, OpenCodePlace, OpenCodeTerminal, "Stop", "/exit"),
}


@pytest.fixture(params=RIGS)
def rig(request):
    return request.param


@pytest.fixture
def agent(rig):
    return RIGS[rig][:2]


def test_a_single_run_in_between(place, seen, rig):
    """The next chat goes on from the chat before it, and is told nothing of the single run; that one is marked as what it was."""
    _, _, kind, end, leave = RIGS[rig]
    terminal = kind(place, "one")

    def chat(words, ends):
        getattr(terminal, rig)()
        terminal.enter(words)
        seen.wait_for(*[end] * ends)
        session = seen.sessions()[-1]
        terminal.leave(leave)
        until(lambda: place.tapehead("status") and seen.state(session)["phase"] == "ended", "its end is settled")
        return session

    first = chat("the number is 4711", 1)
    place.print_mode("the colour is mauve")
    single = seen.sessions()[-1]
    until(lambda: place.tapehead("status") and seen.state(single)["phase"] == "ended", "its end is settled")
    assert seen.state(single)["one_off"]
    assert not seen.state(first)["one_off"]
    after = chat("tell me the number", 3)
    assert len({first, single, after}) == 3
    assert seen.inheritance(after) == (first, 3), "by the terminal"
    assert times(seen.request_after("tell me the number"), "mauve") == 0
