"""Codex asks whether it may run a command: seen while it waits, and no longer."""

import json
import os

import pytest
from rig.waiting import until


def waiting(place):
    [session] = json.loads(place.tapehead("monitor", "--json").stdout)
    return session["waiting"]


@pytest.fixture
def asking(place, terminal):
    terminal.codex("-a on-request", "-s read-only")
    terminal.enter("do it {run touch made; tail -f /dev/null escalated}")
    terminal.wait_for("Would you like to run")
    until(lambda: waiting(place), "the monitor sees it")
    assert (waiting(place)["for"], waiting(place)["tool"]) == ("approval", "Bash")
    assert "waits for your approval" in place.tapehead("status").stdout
    return terminal


def test_answered_yes(place, asking):
    """It is over while the command still runs."""
    asking.press("y")
    until(lambda: os.path.exists(os.path.join(place.project, "made")), "the command runs")
    until(lambda: waiting(place) is None, "the monitor sees that it is over")
    assert "waits" not in place.tapehead("status").stdout


def test_escaped(place, asking):
    """The rollout has it."""
    asking.press("Escape")
    until(lambda: waiting(place) is None, "the monitor sees that it is over")
    assert "waits" not in place.tapehead("status").stdout
