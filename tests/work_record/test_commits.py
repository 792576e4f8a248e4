"""The commits that the agent made, and whether they were pushed."""

import pytest

from tapehead.brief.brief import brief
from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.work_record import gather_work


def run(ident, command, said, *, failed=False):
    return Call(ident, "Bash", turns.RUN, text=command), Result(ident, said, failed=failed)


def told(*steps):
    return gather_work([Turn(1, (Said(turns.HUMAN, "go"), *steps), cwd="/w", session="s")])


COMMIT = run("c", "git commit -m x", "[main 1f3a9c2] Fix the parser\n 1 file changed")
EDIT = (Call("e", "Edit", turns.EDIT, path="/w/a.py", pairs=(("x", "parse_header(1)"),)), Result("e", "ok"))


def test_only_what_git_said_is_a_commit():
    """A command that was run, or that failed, is no commit."""
    failed = run("f", "git commit -m y", "[main 2222222] No\nfatal: hook declined", failed=True)
    found = told(*COMMIT, *failed, *run("g", "git commit -m z", "nothing to commit"))
    assert [(one.id, one.branch, one.subject) for one in found.commits] == [("1f3a9c2", "main", "Fix the parser")]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("cd /tmp && mkdir t && cd t && git init && git commit -m initial", "[main (root-commit) 5dffb3a] initial"),
        ("d=$(mktemp -d); cd $d; git commit --allow-empty -m a", "[main 5dffb3a] a"),
        ("git init sub && git -C sub commit -m initial", "[main (root-commit) 5dffb3a] initial"),
    ],
)
def test_a_commit_in_a_repository_for_a_trial_is_none(command, said):
    """The brief would name it as the state of the work."""
    assert [one.id for one in told(*COMMIT, *run("t", command, said)).commits] == ["1f3a9c2"]
    assert [
        one.id for one in told(*run("i", "git init && git commit -m i", "[main (root-commit) 1111111] i")).commits
    ] == ["1111111"]


MESSAGE = "Add the gate\n\nRejected: merging all of them | too broad, since it\nonly needs the named ones.\n- Checked: 12 tests\n\nCo-Authored-By: A <a@b.c>"


@pytest.mark.parametrize(
    "command",
    [
        f"git commit -m \"$(cat <<'EOF'\n{MESSAGE}\nEOF\n)\"",
        f'git add -A && git commit -m "{MESSAGE}"',
        "git commit -m 'Add the gate' -m 'Rejected: merging all of them | too broad, since it only needs the named ones.\n- Checked: 12 tests'",
    ],
)
def test_a_message_is_told_with_its_commit(command):
    """The reasons stand in it; the lines that were broken are joined, and who signed is left out."""
    found = told(*run("c", command, "[main 1f3a9c2] Add the gate"))
    said = "Rejected: merging all of them | too broad, since it only needs the named ones. Checked: 12 tests"
    assert found.commits[0].message == said
    assert f"committed 1f3a9c2 “Add the gate”: {said}\n" in brief(found, budget=1000, source="compact")


def test_the_brief_says_where_the_work_stands_in_git():
    """Committed, pushed or not, and what was changed since."""
    push = run("p", "git push", "abc..def main -> main")
    both = run("b", "git commit -m x && git push", "[main 1f3a9c2] Fix the parser\nabc..def main -> main")
    for steps, words in (
        (EDIT, "No commit by the agent; changed: a.py"),
        ((*EDIT, *COMMIT), "(t1), no push seen; nothing edited since"),
        ((*COMMIT, *push, *EDIT), "(t1), pushed; changed since: a.py"),
        ((*push, *COMMIT), "(t1), not pushed since; nothing edited since"),
        (both, "(t1), pushed; nothing edited since"),
        (run("b", "git push; git commit -m x", "a -> b\n[main 1f3a9c2] Fix"), "(t1), not pushed since"),
    ):
        assert words in brief(told(*steps), budget=1000, source="compact")
