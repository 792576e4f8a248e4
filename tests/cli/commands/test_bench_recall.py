"""`tapehead bench recall`: later prompts as questions, the turns they go back to as answers."""

import json

from click.testing import CliRunner

from record import Record
from tapehead.cli.app import app


def test_a_prompt_that_goes_back(tmp_path):
    """It is asked as a question, and the turn that named the same before is found."""
    record = Record().turn("Write anchor_chain.py", "Wrote it.")
    for number in range(5):
        record.turn(f"Something else about sails {number}", "Done.")
    record.turn("Why does anchor_chain.py fail?", "Rust.")
    path = record.write(tmp_path)
    told = json.loads(CliRunner().invoke(app, ["bench", "recall", path, "--json"]).stdout)
    assert told == {"transcripts": 1, "questions": 1, "hit@1": 1.0, "hit@5": 1.0, "hit@10": 1.0}


def test_nothing_to_ask(tmp_path):
    """Is said, with what to do."""
    done = CliRunner().invoke(app, ["bench", "recall", Record().turn("hello", "hi").write(tmp_path)])
    assert (done.exit_code, "hint: " in done.stderr) == (1, True)
