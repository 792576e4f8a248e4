"""What was handed to sessions, on record."""

from __future__ import annotations

from tapehead.store import injections, tape
from tapehead.store.paths import Layout


def test_a_line_that_cannot_be_read_is_passed_over(tmp_path):
    """Torn, or no object: the others are there, in their order."""
    layout = Layout(str(tmp_path / "store"))
    injections.note(layout, {"to": "one"})
    tape.append_raw(layout.injections, b"{")
    tape.append_raw(layout.injections, b"[1]")
    injections.note(layout, {"to": "two"})
    assert [each["to"] for each in injections.newest(layout)] == ["one", "two"]
