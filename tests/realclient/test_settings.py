"""settings.json belongs to the user and to the client: we leave it as we found it."""

import pytest
from rig.terminal import Terminal
from rig.waiting import until


def _content(place):
    with open(place.settings, "rb") as file:
        return file.read()


def _client_writes(place, terminal, renderer):
    """A session in which the client changes its own settings; what it then left in the file."""
    terminal.claude()
    terminal.enter(f"/tui {renderer}")
    until(lambda: f'"tui": "{renderer}"'.encode() in _content(place), "the client has written", show=terminal.screen)
    terminal.kill()
    return _content(place)


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


@pytest.mark.parametrize("layout", ["the person's", "the client's"])
def test_the_client_writes_in_between(bare, layout):
    """Where the client rewrites the file while our hooks are in it, uninstall leaves what it would have written without us."""
    terminal = Terminal(bare, "one")
    if layout == "the client's":
        _client_writes(bare, terminal, "default")
    before = _content(bare)
    without_us = _client_writes(bare, terminal, "fullscreen")
    assert without_us != before
    with open(bare.settings, "wb") as file:
        file.write(before)
    bare.install()
    assert b"tapehead hook claude" in _client_writes(bare, terminal, "fullscreen")
    assert bare.tapehead("uninstall").returncode == 0
    assert _content(bare) == without_us
