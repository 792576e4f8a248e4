"""Who wrote what while a turn ran: the agent's own tool calls tell it from the human who typed meanwhile, and two agents apart."""

from __future__ import annotations

import os
import time

import pytest

import scenes
from agent_work import SECOND, Work
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.checkpoints.line_owners import NOT_KNOWN
from tapehead.statemachine.vocabulary import Event

AGENT, HUMAN = "one", ""


class Turn(Work):
    """A turn with tool calls at moments that the test chooses, in seconds after its beginning."""

    def __init__(self, repo):
        super().__init__(repo)
        self.begun = (time.time_ns() // SECOND + 1) * SECOND
        self.calls = 0

    def call(self, name, given, begun, ended, **more):
        self.calls += 1
        use = {"type": "tool_use", "id": f"t{self.calls}", "name": name, "input": given}
        self.say("assistant", [use], self.begun + begun * SECOND)
        if ended:
            result = {"type": "tool_result", "tool_use_id": f"t{self.calls}", "content": "done"}
            self.say("user", [result], self.begun + ended * SECOND, **more)

    def edit(self, name, text, begun, ended, before=None):
        """`before` is what the result says that the file held."""
        told = {"toolUseResult": {"filePath": str(self.repo / name), "originalFile": before}} if before else {}
        given = {"file_path": str(self.repo / name), "old_string": "x", "new_string": text}
        self.call("Edit", given, begun, ended, **told)

    def put(self, name, text, at):
        self.write(name, text, self.begun + at * SECOND)

    def ended(self):
        """By name, the owner of every line that is new; before a commit and after it the same."""
        self.say("assistant", [{"type": "text", "text": "done"}], self.begun + 100 * SECOND)
        self.hear(Event.TURN_END)
        known = work_tree(self.engine.layout, self.engine.store.load("one")).chain.tip()
        owners = {path.decode(): expanded(runs) for path, runs in known.files.items()}
        scenes.git(self.repo, "add", "-A")
        scenes.git(self.repo, "commit", "-qm", "on")
        self.hear(Event.GIT_COMMIT, commit=scenes.git(self.repo, "rev-parse", "HEAD"), branch="main")
        assert {name: expanded(runs) for name, runs in self.shares().items()} == owners
        return owners


def expanded(runs):
    return {line: owner for start, count, owner in runs for line in range(start, start + count)}


@pytest.fixture
def turn(tmp_path):
    found = Turn(scenes.repository(tmp_path / "repo"))
    yield found
    found.ends()


def test_what_the_human_types_in_a_turn_is_theirs(turn):
    """In another file, and in the file that the agent edited before: no call wrote it, and none ran when the file was saved."""
    turn.edit("a.txt", "agent = 'one line'\nagent = 'two'", 1, 2)
    turn.put("a.txt", "1\nagent = 'one line'\nagent = 'two'\nhuman = 'mine'\n2\n", 30)
    turn.put("b.txt", "1\nhuman = 'mine too'\n2\n", 31)
    assert turn.ended() == {"a.txt": {2: AGENT, 3: AGENT}}


def test_what_a_shell_wrote_is_the_agents(turn):
    """Whatever the command was, as long as the file was last written while it ran."""
    turn.call("Bash", {"command": "make"}, 10, 20)
    turn.put("a.txt", "1\n2\ngenerated = True\n", 15)
    assert turn.ended() == {"a.txt": {3: AGENT}}


def test_a_files_time_may_be_a_tick_too_old(turn):
    """The kernel gives a file the time of its last tick: that may lie before the call that wrote it."""
    turn.call("Bash", {"command": "make"}, 10, 20)
    turn.write("a.txt", "1\n2\nmade\n", turn.begun + 10 * SECOND - 9_000_000)
    assert turn.ended() == {"a.txt": {3: AGENT}}


def test_a_formatter_after_an_edit_takes_nothing_from_the_agent(turn):
    """A hook set the agent's call in otherwise, with other quotes and a comma more."""
    turn.edit("a.txt", "value = compute('first', 'second')", 1, 2)
    turn.put("a.txt", '1\nvalue = compute(\n    "first",\n    "second",\n)\n2\n', 3)
    assert turn.ended() == {"a.txt": {2: AGENT, 3: AGENT, 4: AGENT, 5: AGENT}}


def test_what_nobody_can_tell_is_not_known(turn):
    """A shell ran in the turn, and the file was saved later by someone else: who wrote which of its lines is anybody's guess."""
    turn.call("Bash", {"command": "make"}, 10, 20)
    turn.put("a.txt", "1\n2\nsomebody = 'wrote this'\n", 60)
    assert turn.ended() == {"a.txt": {3: NOT_KNOWN}}
    share = turn.engine.store.load("one")
    assert share.agent_lines_checkpointed == 0


def test_a_shell_that_only_read_wrote_nothing(turn):
    """`git status` and a search leave no doubt."""
    turn.call("Bash", {"command": "git status && grep -rn x . | head 2>/dev/null"}, 10, 20)
    turn.put("a.txt", "1\n2\nhuman = 'mine'\n", 60)
    assert turn.ended() == {}


@pytest.mark.parametrize(("shell_at", "owner"), [(10, AGENT), (4, HUMAN), (50, HUMAN)])
def test_what_an_edit_found_there_came_before_it(turn, shell_at, owner):
    """Its result tells what the file held: a line that came between two edits is the shell's that ran in between, or else the human's."""
    turn.call("Bash", {"command": "make"}, shell_at, shell_at + 1)
    turn.edit("a.txt", "agent = 'first'", 7, 8, before="1\n2\n")
    turn.edit("a.txt", "agent = 'second'", 20, 21, before="1\nagent = 'first'\nfound = 'there'\n2\n")
    turn.put("a.txt", "1\nagent = 'first'\nfound = 'there'\nagent = 'second'\n2\n", 20)
    found = turn.ended()["a.txt"]
    assert (found[2], found.get(3, HUMAN), found[4]) == (AGENT, owner, AGENT)


def test_what_an_edit_found_is_not_the_shells_that_ran_later(turn):
    """The shell wrote the file last, but the human's line was there before, when no shell had run."""
    turn.edit("a.txt", "agent = 'first'", 7, 8, before="1\n2\nhuman = 'typed'\n")
    turn.call("Bash", {"command": "make"}, 20, 22)
    turn.put("a.txt", "1\nagent = 'first'\n2\nhuman = 'typed'\nshell = 'made'\n", 21)
    assert turn.ended() == {"a.txt": {2: AGENT, 5: AGENT}}


def test_half_of_a_move_is_committed_in_the_turn(turn):
    """Only the file that lines moved to: the work tree shows that they left the other one, so they are whoever's they were."""
    moved = "".join(f"a line of the human's, number {number}\n" for number in range(3))
    turn.hear(Event.TURN_END)
    (turn.repo / "a.txt").write_text(f"1\n{moved}2\n")
    scenes.git(turn.repo, "commit", "-qam", "human")
    turn.hear(Event.TURN_START, prompt="move it")
    turn.call("Bash", {"command": "python move.py"}, 10, 20)
    turn.put("a.txt", "1\n2\n", 15)
    turn.put("b.txt", f"1\n{moved}2\nagent = 'new'\n", 15)
    scenes.git(turn.repo, "commit", "-qm", "half", "--", "b.txt")
    turn.hear(Event.GIT_COMMIT, commit=scenes.git(turn.repo, "rev-parse", "HEAD"), branch="main")
    assert {name: expanded(runs) for name, runs in turn.shares().items()} == {"b.txt": {6: AGENT}}


def test_a_command_in_the_background_writes_until_the_end(turn):
    """It has no end that anybody hears of."""
    turn.call("Bash", {"command": "make watch", "run_in_background": True}, 10, 11)
    turn.put("a.txt", "1\n2\ngenerated = True\n", 60)
    assert turn.ended() == {"a.txt": {3: AGENT}}


def test_a_record_that_lags_behind_says_nothing(turn):
    """A file that is newer than the newest line of the transcript: what changed in the turn is the agent's, as before."""
    turn.put("a.txt", "1\n2\nthe call is not written yet\n", 500)
    assert turn.ended() == {"a.txt": {3: AGENT}}


def test_two_agents_in_one_work_tree(turn):
    """Each has the lines that its own edits wrote, whoever's turn ends first."""
    other = Turn.__new__(Turn)
    other.__dict__.update(turn.__dict__, transcript=turn.repo.parent / "other.jsonl", calls=0)
    other.say("user", "do that", turn.begun)
    other.hear(Event.SESSION_START, session="two")
    other.hear(Event.TURN_START, session="two", prompt="do that")
    turn.edit("a.txt", "first = 'by one'", 1, 2)
    other.edit("a.txt", "second = 'by two'", 3, 4)
    other.edit("b.txt", "third = 'by two'", 3, 4)
    other.say("assistant", [{"type": "text", "text": "on"}], turn.begun + 100 * SECOND)
    turn.put("a.txt", "1\nfirst = 'by one'\nsecond = 'by two'\n2\n", 4)
    turn.put("b.txt", "1\n2\nthird = 'by two'\n", 4)
    assert turn.ended() == {"a.txt": {2: "one", 3: "two"}, "b.txt": {3: "two"}}


def test_an_agent_that_is_faster_than_the_snapshot(turn):
    """What was written after the prompt and before the work tree was recorded is the agent's; what lay there before the prompt is not."""
    turn.hear(Event.TURN_END)
    turn.write("a.txt", "1\n2\nagent = 'at once'\n", turn.begun + 2 * SECOND)
    turn.write("b.txt", "1\n2\nhuman = 'before'\n", time.time_ns() - SECOND)
    (turn.repo / "new.txt").write_text("agent = 'in a new file'\n")
    os.utime(turn.repo / "new.txt", ns=(turn.begun + 2 * SECOND,) * 2)
    turn.hear(Event.TURN_START, prompt="again")
    turn.edit("a.txt", "agent = 'at once'", 1, 3)
    turn.call("Write", {"file_path": str(turn.repo / "new.txt"), "content": "agent = 'in a new file'\n"}, 1, 3)
    assert turn.ended() == {"a.txt": {3: AGENT}, "new.txt": {1: AGENT}}
