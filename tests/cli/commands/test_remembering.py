"""`notes`, `remember`, `memories`, `forget` and `context`, as a person calls them."""

from __future__ import annotations

import json
import os

from click.testing import CliRunner

from tapehead.actions.remembering import Rememberer
from tapehead.cli.app import app
from tapehead.cli.output import run
from tapehead.settings.loading import DEFAULTS
from tapehead.store.paths import Layout
from transcript_script import Script


def test_remember_show_search_forget(repository):
    """A memory by hand: its file, its line, found by any of its words, and gone again."""
    made = repository.json(
        "remember", "--type", "reference", "--name", "dashboards", "latency is at https://grafana.example.com"
    )
    assert (made["name"], made["kind"], os.path.exists(made["path"])) == ("dashboards", "reference", True)
    assert "latency" in repository.run("memories", "show", "dashboards").stdout
    assert [each["name"] for each in repository.json("memories", "search", "GRAFANA")] == ["dashboards"]
    assert "dashboards  reference  latency is at" in repository.run("memories").stdout
    assert repository.run("forget", "dashboards").stdout == "forgot dashboards\n"
    assert run(app, ["forget", "dashboards"]) == 1
    assert run(app, ["memories", "show", "dashboards"]) == 1
    assert run(app, ["memories", "search", "grafana"]) == 1


def test_text_may_come_from_stdin_and_secrets_do_not_stay(repository):
    """With a note that something was masked."""
    result = CliRunner().invoke(app, ["remember", "-"], input="Never log the key sk-ant-" + "a1B2" * 8 + " anywhere.")
    assert result.exit_code == 0
    assert "masked" in result.stderr
    assert "a1B2a1B2" not in repository.run("memories", "list").stdout
    assert run(app, ["remember", "   "]) == 1


def test_contradictions_and_a_long_index_are_said(repository):
    """Both stay; the person decides."""
    repository.run("remember", "--name", "yes", "Always squash commits before merging.")
    result = repository.run("remember", "--name", "no", "Never squash commits before merging.")
    assert "no and yes contradict each other" in result.stderr
    assert "(contradicts no)" in repository.run("memories").stdout
    (found,) = [each for each in repository.json("doctor")["findings"] if each["check"] == "memories"]
    assert "contradict" in found["what"]
    index = os.path.join(repository.store, "memories", "MEMORY.md")
    with open(index, "a", encoding="utf-8") as file:
        file.write("words\n" * 300)
    assert "304 lines" in repository.run("memories").stderr


def test_doctor_puts_the_index_right(repository):
    """A file without a line, a line without a file."""
    repository.run("remember", "--name", "one", "The gauge in Brest is late.")
    with open(os.path.join(repository.store, "memories", "MEMORY.md"), "w", encoding="utf-8") as file:
        file.write("- [gone](gone.md) — x\n")
    assert any("do not agree" in each["what"] for each in repository.json("doctor", "--fix")["mended"])
    assert not [each for each in repository.json("doctor")["findings"] if each["check"] == "memories"]


def test_proposals_are_listed_accepted_and_turned_down(repository):
    """By their numbers."""
    keeper = Rememberer(Layout(repository.store), DEFAULTS)
    rows = [
        [f"Always do thing {word}.", "feedback", "said as general", "session one", ""] for word in ("apple", "pear")
    ]
    keeper._change(lambda kept: kept["proposed"].extend(rows))
    assert "1  Always do thing apple." in repository.run("memories", "proposals").stdout
    assert "2 proposals" in repository.run("memories").stdout
    assert repository.json("remember", "--proposal", "1")["text"] == "Always do thing apple."
    assert "turned down: Always do thing pear." in repository.run("forget", "--proposal", "1").stdout
    assert repository.json("memories", "proposals") == []
    assert "nothing is proposed" in repository.run("memories", "proposals").stdout
    assert run(app, ["remember", "--proposal", "9"]) == 1
    assert run(app, ["forget", "--proposal", "x"]) == 1


def test_nothing_remembered_says_how(repository):
    """And makes no file."""
    assert "nothing is remembered yet" in repository.run("memories").stdout
    assert not os.path.exists(os.path.join(repository.store, "memories"))


def test_notes_are_shown_written_on_request_and_editable(repository, tmp_path):
    """Without notes it says when they begin; --refresh writes them; what a person adds is marked as theirs."""
    script = Script().human("Explain the tides.").agent("High water comes twice a day, because of the moon.")
    path = str(script.write(tmp_path / "t.jsonl"))
    repository.hook("SessionStart", source="startup", transcript_path=path)
    repository.hook("UserPromptSubmit", prompt="Explain the tides.", transcript_path=path)
    repository.hook("Stop", last_assistant_message="x", transcript_path=path)
    assert run(app, ["notes"]) == 1
    assert "High water" in repository.run("notes", "--refresh").stdout
    file = repository.run("notes", "--path").stdout.strip()
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    with open(file, "w", encoding="utf-8") as opened:
        opened.write(text.replace("## Learnings\n", "## Learnings\n\n- the gauge is late\n"))
    found = repository.json("notes", "--refresh")
    assert found["by_a_person"] == {"Learnings": ["- the gauge is late"]}
    assert "- the gauge is late" in found["sections"]["Learnings"]
    assert "the gauge is late" in repository.run("brief").stdout


def test_context_is_told_and_given_as_data(repository):
    """In lines, and in JSON; the whole brief has it too."""
    assert "- Branch: main" in repository.run("context").stdout
    assert json.loads(repository.run("context", "--json").stdout)["branch"] == "main"
    repository.session()
    assert "## Project" in repository.run("brief", "--full").stdout
    assert "## Project" not in repository.run("brief").stdout
