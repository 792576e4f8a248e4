"""The plugin in the forms that Codex and Gemini take: their hooks, the same scripts, the same skill, the same server. Part of `make redraw`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tapehead import __version__
from tapehead.agents.codex import setup as codex
from tapehead.agents.gemini import setup as gemini
from tapehead.agents.hook_command import of_plugin

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

PLUGIN = Path(__file__).resolve().parent.parent / "plugin"
ABOUT = "{} keeps its context across compaction, /clear and crashes: tapehead captures the work before a compaction and gives a brief of it back."
NAMES = {"codex": "Codex", "gemini": "Gemini"}
SETUPS: dict[str, ModuleType] = {"codex": codex, "gemini": gemini}
ROOTS = {"codex": "${PLUGIN_ROOT}", "gemini": "${extensionPath}"}
"""What each puts in place of it: the folder that its copy of the plugin is in."""
CODEX, GEMINI = "plugins/codex", "plugins/gemini"


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _hooks(agent: str) -> str:
    """The groups that `install` writes, with the plugin's own script in them."""

    def group(event: str) -> object:
        return SETUPS[agent].ENTRIES.group_of(event, of_plugin(ROOTS[agent], event))

    return _json({"hooks": {event: [group(event)] for event in SETUPS[agent].EVENTS}})


def _servers(agent: str) -> dict[str, object]:
    """Codex puts no folder into a server's arguments, and one with a relative path would run in the plugin, not in the repository."""
    inline = 'found=$(command -v tapehead) || found="$HOME/.local/bin/tapehead"; TAPEHEAD_VIA=plugin exec "$found" mcp'
    given = ["-c", inline] if agent == "codex" else [f"{ROOTS[agent]}/scripts/server.sh"]
    return {"tapehead": {"command": "sh", "args": given}}


def _script(agent: str, name: str) -> str:
    """One of the plugin's scripts, for another agent."""
    text = (PLUGIN / "scripts" / name).read_text(encoding="utf-8")
    return text.replace("hook claude", f"hook {agent}").replace("Claude Code", NAMES[agent])


def _skill() -> str:
    return (PLUGIN / "skills" / "tapehead" / "SKILL.md").read_text(encoding="utf-8")


def _codex_manifest() -> str:
    return _json(
        {
            "name": "tapehead",
            "version": __version__,
            "description": ABOUT.format("Codex"),
            "author": {"name": "The tapehead authors"},
            "license": "MIT",
            "skills": "./skills/",
            "hooks": "./hooks/hooks.json",
            "mcpServers": "./.mcp.json",
            "interface": {
                "displayName": "tapehead",
                "shortDescription": "Codex keeps its context across compaction, /clear and crashes",
                "category": "Productivity",
            },
        }
    )


def _codex_market() -> str:
    plugin = {
        "name": "tapehead",
        "source": {"source": "local", "path": f"./{CODEX}"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Productivity",
    }
    return _json({"name": "tapehead", "interface": {"displayName": "tapehead"}, "plugins": [plugin]})


def _gemini_manifest() -> str:
    about = {"name": "tapehead", "version": __version__, "description": ABOUT.format("Gemini")}
    return _json({**about, "mcpServers": _servers("gemini")})


def _shared(agent: str, folder: str) -> dict[str, Callable[[], str]]:
    return {
        f"{folder}/hooks/hooks.json": lambda: _hooks(agent),
        f"{folder}/scripts/hook.sh": lambda: _script(agent, "hook.sh"),
        f"{folder}/skills/tapehead/SKILL.md": _skill,
    }


FORMS: dict[str, Callable[[], str]] = {
    ".agents/plugins/marketplace.json": _codex_market,
    f"{CODEX}/.codex-plugin/plugin.json": _codex_manifest,
    f"{CODEX}/.mcp.json": lambda: _json({"mcpServers": _servers("codex")}),
    **_shared("codex", CODEX),
    f"{GEMINI}/gemini-extension.json": _gemini_manifest,
    **_shared("gemini", GEMINI),
    f"{GEMINI}/scripts/server.sh": lambda: _script("gemini", "server.sh"),
}
