"""`tapehead trim` with the real Codex: the thread goes on with what the plan said, and undo gives back what was there."""

import glob
import json
import os

from rig.evidence import texts
from rig.waiting import until

TURNS, KEPT = 200, 40
PROMPTS = [f"remember number {number} of many" for number in range(1, TURNS + 1)]
NEXT, LAST = "and the next one", "and all of them"
"""No question mark: while Codex draws a long thread it takes one that is typed fast for the key that lists its shortcuts."""


def rollouts(place):
    return glob.glob(os.path.join(place.home, ".codex/sessions/**/*.jsonl"), recursive=True)


def turns_over(place):
    """By the rollout: a Stop hook comes before the turn is over, and what is typed then is no turn of its own."""
    return sum(content(path).count(b'"task_complete"') for path in rollouts(place))


def free(place, session):
    """The plan, once the client has let go of the thread: its SessionEnd hook comes before that."""
    plan = {}

    def told():
        plan.update(json.loads(place.tapehead("trim", session, "--keep", str(KEPT), "--json").stdout))
        return plan["refused"] is None or "open" not in plan["refused"]

    until(told, "nobody has the thread open", show=lambda: str(plan))
    return plan


def content(path):
    with open(path, "rb") as file:
        return file.read()


def test_two_hundred_turns_to_a_fifth(place, seen, terminal):
    """Refused while Codex has it open; then trimmed, resumed in the same thread, gone on with, and undone byte for byte."""
    terminal.codex()
    for number, prompt in enumerate(PROMPTS, 1):
        terminal.enter(prompt)
        until(lambda number=number: turns_over(place) >= number, f"turn {number}", show=terminal.screen)
    [path] = rollouts(place)
    session = json.loads(content(path).split(b"\n")[0])["payload"]["id"]
    refused = place.tapehead("trim", session, "--keep", str(KEPT), "--apply")
    assert (refused.returncode, "Codex has it open" in refused.stderr) == (1, True), refused.stderr
    terminal.leave("/quit")
    seen.wait_for("SessionEnd(other)")
    old = content(path)
    plan = free(place, session)
    assert plan["refused"] is None
    assert (plan["goes"], plan["stays"]) == (TURNS - KEPT, KEPT)
    assert plan["tokens_after"] < plan["tokens_before"]
    assert content(path) == old, "a plan changes nothing"

    done = place.tapehead("trim", session, "--keep", str(KEPT), "--apply", "--json")
    assert done.returncode == 0, done.stderr
    note = json.loads(done.stdout)["note"]
    assert content(path).startswith(old)
    terminal.codex("resume", session)
    terminal.enter(NEXT)
    until(lambda: turns_over(place) > TURNS, "the thread goes on", show=terminal.screen)
    said = texts(seen.request_after(NEXT))
    assert [text for text in said if text in PROMPTS] == PROMPTS[-KEPT:], "the turns that stay, and no other"
    assert said.count(note) == 1, "and what the plan puts in place of the rest"
    terminal.leave("/quit")
    until(lambda: seen.order().count("SessionEnd(other)") > 1, "it has ended")
    free(place, session)

    went_on = content(path)
    assert place.tapehead("trim", session, "--undo").returncode == 1, "it would lose a turn"
    assert content(path) == went_on
    assert place.tapehead("trim", session, "--undo", "--force").returncode == 0
    assert content(path) == old
    terminal.codex("resume", session)
    terminal.enter(LAST)
    until(lambda: turns_over(place) > TURNS, "the old thread goes on", show=terminal.screen)
    said = texts(seen.request_after(LAST))
    assert [text for text in said if text in PROMPTS] == PROMPTS
