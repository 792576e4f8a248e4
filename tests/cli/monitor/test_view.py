"""The monitor's picture, to the letter."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tapehead.cli.monitor.rows import Context, Row
from tapehead.cli.monitor.view import age, bar, in_order, picture
from tapehead.statemachine.vocabulary import Phase
from tapehead.store.state import TokenUsage
from tapehead.tokens.window import Margins, Thresholds

NOW = datetime(2026, 11, 15, 14, 23, tzinfo=UTC)


def context(used, window=200_000, turns_left=None):
    marks = Thresholds(window, Margins())
    return Context(used, window, marks.marks, marks.level(used), marks.percent_left(used), turns_left)


ROW = Row(
    session_id="3f2a91c0-1111",
    project="shop",
    phase=Phase.ACTIVE,
    gone=False,
    agent="claude",
    model="claude-opus-5-5",
    context=context(82_000, turns_left=6),
    tokens=TokenUsage(input=1_200, output=45_000, cache_read=8_000_000, cache_creation=100_000),
    cost=1.234,
    active_at=NOW - timedelta(seconds=10),
    compactions=2,
    worktree="/home/someone/shop",
    branch="main",
)


def but(**fields):
    return attrs.evolve(ROW, **fields)


ROWS = [
    ROW,
    but(
        session_id="77",
        phase=Phase.IDLE,
        context=Context(used=1_500),
        tokens=TokenUsage(),
        cost=None,
        compactions=0,
        worktree="/home/someone/shop-fix",
        branch="fix/cart",
        active_at=NOW - timedelta(minutes=3),
    ),
    but(session_id="aaaaaaaa-2", phase=Phase.ENDED, branch="", active_at=NOW - timedelta(days=2, hours=3)),
    but(session_id="bbbbbbbb-2", phase=Phase.HALTED, gone=True, model="", branch="", active_at=None),
]


def drawn(rows, width, height=None):
    return [line.plain for line in picture(rows, NOW, width, height)]


def test_in_80_columns():
    """Who and where on one line, the bar with its mark and the numbers below; what is over takes one line."""
    assert drawn(ROWS, 80) == [
        "tapehead · shop · 4 sessions · 1 active",
        "",
        "ACTIVE     3f2a91c0   claude   opus-5-5   shop on main                  just now",
        "  ██████████████░░░░░░░░░░░░░░│░   82k of 167k, 50% left   about 6 turns to go",
        "  in 1k  out 45k  cached 8.1M   $1.23   2 compactions",
        "",
        "IDLE       77   claude   opus-5-5   shop-fix on fix/cart               3 min ago",
        "  context 2k, window not known",
        "",
        "ENDED      aaaaaaaa   claude   opus-5-5   shop                   $1.23   2 d ago",
        "HALTED     bbbbbbbb   claude   shop   its process is gone              $1.23   -",
    ]


def test_in_120_columns():
    """The same with more on a line."""
    assert drawn(ROWS[:1], 120) == [
        "tapehead · shop · 1 session · 1 active",
        "",
        "ACTIVE     3f2a91c0   claude   opus-5-5   shop on main                                                          just now",
        "  ██████████████░░░░░░░░░░░░░░│░   82k of 167k, 50% left   about 6 turns to go   in 1k  out 45k  cached 8.1M   $1.23",
        "  2 compactions",
    ]


@pytest.mark.parametrize(
    ("worktree", "branch", "said"),
    [
        ("/w/shop", "", "shop "),
        ("/w/shop-2/", "x", "shop-2 on x"),
        ("/w/other", "x", "shop/other on x"),
        ("", "x", "shop on x"),
    ],
)
def test_where_it_works(worktree, branch, said):
    """The worktree by its own name, with the project's where it has not got that in it."""
    assert f"   {said}" in drawn([but(worktree=worktree, branch=branch)], 80)[2]


def test_without_sessions_it_says_how_to_have_some():
    """Nobody is left in front of an empty screen."""
    assert drawn([], 80, 24) == [
        "tapehead · 0 sessions · 0 active".ljust(80 - len("q quits")) + "q quits",
        "",
        "No session recorded here yet. Start your agent; see also `tapehead doctor`.",
    ]


def test_what_does_not_fit_on_the_screen_is_counted():
    """The newest open ones are shown; the last line says how many are not, and how to see them."""
    rows = [but(session_id=f"{number:08}", active_at=NOW - timedelta(minutes=number)) for number in range(50)]
    lines = drawn(rows, 80, 24)
    assert len(lines) <= 24
    assert [line.split()[1] for line in lines if line.startswith("ACTIVE")] == [f"{number:08}" for number in range(5)]
    assert lines[-1] == "  … and 45 more: `tapehead monitor --once` shows all"
    assert len(drawn(rows, 80)) == 1 + 50 * 4


def test_several_projects_are_counted():
    """And each session says which is its own."""
    lines = drawn([ROW, but(session_id="x", project="blog", worktree="/w/blog")], 80)
    assert lines[0] == "tapehead · 2 projects · 2 sessions · 2 active"
    assert any("blog on main" in line for line in lines)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Context(), "  context not known yet"),
        (
            Context(window=200_000, marks=Thresholds(200_000, Margins()).marks),
            "  context not known yet, compacts at 167k",
        ),
        (
            context(168_000, turns_left=0),
            "  ████████████████████████████│█   168k of 167k, compaction is due   at its end",
        ),
        (context(199_000), "  ████████████████████████████│█   199k of 167k, full"),
        (context(1_000, turns_left=1), "  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░│░   1k of 167k, 99% left   about 1 turn to go"),
    ],
)
def test_the_context(found, said):
    """What is known of it, and no more."""
    row = but(context=found, tokens=TokenUsage(), cost=None, compactions=0)
    assert drawn([row], 80)[3] == said


def test_the_colours_say_how_it_stands():
    """The phase and the level; the words are there without them."""
    (_, _, head, numbers, _) = picture([but(context=context(162_000))], NOW, 80)
    assert {str(span.style) for span in head.spans} == {"green", "bold"}
    assert "red" in {str(span.style) for span in numbers.spans}


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-5, "just now"), (59, "just now"), (60, "1 min ago"), (7_200, "2 h ago"), (200_000, "2 d ago")],
)
def test_an_age_has_no_seconds(seconds, said):
    """Otherwise the picture would change all the time."""
    assert age(NOW - timedelta(seconds=seconds), NOW) == said


def test_open_ones_first_then_the_newest():
    """Whatever order they come in."""
    assert [row.session_id for row in in_order(ROWS[::-1])] == ["3f2a91c0-1111", "77", "aaaaaaaa-2", "bbbbbbbb-2"]


_TEXTS = st.text(max_size=90)
_ROWS = st.builds(
    Row,
    session_id=st.text(min_size=1),
    project=_TEXTS,
    phase=st.sampled_from([*Phase]),
    gone=st.booleans(),
    agent=_TEXTS,
    model=_TEXTS,
    context=st.builds(context, st.integers(0, 10**9), st.integers(1, 10**9), st.none() | st.integers(0, 10**6))
    | st.just(Context()),
    tokens=st.builds(TokenUsage, *[st.integers(0, 10**12)] * 4),
    cost=st.none() | st.floats(0, 1e9),
    active_at=st.none() | st.datetimes(timezones=st.just(UTC)),
    compactions=st.integers(0, 10**6),
    worktree=_TEXTS,
    branch=_TEXTS,
)


@given(st.lists(_ROWS, max_size=6), st.integers(1, 250), st.none() | st.integers(1, 60))
def test_it_never_leaves_the_screen(rows, width, height):
    """For any rows and any size: no line wider, no more lines than there are, and no letter that moves the cursor."""
    lines = drawn(rows, width, height)
    assert all(cell_len(line) <= max(40, width) for line in lines)
    assert height is None or len(lines) <= height
    assert all(line.isprintable() for line in lines)


@given(st.integers(0, 10**7), st.integers(1, 10**6), st.integers(5, 60))
def test_the_bar_has_its_width(used, window, width):
    """Whatever is used of whatever window."""
    assert len(bar(context(used, window), width)) == width


def test_sessions_that_begin_alike_are_told_apart():
    """As many letters as it takes; the others keep their eight."""
    rows = [but(session_id=f"abababab-{letter}{letter}") for letter in "xy"]
    rows.append(but(session_id="3f2a91c0-1111", phase=Phase.ENDED))
    heads = [line.plain for line in picture(rows, NOW, 100) if "ago" in line.plain or "just now" in line.plain]
    assert [head.split()[1] for head in heads] == ["abababab-y", "abababab-x", "3f2a91c0"]


def test_what_an_ended_session_cost():
    """Stands on its one line, never cut for a long name."""
    for width in (80, 120):
        (line,) = drawn([but(phase=Phase.ENDED, cost=12.5, branch="x" * 100)], width)[2:]
        assert line.endswith("$12.50   just now")
        assert len(line) == width
