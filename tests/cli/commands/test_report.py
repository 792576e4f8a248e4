"""`tapehead report` and `tapehead export` as a user calls them."""

from __future__ import annotations

import json
import os
import stat
import subprocess

import pytest

from record import Record
from report_example import script


@pytest.fixture
def told(repository, tmp_path):
    """A session with a transcript, by way of the hooks."""
    path = script().write(tmp_path / "one.jsonl")
    repository.hook("SessionStart", source="startup", transcript_path=path)
    repository.hook("UserPromptSubmit", prompt="make it blue", transcript_path=path)
    repository.hook("Stop", last_assistant_message="it is blue", transcript_path=path)
    repository.engine.settle("one")
    return repository


def test_the_page_goes_where_git_does_not_see_it(told):
    """Private, below the store; its path is all that is printed."""
    result = told.run("report")
    assert result.exit_code == 0, result.stderr
    path = result.stdout.strip()
    assert path == os.path.join(told.store, "reports", "one.html")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert subprocess.check_output(["git", "status", "--porcelain"], cwd=told.root) == b""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert "Saint-Malo" in text
    assert 'data-phase="active"' in text  # the tape's part


def test_out_names_the_file_and_a_report_may_be_written_over(told, tmp_path):
    """But nothing else may: what stands there is somebody's."""
    mine = tmp_path / "mine.html"
    for _ in range(2):
        assert told.run("report", "one", "--out", str(mine)).exit_code == 0
    mine.write_text("my own page")
    result = told.run("report", "--out", str(mine))
    assert result.exit_code == 1
    assert "is not a report" in result.stderr
    assert mine.read_text() == "my own page"


def test_out_can_be_stdout(told):
    """For a pipe."""
    assert told.run("report", "--out", "-").stdout.startswith("<!doctype html>")


def test_all_sessions_are_one_page(told):
    """The newest first; one that nobody spoke to is left out."""
    told.session("two")
    told.hook("SessionStart", "three", source="startup")
    path = told.run("report", "--all").stdout.strip()
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert text.count('class="whole"') == 2


def test_a_transcript_alone_is_enough(repository, tmp_path):
    """Of any agent; a file that is none is refused."""
    path = Record().turn("hello", "hi").write(tmp_path)
    assert "hello" in repository.run("report", "--transcript", path, "--out", "-").stdout
    (tmp_path / "no.jsonl").write_text("nothing\n")
    for name, why in (("no.jsonl", "No work found"), ("missing.jsonl", "Cannot read")):
        result = repository.run("report", "--transcript", str(tmp_path / name))
        assert result.exit_code == 1
        assert why in result.stderr


def test_open_asks_the_browser(told, monkeypatch):
    """And says so where there is none."""
    asked = []
    monkeypatch.setattr("webbrowser.open", lambda address: asked.append(address) or False)
    result = told.run("report", "--open")
    assert asked == [f"file://{result.stdout.strip()}"]
    assert "No browser could be started" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("report", "one", "--all"),
        ("report", "--all", "--transcript", "x"),
        ("report", "--open", "--out", "-"),
        ("export", "--md", "--json"),
        ("export", "one", "--transcript", "x"),
    ],
)
def test_words_that_exclude_each_other_are_refused(told, words):
    """With the exit code for usage."""
    assert told.run(*words).exit_code == 2


def test_export_tells_the_same_as_text(told):
    """Markdown, or JSON."""
    assert "# Session one" in told.run("export").stdout
    data = json.loads(told.run("export", "one", "--json").stdout)
    assert data["session"] == "one"
    assert [move["event"] for move in data["moves"]] == ["session_start", "turn_start", "turn_end"]
    assert len(data["compactions"]) == 2


def test_commits_tell_which_lines_are_the_sessions(told, tmp_path):
    """By the checkpoint that the commit's hook asked for: the file, how many lines, and which."""
    told.hook("UserPromptSubmit", prompt="write a file")
    told.engine.settle("one")
    name, text = os.path.join(told.root, "a.txt"), "one\ntwo\n"
    call = {"type": "tool_use", "id": "w", "name": "Write", "input": {"file_path": name, "content": text}}
    with open(tmp_path / "one.jsonl", "ab") as file:  # by a call of the agent's: else nobody could tell who wrote it
        file.write(b"\n".join(Record().said(call).lines) + b"\n")
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    told.hook("Stop", last_assistant_message="done")
    told.engine.settle("one")
    subprocess.run(["git", "add", "a.txt"], cwd=told.root, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "Add <a>"], cwd=told.root, check=True)
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=told.root, text=True).strip()
    told.engine.committed("one", commit, "main")
    told.engine.settle("one")
    (one,) = json.loads(told.run("export", "--json").stdout)["commits"]
    assert (one["commit"], one["subject"], one["session"], one["added"]) == (commit, "Add <a>", 2, 2)
    assert [(file["path"], file["runs"]) for file in one["files"]] == [("a.txt", [[1, 2]])]
    assert "Add &lt;a&gt;" in told.run("report", "--out", "-").stdout


def test_what_the_user_listed_is_redacted(told):
    """The same words as in checkpoints."""
    assert told.run("config", "set", "checkpoints.mask", "Saint-Malo").exit_code == 0
    assert "Saint-Malo" not in told.run("report", "--out", "-").stdout
