"""`why` for a line: where it comes from, told without recording anything."""

from pathlib import Path

import pytest

import scenes
from tapehead.cli.output import Failure
from tapehead.cli.server.answers import why


@pytest.fixture
def worked(repository):
    """Two lines of an agent's among the user's, and one that is not committed."""
    root = Path(repository.root)
    (root / "a.txt").write_text("human\nhuman too\n")
    scenes.git(root, "add", "-A")
    scenes.git(root, "commit", "-qm", "base")
    repository.hook("SessionStart", source="startup")
    repository.hook("UserPromptSubmit", prompt="write two lines")
    repository.engine.settle("one")
    (root / "a.txt").write_text("human\nagent\nagent too\nhuman too\n")
    repository.hook("Stop", last_assistant_message="done")
    repository.engine.settle("one")
    (root / "a.txt").write_text("human\nagent\nagent too\nhuman too\nlately\n")
    return repository


def test_a_line_is_told_with_its_prompt(worked):
    """The session, the turn and what it was asked."""
    told = why("a.txt", 2)
    assert "a.txt:2: “agent”" in told
    assert "Written in session one. Asked for in turn 1: “write two lines”. Not committed." in told


def test_a_line_of_nobodys(worked):
    """It says so, with the commit that brought it."""
    assert "Not known to be an agent's. Commit" in why("a.txt", 1)
    assert "“base”" in why("a.txt", 1)


def test_it_records_nothing(worked, unchanged):
    """The work tree of now is looked at in a copy that goes away."""
    unchanged()
    why("a.txt", 2)
    why("a.txt", 5)
    assert unchanged() == {}


@pytest.mark.parametrize(("path", "line"), [("b.txt", 1), ("a.txt", 6), ("a.txt", 0), ("..", 1), ("/etc/hosts", 1)])
def test_what_is_not_there(worked, path, line):
    """A file outside, or a line too many, is a failure in words."""
    with pytest.raises(Failure, match=r"no file|has 5 lines"):
        why(path, line)
