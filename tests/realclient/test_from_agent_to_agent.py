"""One task in one repository, by Claude Code, then by Codex, then by Gemini."""

import os

import pytest
from rig.client import CODEX, GEMINI
from rig.codex import CodexPlace
from rig.evidence import briefs
from rig.gemini import GeminiPlace

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.fixture
def worlds(place):
    """The same home and the same repository for all three, each with its own stand-in for its model."""
    made = []
    for client, kind in ((CODEX, CodexPlace), (GEMINI, GeminiPlace)):
        if reason := client.why_not(ROOT):
            pytest.skip(reason)
        other = kind.beside(place, client.find(ROOT))
        other.start()
        other.install()
        made.append(other)
    yield made
    for other in made:
        other.stop()


def test_the_third_knows_what_the_first_was_told(place, seen, terminal, worlds):
    """Handed on twice, the first one's rules and open items are in the third one's first request."""
    codex, gemini = worlds
    terminal.claude()
    terminal.enter(
        "Never use tabs in this project. Add up the numbers. {say They are added up. I still need to name the colours.}"
    )
    seen.wait_for("Stop")
    terminal.leave()
    [one] = seen.sessions()
    seen.state(one)
    assert place.tapehead("handoff", "--to", "codex").returncode == 0
    codex.print_mode("go on with the numbers")
    two = codex.evidence().sessions()[-1]
    codex.evidence().state(two)
    assert codex.evidence().inheritance(two) == (one, 1)
    [story] = briefs(codex.evidence().request_after("go on with the numbers"))
    assert "Never use tabs" in story
    assert f"handed over to you by session {one} of Claude Code" in story
    assert codex.tapehead("handoff", "--to", "gemini").returncode == 0
    gemini.print_mode("finish the numbers")
    three = gemini.evidence().sessions()[-1]
    assert gemini.evidence().inheritance(three) == (two, 1)
    [story] = briefs(gemini.evidence().request_after("finish the numbers"))
    assert "Never use tabs" in story
    assert "name the colours" in story
    assert f"handed over to you by session {two} of Codex" in story
