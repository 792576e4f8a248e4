"""The plugin as a Gemini extension, checked and linked by Gemini itself."""

import json
import os
import subprocess
from pathlib import Path

from rig.place import TAPEHEAD

EXTENSION = str(Path(__file__).parents[3] / "plugins" / "gemini")


def test_hooks_and_server_run_from_the_extension(bare, seen):
    """The client finds it valid, records a session through it and offers its tools; uninstalled, nothing of it runs."""
    os.symlink(TAPEHEAD, os.path.join(bare.root, "bin", "tapehead"))

    def extensions(*words):
        done = subprocess.run(
            bare.inside(bare.client, "extensions", *words), cwd=bare.project, env=bare.env, input="y\n",
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    assert "successfully validated" in extensions("validate", EXTENSION)
    extensions("link", EXTENSION)
    bare.print_mode("the number is 4711")
    [session] = seen.sessions()
    assert seen.path(session) == [
        "session_start -> idle", "turn_start -> active", "turn_end -> idle", "session_stop -> ended",
    ]  # fmt: skip
    assert seen.state(session)["agent"] == "gemini"
    assert "recall" in json.dumps([request.get("tools") for request in seen.requests()])
    extensions("uninstall", "tapehead")
    bare.print_mode("hello again")
    assert len(seen.sessions()) == 2
    assert [name for name in os.listdir(seen.sessions_dir) if name.endswith(".tape")] == [f"{session}.tape"]
