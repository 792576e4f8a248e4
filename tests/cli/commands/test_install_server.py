"""`install` tells an agent of our MCP server, `uninstall` takes it out byte for byte."""

import json
import os
from pathlib import Path

import pytest

from served import TAPEHEAD
from tapehead.cli import bytecode

FILES = {"claude": ".claude.json", "codex": ".codex/config.toml", "gemini": ".gemini/settings.json"}
THEIRS = {
    "claude": '{\n\t"numStartups": 7, "mcpServers": {"other": {"command": "o"}},\n\t"projects": {}}',
    "codex": '# mine\nmodel = "x"\n\n[projects."/a"]\ntrust_level = "trusted"',
    "gemini": '{"mcpServers": {}, "ui": {"theme": "dark"}}\n',
}
agents = pytest.mark.parametrize("agent", FILES)


@pytest.fixture
def world(repository, monkeypatch):
    """A program to name, and the user's own files."""
    program = Path(repository.home, "bin", "tapehead")
    program.parent.mkdir()
    program.touch(mode=0o700)
    monkeypatch.setattr("sys.argv", [str(program)])
    monkeypatch.setattr(bytecode, "compile_now", lambda: ())
    repository.program = str(program)
    return repository


def file_of(world, agent):
    return Path(world.home, FILES[agent])


def write(world, agent):
    path = file_of(world, agent)
    path.parent.mkdir(exist_ok=True)
    path.write_text(THEIRS[agent])
    return path


@agents
def test_in_and_out_again(world, agent):
    """The entry names the program; afterwards the file is the same, byte for byte."""
    path = write(world, agent)
    done = world.run("install", "--agent", agent, "--no-git")
    assert done.exit_code == 0, done.output
    assert "MCP server registered in" in done.stdout
    assert world.program in path.read_text()
    again = world.run("install", "--agent", agent, "--no-git")
    assert "MCP server is already registered in" in again.stdout
    gone = world.run("uninstall", "--agent", agent)
    assert gone.exit_code == 0, gone.output
    assert path.read_text() == THEIRS[agent]


@agents
def test_where_there_was_no_file(world, agent):
    """It is made, and goes again."""
    path = file_of(world, agent)
    world.run("install", "--agent", agent, "--no-git")
    assert world.program in path.read_text()
    world.run("uninstall")
    assert not path.exists()


@agents
def test_what_the_agent_wrote_since_stays(world, agent):
    """Only our entry goes."""
    path = write(world, agent)
    world.run("install", "--agent", agent, "--no-git")
    if agent == "codex":
        path.write_text(path.read_text() + "\n[new]\nb = 1\n")
    else:
        path.write_text(json.dumps({**json.loads(path.read_text()), "new": 1}))
    world.run("uninstall", "--agent", agent)
    assert "new" in path.read_text()
    assert "tapehead" not in path.read_text()


@agents
def test_without_it(world, agent):
    """`--no-mcp` leaves it out; a dry run writes nothing."""
    path = write(world, agent)
    world.run("install", "--agent", agent, "--no-git", "--dry-run")
    assert path.read_text() == THEIRS[agent]
    world.run("install", "--agent", agent, "--no-git", "--no-mcp")
    assert '"mcp"' not in path.read_text()


def test_a_project_shares_it_by_its_name(world):
    """Teammates have the program elsewhere."""
    world.run("install", "--scope", "project", "--no-git")
    entry = json.loads(Path(world.root, ".mcp.json").read_text())["mcpServers"]["tapehead"]
    assert entry == {"type": "stdio", "command": "tapehead", "args": ["mcp"]}
    world.run("uninstall", "--scope", "project")
    assert not os.path.exists(os.path.join(world.root, ".mcp.json"))


def test_a_file_that_is_no_toml_is_left_alone(world):
    """The hooks are in; the error says what to do."""
    path = write(world, "codex")
    path.write_text("no toml")
    done = world.run("install", "--agent", "codex", "--no-git")
    assert done.exit_code == 1
    assert path.read_text() == "no toml"


def findings(world):
    return [(each["level"], each["what"]) for each in world.json("doctor")["findings"] if each["check"] == "mcp"]


def test_doctor_asks_the_server(world, monkeypatch):
    """It says that it answers, that it does not, and nothing where no agent is told of it."""
    assert findings(world) == []
    world.run("install", "--agent", "claude", "--no-git")
    [(level, what)] = findings(world)
    assert (level, "does not answer" in what) == ("warning", True)
    monkeypatch.setattr("sys.argv", [TAPEHEAD])
    world.run("install", "--agent", "claude", "--no-git")
    world.run("install", "--agent", "gemini", "--no-git")
    assert findings(world) == [("note", "the MCP server answers (registered with Claude Code and Gemini)")]
