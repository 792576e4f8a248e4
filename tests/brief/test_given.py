"""What the text of a command lays down, and what an open item is about."""

import json

from tapehead.agents.claude import transcript
from tapehead.brief.brief import brief
from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.work_record import gather_work

SKILL = (
    "Base directory for this skill: /s\n\n# Careful commits\n\n## Steps\n\n1. Look at the work tree first.\n2. Never use `git add -A`; name every\n"
    "   path by itself.\n\n## Trailers\n\n`Checked-by:` is always there.\n"
)


def written(path, *entries):
    path.write_text("".join(json.dumps({"sessionId": "s", "cwd": "/w", **entry}) + "\n" for entry in entries))
    return str(path)


def said(text, **more):
    return {"type": "user", "message": {"role": "user", "content": text}, **more}


ANSWER = {
    "type": "assistant",
    "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": "Yes."}]},
}
CALLED = "<command-message>careful-commit</command-message>\n<command-name>/careful-commit</command-name>"


def test_the_rules_of_a_command_that_the_user_called_are_told(tmp_path):
    """Its text stands behind the call; what binds in it is told with its name, and its steps are not."""
    path = written(
        tmp_path / "t.jsonl", said("Fix the parser."), ANSWER, said(CALLED), said(SKILL, isMeta=True), ANSWER
    )
    text = brief(gather_work(transcript.skim(path)), budget=1000, source="compact")
    assert "- /careful-commit: Steps: 2. Never use `git add -A`; name every path by itself." in text
    assert "- /careful-commit: Trailers: `Checked-by:` is always there." in text
    assert "Look at the work tree first" not in text


def test_what_the_agent_is_told_unasked_is_no_such_text(tmp_path):
    """A reminder or a caveat of the host stands behind no call of the user."""
    path = written(tmp_path / "t.jsonl", said("Fix the parser."), said(SKILL, isMeta=True), ANSWER)
    assert gather_work(transcript.skim(path)).given is None


def test_an_open_item_says_what_it_is_about():
    """Also where it was made long ago, and its state was set since."""
    add = Call(
        "1", "TaskCreate", turns.TASK_ADD, text="Write the gate", note="It looks up every id\nin the main store."
    )
    busy = [Call(f"b{n}", "Bash", turns.RUN, text=f"echo {n}") for n in range(200)]
    begun = Call("2", "TaskUpdate", turns.TASK_SET, path="1", text="in_progress")
    steps = (Said(turns.HUMAN, "go"), add, Result("1", "Task #1"), *busy, begun, Result("2", "ok"))
    text = brief(gather_work([Turn(1, steps)]), budget=2000, source="compact")
    assert "- [ ] Write the gate (in progress): It looks up every id in the main store." in text
