"""Which file Droid takes hooks from."""

import json
from pathlib import Path

import pytest

from tapehead.agents.droid import setup

COMMAND = "/opt/bin/tapehead hook droid"
THEIRS = {"SessionStart": [{"hooks": [{"type": "command", "command": "theirs"}]}]}


@pytest.fixture
def own(tmp_path):
    (tmp_path / ".factory").mkdir()
    return tmp_path / ".factory"


def path(own):
    return setup.settings_path("user", home=str(own.parent), env={}, project="/home/me/project")


def complaints(own):
    text = Path(path(own)).read_text(encoding="utf-8")
    return setup.complaints(path(own), text, home=str(own.parent), env={}, project="/home/me/project")


def test_settings_where_there_are_no_hooks_of_theirs(own):
    """A new hooks.json would keep those in the settings from running."""
    assert path(own) == str(own / "settings.json")


@pytest.mark.parametrize("text", ["{}", "[", '{"hooks": {}}', '{"note": []}', '{"SessionStart": 1}'])
def test_a_file_that_the_host_does_not_read_as_hooks(own, text):
    """It is none, and doctor says that it keeps ours from running."""
    (own / "hooks.json").write_text(text)
    assert path(own) == str(own / "settings.json")
    (own / "settings.json").write_text(setup.ENTRIES.with_hooks(None, COMMAND))
    [(what, hint)] = complaints(own)
    assert ("does not run the hooks in this file" in what, hint.startswith("take it away")) == (True, True)


def test_beside_theirs(own):
    """Where the user has a hooks.json, ours stand in it, without anything around them, and go again."""
    text = json.dumps(THEIRS, indent=3)
    (own / "hooks.json").write_text(text)
    assert path(own) == str(own / "hooks.json")
    added = setup.ENTRIES.with_hooks(text, COMMAND)
    found = json.loads(added)
    assert set(found) == set(setup.EVENTS)
    assert found["SessionStart"][0] == THEIRS["SessionStart"][0]
    assert setup.ENTRIES.with_hooks(added, COMMAND) == added
    assert setup.ENTRIES.without_hooks(added, text) == text
    (own / "hooks.json").write_text(added)
    assert complaints(own) == []


def test_a_file_that_came_later(own):
    """Ours stay where an uninstall finds them, and doctor says what to do."""
    (own / "settings.json").write_text(setup.ENTRIES.with_hooks('{"hooksDisabled": true}', COMMAND))
    (own / "hooks.json").write_text(json.dumps(THEIRS))
    assert path(own) == str(own / "settings.json")
    (_, hint), (off, _) = complaints(own)
    assert (hint.startswith("`tapehead uninstall"), "hooksDisabled" in off) == (True, True)


def test_only_ours_are_left(own):
    """Taken out one by one, down to an empty file."""
    text = json.dumps({event: [setup.ENTRIES.group_of(event, COMMAND)] for event in setup.EVENTS})
    assert json.loads(setup.ENTRIES.without_hooks(text)) == {}
