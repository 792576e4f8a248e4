"""`notes`, `remember`, `memories`, `forget` and `context`, as a user calls them."""

from __future__ import annotations

import json
import os

from click.testing import CliRunner

import scenes
from tapehead.cli.app import app
from tapehead.cli.output import run
from tapehead.memories.proposals import Rememberer
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
    """With a note that something was redacted."""
    result = CliRunner().invoke(app, ["remember", "-"], input="Never log the key sk-ant-" + "a1B2" * 8 + " anywhere.")
    assert result.exit_code == 0
    assert "redacted" in result.stderr
    assert "a1B2a1B2" not in repository.run("memories", "list").stdout
    assert run(app, ["remember", "   "]) == 1


def test_contradictions_and_a_long_index_are_said(repository):
    """Both stay; the user decides."""
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
    assert any(
        "does not match the memory files" in each["what"] for each in repository.json("doctor", "--fix")["mended"]
    )
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
    assert "No proposals" in repository.run("memories", "proposals").stdout
    assert run(app, ["remember", "--proposal", "9"]) == 1
    assert run(app, ["forget", "--proposal", "x"]) == 1


def test_nothing_remembered_says_how(repository):
    """And makes no file."""
    assert "No memories yet" in repository.run("memories").stdout
    assert not os.path.exists(os.path.join(repository.store, "memories"))


def test_notes_are_shown_written_on_request_and_editable(repository, tmp_path):
    """Without notes it says when they begin; --refresh writes them; what a user adds is marked as theirs."""
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


def test_a_name_that_is_taken_keeps_its_kind_and_tells_what_it_replaced(repository):
    """The new text is replaces the old, which is named; a kind that is given goes before the former one."""
    repository.run("remember", "--type", "reference", "--name", "dashboards", "latency is at grafana.example.com")
    out = repository.run("remember", "--name", "dashboards", "we ship on Fridays").stdout
    assert out.startswith("remembered as dashboards (reference), replaces: latency is at grafana.example.com\n")
    made = repository.json("remember", "--name", "dashboards", "--type", "user", "I like tea")
    assert (made["kind"], made["replaces"]) == ("user", "we ship on Fridays")
    assert repository.json("remember", "--name", "dashboards", "I like tea")["replaces"] == ""


def test_a_name_that_cannot_be_one_is_said(repository):
    """It is not changed behind a user's back."""
    result = repository.run("remember", "--name", "../Tea", "I like tea")
    assert "'../Tea' can't be a name; it is named tea" in result.stderr
    assert repository.run("remember", "--name", "tea", "I like tea").stderr == ""


def test_a_directory_that_is_not_whole_is_refused(repository, monkeypatch):
    """Nothing lands in a work tree because somebody stood there."""
    result = repository.run("config", "set", "remember.directory", "rel")
    assert result.exit_code == 1
    assert "can't be 'rel'" in result.stderr
    monkeypatch.setenv("TAPEHEAD_REMEMBER_DIRECTORY", "rel")
    assert repository.json("remember", "I like tea")["path"].startswith(repository.store)
    assert not os.path.exists(os.path.join(repository.root, "rel"))


def test_answers_to_proposals_are_by_number(repository):
    """What is no number is said to be none; after an answer the others have new numbers, and that is said."""
    keeper = Rememberer(repository.layout, DEFAULTS)
    for words in ("We ship on Fridays.", "The gauge is late.", "I like tea."):
        keeper._change(lambda kept, words=words: kept["proposed"].append([words, "project", "general", "s", ""]))
    for wrong in ("abc", "0", "9" * 5000):
        result = repository.run("forget", "--proposal", wrong)
        assert (result.exit_code, "1000000000" in result.stderr) == (1, False)
    assert "'abc' is not the number of a proposal" in repository.run("forget", "--proposal", "abc").stderr
    result = repository.run("forget", "--proposal", "1")
    assert result.stdout == "turned down: We ship on Fridays.\n"
    assert "2 proposals left, with new numbers" in result.stderr
    assert "new numbers" not in repository.run("remember", "--proposal", "2").stderr
    assert repository.json("forget", "--proposal", "1") == {"turned_down": "The gauge is late."}
    assert repository.json("forget", "i-like-tea") == {"forgot": "i-like-tea"}


def test_what_one_clone_shares_the_other_reviews(repository, tmp_path, monkeypatch):
    """Proposed with who and when, never believed; accepted it is a memory, turned down it does not come back."""
    scenes.git(tmp_path, "init", "-q", "--bare", "remote.git")
    scenes.git(repository.root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    assert "sends it" in repository.run("remember", "--shared", "staging is reset every night").stderr
    repository.run("remember", "--shared", "--name", "second", "the api needs two reviews")
    repository.run("adr", "new", "Use SQLite", "--tldr", "one file, no server", "--shared")
    assert repository.json("sync")["shared_to_review"] == 0
    other = scenes.repository(tmp_path / "other")
    scenes.git(other, "remote", "add", "origin", str(tmp_path / "remote.git"))
    monkeypatch.chdir(other)
    assert "3 shared memories to review" in repository.run("sync").stdout
    found = repository.json("memories", "proposals")
    assert {each["words"].partition("\n")[0] for each in found} == {
        "staging is reset every night",
        "the api needs two reviews",
        "Use SQLite",
    }
    assert all(each["source"].startswith("shared by ") and each["why"] == "from another clone" for each in found)
    assert repository.json("memories")["memories"] == []
    staging = 1 + [each["words"] for each in found].index("staging is reset every night")
    assert "(accepted)" in repository.json("remember", "--proposal", str(staging))["source"]
    repository.run("forget", "--proposal", "1")
    assert len(repository.json("memories", "proposals")) == 1
    assert repository.json("sync")["shared_to_review"] == 1
    monkeypatch.chdir(repository.root)
    assert "takes it back" in repository.run("forget", "second").stderr


def test_words_in_quotes_stand_side_by_side(repository):
    """One argument of several words is a phrase; several arguments may stand anywhere."""
    repository.json("remember", "--name", "release", "the release train leaves on Tuesdays")
    assert [each["name"] for each in repository.json("memories", "search", "Release  Train")] == ["release"]
    assert [each["name"] for each in repository.json("memories", "search", '"release train"')] == ["release"]
    assert run(app, ["memories", "search", "train release"]) == 1
    assert [each["name"] for each in repository.json("memories", "search", "train", "release")] == ["release"]


def test_what_the_code_says_is_not_remembered(repository, capsys):
    """With a word about why; --anyway saves it."""
    text = "The function parse_line is defined in src/parser/lines.py"
    assert run(app, ["remember", text]) == 1
    assert "the code says it" in capsys.readouterr().err
    assert run(app, ["remember", "--anyway", text]) == 0
