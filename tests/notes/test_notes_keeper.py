"""When notes are written, from what, and what a brief takes from them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import attr
import pytest

from tapehead.brief import session_work
from tapehead.brief.brief import brief
from tapehead.brief.notes_excerpt import read_notes
from tapehead.brief.saved_by_hand import kept
from tapehead.brief.session_work import Accounts
from tapehead.documents import notes_basis
from tapehead.documents import notes_file as notes
from tapehead.documents.notes_basis import Beside
from tapehead.documents.section_merge import Standing
from tapehead.engine import chores, worker
from tapehead.notes import notes_keeper as keeping
from tapehead.notes.notes_keeper import NoteKeeper
from tapehead.notes.rendering import LEARNINGS, STATE, WORKLOG
from tapehead.settings.loading import DEFAULTS, load
from tapehead.statemachine.vocabulary import Event, Phase
from tapehead.user_command import Failed


def settings(**values):
    return load("", "", {f"TAPEHEAD_NOTES_{name.upper()}": str(value) for name, value in values.items()})


def keep_beside(layout, document):
    with Beside(layout, "one") as kept:
        kept.keep(document)


@pytest.fixture
def noting(told):
    """A session that grows: `says(context)` is a turn after which the window is that full."""

    class Noting:
        layout = told.layout
        settings = DEFAULTS

        def says(self, context, prompt="Go on.", calls=0, phase=Phase.IDLE):
            told.script.human(prompt)
            for n in range(calls):
                told.script.run(f"make step-{n}", "done")
            usage = {"input_tokens": context, "output_tokens": 1}
            content = [{"type": "text", "text": f"I decided to go on with step {context} because it was asked for."}]
            message = {"id": f"m{context}", "role": "assistant", "model": "m", "usage": usage, "content": content}
            told.script._line("assistant", message)
            told.write()
            told.engine.transcripts.lately.clear()  # the worker of another turn is another process
            told.hears(Event.TURN_END)
            self.state = attr.evolve(told.engine.store.load("one"), phase=phase)
            return self.keep()

        def keep(self, **how):
            keeper = NoteKeeper(self.layout, self.settings, told.engine.transcripts.lately)
            before = notes.read(self.layout, "one")
            keeper.keep(self.state, **how)
            return notes.read(self.layout, "one") != before

        def section(self, title):
            return Standing(notes.read(self.layout, "one")).body(title)

    return Noting()


def test_first_after_so_many_tokens_then_after_so_many_more(noting):
    """10,000, then 5,000 each time; in between nothing is written, and nothing that was said is left out later."""
    assert [noting.says(context) for context in (4_000, 9_999, 10_000, 12_000, 14_999, 15_000)] == [
        *(False, False, True),
        *(False, False, True),
    ]
    assert len(noting.section(WORKLOG)) == 6


def test_without_a_pause_calls_are_needed_too(noting):
    """In mid-turn (a compaction, say) 5,000 tokens alone are not enough: ten calls must have come."""
    assert noting.says(10_000)
    assert not noting.says(16_000, phase=Phase.COMPACTING)
    assert noting.says(22_000, calls=10, phase=Phase.COMPACTING)


def test_the_numbers_are_settings_and_it_can_be_turned_off(noting):
    """Each by its name."""
    noting.settings = settings(first=100, step=50)
    assert [noting.says(context) for context in (99, 100, 149, 150)] == [False, True, False, True]
    noting.settings = settings(enabled="no")
    assert not noting.says(90_000)
    assert noting.keep(now=True)


def test_what_is_over_is_written_to_its_end(noting):
    """A session that ends has notes that say all of it; one that had none gets none for its end's sake."""
    assert not noting.says(500, phase=Phase.ENDED)
    assert noting.says(10_000)
    assert noting.says(10_100, phase=Phase.ENDED)
    assert len(noting.section(WORKLOG)) == 3


def test_what_ingest_read_is_not_read_again(noting, monkeypatch):
    """The transcript is read once for both."""
    monkeypatch.setattr(keeping, "reader_of", lambda agent: type("Nobody", (), {"read": pytest.fail}))
    assert noting.says(10_000)


def test_notes_that_fell_behind_catch_up(noting, told):
    """Where another process ingested, the notes read on from where they stopped."""
    noting.says(10_000)
    noting.settings = settings(enabled="no")
    noting.says(30_000)
    told.engine.transcripts.lately.clear()
    noting.settings = DEFAULTS
    assert noting.keep()
    assert len(noting.section(WORKLOG)) == 2


def test_after_a_damage_they_are_made_again(noting, told):
    """What is kept beside the notes can be lost: all is read again, and the notes say the same."""
    noting.says(10_000)
    noting.says(20_000)
    log = noting.section(WORKLOG)
    keep_beside(noting.layout, {"version": 99, "known": []})
    told.engine.transcripts.lately.clear()
    noting.keep(now=True)
    assert noting.section(WORKLOG)[: len(log)] == log


def test_a_host_that_counts_nothing_is_estimated(noting, told):
    """The words themselves tell when enough has come."""
    told.asked("Explain.", "High water comes twice a day. " * 800)
    noting.state = told.engine.store.load("one")
    noting.settings = settings(first=3_000)
    assert noting.keep()


def test_the_users_own_command_may_write_them(noting):
    """It gets the notes and what is new, and answers with sections; what it leaves out stays as we have it, and a secret is redacted."""
    key = "sk-ant-" + "a1B2" * 8
    noting.settings = settings(first=1, command=f"cat >/dev/null; printf '## Learnings\\n\\n- by hand {key}\\n'")
    assert noting.says(10_000)
    assert noting.section(LEARNINGS) == ["- by hand [masked]"]
    assert noting.section(WORKLOG)
    noting.settings = settings(step=1, command="grep -c 'What is known now' | sed 's/^/## Learnings\\n\\n/'")
    assert noting.says(20_000)
    assert noting.section(LEARNINGS) == ["1"]


@pytest.mark.parametrize("command", ["exit 3", "true", "echo no section"])
def test_a_command_that_fails_leaves_the_notes_without_it(noting, command):
    """They are written all the same, and the failure is said."""
    noting.settings = settings(first=1, command=command)
    with pytest.raises(Failed):
        noting.says(10_000)
    assert noting.section(STATE)


def test_the_worker_keeps_them_and_tells_doctor_of_a_failure(told, monkeypatch):
    """At a turn's end, beside everything else; what fails is on the tape, and the rest of the work is done."""
    monkeypatch.setenv("TAPEHEAD_NOTES_FIRST", "1")
    told.asked("Explain the tides.", "High water comes twice a day.")
    worker.work(told.engine, "one")
    assert "High water" in notes.read(told.layout, "one")
    monkeypatch.setattr(worker, "keep_notes", lambda *_: 1 / 0)
    worker.work(told.engine, "one")
    assert "notes" in told.engine.store.load("one").failures
    assert not chores.keep_notes(told.engine, "nobody")


def test_a_person_s_lines_go_first_into_the_brief(noting):
    """With the section they belong to; ours only where the notes are fresh, and without what the work record says already."""
    noting.says(10_000)
    path = notes.path(noting.layout, "one")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("## Learnings\n", "## Learnings\n\n- the gauge in Brest is an hour late\n"))
    found = read_notes(noting.layout, "one")
    assert found[0] == ("decided", "the gauge in Brest is an hour late", True)
    assert ("decided", "I decided to go on with step 10000 because it was asked for.", False) in found
    assert kept(noting.layout, "one").noted == found
    kept_beside = notes_basis.load(noting.layout, "one")
    keep_beside(noting.layout, {**kept_beside, "path": path + ".gone"})
    assert [by_the_user for _, _, by_the_user in read_notes(noting.layout, "one")] == [True]


def test_how_a_long_session_began_is_in_its_brief(noting, told, monkeypatch):
    """A work record reads only the end of a long transcript: the notes know the first prompt and the early rules, and nothing is told twice."""
    noting.says(10_000, prompt="Build the tide table. From now on, always round the heights down.")
    for step in range(1, 5):
        noting.says(10_000 + 6_000 * step, prompt=f"Go on with harbour {step}. {'Mind the moon. ' * 80}")
    assert kept(told.layout, "one").began == ()
    assert tells(noting, told) == (1, 1)
    monkeypatch.setattr(session_work, "AT_MOST", os.path.getsize(noting.state.transcript_path) // 2)
    assert [section for section, _ in kept(told.layout, "one").began] == ["asked", "rules"]
    assert tells(noting, told) == (1, 1)
    os.unlink(os.path.join(told.layout.captures("one"), "notes.known"))
    assert tells(noting, told) == (0, 0)


def tells(noting, told):
    """How often a brief tells the first prompt, and the rule in it."""
    text = brief(
        Accounts(told.layout).of(noting.state), budget=4_000, source="compact", extras=kept(told.layout, "one")
    )
    return text.count("Build the tide table."), text.count("always round the heights down")


def test_a_path_may_hold_half_a_letter(told):
    """An agent may say anything: no file has such a name, and nothing fails over it."""
    told.asked("Explain the tides.", "High water comes twice a day.")
    state = attr.evolve(told.state(), transcript_path=f"{told.layout.root}/\ud83d.jsonl")
    assert NoteKeeper(told.layout, DEFAULTS).keep(state, now=True)
    assert notes.read(told.layout, "one") == ""


def test_where_the_waiting_part_cannot_be_read_all_is_read_anew(noting, monkeypatch):
    """Something else stands there for a moment: what waited is not left out."""

    class Gone:
        @staticmethod
        def between(*_):
            raise IsADirectoryError

    assert noting.says(10_000)
    assert not noting.says(12_000, "Wait for it.")
    monkeypatch.setattr(keeping, "again_of", lambda _: Gone)
    assert noting.says(15_000)
    assert any("Wait for it." in line for line in noting.section(WORKLOG))


@pytest.mark.parametrize("agent", ["claude", "nobody's"])
def test_where_there_is_nothing_to_read_nothing_is_kept(told, agent):
    """No transcript, or nobody who reads it: that is no failure, and leaves no file."""
    told.asked("Explain the tides.", "High water comes twice a day.")
    state = attr.evolve(told.state(), agent=agent, transcript_path=f"{told.layout.root}/gone.jsonl")
    assert NoteKeeper(told.layout, DEFAULTS).keep(state, now=True)
    assert notes.read(told.layout, "one") == ""
    assert not os.path.exists(notes_basis.path(told.layout, "one"))


def test_little_news_wait_and_are_read_with_what_comes_next(noting, monkeypatch):
    """Where nothing is due they are only counted: what was gathered stays as it was, and nothing is missing later."""
    noting.says(10_000)
    gathered = notes_basis.load(noting.layout, "one")
    noting.says(11_000, prompt="First little thing.")
    noting.says(12_000, prompt="Second little thing.")
    assert notes_basis.load(noting.layout, "one") == gathered
    assert noting.says(15_000)
    log = " ".join(noting.section(WORKLOG))
    assert "First little thing." in log
    assert "Second little thing." in log
    assert len(noting.section(WORKLOG)) == 4
    monkeypatch.setattr(keeping, "_LITTLE", 0)
    noting.says(16_000)
    assert notes_basis.load(noting.layout, "one")["known"]["turn"] == 5


def test_a_compaction_between_two_little_turns_is_counted(noting, told):
    """What came before it and what came after it, although the window is emptier than it was."""
    noting.says(10_000)
    assert not noting.says(14_000)
    told.script.compacts("The story so far.")
    assert noting.says(3_000)


def test_numbers_that_were_damaged_are_counted_again(noting, told):
    """The few numbers that are kept by themselves can be lost, too."""
    noting.says(10_000)
    noting.says(12_000)
    path = f"{noting.layout.captures('one')}/notes.known"
    with open(path, "r+b") as file:
        file.write(b"garbage" * 8)
    assert noting.says(15_000)
    assert len(noting.section(WORKLOG)) == 3


def test_while_nothing_is_due_nothing_that_writes_is_loaded(noting, told):
    """A turn end that only counts does not pay for the modules that gather and write."""
    code = (
        "import sys; from tapehead.notes.notes_keeper import NoteKeeper; from tapehead.agents.claude.transcript import read;"
        "from tapehead.settings.loading import DEFAULTS; from tapehead.store.paths import Layout;"
        "from tapehead.store.state import State; path = sys.argv[2]; reading = read(path);"
        "state = State('one', agent='claude', transcript_path=path);"
        "keeper = NoteKeeper(Layout(sys.argv[1]), DEFAULTS, {'one': (path, 0, reading)});"
        "print(keeper.keep(state), *sys.modules)"
    )
    noting.says(4_000)
    run = [sys.executable, "-c", code, told.layout.root + "-new", noting.state.transcript_path]
    done, *loaded = subprocess.run(run, check=True, capture_output=True, text=True, env=os.environ).stdout.split()
    assert done == "True"
    assert "tapehead.documents.notes_file" in loaded
    assert not {"tapehead.notes.gathering", "tapehead.documents.section_merge", "tapehead.work_record.step_row"} & {
        *loaded
    }


def test_where_the_host_counts_little_nothing_is_read(told, monkeypatch):
    """Another process has ingested; the window says that nothing can be due."""
    told.asked("Explain the tides.", "High water comes twice a day.")
    state = attr.evolve(told.state(), context_tokens=100, phase=Phase.IDLE)
    monkeypatch.setattr(keeping, "reader_of", lambda _: pytest.fail("it was read"))
    NoteKeeper(told.layout, DEFAULTS).keep(state)
    assert notes_basis.load(told.layout, "one") == {}


def test_numbers_of_other_news_are_counted_anew(noting):
    """Where the numbers and the rest beside the notes do not go together, the transcript is read from where the notes stopped."""
    noting.says(10_000)
    noting.says(11_000, prompt="A little thing.")
    with Beside(noting.layout, "one") as kept:
        waiting = kept.counted()
    known = keeping.read_counts(waiting, noting.state.transcript_path)
    with Beside(noting.layout, "one") as kept:
        kept.count([*known._replace(known=known.known + 1)])
    assert noting.says(17_000)
    assert "A little thing." in " ".join(noting.section(WORKLOG))


def test_what_another_version_gathered_is_gathered_again(noting):
    """With a field that nobody knows: nothing is lost, since the transcript has it all."""
    noting.says(10_000, prompt="The first thing.")
    kept_beside = notes_basis.load(noting.layout, "one")
    keep_beside(noting.layout, {**kept_beside, "known": {**kept_beside["known"], "unheard_of": 1}})
    assert noting.says(16_000, prompt="The second thing.")
    log = " ".join(noting.section(WORKLOG))
    assert "The first thing." in log
    assert "The second thing." in log


def test_what_a_former_version_took_for_a_rule_stays_no_rule(noting):
    """Its notes have the same shape, so only the version says that they are made again."""
    noting.says(10_000, prompt="Never use tabs.")
    kept = notes_basis.load(noting.layout, "one")
    former = json.loads(json.dumps(kept).replace("Never use tabs.", "Never trust a paste."))
    keep_beside(noting.layout, {**former, "version": keeping.VERSION - 1})
    assert noting.says(16_000, prompt="The second thing.")
    known = json.dumps(notes_basis.load(noting.layout, "one")["known"])
    assert "Never trust a paste." not in known
    assert "Never use tabs." in known
