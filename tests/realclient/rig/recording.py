"""Records what an agent sends and keeps, for tests/agents/contract: one short life with everything in it, in the real client.

    python tests/realclient/rig/recording.py AGENT

Writes `payloads.json` (each kind of payload once, with the environment that came with it) into tests/agents/contract/recorded/AGENT. What is
to be heard in them is written by hand, in `heard.json` beside it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rig.client import CLAUDE, CODEX, GEMINI, QWEN
from rig.codex import CodexPlace, CodexTerminal
from rig.evidence import Evidence, _lines, _short
from rig.gemini import GeminiPlace, GeminiTerminal
from rig.place import Place
from rig.qwen import QwenPlace, QwenTerminal
from rig.terminal import Terminal, close_all

ROOT = Path(__file__).parents[3]
AGENTS = {
    "claude": (CLAUDE, Place, Terminal, ("--continue",), "/compact", "PostCompact(manual)", "Stop"),
    "codex": (CODEX, CodexPlace, CodexTerminal, ("resume", "--last"), "/compact", "PostCompact(manual)", "Stop"),
    "gemini": (GEMINI, GeminiPlace, GeminiTerminal, ("-r", "latest"), "/compress", "PreCompress(manual)", "AfterAgent"),
    "qwen": (QWEN, QwenPlace, QwenTerminal, ("--continue",), "/compress", "PostCompact(manual)", "Stop"),
}


def live(
    agent: str, place: Place, kind: type[Terminal], resume: tuple[str, ...], compact: str, done: str, end: str
) -> None:
    """A prompt with a tool, a resume, and in a terminal a compaction, a clear and a leave."""
    seen = Evidence(place)
    place.print_mode("add one and one {run echo $((1+1))}")
    place.print_mode("go on", *resume)
    terminal = kind(place, "one")
    getattr(terminal, agent)()
    terminal.enter("the number is 4711")
    seen.wait_for("SessionStart(startup)", "SessionStart(resume)", "SessionStart(startup)", end)
    terminal.enter(compact)
    seen.wait_for(done)
    terminal.enter("tell me the number")
    seen.wait_for(done, end)
    terminal.enter("/clear")
    terminal.wait_for("")
    terminal.enter("hello again")
    seen.wait_for("SessionStart(clear)", end)
    terminal.leave("/exit" if agent == "claude" else "/quit")
    seen.wait_for("SessionStart(clear)", f"SessionEnd({_LEFT[agent]})")


_LEFT = {"claude": "prompt_input_exit", "codex": "other", "gemini": "exit", "qwen": "prompt_input_exit"}


_TELLING = (
    "CLAUDE_PID", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "GEMINI_SESSION_ID", "GEMINI_PROJECT_DIR",
    "QWEN_PROJECT_DIR", "QWEN_CODE_SESSION_ID",
)  # fmt: skip


def _kept(line: dict) -> dict:
    env = {name: value for name, value in line["env"].items() if name in _TELLING}
    return {"env": env, "payload": line["payload"]}


def record(agent: str) -> None:
    """All of it, with the paths of nobody's machine."""
    client, kind, terminal, *rest = AGENTS[agent]
    root = os.path.realpath(tempfile.mkdtemp(prefix="rec-"))
    place = kind(root, client.find(str(ROOT)))
    place.start()
    try:
        live(agent, place, terminal, *rest)
    finally:
        close_all(place)
        place.stop()
    lines = _lines(place.recorded)
    kinds = {_short(line["payload"]): _kept(line) for line in reversed(lines)}
    target = ROOT / "tests" / "agents" / "contract" / "recorded" / agent
    target.mkdir(parents=True, exist_ok=True)
    plain = (
        json.dumps(dict(reversed(kinds.items())), indent=1)
        .replace(place.home, "/home/someone")
        .replace(root, "/home/me")
    )
    (target / "payloads.json").write_text(plain + "\n")
    shutil.rmtree(root)


if __name__ == "__main__":
    record(sys.argv[1])
