"""Where new entries stand: a crowd at one moment costs each of them a few looks, however large it is."""

from tapehead.history.entry_ids import Plan

LOOKS = 64


def rows(moments):
    return [(f"s{n}", n, 2, "human", "prompt", "", "", "", "", "", "", at, "", "") for n, at in enumerate(moments)]


def looks_for(moments):
    """How many looks the rows of such moments take, in batches as an import writes them."""
    taken, looks, last = set(), 0, 0

    def is_taken(ident):
        nonlocal looks
        looks += 1
        return ident in taken

    ready = rows(moments)
    for start in range(0, len(ready), 500):
        plan = Plan(lambda _: 1, is_taken)
        last = plan.add(1, ready[start : start + 500], last, {})
        assert not taken & plan.entries.keys()
        taken |= plan.entries.keys()
    assert len(taken) == len(ready)
    return looks


def test_a_clock_that_jumps():
    """Every second row has the very same moment: no row looks through all that stand there."""
    assert looks_for([10**12 if n % 2 else 10**12 + n * 10**7 for n in range(6_000)]) < LOOKS * 6_000


def test_a_clock_that_goes_round():
    """The same hour again and again."""
    assert looks_for([10**12 + n % 1_800 * 2_000 for n in range(12_000)]) < LOOKS * 12_000


def test_the_place_before_each_is_free():
    """It is for a turn's line, which would look for one through all that stand before it."""
    plan = Plan(lambda _: 1)
    plan.add(1, rows([10**12 if n % 2 else 10**12 + n * 10**7 for n in range(2_000)]), 0, {})
    assert not any(ident - 1 in plan.entries for ident in plan.entries)
