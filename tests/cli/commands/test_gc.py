"""`tapehead gc`, and the gc that other commands do once a day."""

import json
import os
import time
from datetime import UTC, datetime, timedelta

from tapehead.cli.here import here
from tapehead.engine import crowding, hook, store_registry


def end_long_ago(repository, session="one"):
    repository.session(session)
    age(repository, session)


def age(repository, session="one"):
    path = os.path.join(repository.store, "sessions", f"{session}.json")
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        old = (datetime.now(UTC) - timedelta(days=8)).isoformat()
        json.dump({**document, "last_interaction_at": old, "ended_at": old}, file)


def test_old_sessions_go_to_the_archive_and_young_ones_stay(repository):
    """Nothing is deleted."""
    end_long_ago(repository, "old")
    repository.session("young")
    assert repository.json("gc") == {"archived": ["old"], "scratch_files": 0}
    assert repository.engine.store.list() == ["young"]
    assert sorted(os.listdir(os.path.join(repository.store, "archive"))) == ["old.json", "old.tape"]


def test_an_archived_session_that_is_resumed_comes_back(repository):
    """With its state and its tape."""
    end_long_ago(repository)
    repository.run("gc")
    repository.hook("SessionStart", source="resume")
    assert repository.engine.store.load("one").turn_number == 1
    assert not os.listdir(os.path.join(repository.store, "archive"))


def test_status_archives_by_itself_once_a_day(repository):
    """The first command does it, the next one within a day does not."""
    end_long_ago(repository, "old")
    repository.run("status")
    assert repository.engine.store.list() == []
    end_long_ago(repository, "older")
    repository.run("status")
    assert repository.engine.store.list() == ["older"]
    yesterday = time.time() - 25 * 3600
    os.utime(repository.layout.gc_mark, (yesterday, yesterday))
    repository.run("status")
    assert repository.engine.store.list() == []


def test_a_session_that_someone_is_at_work_on_is_left(repository):
    """Gc waits for nobody."""
    end_long_ago(repository)
    with repository.engine.store.transaction("one", 0):
        assert repository.json("gc")["archived"] == []


def test_an_empty_place_has_nothing_to_sweep(repository):
    """And status does not make a store where there is none."""
    repository.run("status")
    assert not os.path.exists(repository.store)


def test_a_session_that_comes_back_without_a_start_is_one_story_again(repository):
    """Its new tape goes behind the archived one; nothing is overwritten, and the whole comes back."""
    end_long_ago(repository)
    repository.run("gc")
    repository.hook("UserPromptSubmit", prompt="again")
    repository.hook("SessionEnd", reason="other")
    repository.engine.settle("one")
    age(repository)
    assert repository.json("gc")["archived"] == ["one"]
    repository.hook("SessionStart", source="resume")
    repository.engine.settle("one")
    assert repository.engine.store.load("one").turn_number == 2
    assert repository.run("replay").exit_code == 0


def test_lines_that_the_archive_has_already_are_not_put_there_twice(repository):
    """An archiving that was killed half-way is done again."""
    end_long_ago(repository)
    with open(repository.tape(), "rb") as file:
        before = file.read()
    repository.run("gc")
    with open(repository.tape(), "wb") as file:
        file.write(before)
    repository.engine.store.archive("one")
    with open(os.path.join(repository.store, "archive", "one.tape"), "rb") as file:
        assert file.read() == before


def _silent(repository, session, **changed):
    """An open session of which nothing was heard for 15 days; its process is none of this machine unless it is said to be."""
    repository.hook("SessionStart", session, source="startup", pid=1999999999)
    repository.engine.settle(session)
    path = os.path.join(repository.store, "sessions", f"{session}.json")
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    long_ago = (datetime.now(UTC) - timedelta(days=15)).isoformat()
    times = {"started_at": long_ago, "last_interaction_at": long_ago, "host_pid": None, "phase": "idle"}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**document, **times, **changed}, file)


def test_open_sessions_that_nobody_heard_of_are_named_and_archived(repository):
    """Doctor names each with its age and what to do; gc archives it."""
    _silent(repository, "silent")
    (finding,) = [one for one in repository.json("doctor")["findings"] if one["check"] == "stale"]
    assert (finding["session"], finding["level"]) == ("silent", "note")
    assert finding["what"] == "open (IDLE), but nothing was heard of it for 15 d"
    assert "`tapehead resume silent`" in finding["hint"]
    assert "`tapehead gc` archives it" in finding["hint"]
    assert repository.json("gc")["archived"] == ["silent"]
    assert not [one for one in repository.json("doctor")["findings"] if one["check"] == "stale"]


def test_one_whose_process_was_lost_long_ago_is_archived(repository):
    """Gc itself finds it gone, and that is no sign of life."""
    _silent(repository, "silent", host_pid=1999999999, host_started="")
    assert repository.json("gc")["archived"] == ["silent"]


def test_what_still_runs_or_waits_for_a_start_is_not_archived(repository):
    """An agent that was left open for weeks, and a session that was handed over within the hour."""
    _silent(repository, "open", host_pid=os.getpid(), host_started="")
    _silent(repository, "handed")
    assert repository.run("handoff", "--session", "handed").exit_code == 0
    assert repository.json("gc")["archived"] == []
    told = {one["session"]: one["hint"] for one in repository.json("doctor")["findings"] if one["check"] == "stale"}
    assert f"still runs (process {os.getpid()})" in told["open"]
    os.unlink(repository.layout.baton("main"))
    assert repository.json("gc")["archived"] == ["handed"]


def test_doctor_of_one_session(repository):
    """What concerns it, and nothing else."""
    _silent(repository, "silent")
    _silent(repository, "other")
    found = repository.json("doctor", "--session", "sil")["findings"]
    assert "stale" in {one["check"] for one in found}
    assert {one["session"] for one in found} == {"silent"}
    assert repository.json("doctor", "--session", "sil")["session"]["activity"].startswith("idle; an unknown process")
    assert repository.run("doctor", "--session", "nobody").exit_code == 1


def test_status_of_all_projects_says_where_they_are(repository, tmp_path, monkeypatch):
    """With totals; a project outside git is called by its own directory."""
    repository.session("one")
    outside = tmp_path / "papers"
    outside.mkdir()
    monkeypatch.chdir(outside)
    payload = {"session_id": "two", "cwd": str(outside), "hook_event_name": "SessionStart", "source": "startup"}
    reading, writing = os.pipe()
    os.write(writing, json.dumps(payload).encode())
    os.close(writing)
    hook.run("claude", reading, {"HOME": repository.home, "CLAUDE_PID": str(os.getpid())})
    os.close(reading)
    home = os.path.join(repository.home, ".local", "state", "tapehead")
    for root in (repository.store, here().engine.layout.root):
        store_registry.register(home, root)
    told = repository.run("status", "--global").stdout.splitlines()
    assert told[told.index(repository.root) - 1] == "repository: 1 session"
    assert told[told.index(str(outside)) - 1] == "papers: 1 session"
    assert told[-1] == "2 projects, 2 sessions, 1 open"


def test_every_command_makes_room_first_where_there_are_very_many(repository, monkeypatch):
    """So that none of them gets slower with every session there ever was; an archived one is still found by its name."""
    monkeypatch.setattr(crowding, "KEPT", 2)
    monkeypatch.setattr(crowding, "CROWDED", 3)
    for number in range(5):
        repository.session(f"s{number}")
        os.utime(repository.engine.layout.tape(f"s{number}"), (1000 + number, 1000 + number))
    assert here().engine.store.list() == ["s3", "s4"]
    assert "s0" in repository.run("log", "--session", "s0").output


def test_doctor_looks_into_the_archive_only_where_it_is_asked_to(repository):
    """There may be very much in it."""
    end_long_ago(repository, "old")
    repository.run("gc")
    os.chmod(os.path.join(repository.store, "archive", "old.tape"), 0o644)
    assert "permissions" not in {found["check"] for found in repository.json("doctor")["findings"]}
    assert "permissions" in {found["check"] for found in repository.json("doctor", "--deep")["findings"]}
