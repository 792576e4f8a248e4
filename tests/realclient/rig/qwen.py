"""The real Qwen Code in a world of its own: a model provider of the user's own, which speaks OpenAI's Chat Completions."""

from __future__ import annotations

import time

from rig.place import PORT, Place, write
from rig.terminal import Terminal

READY = "Type your message"
_TYPING = 0.8
_TYPED = 5.0


class QwenPlace(Place):
    """The user's settings name the provider, so that the client does not ask."""

    AGENT = "qwen"
    SECONDS = 240  # it loads for half a minute on a busy machine
    STANDIN = "completions_standin.py"
    SETTINGS = ".qwen/settings.json"
    RECORDED = (
        "SessionStart", "UserPromptSubmit", "Stop", "StopFailure", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
        "Notification", "PermissionRequest",
    )  # fmt: skip

    def client_env(self) -> dict[str, str]:
        return {"OPENAI_API_KEY": "nobody", "OPENAI_BASE_URL": f"http://127.0.0.1:{PORT}/v1", "OPENAI_MODEL": "m1"}

    def print_words(self, prompt: str, *options: str) -> list[str]:
        return ["-y", *options, "-p", prompt]

    def configure(self) -> None:
        quiet = {
            "security": {"auth": {"selectedType": "openai"}},
            "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        }
        write(self.settings, {**quiet, "hooks": self.recording()})


class QwenTerminal(Terminal):
    """A terminal in which Qwen Code runs."""

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

    def qwen(self, *options: str) -> None:
        """Starts the client and waits until it takes words."""
        self.start(" ".join(("qwen -y", *options)), READY, seconds=120)
