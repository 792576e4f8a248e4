"""What a checkpoint tells of the way to its commit."""

from __future__ import annotations

import json
import subprocess

import scenes
from tapehead.actions.checkpoint_decisions import list_decisions, list_failures
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git.side import Side
from tapehead.statemachine.vocabulary import Event
from tapehead.work_record.facts import Fact, WorkRecord


def test_oldest_first_since_a_time():
    """With their reasons and what became of them; what has no time may belong, and only the newest dozen do."""
    facts = (
        Fact("we use oak", time="2027-01-15T08:00:02.000Z", at=3, note="it lasts"),
        Fact("we use pine", time="2027-01-15T08:00:01.000Z", at=2, holds=False),
        Fact("long ago", time="2027-01-15T07:59:59.000Z", at=1),
        Fact("at no time", at=4),
    )
    since = "2027-01-15T08:00:00.500000+00:00"
    record = WorkRecord(decisions=facts, errors=facts)
    assert list_decisions(record, since) == ["we use pine [no longer]", "we use oak (it lasts)", "at no time"]
    assert list_failures(record, since) == ["we use pine [passes now]", "we use oak [open]", "at no time [open]"]
    many = WorkRecord(decisions=tuple(Fact(str(n), at=n) for n in range(30)))
    assert list_decisions(many, "") == [str(n) for n in range(18, 30)]


def test_a_checkpoint_keeps_them(tmp_path):
    """From the transcript, with secrets redacted; those of an earlier commit are not told again."""
    repo = scenes.repository(tmp_path / "repo")
    scene = scenes.Scene(repo / ".git" / "tapehead")
    path, secret = tmp_path / "t.jsonl", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    def row(kind, content):
        about = {
            "sessionId": "one",
            "uuid": str(scene.clock.forward(1)),
            "timestamp": scenes.when(scene.clock.now).isoformat(),
        }
        with path.open("a") as file:
            file.write(json.dumps({"type": kind, "message": {"role": kind, "content": content}, **about}) + "\n")

    def turn(number, failing):
        where = {"worktree": str(repo), "transcript_path": str(path), "prompt": f"ask {number}"}
        scene.clock.forward(5)
        scene.hear("one", Event.TURN_START, data=where)
        row("user", f"ask {number}")
        call = {
            "type": "tool_use",
            "id": f"t{number}",
            "name": "Bash",
            "input": {"command": f"make {failing} {secret}"},
        }
        row("assistant", [{"type": "text", "text": f"I decided to use {failing} because it lasts."}, call])
        row(
            "user",
            [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "Error: no rule", "is_error": True}],
        )
        scene.settled("one")
        (repo / f"{failing}.txt").write_text("agent\n")
        scene.hear("one", Event.TURN_END)
        scene.settled("one")
        subprocess.run(["git", "add", "-A"], cwd=repo, check=True)
        scenes.git(repo, "commit", "-qm", failing)
        commit = scenes.git(repo, "rev-parse", "HEAD")
        scene.hear("one", Event.GIT_COMMIT, data={"commit": commit, "branch": "main"}, host="git")
        state = scene.settled("one")
        assert not state.failures
        return Checkpoints(Side(scene.layout.lines, str(repo / ".git"))).get(state.last_checkpoint_id)

    for number, word in enumerate(("oak", "pine")):
        made = turn(number, word)
        assert len(made.decisions) == len(made.tried) == 1
        assert word in made.decisions[0]
        assert f"make {word}" in made.tried[0]
        assert secret not in made.tried[0]
