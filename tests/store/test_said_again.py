"""An event that the agent says several times in a row is on the tape once."""

import json

from tapehead.store import duplicate_hooks, tape

NOW = 1_800_000_000_000_000_000
SECOND = 1_000_000_000


def hear(path, what, seconds=0, via=duplicate_hooks.ANY):
    return duplicate_hooks.append(
        str(path), {"id": "x", "event": what, "data": {}}, what.encode(), via, NOW + seconds * SECOND
    )


def test_in_a_row_the_first_counts(tmp_path):
    """Three ends are one, also with notes of ours in between; after another event, and after a while, it is a new one."""
    path = tmp_path / "s.tape"
    assert [hear(path, "end") for _ in range(3)] == [True, False, False]
    tape.append(str(path), {"id": "n", "note": "capture", "data": {"as": '"heard":{"as":"'}})
    assert not hear(path, "end")
    assert hear(path, "start", via="settings")
    assert hear(path, "end")
    assert hear(path, "other")
    assert not hear(path, "other", duplicate_hooks.WINDOW_SECONDS)
    assert hear(path, "other", 2 * duplicate_hooks.WINDOW_SECONDS)
    events = [json.loads(line).get("event") for line in tape.unread(str(path), 0)[0]]
    assert events == ["end", None, "start", "end", "other", "other"]
