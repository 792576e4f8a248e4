"""No test can reach the real home directory, the real git identity, or the agent that may be running these very tests."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tapehead.agents import clients
from tapehead.cli import bytecode

sys.path.insert(0, str(Path(__file__).parent))  # for tests/scenes: pytest's importlib mode leaves sys.path alone
pytest_plugins = ("repositories", "told")  # the fixtures of those modules, for every test

HIDDEN = ("TAPEHEAD_", "CLAUDE", "GIT_", "XDG_", "COPILOT_", "GEMINI_", "FACTORY_", "CURSOR_", "CODEX_")
SHOWN = "TAPEHEAD_REALCLIENT"
"""Where the rigs find a client that is already there."""
IDENTITY = {
    "GIT_AUTHOR_NAME": "Author",
    "GIT_AUTHOR_EMAIL": "author@example.invalid",
    "GIT_COMMITTER_NAME": "Committer",
    "GIT_COMMITTER_EMAIL": "committer@example.invalid",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "protocol.file.allow",  # a submodule from a directory
    "GIT_CONFIG_VALUE_0": "always",
    "GIT_CONFIG_KEY_1": "init.defaultBranch",
    "GIT_CONFIG_VALUE_1": "main",
}

BELOW_HOME = {
    "HOME": "",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CONFIG_HOME": ".config",
    "XDG_CACHE_HOME": ".cache",
    "XDG_DATA_HOME": ".local/share",
}

_NUMBERS = itertools.count()

# Two cores, many processes: how long an example takes says nothing.
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", UNHURRIED, max_examples=25)
settings.register_profile("long", UNHURRIED, max_examples=300)  # `make torture`
settings.load_profile("short")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Ten thousand collected tests are no garbage: nothing looks for any among them, now or during the run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def _nowhere_near_home(tmp_path_factory):
    """Every test has a home of its own, an identity from the environment, and hears nothing of the agent around it.

    By a patch of its own: a test that undoes its patches must not undo this.
    """
    home = (
        tmp_path_factory.getbasetemp() / "homes" / str(next(_NUMBERS))
    )  # pytest's own numbering reads the whole folder for each
    home.mkdir(parents=True, mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        for name in [*os.environ]:
            if name.startswith(SHOWN):
                continue
            if name.startswith(HIDDEN) or name in ("CI", "NO_COLOR", "FORCE_COLOR"):
                patch.delenv(name)
        for name, below in BELOW_HOME.items():
            patch.setenv(name, str(home / below))
        for name, value in IDENTITY.items():
            patch.setenv(name, value)
        patch.setattr("tapehead.git.commit_graph.SLOW", float("inf"))  # else a slow machine starts processes
        patch.setattr(
            clients, "installed_clients", lambda *_: ()
        )  # whoever runs these may have a client of any version
        patch.setattr(bytecode, "keep_for_hooks", lambda _: None)  # a second of work in each new home
        patch.setattr(sys, "meta_path", [*sys.meta_path])  # a bundle that a hook takes up goes with the test
        patch.setenv("GIT_CEILING_DIRECTORIES", tempfile.gettempdir())
        patch.chdir(home)  # a hook whose payload names no directory takes this one: never the project's own
        yield


@pytest.fixture(autouse=True)
def _no_alarm_left():
    """A worker sets an alarm that ends its process. In a test's process it would end the tests, minutes later."""
    yield
    if not hasattr(signal, "setitimer"):  # without POSIX there is no such clock
        return
    assert signal.setitimer(signal.ITIMER_REAL, 0)[0] == 0.0, "a clock still runs: stop it, or patch alarms.end_after"
