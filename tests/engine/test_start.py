"""Whom a start finds: with the real store, real batons, and processes that live or do not."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

import scenes
from tapehead.actions.injection import NOTHING_BEFORE, NOTHING_KNOWN
from tapehead.engine import baton_lease
from tapehead.engine import start as starting
from tapehead.engine.engine import Own
from tapehead.statemachine.vocabulary import Event, Fact, Phase
from tapehead.store import batons, injections, tape
from tapehead.system.processes import look

US = look(os.getpid())


@pytest.fixture
def scene(tmp_path, monkeypatch):
    monkeypatch.setattr(starting.process, "words", lambda _: [])  # how the tests were started is nobody's business
    return scenes.Scene(tmp_path / "store")


@pytest.fixture
def gone():
    """A process that was, and is no more."""
    child = subprocess.Popen(["true"])
    child.wait()
    return {"pid": child.pid, "pid_started": "1"}


ALIVE = {"pid": US.pid, "pid_started": US.started}
ELSEWHERE = {"pid": os.getppid(), "pid_started": look(os.getppid()).started}


def begin(scene, session, source="startup", facts=(), **data):
    """A start as the hook makes one: finds out, writes its line, settles. Returns the line and what was said."""
    line = scenes.as_written(Event.SESSION_START, scene.clock.now, facts=facts, data={"source": source, **data})
    starting.find_out(scene.engine, line, session)
    scene.write(session, line)
    return line, scene.engine.settle(session, Own(line["id"], "claude", "SessionStart"))


def work(scene, session, prompt="do it"):
    scene.hear(session, Event.TURN_START, data={"prompt": prompt})
    scene.hear(session, Event.TURN_END, data={"reply": "done"})


def end(scene, session, *, cleared=False):
    scene.hear(session, Event.SESSION_STOP, facts=[Fact.CLEARED] if cleared else [])
    return scene.settled(session)


def lying(scene):
    """The batons of the place, by the session that each names."""
    found = (batons.look(scene.layout, name) for name in batons.names(scene.layout, "main"))
    return {baton["session"]: baton for baton in found}


def inherited(line):
    return line["data"].get("predecessor"), line["data"].get("rule")


def test_the_first_start_finds_nobody(scene):
    """No fact, no predecessor, and the start is noted for those that come after."""
    line, reply = begin(scene, "a", **ALIVE)
    assert inherited(line) == (None, None)
    assert (line["facts"], reply.context) == ([], "")
    assert scene.store.load("a").phase is Phase.IDLE


def test_a_cleared_session_is_inherited_by_its_baton_once(scene):
    """Rule 1: the next start has the whole story; its first prompt uses the baton up; the one after finds another rule."""
    begin(scene, "a", **ALIVE)
    work(scene, "a", "find the leak")
    end(scene, "a", cleared=True)
    line, reply = begin(scene, "b", "clear", [Fact.CLEARED], **ALIVE)
    assert inherited(line) == ("a", 1)
    assert "find the leak" in reply.context
    assert lying(scene)["a"]["leased_by"] == "b"
    work(scene, "b")
    scene.settled("b")
    assert lying(scene) == {}
    assert len(scene.notes("b", "take_baton")) == 1


def test_a_ghost_does_not_use_the_baton_up(scene, gone):
    """A start that never got a prompt holds the lease only while it lives; ours in the same process was a ghost's too."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a")
    batons.offer(scene.layout, "main", "a", scenes.when().isoformat())
    assert inherited(begin(scene, "ghost", **gone)[0]) == ("a", 1)
    assert inherited(begin(scene, "ghost2", **ALIVE)[0]) == ("a", 1)
    assert inherited(begin(scene, "b", **ALIVE)[0]) == ("a", 1)


@pytest.mark.parametrize("saved", [True, False])
def test_a_killed_session_is_found_while_its_worker_is_busy(scene, gone, monkeypatch, saved):
    """Its agent was killed; our own worker still holds it. The next start does not do without the brief."""
    monkeypatch.setattr(starting, "_HEALING_SECONDS", 0.05)
    begin(scene, "a", **gone)
    if not saved:
        os.unlink(scene.layout.state("a"))
    with scene.store.transaction("a", 0) as held:
        assert held
        scene.hear("a", Event.TURN_START, data={"prompt": "find the leak"})
        line, _ = begin(scene, "b", **ALIVE)
    assert inherited(line)[0] == "a"
    assert scene.settled("a").phase is Phase.HALTED
    assert b"".join(scene.store.lines("a")[0]).count(b'"event":"process_lost"') == 1


def test_a_living_lease_is_respected(scene):
    """Another terminal that just started holds the handoff and may get a prompt: nobody else is told of that work."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a")
    batons.offer(scene.layout, "main", "a", scenes.when().isoformat())
    begin(scene, "other", **ELSEWHERE)
    assert inherited(begin(scene, "b", **ALIVE)[0]) == (None, None)


def test_two_windows_each_inherit_their_own(scene):
    """A `/clear` in one window, while another session was handed over with a memo, does not touch that: the next new chat has it."""
    begin(scene, "a", **ALIVE)
    work(scene, "a", "find the leak")
    begin(scene, "b", **ELSEWHERE)
    work(scene, "b", "the other work")
    end(scene, "b")
    batons.offer(scene.layout, "main", "b", scenes.when().isoformat(), "mind the gap")
    end(scene, "a", cleared=True)
    line, reply = begin(scene, "a2", "clear", [Fact.CLEARED], **ALIVE)
    assert inherited(line) == ("a", 1)
    assert "find the leak" in reply.context
    assert "mind the gap" not in reply.context
    work(scene, "a2")
    scene.settled("a2")
    line, reply = begin(scene, "b2", **ELSEWHERE)
    assert inherited(line) == ("b", 1)
    assert "It left a memo: “mind the gap”" in reply.context
    work(scene, "b2")
    scene.settled("b2")
    assert lying(scene) == {}


def test_a_cleared_session_waits_for_its_own_process(scene, gone):
    """Another window that starts meanwhile gets a pointer; once the process is gone, any start may go on from it."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a", cleared=True)
    assert inherited(begin(scene, "other", **ELSEWHERE)[0]) == ("a", 5)
    assert inherited(begin(scene, "a2", "clear", [Fact.CLEARED], **ALIVE)[0]) == ("a", 1)
    begin(scene, "c", **gone)
    work(scene, "c")
    end(scene, "c", cleared=True)
    assert inherited(begin(scene, "d", **ELSEWHERE)[0]) == ("c", 1)


def test_a_start_that_comes_twice_keeps_what_it_holds(scene):
    """The same session starts again before its first prompt, and another baton was left meanwhile: it holds one, not two."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    batons.offer(scene.layout, "main", "named", scenes.when().isoformat())
    assert inherited(begin(scene, "x", **ALIVE)[0]) == ("named", 1)
    end(scene, "a", cleared=True)
    assert inherited(begin(scene, "x", **ALIVE)[0]) == ("named", 1)
    assert "leased_by" not in lying(scene)["a"]


@pytest.mark.parametrize(("seconds", "rule"), [(3599, 1), (3601, 5)])
def test_a_baton_is_good_for_an_hour(scene, seconds, rule):
    """After that it counts no more."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a", cleared=True)
    scene.clock.forward(seconds)
    assert inherited(begin(scene, "b", **ALIVE)[0]) == ("a", rule)


@pytest.mark.parametrize(("seconds", "rule"), [(59, 1), (61, 5)])
def test_how_long_a_baton_is_good_is_a_setting(scene, monkeypatch, seconds, rule):
    """`baton.ttl` instead of the hour."""
    monkeypatch.setenv("TAPEHEAD_BATON_TTL", "1m")
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a", cleared=True)
    scene.clock.forward(seconds)
    assert inherited(begin(scene, "b", **ALIVE)[0]) == ("a", rule)


def test_a_clear_that_is_not_to_hand_over_leaves_no_baton(scene, monkeypatch):
    """`handoff.auto = false`: what comes after it begins with an empty page, unless somebody named a session."""
    monkeypatch.setenv("TAPEHEAD_DISABLE_AUTO_HANDOFF", "1")
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a", cleared=True)
    assert lying(scene) == {}
    line, reply = begin(scene, "b", "clear", [Fact.CLEARED], **ALIVE)
    assert inherited(line) == (None, None)
    assert (line["facts"], reply.context) == ([Fact.CLEARED.value], "")
    batons.offer(scene.layout, "main", "a", scenes.when().isoformat())
    assert inherited(begin(scene, "c", "clear", [Fact.CLEARED], **ALIVE)[0]) == ("a", 1)


def test_the_first_start_after_an_hour_learns_that_the_handoff_expired(scene):
    """Once: the next one starts as if there had been none. The memo stays where it lies."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a")
    batons.offer(scene.layout, "main", "a", scenes.when(scene.clock.now).isoformat(), "mind the gap")
    scene.clock.forward(3601)
    line, reply = begin(scene, "b", **ALIVE)
    assert line["data"]["handoff_missed"] == "the handoff of session a has expired"
    assert reply.context.startswith("tapehead: the handoff of session a has expired.")
    assert "handoff_missed" not in begin(scene, "c", **ALIVE)[0]["data"]
    assert lying(scene)["a"]["memo"] == "mind the gap"


@pytest.mark.parametrize("offered", ["yesterday", "", "0001-01-01T00:00:00+23:59", None])
def test_a_baton_without_a_time_is_too_old(scene, offered):
    """What cannot be dated is not inherited by."""
    batons.offer(scene.layout, "main", "a", offered)
    assert inherited(begin(scene, "b", **ALIVE)[0]) == (None, None)


def test_a_lease_of_nobody_in_particular_is_void(scene):
    """A lease that does not say which process took it keeps nobody out."""
    batons.offer(scene.layout, "main", "a", scenes.when().isoformat())
    batons.lease(scene.layout, "main", "ghost", {"pid": None})
    assert inherited(begin(scene, "b", **ALIVE)[0]) == ("a", 1)


def test_nobody_takes_its_own_baton(scene):
    """A session that is opened again after its `/clear` leaves the baton for others."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a", cleared=True)
    begin(scene, "a", **ALIVE)
    assert "leased_by" not in lying(scene)["a"]


def test_ten_starts_race_for_one_baton(scene, monkeypatch):
    """Of ten living processes that start at the same moment exactly one inherits by it."""
    batons.offer(scene.layout, "main", "a", scenes.when().isoformat())
    monkeypatch.setattr(baton_lease, "is_lost", lambda *_: False)

    def race(number):
        start = starting.Start(f"s{number}", scenes.when(), 1000 + number, "", cleared=False)
        return baton_lease.lease_baton(scene.engine, start, {"pid_started": "1"}, "main", "", ())

    with ThreadPoolExecutor(10) as pool:
        won = list(pool.map(race, range(10)))
    assert sorted(won) == [""] * 9 + ["a"]


def test_ten_starts_race_for_two_batons(scene, monkeypatch, gone):
    """One that was named and one that a process left which is gone: two of the ten inherit, each another one, and each is used up once."""
    batons.offer(scene.layout, "main", "named", scenes.when().isoformat())
    batons.offer_cleared(scene.layout, "main", "cleared", scenes.when().isoformat(), gone, host="claude")
    monkeypatch.setattr(baton_lease, "is_lost", lambda pid, _: pid == gone["pid"])

    def race(number):
        start = starting.Start(f"s{number}", scenes.when(), 2**22 + number, "", cleared=False)
        return baton_lease.lease_baton(scene.engine, start, {"pid_started": "1"}, "main", "", ())

    with ThreadPoolExecutor(10) as pool:
        won = list(pool.map(race, range(10)))
        taken = list(pool.map(lambda number: batons.take(scene.layout, "main", f"s{number}"), range(10)))
    assert sorted(won) == [""] * 8 + ["cleared", "named"]
    assert [bool(one) for one in won] == [bool(one) for one in taken]
    assert lying(scene) == {}


def test_rule_2_without_a_baton(scene):
    """Cleared a moment ago in this process, and the baton is gone: still the whole story."""
    begin(scene, "a", **ALIVE)
    work(scene, "a", "find the leak")
    end(scene, "a", cleared=True)
    os.unlink(scene.layout.baton(batons.names(scene.layout, "main")[0]))
    line, reply = begin(scene, "b", "clear", [Fact.CLEARED], **ALIVE)
    assert inherited(line) == ("a", 2)
    assert "find the leak" in reply.context


def test_a_baton_that_comes_too_late_leads_nobody_back(scene):
    """On a busy machine each `/clear` leaves its baton after the next start: the third goes on from the second, not from the first."""
    for session, former in (("a", None), ("b", "a"), ("c", "b")):
        late = lying(scene).get(former)
        batons.drop_all(scene.layout, former or "")
        line, _ = begin(scene, session, *(("clear", [Fact.CLEARED]) if former else ()), **ALIVE)
        assert inherited(line) == (former, 2 if former else None)
        work(scene, session)
        scene.settled(session)
        if late:
            batons.offer_cleared(scene.layout, "main", former, late["offered_at"], late["cleared"], host="claude")
        end(scene, session, cleared=True)
        scene.clock.forward(1)


def test_rule_3_and_4_after_a_crash(scene, gone):
    """A session whose process is gone is halted on the spot, captured, and found by its terminal, or as halted."""
    begin(scene, "a", **gone, terminal="/dev/pts/9")
    scene.hear("a", Event.TURN_START, data={"prompt": "half done"})
    line, reply = begin(scene, "b", **ALIVE, terminal="/dev/pts/9")
    assert inherited(line) == ("a", 3)
    assert scene.store.load("a").phase is Phase.HALTED
    assert "half done" in reply.context
    assert len(reply.context) <= 1200
    assert inherited(begin(scene, "c", **ALIVE)[0]) == ("a", 4)


def test_rule_6_when_two_are_recent(scene):
    """Two sessions of today: the newer start is pointed at."""
    begin(scene, "a", **ELSEWHERE)
    begin(scene, "b", **ALIVE)
    for session in ("a", "b"):
        work(scene, session)
        end(scene, session)
    assert inherited(begin(scene, "c", **ALIVE)[0]) == ("b", 6)


@pytest.mark.parametrize("process", [ELSEWHERE, {}])
def test_a_live_session_elsewhere_is_not_inherited(scene, process):
    """Another terminal is at work on it, or nobody can tell who is: it is not over."""
    begin(scene, "a", **process)
    work(scene, "a")
    assert inherited(begin(scene, "b", **({} if not process else ALIVE))[0]) == (None, None)
    assert scene.store.load("a").phase is Phase.IDLE


def test_a_session_of_the_same_process_is_over(scene):
    """The agent went on to another session without a word: that one came before."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    assert inherited(begin(scene, "b", **ALIVE)[0]) == ("a", 5)


def test_ghosts_are_passed_over(scene, gone):
    """Starts in which nobody said anything are no predecessors."""
    begin(scene, "a", **ELSEWHERE)
    work(scene, "a")
    end(scene, "a")
    for ghost in ("g1", "g2"):
        begin(scene, ghost, **gone)
    assert inherited(begin(scene, "b", **ALIVE)[0]) == ("a", 5)


@pytest.mark.parametrize("source", ["resume", "compact"])
def test_a_session_that_goes_on_inherits_nothing(scene, source):
    """It is handed its own brief or none; the baton of the place is left for a start that can use it."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a", cleared=True)
    line, _ = begin(scene, "b", source, **ALIVE)
    assert inherited(line) == (None, None)
    work(scene, "b")
    scene.settled("b")
    assert "leased_by" not in lying(scene)["a"]


def test_ones_own_story_comes_first(scene):
    """A session that was captured goes on with its own, and looks for nobody else's; its conversation is loaded, so nothing is told."""
    begin(scene, "a", **ELSEWHERE)
    work(scene, "a")
    end(scene, "a", cleared=True)
    work(scene, "b", "my own")
    end(scene, "b")
    line, reply = begin(scene, "b", "resume", **ALIVE)
    assert line["facts"] == [Fact.HAS_STORY.value]
    assert "predecessor" not in line["data"]
    assert reply.context == ""


def test_a_resumed_session_whose_process_died_is_healed_first(scene, gone):
    """Its own unread lines are read, its loss is said and captured, and then it is handed back."""
    begin(scene, "a", **gone)
    scene.hear("a", Event.TURN_START, data={"prompt": "half done"})
    _, reply = begin(scene, "a", "resume", **ALIVE)
    assert "half done" in reply.context
    assert scene.store.load("a").phase is Phase.RESTORED


def test_a_session_that_starts_twice_is_not_its_own_predecessor(scene):
    """Its own former start is passed over."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    scene.settled("a")
    assert inherited(begin(scene, "a", **ALIVE)[0]) == (None, None)


def test_an_archived_session_comes_back(scene):
    """One that gc put away and that is resumed is what it was."""
    begin(scene, "a", **ALIVE)
    work(scene, "a", "long ago")
    end(scene, "a")
    scene.store.archive("a")
    begin(scene, "a", "resume", **ALIVE)
    assert (scene.store.load("a").turn_number, scene.store.load("a").last_prompt) == (1, "long ago")


def test_a_garbled_neighbour_keeps_nobody_from_starting(scene):
    """A predecessor whose state cannot be read is rebuilt from its tape; one that was never there is passed over."""
    begin(scene, "a", **ELSEWHERE)
    work(scene, "a")
    end(scene, "a")
    with open(scene.layout.state("a"), "w", encoding="utf-8") as file:
        file.write("garbled")
    tape.append(scene.layout.place("main"), {"session": "never-was"})
    assert inherited(begin(scene, "b", **ALIVE)[0]) == ("a", 5)


def test_a_state_that_cannot_be_read_is_no_candidate(scene, monkeypatch):
    """Where the system refuses a neighbour's file, the start goes on without that neighbour."""
    begin(scene, "a", **ELSEWHERE)
    work(scene, "a")
    end(scene, "a")
    real = scene.store.load

    def refuse(session):
        if session == "a":
            raise OSError(5, "Input/output error")
        return real(session)

    monkeypatch.setattr(scene.store, "load", refuse)
    monkeypatch.setattr(scene.engine, "settle", lambda *_, **__: None)
    line = scenes.as_written(Event.SESSION_START, scene.clock.now, data=dict(ALIVE))
    starting.find_out(scene.engine, line, "b")
    assert inherited(line) == (None, None)


def test_places_do_not_mix(scene):
    """A session of another worktree is not this one's predecessor."""
    begin(scene, "a", **ALIVE, worktree="/w", worktree_id="w")
    work(scene, "a")
    end(scene, "a", cleared=True)
    assert inherited(begin(scene, "b", **ALIVE)[0]) == (None, None)
    assert inherited(begin(scene, "c", **ALIVE, worktree="/w", worktree_id="w")[0]) == ("a", 1)


def test_one_kill_is_told_of_once(scene, gone):
    """The next start in another window is told of it; after its prompt nobody else is, whatever follows."""
    begin(scene, "killed", **gone)
    scene.hear("killed", Event.TURN_START, data={"prompt": "half done"})
    assert inherited(begin(scene, "one", **ALIVE)[0]) == ("killed", 4)
    assert inherited(begin(scene, "two", **ELSEWHERE)[0]) == (None, None), "the first may still get its prompt"
    work(scene, "one")
    end(scene, "one")
    assert [inherited(begin(scene, name, **ELSEWHERE)[0]) for name in ("three", "four")] == [("one", 5)] * 2


def test_halted_work_of_another_branch_is_left_alone(scene, gone):
    """Who works on something else is not told of it; who comes back to the branch is."""
    begin(scene, "killed", **gone, worktree="/w", branch="export")
    scene.hear("killed", Event.TURN_START, data={"prompt": "half done"})
    assert inherited(begin(scene, "one", **ALIVE, branch="main")[0]) == (None, None)
    assert inherited(begin(scene, "two", **ALIVE, branch="export")[0]) == ("killed", 4)


def test_a_turn_that_failed_does_not_end_its_session(scene):
    """It counts as halted, and its agent waits for the next prompt in another window."""
    begin(scene, "a", **ELSEWHERE)
    scene.hear("a", Event.TURN_START, data={"prompt": "half done"})
    scene.hear("a", Event.TURN_FAILED, data={"error": "unknown"})
    assert scene.settled("a").phase is Phase.HALTED
    assert inherited(begin(scene, "b", **ALIVE)[0]) == (None, None)


def test_a_terminal_number_that_was_given_away_again(scene):
    """The same name, opened later: the session that ran there before is one among others."""
    old = {"terminal": "/dev/pts/3", "terminal_started": "100"}
    begin(scene, "a", **ALIVE, **old)
    work(scene, "a")
    end(scene, "a")
    again = begin(scene, "b", **ELSEWHERE, terminal="/dev/pts/3", terminal_started="200")
    assert inherited(again[0]) == ("a", 5)
    end(scene, "b")
    assert inherited(begin(scene, "c", **ELSEWHERE, **old)[0]) == ("a", 3)


@pytest.mark.parametrize("words", [["claude", "-p", "say hello"], ["claude", "--print"]])
def test_a_single_run_is_passed_over(scene, monkeypatch, words):
    """`claude -p` between two sittings: the second goes on from the first."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a")
    with monkeypatch.context() as patch:
        patch.setattr(starting.process, "words", lambda _: words)
        line, _ = begin(scene, "single", **ELSEWHERE)
        assert line["data"]["one_off"] is True
    work(scene, "single")
    end(scene, "single")
    assert scene.store.load("single").one_off
    assert inherited(begin(scene, "b", **ALIVE)[0]) == ("a", 5)


SINGLE = {
    "claude": ["--print=yes"],
    "codex": ["exec", "e"],
    "gemini": ["-p", "--prompt", "--prompt=say hello"],
    "copilot": ["-p", "--prompt=say hello"],
    "droid": ["exec"],
    "qwen": ["-p", "--prompt=say hello"],
    "opencode": ["run"],
    "cursor": ["-p", "--print"],
    "kiro": ["--no-interactive"],
}


@pytest.mark.parametrize(("host", "word"), [(host, word) for host, words in SINGLE.items() for word in words])
def test_what_makes_a_run_a_single_one(monkeypatch, host, word):
    """A word of the agent's command line; not one that only ends like it."""
    for words, expected in ((["agent", word, "hi"], True), (["agent", "-x", f"x{word}"], None), (["agent"], None)):
        monkeypatch.setattr(starting.process, "words", lambda _, words=words: words)
        line = {"host": host, "data": {"pid": 7}, "facts": []}
        starting._look_at_host(line, "s")
        assert line["data"].get("one_off") is expected, words


def test_a_fork_goes_on_from_what_it_copies(scene, monkeypatch):
    """Named on the command line; the handoff of the place, and the newest session, are left alone."""
    begin(scene, "a", **ALIVE)
    work(scene, "a", "find the leak")
    begin(scene, "b", **ELSEWHERE)
    work(scene, "b")
    end(scene, "b")
    batons.offer(scene.layout, "main", "b", scenes.when().isoformat())
    monkeypatch.setattr(starting.process, "words", lambda _: ["claude", "--resume", "a", "--fork-session"])
    line, reply = begin(scene, "f", "fork", **ALIVE)
    assert inherited(line) == ("a", 7)
    assert reply.context == "", "the conversation was copied: nothing is lost"
    assert scene.store.load("f").forked
    assert "leased_by" not in lying(scene)["b"]


@pytest.mark.parametrize("words", [["claude"], ["claude", "--resume", "unheard-of"], ["claude", "--resume", "../x"]])
def test_a_fork_of_who_knows_what_goes_on_from_nobody(scene, monkeypatch, words):
    """Its conversation is in its context; no other session is told to it."""
    begin(scene, "a", **ALIVE)
    work(scene, "a")
    end(scene, "a")
    monkeypatch.setattr(starting.process, "words", lambda _: words)
    assert inherited(begin(scene, "f", "fork", **ALIVE)[0]) == (None, None)
    assert scene.store.load("f").forked


def test_only_a_few_are_settled_on_the_spot(scene, gone, monkeypatch):
    """However many died, a start looks after the newest few; the rest is for doctor."""
    for number in range(8):
        begin(scene, f"s{number}", **ELSEWHERE)
        scene.hear(f"s{number}", Event.TURN_START)
    monkeypatch.setattr(starting, "is_lost", lambda *_: True)
    begin(scene, "new", **ALIVE)
    phases = [scene.store.load(f"s{number}").phase for number in range(8)]
    assert phases.count(Phase.HALTED) == starting._LOOKED_AFTER


@pytest.mark.parametrize(("source", "why"), [("startup", NOTHING_BEFORE), ("resume", NOTHING_KNOWN)])
def test_a_start_that_is_told_nothing_says_why(scene, source, why):
    """On its line, and where every text for a model is listed."""
    line, said = begin(scene, "one", source)
    [listed] = injections.newest(scene.layout)
    assert said.context == ""
    assert (line["data"]["untold"], listed["why"], listed["amount"], listed["to"]) == (why, why, "off", "one")
