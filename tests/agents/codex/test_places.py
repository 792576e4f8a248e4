"""Where Codex keeps its rollouts, and whose they are."""

import gzip
from pathlib import Path

import pytest
import rollouts

from tapehead.agents.codex import places
from tapehead.agents.readers import agent_of_file


@pytest.mark.parametrize("named", [False, True], ids=["home", "CODEX_HOME"])
def test_rollouts_are_found_by_day_and_in_the_archive(tmp_path, named):
    """Packed ones too; other files are not."""
    root = tmp_path / ("elsewhere" if named else ".codex")
    below = [f"sessions/2026/03/01/{rollouts.NAME}", f"archived_sessions/{rollouts.NAME}.zst"]
    for name in (*below, "sessions/2026/03/01/notes.jsonl", "history.jsonl"):
        rollouts.written(root / name, [])
    env = {"CODEX_HOME": str(root)} if named else {}
    assert sorted(places.transcripts(str(tmp_path), env)) == sorted(str(root / name) for name in below)


def test_where_there_is_no_home_there_are_none(tmp_path):
    """That is no error."""
    assert list(places.transcripts(str(tmp_path), {})) == []


def test_a_rollout_belongs_to_the_thread_in_its_first_line(tmp_path):
    """Or to the one that it is named after, where the line is damaged; a copy under another name is known all the same."""
    path = rollouts.written(tmp_path / "copy.jsonl", rollouts.legacy())
    assert places.session_of(path) == rollouts.THREAD
    assert places.session_of(rollouts.written(tmp_path / rollouts.NAME, [b"{"])) == rollouts.THREAD
    headless = [{"type": "response_item", "payload": {"type": "message", "id": "msg_1", "role": "user"}}]
    for lines in ([b"{"], [], headless):
        assert places.session_of(rollouts.written(tmp_path / "other.jsonl", lines)) == ""


@pytest.mark.parametrize("lines", [rollouts.legacy(), rollouts.paginated()], ids=["legacy", "paginated"])
def test_a_rollout_is_recognised_whatever_its_name(tmp_path, lines):
    """Also when it was packed."""
    path = rollouts.written(tmp_path / "some.jsonl", lines)
    packed = tmp_path / "some.jsonl.gz"
    packed.write_bytes(gzip.compress(Path(path).read_bytes()))
    assert agent_of_file(path) == agent_of_file(str(packed)) == "codex"


def test_what_cannot_be_unpacked_is_known_by_its_name(tmp_path, monkeypatch):
    """So that whoever reads it can say what is the matter."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(__import__("sys").modules, "compression", None)
    assert agent_of_file(rollouts.written(tmp_path / f"{rollouts.NAME}.zst", [])) == "codex"
