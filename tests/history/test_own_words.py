"""What tapehead itself put into a conversation is found by no search."""

import pytest

from record import Record
from tapehead.agents.claude.transcript import read
from tapehead.brief.brief import brief
from tapehead.history.own_words import is_ours
from tapehead.work_record.work_record import gather_work


def test_a_session_with_ten_restores(memory):
    """The brief, as it is really written, comes back in none of the kinds, though the words it quotes are found where they were said."""
    record = Record().prompt("Splice the mainbrace with the cunningham").reply("Spliced the cunningham.")
    path = record.write(memory.directory)
    text = brief(gather_work(read(path).turns), budget=2000, source="compact")
    assert "cunningham" in text
    for number in range(10):
        told = {"type": "hook_additional_context", "content": [text], "hookEvent": "SessionStart"}
        record.line("attachment", attachment=told).prompt(f"go on {number}").reply(f"went on {number}")
        record.call(
            "Bash", f"Session 1111\n    tapehead detail 11111111/1\n{text}", command="tapehead search cunningham"
        )
    memory.told(record)
    hooks = [entry for entry in memory.entries(kind="hook") if "cunningham" in entry.body]
    assert len(hooks) == 10
    for kinds in ((), ("hook",), ("result",), ("call",), ("hook", "system", "summary")):
        assert all(hit.turn == 1 and hit.kind != "hook" for hit in memory.hits("cunningham", kinds=kinds, limit=100))
    assert memory.hits("cunningham")[0].kind in {"prompt", "reply"}


@pytest.mark.parametrize(
    ("kind", "name", "body", "ours"),
    [
        ("hook", "", "# The work so far: 3 turns to 14:23", True),
        ("hook", "", "lint: all clean", False),
        ("call", "Bash", "command: tapehead search 'the lock'", True),
        ("call", "Bash", "command: cd src && grep tapehead .", False),
        ("call", "Bash", "command: tapehead status && make test", False),
        ("call", "mcp__tapehead__recall", "question: the lock", True),
        ("result", "mcp__tapehead__recall", "3f2a91bc/12 the lock", True),
        ("result", "Bash", "Turn 12 of session 3f2a91bc, 2026", True),
        ("result", "Bash", "12 passed", False),
        ("prompt", "", "why does tapehead detail 3f2a/1 say so?", False),
    ],
)
def test_what_is_ours(kind, name, body, ours):
    """Texts that hooks handed over, questions to tapehead and its answers; never what a user said, nor the work on tapehead itself."""
    assert is_ours(kind, name, body) == ours
