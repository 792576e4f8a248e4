"""A silent hook starts no Python: the script writes the payload down, and whoever comes next puts it on its tape, in order, once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import scenes
from tapehead.agents import hook_command
from tapehead.agents.hook_event import ABOUT_TOOL
from tapehead.agents.registry import AGENTS, HOSTS
from tapehead.engine import background, hook, quiet_sessions, spool, spool_intake
from tapehead.engine.engine import Engine
from tapehead.statemachine.roles import SPEAKING
from tapehead.statemachine.vocabulary import Event
from tapehead.store import lock, off_switch
from tapehead.store.line import readable
from tapehead.store.paths import Layout

SHELLS = [shell for shell in ("dash", "busybox", "bash") if shutil.which(shell)]
"""What `sh` may be on somebody's machine."""


class Desk:
    """A repository, a state directory with the script and the spool in it, and a program that says when it is run."""

    def __init__(self, base, shell="dash"):
        self.repo = scenes.repository(base / "repo")
        self.layout = Layout(str(self.repo / ".git" / "tapehead"))
        self.home = base / "ho me"
        self.state = self.home / ".local" / "state" / "tapehead"
        self.folder = spool.folder_in(str(self.state))
        self.script = hook_command.script_in(str(self.state))
        hook_command.write_script(self.script)
        spool.make(self.folder)
        self.ran = base / "ran"
        self.program = base / "tapehead"
        self.program.write_text(f'#!/bin/sh\necho "$*" >>"{self.ran}"\ncat >/dev/null\n')
        self.program.chmod(0o700)
        self.shell = [shell] if shell != "busybox" else [shell, "sh"]
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        self.engine = Engine(self.layout, time.time_ns, self.env)

    def payload(self, name, session="s", **fields):
        said = {"session_id": session, "cwd": str(self.repo), "hook_event_name": name, **fields}
        return json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode()

    def hook(self, name, agent="claude", raw=None, **env):
        """The hook as the settings run it."""
        words = [*self.shell, self.script, str(self.program), "hook", agent]
        given = self.payload(name) if raw is None else raw
        done = subprocess.run(
            words, input=given, capture_output=True, check=False, timeout=60, cwd=self.repo, env={**self.env, **env}
        )
        assert (done.returncode, done.stderr) == (0, b"")

    def lines(self, session="s"):
        return readable(self.engine.store.lines(session)[0])

    def told(self):
        return [line.event or line.note for line in self.lines()]

    def take_in(self):
        return spool_intake.take_in(self.folder, self.env, 10)

    def runs(self):
        """How the program was run, without what ran it in the background."""
        return [line for line in self.ran.read_text().splitlines() if "guarded" in line] if self.ran.exists() else []


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


@pytest.fixture(params=SHELLS)
def any_desk(tmp_path, request):
    return Desk(tmp_path, request.param)


def test_a_silent_hook_starts_no_program_and_is_recorded(any_desk):
    """Every byte of its payload, where it was, by whom, and when: not when it was taken in."""
    text = "ünï \\ $HOME `x` %s ' \" \x81\x88 \n end " + "y" * 20_000
    any_desk.hook("Stop", raw=any_desk.payload("Stop", last_assistant_message=text))
    assert any_desk.runs() == []
    [entry] = spool.entries(any_desk.folder)
    os.utime(entry.path, ns=(1_763_193_600_123_456_789,) * 2)
    [entry] = spool.entries(any_desk.folder)
    assert os.stat(entry.path).st_mode & 0o777 == 0o600
    assert any_desk.take_in() == {(any_desk.layout.root, "s"): any_desk.env}
    [line] = any_desk.lines()
    assert line.event is Event.TURN_END
    assert line.text("reply").startswith(text[:60])
    assert line.id == entry.line_id
    assert str(line.at).startswith("2025-11-15 08:00:00.123456")
    assert spool.entries(any_desk.folder) == []


def test_a_number_is_above_all_even_where_the_first_was_just_taken_in(any_desk):
    """Its name was read, and then it went: a link to nothing is such a name. Those behind it are still there."""
    os.symlink("nothing", os.path.join(any_desk.folder, "100001.1.claude"))
    open(os.path.join(any_desk.folder, "100081.2.claude"), "w").close()
    any_desk.hook("Stop")
    numbers = sorted(name[:6] for name in os.listdir(any_desk.folder) if name[0] == "1")
    assert numbers == ["100001", "100081", "100082"]


def test_what_was_half_is_taken_in_before_what_came_after_it(desk, monkeypatch):
    """Its hook was still writing when the intake passed; then it ended, and the next hook of the same agent came."""
    desk.hook("Stop", raw=desk.payload("Stop", last_assistant_message="first"))
    real, passed = spool.read, []

    def read(entry):
        if passed:
            return real(entry)
        passed.append(entry)
        desk.hook("Stop", raw=desk.payload("Stop", last_assistant_message="second"))
        return None

    monkeypatch.setattr(spool, "read", read)
    monkeypatch.setattr(spool.Entry, "is_abandoned", lambda *_: False)
    desk.take_in()
    assert [line.text("reply") for line in desk.lines()] == ["first", "second"]
    assert spool.entries(desk.folder) == []


def test_a_prompt_says_who_asked(any_desk):
    """The process above the shells, with when it started: as a hook that runs Python finds it."""
    quiet_path = os.path.join(any_desk.folder, "quiet", "s")
    open(quiet_path, "w").close()
    any_desk.hook("UserPromptSubmit", CLAUDE_PID="")
    any_desk.take_in()
    [line] = any_desk.lines()
    assert (line.number("pid"), line.text("branch")) == (os.getpid(), "main")
    direct = hook.run(
        "claude", _piped(any_desk.payload("UserPromptSubmit")), {**any_desk.env, "CLAUDE_PID": str(os.getpid())}
    )
    assert direct == ""
    for name in ("pid", "pid_started", "terminal", "terminal_started", "worktree", "head"):
        assert any_desk.lines()[0].data.get(name) == any_desk.lines()[1].data.get(name), name


def _piped(data):
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return reading


def test_a_prompt_asks_the_program_unless_nothing_is_owed(desk):
    """Without the mark, with another payload before it, or with an agent that does not tell of its compactions."""
    desk.hook("UserPromptSubmit")
    assert len(desk.runs()) == 1
    open(os.path.join(desk.folder, "quiet", "s"), "w").close()
    desk.hook("UserPromptSubmit", "gemini", raw=desk.payload("BeforeAgent"))
    desk.hook("UserPromptSubmit", "copilot")
    assert len(desk.runs()) == 3
    desk.hook("UserPromptSubmit")
    desk.hook("UserPromptSubmit")
    assert len(desk.runs()) == 4, "the first was silent, and the second came behind it"


def test_who_speaks_is_never_silent():
    """Of every recorded payload of every agent: what the script keeps to itself, the program would have had no words for."""
    folder = os.path.join(os.path.dirname(__file__), "..", "agents", "contract", "recorded")
    silent = spoken = 0
    for agent in HOSTS:
        with open(os.path.join(folder, agent, "payloads.json"), encoding="utf-8") as file:
            recorded = json.load(file)
        for one in recorded.values():
            payload = one.get("payload", one)
            event = AGENTS[agent].heard(payload, {}).event
            kept = _kept(agent, json.dumps(payload, separators=(",", ":")).encode())
            silent, spoken = silent + kept, spoken + (not kept)
            assert not (kept and (event in SPEAKING or AGENTS[agent].heard(payload, {}).note == ABOUT_TOOL)), (
                agent,
                payload,
            )
            may_speak = event in {*SPEAKING, Event.TURN_START} or payload.get("hook_event_name") == "UserPromptSubmit"
            assert kept or may_speak or agent in ("kiro", "gemini"), (agent, payload)
    assert silent > 20
    assert spoken > 20


def _kept(agent, raw):
    """Whether the script writes a payload into the spool."""
    with tempfile.TemporaryDirectory() as base:
        folder = os.path.join(base, "spool")
        script = hook_command.script_in(base)
        hook_command.write_script(script)
        spool.make(folder)
        subprocess.run(
            ["sh", script, "/bin/true", "hook", agent], input=raw, check=True, env={"PATH": os.environ["PATH"]}
        )
        return bool(spool.entries(folder))


def test_a_hook_that_runs_takes_the_spool_in_first(desk, monkeypatch):
    """So what came before it stands before it on the tape, in the order in which it came."""
    monkeypatch.setattr(background, "start", lambda *_: None)
    monkeypatch.setattr(spool_intake, "HOOK_SECONDS", 60)  # on a machine that is busy it would go on without them
    desk.hook("Stop", raw=desk.payload("Stop", last_assistant_message="1"))
    desk.hook("SubagentStop")
    for number in range(12):
        desk.hook("Notification", raw=desk.payload("Notification", message=f"{number}"))
    hook.run("claude", _piped(desk.payload("PreCompact")), desk.env, desk.folder)
    told = [line.event or line.note for line in desk.lines() if line.host == "claude"]
    assert told == [Event.TURN_END, "subagent_stop", *["other_hook"] * 12, Event.COMPACTION]


def test_what_is_taken_in_twice_is_recorded_once(desk, monkeypatch):
    """A process that dies after the line and before it could forget the payload leaves it to the next, who finds the line."""
    desk.hook("Stop")
    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", lambda path: (_ for _ in ()).throw(OSError(5, "as if killed", path)))
        desk.take_in()
    assert desk.told() == [Event.TURN_END]
    assert [entry.was_taken for entry in spool.entries(desk.folder)] == [True]
    desk.take_in()
    assert desk.told() == [Event.TURN_END]
    assert spool.entries(desk.folder) == []


def test_what_was_begun_and_not_written_is_recorded(desk):
    """A process that dies before the line leaves the payload too."""
    desk.hook("Stop")
    [entry] = spool.entries(desk.folder)
    entry.claim()
    desk.take_in()
    assert desk.told() == [Event.TURN_END]


def test_a_program_that_was_killed_after_it_wrote_its_line(desk):
    """The script keeps the payload, and the line is known by it."""
    desk.program.write_text(
        f"#!/bin/sh\n{sys.executable} -c 'from tapehead.cli.main import main; main()' \"$@\"\nkill -9 $$\n"
    )
    desk.hook("SessionStart", raw=desk.payload("SessionStart", source="startup"), PYTHONPATH=os.pathsep.join(sys.path))
    assert len(spool.entries(desk.folder)) == 1
    desk.take_in()
    assert [line.event for line in desk.lines() if line.host == "claude"] == [Event.SESSION_START]
    assert spool.entries(desk.folder) == []


def test_half_a_payload(desk):
    """While its writer lives it waits; when the writer is gone it is put aside with the reason, and nobody waits for it."""
    desk.hook("Stop")
    [entry] = spool.entries(desk.folder)
    with open(entry.path, "rb") as file:
        whole = file.read()
    os.unlink(entry.path)
    for pid in (os.getpid(), 2**22 + 1):
        with open(os.path.join(desk.folder, f"100001.{pid}.claude"), "wb") as file:
            file.write(whole[: len(whole) // 2])
    desk.hook("Stop")
    desk.take_in()
    assert desk.told() == [Event.TURN_END]
    assert [entry.pid for entry in spool.entries(desk.folder)] == [os.getpid()]
    assert len(os.listdir(os.path.join(desk.folder, "aside"))) == 2


def test_what_our_code_breaks_on_stands_in_nobodys_way(desk, monkeypatch):
    """It is put aside, with the reason; the next one is recorded."""
    desk.hook("Stop", raw=desk.payload("Stop", last_assistant_message="poison"))
    desk.hook("SessionEnd")
    real = spool_intake.recording.record
    monkeypatch.setattr(
        spool_intake.recording, "record", lambda *words: 1 // 0 if b"poison" in words[3] else real(*words)
    )
    desk.take_in()
    assert desk.told() == [Event.SESSION_STOP]
    [reason] = [name for name in os.listdir(os.path.join(desk.folder, "aside")) if name.endswith(".reason")]
    with open(os.path.join(desk.folder, "aside", reason)) as file:
        assert "ZeroDivisionError" in file.read()


def test_no_store_takes_it(desk, monkeypatch):
    """A full disk: it stays in the spool, with all that is behind it, and comes later, in order."""
    desk.hook("Stop")
    desk.hook("SessionEnd")
    with monkeypatch.context() as patched:
        patched.setattr(
            "tapehead.store.duplicate_hooks.append", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left"))
        )
        assert desk.take_in() == {}
        assert [entry.was_taken for entry in spool.entries(desk.folder)] == [True, False]
    desk.take_in()
    assert desk.told() == [Event.TURN_END, Event.SESSION_STOP]


@pytest.mark.parametrize("ways", [("settings", "plugin"), ("plugin", "settings")])
def test_twins_are_written_once(desk, ways):
    """Where settings and plugin both run us, both payloads are in the spool, or one of them ran the program."""
    for way in ways:
        desk.hook("Stop", TAPEHEAD_VIA=way)
    desk.take_in()
    assert desk.told() == [Event.TURN_END]
    desk.hook("Notification", TAPEHEAD_VIA=ways[0])
    hook.run("claude", _piped(desk.payload("Notification") + b"\n"), {**desk.env, "TAPEHEAD_VIA": ways[1]}, desk.folder)
    assert desk.told() == [Event.TURN_END, "other_hook"]


def test_an_event_that_comes_too_late_leads_no_session_back(desk):
    """It becomes a note where the session went on; else it counts as what it was."""
    desk.hook("SessionEnd")
    [entry] = spool.entries(desk.folder)
    os.utime(entry.path, (time.time() - 3600,) * 2)
    hook.run("claude", _piped(desk.payload("Notification")), desk.env, desk.folder)
    assert desk.told() == [Event.SESSION_STOP, "other_hook"]
    desk.hook("SessionEnd", raw=desk.payload("SessionEnd", reason="other"))
    [entry] = spool.entries(desk.folder)
    os.utime(entry.path, (time.time() - 1800,) * 2)
    scenes.Scene(desk.layout.root).hear("s", Event.TURN_START)
    desk.take_in()
    assert desk.told()[-2:] == [Event.TURN_START, "unheard"]


def test_one_process_takes_in(desk):
    """The script starts one where none is at it, and none where one is: that one looks once more after it said that it is done."""
    desk.program.write_text(f'#!/bin/sh\necho "$*" >>"{desk.ran}"\n')
    desk.hook("Stop")
    with open(os.path.join(desk.folder, "taker")) as file:
        assert int(file.read())
    with open(os.path.join(desk.folder, "taker"), "w") as file:
        file.write(f"{os.getpid()}\n")
    before = desk.ran.read_text() if desk.ran.exists() else ""
    desk.hook("Stop")
    assert before.count("hook spool") <= 1
    spool.leave(desk.folder, os.getpid())
    assert os.stat(os.path.join(desk.folder, "taker")).st_size == 0


def test_where_there_is_no_spool(desk):
    """The program runs, as before there was one; if it cannot, the payload is kept in one."""
    spool.remove(desk.folder)
    assert not os.path.exists(desk.folder)
    desk.hook("Stop")
    assert len(desk.runs()) == 1
    desk.program.write_text("#!/nowhere/python\n")
    desk.hook("Stop")
    assert len(spool.entries(desk.folder)) == 1


def test_a_payload_that_is_no_payload(desk):
    """It goes to the program, or is kept among the rejected."""
    desk.hook("", raw=b"\xff\xfe garbage")
    desk.hook("", raw=b"")
    assert len(desk.runs()) == 2
    desk.hook("", raw=b'{"session_id":"../x","hook_event_name":"Stop","cwd":"%b"}' % str(desk.repo).encode())
    desk.take_in()
    with open(desk.layout.strays) as file:
        assert "no session id that can be used" in file.read()


def test_when_a_session_is_quiet(desk, monkeypatch):
    """The worker says so once nothing is owed; whatever may make something owed takes it back."""
    monkeypatch.setattr(background, "start", lambda *_: None)
    mark = os.path.join(desk.folder, "quiet", "s")
    hook.run("claude", _piped(desk.payload("SessionStart", source="startup")), desk.env, desk.folder)
    desk.engine.settle("s")
    quiet_sessions.renew(desk.engine, "s")
    assert os.path.exists(mark)
    for name in ("Stop", "UserPromptSubmit", "SubagentStop"):
        hook.run("claude", _piped(desk.payload(name)), desk.env, desk.folder)
        assert os.path.exists(mark), name
    quiet_sessions.renew(desk.engine, "s")
    assert not os.path.exists(mark), "its state is behind"
    desk.engine.settle("s")
    quiet_sessions.renew(desk.engine, "s")
    for name in ("PostCompact", "PreCompact", "SessionEnd", "StopFailure", "SessionStart"):
        open(mark, "w").close()
        desk.hook(name)
        desk.take_in()
        assert os.path.exists(mark) == (name in ("PreCompact", "SessionStart")), name
        hook.run("claude", _piped(desk.payload(name, n=name)), desk.env, desk.folder)
        assert not os.path.exists(mark), name
    hook.run("claude", _piped(desk.payload("PreCompact")), desk.env, desk.folder)
    desk.engine.settle("s")
    quiet_sessions.renew(desk.engine, "s")
    assert not os.path.exists(mark), "a brief will be owed"


def test_marks_of_sessions_that_never_ended(desk):
    """They are forgotten after a month."""
    for name, days in (("old", 31), ("new", 29)):
        path = os.path.join(desk.folder, "quiet", name)
        open(path, "w").close()
        os.utime(path, (time.time() - days * 86400,) * 2)
    quiet_sessions.sweep(desk.env)
    assert os.listdir(os.path.join(desk.folder, "quiet")) == ["new"]


def test_whoever_is_at_it_is_waited_for_no_longer_than_asked(desk):
    """A hook that cannot have the spool goes on without."""
    desk.hook("Stop")
    held = lock.take(os.path.join(desk.folder, "lock"), 0)
    try:
        assert spool_intake.take_in(desk.folder, desk.env, 0.01) == {}
    finally:
        lock.release(held)
    assert len(spool.entries(desk.folder)) == 1


class Repositories:
    """The ways in which a directory belongs to a repository that tapehead is off in."""

    def __init__(self, desk, base):
        worktree, below = base / "worktree", desk.repo / "a" / "b"
        scenes.git(desk.repo, "worktree", "add", "-q", "-b", "second", str(worktree))
        below.mkdir(parents=True)
        self.own = (desk.repo, below, worktree)
        nested = scenes.repository(desk.repo / "nested")
        self.others = (nested, base, base / "nowhere")


@pytest.mark.parametrize("shell", SHELLS)
def test_where_it_is_off_no_program_runs(tmp_path, shell):
    """Whatever the event, in every work tree: nothing is written but the session's id. A repository within, and all others, go on."""
    desk = Desk(tmp_path, shell)
    places = Repositories(desk, tmp_path)
    off_switch.turn_off(desk.layout, off_switch.Period(1))
    for event in ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop"):
        for number, place in enumerate(places.own):
            named = {"CLAUDE_PROJECT_DIR": str(place)} if event == "Stop" else {}
            away = str(tmp_path) if named else str(place)
            desk.hook(event, raw=desk.payload(event, f"s{number}", cwd=away), **named)
    assert (desk.runs(), list(spool.entries(desk.folder))) == ([], [])
    assert sorted(os.listdir(desk.layout.left_out)) == ["s0", "s1", "s2"]
    for place in places.others:
        desk.hook("SessionStart", raw=desk.payload("SessionStart", "t", cwd=str(place)))
    assert len(desk.runs()) == len(places.others)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_link_leads_where_it_points_to(tmp_path, shell):
    """Out of a repository that is off into one that is on, and back: what counts is where the directory really is. The script stays where it was."""
    desk = Desk(tmp_path, shell)
    other = scenes.repository(tmp_path / "other")
    (other / "sub").mkdir()
    (desk.repo / "link").symlink_to(other / "sub")
    (other / "back").symlink_to(desk.repo)
    off_switch.turn_off(desk.layout, off_switch.Period(1))
    desk.hook("Stop", raw=desk.payload("Stop", "in", cwd=str(other / "back")))
    assert list(spool.entries(desk.folder)) == []
    desk.hook("Stop", raw=desk.payload("Stop", "out", cwd=str(desk.repo / "link")))
    [kept] = spool.entries(desk.folder)
    assert f"cwd={desk.repo}\0".encode() in Path(kept.path).read_bytes()
    assert os.listdir(desk.layout.left_out) == ["in"]


@pytest.mark.parametrize(("session", "until"), [("../../x", 0), ("a b", 0), ("", 0), (".x", 0), ("s", 9 * 10**18)])
def test_what_the_script_leaves_to_the_program(desk, session, until):
    """A pause, for it needs a clock, and a session whose id is none: no file is made of it."""
    off_switch.turn_off(desk.layout, off_switch.Period(1, until))
    desk.hook("SessionStart", raw=desk.payload("SessionStart", session))
    assert len(desk.runs()) == 1
    assert os.listdir(desk.layout.left_out) == []


def test_the_spool_of_a_pause(desk):
    """What the script wrote down meanwhile is dropped, also where the pause is over when somebody takes it in."""
    now = time.time_ns()
    desk.hook("Stop")
    off_switch.turn_off(desk.layout, off_switch.Period(now - 10**9, now + 2 * 10**9))
    os.utime(next(iter(spool.entries(desk.folder))).path, ns=(now, now))
    off_switch.turn_off(desk.layout, off_switch.Period(now - 10**9, now + 1))
    desk.take_in()
    assert (desk.lines(), list(spool.entries(desk.folder))) == ([], [])
