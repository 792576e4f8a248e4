"""Two clones and a bare remote, by the real git: a session is handed over in one and gone on with in the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

import repositories
import scenes
from tapehead.checkpoints.handoff_ref import Handoff, Handoffs, slug
from tapehead.cli import bytecode, handoff_taking, handoff_transfer
from tapehead.engine import hook
from tapehead.engine.chores import remember
from tapehead.git.side import Side
from tapehead.history.database import Database
from tapehead.history.recall import Recall
from tapehead.statemachine.vocabulary import Phase
from tapehead.store import batons

for folder in ("agents", "agents/contract"):  # where the agents' recorded sessions are
    sys.path.insert(0, str(Path(__file__).parents[2] / folder))
import recordings  # noqa: E402 - see above

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"[:36]
MEMO = f"Next: the colour of the door; the token was {SECRET}"


FROM = "from origin, by somebody unnamed, not checked"


def unmarked(brief):
    """A brief without what says where it comes from."""
    return brief.replace(f"This session came {FROM}.\n", "").replace(f" ({FROM})", "")


class Machine:
    """What a clone with a home of its own has beside what every repository of these tests has."""

    def __init__(self, root, home, monkeypatch):
        home.mkdir(exist_ok=True)
        super().__init__(root, home)
        self.monkeypatch = monkeypatch

    def run(self, *words):
        self.enter()
        return super().run(*words)

    def hook(self, *words, **fields):
        self.enter()
        return super().hook(*words, **fields)

    def enter(self):
        self.monkeypatch.chdir(self.root)
        self.monkeypatch.setenv("HOME", self.home)

    def said(self, session):
        """What a start is told."""
        told = self.hook("SessionStart", session, source="startup")
        return json.loads(told)["hookSpecificOutput"]["additionalContext"] if told else ""

    def own(self):
        """What is the user's: refs that are not ours, index, config, HEAD, logs, and the files."""
        found = {}
        for directory, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if name not in ("tapehead", "objects")]
            for name in files:
                path = Path(directory, name)
                found[str(path)] = (path.stat().st_mode, path.read_bytes())
        return found

    def waiting(self):
        return Handoffs(Side(self.layout.lines, os.path.join(self.root, ".git")), "origin").waiting()


CLONE = type("Clone", (Machine, repositories.Repository), {})


def clone_twice(place):
    """Left and right, of a remote with a commit."""
    scenes.repository(place / "first")
    scenes.git(place, "clone", "-q", "--bare", "first", "remote.git")
    for name in ("left", "right"):
        scenes.git(place, "clone", "-q", "remote.git", name)


def clones_in(place, monkeypatch):
    return [CLONE(place / name, place / f"home of {name}", monkeypatch) for name in ("left", "right")]


@pytest.fixture
def place(folder_of_module, repository):
    """A remote with a commit, and two clones of it."""
    return repositories.kept_place(folder_of_module / "clones", clone_twice)


@pytest.fixture
def clones(place, monkeypatch):
    return clones_in(place, monkeypatch)


@pytest.fixture
def place_of_work(folder_of_module, repository, monkeypatch):
    """The same, after `work` in the left one."""

    def build(place):
        clone_twice(place)
        work(clones_in(place, monkeypatch)[0])

    return repositories.kept_place(folder_of_module / "work", build)


@pytest.fixture
def clones_with_work(place_of_work, monkeypatch):
    return clones_in(place_of_work, monkeypatch)


def transcript(clone, session="one"):
    """What the agent wrote: two turns with a call, a result, and a secret in both."""
    number = iter(range(100))
    began = datetime.now(UTC) - timedelta(
        minutes=2
    )  # a record of another time would tell that somebody else wrote the file

    def line(kind, content, **more):
        at = next(number)
        about = {"sessionId": session, "cwd": clone.root, "version": "2.1.0", "gitBranch": "main", "isSidechain": False}
        about |= {
            "uuid": f"{session}-{at}",
            "timestamp": (began + timedelta(seconds=at)).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        }
        return json.dumps({"type": kind, "message": {"role": kind, "content": content}, **about, **more}) + "\n"

    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": f"TOKEN={SECRET} make door"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": f"the door is made with {SECRET}"}
    rows = [
        line("user", "make a door; never paint it green"),
        line("assistant", [{"type": "text", "text": "I decided to use oak because it lasts."}, call]),
        line("user", [result]),
        line("assistant", [{"type": "text", "text": "The door stands in door.py."}]),
        line("user", f"now hang it, with {SECRET}"),
        line("assistant", [{"type": "text", "text": "It hangs. Still need to oil the hinges."}]),
    ]
    path = Path(clone.home, f"{session}.jsonl")
    path.write_text("".join(rows))
    return str(path)


def work(clone, session="one", *, ends=True):
    """A session of two turns that changes a file and commits it, with a checkpoint; it ends."""
    path = transcript(clone, session)
    rows = Path(path).read_text().splitlines(keepends=True)
    clone.hook("SessionStart", session, source="startup", transcript_path=path)
    for prompt, told in (("make a door; never paint it green", 4), (f"now hang it, with {SECRET}", 6)):
        Path(path).write_text("".join(rows[:told]))  # the agent writes a prompt down when it comes
        clone.hook("UserPromptSubmit", session, prompt=prompt, transcript_path=path)
        clone.engine.settle(session)
        with Path(clone.root, "door.py").open("a") as file:
            file.write(f"# {prompt[:8]}\n")
        clone.hook("Stop", session, last_assistant_message="It hangs.", transcript_path=path)
        clone.engine.settle(session)
    scenes.git(clone.root, "add", "door.py")
    scenes.git(clone.root, "commit", "-qm", "a door")
    clone.engine.committed(session, scenes.git(clone.root, "rev-parse", "HEAD"), "main")
    clone.engine.settle(session)
    if ends:
        clone.hook("SessionEnd", session, reason="other", transcript_path=path)
        clone.engine.settle(session)


def counted(clone):
    """Rows of the memory, by layer."""
    with Database(clone.layout.memory) as database:
        return Recall(database).counts()


def checkpoints(clone):
    return scenes.git(clone.root, "ls-tree", "-r", "refs/tapehead/checkpoints")


def everything(directory):
    """The content of every object that git has there."""
    words = ["git", "cat-file", "--batch-all-objects", "--batch"]
    raw = subprocess.run(words, cwd=directory, check=True, capture_output=True).stdout
    return raw + b"".join(_packed(raw))


def _packed(raw):
    """And what lies compressed in them."""
    at = raw.find(b"\x1f\x8b\x08")
    while at >= 0:
        with suppress(zlib.error):
            yield zlib.decompressobj(31).decompress(raw[at:])
        at = raw.find(b"\x1f\x8b\x08", at + 1)


def test_the_work_goes_on_in_another_clone(clones_with_work, place_of_work):
    """The brief is the same, and so is the brief that a start gets; both have all checkpoints and the memory of each turn.

    Nothing of the user's changed by a byte on either side, no secret is in git, and it is taken once.
    """
    left, right = clones_with_work
    scenes.git(left.root, "push", "-q")
    scenes.git(right.root, "pull", "-q")
    before = [clone.own() for clone in clones_with_work]

    assert left.run("sync").exit_code == 0
    done = left.run("handoff", "--session", "one", "--remote", "--memo", MEMO)
    assert done.exit_code == 0, done.output
    assert "redacted" in done.stdout
    assert "On the other machine, run `tapehead resume --from origin`" in done.stdout
    assert batons.look(left.layout, "main") is None
    assert "1 session handed off" in right.run("sync").stdout
    assert checkpoints(left) == checkpoints(right) != ""
    took = right.run("resume", "--from", "origin")
    assert took.exit_code == 0, took.output
    told = "Start an agent in this worktree within 1 h: it continues one."
    assert took.stdout == f"{told} It came from origin, by an unknown sender, not verified.\n"

    for words in (["brief", "--session", "one"], ["detail", "turn", "1", "--session", "one"]):
        here, there = left.run(*words), right.run(*words)
        assert here.exit_code == there.exit_code == 0
        assert unmarked(there.stdout) == here.stdout != ""
    assert [clone.own() for clone in clones_with_work] == before

    left.run("handoff", "--session", "one", "--memo", MEMO)
    told = right.said("two")
    assert f"This session came {FROM}." in told
    assert unmarked(told).splitlines() == left.said("two").splitlines()
    assert f"It left a memo ({FROM}): “Next: the colour of the door" in told
    assert "never paint it green" in told
    assert right.engine.store.load("two").predecessor_rule == 1
    assert SECRET.encode() not in everything(right.root) + everything(place_of_work / "remote.git")

    assert left.run("sync").exit_code == 0
    assert left.waiting() == right.waiting() == []
    assert "No handoff waiting" in left.run("resume", "--from", "origin").stdout
    for clone in clones_with_work:
        assert not scenes.git(clone.root, "fsck", "--full", "--strict", "--no-dangling")
        assert clone.run("replay", "--session", "one").exit_code == 0


def test_what_came_along_is_known_once(clones_with_work):
    """Handed over and taken again, the memory has no row twice, and a session that is at home here stays as it is."""
    left, right = clones_with_work
    tape = Path(left.tape()).read_bytes()
    for clone in (right, right, left):
        left.run("handoff", "--session", "one", "--remote")
        assert clone.run("resume", "--from", "origin").exit_code == 0
    rows = [counted(clone) for clone in clones_with_work]
    assert rows[0] == rows[1]
    assert Path(left.tape()).read_bytes() == tape
    assert right.run("search", "hinges").exit_code == 0
    assert [counted(clone) for clone in clones_with_work] == rows


def test_offline_it_goes_with_the_next_sync(clones_with_work, place_of_work):
    """Handed over without a remote, and taken without one: each side catches up."""
    left, right = clones_with_work
    (place_of_work / "remote.git").rename(place_of_work / "away")
    assert "will be sent with the next `tapehead sync origin`" in left.run("handoff", "--remote", "origin").stdout
    (place_of_work / "away").rename(place_of_work / "remote.git")
    left.run("sync")
    right.run("sync")
    (place_of_work / "remote.git").rename(place_of_work / "away")
    took = right.run("resume", "--from", "origin")
    assert "can't reach" in took.stderr
    assert batons.look(right.layout, "main")["session"] == "one"
    (place_of_work / "away").rename(place_of_work / "remote.git")
    assert len(left.waiting()) == 1
    right.run("sync")
    left.run("sync")
    assert left.waiting() == []


@pytest.mark.parametrize("words", [("handoff", "--remote"), ("sync",), ("resume", "--from")])
def test_a_remote_that_git_does_not_know_is_no_remote(clones_with_work, words):
    """Nothing is promised for it, and nothing is left behind."""
    left, _ = clones_with_work
    done = left.run(*words, "nosuch")
    assert done.exit_code == 1
    assert "No git remote named nosuch" in done.stderr
    assert scenes.git(left.root, "for-each-ref", "refs/tapehead/handing") == ""


def test_why_a_remote_cannot_be_reached_is_told_in_gits_words(clones_with_work, place_of_work):
    """Without the password of its address."""
    left, _ = clones_with_work
    away = f"{place_of_work}/nowhere:s3cretPassw0rd9@x/gone.git"
    scenes.git(left.root, "remote", "set-url", "origin", away)
    for done in (left.run("sync"), left.run("handoff", "--remote", "origin"), left.run("resume", "--from", "origin")):
        assert "does not appear to be a git repository" in done.stderr
    scenes.git(
        left.root, "remote", "set-url", "origin", f"https://me:s3cretPassw0rd9@127.0.0.1:1/{place_of_work.name}.git"
    )
    done = left.run("sync")
    assert "127.0.0.1" in done.stderr
    assert "s3cretPassw0rd9" not in done.stderr


def test_a_handoff_through_a_remote_that_is_gone_is_named(clones_with_work, place_of_work, monkeypatch):
    """Doctor says that it never got there."""
    monkeypatch.setattr(bytecode, "missing", lambda *_: ())
    left, _ = clones_with_work
    scenes.git(left.root, "remote", "add", "other", str(place_of_work / "none.git"))
    left.run("handoff", "--remote", "other")
    scenes.git(left.root, "remote", "remove", "other")
    told = [one["what"] for one in left.json("doctor")["findings"] if one["check"] == "handoffs"]
    assert told == ["a handoff through other was never sent: no git remote named other"]


@pytest.mark.parametrize("which", ["9", "zz"])
def test_what_does_not_wait_cannot_be_taken(clones, which):
    """By a number or an id, where nothing waits."""
    assert clones[0].run("resume", which, "--from", "origin").exit_code == 1
    assert clones[0].run("resume", "--from", "origin").exit_code == 0


@pytest.mark.parametrize("answer", ["n", "y"])
def test_whoever_can_be_asked_is_asked(clones_with_work, monkeypatch, answer):
    """The only one that waits is shown first, at a terminal; it is taken once, and no is an answer."""
    left, right = clones_with_work
    left.run("handoff", "--remote")
    monkeypatch.setattr(handoff_taking, "sys", SimpleNamespace(stdin=Terminal(), stdout=Terminal()))
    monkeypatch.setattr(handoff_taking.click, "confirm", lambda *_, **__: answer == "y")
    done = right.run("resume", "--from", "origin")
    assert done.exit_code == 0
    assert "handed over" in done.stdout
    assert (batons.look(right.layout, "main") is not None) == (answer == "y")


class Terminal:
    def isatty(self):
        return True


def test_of_two_that_take_it_at_once_one_has_it(clones_with_work, monkeypatch):
    """The first mark stands, on both sides; the other is told, and offers no baton."""
    left, right = clones_with_work
    left.run("handoff", "--remote")
    right.run("sync")
    receive, meddled = handoff_transfer.receive, []

    def meddle(*words):
        if not meddled:
            meddled.append(True)
            left.run("resume", "--from", "origin")
            right.enter()
        return receive(*words)

    monkeypatch.setattr(handoff_transfer, "receive", meddle)
    late = right.run("resume", "--from", "origin")
    assert late.exit_code == 1
    assert "taken elsewhere" in late.stderr
    assert batons.look(left.layout, "main")["session"] == "one"
    assert batons.look(right.layout, "main") is None


def test_two_that_could_not_ask_both_hear_of_it(clones_with_work, place_of_work):
    """Each took it offline: both have it, and both are told by sync, by doctor and on the tape; a new handoff settles it."""
    left, right = clones_with_work
    left.run("handoff", "--remote", "--session", "one")
    right.run("sync")
    (place_of_work / "remote.git").rename(place_of_work / "away")
    for clone in clones_with_work:
        assert "can't reach" in clone.run("resume", "--from", "origin").stderr
        assert batons.look(clone.layout, "main")["session"] == "one"
    (place_of_work / "away").rename(place_of_work / "remote.git")
    told = "session one, handed off through origin, was taken here and in another clone: both may continue it"
    assert told not in left.run("sync").stderr
    assert told in right.run("sync").stderr
    assert told in left.run("sync").stderr
    assert told not in left.run("sync").stderr
    for clone in clones_with_work:
        assert told in [what for what, _ in handoffs(clone)]
        assert "taken_twice" in clone.run("log", "--raw", "--session", "one").stdout
        assert clone.waiting() == []
        assert clone.run("replay", "--session", "one").exit_code == 0
    right.run("handoff", "--remote", "--session", "one")
    left.run("sync")
    assert not any("taken" in what and "clone" in what for clone in clones_with_work for what, _ in handoffs(clone))


def test_one_that_asked_and_one_that_could_not(clones_with_work, place_of_work):
    """The first mark stands; the other hears of it with its next sync, and so does whoever handed it over."""
    left, right = clones_with_work
    left.run("handoff", "--remote", "--session", "one")
    right.run("sync")
    assert left.json("sync")["taken_twice"] == []
    assert left.run("resume", "--from", "origin").exit_code == 0
    (place_of_work / "remote.git").rename(place_of_work / "away")
    right.run("resume", "--from", "origin")
    (place_of_work / "away").rename(place_of_work / "remote.git")
    assert len(right.json("sync")["taken_twice"]) == 1
    assert len(left.json("sync")["taken_twice"]) == 1


def handoffs(clone):
    """What doctor says of them; it has nothing else to say of a session that came from elsewhere."""
    found = clone.json("doctor")["findings"]
    assert {row["check"] for row in found} <= {"handoffs", "unpushed", "checkpoints", "hooks", "git_hooks", "bytecode"}
    return [(row["what"], row["hint"]) for row in found if row["check"] == "handoffs"]


def test_doctor_knows_what_waits(clones_with_work, place_of_work):
    """By what was heard of the remote, without asking it: what waits there, and what it has not heard yet."""
    left, right = clones_with_work
    assert handoffs(left) == []
    (place_of_work / "remote.git").rename(place_of_work / "away")
    left.run("handoff", "--remote", "origin")
    waits = ("1 handed off through origin and not taken yet: one", "`tapehead resume --from origin`")
    unheard = ("origin does not know yet what you handed off or took here", "`tapehead sync origin`")
    assert handoffs(left) == [unheard, waits]
    (place_of_work / "away").rename(place_of_work / "remote.git")
    left.run("sync")
    assert handoffs(left) == [waits]
    assert handoffs(right) == []
    right.run("sync")
    assert handoffs(right) == [waits]
    right.run("resume", "--from", "origin")
    assert handoffs(right) == []
    assert handoffs(left) == [waits]
    left.run("sync")
    assert handoffs(left) == []


def test_several_are_listed_newest_first(clones):
    """By number or by how an id begins; in JSON too, and then nothing is taken; a wrong one is said."""
    left, right = clones
    for session in ("alpha", "beta"):
        work(left, session)
        left.run("handoff", "--session", session, "--remote", "--memo", f"memo of {session}", "--to", "codex")
    rows = right.json("resume", "--from", "origin")
    assert [(row["session"], row["memo"], row["to"], row["turns"]) for row in rows] == [
        ("beta", "memo of beta", "codex", 2),
        ("alpha", "memo of alpha", "codex", 2),
    ]
    listed = right.run("resume", "--from", "origin").stdout
    assert listed.index("memo of beta") < listed.index("memo of alpha")
    assert batons.look(right.layout, "main") is None
    for wrong in ("9", "gamma"):
        assert right.run("resume", "--from", "origin", wrong).exit_code == 1
    took = right.run("resume", "--from", "origin", "al")
    assert "The work stood at" in took.stdout
    assert batons.look(right.layout, "main")["to"] == "codex"
    assert [row["session"] for row in right.json("resume", "--from", "origin")] == ["beta"]
    right.run("resume", "--from", "origin", "1")
    assert batons.look(right.layout, "main")["session"] == "beta"


def test_a_chain_comes_along(clones_with_work):
    """The sessions before: their turns and their rules are in the brief there as here."""
    left, right = clones_with_work
    left.run("handoff", "--session", "one")
    path = transcript(left, "two")
    left.hook("SessionStart", "two", source="startup", transcript_path=path)
    left.hook("UserPromptSubmit", "two", prompt=f"now hang it, with {SECRET}", transcript_path=path)
    left.hook("Stop", "two", last_assistant_message="oiled", transcript_path=path)
    left.hook("SessionEnd", "two", reason="other", transcript_path=path)
    left.engine.settle("two")
    remember(left.engine, "one")
    left.run("handoff", "--session", "two", "--remote")
    scenes.git(left.root, "push", "-q")
    scenes.git(right.root, "pull", "-q")
    assert right.run("resume", "--from", "origin").exit_code == 0
    brief = right.run("brief", "--session", "two").stdout
    assert FROM in brief
    assert f"session one ({FROM})" in brief
    assert unmarked(brief) == left.run("brief", "--session", "two").stdout
    assert "turn N --session one`" in brief
    assert f"said to Claude Code, session one ({FROM}): “" in right.run("brief", "--session", "two", "--full").stdout


EVENTS = {
    "codex": ("SessionStart", "UserPromptSubmit", "Stop"),
    "gemini": ("SessionStart", "BeforeAgent", "AfterAgent"),
}


def worked(clone, host):
    """A session of another agent by its recorded transcript: one turn that changes a file, and its commit; its id."""
    name, lines, session = recordings.RECORDS[host]
    path = Path(clone.home, name)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    clone.enter()
    for event in EVENTS[host]:
        said = {"source": "startup", "prompt": "open the door", "prompt_response": "It is shut."}
        payload = {
            "session_id": session,
            "cwd": clone.root,
            "hook_event_name": event,
            "transcript_path": str(path),
            **said,
        }
        reading, writing = os.pipe()
        os.write(writing, json.dumps(payload).encode())
        os.close(writing)
        hook.run(host, reading, {"HOME": clone.home} | ({"GEMINI_SESSION_ID": session} if host == "gemini" else {}))
        os.close(reading)
        clone.engine.settle(session)
        if event in ("UserPromptSubmit", "BeforeAgent"):
            Path(clone.root, "door.py").write_text("# opened\n")
    scenes.git(clone.root, "add", "door.py")
    scenes.git(clone.root, "commit", "-qm", "a door")
    clone.engine.committed(session, scenes.git(clone.root, "rev-parse", "HEAD"), "main")
    clone.engine.settle(session)
    return session


@pytest.mark.parametrize("host", EVENTS)
def test_a_session_of_another_agent(clones, host):
    """Codex's and Gemini's go like Claude Code's: the same brief there, the memory of each turn, the checkpoint with its lines."""
    left, right = clones
    session = worked(left, host)
    state = left.engine.store.load(session)
    assert (state.agent, state.turn_number, state.failures) == (host, 1, {})
    scenes.git(left.root, "push", "-q")
    scenes.git(right.root, "pull", "-q")
    assert left.run("handoff", "--session", session, "--remote", "--memo", "the door").exit_code == 0
    assert left.run("sync").exit_code == 0
    assert [row["agent"] for row in right.json("resume", "--from", "origin")] == [host]
    assert right.run("resume", "--from", "origin").exit_code == 0
    assert right.engine.store.load(session).agent == host
    for words in (("brief",), ("brief", "--full"), ("detail", "turn 1")):
        here, there = (clone.run(*words, "--session", session).stdout for clone in clones)
        assert unmarked(there).replace(right.root, left.root) == here
        assert "open the door" in here
    assert counted(left) == counted(right)
    assert left.json("explain", "HEAD") == right.json("explain", "HEAD")
    (part,) = right.json("explain", "HEAD")["parts"]
    assert (part["session"], part["agent"], part["attribution"]["session_added"]) == (session, host, 1)
    told = right.said("next")
    assert f"It left a memo ({FROM}): “the door”" in told
    assert "open the door" in told


def test_it_is_not_sent_to_another_remote(clones_with_work, place_of_work):
    """What was handed over through one remote does not go to another with its sync."""
    left, _ = clones_with_work
    scenes.git(place_of_work, "clone", "-q", "--bare", "first", "public.git")
    scenes.git(left.root, "remote", "add", "public", str(place_of_work / "public.git"))
    left.run("handoff", "--remote", "origin")
    assert left.run("sync", "public").exit_code == 0
    assert "handoffs" not in scenes.git(place_of_work / "public.git", "for-each-ref")
    assert "refs/tapehead/handoffs" in scenes.git(place_of_work / "remote.git", "for-each-ref")


@pytest.mark.parametrize(
    "files",
    [
        {"sessions/one/tape.gz": b"no gzip", "sessions/one/turns.jsonl.gz": b"\x1f\x8b\x08 no"},
        {"sessions/../../x/tape.gz": b"", "sessions/-x/tape.gz": b"", "elsewhere": b"x"},
        {"sessions/one/summary-../../../x.md": b"x", "sessions/one/hooks": b"x"},
    ],
    ids=["damaged", "names", "files"],
)
def test_what_came_is_anothers_word(clones, files):
    """Names that lead elsewhere and packs that are none do no harm."""
    left, right = clones
    safe = {name: content for name, content in files.items() if ".." not in name}
    handed = Handoffs(Side(left.layout.lines, os.path.join(left.root, ".git")), "origin")
    handed.put(Handoff("abc", "one", offered_at="2027"), safe, 0)
    left.run("sync")
    before = right.own()
    assert right.run("resume", "--from", "origin").exit_code == 0
    handoff_transfer.receive(
        right.layout, files, handoff_transfer.Place(right.root, "", 0, 1), handoff_transfer.Sender("one")
    )
    assert right.own() == before
    assert not Path(right.store, "x").exists()
    right.said("two")


def test_here_and_there_at_once_is_refused(clones_with_work):
    """An agent that is started here is none of another machine."""
    left, _ = clones_with_work
    assert left.run("handoff", "--remote", "--launch").exit_code == 1
    assert left.waiting() == []


def test_one_that_is_still_open_is_over_where_it_arrives(clones):
    """Its process is none of that machine; the brief is the same all the same, and its own agent starts anew with it there."""
    left, right = clones
    work(left, ends=False)
    scenes.git(left.root, "push", "-q")
    scenes.git(right.root, "pull", "-q")
    left.run("handoff", "--remote")
    right.run("resume", "--from", "origin")
    state = right.engine.store.load("one")
    assert (state.phase, state.host_pid, state.terminal) == (Phase.ENDED, None, "")
    assert state.worktree_path == right.root
    assert unmarked(right.run("brief").stdout) == left.run("brief").stdout
    started = []
    right.monkeypatch.setattr("tapehead.cli.commands.resume.must_be_there", lambda *_: None)
    right.monkeypatch.setattr("tapehead.cli.commands.resume.begin", lambda *words: started.append(words))
    right.monkeypatch.setattr("tapehead.cli.commands.resume.must_be_there", lambda *_: None)
    assert right.run("resume", "1").exit_code == 0
    assert started == [("claude", right.root)]
    assert right.json("resume")[0]["command"] == "tapehead resume one"
    assert left.json("resume")[0]["command"] == "claude --resume one"


def test_a_ref_of_its_own_for_each_remote():
    """Names that only differ in signs have two; a password in an address is in none."""
    assert slug("origin") == "origin"
    assert slug("a.b") != slug("a-b") != slug("a/b")
    assert "hunter2" not in slug("https://me:hunter2@example.org/x.git")
    assert slug("…") != slug("...")
