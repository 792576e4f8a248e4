"""A report as text."""

from __future__ import annotations

import json
from datetime import UTC

import pytest
from hostile import hostile

from report_example import report
from tapehead.report.export import as_data, as_markdown
from tapehead.report.report_values import Excerpt


@pytest.fixture(scope="module")
def example():
    return report()


def test_json_has_all_of_it_with_times_in_utc(example):
    """And is JSON."""
    data = json.loads(json.dumps(as_data(example)))
    assert len(data["turns"]) == len(example.turns)
    assert data["points"][0]["at"].endswith("+00:00")
    assert data["compactions"][0]["kinds"][0]["kind"] == "ask"
    assert data["turns"][0]["prompt"].startswith("The CSV export")
    assert as_data(Excerpt("ab", 2, 5)) == {"text": "ab", "left_out": 3}


def test_markdown_tells_all_parts(example):
    """Costs, compactions, the brief, commits, rules, the path and the turns."""
    text = as_markdown(example, UTC)
    for heading in (
        "Costs",
        "Compaction 1",
        "The brief, as the agent got it",
        "Commit 5b1f6e0d2c",
        "Rules of the user",
        "Path through the machine",
        "Turn 6",
    ):
        assert f"\n## {heading}" in text, heading
    assert "The agent's status line says $3.42." in text


def test_what_was_said_makes_no_heading_and_closes_no_fence():
    """Between fences longer than any in the text; outside them every sign of markup is spelt out."""
    inside, fence = False, ""
    for line in as_markdown(hostile(), UTC).splitlines():
        if inside:
            inside = line != fence
            continue
        if line.startswith("```"):
            inside, fence = True, line
            continue
        assert not line.replace("\\<", "").count("<"), line
    assert not inside
