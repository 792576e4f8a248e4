"""Our skill: a file of our own that tells an agent when to ask the server. It goes with us."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents.json_text import is_blank
from tapehead.agents.setups import setup_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_OURS = "---\nname: tapehead\n"


def skill_path(host: str, scope: str, *, home: str, env: Mapping[str, str]) -> str:
    """Where an agent looks for it; empty where it is none of the user's own settings."""
    below = setup_of(host).own_directory(home, env)
    return os.path.join(below, "skills", "tapehead", "SKILL.md") if scope == "user" else ""


def with_skill(text: str | None) -> str:
    """The file; one that somebody else wrote under this name stays."""
    return text if text and not is_blank(text) and not text.startswith(_OURS) else _text()


def without_skill(text: str, before: str | None = None) -> str:
    """What is left: nothing, or what stood there before."""
    return (before or "") if text.startswith(_OURS) else text


def _text() -> str:
    with open(os.path.join(os.path.dirname(__file__), "skill.md"), encoding="utf-8") as file:
        return file.read()
