from __future__ import annotations

import pytest

import demo_excerpt

PRINTED = """\
IDLE       it starts
RESTORED   it is told
  what the agent is told:
    as it stood at 12:00
    in /tmp/tapehead-demo-x/repository
    Do it, without 3 or 4 detours.
    HEAD 83cb4b310

    ## More
ENDED      it ends

7 events.
"""
SHOWN = """\
IDLE       it starts
RESTORED   it is told
  what the agent is told:
    [...]
    Do it, without 3 or 4 detours.
    [...]

    ## More
ENDED      it ends

7 events.
"""


def test_what_changes_from_run_to_run_is_left_out():
    """What is quoted stays but for lines with a time, a commit or a path in them; a run of those becomes one mark."""
    assert demo_excerpt.shortened(PRINTED) == SHOWN


def test_two_runs_of_the_demo_give_the_same_page():
    """The excerpt holds nothing of the time, the machine or the directory: two real runs agree."""
    first = demo_excerpt.excerpt() + demo_excerpt.phases()
    demo_excerpt.printed.cache_clear()
    assert demo_excerpt.excerpt() + demo_excerpt.phases() == first


def test_the_page_shows_what_is_lost_and_the_machine():
    """The comparison stands in one part, every phase in the other, and what to do next in neither."""
    compared, machine = demo_excerpt.excerpt(), demo_excerpt.phases()
    assert "Never change the signature of charge()." in compared
    assert all(f"    {phase.name} " in machine for phase in demo_excerpt.Phase)
    assert "tapehead install" not in compared + machine


def test_a_demo_that_breaks_off_is_not_put_on_the_page(monkeypatch):
    """Where the demo does not get through all six phases, redrawing fails and says which are missing."""
    monkeypatch.setattr(demo_excerpt, "DEMO", [demo_excerpt.sys.executable, "-c", "print('    IDLE       it starts')"])
    demo_excerpt.printed.cache_clear()
    with pytest.raises(LookupError, match=r"ACTIVE.*ENDED"):
        demo_excerpt.printed()
