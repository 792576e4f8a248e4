"""`blame` and `explain` count alike: of every commit and of a range, line by line, in random histories and in clones that know little."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from click.testing import CliRunner

import scenes
from played import PLAYED, played, steps_of
from tapehead.cli.app import app


def asked(*words):
    done = CliRunner().invoke(app, [*words[:1], "--json", *words[1:]])
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def explained(what):
    """By owner, how many lines."""
    found = asked("explain", what)["lines"]
    return Counter({**found["sessions"], "human": found["human"], "not known": found["not_known"]})


def blamed(revision, files):
    """Lines of files, each with its owner."""
    for file in files:
        for line in asked("blame", revision, "--", file)["lines"]:
            yield file, line, line["session"] or line["who"]


def added(story, old, new):
    """The lines that git's own diff calls new, by file."""
    found, name = {}, ""
    for row in story.git("diff", "-U0", "-M", "--no-color", old, new).splitlines():
        if row.startswith("+++ b/"):
            name = row[6:]
        elif row.startswith("@@ "):
            first, _, many = row.split(" ")[2][1:].partition(",")
            found.setdefault(name, set()).update(range(int(first), int(first) + int(many or 1)))
    return found


def compare(story):
    """Each commit, and all of them as a range."""
    for commit in story.git("rev-list", f"{story.root}..HEAD").split():
        files = story.git("show", "--format=", "--name-only", "--diff-filter=d", "-m", "--first-parent", commit)
        own = Counter(whose for _, line, whose in blamed(commit, files.splitlines()) if line["commit"] == commit)
        assert explained(commit) == own
    new = added(story, story.root, "HEAD")
    own = Counter(whose for file, line, whose in blamed("HEAD", new) if line["number"] in new[file])
    assert explained(f"{story.root}..HEAD") == own


@pytest.mark.parametrize(("operation", "number"), [("revert", 0), ("formatter", 0), ("types_in_turn", 2)])
def test_blame_and_explain_agree(operation, number):
    """Also where nothing was committed by an agent, and where a commit was taken back."""
    with played(steps_of(operation, number, 7)) as story:
        compare(story)


@pytest.mark.slow
@pytest.mark.parametrize("operation", PLAYED)
def test_they_agree_in_many_histories(operation):
    """Forty of each operation."""
    for number in range(40):
        with played(steps_of(operation, number, 8)) as story:
            compare(story)


@pytest.mark.parametrize("words", [(), ("--depth", "1")])
def test_they_agree_in_a_clone_that_knows_nothing(tmp_path, monkeypatch, words):
    """Where nothing was ever recorded or synced, and where a shallow clone ends, no line is said to be the human's."""
    repo = scenes.repository(tmp_path / "repo")
    for text in ("one\n", "one\ntwo\n"):
        (repo / "a.txt").write_text(text)
        scenes.git(repo, "add", "-A")
        scenes.git(repo, "commit", "-qm", "on")
    scenes.git(tmp_path, "clone", "-q", *words, f"file://{repo}", "clone")
    monkeypatch.chdir(tmp_path / "clone")
    own = Counter(whose for _, line, whose in blamed("HEAD", ["a.txt"]) if line["commit"])
    assert own == Counter({"not known": 2})
    assert explained("HEAD")["human"] == 0
