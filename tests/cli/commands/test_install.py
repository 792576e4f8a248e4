import io
import json
import os
from pathlib import Path

import pytest

from tapehead.agents import clients, installation
from tapehead.agents.claude.compatibility import COMPATIBILITY
from tapehead.agents.claude.scopes import SHARED_COMMAND
from tapehead.agents.claude.settings import ENTRIES, EVENTS, hooks_of_ours
from tapehead.cli import bytecode, install_request
from tapehead.cli.commands import install as module
from tapehead.cli.output import run

SAFE = COMPATIBILITY.events_of(EVENTS, COMPATIBILITY.assumed)
THEIRS = '{\n\t"model": "opus"\n}'


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A home, a repository, a program, and nothing of the real ones."""
    for name in ("home", "repo/.git", "repo/below", "bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "bin" / "tapehead").touch(mode=0o700)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "repo" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for name in ("objects", "refs"):
        (tmp_path / "repo" / ".git" / name).mkdir()
    monkeypatch.chdir(tmp_path / "repo" / "below")
    monkeypatch.setattr("sys.argv", [str(tmp_path / "bin" / "tapehead")])
    monkeypatch.setattr(bytecode, "compile_now", lambda: ())
    return tmp_path


@pytest.fixture
def user(world):
    path = world / "home" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(THEIRS)
    return path


def command_in(world):
    return f"trap 'exit 0' 0; sh {world}/home/.local/state/tapehead/hook.sh {world}/bin/tapehead hook claude || exit 0"


def install(*args):
    return run(module.install, (*args, "--no-git"), "tapehead install")


def uninstall(*args):
    return run(module.uninstall, (*args, "--no-git"), "tapehead uninstall")


def test_in_and_out(world, user, capsys):
    """Install says where the hooks and the backup are, a second one that there is nothing to do, uninstall undoes it all."""
    command = command_in(world)
    assert install() == 0
    assert user.read_text() == ENTRIES.limited_to(SAFE).with_hooks(THEIRS, command)
    out, err = capsys.readouterr()
    first, second, third, fourth, *rest = out.splitlines()
    assert first == f"hooks installed in {user}"
    assert third == f"MCP server registered in {world}/home/.claude.json"
    assert [
        row
        for row in ("  tokens ", "  time ", "  data ", "  less ", "  remove  tapehead uninstall")
        if row not in "\n".join(rest)
    ] == []
    assert len(rest) <= 12
    assert fourth == f"skill written to {world}/home/.claude/skills/tapehead/SKILL.md"
    assert second.startswith(f"backup: {world}/home/.local/state/tapehead/settings/")
    assert (err, Path(second.removeprefix("backup: ")).read_text()) == ("", THEIRS)
    assert install() == 0
    assert capsys.readouterr().out.splitlines() == [
        f"hooks are already installed in {user}",
        f"MCP server is already registered in {world}/home/.claude.json",
        f"skill is already in {world}/home/.claude/skills/tapehead/SKILL.md",
        "Everything is in place already. `tapehead doctor` checks that it works.",
    ]
    assert uninstall() == 0
    assert capsys.readouterr().out.splitlines() == [
        f"hooks removed from {user}",
        f"MCP server removed from {world}/home/.claude.json",
        f"skill removed: {world}/home/.claude/skills/tapehead/SKILL.md",
    ]
    assert not (world / "home/.claude/skills").exists()
    assert user.read_text() == THEIRS
    assert uninstall() == 0
    assert capsys.readouterr().out == f"no tapehead hooks in {user}\n"


@pytest.mark.parametrize(("scope", "name"), [("project", "settings.json"), ("local", "settings.local.json")])
def test_scopes_of_a_project(world, scope, name):
    """The files of a project lie in its work tree, wherever in it one stands; the shared one needs no path."""
    path = world / "repo" / ".claude" / name
    assert install("--scope", scope) == 0
    expected = SHARED_COMMAND if scope == "project" else command_in(world)
    assert {hook.command for hook in hooks_of_ours(path.read_text())} == {expected}
    assert uninstall("--scope", scope) == 0
    assert not path.parent.exists()


def test_config_dir(world, monkeypatch):
    """CLAUDE_CONFIG_DIR is where the user's settings are."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(world / "elsewhere"))
    assert install() == 0
    assert (world / "elsewhere" / "settings.json").exists()


def test_dry_run(world, user, capsys, monkeypatch):
    """A dry run prints the difference, writes nothing and compiles nothing."""
    monkeypatch.setattr(bytecode, "compile_now", None)
    assert install("--dry-run") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"--- {user}\n+++ {user}\n@@ -1,3 +1,")
    assert '\n-\t"model": "opus"\n+\t"model": "opus",\n+\t"hooks": {\n' in out
    assert user.read_text() == THEIRS
    assert not (world / "home" / ".local").exists()
    monkeypatch.setattr(bytecode, "compile_now", lambda: ())
    install()
    installed = user.read_text()
    capsys.readouterr()
    assert uninstall("--dry-run") == 0
    assert '\n-\t"hooks": {\n' in capsys.readouterr().out
    assert user.read_text() == installed


def test_json(world, user, capsys):
    """The answer for programs says all that was done, and nothing else is on stdout."""
    assert install("--json") == 0
    data = json.loads(capsys.readouterr().out)
    diff = data.pop("diff")
    assert diff.startswith("--- ")
    assert data.pop("mcp")["path"] == f"{world}/home/.claude.json"
    assert data == {
        "agent": "claude",
        "scope": "user",
        "path": str(user),
        "changed": True,
        "dry_run": False,
        "command": command_in(world),
        "statusline": None,
        "uncompiled": 0,
        "git": [],
    }
    assert uninstall("--json", "--dry-run") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["changed"], data["dry_run"], data["command"]) == (True, True, None)


def test_notes(world, user, capsys, monkeypatch):
    """Hooks in a second file, and modules that cannot be compiled, are told on stderr."""
    monkeypatch.setattr(bytecode, "compile_now", lambda: ("/x/a.py", "/x/b.py"))
    assert install() == 0
    assert capsys.readouterr().err == "note: 2 modules can't be compiled, so hooks will be slow: /x/a.py\n"
    monkeypatch.setattr(bytecode, "compile_now", lambda: ())
    assert install("--scope", "local") == 0
    assert capsys.readouterr().err.startswith(f"note: hooks are also in {user}: ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{\n"hooks": []}',
            ', line 2, column 10: "hooks" should be an object, and is a list\n\nhint: nothing was written. Correct the file',
        ),
        (
            "{,",
            ", line 1, column 2: a key in double quotes is expected here\n\nhint: nothing was written. Correct the file",
        ),
    ],
)
def test_a_file_that_is_not_understood(user, capsys, text, words):
    """A file of another shape is named with the place and left alone, exit code 1."""
    user.write_text(text)
    for act in (install, uninstall):
        assert act() == 1
        assert capsys.readouterr().err.startswith(f"error: {user}{words}")
        assert user.read_text() == text


def test_files_that_cannot_be_changed(user, capsys, monkeypatch):
    """What is not text, write-protected, or refused by the system is an error with a hint, and nothing is written."""
    user.write_bytes(b"\xff")
    assert install() == 1
    assert (
        capsys.readouterr().err == f"error: {user} is not UTF-8 text (byte 0)\n\nhint: nothing was written; try again\n"
    )
    user.write_text(THEIRS)
    monkeypatch.setattr("tapehead.agents.settings_file.os.access", lambda path, how: str(path) != str(user))
    assert install() == 1
    assert f"error: {user} is write-protected\n\nhint: nothing was written. `chmod u+w`" in capsys.readouterr().err
    monkeypatch.undo()
    assert user.read_text() == THEIRS


def test_refused_by_the_system(user, capsys, monkeypatch):
    """The system's own words are passed on."""

    def refuse(_settings):
        raise PermissionError(13, "Permission denied", str(user))

    monkeypatch.setattr(installation, "install", refuse)
    assert install() == 1
    assert capsys.readouterr().err.startswith(
        f"error: [Errno 13] Permission denied: '{user}'\n\nhint: nothing was changed"
    )


def test_no_home(world, capsys, monkeypatch):
    """Without any home it says what to set."""
    monkeypatch.setattr(install_request, "state_home", lambda _env: "")
    assert install() == 1
    assert capsys.readouterr().err.startswith("error: No home directory\n\nhint: set HOME")


def test_no_directory(world, capsys, monkeypatch):
    """A current directory that is gone is said."""
    os.rmdir(world / "repo" / "below")
    assert uninstall() == 1
    assert capsys.readouterr().err.startswith("error: The working directory no longer exists")


def test_which_program(world, capsys, monkeypatch):
    """The program that was called comes first, then the one beside the interpreter, then the one on the PATH."""
    monkeypatch.setattr("sys.executable", str(world / "bin" / "python"))
    assert install_request.program_for("user") == f"{world}/bin/tapehead"
    monkeypatch.setattr("sys.argv", ["-c"])
    assert install_request.program_for("user") == f"{world}/bin/tapehead"
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    monkeypatch.setenv("PATH", str(world / "bin"))
    assert install_request.program_for("user") == f"{world}/bin/tapehead"
    monkeypatch.setenv("PATH", "/nowhere")
    assert install_request.program_for("project") == ""
    assert install() == 1
    assert "error: The tapehead command is not installed" in capsys.readouterr().err


def test_a_path_that_is_no_text(user, capsys, monkeypatch):
    """A program whose path cannot stand in a UTF-8 file is refused."""
    monkeypatch.setattr(module, "program_for", lambda _scope: "/\udcff/tapehead")
    assert install() == 1
    assert "the path of the program is not UTF-8" in capsys.readouterr().err
    assert user.read_text() == THEIRS


def test_a_terminal_sees_colours(user, monkeypatch):
    """On a terminal the difference is coloured."""
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout", screen)
    assert install("--dry-run") == 0
    assert "\x1b[32m+" in screen.getvalue()


def test_our_status_line(world, user, capsys):
    """`--statusline` sets it where there is none; uninstall takes it out with the hooks, byte for byte."""
    assert install("--statusline") == 0
    assert capsys.readouterr().err == ""
    assert json.loads(user.read_text())["statusLine"] == {
        "type": "command",
        "command": f"{world}/bin/tapehead statusline",
    }
    assert install() == 0
    assert "statusLine" in json.loads(user.read_text())
    assert uninstall() == 0
    assert user.read_text() == THEIRS


def test_a_status_line_of_theirs_stays(world, user, capsys):
    """It is said, the exit code is 0, and the hooks are installed."""
    theirs = '{"statusLine": {"type": "command", "command": "mine"}}'
    user.write_text(theirs)
    assert install("--statusline", "--json") == 0
    out, err = capsys.readouterr()
    assert f"{user} has a status line" in err
    assert json.loads(out)["statusline"] == "mine"
    assert hooks_of_ours(user.read_text())
    assert uninstall() == 0
    assert user.read_text() == theirs


def test_a_status_line_is_not_hidden_by_one_of_ours(world, user, capsys):
    """The user's own stays in view where a project's settings would go before it; the other way round nothing is hidden."""
    user.write_text('{"statusLine": {"type": "command", "command": "mine"}}')
    assert install("--statusline", "--scope", "local") == 0
    local = world / "repo" / ".claude" / "settings.local.json"
    assert "statusLine" not in json.loads(local.read_text())
    assert "has a status line" in capsys.readouterr().err
    user.write_text("not JSON")
    assert install("--statusline", "--scope", "project") == 0
    shared = json.loads((world / "repo" / ".claude" / "settings.json").read_text())["statusLine"]["command"]
    assert shared.startswith("if command -v tapehead ")
    user.write_text("{}")
    assert install("--statusline") == 0
    assert "statusLine" in json.loads(user.read_text())


def test_that_the_status_line_is_set_is_said(world, user, capsys):
    """Once, and only where it was asked for."""
    install()
    assert "status line" not in capsys.readouterr().out
    install("--statusline")
    assert f"status line set in {user}\n" in capsys.readouterr().out
    install("--statusline")
    assert "status line set" not in capsys.readouterr().out


def test_hooks_of_tools_stand_only_where_a_setting_asks_for_them(user, monkeypatch, capsys):
    """With a client that knows them; they go when the setting goes, and with all others at an uninstall, byte for byte."""
    client = clients.InstalledClient("/claude", (2, 1, 76))
    monkeypatch.setattr(install_request.clients, "installed_clients", lambda *_: (client,))
    install()
    before = user.read_text()
    monkeypatch.setenv("TAPEHEAD_RECALL_AT", "edit, failure")
    install()
    hooks = json.loads(user.read_text())["hooks"]
    assert hooks["PreToolUse"][0]["matcher"] == "Edit|MultiEdit|Write|NotebookEdit"
    assert hooks["PostToolUseFailure"][0]["matcher"] == "Bash"
    monkeypatch.setenv("TAPEHEAD_RECALL_AT", "")
    install()
    assert user.read_text() == before
    monkeypatch.setenv("TAPEHEAD_RECALL_AT", "edit")
    install()
    user.write_text(user.read_text().replace("opus", "haiku"))  # so that the entries are taken out one by one
    uninstall()
    assert user.read_text() == THEIRS.replace("opus", "haiku")
    assert "2.1.76" not in capsys.readouterr().err


def test_a_client_that_is_too_old_for_hooks_of_tools(user, monkeypatch, capsys):
    """It gets none of them, and the user is told."""
    monkeypatch.setattr(
        install_request.clients, "installed_clients", lambda *_: (clients.InstalledClient("/claude", (2, 0, 77)),)
    )
    monkeypatch.setenv("TAPEHEAD_RECALL_AT", "edit")
    install()
    assert "PreToolUse" not in json.loads(user.read_text())["hooks"]
    assert "2.1.76 or newer" in capsys.readouterr().err


def test_the_server_of_one_project_alone_is_the_clients_to_register(user, capsys):
    """The user is told the command; not where the server is registered already."""
    assert install("--scope", "local") == 0
    assert "claude mcp add tapehead -- tapehead mcp" in capsys.readouterr().err
    install()
    capsys.readouterr()
    assert install("--scope", "local") == 0
    assert "claude mcp add" not in capsys.readouterr().err
