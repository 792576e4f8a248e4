"""The hook script and the spool under kills and crowds, with real processes: each payload on its tape once, in order."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress

import pytest
from arena import PATIENCE, TAPEHEAD, until

from tapehead.agents import hook_command
from tapehead.engine import spool, spool_intake
from tapehead.engine.store_location import state_home

SILENT = ("Stop", "SubagentStop", "Notification", "SessionEnd", "PostCompact", "StopFailure", "UserPromptSubmit")
SPEAKING = ("SessionStart", "PreCompact")
LONG = "a long word " * 2000  # more than one write


class Script:
    """The installed hook of an arena: the script at its place, the spool beside it."""

    def __init__(self, arena):
        self.arena = arena
        state = state_home(arena.env)
        self.path = hook_command.script_in(state)
        hook_command.write_script(self.path)
        self.folder = spool.folder_in(state)
        spool.make(self.folder)

    def start(self, session, hook, word, text=""):
        said = {"session_id": session, "transcript_path": word, "cwd": self.arena.work, "hook_event_name": hook}
        said |= dict.fromkeys(("prompt", "last_assistant_message", "message", "compact_summary"), f"{word} {text}")
        raw = json.dumps(said, separators=(",", ":")).encode()
        return self.arena.popen(raw, words=("sh", self.path, TAPEHEAD, "hook", "claude"), start_new_session=True)

    def told(self, session, *, spooled=False):
        """The word of every line that a hook wrote, in the order of the tape; or only of those that were in the spool, by their numbers."""
        lines = [line for line in self.arena.lines(session) if line.host == "claude"]
        numbers = {line.id: int(line.id.rpartition("-")[2]) for line in lines}
        return [line.text("transcript_path") for line in lines if not spooled or numbers[line.id] > 100_000]

    def settled(self, sessions):
        """The next one who comes takes in what was left."""
        self.arena.quiet()
        spool_intake.take_in(self.folder, self.arena.env, PATIENCE)
        self.arena.quiet()
        assert [entry for entry in spool.entries(self.folder) if spool.read(entry)] == []
        for session in sessions:
            self.arena.engine.settle(session)
            self.arena.settled(session)


def _rage(arena, seed, kills):
    """Hooks one after the other, on two sessions; each is killed with all that it started, or only what takes the spool in is."""
    script, chance = Script(arena), random.Random(seed)
    finished, killed, number = {}, 0, 0
    while killed < kills:
        number += 1
        session, word = f"rage-{chance.randrange(2)}", f"/w{number}"
        hook = chance.choice(SILENT if chance.random() < 0.85 else SPEAKING)
        one = script.start(session, hook, word, LONG if chance.random() < 0.3 else "")
        if chance.random() < 0.5:
            _let_run(chance.uniform(0.0, 0.03))
            killed += one.poll() is None
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
        code = one.wait(timeout=PATIENCE)
        one.communicate(timeout=PATIENCE)
        assert code in (0, -signal.SIGKILL)
        if code == 0:
            finished.setdefault(session, []).append(word)
        if chance.random() < 0.3:
            _let_run(chance.uniform(0.0, 0.15))
            for pid in arena.workers():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
    script.settled(finished)
    for session, words in finished.items():
        told, spooled = script.told(session), script.told(session, spooled=True)
        assert max(Counter(told).values()) == 1, "a payload is there twice"
        assert {*words} <= {*told}, "a hook that ended well left no line"
        # One that runs the program waits for the spool no longer than its agent for it: its place is sure where the machine is idle.
        assert [word for word in words if word in spooled] == [word for word in spooled if word in words]


def _let_run(seconds):
    """Lets the victim live for so long: this is when to strike, not a wait for something to happen."""
    time.sleep(seconds)


@pytest.mark.parametrize("seed", range(3))
def test_kills_lose_nothing_that_was_in_the_spool(arena, seed):
    """Ten kills of scripts, programs and intakes: whatever a hook wrote before it ended is on the tape, once, in order."""
    _rage(arena, seed, 10)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_a_thousand_kills_lose_nothing_that_was_in_the_spool(arena, seed):
    """The same twenty-five times forty."""
    _rage(arena, seed, 25)


def _storm(arena, at_once, each):
    """So many processes at once, each with so many hooks one after the other, on five sessions."""
    script = Script(arena)
    running = []
    for process in range(at_once):
        folder = os.path.join(arena.base, f"payloads-{process}")
        os.mkdir(folder)
        for number in range(each):
            hook = SILENT[(process + number) % 3]
            said = {"session_id": f"storm-{process % 5}", "transcript_path": f"/p{process}e{number}"}
            said |= {
                "cwd": arena.work,
                "hook_event_name": hook,
                "last_assistant_message": "x",
                "message": f"{process} {number}",
            }
            with open(os.path.join(folder, f"{number:03d}"), "w") as file:
                json.dump(said, file, separators=(",", ":"))
        run = f'for each in "{folder}"/*; do sh "{script.path}" "{TAPEHEAD}" hook claude <"$each" || exit 1; done'
        running.append(subprocess.Popen(["sh", "-c", run], env=arena.env, stdout=subprocess.DEVNULL))
    assert [one.wait() for one in running] == [0] * at_once
    until(lambda: not spool.has_entries(script.folder) or not arena.workers(), "the spool to be taken in")
    sessions = [f"storm-{number}" for number in range(5)]
    script.settled(sessions)
    for number, session in enumerate(sessions):
        told = script.told(session)
        assert Counter(told) == Counter(f"/p{p}e{e}" for p in range(at_once) if p % 5 == number for e in range(each))
        for process in range(number, at_once, 5):
            own = [word for word in told if word.startswith(f"/p{process}e")]
            ids = [line.id for line in arena.lines(session) if line.text("transcript_path").startswith(f"/p{process}e")]
            assert own == [f"/p{process}e{e}" for e in range(each)], f"not in its order: {ids}"


def test_a_storm_of_fifty(arena):
    """Fifty at once, three hooks each: all are on their tapes once, those of one process in its order."""
    _storm(arena, 50, 3)


@pytest.mark.slow
def test_a_long_storm_of_fifty(arena):
    """The same with twenty hooks each."""
    _storm(arena, 50, 20)
