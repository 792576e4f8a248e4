"""The rig: the real client in a world of its own. `make realclient` runs these; elsewhere they say why they do not."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves sys.path alone

from rig.client import CLAUDE
from rig.evidence import Evidence
from rig.place import of_client
from rig.terminal import Terminal, close_all

ROOT = str(Path(__file__).parents[2])


def pytest_collection_modifyitems(items):
    """Everything in this folder is marked, so that `make test` never starts an agent."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.realclient)


def found(client):
    """Where a client is; without one, the test is skipped and says why."""
    if reason := client.why_not(ROOT):
        pytest.skip(reason)
    return client.find(ROOT)


@pytest.fixture
def client():
    """Claude Code, as it is now; what is told of older ones too is parametrised with this name."""
    return CLAUDE


@pytest.fixture
def agent(client):
    """Whose world it is: the tests of another client say so in a fixture of their own."""
    return client, of_client(client)


@pytest.fixture
def bare(tmp_path, agent):
    """A world with the client and without tapehead."""
    client, kind = agent
    place = kind(os.path.realpath(tmp_path), found(client))
    place.start()
    yield place
    close_all(place)
    place.stop()


@pytest.fixture
def place(bare):
    """A world in which a user has run `tapehead install`. Whatever happens in it, the tapes explain the states."""
    bare.install()
    yield bare
    close_all(bare)
    bare.tapehead("status")  # looks after what a killed client left unread
    for session_id in Evidence(bare).sessions():
        done = bare.tapehead("replay", "--session", session_id)
        assert done.returncode == 0, done.stdout


@pytest.fixture
def seen(bare):
    return Evidence(bare)


@pytest.fixture
def terminal(place):
    """A terminal in which nothing runs yet."""
    return Terminal(place, "one")
