"""Where Gemini keeps its sessions, and whose they are."""

import gzip
from pathlib import Path

import chats
import pytest

from tapehead.agents.gemini import places
from tapehead.agents.readers import agent_of_file


@pytest.mark.parametrize("named", [False, True], ids=["home", "GEMINI_CLI_HOME"])
def test_sessions_are_found_by_project(tmp_path, named):
    """Of both formats, and those of subagents below them."""
    home = tmp_path / ("elsewhere" if named else "")
    chats_of = home / ".gemini/tmp/door/chats"
    kept = [chats_of / chats.NAME, chats_of / chats.NAME.removesuffix("l"), chats_of / chats.SESSION / "scout.jsonl"]
    for path in (*kept, home / ".gemini/tmp/door/logs.json"):
        chats.written(path, [])
    env = {"GEMINI_CLI_HOME": str(home)} if named else {}
    assert sorted(places.transcripts(str(tmp_path), env)) == sorted(map(str, kept))


@pytest.mark.parametrize("made", [chats.lines(), chats.document()], ids=["lines", "document"])
def test_a_session_file_is_recognised_whatever_its_name(tmp_path, made):
    """Also when it was packed; and it says whose it is."""
    path = chats.written(tmp_path / ("some.json" if isinstance(made, dict) else "some.jsonl"), made)
    Path(f"{path}.gz").write_bytes(gzip.compress(Path(path).read_bytes()))
    for one in (path, f"{path}.gz"):
        assert (agent_of_file(one), places.session_of(one)) == ("gemini", chats.SESSION)


@pytest.mark.parametrize("content", [b"", b"{}", b'{"sessionId": 3}', b'[{"sessionId": "x"}]', b"\xff\xfe"])
def test_other_files_are_nobodys(tmp_path, content):
    """The agent's own settings and logs lie beside the sessions."""
    path = tmp_path / "logs.json"
    path.write_bytes(content)
    assert agent_of_file(str(path)) is None
