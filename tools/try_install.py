"""Builds what a registry would take, and installs it in every way that the README names, in clean environments: `make try-install`.

Needs build, twine, pipx and uv, which it puts into a virtual environment of its own. Everything lies in one temporary directory, with a home
of its own; the index is a folder of wheels.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("build", "twine", "pipx", "uv", "hatchling")
FORMER = "8567c82"
"""The last commit of 0.1.0: an upgrade starts from its wheel."""
STEPS = (("install", "--dry-run"), ("install", "--agent", "claude"), ("doctor",), ("status",), ("uninstall",))


class Failed(Exception):
    """A step did not do what it should."""


def main() -> None:
    """Every step, one after the other; the first that fails ends it."""
    with tempfile.TemporaryDirectory(prefix="tapehead-install-") as folder:
        stage = Stage(Path(folder))
        stage.prepare()
        stage.build()
        for way in (stage.by_pip, stage.by_pipx, stage.by_uv_tool, stage.by_uvx):
            program = way()
            print(f"{way.__name__[3:].replace('_', ' ')}: {stage.walk(program)}")
        print(f"README: {stage.follow_readme()}")
        stage.upgrade()


class Stage:
    """One temporary directory, and what was made in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "tools" / "bin"
        self.index = folder / "index"
        self.home = folder / "home"
        self.env = {
            **{
                name: value
                for name, value in os.environ.items()
                if not name.startswith(("TAPEHEAD", "CLAUDE", "VIRTUAL_ENV"))
            },
            "HOME": str(self.home),
            "PIPX_HOME": str(folder / "pipx"),
            "PIPX_BIN_DIR": str(folder / "pipx-bin"),
            "UV_TOOL_DIR": str(folder / "uv"),
            "UV_TOOL_BIN_DIR": str(folder / "uv-bin"),
            "UV_CACHE_DIR": str(folder / "uv-cache"),
            "PIP_FIND_LINKS": str(self.index),
            "UV_FIND_LINKS": str(self.index),
            "PIP_NO_INDEX": "1",
            "UV_NO_INDEX": "1",
            "SOURCE_DATE_EPOCH": "1700000000",
        }

    def run(self, *words: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
        """What a program printed. Raises Failed."""
        done = subprocess.run(  # noqa: S603 - what this script itself names
            [*map(str, words)], cwd=cwd or self.folder, env=env or self.env, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Failed(
                f"{' '.join(map(str, words))} ended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
            )
        return done.stdout

    def prepare(self) -> None:
        """Tools from the registry; a folder of wheels from then on."""
        self.home.mkdir()
        self.run(sys.executable, "-m", "venv", self.bin.parent)
        self.run(self.bin / "pip", "install", "-q", *TOOLS, env={**os.environ})

    def build(self) -> None:
        """Twice, from a clone; the same bytes both times, and twine finds nothing."""
        self.run("git", "clone", "-q", ROOT, self.folder / "source")
        both = [self._built(self.folder / "source", self.folder / f"dist{number}") for number in (1, 2)]
        if both[0] != both[1]:
            raise Failed(f"two builds differ: {both}")
        said = self.run(self.bin / "twine", "check", "--strict", *sorted((self.folder / "dist1").iterdir()))
        print(f"build: {', '.join(both[0])}; the same twice; twine: {said.count('PASSED')} passed")
        self.index.mkdir()
        wheel = next((self.folder / "dist1").glob("*.whl"))
        self.run(self.bin / "pip", "download", "-q", "-d", self.index, wheel, "hatchling", env={**os.environ})

    def _built(self, source: Path, into: Path) -> dict[str, str]:
        self.run(self.bin / "python", "-m", "build", "--no-isolation", "--outdir", into, source)
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(into.iterdir())}

    def by_pip(self) -> list[str]:
        """In a virtual environment."""
        self.run(sys.executable, "-m", "venv", self.folder / "venv")
        self.run(self.folder / "venv" / "bin" / "pip", "install", "-q", "tapehead")
        return [str(self.folder / "venv" / "bin" / "tapehead")]

    def by_pipx(self) -> list[str]:
        """`pipx install tapehead`."""
        self.run(self.bin / "pipx", "install", "tapehead")
        return [str(self.folder / "pipx-bin" / "tapehead")]

    def by_uv_tool(self) -> list[str]:
        """`uv tool install tapehead`."""
        self.run(self.bin / "uv", "tool", "install", "--python", sys.executable, "tapehead")
        return [str(self.folder / "uv-bin" / "tapehead")]

    def by_uvx(self) -> list[str]:
        """`uvx tapehead`, which leaves nothing installed."""
        return [str(self.bin / "uvx"), "--python", sys.executable, "tapehead"]

    def walk(self, program: list[str]) -> str:
        """The README's next steps in a new repository; then nothing of it is left in the home."""
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        self.run("git", "init", "-q", work)
        (self.home / ".claude").mkdir(exist_ok=True)
        settings = self.home / ".claude" / "settings.json"
        settings.write_text('{\n  "model": "opus"\n}\n', encoding="utf-8")
        before = self._files()
        env = {**self.env, "PATH": os.pathsep.join([os.path.dirname(program[0]), self.env["PATH"]])}
        version = self.run(*program, "--version", env=env).strip()
        if "uvx" in os.path.basename(program[0]):
            return f"{version}; `install` is for a program that stays"
        for words in STEPS:
            self.run(*program, *words, cwd=work, env=env)
        if (left := self._files()) != before:
            raise Failed(f"uninstall left or changed {sorted(set(left.items()) ^ set(before.items()))}")
        return f"{version}; {len(STEPS)} steps; uninstall left the home as it was"

    def follow_readme(self) -> str:
        """The commands under "Install it" and those to remove it, word for word in one shell, from a clone; nothing of it is left."""
        self.run(self.bin / "pipx", "uninstall", "tapehead")  # from the index, above
        page = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Install it")[2]
        block = page.partition("```console\n")[2].partition("```")[0]
        steps = [line[2:].partition("#")[0].strip() for line in block.splitlines() if line.startswith("$ ")]
        removal = page.partition("**To remove it**: ")[2].partition("\n")[0].split("`")[1::2]
        if len(steps) < 4 or len(removal) < 2:  # noqa: PLR2004 - what is there today
            raise Failed(f"the README says only {steps} and {removal}")
        self.run("git", "init", "-q", self.home / "your" / "repository")
        before = self._files()
        path = os.pathsep.join(map(str, (self.folder / "pipx-bin", self.bin, self.env["PATH"])))
        script = "\n".join(("set -e", *steps, *removal))
        self.run("bash", "-c", script, cwd=self.folder / "source", env={**self.env, "PATH": path})
        left = [self.folder / "pipx-bin" / "tapehead", self.folder / "pipx" / "venvs" / "tapehead"]
        if (now := self._files()) != before or any(map(os.path.lexists, left)):
            raise Failed(f"it left or changed {sorted(set(now.items()) ^ set(before.items()))}, {left}")
        return f"{'; '.join((*steps, *removal))}: nothing is left"

    def _files(self) -> dict[str, str]:
        """What lies in the home, but for what was recorded and the caches of others."""
        found = [path for path in self.home.rglob("*") if path.is_file()]
        named = {str(path.relative_to(self.home)): path.read_text(encoding="utf-8", errors="replace") for path in found}
        return {
            name: text
            for name, text in named.items()
            if not name.startswith((".cache", ".local/state", ".local/share", ".local/pipx"))
        }

    def upgrade(self) -> None:
        """A session that a former version began goes on with this one."""
        former, venv, work = self.folder / "former", self.folder / "upgraded", self.folder / "upgrade-work"
        self.run("git", "clone", "-q", ROOT, former)
        self.run("git", "checkout", "-q", FORMER, cwd=former)
        self._built(former, self.folder / "former-dist")
        self.run(sys.executable, "-m", "venv", venv)
        self.run(venv / "bin" / "pip", "install", "-q", next((self.folder / "former-dist").glob("*.whl")))
        self.run("git", "init", "-q", work)
        self._hook(venv, work, "SessionStart", source="startup")
        self._hook(venv, work, "UserPromptSubmit", prompt="keep the cents as integers")
        former_version = self.run(venv / "bin" / "tapehead", "--version").split()[-1]
        self.run(venv / "bin" / "pip", "install", "-q", "--upgrade", "tapehead")
        version = self.run(venv / "bin" / "tapehead", "--version").split()[-1]
        if version == former_version:
            raise Failed(f"pip upgraded nothing: {version}")
        self._hook(venv, work, "Stop", last_assistant_message="done")
        self._hook(venv, work, "PreCompact", trigger="auto")
        said = self._hook(venv, work, "SessionStart", source="compact")
        listed = json.loads(self.run(venv / "bin" / "tapehead", "status", "--json", cwd=work))
        self.run(venv / "bin" / "tapehead", "replay", cwd=work)
        if "keep the cents as integers" not in said:
            raise Failed(f"the brief after the upgrade lacks the prompt: {said!r}; {listed}")
        moves = json.loads(self.run(venv / "bin" / "tapehead", "log", "--session", "upgraded", "--json", cwd=work))
        events = [move["event"] for move in moves if move["event"]]
        if events[:4] != ["session_start", "turn_start", "turn_end", "compaction"]:
            raise Failed(f"the tape after the upgrade has {events}")
        print(
            f"upgrade: {former_version} to {version} in mid-turn; the session went on, all its events are on the tape, it replays"
        )

    def _hook(self, venv: Path, work: Path, name: str, **more: str) -> str:
        payload = {"session_id": "upgraded", "cwd": str(work), "hook_event_name": name, **more}
        done = subprocess.run(  # noqa: S603 - as above
            [venv / "bin" / "tapehead", "hook", "claude"],
            input=json.dumps(payload).encode(),
            cwd=work,
            env={**self.env, "CLAUDE_PROJECT_DIR": str(work)},
            capture_output=True,
            check=True,
        )
        return done.stdout.decode()


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(str(failed))
