"""Sessions in a real repository: turns are marked, commits condensed, and what is kept in git holds no secret."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from types import SimpleNamespace

import pytest

import scenes
from planted import PLANTED, body
from tapehead.actions import checkpoint_keeper, own_files
from tapehead.attribution.line_prompt import asked_for
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import trailers
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.rewind.rewind import rewind_of
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import tape
from tapehead.store.paths import Layout
from tapehead.store.state import State

SECRET = "ghp_" + "a1B2" * 9


class Work(scenes.Scene):
    """A repository, its store, and a session or two in it."""

    def __init__(self, repo):
        super().__init__(repo / ".git" / "tapehead")
        self.repo = repo
        self.transcript = repo.parent / "transcript.jsonl"
        self.transcript.write_text("")

    def turn(self, edits, session="one", prompt="do it"):
        """The agent edits files, as it says itself in its transcript or not at all."""
        self.starts(session, prompt)
        for name, text in edits.items():
            (self.repo / name).write_text(text)
        self.ends(session)

    def starts(self, session="one", prompt="do it"):
        self.clock.forward(1)
        where = {"worktree": str(self.repo), "transcript_path": str(self.transcript), "prompt": prompt}
        self.hear(session, Event.TURN_START, data=where)
        with self.transcript.open("a") as file:
            file.write(json.dumps({"type": "user", "message": {"role": "user", "content": prompt}}) + "\n")
        return self.settled(session)

    def ends(self, session="one"):
        self.clock.forward(1)
        self.hear(session, Event.TURN_END)
        return self.settled(session)

    def commits(self, message="a commit", sessions=("one",), facts=(), *words):
        scenes.git(self.repo, "add", "-A")
        scenes.git(self.repo, "commit", "-qm", message, *words)
        return self.committed(sessions, facts)

    def committed(self, sessions=("one",), facts=()):
        commit = scenes.git(self.repo, "rev-parse", "HEAD")
        for session in sessions:
            self.clock.forward(1)
            self.hear(session, Event.GIT_COMMIT, data={"commit": commit, "branch": "main"}, host="git", facts=facts)
            self.settled(session)
        return commit

    @property
    def kept(self):
        return Checkpoints(work_tree(self.layout, self.store.load("one")).side)

    def reserve(self, session, checkpoint_id):
        tape.append(self.layout.reserved, {"id": checkpoint_id, "session": session})
        return f"a commit\n\n{trailers.NAME}: {checkpoint_id}\n"


@pytest.fixture
def work(tmp_path):
    return Work(scenes.repository(tmp_path / "repo"))


def test_a_commit_is_condensed(work):
    """Whose lines, which prompts, which turns, which files; and the state moves on from it."""
    (work.repo / "file.txt").write_text("0\nhuman\n")
    state = work.starts(prompt="make it blue")
    assert state.pending_prompt_attribution.user_lines_added == 0  # before the first mark nothing is known
    (work.repo / "file.txt").write_text("0\nhuman\nagent\n")
    (work.repo / "new.txt").write_text("1\n2\n")
    state = work.ends()
    assert state.files_touched == (str(work.repo / "file.txt"), str(work.repo / "new.txt"))
    commit = work.commits()
    state = work.store.load("one")
    made = work.kept.get(state.last_checkpoint_id)
    assert (made.commit, made.session, made.branch) == (commit, "one", "main")
    assert made.prompts == ("make it blue",)
    assert (made.first_turn, made.last_turn) == (1, 1)
    assert made.files == ("file.txt", "new.txt")
    assert made.attribution == {"agent_added": 3, "human_added": 1, "session_added": 3, "removed": 0}
    assert made.per_file["file.txt"] == {"added": 2, "agent": 1, "session": 1, "removed": 0}
    assert made.tree == scenes.git(work.repo, "rev-parse", "HEAD^{tree}")
    assert work.kept.commit_by("patch", made.patch_id) == commit
    assert state.files_touched == ()
    assert (state.step_count, state.base_commit, state.turn_checkpoint_ids) == (1, commit, (made.id,))
    assert state.agent_lines_checkpointed == 3
    assert not state.failures
    assert work.engine.replayed("one") == state


def test_per_prompt(work):
    """What the human changed since, by file, and what the agent has done so far."""
    work.turn({"a.txt": "1\n2\n3\n"})
    (work.repo / "a.txt").write_text("1\nmine\n3\nmine too\n")
    state = work.starts()
    taken = state.pending_prompt_attribution
    assert (taken.user_lines_added, taken.user_lines_removed) == (2, 1)
    assert (taken.agent_lines_added, taken.agent_lines_removed) == (3, 0)
    assert taken.user_added_per_file == {"a.txt": 2}
    assert taken.user_removed_per_file == {"a.txt": 1}
    assert (taken.agent_added_per_file, taken.agent_removed_per_file) == ({"a.txt": 3}, {})
    assert len(state.prompt_attributions) == 1
    work.ends()
    work.commits()
    state = work.store.load("one")
    assert state.pending_prompt_attribution is None
    counts = {"user_added": 2, "user_removed": 1, "agent_added": 3, "agent_removed": 0}
    nothing = dict.fromkeys(counts, 0)
    assert work.kept.get(state.last_checkpoint_id).per_prompt == {
        "1": {**nothing, "files": {}},
        "2": {**counts, "files": {"a.txt": counts}},
    }
    assert len(state.prompt_attributions) == 2


def test_per_prompt_after_a_commit(work):
    """What was committed is counted once, also in a file that is not clean since."""
    work.turn({"a.txt": "1\n2\n3\n"})
    work.commits()
    (work.repo / "a.txt").write_text("1\n3\nmine\n")
    taken = work.starts().pending_prompt_attribution
    assert (taken.agent_lines_added, taken.agent_lines_removed) == (3, 0)
    assert (taken.user_lines_added, taken.user_lines_removed) == (1, 1)
    assert taken.user_added_per_file == {"a.txt": 1}


def test_the_reserved_id_is_used(work):
    """The trailer's, where it was promised to this session."""
    work.turn({"a.txt": "1\n"})
    work.commits(work.reserve("one", "0123456789ab"))
    assert work.store.load("one").last_checkpoint_id == "0123456789ab"
    assert work.kept.ids() == ["0123456789ab"]


def test_an_amend_goes_on_with_its_checkpoint(work):
    """With its trailer or without: the commit has another name, and the former one is remembered."""
    for message in (work.reserve("one", "0123456789ab"), "no trailer"):
        work.turn({"a.txt": f"{message}\n"})
        first = work.commits(message)
        made = work.store.load("one").last_checkpoint_id
        work.turn({"b.txt": f"{message} more\n"})
        second = work.commits(message, ("one",), (), "--amend")
        again = work.kept.get(made)
        assert (again.commit, again.former_commits) == (second, (first,))
        assert again.attribution["session_added"] == 2 + message.count("\n") * 2
        assert work.store.load("one").last_checkpoint_id == made
    assert len(work.kept.ids()) == 2


def test_a_message_that_is_used_again_is_another_checkpoint(work):
    """`git commit -C`: the trailer is copied, but the commit that it belongs to is still there."""
    message = work.reserve("one", "0123456789ab")
    work.turn({"a.txt": "1\n"})
    first = work.commits(message)
    work.turn({"a.txt": "1\n2\n"})
    work.commits(message)
    assert len(work.kept.ids()) == 2
    assert work.kept.get("0123456789ab").commit == first


def test_during_a_rebase_nothing_is_condensed(work):
    """By the machine's own row."""
    work.turn({"a.txt": "1\n"})
    work.commits("x", ("one",), (Fact.REBASING,))
    assert work.kept.ids() == []
    assert work.store.load("one").files_touched


def test_what_stays_uncommitted_carries_over(work):
    """To the next commit, also of a session that ended; then nothing is left."""
    work.turn({"a.txt": "1\n", "b.txt": "1\n"})
    scenes.git(work.repo, "add", "a.txt")
    scenes.git(work.repo, "commit", "-qm", "one of two")
    work.committed()
    assert work.store.load("one").files_touched == (str(work.repo / "b.txt"),)
    work.hear("one", Event.SESSION_STOP)
    assert not work.settled("one").fully_condensed
    work.commits("the other")
    state = work.store.load("one")
    assert (state.files_touched, state.fully_condensed, state.step_count) == ((), True, 2)


def test_a_session_that_touched_nothing_is_discarded(work):
    """At the next commit after its end; while it is open, a commit of the human's is none of its business."""
    work.turn({})
    (work.repo / "mine.txt").write_text("mine\n")
    work.commits()
    assert work.kept.ids() == []
    work.hear("one", Event.SESSION_STOP)
    assert not work.settled("one").fully_condensed
    (work.repo / "mine.txt").write_text("mine again\n")
    work.commits()
    assert work.store.load("one").fully_condensed
    assert work.kept.ids() == []


def test_two_sessions_each_have_their_part(work):
    """By their lines: two checkpoints for one commit, and one record that names both."""
    work.turn({"a.txt": "1\n2\n"}, "one")
    work.turn({"b.txt": "1\n"}, "two")
    (work.repo / "c.txt").write_text("mine\n")
    commit = work.commits("both", ("one", "two"))
    record = work.kept.record(commit)
    parts = {work.kept.get(name).session: work.kept.get(name) for name in record.checkpoints}
    assert {name: part.files for name, part in parts.items()} == {"one": ("a.txt",), "two": ("b.txt",)}
    assert {part.attribution["session_added"] for part in parts.values()} == {2, 1}
    assert {part.attribution["human_added"] for part in parts.values()} == {1}


def test_a_commit_in_the_middle_of_a_turn(work):
    """What the agent wrote and committed before anybody looked again is the agent's; what lay there before is the human's."""
    work.turn({})
    (work.repo / "mine.txt").write_text("mine\n")
    work.starts()
    (work.repo / "a.txt").write_text("1\n2\n")
    work.commits()
    made = work.kept.get(work.store.load("one").last_checkpoint_id)
    assert made.attribution == {"agent_added": 2, "human_added": 1, "session_added": 2, "removed": 0}
    state = work.ends()
    assert state.files_touched == ()


def test_no_secret_gets_into_git(work):
    """Prompts, transcript and brief are redacted; how much was taken out is counted; the work tree is recorded elsewhere."""
    with work.transcript.open("a") as file:
        row = {"type": "assistant", "message": {"content": [{"type": "text", "text": f"the token is {SECRET}"}]}}
        file.write(
            json.dumps(row)
            + "\n"
            + json.dumps({"env": {"DB_PASSWORD": "hunter2hunter2x9"}})
            + "\n"
            + f"torn {SECRET}\n"
        )
    (work.repo / ".env").write_text(f"TOKEN={SECRET}\n")
    (work.repo / ".git" / "info" / "exclude").write_text("")
    work.turn({"a.txt": "1\n"}, prompt=f"use {SECRET} please")
    scenes.git(work.repo, "add", "a.txt")
    scenes.git(work.repo, "commit", "-qm", "x")
    work.committed()
    made = work.kept.get(work.store.load("one").last_checkpoint_id)
    assert made.prompts == ("use [masked] please",)
    assert made.masked["prompts"] == 1
    assert made.masked["transcript"] >= 3
    everything = scenes.git(work.repo, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    for row in everything.splitlines():
        name, kind = row.split()
        raw = subprocess_bytes(work.repo, kind, name)
        raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        assert SECRET.encode() not in raw
        assert b"hunter2" not in raw
    told = gzip.decompress(work.kept.file(made.id, "transcript.jsonl.gz")).decode()
    assert json.loads(told.splitlines()[0])["message"]["content"][0]["text"] == "the token is [masked]"


def subprocess_bytes(repo, kind, name):
    import subprocess

    return subprocess.run(["git", "cat-file", kind, name], cwd=repo, capture_output=True, check=True).stdout


def test_the_next_checkpoint_begins_where_this_one_ended(work):
    """Of the transcript and of the prompts each has its own part."""
    work.turn({"a.txt": "1\n"}, prompt="first")
    work.commits()
    work.turn({"a.txt": "2\n"}, prompt="second")
    work.commits()
    made = work.kept.get(work.store.load("one").last_checkpoint_id)
    assert (made.prompts, made.first_turn, made.last_turn) == (("second",), 2, 2)
    told = gzip.decompress(work.kept.file(made.id, "transcript.jsonl.gz")).decode()
    assert "second" in told
    assert "first" not in told


def test_done_twice_is_done_once(work):
    """A condense whose note was lost in a crash gives the same checkpoint again."""
    work.turn({"a.txt": "1\n"})
    commit = work.commits()
    made = work.store.load("one").last_checkpoint_id
    work.committed()
    state = work.store.load("one")
    assert work.kept.ids() == [made]
    assert state.step_count == 1
    assert work.kept.record(commit).checkpoints == (made,)


def test_outside_of_git_nothing_is_asked(tmp_path):
    """Turns go on without marks, and nothing fails."""
    (tmp_path / "plain").mkdir()
    plain = scenes.Scene(tmp_path / "store")
    plain.hear("one", Event.TURN_START, data={"worktree": str(tmp_path / "plain")})
    plain.hear("one", Event.TURN_END)
    plain.hear("one", Event.GIT_COMMIT, data={"commit": "a" * 40}, host="git")
    assert not plain.settled("one").failures
    assert plain.notes("one", "mark_lines") == []


def test_a_late_beginning_says_so(work):
    """And what changed before it is not called the human's."""
    work.turn({})
    work.hear("one", Event.TURN_START, data={"worktree": str(work.repo)})
    (work.repo / "a.txt").write_text("1\n")
    work.clock.forward(60)
    work.settled("one")
    assert work.notes("one", "mark_lines")[-1].data["late"]
    work.ends()
    work.commits()
    made = work.kept.get(work.store.load("one").last_checkpoint_id)
    assert made.attribution["agent_added"] == 1


def test_an_end_that_nothing_was_under_way_before_is_no_mark(work):
    """What the human did between the last turn and the end of the session is the human's."""
    work.turn({"a.txt": "1\n"})
    (work.repo / "a.txt").write_text("1\nmine\n")
    work.hear("one", Event.SESSION_STOP)
    work.settled("one")
    work.commits()
    made = work.kept.get(work.store.load("one").last_checkpoint_id)
    assert made.attribution == {"agent_added": 1, "human_added": 1, "session_added": 1, "removed": 0}


def test_a_turn_that_a_kill_ended_is_over(work):
    """PROCESS_LOST closes it: what comes after is the human's again."""
    work.starts()
    (work.repo / "a.txt").write_text("1\n")
    work.hear("one", Event.PROCESS_LOST)
    work.settled("one")
    (work.repo / "a.txt").write_text("1\nmine\n")
    work.commits()
    made = work.kept.get(work.store.load("one").last_checkpoint_id)
    assert made.attribution["human_added"] == 1


def test_what_goes_wrong_with_a_mark_keeps_nothing_else_from_being_done(work, monkeypatch):
    """The end of a turn is taken in; the beginning's failure is on record."""

    def broken(self):
        raise GitFailed("no")

    monkeypatch.setattr("tapehead.git.trees.Trees.record", broken)
    state = work.starts()
    assert state.failures["mark_lines"].reason == "GitFailed: no"
    work.ends()
    assert work.notes("one", "snapshot")[-1].data["mark_failed"] == "GitFailed: no"
    assert os.path.exists(work.layout.state("one"))


def test_at_a_compaction_nobody_looks(work):
    """The host waits, and the turn goes on: what came before and after it is the agent's all the same."""
    work.starts()
    (work.repo / "a.txt").write_text("1\n")
    work.hear("one", Event.COMPACTION)
    work.settled("one")
    assert len(work_tree(work.layout, work.store.load("one")).chain.newest(9)) == 1
    (work.repo / "a.txt").write_text("1\n2\n")
    work.hear("one", Event.SESSION_START, facts=[Fact.AFTER_COMPACTION], data={"source": "compact"})
    work.ends()
    work.commits()
    made = work.kept.get(work.store.load("one").last_checkpoint_id)
    assert made.attribution["session_added"] == 2


def test_secrets_of_forty_kinds_are_in_no_object(work):
    """Planted in prompts, in what the agent said and in what tools said: no object of the repository has the body of one."""
    said = list(PLANTED.values())
    for number, secret in enumerate(said):
        line = {"type": "assistant", "message": {"content": [{"type": "text", "text": f"it is {secret}"}]}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": f"$ env\n{secret}\n"}
        with work.transcript.open("a") as file:
            file.write(json.dumps(line) + "\n")
            file.write(json.dumps({"type": "user", "message": {"content": [result]}}) + "\n")
    work.turn({"file.txt": "0\nagent\n"}, prompt=f"use {said[0]} and {said[4]} and {said[12]}")
    work.commits()
    raw = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=work.repo, capture_output=True, check=True
    ).stdout
    packed = work.kept.file(work.store.load("one").last_checkpoint_id, "transcript.jsonl.gz")
    everything = raw + gzip.decompress(packed)
    assert [name for name, secret in PLANTED.items() if body(secret).encode() in everything] == []
    assert everything.count(b"[masked]") > 2 * len(PLANTED)


def test_what_the_user_lists_is_masked_too(work):
    """Words that no pattern knows."""
    work.engine.checkpoints.also = ("Project Bluebird",)
    work.turn({"file.txt": "0\nagent\n"}, prompt="for Project Bluebird")
    work.commits()
    made = work.kept.get(work.store.load("one").last_checkpoint_id)
    assert made.prompts == ("for [masked]",)


def test_a_torn_promise_is_passed_over(work):
    """The one before it still counts."""
    work.turn({"a.txt": "1\n"})
    message = work.reserve("one", "0123456789ab")
    tape.append_raw(work.layout.reserved, b"{")
    work.commits(message)
    assert work.store.load("one").last_checkpoint_id == "0123456789ab"


def test_where_git_does_not_say_what_is_left_all_carries_over(work, monkeypatch):
    """Rather one file too many at the next commit than one too few."""
    asked = checkpoint_keeper.git

    def broken(directory, *words, **how):
        if words[0] == "diff-index":
            raise GitFailed("no")
        return asked(directory, *words, **how)

    work.turn({"a.txt": "1\n"})
    monkeypatch.setattr(checkpoint_keeper, "git", broken)
    work.commits()
    assert work.store.load("one").files_touched == (str(work.repo / "a.txt"),)


@pytest.mark.parametrize(("tally", "brought", "left"), [({}, {b"a": [1]}, False), ({b"a": (0, 0)}, {}, True)])
@pytest.mark.parametrize("counts", [None, (0, 0, 3), (2, 0, 0)])
def test_whether_work_of_an_agent_is_left(tally, brought, left, counts):
    """By its lines, where the commit has some of the file; else by anything that was noted at all."""
    share = SimpleNamespace(brought=brought, removed={})
    assert own_files._agents_left(SimpleNamespace(tally=tally), share, b"a") is left
    share = SimpleNamespace(brought={b"a": [1]}, removed={})
    seen = SimpleNamespace(tally={} if counts is None else {b"a": counts})
    assert own_files._agents_left(seen, share, b"a") is bool(counts and counts[0])


def test_which_turn_brought_a_line(work, monkeypatch):
    """The session's own turn; nothing of another one's, and nothing where git does not answer."""
    work.turn({"a.txt": "1\n"}, prompt="write it down")
    tree = work_tree(work.layout, work.store.load("one"))

    def asked(session):
        return asked_for(work.layout, tree.repository, session, "a.txt", "1")

    assert asked("one").prompt == "write it down"
    assert asked("another") is None
    answers = Side.git

    def broken(self, *words, **how):
        if words[:2] == ("cat-file", "--batch"):
            raise GitFailed("no", 1)
        return answers(self, *words, **how)

    monkeypatch.setattr(Side, "git", broken)
    assert asked("one") is None


def test_there_is_nothing_to_rewind_outside_of_git(tmp_path):
    """No work tree, no records of it."""
    store = Layout(str(tmp_path / "store"))
    assert rewind_of(store, State("one", worktree_path=str(tmp_path))) is None
