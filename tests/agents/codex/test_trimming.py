"""Trimming a Codex thread: what goes and what stays, what is refused, and that a kill or an undo loses nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

import scenes
from tapehead.agents.codex import trim_files, trimming
from tapehead.agents.codex.trimming import Refused
from tapehead.cli.app import app

THREAD = "01a1ed90-3fc8-7f61-a18a-515a9289ab41"
AT = "2026-11-18T07:30:00.000Z"


def said(role, text, **more):
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}], **more}


class Thread:
    """A rollout as Codex 0.166 writes it."""

    def __init__(self, folder, **meta):
        about = {"id": THREAD, "cli_version": "0.166.0", "history_mode": "paginated", "cwd": str(folder), **meta}
        self.rows = [("session_meta", about)]
        home = folder / ".codex"
        self.path = home / "sessions" / "2026" / "11" / "18" / f"rollout-2026-11-18T07-30-16-{THREAD}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        (home / "thread-writer-locks").mkdir(exist_ok=True)

    def turn(self, number, *items, ends="task_complete"):
        self.event("task_started", turn_id=f"t{number}")
        self.rows.append(("response_item", said("user", f"prompt {number}")))
        self.rows += [("response_item", item) for item in items or (said("assistant", f"answer {number}"),)]
        if ends:
            self.event(ends)
        return self

    def turns(self, number):
        for each in range(1, number + 1):
            call = {"type": "function_call", "name": "exec_command", "arguments": "{}", "call_id": f"c{each}"}
            answer = {"type": "function_call_output", "call_id": f"c{each}", "output": f"output {each}"}
            self.turn(each, call, answer, said("assistant", f"answer {each}"))
        return self

    def event(self, kind, **more):
        self.rows.append(("event_msg", {"type": kind, **more}))

    @property
    def raw(self):
        rows = (
            {"timestamp": AT, "ordinal": number, "type": kind, "payload": payload}
            for number, (kind, payload) in enumerate(self.rows)
        )
        return b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    def written(self):
        self.path.write_bytes(self.raw)
        return self


@pytest.fixture
def thread(tmp_path):
    return Thread(tmp_path)


def why_not(thread, keep=2):
    with pytest.raises(Refused) as refused:
        trimming.plan(trimming.understood(thread.raw), keep)
    return str(refused.value)


def test_the_newest_turns_stay_as_they_are(thread):
    """Two hundred turns to a fifth: the line has the note and forty turns, and is numbered after the last one."""
    rollout = trimming.understood(thread.turns(200).raw)
    plan = trimming.plan(rollout, 40, note_tokens=100)
    assert (plan.goes, plan.stays, plan.ordinal) == (160, 40, len(thread.rows))
    assert plan.tokens_after < plan.tokens_before / 3
    row = json.loads(plan.line("what went", AT))
    history = row["payload"]["replacement_history"]
    assert history[0]["content"][0]["text"] == "what went"
    assert [item for item in history[1:] if item.get("role") == "user"] == [
        said("user", f"prompt {n}") for n in range(161, 201)
    ]
    assert trimming.understood(thread.raw + plan.line("what went", AT)).before == tuple(history)


def test_after_a_compaction_only_what_came_since_counts(thread):
    """What an earlier compaction or trim left goes with the turns that go."""
    thread.turns(5).rows.append(("compacted", {"message": "m", "replacement_history": [said("user", "summary")]}))
    assert "nothing would go" in why_not(thread, 2)
    plan = trimming.plan(trimming.understood(thread.turns(3).raw), 2)
    assert (plan.goes, plan.stays, plan.compacted) == (1, 2, True)


@pytest.mark.parametrize(
    ("meta", "reason"),
    [
        ({"cli_version": "0.167.0"}, "Codex 0.167.0 wrote it; trim knows 0.166"),
        ({"cli_version": ""}, "unknown version"),
        ({"history_mode": "legacy"}, "legacy"),
        ({"forked_from_id": "x"}, "fork"),
        ({"history_base": {"thread_id": "x"}}, "fork"),
        ({"thread_source": "subagent"}, "subagent"),
    ],
)
def test_a_rollout_of_another_kind_is_refused(tmp_path, meta, reason):
    """Other versions, forks and subagents."""
    assert reason in why_not(Thread(tmp_path, **meta).turns(5))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("something_new", {}), "'something_new', which trim does not know"),
        (("response_item", {"type": "web_search_call"}), "web_search_call"),
        (("response_item", {"type": "compaction", "encrypted_content": "x"}), "encrypted by the provider"),
        (("event_msg", {"type": "thread_rolled_back"}), "taken back"),
        (("event_msg", {"type": "task_started"}), "not over"),
    ],
)
def test_a_line_that_is_not_understood_is_refused(thread, row, reason):
    """Wherever it stands."""
    thread.turns(5).rows.append(row)
    assert reason in why_not(thread)


def test_what_would_stay_must_be_whole(thread):
    """Encrypted thoughts and calls without an answer are no matter where they go, and are refused where they would stay."""
    thought = {"type": "reasoning", "encrypted_content": "x", "summary": []}
    call = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "open"}
    thread.turn(1, thought).turn(2, call).turn(3).turn(4)
    assert trimming.plan(trimming.understood(thread.raw), 2).goes == 2
    assert "no answer" in why_not(thread, 3)
    thread.turn(5, thought)
    assert "encrypted thoughts" in why_not(thread, 2)


def test_a_torn_or_renumbered_file_is_refused(thread):
    """A line is missing, or the last one is half there."""
    raw = thread.turns(3).raw
    for damaged in (
        raw[:-5],
        b"\n".join(raw.split(b"\n")[2:]),
        raw.replace(b'"ordinal": 3', b'"ordinal": 4'),
        b"[]\n",
        b"{\n",
        b"",
    ):
        with pytest.raises(Refused):
            trimming.understood(damaged)


def applied(thread, trims, keep=2):
    plan = trimming.plan(trimming.understood(thread.raw), keep)
    line = plan.line("note", AT)
    with trim_files.writer_lock(str(thread.path), THREAD):
        trims.apply(str(thread.path), trim_files.read(str(thread.path)), line, THREAD, AT)
    return thread.raw + line


def test_it_is_swapped_and_undone_byte_for_byte(thread, tmp_path):
    """The original is kept until somebody lets go of it, the rights stay, and no other file is left."""
    thread.turns(10).written()
    thread.path.chmod(0o640)
    trims = trim_files.Trims(str(tmp_path / "state"))
    new = applied(thread, trims)
    assert thread.path.read_bytes() == new
    assert thread.path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(thread.path.parent) == [thread.path.name]
    [record] = trims.records()
    assert trims.state(record) == "new"
    with pytest.raises(Refused, match="still kept"):
        trims.apply(str(thread.path), new, b"x\n", THREAD, AT)
    assert trims.undo(record, force=False) == "new"
    assert thread.path.read_bytes() == thread.raw
    assert trims.records() == []


def test_a_thread_that_went_on_is_undone_by_force_alone(thread, tmp_path):
    """And what it went on with is kept."""
    thread.turns(10).written()
    trims = trim_files.Trims(str(tmp_path / "state"))
    new = applied(thread, trims)
    thread.path.write_bytes(new + b'{"more":1}\n')
    [record] = trims.records()
    with pytest.raises(Refused, match="went on"):
        trims.undo(record, force=False)
    assert thread.path.read_bytes() == new + b'{"more":1}\n'
    assert trims.undo(record, force=True) == "went on"
    assert thread.path.read_bytes() == thread.raw
    [kept] = (tmp_path / "state" / "trims" / THREAD).iterdir()
    assert kept.read_bytes() == new + b'{"more":1}\n'


def test_others_changes_and_a_damaged_original_are_left_alone(thread, tmp_path):
    """Nothing is guessed."""
    thread.turns(10).written()
    trims = trim_files.Trims(str(tmp_path / "state"))
    applied(thread, trims)
    [record] = trims.records()
    now = thread.path.read_bytes()
    thread.path.write_bytes(b"something else\n")
    with pytest.raises(Refused, match="changed by others"):
        trims.undo(record, force=True)
    thread.path.write_bytes(now)
    original = tmp_path / "state" / "trims" / THREAD / "original.jsonl"
    original.write_bytes(b"damaged")
    with pytest.raises(Refused, match="damaged"):
        trims.undo(record, force=True)
    assert thread.path.read_bytes() == now
    trims.let_go(THREAD)
    assert trims.records() == []


def test_a_thread_in_use_is_not_touched(thread, tmp_path):
    """By Codex's own lock, and by who has the file open."""
    thread.turns(10).written()
    locks = tmp_path / ".codex" / "thread-writer-locks"
    with trim_files.writer_lock(str(thread.path), THREAD), pytest.raises(Refused, match="Codex has it open"):
        applied(thread, trim_files.Trims(str(tmp_path / "state")))
    code = f"import time; f = open({str(thread.path)!r}); print('open', flush=True); time.sleep(60)"
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    try:
        holder.stdout.readline()
        with pytest.raises(Refused, match="has it open"):
            applied(thread, trim_files.Trims(str(tmp_path / "state")))
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    assert thread.path.read_bytes() == thread.raw
    assert [each.name for each in locks.iterdir()] == [".coordination.lock"]
    (locks / ".coordination.lock").unlink()
    locks.rmdir()
    with pytest.raises(Refused, match="nobody can tell"):
        applied(thread, trim_files.Trims(str(tmp_path / "state")))


def test_a_file_that_is_no_plain_rollout_is_refused(thread, tmp_path):
    """A link, one with two names, one elsewhere, one that grew meanwhile."""
    thread.turns(10).written()
    link = tmp_path / "link.jsonl"
    link.symlink_to(thread.path)
    for path in (link, tmp_path / "nowhere.jsonl"):
        with pytest.raises(Refused):
            trim_files.read(str(path))
    with pytest.raises(Refused, match="folder `sessions`"), trim_files.writer_lock(str(link), THREAD):
        pass
    trims = trim_files.Trims(str(tmp_path / "state"))
    with pytest.raises(Refused, match="at work on it"):
        trims.apply(str(thread.path), b"what it was", b"line\n", THREAD, AT)
    assert thread.path.read_bytes() == thread.raw


KILLED = """
import os, signal, sys
from tapehead.agents.codex import trim_files, trimming
path, home, thread, last = sys.argv[1:]
steps = 0
def step(frame, event, argument):
    global steps
    steps += event == "line"
    if steps == int(last):
        os.kill(os.getpid(), signal.SIGKILL)
    return step
with trim_files.writer_lock(path, thread):
    raw = trim_files.read(path)
    line = trimming.plan(trimming.understood(raw), 2).line("note", "2026-11-18T07:30:00.000Z")
    sys.settrace(step)
    trim_files.Trims(home).apply(path, raw, line, thread, "2026-11-18T07:30:00.000Z")
    sys.settrace(None)
print(steps)
"""


def test_fifty_kills_lose_nothing(thread, tmp_path):
    """Killed before any line of its work, the rollout is the old one or the new one, whole, and undo gives the old one back."""
    thread.turns(20).written()
    home, old = str(tmp_path / "state"), thread.raw
    new = old + trimming.plan(trimming.understood(old), 2).line("note", AT)
    trims = trim_files.Trims(home)

    def trimmed(last):
        command = [sys.executable, "-c", KILLED, str(thread.path), home, THREAD, str(last)]
        done = subprocess.run(command, capture_output=True, check=False)
        now = thread.path.read_bytes()
        assert now in (old, new)
        for record in trims.records():
            trims.undo(record, force=False)
        assert thread.path.read_bytes() == old
        return done, now

    assert trimmed(-1)[1] == new
    steps = int(trimmed(-1)[0].stdout)  # the first one made its folder
    found = [trimmed(steps - number * steps // 50) for number in range(50)]
    assert {done.returncode for done, _ in found} == {-signal.SIGKILL}
    assert {now for _, now in found} == {old, new}, "some died before the swap, and some behind it"


def test_the_command(thread, tmp_path, monkeypatch):
    """Plan by default, then --apply, --undo and --let-go; a Codex thread that was only imported will do."""
    scenes.repository(tmp_path / "repo")
    monkeypatch.chdir(tmp_path / "repo")
    monkeypatch.setenv("HOME", str(tmp_path))
    thread.rows[0][1]["cwd"] = str(tmp_path / "repo")
    thread.turns(10).written()

    def run(*words):
        return CliRunner().invoke(app, [*words])

    assert run("import", str(thread.path)).exit_code == 0
    shown = run("trim", THREAD, "--keep", "2")
    assert shown.exit_code == 0, shown.output
    assert "would go: 8 turns" in shown.output
    assert "nothing was changed" in shown.output
    assert thread.path.read_bytes() == thread.raw
    told = json.loads(run("trim", THREAD, "--keep", "2", "--apply", "--json").stdout)
    assert (told["goes"], told["stays"], told["applied"]) == (8, 2, True)
    history = json.loads(thread.path.read_bytes().splitlines()[-1])["payload"]["replacement_history"]
    assert history[0]["content"][0]["text"] == told["note"]
    assert "the original of a trimmed thread is kept" in run("doctor").output
    assert "in use: no" in run("doctor", "--trim", "--session", THREAD).output
    assert run("trim", "--undo").exit_code == 0
    assert thread.path.read_bytes() == thread.raw
    assert run("trim", "--undo").exit_code == 1
    run("trim", THREAD, "--keep", "2", "--apply")
    assert run("trim", "--let-go").exit_code == 0
    assert run("trim", "--undo").exit_code == 1
    assert run("trim", THREAD, "--keep", "30", "--apply").exit_code == 1
    assert run("trim", THREAD, "--apply", "--undo").exit_code == 1
