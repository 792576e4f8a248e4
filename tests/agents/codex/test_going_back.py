"""Going back in a conversation: Codex goes on in a rollout of its own, which names the one it leaves, and the byte."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import rollouts
from rollouts import THREAD, agent, meta, person

from tapehead.agents.codex import forks, places, steps, transcript
from tapehead.transcript import turns
from tapehead.transcript.recorded_steps import TAKEN_BACK

LATER = [f"0197cccc-0000-7000-8000-00000000000{n}" for n in range(3)]
DAY = "sessions/2026/03/01"


def said(*words, at):
    return [line for n, text in enumerate(words) for line in (person(text, at + n), agent(f"On {text}.", at + n))]


class Thread:
    """A thread on disk, as the client wrote it: three prompts, and then the user goes back three times."""

    def __init__(self, home):
        self.home = home
        self.first = self.write(f"2026-03-01T10-00-00-{THREAD}", [meta(), *said("alpha", "beta", "gamma", at=1)])
        self.second = self.later(1, (self.first, THREAD, "gamma"), *said("delta", "epsilon", at=11))
        self.third = self.later(2, (self.second, LATER[0], "epsilon"), *said("zeta", at=21))
        self.fourth = self.later(3, (self.first, THREAD, "beta"), *said("eta", at=31))

    def write(self, name, lines):
        return rollouts.written(self.home / DAY / f"rollout-{name}.jsonl", lines)

    def later(self, number, base, *lines):
        left, ident, prompt = base
        content = Path(left).read_bytes()
        end = content.rfind(b"\n", 0, content.index(f'"{prompt}"'.encode())) + 1
        base = {"thread_id": ident, "end_ordinal_exclusive": 9, "end_byte_offset": end}
        about = meta(history_base=base, timestamp=f"2026-03-01T10:{number}0:00.000Z", at=10 * number)
        return self.write(f"2026-03-01T10-{number}0-00-{THREAD}_{LATER[number - 1]}", [about, *lines])


@pytest.fixture
def thread(tmp_path):
    return Thread(tmp_path)


def lives(told):
    return [words for _, turn in turns.living([*enumerate(told)])[0] for words in turn.human]


@pytest.mark.parametrize(
    ("file", "alive", "dropped"),
    [
        ("first", ["alpha", "beta", "gamma"], 0),
        ("second", ["alpha", "beta", "delta", "epsilon"], 1),
        ("third", ["alpha", "beta", "delta", "zeta"], 1),
        ("fourth", ["alpha", "eta"], 5),
    ],
)
def test_each_rollout_tells_the_branch_that_it_goes_on(thread, file, alive, dropped):
    """What was left behind is told too, before the turn that took its place, which says how much it was and since when."""
    path = getattr(thread, file)
    told = transcript.read(path).turns
    assert lives(told) == lives(transcript.skim(path)) == alive
    assert [turn.number for turn in told] == [*range(len(told))]
    first_own = next(turn for turn in told if turn.drops == dropped and turn.human[0] in alive[-2:])
    assert first_own.drops_since == (told[first_own.number - dropped].began if dropped else "")


def test_only_the_rollout_that_is_named_counts(thread):
    """Not just any of the same thread."""
    assert places.rollout_of(THREAD, thread.fourth) == thread.first
    assert places.rollout_of(LATER[0], thread.fourth) == thread.second
    assert places.rollouts_of(THREAD, thread.first) == [thread.first, thread.second, thread.third, thread.fourth]


def test_who_reads_on_in_a_rollout_reads_nothing_of_the_others(thread):
    """Its own begins after its first line."""
    start = datetime(2026, 3, 1, tzinfo=UTC)
    own = forks.first_own_byte(thread.second, start)
    assert [turn.human for turn in transcript.read(thread.second, own).turns] == [("delta",), ("epsilon",)]
    assert forks.first_own_byte(thread.second, start, own + 1) == own + 1
    assert forks.first_own_byte(thread.first, start) == 0


def test_the_memory_counts_on_and_marks_what_was_left(thread):
    """Every prompt is there once, with a turn of its own, and those that are gone have a mark."""
    asked, gone = {}, set()
    for path in (thread.first, thread.second, thread.third, thread.fourth):
        for batch in steps.follow(path):
            for one in batch.steps:
                if isinstance(one.step, turns.Said) and one.step.who == turns.HUMAN:
                    asked[one.turn] = one.step.text
                elif isinstance(one.step, turns.Said) and one.step.who == TAKEN_BACK:
                    gone.add(one.turn)
                    assert one.source == f"taken back/{one.turn}"
                    assert one.time
    assert asked == dict(enumerate(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"], 1))
    assert [asked[turn] for turn in sorted(asked) if turn not in gone] == ["alpha", "eta"]


def test_a_fork_of_a_thread_in_which_the_user_went_back(thread):
    """It inherits the branch that was alive, and is known by its first line; what it copied is not its own."""
    size = Path(thread.second).stat().st_size
    base = {"thread_id": LATER[0], "end_byte_offset": size}
    about = meta(thread=rollouts.PARENT, forked_from_id=THREAD, history_base=base)
    fork = thread.write(f"2026-03-02T10-00-00-{rollouts.PARENT}", [about, *said("on", at=40)])
    assert lives(transcript.read(fork).turns) == ["alpha", "beta", "delta", "epsilon", "on"]
    assert forks.forked_from(fork, rollouts.PARENT, []) == THREAD
    assert forks.forked_from(fork, THREAD, []) == ""
    assert forks.forked_from(thread.first, THREAD, []) == ""
    assert forks.forked_from(fork + ".gone", rollouts.PARENT, []) == ""
    (batch,) = steps.follow(fork)
    assert [one.turn for one in batch.steps if one.source.startswith(TAKEN_BACK)] == []


def test_a_rollout_whose_neighbours_are_gone_is_read_alone(thread):
    """Nothing is dropped that nobody has read."""
    for path in (thread.first, thread.third):
        Path(path).unlink()
    assert lives(transcript.read(thread.fourth).turns) == ["eta"]
    assert lives(transcript.read(thread.second).turns) == ["delta", "epsilon"]


def test_a_byte_that_is_no_byte_drops_nothing_that_it_should_not(thread):
    """Damage in the first line: the turns before are told, and none of them is lost."""
    for end in (None, "x", 10**12, -1):
        base = {"thread_id": THREAD, "end_byte_offset": end}
        path = thread.write(
            f"2026-03-01T10-50-00-{THREAD}_{LATER[2]}x", [meta(history_base=base), *said("theta", at=50)]
        )
        assert {"alpha", "theta"} <= {*lives(transcript.read(path).turns)}, end
