"""settings.json belongs to the person and to the client: we leave it as we found it."""

import shutil

import pytest
from rig.terminal import Terminal


def _content(place):
    with open(place.settings, "rb") as file:
        return file.read()


def _session(place, seen, name):
    """A session in which the client changes its own settings."""
    terminal = Terminal(place, name)
    terminal.claude()
    terminal.enter("/tui default")
    terminal.wait_for("Switched back to the classic renderer")
    terminal.enter("hello")
    seen.wait_for_request("hello")
    terminal.leave()


def test_in_and_out(bare, seen):
    """Install, a session, uninstall: the file is byte for byte what it was."""
    before = _content(bare)
    bare.install()
    assert _content(bare) != before
    bare.print_mode("hello")
    [session] = seen.sessions()
    assert seen.path(session)[-1] == "session_stop -> ended", "the hooks were in it"
    assert bare.tapehead("uninstall").returncode == 0
    assert _content(bare) == before


@pytest.mark.parametrize("first", ["as the person wrote it", "as the client wrote it"])
def test_the_client_writes_in_between(bare, seen, first):
    """Where the client rewrites the file while our hooks are in it, uninstall leaves what it would have written without us."""
    shutil.copy(bare.settings, before := f"{bare.settings}.before")
    _session(bare, seen, "without")
    without_us = _content(bare)
    if first == "as the person wrote it":
        shutil.copy(before, bare.settings)
        assert _content(bare) != without_us, "the client has changed it"
    bare.install()
    _session(bare, seen, "with")
    assert b"tapehead hook claude" in _content(bare)
    assert bare.tapehead("uninstall").returncode == 0
    assert _content(bare) == without_us
