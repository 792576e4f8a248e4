"""How a compaction that was interrupted is known from Claude Code's own record."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from tapehead.agents.claude.compactions import broke_off

BEGAN = datetime(2027, 1, 15, 9, 0, tzinfo=UTC)
BEFORE, AFTER = "2027-01-15T08:59:59.000Z", "2027-01-15T09:00:04.000Z"
BOUNDARY = {"type": "system", "subtype": "compact_boundary", "timestamp": AFTER}


@pytest.mark.parametrize(
    ("entries", "over"),
    [
        ([], False),
        ([{"type": "user", "timestamp": BEFORE}], False),
        ([{"type": "attachment", "timestamp": AFTER}], False),
        ([{"type": "queue-operation", "timestamp": AFTER}], False),
        ([{"type": "user", "timestamp": AFTER}], True),
        ([{"type": "user", "timestamp": AFTER}, BOUNDARY], False),
        ([BOUNDARY, {"type": "user", "timestamp": AFTER, "isCompactSummary": True}], False),
        ([{"type": "user", "timestamp": 7}, {"type": "user", "timestamp": "then"}, {"type": "user"}], False),
    ],
)
def test_the_record_goes_on_without_a_boundary(tmp_path, entries, over):
    """A user's line after the compaction began, and no boundary: it was interrupted. What was written late is no sign, nor is a hook's."""
    path = tmp_path / "t.jsonl"
    path.write_text("{}\n" + "".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    assert broke_off(str(path), 3, BEGAN) is over
