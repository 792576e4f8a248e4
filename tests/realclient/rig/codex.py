"""The real Codex in a world of its own."""

from __future__ import annotations

import json
import os

from rig.place import PORT, Place, write
from rig.terminal import Terminal

READY = "Ask Codex to do anything"
CODEX = "codex --no-daemon"
_CURSOR = "\u203a"
BYPASS = "--dangerously-bypass-hook-trust"
_CONFIG = f"""\
model = "gpt-5.1-codex"
model_provider = "standin"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.standin]
name = "standin"
base_url = "http://127.0.0.1:{PORT}/v1"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1

[analytics]
enabled = false

[projects.{{project}}]
trust_level = "trusted"
"""


class CodexPlace(Place):
    """The hooks of the recorder and ours are trusted by a switch of the client, where a test does not say otherwise."""

    AGENT = "codex"
    STANDIN = "openai_standin.py"
    SETTINGS = ".codex/hooks.json"
    RECORDED = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "PostCompact", "SessionEnd")

    def client_env(self) -> dict[str, str]:
        return {}

    def print_words(self, prompt: str, *options: str) -> list[str]:
        return ["exec", BYPASS, *options, prompt]

    def configure(self) -> None:
        with open(os.path.join(self.home, ".codex", "config.toml"), "w", encoding="utf-8") as file:
            file.write(_CONFIG.format(project=json.dumps(self.project)))
        write(self.settings, {"hooks": self.recording()})


class CodexTerminal(Terminal):
    """A terminal in which Codex runs."""

    def codex(self, *options: str) -> None:
        """Starts the client and waits until it takes words."""
        self.start(" ".join((CODEX, BYPASS, *options)), READY)

    def trust(self, command: str) -> None:
        """Starts the client as a user who trusts the hooks when they are asked."""
        self.start(command, "Trust all and continue")
        while not self.shows(f"{_CURSOR} 2. Trust all", 2.0):
            self.press("Down")
        self.press("Enter")
        self.wait_for(READY)
