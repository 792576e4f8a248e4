"""The command line that an agent runs as our hook, and the small script that it goes through.

The command ends with 0 even where neither the script nor the program can be run: an agent takes other codes for an error in every prompt, and
2 for a refusal. It names the program itself, so it is known as ours by that, like the older form without a script. The script lies at
a path that never changes: what a hook does before Python starts can change without a change of anybody's settings (Codex would ask
for trust again).
"""

from __future__ import annotations

import os
import re
import shlex

from tapehead.agents import settings_file

SCRIPT = "hook.sh"
_ALWAYS = "trap 'exit 0' 0;"
"""For a shell that cannot even start a process (it then ends with 2, which an agent takes for a refusal)."""
_QUIET = "|| exit 0"


def make_guarded_command(script: str, program: str, agent: str) -> str:
    """Give the command line of a user's own settings."""
    return f"{_ALWAYS} sh {shlex.quote(script)} {shlex.quote(program)} hook {agent} {_QUIET}"


def make_shared_command(agent: str) -> str:
    """Give the command line of settings that travel to teammates, who need not have the program: they must see nothing of it."""
    return f"{_ALWAYS} if command -v tapehead >/dev/null 2>&1; then tapehead hook {agent} {_QUIET}; fi"


def of_plugin(root: str, event: str) -> str:
    """Give the command line of a plugin, which has a script of its own: by way of sh, for an unpacked copy may have lost its mode bits."""
    return f'{_ALWAYS} sh "{root}/scripts/{SCRIPT}" {event} {_QUIET}'


def is_guarded(command: str) -> bool:
    """Whether a command of ours ends with 0 whatever happens: the form of older versions does not."""
    return _QUIET in command


def parts_of(command: str) -> tuple[str, ...]:
    """Name the files that a command of ours runs, as far as it gives paths: bare names are the shell's to find."""
    try:
        words = shlex.split(command.removeprefix(_ALWAYS))
    except ValueError:
        return ()
    named = words[1:3] if words[:1] == ["sh"] else words[:1]
    return tuple(word for word in named if os.path.isabs(word))


def script_in(state: str) -> str:
    """Give the path of the script in the user's state directory."""
    return os.path.join(state, SCRIPT)


def unheard_in(state: str) -> str:
    """Give the directory where the script keeps payloads that no program could take."""
    return os.path.join(state, "unheard")


def is_current(script: str) -> bool:
    """Whether the script is there and is this version's."""
    try:
        return settings_file.read(script) == _text()
    except (OSError, settings_file.SettingsFileError):
        return False


def is_older(script: str) -> bool:
    """Whether the script is there and comes from an older version than this program's: of one that is newer, another program takes care."""
    try:
        found = settings_file.read(script)
    except (OSError, settings_file.SettingsFileError):
        return False
    return found is not None and _version(found) < _version(_text())


def _version(text: str) -> int:
    """The number at the end of the line that has one; the first scripts had none."""
    found = re.search(r"^#.*: version (\d+)$", text, re.MULTILINE)
    return int(found[1]) if found else 1


def write_script(script: str) -> None:
    """Put the script in its place; one that is this version's is not touched."""
    if not is_current(script):
        settings_file.make_directories(settings_file.missing_directories(script))
        settings_file.write(script, _text())


def _text() -> str:
    with open(os.path.join(os.path.dirname(__file__), SCRIPT), encoding="utf-8") as file:
        return file.read()
