"""`recall.at` with the real client: the hooks stand in the settings only where it asks for them, and the line is in the next request."""

import os

import pytest
from rig.client import CLAUDE, OLDER_CLAUDES
from rig.place import Place

from tapehead.tokens.estimate import tokens

FAILS = "sh check.sh"
CHECK = "test -f sail || { echo 'ImportError: cannot import the sail from rigging'; exit 1; }; echo fine\n"


@pytest.fixture(params=[CLAUDE, OLDER_CLAUDES[-1]], ids=lambda client: client.version)
def agent(request):
    return request.param, Place


def hooks(place):
    with place.edited_settings() as settings:
        return set(settings["hooks"])


def turn_on(place):
    assert not {"PreToolUse", "PostToolUseFailure"} & hooks(place)
    assert place.tapehead("config", "set", "recall.at", "edit, failure").returncode == 0
    place.install()
    assert {"PreToolUse", "PostToolUseFailure"} <= hooks(place)


def pointed(seen, session, words):
    """What the session was told, on its tape, and that it stands in its last request once."""
    [note] = seen.notes(session, "pointed")
    assert words in note["text"]
    assert tokens(note["text"]) <= 60
    assert str(seen.requests()[-1]["messages"]).count(note["text"].replace("'", "\\'")) == 1
    assert note["why"] in seen.place.tapehead("log", "--injections", "--session", session).stdout


def test_an_edit(place, seen):
    """A file that another session wrote is written again."""
    turn_on(place)
    path = os.path.join(place.project, "hull.txt")
    place.print_mode(f"make it {{write {path}}}")
    first = seen.ended()
    os.unlink(path)
    place.print_mode(f"make it anew {{write {path}}}")
    seen.ended()
    [second] = [each for each in seen.sessions() if each != first]
    pointed(seen, second, f"tapehead detail {first[:8]}/1")


def test_a_failure(place, seen):
    """The same error in another session, after the first one solved it."""
    turn_on(place)
    with open(os.path.join(place.project, "check.sh"), "w", encoding="utf-8") as file:
        file.write(CHECK)
    place.print_mode(f"look {{run {FAILS}}}")
    first = seen.ended()
    for words in ("mend it {run touch sail}", f"look again {{run {FAILS}}}"):
        place.print_mode(words, "--resume", first)
        seen.ended()
    os.unlink(os.path.join(place.project, "sail"))
    place.print_mode(f"look anew {{run {FAILS}}}")
    seen.ended()
    [second] = [each for each in seen.sessions() if each != first]
    pointed(seen, second, f"tapehead detail {first[:8]}/3")
