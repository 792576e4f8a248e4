"""One payload in, one line on the tape, and what the agent is told: in this process, and as a real one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import attr
import pytest

import scenes
from scenes import repository
from tapehead import system
from tapehead.cli import main
from tapehead.engine import background, hook, recording, stdin, store_location, untracked_files, worker
from tapehead.engine.engine import Engine
from tapehead.git import run as git_run
from tapehead.statemachine.vocabulary import Event, Phase
from tapehead.store import lock, rejected_payloads
from tapehead.store.line import readable
from tapehead.store.paths import Layout
from tapehead.store.sessions import StateStore, Unreadable
from tapehead.system import processes as process


def piped(data):
    """A descriptor from which so much can be read, and then the end."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return reading


@pytest.fixture
def repo(tmp_path):
    return repository(tmp_path / "repo")


@pytest.fixture
def no_workers(monkeypatch):
    """Detached settles are counted, not started."""
    started = []
    monkeypatch.setattr(background, "start", lambda layout, session_id, env: started.append(session_id))
    return started


def store_of(repo):
    return StateStore(Layout(str(repo / ".git" / "tapehead")))


def sent(repo, name, env=None, **fields):
    payload = {"session_id": "s", "hook_event_name": name, "cwd": str(repo), **fields}
    return hook.run("claude", piped(json.dumps(payload).encode()), {"HOME": "/nowhere", **(env or {})})


def lines(repo, session="s"):
    return readable(store_of(repo).lines(session)[0])


def test_each_hook_writes_one_line(repo, no_workers):
    """A whole session: every line on the tape, in order, and silence where there is nothing to say."""
    names = ["SessionStart", "UserPromptSubmit", "SubagentStop", "Stop", "StopFailure", "PostCompact", "SessionEnd"]
    assert [sent(repo, name) for name in names] == [""] * len(names)
    told = [line for line in lines(repo) if line.host == "claude"]
    assert [line.event or line.note for line in told] == [
        Event.SESSION_START,
        Event.TURN_START,
        "subagent_stop",
        Event.TURN_END,
        Event.TURN_FAILED,
        Event.COMPACTED,
        Event.SESSION_STOP,
    ]
    assert no_workers == ["s"] * 6


def test_where_a_line_says_it_was(repo, no_workers):
    """Starts and prompts carry worktree, branch, HEAD and process; other events do not."""
    sent(repo, "UserPromptSubmit", {"CLAUDE_PID": str(os.getpid())})
    sent(repo, "Stop")
    prompt, stop = lines(repo)
    assert (prompt.data["worktree"], prompt.data["branch"], prompt.data["worktree_id"]) == (str(repo), "main", "")
    assert prompt.data["head"] == scenes.git(repo, "rev-parse", "HEAD")
    assert prompt.data["pid"] == os.getpid()
    assert "worktree" not in stop.data


@pytest.mark.parametrize("named", ["", "abc", "-1", "²"])
def test_a_pid_that_is_none_is_looked_for(repo, no_workers, named):
    """Without a usable CLAUDE_PID the process above is the agent."""
    sent(repo, "UserPromptSubmit", {"CLAUDE_PID": named})
    [line] = lines(repo)
    above = process.host_above(os.getppid())
    assert line.data.get("pid") == (above.pid if above else None)


def test_a_pid_of_nobody_is_not_written(repo, no_workers):
    """A process that is not there has nothing to tell."""
    sent(repo, "UserPromptSubmit", {"CLAUDE_PID": "999999999"})
    assert "pid" not in lines(repo)[0].data


def test_a_compaction_is_restored_in_the_hosts_form(repo, no_workers):
    """The start after it says the brief as JSON, once."""
    sent(repo, "UserPromptSubmit", prompt="find the leak")
    assert "find the leak" in sent(repo, "PreCompact", trigger="auto")
    said = json.loads(sent(repo, "SessionStart", source="compact"))
    assert "find the leak" in said["hookSpecificOutput"]["additionalContext"]
    assert said["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert sent(repo, "UserPromptSubmit") == ""


def test_what_is_owed_rides_on_the_next_prompt(repo, no_workers):
    """An agent that only says PostCompact is handed the brief with the next prompt."""
    sent(repo, "UserPromptSubmit", prompt="find the leak")
    sent(repo, "PreCompact")
    sent(repo, "PostCompact", compact_summary="x")
    Engine(store_of(repo).layout, lambda: scenes.NOON).settle("s")
    assert "find the leak" in sent(repo, "UserPromptSubmit", prompt="go on")


def test_a_warning_that_is_owed_rides_on_the_next_prompt(repo, no_workers):
    """Nobody could be told when it came up: the user is told with the prompt, once."""
    sent(repo, "SessionStart")
    store = store_of(repo)
    Engine(store.layout, lambda: scenes.NOON).settle("s")
    store.save(attr.evolve(store.load("s"), pending_warnings=("the anchor drags",)))
    assert "the anchor drags" in json.loads(sent(repo, "UserPromptSubmit", prompt="go on"))["systemMessage"]
    assert sent(repo, "UserPromptSubmit", prompt="go on") == ""


@pytest.mark.parametrize("text", ["", "[]", "{"])
def test_a_garbled_state_owes_nothing(repo, no_workers, text):
    """The look at the saved state cannot fail."""
    sent(repo, "SessionStart")
    with open(store_of(repo).layout.state("s"), "w", encoding="utf-8") as file:
        file.write(text)
    assert sent(repo, "UserPromptSubmit") == ""
    assert lines(repo)[-1].event is Event.TURN_START


def test_a_start_that_finds_out_nothing_is_still_written(repo, no_workers, monkeypatch):
    """What went wrong is on the line, for doctor."""
    from tapehead.engine import start as starting

    def broken(*_):
        raise ValueError("no way")

    monkeypatch.setattr(starting, "find_out", broken)
    sent(repo, "SessionStart")
    assert lines(repo)[0].data["found_out_nothing"] == "ValueError: no way"


def test_a_settle_that_fails_leaves_word(repo, no_workers, monkeypatch):
    """The agent is told nothing; the tape says why."""
    monkeypatch.setattr(Engine, "settle", lambda *_, **__: 1 / 0)
    assert sent(repo, "PreCompact") == ""
    monkeypatch.undo()
    assert [line.data["reason"] for line in lines(repo) if line.note == "failed"] == [
        "ZeroDivisionError: division by zero"
    ]


def test_a_rebase_is_a_fact_of_a_commit(repo):
    """While git rebases, a commit's line says so; otherwise not."""
    place = store_location.place_of(str(repo), {})
    for expected in ([], ["rebasing"]):
        heard = hook.Heard("git", "post-commit", "s")
        heard.event = Event.GIT_COMMIT
        assert recording._line(heard, place, recording.Moment(scenes.NOON, {}, "/"), 0)["facts"] == expected
        (repo / ".git" / "rebase-merge").mkdir(exist_ok=True)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "nothing came"),
        (b"{", "not JSON"),
        (b"[]", "not a JSON object"),
        (b'{"session_id": "../x"}', "no session id"),
    ],
)
def test_strays_are_kept(repo, monkeypatch, raw, why):
    """What belongs to no session is written down where the hook ran."""
    monkeypatch.chdir(repo)
    assert hook.run("claude", piped(raw), {}) == ""
    [stray] = readable(rejected_payloads.lines(store_of(repo).layout))
    assert why in stray.data["reason"]


def test_the_second_store_takes_what_the_first_refuses(repo, tmp_path, no_workers):
    """A store that cannot be written (here: a file lies in its place) is passed over for the one in the state directory."""
    (repo / ".git" / "tapehead").write_text("in the way")
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    sent(repo, "SessionStart", env)
    hook.run("claude", piped(b"junk " + str(repo).encode()), {**env, "CLAUDE_PROJECT_DIR": str(repo)})
    (root,) = store_location.place_of(str(repo), env).roots
    store = StateStore(Layout(root))
    assert store.load("s").phase is Phase.IDLE
    assert len(rejected_payloads.lines(store.layout)) == 1


def test_no_store_at_all_is_no_error(repo, monkeypatch):
    """With nowhere to write, nothing is said and nothing raised."""
    (repo / ".git" / "tapehead").write_text("in the way")
    monkeypatch.setattr(store_location.system, "home_of_user", lambda: "")
    env = {"HOME": "", "CLAUDE_PROJECT_DIR": str(repo)}
    assert sent(repo, "SessionStart", env) == ""
    assert hook.run("claude", piped(b"junk"), env) == ""


@pytest.mark.parametrize("odd", ["/gone/\ud800", "/" + "x" * 5000])
def test_any_directory_has_a_place(tmp_path, no_workers, monkeypatch, odd):
    """A directory that no file system has still has a store of its own; a payload that names one is recorded where the hook ran."""
    env = {"XDG_STATE_HOME": str(tmp_path)}
    assert len(store_location.place_of(odd, env).roots) == 1
    monkeypatch.chdir(tmp_path)
    payload = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "cwd": odd}
    hook.run("claude", piped(json.dumps(payload).encode()), env)
    assert (
        sum(len(StateStore(Layout(str(root))).lines("s")[0]) for root in (tmp_path / "tapehead" / "places").iterdir())
        == 1
    )


def test_homes_of_every_kind(monkeypatch, tmp_path):
    """XDG first, then HOME, then the user's entry; what is relative does not count; nowhere is nowhere."""
    assert store_location.state_home({"XDG_STATE_HOME": "/x", "HOME": "/h"}) == "/x/tapehead"
    assert store_location.state_home({"XDG_STATE_HOME": "x", "HOME": "/h"}) == "/h/.local/state/tapehead"
    import pwd

    monkeypatch.setattr(pwd, "getpwuid", lambda _: type("Entry", (), {"pw_dir": "/of/user"}))
    assert store_location.state_home({}) == "/of/user/.local/state/tapehead"

    def unknown(_):
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert store_location.state_home({}) == ""
    assert store_location.place_of(str(tmp_path), {}).roots == ()


def test_places_are_told_apart(tmp_path, repo):
    """Directories have slugs of their own; a store of another user is not used, except by root; worktrees share one."""
    env = {"XDG_STATE_HOME": str(tmp_path)}
    one, other = (store_location.place_of(f"/a{sep}b", env).roots for sep in "-/")
    assert one != other
    scenes.git(repo, "worktree", "add", "-q", str(tmp_path / "linked"))
    linked = store_location.place_of(str(tmp_path / "linked"), env)
    assert linked.roots == store_location.place_of(str(repo), env).roots
    assert (linked.worktree, linked.worktree_id) == (str(tmp_path / "linked"), "linked")
    outside = store_location.place_of("/gone", env)
    assert (outside.worktree, outside.worktree_id) == ("/gone", "")


def test_a_store_of_someone_else_is_not_ours(repo, monkeypatch):
    """It is left out, for root too; what is not there yet will be ours."""
    root = repo / ".git" / "tapehead"
    root.mkdir()
    owner = os.stat(repo).st_uid
    assert store_location.trouble(str(root)) == store_location.trouble(str(repo / "gone")) == ""
    for other in (owner + 1, 0 if owner else owner + 2):
        monkeypatch.setattr(os, "geteuid", lambda other=other: other)
        assert store_location.trouble(str(root)) == f"{root} belongs to another user"
        assert str(root) not in store_location.place_of(str(repo), {"HOME": "/h"}).roots


def test_a_value_is_read_before_the_end_of_stdin():
    """On some systems stdin never closes: a whole value is enough, with what follows it, in however many pieces."""
    for pieces in ([b'{"a": 1}'], [b'{"a": {"b": 2}', b"}"], [b'{"a": "}', b'"}\n']):
        reading, writing = os.pipe()
        whole = b"".join(pieces)
        os.write(writing, whole)
        assert stdin.read_value(reading) == (json.loads(whole), whole)
        os.close(writing)
        os.close(reading)


def test_a_brace_in_the_middle_is_not_the_end(monkeypatch):
    """A piece that happens to end in a brace is no value yet: the rest is waited for."""
    pieces = iter([b'{"a": {}', b"}"])
    monkeypatch.setattr(stdin.system, "is_readable", lambda _, wait: wait == stdin._SILENCE)
    monkeypatch.setattr(os, "read", lambda *_: next(pieces))
    assert stdin.read_value(0) == ({"a": {}}, b'{"a": {}}')


@pytest.mark.parametrize("closed", [True, False])
def test_what_is_nested_without_end_is_unusable(monkeypatch, closed):
    """Whether or not stdin closes; how deep is too deep differs from one Python to the next."""

    def too_deep(_):
        raise RecursionError("maximum recursion depth exceeded")

    monkeypatch.setattr(stdin, "_SILENCE", 0)
    monkeypatch.setattr(stdin.json, "loads", too_deep)
    raw = b'{"a":' * 900 + b"1" + b"}" * 900
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    os.write(writing, raw)
    if closed:
        os.close(writing)
    with pytest.raises(stdin.Unusable, match="not JSON"):
        stdin.read_value(reading)


def test_silence_and_too_much_end_the_reading(monkeypatch):
    """Nothing more for a while is the end; so is more than anyone would send."""
    monkeypatch.setattr(stdin, "_SILENCE", 0)
    reading, writing = os.pipe()
    with pytest.raises(stdin.Unusable, match="nothing came"):
        stdin.read_value(reading)
    monkeypatch.setattr(stdin, "_MOST", 3)
    os.write(writing, b"[1,2]")
    assert stdin.read_value(reading)[0] == [1, 2]


def run_hook(monkeypatch, payload, **env):
    """The hook's entry, which always ends the process: here that is caught."""

    class Ended(BaseException):
        pass

    def end(code):
        raise Ended(code)

    for name, value in env.items():
        monkeypatch.setenv(name, value)
    saved = os.dup(0)
    reading = piped(payload)
    os.dup2(reading, 0)
    monkeypatch.setattr(os, "_exit", end)
    try:
        main.run_hook("claude")
    except Ended as ended:
        return ended.args[0]
    finally:
        os.dup2(saved, 0)
        os.close(saved)
        os.close(reading)


def test_the_entry_exits_0_whatever_happens(repo, monkeypatch, capfd, no_workers):
    """What is to be said is printed, an error is not (unless asked for), and what we start ourselves is left alone."""
    payload = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "cwd": str(repo), "prompt": "find the leak"}
    assert run_hook(monkeypatch, json.dumps(payload).encode()) == 0
    start = {**payload, "hook_event_name": "SessionStart", "source": "startup"}
    assert run_hook(monkeypatch, json.dumps(start).encode()) == 0
    assert "left in mid-turn" in json.loads(capfd.readouterr().out)["systemMessage"]
    count = len(lines(repo))
    assert run_hook(monkeypatch, json.dumps(payload).encode(), TAPEHEAD_INTERNAL="1") == 0
    assert len(lines(repo)) == count
    monkeypatch.delenv("TAPEHEAD_INTERNAL")

    assert run_hook(monkeypatch, b"no JSON") == 0
    assert capfd.readouterr() == ("", "")
    assert run_hook(monkeypatch, b"no JSON", TAPEHEAD_DEBUG="1") == 0
    assert capfd.readouterr().err.startswith("tapehead: not JSON: ")
    monkeypatch.delenv("TAPEHEAD_DEBUG")

    def broken(*_):
        raise ValueError("odd \udcff")

    monkeypatch.setattr(hook, "run", broken)
    assert run_hook(monkeypatch, b"") == 0
    assert capfd.readouterr() == ("", "")
    assert run_hook(monkeypatch, b"", TAPEHEAD_DEBUG="1") == 0
    assert capfd.readouterr().err == "tapehead: ValueError: odd \\udcff\n"


def test_main_tells_hooks_and_people_apart(monkeypatch):
    """`hook HOST` is the light way; anything else is for people."""
    called = []
    monkeypatch.setattr(main, "run_hook", lambda host: called.append(host) or sys.exit(0))
    monkeypatch.setattr(main, "_leave", sys.exit)  # which ends the process on the spot
    for argv, host in ((["hook", "claude"], ["claude"]), (["hook", "--help"], []), (["--version"], [])):
        called.clear()
        monkeypatch.setattr(sys, "argv", ["tapehead", *argv])
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        with pytest.raises(SystemExit) as ended:
            main.main()
        assert (called, ended.value.code) == (host, 0)


@pytest.mark.parametrize(("words", "code"), [(["--version"], 0), (["no-such-command"], 2)])
def test_a_command_ends_at_once_with_all_that_it_has_to_do(words, code):
    """What was said is out, what was registered for the end is done, and the interpreter is not taken apart."""
    script = """
import atexit, sys
class Late:
    def __del__(self): print("taken apart")
late = Late()
atexit.register(print, "registered")
sys.argv = ["tapehead", *sys.argv[1:]]
from tapehead.cli.main import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert done.stdout.splitlines()[-1] == "registered"
    assert bool(done.stderr) is bool(code)


def test_a_worker_settles_what_a_hook_left(repo):
    """As a real process, detached: the lock is held until it is done, then the state is at the end of the tape."""
    payload = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "cwd": str(repo), "prompt": "x"}
    command = [sys.executable, "-c", "from tapehead.cli.main import run_hook; run_hook('claude')"]
    for name in ("UserPromptSubmit", "Stop"):
        raw = json.dumps({**payload, "hook_event_name": name}).encode()
        done = subprocess.run(command, input=raw, capture_output=True, check=True)
        assert (done.stdout, done.stderr) == (b"", b"")
    store = store_of(repo)
    held = lock.take(store.layout.worker("s"), 60)
    lock.release(held)
    state = store.load("s")
    assert (state.phase, state.turn_number, state.untracked_files_at_start) == (Phase.IDLE, 1, ())
    assert not store.behind("s", state)


def test_a_second_worker_is_not_started(repo, monkeypatch):
    """While one holds the lock there is none; where spawning has no setsid, it goes without; a failing spawn lets go."""
    layout = store_of(repo).layout
    spawned = []

    def spawn(path, command, env, **options):
        if options.get("setsid"):
            raise NotImplementedError
        spawned.append((command[-3:-1], env["TAPEHEAD_INTERNAL"]))

    monkeypatch.setattr(os, "posix_spawn", spawn)
    held = lock.take(layout.worker("s"), 0)
    assert not background.start(layout, "s", {})
    lock.release(held)
    assert background.start(layout, "s", {})
    assert spawned == [([layout.root, "s"], "1")]

    def refuse(*_, **__):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(os, "posix_spawn", refuse)
    with pytest.raises(OSError, match="allocate"):
        background.start(layout, "s", {})
    again = lock.take(layout.worker("s"), 0)
    assert again is not None
    lock.release(again)


@pytest.fixture
def quiet_worker(monkeypatch):
    """A worker in this very process: no alarm, no lower priority."""
    monkeypatch.setattr("tapehead.system.alarms.end_after", lambda *_: None)
    monkeypatch.setattr("tapehead.system.alarms.lower_priority", lambda: None)


def run_worker(scene, session="s"):
    held = lock.take(scene.layout.worker(session), 0) if system.LOCKS_ARE_INHERITED else -1
    worker.main(scene.layout.root, session, str(held))


def test_a_worker_ends_although_a_line_is_torn(tmp_path, quiet_worker, monkeypatch):
    """A torn last line is nobody's work: the worker does one round and goes."""
    scene = scenes.Scene(tmp_path / "store")
    scene.hear("s", Event.TURN_START)
    with open(scene.layout.tape("s"), "ab") as file:
        file.write(b'{"torn')
    rounds = []
    real = worker.work
    monkeypatch.setattr(
        worker, "work", lambda *words: rounds.append(1) or (real(*words) if len(rounds) < 9 else sys.exit(9))
    )
    run_worker(scene)
    assert rounds == [1]
    assert scene.store.load("s").phase is Phase.ACTIVE


def test_a_worker_looks_again_before_it_goes(tmp_path, quiet_worker, monkeypatch):
    """A line that came while it was at work is read by the same worker."""
    scene = scenes.Scene(tmp_path / "store")
    scene.hear("s", Event.TURN_START)
    real, late = worker.work, iter([Event.TURN_END])

    def work(engine, session):
        real(engine, session)
        for event in late:
            scene.hear("s", event)

    monkeypatch.setattr(worker, "work", work)
    run_worker(scene)
    assert scene.store.load("s").phase is Phase.IDLE


def test_a_worker_leaves_word_of_what_fails(tmp_path, quiet_worker, monkeypatch):
    """A survey that fails is recorded, and the state is settled all the same."""
    scene = scenes.Scene(tmp_path / "store")
    scene.hear("s", Event.TURN_START)

    def broken(*_):
        raise ValueError("no survey")

    monkeypatch.setattr(worker, "take_survey", broken)
    run_worker(scene)
    assert scene.store.load("s").failures["settle"].reason == "ValueError: no survey"


def test_an_unreadable_state_is_work_left(tmp_path, monkeypatch):
    """The next round sets it aside."""
    scene = scenes.Scene(tmp_path / "store")

    def broken(_):
        raise Unreadable("x")

    monkeypatch.setattr(scene.store, "load", broken)
    assert worker._behind(scene.engine, "s")


def test_a_survey_knows_the_difference(tmp_path, repo, monkeypatch):
    """Files that git does not know; none outside; None where nobody can tell."""
    (repo / "mine").write_text("x")
    assert untracked_files.list_untracked(str(repo)) == ["mine"]
    assert untracked_files.list_untracked(str(tmp_path)) == []
    assert untracked_files.list_untracked(str(repo / ".git")) == []
    assert untracked_files.list_untracked("") is None

    def slow(*_):
        raise git_run.GitFailed("too long")

    monkeypatch.setattr(git_run, "untracked_files", slow)
    assert untracked_files.list_untracked(str(repo)) is None
