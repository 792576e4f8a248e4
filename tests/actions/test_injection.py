"""How much each kind of start is told, and why."""

from __future__ import annotations

import os
from datetime import timedelta

import attr
import pytest

from tapehead.actions.brief_keeper import BriefKeeper
from tapehead.actions.injection import decide
from tapehead.actions.opening import POINTER_CHARACTERS, pointer_to
from tapehead.agents.claude.hooks import LIMIT
from tapehead.brief.repository_state import Repo
from tapehead.memories.memory import Memory
from tapehead.memories.memory_files import Shelf
from tapehead.settings.loading import DEFAULTS, Settings
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import batons, captures
from tapehead.store.paths import place_name
from tapehead.store.state import State

KINDS = [
    ("compact", {}, "full"),
    ("compact", {"predecessor": "a", "predecessor_rule": 1}, "full"),
    ("clear", {"predecessor": "a", "predecessor_rule": 2}, "full"),
    ("clear", {"predecessor": "a", "predecessor_rule": 1}, "full"),
    ("clear", {"predecessor": "a", "predecessor_rule": 6}, "pointer"),
    ("startup", {"predecessor": "a", "predecessor_rule": 1}, "full"),
    ("startup", {"predecessor": "a", "predecessor_rule": 1, "handoff_cleared": True}, "pointer"),
    ("startup", {"predecessor": "a", "predecessor_rule": 3}, "pointer"),
    ("startup", {"predecessor": "a", "predecessor_rule": 6}, "pointer"),
    ("resume", {"turn_number": 4}, "pointer"),
    ("fork", {"predecessor": "a", "predecessor_rule": 7}, "pointer"),
    ("startup", {"turns_before": 4}, "pointer"),
    ("unrecorded", {"turn_number": 4, "predecessor": "a", "predecessor_rule": 6}, "full"),
    ("resume", {"turn_number": 4, "compaction_count": 2, "compactions_told": 1}, "full"),
    ("resume", {"turn_number": 4, "compaction_count": 2, "compactions_told": 2}, "pointer"),
]


@pytest.mark.parametrize(("source", "known", "amount"), KINDS)
def test_each_kind_of_start_is_given_its_amount(source, known, amount):
    """Whole only where the conversation was lost or handed over."""
    told = decide(State("s", start_source=source, **known), DEFAULTS)
    assert told.amount == amount
    assert told.why


@pytest.mark.parametrize("name", ["compact", "clear", "start", "resume"])
@pytest.mark.parametrize("amount", ["full", "pointer", "off"])
def test_each_kind_has_a_setting_that_is_obeyed(name, amount):
    """And the reason says so where it is off."""
    source = "startup" if name == "start" else name
    told = decide(State("s", start_source=source), Settings({f"restore.on_{name}": (amount, "")}))
    assert told.amount == amount
    assert (told.why == f"restore.on_{name} is off") is (amount == "off")


def resumed(told, **settings):
    keeper = BriefKeeper(told.layout, Settings({name: (value, "") for name, value in settings.items()}))
    return keeper.hand_back(attr.evolve(told.state(), start_source="resume"), LIMIT)


@pytest.fixture
def ended(told, monkeypatch):
    """A session that ended in a repository."""
    monkeypatch.setattr("tapehead.actions.capture_keeper.look", lambda _: Repo("main", "a" * 40, [" M one.py"]))
    told.asked("Rename to_csv to write_csv. Never touch the public API.", "Renamed it, and the tests pass.")
    told.hears(Event.SESSION_STOP, reason="other")
    return told


def test_a_resume_loads_the_conversation_and_is_told_nothing_of_it(ended):
    """Seven resumes leave seven times nothing."""
    for _ in range(7):
        handed = resumed(ended)
        assert handed.text == ""
        assert handed.remembered["why"] == "the conversation was loaded again, and nothing changed meanwhile"


def test_a_resume_is_told_what_changed_meanwhile(ended, monkeypatch):
    """The branch, the commits and the files, and not a word of the brief."""
    monkeypatch.setattr("tapehead.actions.capture_keeper.look", lambda _: Repo("topic", "b" * 40, [" M two.py"]))
    monkeypatch.setattr("tapehead.git.run.recent_commits", lambda *_, **__: ["1f3a9c2 Fix the importer"])
    text = resumed(ended).text
    assert "branch was main, now topic" in text
    assert "- Commit 1f3a9c2 Fix the importer" in text
    assert "to_csv" not in text
    assert len(text) < 600


def test_a_resume_after_a_kill_is_told_so_in_a_line(told):
    """The record may lack the last words."""
    told.asked("Write the parser.")
    told.hears(Event.PROCESS_LOST)
    told.hears(Event.SESSION_START, source="resume")
    told.hears(Event.TURN_START, prompt="go on")
    text = resumed(told).text
    assert "It stopped in mid-turn, after the prompt “Write the parser.”" in text
    assert len(text.splitlines()) == 2


def test_a_session_that_starts_again_is_known_by_its_turns(told):
    """Some agents do not say that they resumed."""
    told.asked("Write the parser.", "It is written.")
    told.hears(Event.SESSION_START, source="startup")
    told.hears(Event.TURN_START, prompt="go on")
    assert decide(told.state(), DEFAULTS).kind == "resume"


def test_the_memo_that_a_session_began_with_is_not_told_again(ended):
    """It stands in the conversation."""
    captures.keep_memo(ended.layout, "one", "next: the lexer")
    handed = resumed(ended)
    assert (handed.text, handed.remembered["memo"]) == ("", False)


def test_a_resume_is_told_what_others_left_for_it(ended):
    """A memo of a handoff and a memory saved meanwhile; what was there before, and what it said itself, it knows."""
    shelf = Shelf(ended.layout)
    for name, source, years in (("old", "by hand", -1), ("own", "session one, turn 1", 1), ("new", "by hand", 1)):
        shelf.save(Memory(name, "feedback", f"Rule {name}", "text", source))
        at = (ended.state().captured_at + timedelta(days=365 * years)).timestamp()
        os.utime(os.path.join(shelf.directory, f"{name}.md"), (at, at))
    place = place_name(ended.state().worktree_id)
    offered = (ended.state().captured_at + timedelta(hours=1)).isoformat()
    batons.offer(ended.layout, place, "one", offered, "next: the lexer")
    assert resumed(ended).text.splitlines()[1:] == [
        "- A handoff was offered, with the memo “next: the lexer”",
        "- Remembered meanwhile: Rule new (feedback: new)",
    ]
    batons.offer(ended.layout, place, "one", (ended.state().captured_at - timedelta(hours=1)).isoformat(), "before")
    assert "memo" not in resumed(ended).text


def test_who_wants_the_whole_brief_at_a_resume_gets_it(ended):
    """By the setting."""
    assert "Never touch the public API" in resumed(ended, **{"restore.on_resume": "full"}).text
    assert resumed(ended, **{"restore.on_resume": "off"}).text == ""


def test_a_decision_to_say_nothing_is_on_the_tape_with_its_reason(ended):
    """And owes nothing: no delivery is awaited."""
    reply = ended.hears(Event.SESSION_START, source="resume", facts=[Fact.HAS_STORY], hook="SessionStart")
    assert reply.context == ""
    (note,) = ended.notes("restored")
    assert (note["amount"], note["tokens"]) == ("off", 0)
    assert "nothing changed meanwhile" in note["why"]
    state = ended.state()
    assert (state.pending_restore, state.awaiting_receipt) == ("", "")


def test_a_second_compaction_says_that_it_replaces_the_first_text(told):
    """The model may still have words of it."""
    told.asked("Write the parser.", "The parser is half done.")
    assert "This replaces" not in told.compacted()
    told.asked("Go on with the lexer.", "The lexer is done.")
    assert "This replaces what tapehead said before." in told.compacted()


def test_a_pointer_is_at_most_sixty_tokens():
    """However long the prompt and the id are."""
    long = State("i" * 128, last_prompt="fix " * 400, turn_number=3)
    assert len(pointer_to(long)) <= POINTER_CHARACTERS + 1
    assert f"`tapehead brief --session {'i' * 40}`" in pointer_to(long)
    assert "3 turns" in pointer_to(State("short-id", turn_number=3))
    assert len(pointer_to(long, "compact")) <= POINTER_CHARACTERS + 1
    assert "before its context was compacted" in pointer_to(long, "compact")


def test_a_handoff_hands_over_all_that_a_clear_does(told):
    """Files, commands and last changes too: below its first line it is the same brief."""
    told.script.human("Write the parser.").run("pytest -q tests/test_parser.py", "3 passed").agent(
        "The parser is done."
    )
    told.write()
    told.hears(Event.TURN_START, prompt="Write the parser.")
    told.hears(Event.TURN_END, reply="The parser is done.")
    told.hears(Event.SESSION_STOP, reason="other")
    heirs = [
        State("two", start_source=source, predecessor="one", predecessor_rule=1) for source in ("startup", "clear")
    ]
    handed, cleared = (told.keeper.hand_back(heir, LIMIT).text.splitlines() for heir in heirs)
    assert handed[1:] == cleared[1:]
    assert any("pytest -q tests/test_parser.py" in line for line in handed)


def test_who_missed_a_handoff_is_told_that_another_session_took_it(told):
    """It was expected here."""
    told.asked("Write the parser.", "The parser is half done.")
    data = {"handoff_missed": "the handoff of session one was taken by another session"}
    reply = told.hears(
        Event.SESSION_START, "two", source="startup", facts=[Fact.HAS_STORY], hook="SessionStart", **data
    )
    assert reply.context.startswith("tapehead: the handoff of session one was taken by another session.")
