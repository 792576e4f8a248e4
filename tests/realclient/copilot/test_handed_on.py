"""One task in one repository, by Copilot CLI, then by OpenCode, then by Droid."""

import os

import pytest
from rig.client import DROID, OPENCODE
from rig.droid import DroidPlace
from rig.evidence import briefs
from rig.opencode import OpenCodePlace

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


@pytest.fixture
def worlds(place):
    """The same home and the same repository for all three, each with its own stand-in for its model."""
    made = []
    for client, kind in ((OPENCODE, OpenCodePlace), (DROID, DroidPlace)):
        if reason := client.why_not(ROOT):
            pytest.skip(reason)
        other = kind.beside(place, client.find(ROOT))
        other.start()
        other.install()
        made.append(other)
    yield made
    for other in made:
        other.stop()


def test_the_third_knows_what_the_first_was_told(place, seen, worlds):
    """Handed on twice, the first one's rule is in the third one's first request, and each is told who worked before it."""
    opencode, droid = worlds
    place.print_mode("Never use tabs in this project. Add up the numbers.")
    [one] = seen.sessions()
    seen.state(one)
    assert place.tapehead("handoff", "--to", "opencode").returncode == 0
    opencode.print_mode("go on with the numbers")
    two = opencode.evidence().sessions()[-1]
    opencode.evidence().state(two)
    assert opencode.evidence().inheritance(two) == (one, 1)
    [story] = briefs(opencode.evidence().request_after("go on with the numbers"))
    assert "Never use tabs" in story
    assert f"handed over to you by session {one} of Copilot" in story
    assert opencode.tapehead("handoff", "--to", "droid").returncode == 0
    droid.print_mode("finish the numbers")
    three = droid.evidence().sessions()[-1]
    assert droid.evidence().inheritance(three) == (two, 1)
    [story] = briefs(droid.evidence().request_after("finish the numbers"))
    assert "Never use tabs" in story
    assert f"handed over to you by session {two} of OpenCode" in story
