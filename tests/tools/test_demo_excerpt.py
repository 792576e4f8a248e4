from __future__ import annotations

import pytest

import demo_excerpt

PRINTED = """\
IDLE       it starts
RESTORED   it is told
  what the agent is told:
    at 12:00, 3e4f
    and more

    ## Focus
    > Do it.

    ## Work tree
    Branch main at 3e4f.
ENDED      it ends

7 events.
"""
SHOWN = """\
IDLE       it starts
RESTORED   it is told
  what the agent is told:
    [...]
    ## Focus
    > Do it.
    ## Work tree
    [...]
ENDED      it ends

7 events.
"""


def test_what_changes_from_run_to_run_is_left_out():
    """Phases, headings and quoted words stay; a run of other lines of what is quoted becomes one mark."""
    assert demo_excerpt.shortened(PRINTED) == SHOWN


def test_two_runs_of_the_demo_give_the_same_page():
    """The excerpt holds nothing of the time, the machine or the directory: two real runs agree."""
    first = demo_excerpt.excerpt()
    demo_excerpt.printed.cache_clear()
    assert demo_excerpt.excerpt() == first


def test_a_demo_that_breaks_off_is_not_put_on_the_page(monkeypatch):
    """Where the demo does not get through all six phases, redrawing fails and says which are missing."""
    monkeypatch.setattr(demo_excerpt, "DEMO", [demo_excerpt.sys.executable, "-c", "print('IDLE       it starts')"])
    demo_excerpt.printed.cache_clear()
    with pytest.raises(LookupError, match=r"ACTIVE.*ENDED"):
        demo_excerpt.printed()
