from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from tapehead.store import batons, lock
from tapehead.store.paths import Layout

PROCESS = {"pid": 1, "pid_started": "1"}


@pytest.fixture
def layout(tmp_path):
    return Layout(str(tmp_path / "store"))


def put(layout, text):
    os.makedirs(os.path.dirname(layout.baton("main")), exist_ok=True)
    with open(layout.baton("main"), "w", encoding="utf-8") as file:
        file.write(text)


def test_a_baton_is_offered_leased_and_used_up_once(layout):
    """The next start holds it; its first prompt uses it up; after that there is none, however often it is asked for."""
    assert batons.lease(layout, "main", "next", PROCESS) is None
    batons.offer(layout, "main", "first", "2027-01-01T00:00:00+00:00")
    leased = batons.lease(layout, "main", "next", PROCESS)
    assert (leased["session"], leased["leased_by"], leased["lease_process"]) == ("first", "next", PROCESS)
    assert batons.take(layout, "main", "next")
    assert not batons.take(layout, "main", "next")
    assert batons.look(layout, "main") is None


def test_only_the_holder_takes(layout):
    """A start that does not hold the lease cannot use the baton up, nor can anyone before there is a lease."""
    batons.offer(layout, "main", "first", "x")
    assert not batons.take(layout, "main", "next")
    batons.lease(layout, "main", "next", PROCESS)
    assert not batons.take(layout, "main", "other")
    assert batons.look(layout, "main")["leased_by"] == "next"


def test_a_lease_is_exclusive_until_it_is_void(layout):
    """Another start gets nothing while the lease counts; a holder that was seen to be gone counts no more, another one does."""
    batons.offer(layout, "main", "first", "x")
    batons.lease(layout, "main", "ghost", PROCESS)
    assert batons.lease(layout, "main", "next", PROCESS) is None
    assert batons.lease(layout, "main", "next", PROCESS, void="somebody") is None
    assert batons.lease(layout, "main", "next", PROCESS, void="ghost")["leased_by"] == "next"
    assert batons.lease(layout, "main", "late", PROCESS, void="ghost") is None


def test_a_lease_said_again_changes_nothing(layout):
    """The same start may ask again: it holds the same lease, and the file is not written twice."""
    batons.offer(layout, "main", "first", "x")
    once = batons.lease(layout, "main", "next", PROCESS)
    before = os.stat(layout.baton("main")).st_ino
    assert batons.lease(layout, "main", "next", PROCESS) == once
    assert os.stat(layout.baton("main")).st_ino == before


def test_a_second_offer_replaces_the_first(layout):
    """The newest offer lies there, unleased; a memo stays with its session when that is offered again, and with no other."""
    batons.offer(layout, "main", "first", "1", memo="mind the gap")
    batons.lease(layout, "main", "next", PROCESS)
    batons.offer(layout, "main", "first", "2")
    assert batons.look(layout, "main") == {"session": "first", "offered_at": "2", "memo": "mind the gap"}
    batons.offer(layout, "main", "second", "3")
    assert batons.look(layout, "main")["memo"] == ""


@pytest.mark.parametrize(("keeps", "memo"), [(3600, ""), (4 * 3600, "mind the gap")])
def test_a_memo_is_kept_as_long_as_its_baton_is_good(layout, keeps, memo):
    """A handoff of another session without a memo keeps the one that lies there while that is good, and no longer."""
    batons.offer(layout, "main", "first", "2027-01-01T00:00:00+00:00", memo="mind the gap")
    kept = batons.offer(layout, "main", "second", "2027-01-01T02:00:00+00:00", keeps=keeps)
    assert kept == batons.look(layout, "main")
    assert kept["memo"] == memo


def test_blank_text_is_no_memo(layout):
    """It replaces none."""
    batons.offer(layout, "main", "first", "1", memo="mind the gap")
    assert batons.offer(layout, "main", "first", "2", memo=" \n ")["memo"] == "mind the gap"


def test_a_cleared_session_takes_nothing_away(layout):
    """What was handed over by name stays beside it, with its memo; each is leased and used up by itself."""
    batons.offer(layout, "main", "named", "1", memo="mind the gap")
    cleared = batons.offer_cleared(layout, "main", "cleared", "2", PROCESS, host="claude")
    assert batons.names(layout, "main") == ["main", cleared]
    assert batons.lease(layout, cleared, "next", PROCESS)["session"] == "cleared"
    assert batons.take(layout, "main", "next") == cleared
    assert batons.look(layout, "main") == {"session": "named", "offered_at": "1", "memo": "mind the gap"}


def test_one_session_is_handed_over_once(layout):
    """Named and then cleared, or cleared and then named: one baton, with the memo."""
    batons.offer(layout, "main", "one", "1", memo="mind the gap")
    assert batons.offer_cleared(layout, "main", "one", "2", PROCESS, host="claude") == "main"
    assert batons.look(layout, "main") == {"session": "one", "offered_at": "2", "memo": "mind the gap"}
    batons.offer(layout, "wt-a", "other", "1")
    batons.offer_cleared(layout, "wt-a", "one", "2", PROCESS, host="claude")
    batons.offer(layout, "wt-a", "one", "3", memo="word")
    assert batons.names(layout, "wt-a") == ["wt-a"]


@pytest.mark.parametrize("taken", ["to another agent", "by another start"])
def test_what_is_named_for_another_leaves_the_cleared_one_its_own(layout, taken):
    """A session that was handed to another agent, or that another start holds, and is then cleared, is left for both."""
    batons.offer(layout, "main", "one", "1", to="codex" if taken == "to another agent" else "")
    if taken == "by another start":
        batons.lease(layout, "main", "next", PROCESS)
    batons.offer_cleared(layout, "main", "one", "2", PROCESS, host="claude")
    assert len(batons.names(layout, "main")) == 2


def test_cleared_sessions_that_nobody_went_on_from_are_dropped_in_time(layout):
    """When the next one is cleared, those that are good no more are gone; others stay."""
    for number, hour in enumerate(("00", "05", "06")):
        at = f"2027-01-01T{hour}:00:00+00:00"
        last = batons.offer_cleared(layout, "main", f"s{number}", at, PROCESS, host="claude", keeps=7200)
    assert last in batons.names(layout, "main")
    assert [batons.look(layout, name)["session"] for name in batons.names(layout, "main")] in (
        ["s1", "s2"],
        ["s2", "s1"],
    )


def test_places_have_batons_of_their_own(layout):
    """What is offered in one worktree is not found in another."""
    batons.offer(layout, "wt-a", "first", "x")
    batons.offer_cleared(layout, "wt-a.b", "second", "x", PROCESS, host="claude")
    assert batons.look(layout, "wt-b") is None
    assert batons.names(layout, "wt-a") == ["wt-a"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"session": 3}', '{"session": "../../etc"}', "[" * 100_000])
def test_a_baton_that_makes_no_sense_is_none(layout, text):
    """It is not inherited, cannot be leased, and a new offer replaces it."""
    put(layout, text)
    assert batons.look(layout, "main") is None
    assert batons.lease(layout, "main", "next", PROCESS) is None
    assert not batons.take(layout, "main", "next")
    batons.offer(layout, "main", "first", "x")
    assert batons.look(layout, "main")["session"] == "first"


def test_a_directory_in_its_place_is_none(layout):
    """What cannot be opened is no baton."""
    os.makedirs(layout.baton("main"))
    assert batons.look(layout, "main") is None


def test_ten_racing_starts_and_one_baton(layout):
    """Of ten starts at the same moment exactly one holds the baton, and exactly one of ten prompts uses it up."""
    for number in range(10):
        batons.offer(layout, "main", "first", str(number))
        with ThreadPoolExecutor(10) as pool:
            leases = list(pool.map(lambda who: batons.lease(layout, "main", f"next-{who}", PROCESS), range(10)))
            taken = list(pool.map(lambda who: batons.take(layout, "main", f"next-{who}"), range(10)))
        assert [bool(one) for one in leases].count(True) == taken.count("main") == 1
        assert leases[taken.index("main")] is not None


def test_a_baton_held_too_long_is_said(layout, monkeypatch):
    """Who cannot get at the baton in time is told so, and does not go on without the lock."""
    monkeypatch.setattr(batons, "_WAIT", 0)
    held = lock.take(layout.baton("main") + ".lock", 0)
    with pytest.raises(TimeoutError, match="main is held"):
        batons.offer(layout, "main", "first", "x")
    lock.release(held)


def test_every_baton_of_a_session_is_dropped(tmp_path):
    """In every worktree; those of others stay."""
    layout = Layout(str(tmp_path / "tapehead"))
    assert batons.drop_all(layout, "one") == 0
    for place, session in (("main", "one"), ("wt-a", "one"), ("wt-b", "two")):
        batons.offer(layout, place, session, "2026-01-01T00:00:00Z")
    assert batons.drop_all(layout, "one") == 2
    assert [batons.look(layout, place) is None for place in ("main", "wt-a", "wt-b")] == [True, True, False]
