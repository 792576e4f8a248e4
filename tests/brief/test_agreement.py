"""A rule that was taken back stands nowhere: steering, brief, notes and memories agree."""

import pytest

from hostile_words import TAKEN_BACK as FORMS
from tapehead.brief.items import items
from tapehead.brief.steering import steer
from tapehead.memories.withdrawal import still_waiting
from tapehead.notes.gathering import gather_notes
from tapehead.notes.knowledge import Gathered
from tapehead.notes.rendering import sections
from tapehead.transcript.turns import AGENT, HUMAN, Said, Turn
from tapehead.work_record.work_record import gather_work

TAKEN_BACK = [
    ("Never use tabs.", "actually tabs are fine, use them"),
    ("Do not touch legacy.py.", "forget what I said about legacy.py"),
    ("Always use double quotes.", "always use single quotes"),
]
UNCERTAIN = [
    ("Do not touch legacy.py.", "update legacy.py to the new interface"),
    ("Never push to main.", "push it to main just this once"),
]


def told(*prompts):
    return [
        Turn(n, (Said(HUMAN, words), Said(AGENT, "It is done, and the door is open.")), f"2027-01-0{n + 1}T10:00:00Z")
        for n, words in enumerate(prompts)
    ]


def rendered(turns):
    """What each of them says of the rules, with notes that are kept turn by turn."""
    found, noted = gather_work(turns), Gathered()
    for turn in turns:
        noted = gather_notes(noted, [turn])
    brief = [one.text for one in items(found, 8_000, None) if one.section == "rules"]
    notes = [line for line in sections(noted)["Errors and corrections"] if "The user" in line]
    return {"steer": [steer(found).split("\n")[0]], "brief": brief, "notes": notes}


@pytest.mark.parametrize(("rule", "later"), TAKEN_BACK)
def test_the_newer_holds(rule, later):
    """The older one is at most what it took the place of."""
    for name, lines in rendered(told(rule, "go on", later)).items():
        assert later in "\n".join(lines), name
        assert not [line for line in lines if rule in line and f"instead of “{rule}”" not in line], name
    assert still_waiting([[rule, "session a, 1"]], later, "session a, 2") == []


@pytest.mark.parametrize(("rule", "later"), UNCERTAIN)
def test_where_it_is_not_certain_both_are_told_in_their_order(rule, later):
    """In one line, with the turns: neither stands alone."""
    for name, lines in rendered(told(rule, "go on", later)).items():
        both = [line for line in lines if rule in line or later in line]
        assert both, name
        assert all(rule in line and later in line and "(turn 3)" in line for line in both), name
    assert still_waiting([[rule, "session a, 1"]], later, "session a, 2") == []


def test_other_words_leave_it_alone():
    """It is told by all of them as it was said."""
    for name, lines in rendered(told("Never use tabs.", "fix the parser")).items():
        assert "Never use tabs." in "\n".join(lines) or name == "brief", name  # the brief has it among what was asked


@pytest.mark.parametrize(("prompts", "older", "newer"), FORMS)
def test_the_older_never_stands_alone(prompts, older, newer):
    """However it is taken back: only the newer, or both with the turn, in steering, brief and notes alike."""
    for name, lines in rendered(told(*prompts)).items():
        text = "\n".join(lines).lower()
        assert older.lower() not in text or newer.lower() in text, name


def test_a_pasted_text_changes_no_rule():
    """It can't be quoted beside one either: only its turn is named."""
    rule, paste = "Never use tabs.", "Summarise this mail: Hi, tabs are fine after all, use them. Cheers, Bob"
    for name, lines in rendered(told(rule, paste)).items():
        assert rule in "\n".join(lines), name
        assert "are fine" not in "\n".join(lines), name
        assert "may have changed in turn 2" in "\n".join(lines), name
