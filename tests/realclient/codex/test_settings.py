"""hooks.json belongs to the user: we leave it as we found it, and nothing runs before they trust it."""

import json
import os
import subprocess

from rig.codex import CodexTerminal


def _content(path):
    with open(path, "rb") as file:
        return file.read()


def _config(place):
    return os.path.join(place.home, ".codex", "config.toml")


def test_in_and_out(bare, seen):
    """Install, a session, uninstall: both files are byte for byte what they were; config.toml had our server's table at its end alone."""
    before, config = _content(bare.settings), _content(_config(bare))
    bare.install()
    assert _content(bare.settings) != before
    bare.print_mode("hello")
    [session] = seen.sessions()
    assert seen.path(session)[-1] == "session_stop -> ended", "the hooks were in it"
    assert _content(_config(bare)).startswith(config)
    assert bare.tapehead("uninstall").returncode == 0
    assert (_content(bare.settings), _content(_config(bare))) == (before, config)


def test_trust(bare):
    """Untrusted hooks do not run, and doctor says so; after the user has trusted them they do, through upgrades too."""
    bare.install()
    assert "not trusted, so Codex does not run them: SessionStart, " in _doctor(bare)
    _run_untrusting(bare, "hello")
    assert not os.path.exists(os.path.join(bare.project, ".git", "tapehead", "sessions"))
    terminal = CodexTerminal(bare, "one")
    terminal.trust("codex --no-daemon")
    assert b"trusted_hash" in _content(_config(bare))
    terminal.kill()
    assert "trusted" not in _doctor(bare)
    _run_untrusting(bare, "hello")
    [state] = json.loads(bare.tapehead("status", "--json").stdout)[0]["sessions"]
    assert state["agent"] == "codex"
    with bare.edited_settings() as settings:
        settings["hooks"]["Stop"][-1]["hooks"][0]["timeout"] = 77
    assert "changed since they were trusted, so Codex does not run them: Stop" in _doctor(bare)


def _doctor(place):
    return " ".join(place.tapehead("doctor").stdout.split())


def _run_untrusting(place, prompt):
    """Without the switch that trusts everything."""
    command = place.inside(place.client, "exec", prompt)
    subprocess.run(
        command, cwd=place.project, env=place.env, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=90
    )
