"""`install`, `uninstall` and `doctor` with several agents."""

import io
import json
import os

import pytest

from tapehead.agents.own_file import OwnFile
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import resuming, setup_of
from tapehead.cli import bytecode
from tapehead.cli.commands import install as module
from tapehead.cli.output import run

THEIRS = '{\n   "hooks": {}\n}\n'


@pytest.fixture
def world(repository, tmp_path, monkeypatch):
    """A program to install, and nobody's agents on the PATH."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tapehead").touch(mode=0o700)
    monkeypatch.setattr("sys.argv", [str(tmp_path / "bin" / "tapehead")])
    monkeypatch.setattr(bytecode, "compile_now", lambda: ())
    monkeypatch.setattr(bytecode, "missing", lambda *_: ())
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return repository


def path(world, host):
    return setup_of(host).settings_path("user", home=world.home, env=os.environ, project=world.root)


def is_alone(host):
    """Whether the file is ours alone: there is none before us."""
    return isinstance(setup_of(host).ENTRIES, OwnFile)


def have(world, *hosts):
    for host in hosts:
        os.makedirs(setup_of(host).own_directory(world.home, os.environ), exist_ok=True)
        os.makedirs(os.path.dirname(path(world, host)), exist_ok=True)
        if not is_alone(host):
            with open(path(world, host), "w", encoding="utf-8") as file:
                file.write(THEIRS)


def content(world, host):
    """What the file says; where it is not there and was not, it is as it was."""
    if is_alone(host) and not os.path.exists(path(world, host)):
        return THEIRS
    with open(path(world, host), encoding="utf-8") as file:
        return file.read()


def install(*args):
    return run(module.install, args, "tapehead install")


def uninstall(*args):
    return run(module.uninstall, args, "tapehead uninstall")


@pytest.mark.parametrize("host", HOSTS)
def test_one_agent(world, host, capsys):
    """Its settings and no other's; out again byte for byte; what the user has to do is said when there is something new."""
    have(world, *HOSTS)
    assert install("--agent", host) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"hooks installed in {path(world, host)}\n" + ("" if is_alone(host) else "backup: "))
    assert err == (f"note: {setup_of(host).to_do('')}\n" if setup_of(host).to_do("") else "")
    assert [each for each in HOSTS if content(world, each) != THEIRS] == [host]
    assert install("--agent", host) == 0
    assert capsys.readouterr().err == ""
    assert uninstall("--agent", host) == 0
    assert content(world, host) == THEIRS


def test_all(world, capsys):
    """Each gets its own command; an uninstall without a name takes all of them out."""
    have(world, *HOSTS)
    assert install("--agent", "all", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["agent"] for each in told] == [*HOSTS]
    assert all(each["command"].endswith(f"tapehead hook {each['agent']} || exit 0") for each in told)
    assert uninstall() == 0
    assert {content(world, host) for host in HOSTS} == {THEIRS}


def test_where_nobody_can_be_asked(world, capsys):
    """The first that is here gets its hooks, and the others are named."""
    have(world, "codex", "gemini")
    assert install() == 0
    out, err = capsys.readouterr()
    assert path(world, "codex") in out
    assert "note: Gemini is installed too. Add hooks: `tapehead install --agent gemini`" in err
    assert content(world, "gemini") == THEIRS
    have(world, "opencode")
    install()
    assert (
        "note: Gemini and OpenCode are installed too. Add hooks: `tapehead install --agent all`"
        in capsys.readouterr().err
    )
    install("--agent", "gemini")
    install("--agent", "opencode")
    capsys.readouterr()
    install()
    assert "installed too" not in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_asked(world, monkeypatch):
    """On a terminal each agent that is here is offered; who wants none is told how to name one."""
    have(world, *HOSTS)
    answers = {setup_of(host).NAME: host in ("claude", "gemini") for host in HOSTS}
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr("click.confirm", lambda words, default: answers[words[10:-1]])
    assert install() == 0
    assert [host for host in HOSTS if content(world, host) != THEIRS] == ["claude", "gemini"]
    answers |= dict.fromkeys(answers, False)
    assert install() == 1


def test_scopes_that_an_agent_does_not_have(world, capsys):
    """Only Claude Code has a project's own: for another it is an error, among all of them it is left out."""
    have(world, *HOSTS)
    assert install("--agent", "codex", "--scope", "project") == 1
    assert "error: Codex has no --scope project" in capsys.readouterr().err
    assert install("--agent", "all", "--scope", "project") == 0
    assert [content(world, host) for host in ("codex", "gemini")] == [THEIRS] * 2


def test_doctor_knows_them(world):
    """An agent that is here without hooks is a note; hooks that do not run are a warning, with what to do."""
    assert not [f for f in world.json("doctor")["findings"] if "Codex" in f["what"]]
    have(world, "codex", "gemini")
    offered = [
        f for f in world.json("doctor")["findings"] if f["what"].endswith("is installed, but has no tapehead hooks")
    ]
    assert [(f["level"], f["hint"]) for f in offered] == [
        ("note", "`tapehead install --agent codex`"),
        ("note", "`tapehead install --agent gemini`"),
    ]
    install("--agent", "all")
    os.chmod(f"{os.path.dirname(world.home)}/bin/tapehead", 0o700)
    said = [f["what"] for f in world.json("doctor")["findings"] if f["level"] == "warning"]
    assert any("not trusted, so Codex does not run them" in what for what in said)
    assert any("is not a trusted folder, so Gemini runs no hook there" in what for what in said)


def test_doctor_knows_a_projects_own(world):
    """Hooks that stand in the project are installed, too."""
    have(world, "kiro")
    offered = "Kiro is installed, but has no tapehead hooks"
    assert any(f["what"] == offered for f in world.json("doctor")["findings"])
    assert install("--agent", "kiro", "--scope", "project") == 0
    assert not any(f["what"] == offered for f in world.json("doctor")["findings"])
    assert uninstall("--agent", "kiro", "--scope", "project") == 0
    assert not os.path.exists(os.path.join(world.root, ".kiro"))


def test_doctor_and_a_file_that_cannot_be_read(world):
    """It is said, and it is an error only for somebody who has the agent."""
    have(world, "codex")
    with open(path(world, "codex"), "w", encoding="utf-8") as file:
        file.write("[")
    assert any(f["level"] == "error" and "hooks.json" in f["what"] for f in world.json("doctor")["findings"])


def test_how_a_person_goes_on():
    """With the agent's own words; an agent that nobody knows is taken for the first."""
    assert [resuming(host, "x") for host in ("claude", "codex", "gemini", "copilot", "")] == [
        "claude --resume x", "codex resume x", "gemini --resume x", "copilot --resume=x", "claude --resume x",
    ]  # fmt: skip
    assert all(resuming(host, "x").split()[0] == setup_of(host).PROGRAM for host in HOSTS)
