"""The real Copilot CLI in a world of its own: offline, with a model provider of the user's own."""

from __future__ import annotations

import os

from rig.place import PORT, Place, write
from rig.terminal import Terminal

READY = "/ commands"


class CopilotPlace(Place):
    """The folder is trusted, so that the client does not ask."""

    AGENT = "copilot"
    STANDIN = "completions_standin.py"
    SETTINGS = ".copilot/hooks/tapehead.json"
    RECORDED = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")

    def client_env(self) -> dict[str, str]:
        return {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"http://127.0.0.1:{PORT}/v1",
            "COPILOT_MODEL": "gpt-4.1",
            "COPILOT_AUTO_UPDATE": "false",
        }

    def print_words(self, prompt: str, *options: str) -> list[str]:
        return ["--allow-all-tools", "-s", *options, "-p", prompt]

    def configure(self) -> None:
        write(os.path.join(os.path.dirname(self.settings), "recorder.json"), {"hooks": self.recording()})
        write(os.path.join(self.home, ".copilot", "config.json"), {"trustedFolders": [self.project]})


class CopilotTerminal(Terminal):
    """A terminal in which Copilot runs."""

    def copilot(self, *options: str) -> None:
        """Starts the client and waits until it takes words."""
        self.start(" ".join(("copilot --allow-all-tools", *options)), READY)
