"""The plugin in Codex's form, through Codex's own marketplace."""

import json
import os
import subprocess
from pathlib import Path

from rig.place import TAPEHEAD

ROOT = str(Path(__file__).parents[3])
_NAMED = "ask [@tapehead](plugin://tapehead@tapehead)"


def test_hooks_and_server_run_from_the_marketplace(bare, seen):
    """Added by the client itself, it records a session from start to end, and its server is known; removed, nothing of it runs."""
    os.symlink(TAPEHEAD, os.path.join(bare.root, "bin", "tapehead"))

    def codex(*words):
        done = subprocess.run(
            bare.inside(bare.client, *words),
            cwd=bare.project,
            env=bare.env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    codex("plugin", "marketplace", "add", ROOT)
    assert f"{ROOT}/plugins/codex" in codex("plugin", "list")
    codex("plugin", "add", "tapehead@tapehead")
    assert "tapehead" in codex("mcp", "list")
    bare.print_mode("the number is 4711")
    [session] = seen.sessions()
    assert seen.path(session) == [
        "session_start -> idle", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    assert seen.state(session)["agent"] == "codex"
    codex("plugin", "remove", "tapehead@tapehead")
    bare.print_mode("hello again")
    assert len(seen.sessions()) == 2
    assert [name for name in os.listdir(seen.sessions_dir) if name.endswith(".tape")] == [f"{session}.tape"]


def test_the_tools_of_the_server(bare, seen):
    """Codex does not wait for a plugin's server: the tools are offered once it runs, and at once where the prompt names the plugin."""
    os.symlink(TAPEHEAD, os.path.join(bare.root, "bin", "tapehead"))
    for words in (("plugin", "marketplace", "add", ROOT), ("plugin", "add", "tapehead@tapehead")):
        bare.run(bare.client, *words)
    bare.print_mode("the anchor is made of number 4711 {run sleep 9}")
    [session] = seen.sessions()
    assert "mcp__tapehead" in json.dumps(seen.requests()[-1]["tools"])
    bare.tapehead("status")
    bare.print_mode(f"{_NAMED} {{call recall question=what is the anchor made of}}")
    assert f"{session[:13]}/1" in json.dumps(seen.requests()[-1])
