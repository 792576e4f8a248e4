import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.claude.scopes import SCOPES, SHARED_COMMAND, command_for, settings_path


@pytest.mark.parametrize(
    ("scope", "config_dir", "path"),
    [
        ("user", None, "/home/me/.claude/settings.json"),
        ("user", "", "/home/me/.claude/settings.json"),
        ("user", "/etc/mine", "/etc/mine/settings.json"),
        ("project", "/etc/mine", "/srv/tree/.claude/settings.json"),
        ("local", None, "/srv/tree/.claude/settings.local.json"),
    ],
)
def test_settings_path(scope, config_dir, path):
    """Each scope has its file; CLAUDE_CONFIG_DIR moves the user's, and an empty one does not count."""
    assert scope in SCOPES
    assert settings_path(scope, home="/home/me", config_dir=config_dir, project="/srv/tree") == path


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_the_shell_sees_the_path_as_it_is(name):
    """Whatever is in the path of the program, a shell takes it as one word."""
    for scope in ("user", "local"):
        words = shlex.split(command_for(scope, f"/{name}/tapehead", f"/{name}/hook.sh"))
        assert words[:3] == ["trap", "exit 0", "0;"]
        assert words[3:] == ["sh", f"/{name}/hook.sh", f"/{name}/tapehead", "hook", "claude", "||", "exit", "0"]


def test_teammates_see_nothing():
    """Where the program is not installed, the command of a shared file says nothing and succeeds."""
    assert command_for("project", "/opt/tapehead", "/x/hook.sh") == SHARED_COMMAND
    done = subprocess.run(
        ["/bin/sh", "-c", SHARED_COMMAND], env={"PATH": "/nowhere"}, capture_output=True, check=False, input=b"{}"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
