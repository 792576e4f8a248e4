"""The report of a session that the real client ran."""

import json


def test_the_report_tells_a_real_compaction(place, seen, terminal):
    """The curve falls at the compaction, the brief is told as delivered, and the path is the one on the tape."""
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("fill the window {claim 985000} {run echo full}")
    seen.wait_for("Stop", "PostCompact(auto)", "Stop")
    terminal.leave()
    [session] = seen.sessions()
    seen.path(session)
    found = json.loads(place.tapehead("export", session, "--json").stdout)
    [compaction] = found["compactions"]
    assert compaction["handed_tokens"] > 0
    assert "4711" in compaction["handed"]
    assert found["received"][-1]["delivery"] == "delivered"
    marks = [at for at, point in enumerate(found["points"]) if point["compaction"]]
    assert len(marks) == 1
    full, after = found["points"][marks[0]], found["points"][marks[0] + 1]
    assert after["tokens"] < full["tokens"]
    events = [f"{move['event']} -> {move['to']}" for move in found["moves"]]
    assert events == seen.path(session)
    page = place.tapehead("report", session, "--out", "-").stdout
    assert 'data-compaction="1"' in page
    assert "4711" in page
