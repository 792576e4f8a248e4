"""Keeps a small store as this version (or another source tree) writes it, for the test that upgrades every former format.

    python tools/keep_format.py NAME [SOURCE]

Run it whenever SCHEMA_VERSION, the version of the notes or the number of migrations grows. All paths in the store begin with a
directory whose name has always the same length, so that the test can put another one in their place without moving an offset.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests" / "store" / "former"
SESSION = "11111111-2222-4333-8444-555555555555"
_RUN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from tapehead.cli.main import main; main()"


def make_place() -> Path:
    """A directory with a name of the usual length."""
    return Path(tempfile.mkdtemp(prefix="th", dir="/tmp"))


class Former:
    """A repository, and one version of the program in it."""

    def __init__(self, place: Path, source: Path) -> None:
        self.place, self.source, self.repo = place, source, place / "repo"
        self.transcript = place / "home" / f"{SESSION}.jsonl"
        self.transcript.parent.mkdir()
        self.env = {"PATH": os.environ["PATH"], "HOME": str(place / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
        init = ["git", "init", "-q", "-b", "main", str(self.repo)]
        subprocess.run(init, check=True, env=self.env)  # noqa: S603 - git
        (self.repo / "colour.py").write_text('COLOUR = "red"\n', encoding="utf-8")

    def run(self, *words: str, stdin: str = "") -> str:
        """The program, as a user or an agent calls it."""
        command = [sys.executable, "-c", _RUN, str(self.source), *words]
        env = {**self.env, "CLAUDE_PID": str(os.getpid())}
        done = subprocess.run(  # noqa: S603 - ourselves
            command, input=stdin, cwd=self.repo, env=env, capture_output=True, text=True, check=False, timeout=120
        )
        return done.stdout

    def hook(self, name: str, **fields: str) -> str:
        """One hook, and the worker behind it."""
        payload = {"session_id": SESSION, "cwd": str(self.repo), "transcript_path": str(self.transcript)}
        said = self.run("hook", "claude", stdin=json.dumps({**payload, "hook_event_name": name, **fields}))
        for ending in (".worker", ".lock"):
            with (self.repo / ".git" / "tapehead" / "sessions" / (SESSION + ending)).open("w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
        return said

    def line(self, number: int, kind: str, content: object, **more: object) -> None:
        """One line of the agent's own record."""
        entry = {
            "parentUuid": f"u{number - 1}" if number else None, "uuid": f"u{number}", "sessionId": SESSION, "type": kind,
            "cwd": str(self.repo), "gitBranch": "main", "version": "2.1.325", "isSidechain": False,
            "timestamp": f"2026-11-16T08:{number:02}:00.000Z", "message": {"role": kind, "content": content, **more},
        }  # fmt: skip
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def work(self) -> None:
        """Two turns with a compaction between them."""
        usage = {"usage": {"input_tokens": 1000, "output_tokens": 100}, "model": "claude-sonnet-4-5"}
        edit = {"file_path": str(self.repo / "colour.py"), "old_string": "red", "new_string": "blue"}
        self.hook("SessionStart", source="startup")
        self.hook("UserPromptSubmit", prompt="Make the colour blue. Never touch legacy.py.")
        self.line(0, "user", "Make the colour blue. Never touch legacy.py.")
        self.line(1, "assistant", [{"type": "tool_use", "id": "t1", "name": "Edit", "input": edit}], id="m1", **usage)
        (self.repo / "colour.py").write_text('COLOUR = "blue"\n', encoding="utf-8")
        self.line(2, "user", [{"type": "tool_result", "tool_use_id": "t1", "content": "done"}])
        self.line(3, "assistant", [{"type": "text", "text": "The colour is blue now."}], id="m2", **usage)
        self.hook("Stop", last_assistant_message="The colour is blue now.")
        self.hook("PreCompact", trigger="manual", custom_instructions="")
        self.hook("SessionStart", source="compact")
        self.hook("PostCompact", trigger="manual", compact_summary="<summary>blue</summary>")
        self.hook("UserPromptSubmit", prompt="Now add a test for it.")
        self.line(4, "user", "Now add a test for it.")
        self.line(5, "assistant", [{"type": "text", "text": "The test is there."}], id="m3", **usage)
        self.hook("Stop", last_assistant_message="The test is there.")
        self.run("status")

    def keep(self, name: str) -> None:
        """The repository and the home in one file."""
        with tarfile.open(KEPT / f"{name}.tar.gz", "w:gz") as file:
            file.add(self.place, arcname="place", filter=_plain)


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Nothing of git's samples, nobody's name, and no lock."""
    if "/hooks/" in member.name or member.name.endswith((".lock", ".worker", ".sample")):
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def main(name: str, source: str = str(ROOT / "src")) -> None:
    """Make the store, and keep it together with where it was."""
    place = make_place()
    try:
        former = Former(place, Path(source).resolve())
        former.work()
        (place / "was").write_text(str(place), encoding="utf-8")
        KEPT.mkdir(exist_ok=True)
        former.keep(name)
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    main(*sys.argv[1:])
