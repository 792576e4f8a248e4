"""The real Gemini in a world of its own."""

from __future__ import annotations

import os
import time

from rig.place import PORT, Place, write
from rig.terminal import Terminal

READY = "Type your message"


class GeminiPlace(Place):
    """The folder is trusted, where a test does not say otherwise: else no hook would run."""

    AGENT = "gemini"
    STANDIN = "gemini_standin.py"
    SETTINGS = ".gemini/settings.json"
    RECORDED = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd")

    def client_env(self) -> dict[str, str]:
        return {"GEMINI_API_KEY": "nobody", "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{PORT}"}

    def print_words(self, prompt: str, *options: str) -> list[str]:
        return ["-y", *options, "-p", prompt]

    def configure(self) -> None:
        quiet = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        }
        write(self.settings, {**quiet, "hooks": self.recording()})
        self.trust("TRUST_FOLDER")

    def trust(self, rule: str) -> None:
        """What the user answered when they were asked about the folder."""
        write(os.path.join(self.home, ".gemini", "trustedFolders.json"), {self.project: rule})


_TYPING = 0.8
_TYPED = 5.0


class GeminiTerminal(Terminal):
    """A terminal in which Gemini runs."""

    def enter(self, text: str) -> None:
        """Types a line, once more where it was lost: right after a `/clear` the client draws itself anew, and forgets what came meanwhile."""
        self.type(text)
        if not self.shows(text[-40:], _TYPED):
            self.type(text)
        self.wait_for(text[-40:])
        self.press("Enter")

    def press(self, key: str) -> None:
        """Not at once: what comes as fast as from a clipboard is taken for it, and an Enter in it does not send it off."""
        time.sleep(_TYPING)
        super().press(key)

    def gemini(self, *options: str) -> None:
        """Starts the client and waits until it takes words."""
        self.start(" ".join(("gemini -y", *options)), READY)
