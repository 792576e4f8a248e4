"""The real OpenCode in a world of its own: its model is a provider of the user's own."""

from __future__ import annotations

import os
import sys

from rig.place import _HERE, PORT, Place, write
from rig.terminal import Terminal
from tapehead.agents.opencode.setup import ENTRIES

READY = "ctrl+p commands"
_UNPACKING = 120.0
"""Seconds in which it begins on a crowded machine: it is one large program that unpacks itself."""
_MODEL = {"name": "m1", "limit": {"context": 64_000, "output": 8_000}}


class OpenCodePlace(Place):
    """The recorder is a second copy of our plugin, which runs the recorder in place of tapehead and keeps its own journal."""

    AGENT = "opencode"
    STANDIN = "completions_standin.py"
    SETTINGS = ".config/opencode/plugins/tapehead.js"

    def client_env(self) -> dict[str, str]:
        return {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}

    def print_words(self, prompt: str, *options: str) -> list[str]:
        return ["run", *options, prompt]

    def configure(self) -> None:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"http://127.0.0.1:{PORT}/v1", "apiKey": "nobody"},
            "models": {"m1": _MODEL},
        }
        quiet = {"autoupdate": False, "share": "disabled", "permission": "allow"}
        config = {**quiet, "model": "standin/m1", "small_model": "standin/m1", "provider": {"standin": provider}}
        write(os.path.join(self.home, ".config", "opencode", "opencode.json"), config)
        with open(os.path.join(self.home, ".npmrc"), "w", encoding="utf-8") as file:
            file.write("offline=true\nfetch-retries=0\n")  # else it looks for its plugins' package for a minute
        recorder = f"{sys.executable} -I {_HERE}/recorder.py {self.recorded}"
        text = ENTRIES.text_of(recorder).replace('"opencode",\n)', '"recorded",\n)')
        with open(os.path.join(os.path.dirname(self.settings), "recorder.js"), "w", encoding="utf-8") as file:
            file.write(text)


class OpenCodeTerminal(Terminal):
    """A terminal in which OpenCode runs."""

    def opencode(self, *options: str) -> None:
        """Starts the client and waits until it takes words."""
        self.start(" ".join(("opencode", *options)), READY, _UNPACKING)
