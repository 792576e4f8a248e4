"""What running notes know, turn by turn."""

from __future__ import annotations

import json
import marshal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_transcript import session
from tapehead.agents.claude.transcript import between, read
from tapehead.notes.acts import looks_at_result
from tapehead.notes.gathering import gather_notes
from tapehead.notes.knowledge import MOST, Gathered
from tapehead.notes.rendering import ERRORS, FILES, RESULTS, STATE, TASK, TITLES, WORKFLOW, WORKLOG, sections
from tapehead.text.fence import clean
from tapehead.transcript.turns import AGENT, EDIT, HUMAN, RUN, TASK_ADD, TASK_LIST, TODOS, Call, Result, Said, Turn
from transcript_script import Script

WORDS = st.sampled_from(
    [
        "Fix the export.",
        "Never touch the API.",
        "Decided to keep it because it works.",
        "x" * 3_000,
        "<system-reminder>",
        "",
    ]
)
CALLS = st.builds(
    lambda n, kind, what, failed: (
        Call(str(n), "T", kind, path=what, text=what),
        Result(str(n), f"{what} 3 passed", failed),
    ),
    st.integers(0, 9),
    st.sampled_from([EDIT, RUN]),
    st.sampled_from(["a.py", "make test", ""]),
    st.booleans(),
)
STEPS = st.one_of(st.builds(Said, st.sampled_from([HUMAN, AGENT]), WORDS).map(lambda one: (one,)), CALLS)
TURN = st.lists(STEPS, max_size=4).map(
    lambda parts: Turn(
        0, (Said(HUMAN, "go on"), *(step for part in parts for step in part)), began="2027-01-15T09:00:00Z"
    )
)


def told(turns):
    return sections(gather_notes(Gathered(), turns))


def example(tmp_path):
    return read(str(session().write(tmp_path / "t.jsonl"))).turns


def test_the_sections_tell_what_a_person_would_keep(tmp_path):
    """On the example session: the title, where it stands, what was asked, files with functions, commands, results, a log."""
    found = told(example(tmp_path))
    assert tuple(found) == TITLES
    assert any("stream_csv" in line for line in found[FILES])
    assert any("pytest" in line and "test" in line for line in found[WORKFLOW])
    assert any("pytest" in line and "passed" in line for line in found[RESULTS])
    assert any(line.startswith("- [ ] ") for line in found[STATE])
    assert len(found[WORKLOG]) == len([turn for turn in example(tmp_path) if turn.human])
    assert "never reformat" in " ".join(found[TASK])


@given(st.lists(TURN, max_size=6), st.integers(1, 3))
def test_in_parts_or_at_once_is_the_same(turns, size):
    """Read in any portions of whole turns, the notes come to the same."""
    parts = Gathered()
    for start in range(0, len(turns), size):
        parts = gather_notes(parts, turns[start : start + size])
    assert sections(parts) == sections(gather_notes(Gathered(), turns))
    assert parts.turn == len(turns)


@given(st.lists(TURN, max_size=5))
def test_it_fits_into_a_file_and_comes_back(turns):
    """What is kept between two runs is all that is needed."""
    known = gather_notes(Gathered(), turns)
    assert Gathered(**marshal.loads(marshal.dumps(known._asdict()))) == known
    assert all("\n" not in line for lines in sections(known).values() for line in lines)


def test_a_turn_that_goes_on_is_one_turn():
    """Read in its middle (a compaction came), its rest has no prompt: it is no turn of its own."""
    first = Turn(
        0, (Said(HUMAN, "Fix it."), Said(AGENT, "I will look at the parser first.")), began="2027-01-15T09:00:00Z"
    )
    rest = Turn(0, (Said(AGENT, "The parser drops the last line of every file."),), began="2027-01-15T09:30:00Z")
    known = gather_notes(gather_notes(Gathered(), [first]), [rest])
    assert known.turn == 1
    assert sections(known)[WORKLOG] == [
        "- turn 1, 2027-01-15T09:00Z: Fix it. → The parser drops the last line of every file."
    ]


def test_a_command_for_nothing_that_we_know_is_told_from_its_second_run_on():
    """Also where the two were read at different times; what ran once takes no room from what is told."""

    def runs(*commands):
        calls = [(Call(str(n), "Bash", RUN, text=text), Result(str(n), "ok")) for n, text in enumerate(commands)]
        return [Turn(0, (Said(HUMAN, "go"), *(step for call in calls for step in call)))]

    known = gather_notes(Gathered(), runs("make test", "ls -la", "ls -la x", "half of a letter: \ud83d"))
    assert sections(known)[WORKFLOW] == ["- `make test` (test)"]
    known = gather_notes(known, runs("ls -la", *(f"cat {n}" for n in range(150))))
    assert sections(known)[WORKFLOW] == ["- `make test` (test)", "- `ls -la` (2x)"]
    known = gather_notes(known, runs("make test", "ls -la", "cat 7", "cat 7"))
    assert sections(known)[WORKFLOW] == ["- `make test` (test, 2x)", "- `ls -la` (3x)", "- `cat 7` (3x)"]


def test_how_often_a_command_ran_never_falls():
    """Neither when many others ran since, nor where two are redacted to the same words."""

    def runs(*commands):
        calls = [(Call(str(n), "Bash", RUN, text=text), Result(str(n), "ok")) for n, text in enumerate(commands)]
        return [Turn(0, (Said(HUMAN, "go"), *(step for call in calls for step in call)))]

    known = gather_notes(Gathered(), runs(*["git status"] * 9, *(f"cat {n}" for n in range(300))))
    known = gather_notes(known, runs("git status"))
    assert sections(known)[WORKFLOW] == ["- `git status` (10x)"]
    assert len(known.ran) == MOST["ran"]
    keys = ["sk-ant-" + letter + "1B2" * 8 for letter in "ab"]
    known = gather_notes(Gathered(), runs(*[f"curl -H {keys[0]} x"] * 3, *[f"curl -H {keys[1]} x"] * 2))
    assert sections(known)[WORKFLOW] == ["- `curl -H [masked] x` (3x)"]


def test_a_secret_at_the_end_of_what_is_shown_is_masked():
    """However long it is: half of it would look like none."""
    token = ".".join(("eyJ" + "hbGciOiJSUzI1NiIs" * 4, "eyJ" + "aZ09-_bY18" * 90, "sQ7-_xR5" * 20))
    words = f"{'It was rejected by the gate. ' * 10}{token} ends."
    known = gather_notes(Gathered(), [Turn(0, (Said(HUMAN, "go"), Said(AGENT, words)))])
    assert "eyJ" not in known.said
    assert "[masked]" in known.said


def test_tasks_that_a_subagent_closed_are_closed_in_the_notes():
    """The agent's own list says so; its words come with the result of the call."""
    add = [Call(n, "TaskCreate", TASK_ADD, text=f"task {n}") for n in "12"]
    listed = [Call("l", "TaskList", TASK_LIST), Result("l", "#1 [completed] task 1\n#2 [pending] task 2")]
    found = told([Turn(0, (Said(HUMAN, "go"), *add)), Turn(1, (Said(HUMAN, "and"), *listed))])
    assert [line for line in found[STATE] if "task" in line] == ["- [ ] task 2"]


def test_a_line_stands_once_in_a_section():
    """Also where two became the same by how they are shown."""
    same = [Said(HUMAN, "say “hi” to them"), Said(HUMAN, 'say "hi" to them', queued=True)]
    todos = Call("1", "TodoWrite", TODOS, pairs=(("tidy up", "pending"), ("tidy up", "pending")))
    fails = [step for n in "ab" for step in (Call(n, "T", EDIT, path="x" * 900 + n), Result(n, "no", failed=True))]
    found = told([Turn(0, (*same, todos, Result("1", "ok"), *fails))])
    assert [len(found[title]) for title in (TASK, ERRORS)] == [1, 1]
    assert found[STATE].count("- [ ] tidy up") == 1


KINDS = {"Bash": ("command", ["make test", "ls", "git push", "sleep 5"]), "Read": ("file_path", ["a.py", "b.py"])}
KINDS |= {"Edit": ("file_path", ["a.py"]), "Grep": ("pattern", ["def"]), "AskUserQuestion": ("question", ["Which?"])}


@given(st.lists(st.tuples(st.sampled_from([*KINDS]), st.integers(0, 3), st.booleans()), min_size=1, max_size=8))
def test_without_the_results_that_nobody_looks_at_the_notes_are_the_same(tmp_path_factory, used):
    """Read once more, a part gives the same notes as it did at first."""
    script = Script().human("go")
    for tool, which, failed in used:
        name, values = KINDS[tool]
        script.call(tool, 'Exit 1: failed\n"Which?"="This one"', failed=failed, **{name: values[which % len(values)]})
    path = script.agent("I decided to keep it because it works.").write(tmp_path_factory.mktemp("t") / "t.jsonl")
    whole = read(path)
    again = between(path, 0, whole.offset, looks_at_result)
    assert sections(gather_notes(Gathered(), again.turns)) == sections(gather_notes(Gathered(), whole.turns))


def test_half_a_letter_fails_nothing():
    """A transcript may hold halves of letters that no file can: a command that failed with one is told without it."""
    run = Call("1", "Bash", RUN, text="make \ud83d")
    known = gather_notes(Gathered(), [Turn(0, (Said(HUMAN, "go"), run, Result("1", "1 failed", failed=True)))])
    assert sections(known)[ERRORS] == ["- `make`: 1 failed (open, turn 1)"]


def test_an_error_is_open_until_the_same_thing_works_again():
    """Also where the failure and the cure were read at different times."""
    run = Call("1", "Bash", RUN, text="make test")
    fails = Turn(0, (Said(HUMAN, "go"), run, Result("1", "1 failed", failed=True)))
    edit = Turn(0, (Said(HUMAN, "fix"), Call("2", "Edit", EDIT, path="a.py", pairs=(("x", "y"),)), Result("2", "ok")))
    works = Turn(0, (Said(HUMAN, "again"), run._replace(id="3"), Result("3", "9 passed")))
    known = gather_notes(Gathered(), [fails])
    assert sections(known)[ERRORS] == ["- `make test`: 1 failed (open, turn 1)"]
    known = gather_notes(gather_notes(known, [edit]), [works])
    assert sections(known)[ERRORS] == ["- `make test`: 1 failed (fixed after editing a.py, turn 1)"]


def test_secrets_and_tags_do_not_get_in():
    """They are redacted and defused when they come in, wherever they stand."""
    key = "sk-ant-" + "a1B2" * 8
    turn = Turn(0, (Said(HUMAN, f"use {key} </system-reminder>"), Call("1", "Bash", RUN, text=f"make test KEY={key}")))
    known = gather_notes(Gathered(), [turn])
    assert key not in json.dumps(known._asdict())
    assert "</system" not in json.dumps(known._asdict(), ensure_ascii=False)


def test_a_file_has_one_name_wherever_the_agent_went():
    """It is named from where the work began: a change of directory makes no second file of it."""
    call = Call("1", "Edit", EDIT, path="/home/me/project/src/a.py", pairs=(("x", "y"),))
    there, inside = (
        Turn(0, (Said(HUMAN, "go"), call, Result("1", "ok")), cwd=cwd)
        for cwd in ("/home/me/project", "/home/me/project/src")
    )
    assert list(gather_notes(gather_notes(Gathered(), [there]), [inside]).files) == ["src/a.py"]


def test_a_refusal_cures_nothing():
    """Only what worked again does: that the agent or the user said no to the same thing leaves the error open."""
    run = Call("1", "Bash", RUN, text="make test")
    fails = Turn(0, (Said(HUMAN, "go"), run, Result("1", "1 failed", failed=True)))
    refused = Turn(0, (Said(HUMAN, "again"), run._replace(id="2"), Result("2", "The user doesn't want", failed=True)))
    assert sections(gather_notes(Gathered(), [fails, refused]))[ERRORS] == ["- `make test`: 1 failed (open, turn 1)"]


def test_a_title_cannot_pass_for_a_heading():
    """It stands on a line of its own: what would make a heading, a quote or code of it is left out."""
    for prompt in ("# Plan", "```Plan", "> Plan ", "- Plan"):
        assert told([Turn(0, (Said(HUMAN, prompt),))])["Title"] == ["Plan"]


def test_a_title_is_cut_between_words():
    """A long one ends with a whole word and dots; one long word is cut where it must be."""
    (title,) = told([Turn(0, (Said(HUMAN, "word " * 19 + "Friday and more"),))])["Title"]
    assert title == ("word " * 19).rstrip() + "…"
    (title,) = told([Turn(0, (Said(HUMAN, "w" * 150),))])["Title"]
    assert title == "w" * 99 + "…"
    (title,) = told([Turn(0, (Said(HUMAN, "w" * 100),))])["Title"]
    assert title == "w" * 100


@pytest.mark.parametrize("status", ["<system-reminder>", "token = ghp_" + "a1B2" * 9, "x" * 500])
def test_a_status_that_no_host_knows_is_cleaned_like_any_text(status):
    """What stands there is the agent's word, or anything."""
    call = Call("c", "TodoWrite", TODOS, pairs=(("Write it", status), ("Read it", "in_progress")))
    found = gather_notes(Gathered(), [Turn(0, (Said(HUMAN, "go on"), call))]).listed
    assert found == [["Write it", clean(status[:120])], ["Read it", "in_progress"]]
    assert found[0][1] != status
