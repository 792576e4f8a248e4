"""`tapehead archive` and `restore-transcript`: transcripts are kept, told of, and put back."""

import json
import os
import time
from pathlib import Path

import pytest

from record import Record
from tapehead.agents.claude.retention import days_kept, folder_of
from tapehead.archive import kept as kept_files
from tapehead.archive.archive import Archive
from tapehead.archive.limit import list_dropped
from tapehead.engine.chores import keep_transcript

IDS = [f"3f2a91b{n}-1111-4222-8333-444444444444" for n in range(6)]
DAY = 24 * 3600


def folder(repository):
    path = Path(folder_of(repository.home, {}, repository.root))
    path.mkdir(parents=True, exist_ok=True)
    return path


def transcript(repository, session, *, turns=3, days=0, compacted=False):
    """A transcript where Claude Code keeps those of this project, last written some days ago."""
    record = Record(session, cwd=repository.root)
    for n in range(turns):
        record.turn(f"prompt {n} of {session[:8]}", f"answer {n} " + "word " * 200)
        if compacted and n == 1:
            record.compacted("What was said so far.")
    path = Path(str(record.write(folder(repository))))
    if path.stem != session:
        path = path.rename(path.with_name(f"{session}.jsonl"))
    age(path, days)
    return path


def age(path, days):
    then = time.time() - days * DAY
    os.utime(path, (then, then))


def kept(repository):
    [store] = repository.json("archive", "--list")
    return {row["session"]: row for row in store["kept"]}


def test_all_transcripts_of_the_project_are_kept_and_listed(repository):
    """With the files of subagents beside them; those of other projects are left alone; a second time adds nothing."""
    one, two = transcript(repository, IDS[0]), transcript(repository, IDS[1], days=9)
    beside = one.with_suffix("") / "subagents" / "agent-1.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_bytes(one.read_bytes())
    other = Path(folder_of(repository.home, {}, "/elsewhere"))
    other.mkdir(parents=True)
    Record(IDS[2], cwd="/elsewhere").turn("hello", "hi").write(other)
    [done] = repository.json("archive")
    assert (done["sessions"], done["files"], done["problems"]) == (2, 3, [])
    assert done["added_bytes"] == done["bytes"] == 2 * one.stat().st_size + two.stat().st_size
    assert repository.json("archive")[0]["added_bytes"] == 0
    assert [*kept(repository)] == [IDS[0], IDS[1]], "the newest first"
    told = repository.run("archive", "--list").output
    assert "on disk" in told
    two.unlink()
    assert "deleted" in repository.run("archive", "--list").output
    assert kept(repository)[IDS[1]]["exists"] is False


def test_the_worker_keeps_what_a_turn_added(repository):
    path = transcript(repository, IDS[0])
    repository.hook("UserPromptSubmit", IDS[0], prompt="make it blue", transcript_path=str(path))
    repository.engine.settle(IDS[0])
    assert keep_transcript(repository.engine, IDS[0]) == path.stat().st_size
    assert keep_transcript(repository.engine, IDS[0]) == 0
    with path.open("ab") as file:
        file.write(b'{"type":"user"}\n')
    assert keep_transcript(repository.engine, IDS[0]) == len(b'{"type":"user"}\n')


def test_it_can_be_turned_off(repository):
    path = transcript(repository, IDS[0])
    repository.hook("UserPromptSubmit", IDS[0], prompt="make it blue", transcript_path=str(path))
    assert repository.run("config", "set", "archive.keep", "false").exit_code == 0
    repository.engine.settle(IDS[0])
    assert keep_transcript(type(repository)(repository.root, repository.home).engine, IDS[0]) == 0
    refused = repository.run("archive")
    assert (refused.exit_code, "archive.keep is false" in refused.output) == (1, True)
    assert not os.path.exists(repository.layout.transcripts)


def test_a_deleted_transcript_is_put_back_byte_for_byte(repository):
    """With what stood beside it; its time is now, or the agent would delete it at once."""
    path = transcript(repository, IDS[0], days=40)
    beside = path.with_suffix("") / "subagents" / "agent-1.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_bytes(b'{"type":"user"}\n')
    repository.run("archive")
    before = path.read_bytes()
    path.unlink()
    beside.unlink()
    done = repository.json("restore-transcript", IDS[0][:8])
    assert done["files"] == [str(path), str(beside)]
    assert done["command"] == f"claude --resume {IDS[0]}"
    assert (path.read_bytes(), beside.read_bytes()) == (before, b'{"type":"user"}\n')
    assert time.time() - path.stat().st_mtime < DAY
    assert path.stat().st_mode & 0o777 == 0o600
    assert repository.json("restore-transcript", IDS[0])["files"] == [], "all is there"


def test_a_torn_transcript_becomes_a_new_session(repository):
    """From the disk, or from the archive, where that has more; the torn file stays as it is."""
    path = transcript(repository, IDS[0])
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    repository.run("archive")
    done = repository.json("restore-transcript", IDS[0])
    assert done["mended"] == ["1 line could not be read"]
    copy = path.with_name(f"{done['session']}.jsonl")
    assert done["files"] == [str(copy)]
    assert path.read_bytes() == whole[:-30]
    lines = [json.loads(line) for line in copy.read_bytes().splitlines()]
    assert {line["sessionId"] for line in lines if "sessionId" in line} == {done["session"]}
    assert len(lines) == whole.count(b"\n") - 1
    path.write_bytes(whole)
    repository.run("archive")
    path.write_bytes(whole[:50])
    repository.run("archive")
    again = repository.json("restore-transcript", IDS[0])
    copied = path.with_name(f"{again['session']}.jsonl").read_bytes()
    assert copied.count(b"\n") == whole.count(b"\n"), "the whole one was kept as a former version"


def test_before_a_compaction(repository):
    path = transcript(repository, IDS[0], turns=4, compacted=True)
    done = repository.json("restore-transcript", IDS[0], "--before-compaction", "1") if _known(repository, path) else {}
    copy = path.with_name(f"{done['session']}.jsonl").read_bytes()
    assert b"prompt 1 of" in copy
    assert b"prompt 2 of" not in copy
    refused = repository.run("restore-transcript", IDS[0], "--before-compaction", "2")
    assert (refused.exit_code, "was compacted once" in refused.output) == (1, True)


def _known(repository, path):
    return repository.run("archive").exit_code == 0 and path.exists()


def test_what_is_not_there_is_refused(repository):
    path = transcript(repository, IDS[0])
    repository.run("archive")
    assert repository.run("restore-transcript", "nobody").exit_code == 1
    transcript(repository, IDS[1])
    repository.run("archive")
    assert "2 sessions begin with" in repository.run("restore-transcript", IDS[0][:5]).output
    path.write_bytes(b"")
    pack = Path(Archive(repository.layout).packs.folder)
    for each in pack.iterdir():
        each.write_bytes(b"broken")
    refused = repository.run("restore-transcript", IDS[0])
    assert (refused.exit_code, "damaged" in refused.output) == (1, True)
    told = repository.json("doctor")
    assert any(one["check"] == "archive" and one["level"] == "error" for one in told["findings"])


def test_files_of_other_agents_go_back_where_they_were(repository):
    """A rollout of Codex is kept as it is, and cannot be cut off before a compaction."""
    thread = "019a0000-0000-7000-8000-000000000001"
    day = Path(repository.home, ".codex", "sessions", "2026", "01", "02")
    day.mkdir(parents=True)
    path = day / f"rollout-2026-01-02T03-04-05-{thread}.jsonl"
    meta = {
        "timestamp": "2026-01-02T03:04:05Z",
        "type": "session_meta",
        "payload": {"id": thread, "cwd": repository.root},
    }
    path.write_text(json.dumps(meta) + "\n{torn")
    age(path, 2)
    repository.run("archive")
    assert kept(repository)[thread]["agent"] == "codex"
    before = path.read_bytes()
    path.unlink()
    assert repository.run("restore-transcript", thread, "--before-compaction", "1").exit_code == 1
    assert repository.json("restore-transcript", thread)["files"] == [str(path)]
    assert path.read_bytes() == before


def test_the_limit_drives_the_oldest_out_and_says_so(repository, monkeypatch):
    for n, session in enumerate(IDS):
        transcript(repository, session, turns=5, days=9 - n)
    repository.run("archive")
    size = Archive(repository.layout).size()
    monkeypatch.setattr("tapehead.archive.limit._MEGABYTE", size // 2)
    repository.run("config", "set", "archive.limit", "1")
    done = repository.json("archive")[0]
    assert 0 < done["sessions"] < len(IDS)
    assert [*kept(repository)] == IDS[::-1][: done["sessions"]], "the newest stay"
    assert list_dropped(Archive(repository.layout)).sessions == len(IDS) - done["sessions"]
    assert repository.json("archive")[0]["older_than_limit"] == len(IDS) - done["sessions"]
    found = repository.json("doctor")["findings"]
    assert any("reached its limit" in one["what"] and one["level"] == "note" for one in found)
    assert not any("not kept" in one["what"] for one in found)


@pytest.mark.parametrize(
    ("setting", "days"), [({}, 30), ({"cleanupPeriodDays": 7}, 7), ({"cleanupPeriodDays": "x"}, 30)]
)
def test_doctor_warns_of_what_the_agent_will_delete(repository, setting, days):
    """And keeps it, where it is asked to repair. Where the user wants no copies, it is only a note."""
    path = transcript(repository, IDS[0], days=3)
    transcript(repository, IDS[1])
    Path(repository.home, ".claude", "settings.json").write_text(json.dumps(setting))
    assert days_kept(repository.home, {}, repository.root) == days
    [found] = [one for one in repository.json("doctor")["findings"] if one["check"] == "archive"]
    assert found["level"] == "warning"
    assert (
        f"1 transcript of this project is not kept. Claude Code deletes transcripts after {days} days" in found["what"]
    )
    repository.run("doctor", "--fix")
    assert not [one for one in repository.json("doctor")["findings"] if one["check"] == "archive"]
    with path.open("ab") as file:
        file.write(b'{"type":"user"}\n')
    age(path, 2)
    repository.run("config", "set", "archive.keep", "false")
    [found] = [one for one in repository.json("doctor")["findings"] if one["check"] == "archive"]
    assert found["level"] == "note"


def test_doctor_asks_for_no_copy_of_what_ran_while_it_was_off(repository):
    """Its user turned it off so that there is none."""
    transcript(repository, IDS[0], days=3)
    repository.run("off")
    repository.hook("UserPromptSubmit", IDS[0], prompt="private")
    repository.run("on")
    assert not [one for one in repository.json("doctor")["findings"] if one["check"] == "archive"]


def test_status_tells_what_is_kept(repository):
    assert "transcripts kept: none" in repository.run("status", "--wide").output
    transcript(repository, IDS[0])
    repository.run("archive")
    assert "transcripts kept: 1 session" in repository.run("status", "--wide").output
    assert repository.json("status")[0]["archive"]["limit"] == 500_000_000


def test_forget_session_deletes_the_copy(repository):
    path = transcript(repository, IDS[0])
    repository.session(IDS[0])
    repository.run("archive")
    assert "kept transcripts" in repository.run("forget-session", IDS[0], "--dry-run").output
    repository.hook("SessionEnd", IDS[0], pid=1 << 22, reason="other")
    Archive(repository.layout).forget(IDS[0])
    assert kept(repository) == {}
    assert path.exists()


def test_doctor_names_a_missing_index(repository):
    """While its data is there; and a transcript that is in neither place. What was written a moment ago may be a writer at work."""
    path = transcript(repository, IDS[0])
    repository.hook("SessionStart", IDS[0], source="startup", transcript_path=str(path))
    repository.hook("UserPromptSubmit", IDS[0], prompt="on", transcript_path=str(path))
    repository.run("archive")
    archive = Archive(repository.layout)
    [index] = archive._indexes(IDS[0])
    os.unlink(archive.file(index))
    assert archived_findings(repository) == []
    for name in archive.strays(float("inf")):
        age(archive.file(name), 1)
    [(level, what)] = archived_findings(repository)
    assert (level, "the index of a kept transcript is missing" in what) == ("warning", True)
    path.unlink()
    assert ("note", True) in [(level, IDS[0] in what) for level, what in archived_findings(repository)]


def archived_findings(repository):
    found = repository.json("doctor", "--deep")["findings"]
    return [(one["level"], one["what"]) for one in found if one["check"] == "archive"]


@pytest.mark.parametrize(
    ("place", "beside"),
    [
        (".ssh/authorized_keys", False),
        (".bashrc", False),
        (".claude/settings.json", False),
        ("../3f2a91b0.jsonl", False),
        (".config/autostart/x.desktop", True),
        (f"{IDS[0]}/../.ssh/authorized_keys", True),
    ],
)
@pytest.mark.parametrize("agent", ["codex", "claude"])
def test_an_index_of_somebody_else_names_no_other_file_of_the_user(repository, place, beside, agent):
    """A store can come with an unpacked repository. What is no file of the session by its name is not written, and neither is the rest."""
    path = transcript(repository, IDS[0])
    repository.run("archive")
    path.unlink()
    archive = Archive(repository.layout)
    [one] = archive.kept(IDS[0])
    target = Path(repository.home, place)
    forged = one._replace(source=one.source._replace(path=str(target), agent=agent, beside=beside))
    kept_files.save(archive.file(kept_files.index_name(forged)), forged)
    if not beside:
        Path(archive.file(kept_files.index_name(one))).unlink()
    refused = repository.run("restore-transcript", IDS[0])
    assert refused.exit_code != 0
    assert "no name of this session's files" in refused.stderr
    assert not target.exists()
    assert not path.exists()
