"""From a session to the value that a report is made of."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import attrs
import pytest

from record import Record
from report_example import script
from scenes import when
from tapehead.agents.claude.transcript import read
from tapehead.cli.cost_sums import gather as messages_of
from tapehead.cli.cost_sums import totals
from tapehead.report import gather as gathering
from tapehead.report import timeline as laying
from tapehead.report.curve import MOST, curve
from tapehead.report.export import as_markdown
from tapehead.report.gather import gather, source_of_file
from tapehead.report.report_values import ModelCost
from tapehead.tokens.prices import Price, Prices, load_prices
from tapehead.transcript.compactions import compactions
from tapehead.work_record.work_record import gather_work


def report_of(record, tmp_path, **more):
    return gather(source_of_file(record.write(tmp_path)), when(), **more)


def measured(record, context, *blocks, model="model-1"):
    """An answer that says how full the window was."""
    usage = {"input_tokens": 1, "cache_read_input_tokens": context - 1, "output_tokens": 10}
    message = {"id": f"m{len(record.lines)}", "role": "assistant", "model": model, "usage": usage}
    return record.line("assistant", message={**message, "content": list(blocks or [{"type": "text", "text": "so"}])})


def test_the_curve_has_a_point_for_every_answer_and_one_for_every_compaction(tmp_path):
    """In their order, the compaction at the height that the agent says, with its number."""
    record = Record().prompt("one")
    measured(record, 1_000)
    measured(record, 5_000)
    record.compacted("so far", tokens=9_000)
    measured(record, 700)
    record.prompt("two")
    measured(record, 900)
    points = report_of(record, tmp_path).points
    assert [(point.turn, point.tokens, point.compaction) for point in points] == [
        (1, 1_000, 0),
        (1, 5_000, 0),
        (1, 9_000, 1),
        (1, 700, 0),
        (2, 900, 0),
    ]
    assert [point.at for point in points] == sorted(point.at for point in points)


def test_a_message_of_several_lines_is_one_point(tmp_path):
    """The agent repeats its count with every block of a message."""
    record = Record().prompt("one")
    for _ in range(3):
        measured(record, 1_000)
    assert len(report_of(record, tmp_path).points) == 1


def test_compactions_are_counted_alike_in_the_curve_and_in_the_record(tmp_path):
    """A mark in the curve leads to the card of the same compaction."""
    path = script().write(tmp_path / "x.jsonl")
    found = gather(source_of_file(path), when())
    marks = [point.compaction for point in found.points if point.compaction]
    assert marks == [one.number for one in compactions(read(path).turns)] == [one.number for one in found.compactions]


def test_a_long_curve_keeps_its_compactions():
    """Points are passed over, but none where the window was emptied, nor the one after it."""
    record = Record().prompt("one")
    for number in range(3 * MOST):
        measured(record, 1_000 + number)
        if number % 700 == 699:
            record.compacted("so far", tokens=50_000 + number)
    from tapehead.agents.claude.transcript import Conversation
    from tapehead.transcript.entries import entry_of

    story = Conversation()
    turns = [turn for line in record.lines if (turn := story.take(entry_of(line)))]
    points = curve([*turns, *story.end()])
    assert len(points) <= MOST + 10
    assert [point.compaction for point in points if point.compaction] == [1, 2, 3, 4]
    after = [points[place + 1].tokens for place, point in enumerate(points) if point.compaction]
    assert after == [1_700, 2_400, 3_100, 3_800]


def test_turns_are_numbered_as_the_work_record_numbers_them(tmp_path):
    """A link from a rule leads to the turn in which it was said."""
    record = Record().turn("hello", "hi").turn("Never touch the public API.", "no")
    found = report_of(record, tmp_path)
    (rule,) = found.rules
    assert found.turns[rule.turn - 1].prompt.text == "Never touch the public API."
    assert [turn.number for turn in found.turns] == [1, 2]


def test_a_turn_tells_its_tools_files_and_failures(tmp_path):
    """Counted over its calls; a path is told from the work tree on."""
    record = Record().prompt("go").call("Bash", "no", command="make", failed=True).call("Bash", "yes", command="make")
    record.call("Edit", "done", file_path="/srv/boat/a.py", old_string="x", new_string="y")
    (turn,) = report_of(record, tmp_path).turns
    assert dict(turn.tools) == {"Bash": 2, "Edit": 1}
    assert (turn.files, turn.commands, turn.failed) == (("a.py",), 2, 1)
    edit = turn.entries[-1]
    assert (edit.removed.text, edit.added.text, edit.outcome.text) == ("x", "y", "done")


def test_tokens_are_counted_once_for_each_message(tmp_path):
    """By model, and over all."""
    record = Record().prompt("one")
    measured(record, 1_000)
    measured(record, 2_000)
    found = report_of(record, tmp_path)
    assert (found.tokens.answers, found.tokens.output, found.tokens.cache_read) == (2, 20, 2_998)
    assert found.models == (ModelCost("model-1", found.tokens),)
    assert (found.cost, found.dollars) == (None, None)


def test_money_is_what_the_cost_command_says(tmp_path):
    """By the same prices, the user's own first, and with the files of subagents; a model without a price has no sum."""
    record = Record().prompt("one")
    measured(record, 1_000, model="claude-opus-4-5")
    path = Path(record.write(tmp_path))
    side = Record().prompt("look", isSidechain=True).prompt("and there", isSidechain=True)
    measured(side, 3_000, model="claude-haiku-4-5")
    below = side.write(path.with_suffix("") / "subagents", "agent-a.jsonl")
    Path(below).with_name("agent-b.jsonl").write_bytes(path.read_bytes())  # a copy counts no second time
    found = gather(source_of_file(str(path)), when())
    files = [("claude", "s", str(each)) for each in (path, below)]
    groups, everything, _ = totals(messages_of(files, print), "model", load_prices(""))
    assert {one.model: one.dollars for one in found.models} == {name: one.dollars for name, one in groups.items()}
    assert found.dollars == pytest.approx(everything.dollars)
    assert f"${found.dollars:,.2f}" in as_markdown(found, UTC)
    own = attrs.evolve(source_of_file(str(path)), prices=Prices({"claude-opus-4-5": Price(1.0, 1.0, 1.0, 1.0, 1.0)}))
    priced = gather(own, when())
    assert [one.dollars is None for one in priced.models].count(True) == 1
    assert priced.dollars is None
    assert "No list price for claude-haiku-4-5" in as_markdown(priced, UTC)


def test_what_was_lost_and_handed_back_is_told_for_each_compaction(tmp_path):
    """With what the model got, by the agent's own record."""
    found = gather(source_of_file(script().write(tmp_path / "x.jsonl")), when())
    first, second = found.compactions
    assert first.handed.text.startswith("tapehead: where this session stood")
    assert min(first.handed_tokens, second.handed_tokens) > 0
    assert min(first.handed_back, first.archived) > 0
    assert [one.delivery for one in found.received] == ["delivered", "delivered"]
    assert "handed" in {item.where for item in first.items} <= {"handed", "archive"}
    assert not {item.kind for item in first.items} & {"file", "command"}


def test_of_many_compactions_the_newest_are_told(tmp_path, monkeypatch):
    """Working out what one lost reads the session again up to there."""
    monkeypatch.setattr(gathering, "_STEPS", 0)
    found = gather(source_of_file(script().write(tmp_path / "x.jsonl")), when())
    assert [one.is_told for one in found.compactions] == [False, True]
    assert found.compactions[0].tokens == 168_000


def test_a_long_session_is_cut_to_what_a_browser_opens(tmp_path):
    """The results of tools first; prompts and replies stay readable; what is missing is said."""
    record = Record()
    for number in range(50):
        record.prompt(f"prompt {number} " + "p" * 400).call("Bash", "r" * 30_000, command="make")
        record.reply("a" * 400)
    found = report_of(record, tmp_path, letters=60_000)
    turn = found.turns[7]
    assert len(turn.prompt.text) > 400
    assert len(turn.entries[-1].text.text) == 400
    assert turn.entries[0].outcome.left_out >= 29_000
    size = sum(len(entry.outcome.text) for one in found.turns for entry in one.entries)
    assert size <= 60_000


def test_a_turn_of_very_many_steps_shows_its_first_and_its_last(tmp_path, monkeypatch):
    """And says how many are between."""
    monkeypatch.setattr(laying, "MOST_ENTRIES", 10)
    record = Record().prompt("go")
    for number in range(30):
        record.reply(f"step {number}")
    (turn,) = report_of(record, tmp_path).turns
    assert turn.left_out == 20
    assert [entry.text.text for entry in turn.entries][4:6] == ["step 4", "step 25"]


def test_a_subagents_work_stands_in_the_turn_in_which_it_began(tmp_path):
    """In one entry, and its tokens are counted."""
    record = Record().prompt("go")
    side = {"isSidechain": True, "agentId": "a1"}
    record.user("look there", **side)
    record.call("Grep", "found", side=side, pattern="x")
    record.reply("it is there", **side).reply("done")
    record.prompt("next").reply("yes")
    first, second = report_of(record, tmp_path).turns
    (one,) = [entry for entry in first.entries if entry.kind == "subagent"]
    assert (one.title, one.text.text, one.outcome.text, one.path) == ("a1", "look there", "it is there", "Grep 1")
    assert not [entry for entry in second.entries if entry.kind == "subagent"]


@pytest.mark.parametrize("lines", [[b"{"], [b'{"type":"user","message":7}'], [b"\xff\xfe"], [b"[" * 5_000]])
def test_a_broken_record_gives_an_empty_report(lines, tmp_path):
    """Never an error."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    found = gather(source_of_file(str(path)), when())
    assert (found.turns, found.points) == ((), ())


def test_a_record_that_is_gone_is_said(tmp_path):
    """The tape may still tell."""
    found = gather(gathering.Source(str(tmp_path / "gone.jsonl"), "claude"), when())
    assert found.is_missing
    assert gather_work(()).turns == len(found.turns)
