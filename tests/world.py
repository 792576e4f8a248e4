"""A repository with sessions as the real hook records them, with transcripts and what an agent said of them."""

from __future__ import annotations

import json
import os
import sys
import time

from tapehead.engine import hook
from tapehead.engine.engine import Engine
from tapehead.store import agent_figures
from tapehead.store.paths import Layout


class World:
    """What the monitor looks at."""

    program = (sys.executable, "-c", "from tapehead.cli.main import main; main()", "monitor")

    def __init__(self, root):
        self.root = str(root)
        self.layout = Layout(os.path.join(self.root, ".git", "tapehead"))
        self.engine = Engine(self.layout, time.time_ns)

    def hook(self, name, session, *, pid=None, **fields):
        """One payload through the real hook, with nobody working behind it."""
        payload = {"session_id": session, "cwd": self.root, "hook_event_name": name, **fields}
        payload["transcript_path"] = self.transcript(session)
        reading, writing = os.pipe()
        os.write(writing, json.dumps(payload).encode())
        os.close(writing)
        try:
            return hook.run("claude", reading, {"HOME": self.root, "CLAUDE_PID": str(pid or os.getpid())})
        finally:
            os.close(reading)

    def transcript(self, session):
        return os.path.join(os.path.dirname(self.root), f"{session}.jsonl")

    def answers(self, session, tokens, words="done"):
        """One prompt and one answer in the transcript; the model had read so many tokens."""
        usage = {"input_tokens": 10, "cache_read_input_tokens": tokens - 10, "output_tokens": 5}
        message = {"id": f"m{tokens}", "content": [{"type": "text", "text": words}], "usage": usage}
        about = {"timestamp": "2026-01-01T00:00:00Z", "gitBranch": "from-the-transcript"}
        self.writes(session, {"type": "user", "message": {"role": "user", "content": f"go on at {tokens}"}, **about})
        self.writes(session, {"type": "assistant", "message": message, **about})

    def writes(self, session, line):
        with open(self.transcript(session), "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def session(self, session, *, ends=False, pid=None, contexts=(50_000, 60_000)):
        """A session with some turns in it, settled."""
        self.hook("SessionStart", session, pid=pid, source="startup", model="claude-opus-5-5")
        self.hook("UserPromptSubmit", session, pid=pid, prompt="make it blue")
        for tokens in contexts:
            self.answers(session, tokens)
        self.hook("Stop", session, last_assistant_message="it is blue")
        if ends:
            self.hook("SessionEnd", session, reason="other")
        self.engine.settle(session)

    def said(self, session, **more):
        """What the agent says on its status line."""
        told = {"model": "claude-opus-5-5", "window": 200_000, "used": 60_000, "cost": 1.25, **more}
        assert agent_figures.keep(self.layout, session, told, time.time())
