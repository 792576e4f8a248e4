"""Whose lines they are, with the real Claude Code: in several repositories, and at a point within a turn."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from rig.place import TAPEHEAD
from rig.waiting import until


def git(place, repo, *words):
    who = ("-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ["git", "-C", str(repo), *who, *words], check=True, capture_output=True, text=True, env=place.env
    )
    return done.stdout.strip()


def repository(place, path):
    path.mkdir(parents=True, exist_ok=True)
    git(place, path, "init", "-q")
    (path / "a.txt").write_text("base\n")
    git(place, path, "add", "-A")
    git(place, path, "commit", "-qm", "base")
    before = path.stat().st_mtime - 100
    os.utime(path / "a.txt", (before, before))
    return path


def blamed(place, file):
    done = subprocess.run(
        [TAPEHEAD, "blame", file.name, "--json"],
        cwd=file.parent,
        env=place.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line["session"] or line["who"] for line in json.loads(done.stdout)["lines"]]


@pytest.mark.parametrize("how", ["by an absolute path", "a submodule", "started above two"])
def test_several_repositories(place, seen, how):
    """Each has its own snapshots and checkpoints under the one session; what lay there is the human's, what was typed between two turns too."""
    project = Path(place.project)
    if how == "started above two":
        place.project = str(project.parent / "above")
        one = repository(place, project.parent / "above" / "one")
        other = repository(place, project.parent / "above" / "two")
    elif how == "a submodule":
        source = repository(place, project.parent / "source")
        git(place, project, "submodule", "add", "-q", str(source), "sub")
        git(place, project, "commit", "-qm", "with a submodule")
        one, other = project, project / "sub"
    else:
        one, other = project, repository(place, project.parent / "other")
    place.print_mode(
        f"do it {{steps [write {one}/new.txt=>agent|] [read {other}/a.txt] [edit {other}/a.txt=>base=>base|agent]}}"
    )
    [session] = seen.sessions()
    guests = Path(git(place, other, "rev-parse", "--absolute-git-dir")) / "tapehead" / "guests"
    until(lambda: blamed(place, other / "a.txt") == ["human", session], "the edit was found there")
    with (other / "a.txt").open("a") as file:
        file.write("human\n")
    place.print_mode(f"and on {{wait 4}} {{run echo shell >> {other}/a.txt}}", "--resume", session)
    expected = ["human", session, "human", session]
    until(
        lambda: blamed(place, other / "a.txt") == expected,
        "the next turn was recorded from its beginning on",
        30,
        lambda: str(blamed(place, other / "a.txt")) + (guests / "sessions" / f"{session}.tape").read_text(),
    )
    git(place, other, "commit", "-qam", "both")
    until(lambda: blamed(place, other / "a.txt") == expected, "the commit has its record")
    assert blamed(place, one / "new.txt") == [session]
    assert (guests / "sessions" / f"{session}.tape").exists()


def test_rewind_to_a_point_within_a_turn(place, seen):
    """Before a call the file is as the calls before it left it, and all of it is undone byte for byte."""
    file = Path(place.project) / "new.txt"
    place.print_mode(
        f"do it {{wait 3}} {{steps [write {file}=>one|] [edit {file}=>one=>one|two] [edit {file}=>two=>two|three]}}"
    )
    [session] = seen.sessions()
    until(lambda: seen.state(session)["phase"] == "ended", "all of it is recorded")
    after = file.read_bytes()
    assert after == b"one\ntwo\nthree\n"
    listed = place.tapehead("rewind", "--session", session, "--calls", "1")
    assert listed.returncode == 0, listed.stderr
    for call, left in (("1.3", b"one\ntwo\n"), ("1.2", b"one\n")):
        done = place.tapehead("rewind", "--session", session, "--before", call, "--force")
        assert (done.returncode, file.read_bytes()) == (0, left), done.stderr + listed.stdout
    for _ in range(2):
        assert place.tapehead("rewind", "--undo").returncode == 0
    assert file.read_bytes() == after


def test_rewind_to_before_a_subagents_call(place, seen):
    """What a subagent changed is listed with its task, the file is as it was before that call, and the call's line is the session's."""
    own, its = Path(place.project) / "own.txt", Path(place.project) / "its.txt"
    place.print_mode(f"do it {{wait 3}} {{steps [write {own}=>one|] [delegate write it <write {its}>] [run sleep 4]}}")
    [session] = seen.sessions()
    until(lambda: seen.state(session)["phase"] == "ended", "all of it is recorded")
    assert its.read_bytes() == b"written\n"
    assert blamed(place, its) == [session]
    listed = place.tapehead("rewind", "--session", session, "--calls", "1", "--json")
    assert listed.returncode == 0, listed.stderr
    rows = json.loads(listed.stdout)
    [row] = [row for row in rows if row["subagent"]]
    assert (row["subagent"], row["what"].endswith("its.txt"), row["sure"]) == ("subagent a small task", True, True), (
        rows
    )
    done = place.tapehead("rewind", "--session", session, "--before", row["before"], "--force")
    assert (done.returncode, own.read_bytes(), its.exists()) == (0, b"one\n", False), done.stderr
    assert place.tapehead("rewind", "--undo").returncode == 0
    assert its.read_bytes() == b"written\n"
