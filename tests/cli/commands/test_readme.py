"""What the README and the pages for users promise, held against the program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scenes
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import setup_of
from tapehead.engine import git_hook

ROOT = Path(__file__).parents[3]
DATA = (ROOT / "docs/data.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _nobody_works_behind_us(monkeypatch):
    monkeypatch.setattr(git_hook, "_work", lambda *_: None)


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_every_agent_is_named(name):
    """Whoever reads what tapehead is for reads of each agent that it installs into."""
    opening = (ROOT / name).read_text(encoding="utf-8")[:1500]
    assert [host for host in HOSTS if setup_of(host).NAME not in opening] == []


def test_every_file_of_a_store_is_told(repository):
    """Nothing is kept that `Where things live` does not name."""
    worked(repository)
    repository.run("remember", "I like tea")
    table = DATA.partition("## Where things live")[2].partition("### Privacy")[0]
    told = set(re.findall(r"`([\w.-]+?)/?(?:[/<][^`]*)?`", table)) | {"gc.mark", ".lock"}
    kept = {name for name in os.listdir(repository.store) if not name.endswith(".lock")}
    assert {"sessions", "lines.git"} <= kept
    assert kept - told == set()


def test_what_is_to_be_typed_forgets_all(repository, monkeypatch):
    """After the lines under `Delete it`, no prompt is anywhere in the repository: no file, no ref, no object."""
    monkeypatch.setenv("PATH", f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}")
    worked(repository)
    assert "zanzibar" in everything(repository)
    lines = DATA.partition("<!-- a test runs these lines -->")[2].partition("```console\n")[2].partition("```")[0]
    for line in lines.splitlines():
        subprocess.run(["sh", "-c", line.removeprefix("$ ")], cwd=repository.root, check=True, capture_output=True)
    assert "zanzibar" not in everything(repository)
    assert scenes.git(repository.root, "for-each-ref", "refs/tapehead") == ""
    assert scenes.git(repository.root, "log", "--format=%s") == "by both"


def worked(repository):
    """An agent's commit, with its checkpoint."""
    repository.hook("SessionStart", source="startup")
    repository.hook("UserPromptSubmit", prompt="write a line about zanzibar")
    repository.engine.settle("one")
    Path(repository.root, "a.txt").write_text("agent\n")
    repository.hook("Stop", last_assistant_message="done")
    repository.engine.settle("one")
    scenes.git(repository.root, "add", "-A")
    scenes.git(repository.root, "commit", "-q", "-m", "by both")
    git_hook.run(["post-commit"], os.environ)
    repository.engine.settle("one")


def everything(repository):
    """All texts of the repository and its files."""
    words = ["git", "cat-file", "--batch-all-objects", "--batch"]
    found = subprocess.run(words, cwd=repository.root, capture_output=True, check=True).stdout
    files = (path for path in Path(repository.root).rglob("*") if path.is_file())
    return b"".join((found, *(path.read_bytes() for path in files))).decode("utf-8", "replace")
