"""`tapehead status`."""

import json
import os
import re
import subprocess

import pytest

from tapehead.engine import store_registry


def test_it_says_where_each_session_stands(repository):
    """Every session is a row with its phase, newest first."""
    repository.session("first")
    repository.session("second", ends=False)
    lines = repository.run("status").stdout.splitlines()
    assert lines[0] == "repository: 2 sessions"
    assert [line.split()[:2] for line in lines[2:]] == [["second", "IDLE"], ["first", "ENDED"]]
    assert "make it blue" in lines[2]


def test_sessions_that_begin_alike_are_told_apart(repository):
    """Codex names its sessions by the time: those of one hour begin with the same letters."""
    repository.session("019a9c01-aaaa")
    repository.session("019a9c01-bbbb")
    lines = repository.run("status").stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["019a9c01-b", "019a9c01-a"]


def test_after_an_import_alone(repository, tmp_path):
    """Something is recorded: only nobody was at work here yet."""
    line = {"type": "user", "uuid": "u", "sessionId": "old", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/gone"}
    (tmp_path / "old.jsonl").write_text(
        json.dumps({**line, "message": {"role": "user", "content": "make it red"}}) + "\n"
    )
    repository.run("import", str(tmp_path / "old.jsonl"), "--here")
    out = repository.run("status").stdout
    assert "history: 1 session" in out
    assert "Nothing recorded" not in out
    assert "tapehead install" in out


def test_in_json_it_is_the_whole_state(repository):
    """--json gives every field of the state, and the store that it comes from."""
    repository.session()
    (place,) = repository.json("status")
    assert place["store"] == repository.store
    assert [(s["session_id"], s["phase"], s["turn_number"]) for s in place["sessions"]] == [("one", "ended", 1)]


def test_a_place_without_sessions_says_what_to_do(repository):
    """Someone new is told how to begin."""
    out = repository.run("status").stdout
    assert "0 sessions" in out
    assert "tapehead install" in out


def test_it_reads_what_the_hooks_left_unread(repository):
    """Lines that no settle has read yet are read first: a prompt shows as ACTIVE at once."""
    repository.session("one", ends=False)
    repository.hook("UserPromptSubmit", prompt="and now red")
    (place,) = repository.json("status")
    assert place["sessions"][0]["phase"] == "active"


def test_it_notices_a_process_that_is_gone(repository):
    """A session whose agent died in mid-turn is HALTED, and its brief is captured."""
    host = subprocess.Popen(["sleep", "60"])
    repository.hook("SessionStart", pid=host.pid, source="startup")
    repository.hook("UserPromptSubmit", pid=host.pid, prompt="make it blue")
    host.kill()
    host.wait()
    (place,) = repository.json("status")
    assert place["sessions"][0]["phase"] == "halted"
    assert os.path.exists(os.path.join(repository.store, "captures", "one", "state.md"))


def test_a_zombie_is_gone_too(repository):
    """A dead agent that nobody has waited for yet counts as dead."""
    host = subprocess.Popen(["sleep", "60"])
    repository.hook("SessionStart", pid=host.pid, source="startup")
    repository.hook("UserPromptSubmit", pid=host.pid, prompt="make it blue")
    host.kill()
    os.waitid(os.P_PID, host.pid, os.WEXITED | os.WNOWAIT)
    try:
        assert repository.json("status")[0]["sessions"][0]["phase"] == "halted"
    finally:
        host.wait()


def test_only_the_newest_are_shown_unless_all_are_asked_for(repository):
    """Twenty sessions do not scroll the newest away."""
    for number in range(20):
        repository.session(f"s{number:02d}")
    out = repository.run("status").stdout
    assert "5 older ones are not shown (--every)" in out
    assert len(repository.run("status", "--every").stdout.splitlines()) == 22


def test_a_store_that_cannot_be_written_is_still_shown(repository, monkeypatch):
    """Where nothing can be settled, the answer is worked out in memory."""
    repository.session("one", ends=False)
    repository.hook("UserPromptSubmit", prompt="and now red")

    def refuse(*_args, **_kw):
        raise PermissionError(13, "no")

    monkeypatch.setattr("tapehead.engine.engine.Engine.settle", refuse)
    assert repository.json("status")[0]["sessions"][0]["phase"] == "active"


def test_global_shows_every_store_that_was_registered(repository, tmp_path):
    """--all goes through the registry; stores that are gone are left out."""
    repository.session()
    home = os.path.join(repository.home, ".local", "state", "tapehead")
    store_registry.register(home, repository.store)
    store_registry.register(home, str(tmp_path / "gone"))
    places = repository.json("status", "--all")
    assert [place["store"] for place in places] == [repository.store]


SECRET = "sk-ant-api03-" + "aB3dE5fG7h" * 4


@pytest.mark.parametrize("before", ["Use the key ", "x" * 45 + " ", "x" * 90 + " ", "y " * 90])
def test_no_secret_of_a_prompt_is_shown(repository, before):
    """What a user pasted is redacted, wherever the line is cut: an agent that asks hands the answer to its model."""
    host = subprocess.Popen(["sleep", "60"])
    repository.hook("SessionStart", pid=host.pid, source="startup")
    repository.hook("UserPromptSubmit", pid=host.pid, prompt=f"{before}{SECRET} to deploy")
    host.kill()
    host.wait()
    repository.run("status")
    for command in ("status", "resume", "log", "doctor", "monitor"):
        for words in ((), ("--json",)):
            out = repository.run(command, *words).stdout
            assert len(out) > 1
            assert "aB3d" not in out


def test_a_machine_on_which_nothing_was_recorded(repository):
    """--all is not silent there."""
    result = repository.run("status", "--all")
    assert result.exit_code == 0
    assert "Nothing recorded on this machine yet" in result.stdout
    assert repository.json("status", "--all") == []


def test_what_matters_stands_first_and_the_rest_is_asked_for(repository):
    """The id, the phase, the age, the room and the last prompt; --wide has the machine's numbers, too."""
    repository.session("3f2a91bc-1111-4222-8333-444444444444")
    head, row = repository.run("status").stdout.splitlines()[1:3]
    assert re.split("  +", head.strip()) == ["session", "phase", "age", "room left", "last prompt"]
    assert row.split()[:2] == ["3f2a91bc", "ENDED"]
    assert row.rstrip().endswith("make it blue")
    wide = repository.run("status", "--wide").stdout.splitlines()[1]
    assert all(word in wide for word in ("agent", "turns", "compacted", "delivery", "terminal"))


def test_decisions_are_counted(repository):
    """How many are recorded, and in JSON."""
    repository.session("first")
    repository.run("adr", "new", "Use SQLite", "--tldr", "one file", "--confidence", "high")
    assert "1 recorded decision: `tapehead adr`" in repository.run("status").stdout
    assert json.loads(repository.run("status", "--json").stdout)[0]["decisions"] == 1
    [adr] = json.loads(repository.run("adr", "list", "--json").stdout)
    assert (adr["confidence"], adr["session"]) == ("high", "first")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", adr["date"])
