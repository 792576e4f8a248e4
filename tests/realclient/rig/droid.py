"""The real Droid in a world of its own: `droid exec` with a model of the user's own, without any key. Its terminal wants a login, and is not run."""

from __future__ import annotations

import os

from rig.place import PORT, Place, write


class DroidPlace(Place):
    """The user's hooks stand in hooks.json, without anything around them: as they are with `hooks` around them, none runs."""

    AGENT = "droid"
    STANDIN = "completions_standin.py"
    SETTINGS = ".factory/hooks.json"
    RECORDED = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")

    def client_env(self) -> dict[str, str]:
        return {"FACTORY_DROID_AUTO_UPDATE_ENABLED": "false"}

    def print_words(self, prompt: str, *options: str) -> list[str]:
        return ["exec", "--auto", "high", "-m", "custom:m1", *options, prompt]

    def configure(self) -> None:
        model = {
            "model": "m1", "id": "custom:m1", "displayName": "m1", "baseUrl": f"http://127.0.0.1:{PORT}/v1",
            "apiKey": "nobody", "provider": "generic-chat-completion-api", "maxOutputTokens": 8_000,
        }  # fmt: skip
        write(os.path.join(self.home, ".factory", "settings.json"), {"customModels": [model]})
        write(self.settings, self.recording())
