"""The commits that git's hook wrote down: each once, in order, to the sessions of its worktree."""

from __future__ import annotations

import os

import pytest

import scenes
from tapehead.engine import git_hook
from tapehead.engine.commit_intake import take_in
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import starts
from tapehead.store.line import readable
from tapehead.store.paths import Layout
from tapehead.store.sessions import StateStore


@pytest.fixture
def layout(tmp_path):
    repo = scenes.repository(tmp_path / "repo")
    layout = Layout(str(repo / ".git" / "tapehead"))
    starts.note(layout, "main", {"session": "one", "at": "2027-01-01T00:00:00.000000Z"})
    scenes.Scene(layout.root).hear("one", Event.SESSION_START)
    return layout


def note(layout, *rows):
    where = os.path.dirname(os.path.dirname(layout.root))
    with open(layout.commits, "a") as file:
        file.writelines(f"{row} {where}\n" for row in rows)


def heard(layout):
    lines = readable(StateStore(layout).lines("one")[0])
    return [
        (line.text("commit"), line.text("branch"), Fact.REBASING in line.facts)
        for line in lines
        if line.event is Event.GIT_COMMIT
    ]


def test_each_commit_is_told_once_and_in_order(layout):
    """What was read is not read again; a detached HEAD has no branch; a rebase is said."""
    assert take_in(layout, os.environ) == []
    note(layout, "commit a1 refs/heads/main", "rebase b2 HEAD")
    assert [name for _, name in take_in(layout, os.environ)] == ["one"]
    note(layout, "commit c3 refs/heads/x/y")
    assert [name for _, name in take_in(layout, os.environ)] == ["one"]
    assert take_in(layout, os.environ) == []
    assert heard(layout) == [("a1", "main", False), ("b2", "", True), ("c3", "x/y", False)]


def test_after_a_kill_nothing_is_told_twice(layout, monkeypatch):
    """The reader died after it told the first of two."""
    note(layout, "commit a1 refs/heads/main", "commit b2 refs/heads/main")
    tell = git_hook.tell

    def dies(place, layout, head, *rest, **more):
        if head == "b2":
            raise KeyboardInterrupt
        return tell(place, layout, head, *rest, **more)

    monkeypatch.setattr(git_hook, "tell", dies)
    with pytest.raises(KeyboardInterrupt):
        take_in(layout, os.environ)
    monkeypatch.setattr(git_hook, "tell", tell)
    take_in(layout, os.environ)
    assert [commit for commit, *_ in heard(layout)] == ["a1", "b2"]


def test_what_is_no_commit_of_this_store_is_left(layout, tmp_path):
    """Half a line, a line of another place, nonsense: nobody hears of it, and reading goes on."""
    with open(layout.commits, "w") as file:
        file.write(f"commit a1 refs/heads/main {tmp_path}\nnonsense\n\ncommit b2 refs/he")
    assert take_in(layout, os.environ) == []
    note(layout, "ads/main")
    note(layout, "commit c3 refs/heads/main")
    take_in(layout, os.environ)
    assert [commit for commit, *_ in heard(layout)] == ["b2", "c3"]
