"""What people type knows every agent: its past conversations are taken in and found, and its name is offered."""

import json
import subprocess

import pytest
from click.testing import CliRunner
from recordings import RECORDS

from tapehead.agents.registry import HOSTS
from tapehead.cli.app import app

KEPT = {
    "claude": ".claude/projects/p",
    "codex": ".codex/sessions/2026/11/16",
    "gemini": ".gemini/tmp/p/chats",
    "copilot": ".copilot/session-state/one",
    "opencode": ".local/state/tapehead/opencode",
    "droid": ".factory/sessions/-work-project",
    "qwen": ".qwen/projects/p/chats",
    "plain": ".local/state/tapehead/plain",
    "cursor": f".cursor/projects/p/agent-transcripts/{RECORDS['cursor'][2]}",
}
"""Where each keeps its records, below the user's home."""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A command of ours in a repository, as a user calls it."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(tmp_path / "repository")], check=True)
    monkeypatch.chdir(tmp_path / "repository")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in (
        "XDG_STATE_HOME",
        "XDG_CONFIG_HOME",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COPILOT_HOME",
        "GEMINI_CLI_HOME",
        "QWEN_HOME",
        "QWEN_RUNTIME_DIR",
    ):
        monkeypatch.delenv(name, raising=False)
    return lambda *words: CliRunner().invoke(app, words)


@pytest.mark.parametrize("host", RECORDS)
def test_past_conversations(host, run, tmp_path):
    """`import` finds them where the agent keeps them, `search` finds what was said, `detail` and `brief` show it."""
    name, lines, session = RECORDS[host]
    path = tmp_path / "home" / KEPT[host] / name
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run("import", "--here").exit_code == 0
    found = json.loads(run("search", "door", "--json").stdout)
    assert {hit["session"] for hit in found} == {session}
    assert "open the door" in run("detail", "turn 1", "--session", session).stdout
    assert "open the door" in run("brief", "--transcript", str(path)).stdout
    assert run("losses", "--transcript", str(path)).exit_code == 0


def test_where_each_is_kept_is_known():
    """A new agent has a line here."""
    assert KEPT.keys() == RECORDS.keys()


@pytest.mark.parametrize("words", [("install",), ("uninstall",), ("handoff",), ("resume",)])
def test_every_name_is_offered(words, run):
    """Where one has to be named."""
    said = run(*words, "--help").stdout
    assert all(host in said for host in HOSTS)
