"""`tapehead doctor`: for each thing that can be wrong, that it is found, and that --fix mends it where it can."""

import json
import os
import subprocess
import time
from datetime import UTC, datetime, timedelta

import pytest

from record import Record
from tapehead.cli import bytecode
from tapehead.cli.checks import CHECKS, READ_BACK
from tapehead.cli.checks.finding import WARNING, Finding
from tapehead.cli.commands import doctor
from tapehead.store.paths import Layout


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Whether this machine compiles is not the question here, but for the test that asks it."""
    monkeypatch.setattr(bytecode, "missing", lambda *_: ())


def findings(repository, *words):
    return {(f["check"], f["level"]): f for f in repository.json("doctor", *words)["findings"]}


def change_state(repository, session="one", **changes):
    path = os.path.join(repository.store, "sessions", f"{session}.json")
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**document, **changes}, file)


def test_all_is_well_with_a_session_that_ended(repository):
    """Exit 0; that no hooks are installed where there is no Claude Code is only a note."""
    repository.session()
    result = repository.run("doctor")
    assert result.exit_code == 0
    assert f"No problems found ({len(CHECKS) + len(READ_BACK)} checks)" in result.stdout


def test_missing_hooks_are_an_error_where_claude_is_there(repository, monkeypatch):
    """With the agent on the PATH and no hooks, nothing would ever be recorded."""
    monkeypatch.setattr("shutil.which", lambda _: "/bin/claude")
    result = repository.run("doctor")
    assert result.exit_code == 1
    assert "error: tapehead's hooks are not installed" in result.stdout


def test_with_the_plugin_no_hooks_need_be_in_the_settings(repository, monkeypatch):
    """The plugin brings its own."""
    monkeypatch.setattr("shutil.which", lambda _: "/bin/claude")
    folder = os.path.join(repository.home, ".claude")
    os.makedirs(folder)
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump({"enabledPlugins": {"tapehead@tapehead": True}}, file)
    assert repository.run("doctor").exit_code == 0


def test_a_hook_whose_command_is_gone_is_an_error(repository):
    """A settings file that runs a program which is not there."""
    hook = {"hooks": [{"type": "command", "command": "/nowhere/tapehead hook claude"}]}
    folder = os.path.join(repository.home, ".claude")
    os.makedirs(folder)
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump({"hooks": {"Stop": [hook, hook]}}, file)
    said = [f["what"] for f in repository.json("doctor")["findings"] if f["check"] == "hooks"]
    assert any("which does not exist" in what for what in said)
    assert any("no hook for SessionStart" in what for what in said)
    assert any("more than one hook for Stop" in what for what in said)


def test_hooks_in_two_files_with_different_commands_are_doubled(repository):
    """The agent would run both, and everything would be recorded twice."""
    for folder, command in (
        (repository.home, "/bin/sh -c 'tapehead hook claude'"),
        (repository.root, "tapehead hook claude"),
    ):
        os.makedirs(os.path.join(folder, ".claude"))
        with open(os.path.join(folder, ".claude", "settings.json"), "w", encoding="utf-8") as file:
            json.dump({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}, file)
    said = [f["what"] for f in repository.json("doctor")["findings"] if f["check"] == "hooks"]
    assert any("installed twice" in what for what in said)


def test_what_is_not_compiled_is_compiled_by_fix(repository, monkeypatch):
    """Bytecode that is missing triples the time of every hook."""
    state = ["one.py"]
    monkeypatch.setattr(bytecode, "missing", lambda *_: tuple(state))
    monkeypatch.setattr(bytecode, "compile_now", lambda *_: state.clear())
    assert ("bytecode", "warning") in findings(repository)
    assert repository.run("doctor", "--fix").exit_code == 0


def test_files_that_others_can_read_are_closed_by_fix(repository):
    """Prompts hold secrets: 0600 and 0700, or doctor says so."""
    repository.session()
    os.chmod(repository.tape(), 0o644)
    os.chmod(repository.store, 0o755)
    assert "2 files or directories" in findings(repository)["permissions", "warning"]["what"]
    assert repository.run("doctor", "--fix").exit_code == 0
    assert os.stat(repository.tape()).st_mode & 0o777 == 0o600
    assert os.stat(repository.store).st_mode & 0o777 == 0o700


def test_an_unreadable_state_is_explained_and_made_again_by_fix(repository):
    """What is wrong is said in a user's words; the tape knows the rest."""
    repository.session()
    change_state(repository, turn_number="many")
    found = findings(repository)["unreadable", "error"]
    assert "expected int @ $.turn_number" in found["what"]
    assert repository.run("doctor", "--fix").exit_code == 0
    assert ("aside", "note") in findings(repository)
    assert repository.run("replay").exit_code == 0


def test_a_state_that_is_no_json_is_unreadable_too(repository):
    """Also where there is nothing to explain."""
    repository.session()
    with open(os.path.join(repository.store, "sessions", "one.json"), "w", encoding="utf-8") as file:
        file.write("{")
    assert "JSONDecodeError" in findings(repository)["unreadable", "error"]["what"]


def test_damaged_lines_are_named_with_their_place(repository):
    """A damaged line stays on the tape and is pointed at."""
    repository.session()
    with open(repository.tape(), "ab") as file:
        file.write(b"[1]\n")
    with open(repository.tape(), "rb") as file:
        lines = len(file.readlines())
    assert f"line {lines} of the tape" in findings(repository)["damaged", "warning"]["what"]


def test_a_damaged_line_that_was_seen_is_no_complaint(repository):
    """`--fix` puts it behind the user: it is still named, and fails doctor no more. Another one does."""
    repository.session()
    with open(repository.tape(), "ab") as file:
        file.write(b"[1]\n")
    assert repository.run("doctor").exit_code == 1
    assert ("damaged", "note") in findings(repository, "--fix")
    assert repository.run("doctor").exit_code == 0
    with open(repository.tape(), "ab") as file:
        file.write(b"[2]\n")
    assert {("damaged", "note"), ("damaged", "warning")} <= set(findings(repository))


def test_a_time_in_which_nothing_could_be_recorded(repository):
    """From when to when, and how much is only in the transcript; `--fix` puts it behind the user."""
    repository.session()
    lost = {"from": "2027-01-15T09:10:00+00:00", "to": "2027-01-15T09:30:00+00:00", "prompts": 2}
    repository.engine.append("one", {"note": "ingest", "data": {"unrecorded": lost}})
    repository.engine.settle("one")
    told = findings(repository)["unrecorded", "warning"]["what"]
    assert told.startswith("nothing could be recorded from 2027-01-15 09:10 +0000 to 2027-01-15 09:30 +0000: 2 prompts")
    assert ("unrecorded", "warning") not in findings(repository, "--fix")


def test_unread_lines_are_read_by_fix(repository):
    """Lines that no settle has read."""
    repository.session()
    repository.hook("SubagentStop", agent_id="a")
    assert ("unread", "warning") in findings(repository)
    repository.run("doctor", "--fix")
    assert ("unread", "warning") not in findings(repository)


def test_a_state_that_the_tape_does_not_give_is_an_error(repository):
    """Somebody changed it, or we have a defect: either way it is said."""
    repository.session()
    change_state(repository, turn_number=9)
    assert "turn_number" in findings(repository)["replay", "error"]["what"]


def test_a_lost_process_is_found_and_recorded_by_fix(repository):
    """Doctor alone only looks; --fix puts the loss on the tape."""
    host = subprocess.Popen(["sleep", "60"])
    repository.hook("SessionStart", pid=host.pid, source="startup")
    repository.hook("UserPromptSubmit", pid=host.pid, prompt="make it blue")
    repository.engine.settle("one")
    host.kill()
    host.wait()
    assert f"its process {host.pid} is gone" in findings(repository)["lost", "warning"]["what"]
    assert repository.json("log")[-1]["event"] != "process_lost"
    assert repository.run("doctor", "--fix").exit_code == 0
    assert "the agent was killed" in findings(repository)["halted", "note"]["what"]


def test_a_turn_that_failed_or_was_closed_halts_with_its_reason(repository):
    """HALTED says why."""
    repository.hook("UserPromptSubmit", "failed", prompt="x")
    repository.hook("StopFailure", "failed", error="overloaded")
    repository.hook("UserPromptSubmit", "closed", prompt="x")
    repository.hook("SessionEnd", "closed", reason="other")
    for name in ("failed", "closed"):
        repository.engine.settle(name)
    said = {f["session"]: f["what"] for f in repository.json("doctor")["findings"] if f["check"] == "halted"}
    assert "the turn failed" in said["failed"]
    assert "mid-turn" in said["closed"] or "agent was killed" in said["closed"]


def test_a_turn_that_nobody_hears_of_any_more_is_quiet(repository):
    """Where nobody can tell whether the process lives, silence does."""
    repository.session("one", ends=False)
    repository.hook("UserPromptSubmit", prompt="x")
    repository.engine.settle("one")
    old = (datetime.now(UTC) - timedelta(hours=7)).isoformat()
    change_state(repository, last_interaction_at=old)
    assert ("quiet", "warning") in findings(repository)


def test_old_sessions_are_stale_and_archived_by_fix(repository):
    """Seven days after its end a session goes to the archive."""
    repository.session()
    old = (datetime.now(UTC) - timedelta(days=8)).isoformat()
    change_state(repository, last_interaction_at=old, ended_at=old)
    assert ("stale", "note") in findings(repository)
    [stale] = [one for one in repository.json("doctor")["findings"] if one["check"] == "stale"]
    assert stale["what"] == "1 session ended more than 7 days ago: one (8 d)"
    repository.run("doctor", "--fix")
    assert os.path.exists(os.path.join(repository.store, "archive", "one.tape"))


def test_a_phase_of_another_version_is_said(repository):
    """It is read as idle, and nobody is left to wonder."""
    repository.session()
    change_state(repository, phase="dreaming")
    assert "“dreaming”" in findings(repository)["phase", "warning"]["what"]


def test_a_pending_restore_is_a_note(repository):
    """It rides on the next event that can carry it."""
    repository.session()
    change_state(repository, pending_restore="x")
    assert ("pending", "note") in findings(repository)


def test_failures_are_counted_and_put_behind_by_fix(repository):
    """How often, when last, and what it said."""
    repository.session()
    repository.engine.failed("one", "capture", OSError("no room"))
    repository.engine.failed("one", "capture", OSError("no room left"))
    repository.engine.settle("one")
    what = findings(repository)["failures", "warning"]["what"]
    assert what.startswith("capture failed 2 times, last at ")
    assert what.endswith("OSError: no room left")
    assert repository.run("doctor", "--fix").exit_code == 0


@pytest.mark.parametrize("delivery", ["cut", "missing"])
def test_a_story_that_did_not_arrive_is_said(repository, delivery):
    """The agent's own record says what the model got."""
    repository.session()
    change_state(repository, delivery=delivery, brief_tokens=2_600)
    found = findings(repository)
    assert delivery in found["delivery", "warning"]["what"]
    assert "2600 tokens" in found["tokens", "warning"]["what"]


def test_strays_are_told_with_their_reason(repository):
    """What came in and could not be used."""
    repository.hook("Stop", "../../x")
    what = findings(repository)["strays", "note"]["what"]
    assert "no session id that can be used" in what


def test_scratch_files_of_killed_writers_are_noted(repository):
    """And removed by gc."""
    repository.session()
    path = os.path.join(repository.store, "sessions", "one.json.1-1.scratch")
    with open(path, "w", encoding="utf-8"):
        os.chmod(path, 0o600)
    old = time.time() - 7200
    os.utime(path, (old, old))
    assert ("leftovers", "note") in findings(repository)
    assert repository.run("gc").stdout == "0 sessions taken off the lists, 1 temporary file deleted\n"


def test_lines_that_went_elsewhere_are_brought_home_by_fix(repository):
    """When the store could not be written, the second one took the lines."""
    repository.session("one", ends=False)
    os.rename(repository.store, repository.store + ".away")
    with open(repository.store, "w", encoding="utf-8"):
        pass
    repository.hook("UserPromptSubmit", prompt="in the meantime")
    assert ("store", "error") in findings(repository)
    os.unlink(repository.store)
    os.rename(repository.store + ".away", repository.store)
    assert ("elsewhere", "warning") in findings(repository)
    repository.run("doctor", "--fix")
    prompts = [row["data"]["prompt"] for row in repository.json("log") if "prompt" in row["data"]]
    assert prompts[-1] == "in the meantime"
    assert ("elsewhere", "warning") not in findings(repository)


def test_a_store_of_someone_else_is_not_used(repository, monkeypatch):
    """Another user's store is left alone, and doctor says where the lines go instead."""
    repository.session()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert "belongs to another user" in findings(repository)["store", "warning"]["what"]


def test_a_store_that_cannot_be_written_is_an_error(repository, monkeypatch):
    """A read-only disk, say."""
    repository.session()
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and may(path, mode))
    assert "cannot be written" in findings(repository)["store", "error"]["what"]


def test_a_page_of_the_memory_that_is_damaged_is_found_and_set_aside_by_fix(repository, tmp_path):
    """Not only where the head of the file is: afterwards a new memory can be filled."""
    record = Record("11111111-2222-4333-8444-555555555555")
    for number in range(60):
        record.turn(f"ask {number}", f"answer {number}")
    path = record.write(tmp_path)
    repository.run("import", path)
    with open(repository.layout.memory, "r+b") as file:
        file.seek(20_000)
        file.write(b"\xff" * 60_000)
    assert ("memory", "error") in findings(repository)
    repository.run("doctor", "--fix")
    assert "memory" not in {check for check, _ in findings(repository)}
    assert repository.json("import", path)["entries"] == 120


def test_a_reason_that_is_gone_is_not_made_up(repository):
    """A file set aside whose reason file was removed."""
    os.makedirs(Layout(repository.store).aside, mode=0o700)
    path = os.path.join(Layout(repository.store).aside, "one.1.json")
    with open(path, "w", encoding="utf-8"):
        os.chmod(path, 0o600)
    assert "no reason on record" in findings(repository)["aside", "note"]["what"]


def test_a_check_that_cannot_look_says_so(repository, monkeypatch):
    """The others still look: one unreadable corner does not hide the rest."""

    def blind(_):
        raise PermissionError(13, "no")

    monkeypatch.setattr("tapehead.cli.checks.CHECKS", (blind, *CHECKS[-2:]))
    assert "could not check" in findings(repository)["blind", "error"]["what"]


def test_a_state_that_cannot_be_opened_is_said(repository, monkeypatch):
    """An error of the disk is no damage of the file, and is not mended by moving it away."""
    repository.session()

    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("tapehead.store.sessions.StateStore.load", broken)
    found = [f for f in repository.json("doctor")["findings"] if f["check"] in ("unreadable", "unread", "lost")]
    assert any("Input/output error" in f["what"] for f in found)


def test_any_finding_can_be_dismissed(repository):
    """By its mark, or all at once: then all is well. What changes is told again, and --all tells everything."""
    repository.session(ends=False)
    repository.engine.failed("one", "capture", ValueError("no room"))
    repository.engine.settle("one")
    found = repository.json("doctor")["findings"]
    failed = next(each for each in found if each["check"] == "failures")
    assert f"{failed['mark']} warning: one: capture failed" in repository.run("doctor").stdout
    assert "No finding has the code zzz" in repository.run("doctor", "--dismiss", "zzz").stderr
    told = json.loads(repository.run("doctor", "--dismiss", failed["mark"], "--json").stdout)
    assert "failures" not in {each["check"] for each in told["findings"]}
    assert [each["check"] for each in told["dismissed"]] == ["failures"]
    result = repository.run("doctor", "--dismiss", "all")
    assert result.exit_code == 0
    assert "No problems found" in result.stdout
    assert "dismissed (--all shows them)" in result.stdout
    assert len(repository.json("doctor", "--all")["findings"]) == len(found)
    repository.engine.failed("one", "capture", ValueError("no room"))
    repository.engine.settle("one")
    assert "failures" in {each["check"] for each in repository.json("doctor")["findings"]}


def test_a_mark_stays_the_same_as_time_goes_by():
    """An age in its words does not make it another finding; other words do."""
    mark = Finding("lost", WARNING, "gone; last event 3 min ago", session="a").mark
    assert Finding("lost", WARNING, "gone; last event 2 d ago", session="a").mark == mark
    assert Finding("lost", WARNING, "gone; last event 2 d ago", session="b").mark != mark


def test_what_cannot_be_fixed_is_told_and_stops_nothing():
    """A link in place of a lock, a full disk: the others are fixed all the same."""
    done = []

    def fails():
        raise OSError(28, "No space left on device", "/x")

    found = [Finding("a", WARNING, "first", mend=fails), Finding("b", WARNING, "second", mend=lambda: done.append("b"))]
    mended, failed = doctor._mend(found)
    assert ([one.check for one in mended], done) == (["b"], ["b"])
    assert [(one.check, one.level, one.hint) for one in failed] == [("a", "error", "look at /x")]
    assert "first: No space left" in failed[0].what


def test_what_was_put_into_the_quarantine_is_no_error_there(repository):
    """A link in place of a lock: `--fix` moves it away, once."""
    repository.session()
    lock = os.path.join(repository.store, "sessions", "one.lock")
    os.unlink(lock)
    os.symlink("/dev/null", lock)
    assert ("irregular", "error") in findings(repository)
    assert ("irregular", "error") not in findings(repository, "--fix")
    assert repository.run("doctor").exit_code == 0
