"""The plugin: that it holds what the program needs, and that its scripts never break the agent."""

import json
import os
import re
import stat
import struct
import subprocess
from pathlib import Path

import pytest

from tapehead import __version__
from tapehead.agents.claude.compatibility import COMPATIBILITY
from tapehead.agents.claude.hooks import HOOKS
from tapehead.agents.skill import with_skill
from tapehead.cli.app import GROUPS
from tapehead.cli.server.tools import TOOLS

PLUGIN = Path(__file__).parents[2] / "plugin"
START = '{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}'


def hooks(name="hooks.json"):
    return json.loads((PLUGIN / "hooks" / name).read_text())["hooks"]


def test_exactly_the_programs_hooks():
    """Each hook that the program answers is there once, for all its sources, run with its own name and a time limit; it ends with 0."""
    both = hooks() | hooks("newer.json")
    assert sorted(both) == sorted(HOOKS)
    assert len(both) == len(hooks()) + len(hooks("newer.json"))
    for hook, groups in both.items():
        command = f"trap 'exit 0' 0; sh \"${{CLAUDE_PLUGIN_ROOT}}/scripts/hook.sh\" {hook} || exit 0"
        assert groups == [{"hooks": [{"type": "command", "command": command, "timeout": 10}]}]


def test_what_older_clients_do_not_know_is_in_a_file_of_its_own():
    """A client runs none of a file's hooks where it does not know one; the manifest names the second file, and nobody needs it."""
    assert tuple(hooks()) == tuple(
        event for event in hooks() if COMPATIBILITY.events_of([event], COMPATIBILITY.assumed)
    )
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    assert manifest["hooks"] == "./hooks/newer.json"


def test_the_manifest():
    """The plugin goes by the program's version, and its marketplace names it."""
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("tapehead", __version__)
    market = json.loads((PLUGIN.parent / ".claude-plugin" / "marketplace.json").read_text())
    assert [(each["name"], each["source"]) for each in market["plugins"]] == [("tapehead", "./plugin")]


def test_the_icon():
    """A square PNG between 512 and 2048 pixels, as the directory asks for."""
    data = (PLUGIN / ".claude-plugin" / "icon.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (512, 512)


@pytest.mark.parametrize("name", ["save", "status", "brief", "handoff", "losses"])
def test_slash_commands_call_commands_that_there_are(name):
    """Every call of the program in a slash command names a command of ours, and may run without asking."""
    text = (PLUGIN / "commands" / f"{name}.md").read_text()
    known = {each for names in GROUPS.values() for each in names}
    called = re.findall(r'run\.sh" (\w+)', text) + re.findall(r"(?m)^tapehead (\w+)", text)
    assert called
    assert name in called
    assert {*called} <= known
    for each in re.findall(r"(?m)^tapehead (\w+)", text):
        assert f"Bash(tapehead {each}" in text
    assert re.match(r"---\ndescription: \w", text)


@pytest.mark.parametrize("name", ["recall", "detail"])
def test_slash_commands_that_ask_the_server(name):
    """The tools that they name are those of the server, by both names that the client may have for it."""
    text = (PLUGIN / "commands" / f"{name}.md").read_text()
    known = {tool.name for tool in TOOLS}
    for prefix in ("mcp__plugin_tapehead_tapehead__", "mcp__tapehead__"):
        assert {*re.findall(rf"\b{prefix}(\w+)", text)} <= known
        assert f"{prefix}open" in text
    assert "$ARGUMENTS" in text


def test_the_skill_is_the_one_that_install_writes():
    """And it names the server's tools, no others."""
    text = (PLUGIN / "skills" / "tapehead" / "SKILL.md").read_text()
    assert with_skill(None) == text
    assert {tool.name for tool in TOOLS} <= {*re.findall(r"`(\w+)`", text)}


def test_the_server_is_started_by_its_script(world, tmp_path):
    """With the program, wherever it is; without it, in words on stderr."""
    servers = json.loads((PLUGIN / ".mcp.json").read_text())["mcpServers"]
    assert servers["tapehead"]["args"] == ["${CLAUDE_PLUGIN_ROOT}/scripts/server.sh"]
    done = script("server.sh", env=world)
    assert (done.returncode, done.stdout) == (1, "")
    assert "not installed" in done.stderr
    program(tmp_path / "my home" / ".local" / "bin", 'echo "$@"')
    assert script("server.sh", env=world).stdout == "mcp\n"


@pytest.fixture
def world(tmp_path):
    """A home without the program, and a PATH with nothing but what any system has."""
    bare = tmp_path / "bare"
    bare.mkdir()
    for tool in ("sh", "cat"):
        (bare / tool).symlink_to(next(p for p in (f"/bin/{tool}", f"/usr/bin/{tool}") if os.path.exists(p)))
    return {"HOME": str(tmp_path / "my home"), "PATH": str(bare)}


def program(folder, body):
    folder.mkdir(parents=True)
    path = folder / "tapehead"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o700)


def script(name, *args, env, stdin=""):
    return subprocess.run(
        ["/bin/sh", PLUGIN / "scripts" / name, *args], env=env, input=stdin, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("where", ["path", "home"])
def test_the_program_gets_the_event(world, tmp_path, where):
    """Found on the PATH or in ~/.local/bin, it gets the payload, and is told that it comes from the plugin."""
    folder = tmp_path / "bin dir" if where == "path" else Path(world["HOME"], ".local/bin")
    program(folder, 'printf "%s|%s|" "$*" "$TAPEHEAD_VIA"; cat')
    env = world | ({"PATH": f"{world['PATH']}:{folder}"} if where == "path" else {})
    ran = script("hook.sh", "Stop", env=env, stdin='{"a": 1}')
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, 'hook claude|plugin|{"a": 1}', "")


@pytest.mark.parametrize("hook", HOOKS)
def test_without_the_program_a_start_says_so_and_nothing_else_speaks(world, hook):
    """The user is told once, in the form that the agent shows them; every other event passes in silence."""
    ran = script("hook.sh", hook, env=world, stdin=START)
    assert (ran.returncode, ran.stderr) == (0, "")
    if hook == "SessionStart":
        said = json.loads(ran.stdout)
        assert list(said) == ["systemMessage"]
        assert "`uv tool install .` or `pipx install .` in a clone of tapehead" in said["systemMessage"]
    else:
        assert ran.stdout == ""


@pytest.mark.parametrize("source", ["compact", "clear"])
def test_it_is_not_said_again_in_the_same_client(world, source):
    """A compaction or a /clear is no new start."""
    assert script("hook.sh", "SessionStart", env=world, stdin=START.replace("startup", source)).stdout == ""


def test_a_large_payload_is_read_to_its_end(world):
    """An agent that writes much must not meet a closed pipe."""
    ran = script("hook.sh", "PostCompact", env=world, stdin="x" * 1_000_000)
    assert (ran.returncode, ran.stdout) == (0, "")


def test_no_home(world):
    """Without HOME there is nothing to find, and nothing fails."""
    ran = script("hook.sh", "Stop", env={"PATH": world["PATH"]})
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_commands_without_the_program(world):
    """The slash command gets an answer that tells what to do."""
    ran = script("run.sh", "status", env=world)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "tapehead is not installed" in ran.stdout
    assert "pipx install ." in ran.stdout


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('echo "$#:$2"; cat', "2:a b\nmemo\n"),
        ("echo oops >&2; exit 1", "oops\n"),
        (
            "echo \"error: No such command 'losses'.\" >&2; exit 2",
            "The installed tapehead has no command `losses`: it is older than this plugin.",
        ),
    ],
)
def test_commands_with_the_program(world, body, said):
    """What the program says is passed on, errors too; a command that it does not have yet is explained."""
    program(Path(world["HOME"], ".local/bin"), body)
    ran = script("run.sh", "losses", "a b", env=world, stdin="memo\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(said)


def test_the_real_program_answers_an_unknown_command_as_the_script_expects(capsys):
    """The words that run.sh looks for are the ones that the program says."""
    from tapehead.cli.app import app
    from tapehead.cli.output import run

    assert run(app, ["nonsense"], "tapehead") == 2
    assert "No such command 'nonsense'" in capsys.readouterr().err


def test_the_scripts_can_be_run():
    """By themselves, too."""
    assert all(path.stat().st_mode & stat.S_IXUSR for path in (PLUGIN / "scripts").iterdir())
