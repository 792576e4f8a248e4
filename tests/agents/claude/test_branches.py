"""What the user took back is not in the conversation: the parent links tell."""

import json

import pytest

from record import SESSION, Linked, Record
from tapehead.agents.claude import transcript
from tapehead.agents.claude.steps import follow
from tapehead.notes.gathering import gather_notes
from tapehead.notes.knowledge import Gathered
from tapehead.transcript.recorded_steps import Cursor
from tapehead.transcript.turns import Said
from tapehead.work_record.work_record import gather_work


def asked(turns):
    return [fact.text for fact in gather_work(turns).asks]


def cancelled():
    record = Linked().ask("the first prompt").answer("One.").ask("never use tabs in it")
    record.line("attachment", attachment={"type": "hook_success"})
    return record.ask("fix the parser", instead_of="never use tabs in it").answer("Two.")


def rewound():
    record = Linked().ask("the first prompt").answer("One.").ask("never use tabs in it").answer("Two.")
    record.ask("and never push").answer("Three.")
    return record.ask("fix the parser", instead_of="never use tabs in it").answer("Four.")


def from_the_start():
    record = Linked().ask("never use tabs in it").answer("One.").ask("and never push").answer("Two.")
    return record.ask("fix the parser", instead_of="never use tabs in it").answer("Three.")


@pytest.mark.parametrize(
    ("made", "living", "dropped"),
    [(cancelled, ["the first prompt", "fix the parser"], 1), (rewound, ["the first prompt", "fix the parser"], 2),
     (from_the_start, ["fix the parser"], 2)],
)  # fmt: skip
def test_what_was_taken_back_is_gone(tmp_path, made, living, dropped):
    """A prompt that was cancelled and turns that were left are no asks and no rules; the turns keep their numbers."""
    path = str(made().write(tmp_path))
    for turns in (transcript.read(path).turns, tuple(transcript.skim(path))):
        found = gather_work(turns)
        assert [fact.text for fact in found.asks] == living
        assert found.rules == ()
        assert turns[-1].drops == dropped
        assert found.asks[-1].turn == len(turns)


@pytest.mark.parametrize("made", [cancelled, rewound])
def test_notes_drop_later_what_they_took_before(tmp_path, made):
    """However the file was cut when they were kept, what was taken back later is gone from them."""
    lines = made().lines
    path = tmp_path / f"{SESSION}.jsonl"
    ends = [sum(map(len, lines[: n + 1])) + n + 1 for n in range(len(lines))]
    path.write_bytes(b"\n".join(lines) + b"\n")
    whole = path.read_bytes()
    for end in ends[:-1]:
        path.write_bytes(whole[:end])
        first = transcript.read(str(path))
        known = gather_notes(Gathered(), first.turns)
        path.write_bytes(whole)
        for later in (
            transcript.read(str(path), first.offset),
            transcript.between(str(path), first.offset, len(whole), bool),
        ):
            after = gather_notes(known, later.turns)
            assert [row[2] for row in after.asks] == ["the first prompt", "fix the parser"], end
            assert after.rules == [], end
            assert not [line for line in after.worklog if "never" in line], end


def test_other_branches_drop_nothing(tmp_path):
    """Results of parallel calls, compactions, subagents, copies and missing parents branch and break off, too."""
    record = Linked().ask("one").said(
        {"type": "tool_use", "id": "a", "name": "Read", "input": {}}, {"type": "tool_use", "id": "b", "name": "Read", "input": {}}
    )  # fmt: skip
    fork = record.last
    for ident in "ab":
        record.user([{"type": "tool_result", "tool_use_id": ident, "content": "x"}], parentUuid=fork)
    record.answer("Done.").ask("two").answer("Two.")
    record.user("a subagent's", isSidechain=True, parentUuid=record.before["two"])
    record.last = None
    record.line("system", subtype="compact_boundary", logicalParentUuid="gone")
    record.user("This session is being continued", isCompactSummary=True).ask("three").answer("Three.")
    record.last = "missing"
    record.ask("four").answer("Four.")
    copy = json.loads(next(line for line in record.lines if b'"two"' in line)) | {"uuid": "a-copy"}
    record.raw(json.dumps(copy, separators=(",", ":")))
    other = copy | {
        "uuid": "another",
        "sessionId": "99999999-2222-4333-8444-555555555555",
        "timestamp": "2027-02-01T00:00:00Z",
    }
    record.raw(json.dumps(other, separators=(",", ":")))
    path = str(record.write(tmp_path))
    assert all(turn.drops == 0 for turn in transcript.read(path).turns)
    assert asked(transcript.skim(path)) == ["one", "three", "four", "two"]


def test_prompts_without_links_drop_nothing(tmp_path):
    """Where lines name no parents at all, a missing parent says nothing."""
    record = Record()
    for n in range(4):
        record.prompt(f"prompt {n}").reply("x")
    path = str(record.write(tmp_path))
    assert asked(transcript.skim(path)) == [f"prompt {n}" for n in range(4)]


@pytest.mark.parametrize(("made", "gone"), [(cancelled, "turn 2:"), (rewound, "turn 2 to 3:")])
def test_the_history_keeps_what_was_taken_back_and_says_so(tmp_path, made, gone):
    """However it is cut while it is followed."""
    path = str(made().write(tmp_path))
    for at_once in (1, 3, 1_000):
        cursor, steps = Cursor(), []
        for batch in follow(path, cursor, final=True, at_once=at_once):
            cursor = Cursor(*json.loads(json.dumps(batch.cursor)))
            steps += batch.steps
        told = [one.step.text for one in steps if isinstance(one.step, Said)]
        [mark] = [text for text in told if "took back" in text]
        assert gone in mark
        assert "never use tabs in it" in told


def test_a_prompt_with_a_parent_of_its_own_is_looked_up_by_that(monkeypatch):
    """Nobody goes through all prompts before it: a file may have hundreds of thousands."""
    from tapehead.agents.claude.branches import Branches

    monkeypatch.setattr(Branches, "_sibling", lambda *_: pytest.fail("it went through all of them"))
    branches = Branches()
    for number in range(50):
        prompt = {"uuid": f"u{number}", "parentUuid": f"p{number}", "timestamp": str(number)}
        assert branches.begin(prompt) == (0, "")
