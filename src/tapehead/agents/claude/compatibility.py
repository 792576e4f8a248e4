"""Which versions of Claude Code know which events, and where its clients are.

Found by reading the published packages and by running 1.0.128, 2.0.77, 2.1.76, 2.1.80 and 2.1.325. Up to 2.1.80 at least, a settings.json with
an event that the client does not know is rejected whole; from 2.1.112 at the latest the one event is skipped. When PermissionRequest came is
in the client's own changelog. Notification is older than 1.0.128, the oldest that was run, but nobody looked since when: it is not asked for before.
PreToolUse is old too, but what it says reaches the model in 2.1.76 and not in 2.0.77; PostToolUseFailure is in 2.0.77 and not in 1.0.128.
"""

from __future__ import annotations

import os
from glob import escape, glob
from typing import TYPE_CHECKING

from tapehead.agents.clients import Compatibility, places_on_path

if TYPE_CHECKING:
    from collections.abc import Mapping

SINCE = {
    "Stop": (1, 0, 31),
    "SubagentStop": (1, 0, 41),
    "PreCompact": (1, 0, 48),
    "UserPromptSubmit": (1, 0, 53),
    "SessionStart": (1, 0, 62),
    "SessionEnd": (1, 0, 85),
    "Notification": (1, 0, 128),
    "PermissionRequest": (2, 0, 45),
    "PostToolUseFailure": (2, 0, 77),
    "PreToolUse": (2, 1, 76),
    "PostCompact": (2, 1, 76),
    "StopFailure": (2, 1, 78),
}
_HOMES = (
    ".claude/local/claude",
    ".claude/local/node_modules/.bin/claude",
    ".local/bin/claude",
    ".npm-global/bin/claude",
    ".npm-packages/bin/claude",
    ".bun/bin/claude",
    ".volta/bin/claude",
    ".asdf/shims/claude",
    ".local/share/pnpm/claude",
    "Library/pnpm/claude",
    "n/bin/claude",
    ".nvm/versions/node/*/bin/claude",
    ".local/share/fnm/node-versions/*/installation/bin/claude",
    ".local/share/mise/installs/*/*/bin/claude",
    ".*/extensions/anthropic.claude-code-*/resources/native-binary/claude",
    ".*/extensions/anthropic.claude-code-*/resources/claude-code/cli.js",
)
"""Below the user's home: installers, package managers, and the editors' extensions, which bring a client of their own."""
_SYSTEM = ("/usr/local/bin/claude", "/opt/homebrew/bin/claude", "/home/linuxbrew/.linuxbrew/bin/claude")


def _places(home: str, env: Mapping[str, str]) -> list[str]:
    prefix = env.get("NPM_CONFIG_PREFIX") or env.get("npm_config_prefix")
    named = [os.path.join(prefix, "bin", "claude")] if prefix else []
    below = [path for place in _HOMES for path in sorted(glob(os.path.join(escape(home), place)))]
    return [*places_on_path("claude", env), *named, *below, *_SYSTEM]


def _is_client(name: object) -> bool:
    return isinstance(name, str) and (name == "claude-code" or name.startswith("@anthropic-ai/claude-code"))


COMPATIBILITY = Compatibility(
    since=SINCE, assumed=SINCE["SessionEnd"], oldest=SINCE["SessionStart"], places=_places, package=_is_client
)
