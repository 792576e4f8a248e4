"""From steps to entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from record import Record
from tapehead.history import entry_making, layers
from tapehead.history.entry_making import Entries, cut
from tapehead.history.layers import BODY, DETAIL
from tapehead.transcript import recorded_steps, turns
from tapehead.transcript.recorded_steps import Recorded
from tapehead.transcript.turns import Boundary, Call, Result, Said


def made(*steps, subagent="", **options):
    where = [Recorded(f"s/{n}", 1, "2027-01-15T08:00:00Z", step, "o", subagent) for n, step in enumerate(steps)]
    return Entries(**options).of(where)


def one(step, **options):
    (entry,) = made(step, **options)
    return entry


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (turns.HUMAN, (BODY, "human", "prompt")),
        (turns.AGENT, (BODY, "agent", "reply")),
        (turns.THINKING, (DETAIL, "agent", "thinking")),
        (turns.SUMMARY, (DETAIL, "host", "summary")),
        (turns.INTERRUPTED, (DETAIL, "host", "system")),
        (recorded_steps.SYSTEM, (DETAIL, "host", "system")),
        (recorded_steps.HOOK, (DETAIL, "host", "hook")),
        (recorded_steps.IMAGE, (DETAIL, "host", "image")),
    ],
)
def test_where_words_go(who, expected):
    """What people and agents say to each other is the body; everything else is detail."""
    entry = one(Said(who, "words"))
    assert (entry.layer, entry.role, entry.kind) == expected
    assert (entry.source, entry.turn, entry.origin, entry.body, entry.length) == ("s/0", 1, "o", "words", 5)


def test_every_speaker_has_a_place():
    """None that a reader can name is missing."""
    assert {
        *turns.SPEAKERS,
        recorded_steps.SYSTEM,
        recorded_steps.HOOK,
        recorded_steps.IMAGE,
        recorded_steps.TAKEN_BACK,
    } == set(entry_making._SAID)


def test_inside_a_subagent():
    """Words between agents are detail, and nobody's prompt; the subagent's name stands with them."""
    prompt, reply, thought = made(
        Said(turns.HUMAN, "look"), Said(turns.AGENT, "saw"), Said(turns.THINKING, "hm"), subagent="a1"
    )
    assert [(e.layer, e.role, e.kind, e.name) for e in (prompt, reply, thought)] == [
        (DETAIL, "agent", "subagent", "a1"),
        (DETAIL, "agent", "subagent", "a1"),
        (DETAIL, "agent", "thinking", "a1"),
    ]


def test_a_call_and_its_result():
    """The call as it was made, and what came back, both with the tool and the file."""
    call = Call(
        "c", "Edit", turns.EDIT, "/a.py", arguments={"file_path": "/a.py", "new": "x\ny", "deep": [1, {"é": 2}]}
    )
    asked, said = made(call, Result("c", "done"))
    assert asked.body == 'file_path: /a.py\nnew:\nx\ny\ndeep: [1, {"é": 2}]'
    assert [(e.layer, e.role, e.kind, e.name, e.file) for e in (asked, said)] == [
        (DETAIL, "agent", "call", "Edit", "/a.py"),
        (DETAIL, "tool", "result", "Edit", "/a.py"),
    ]


def test_a_result_in_a_later_reading():
    """What a call was about is remembered until its result comes."""
    first = Entries()
    first.of([Recorded("s/0", 1, "", Call("c", "Read", turns.READ, "/a.py"), "")])
    assert first.calls == {"c": ["Read", "/a.py"]}
    later = Entries(files=first.calls)
    (said,) = later.of([Recorded("s/1", 1, "", Result("c", "text"), "")])
    assert (said.name, said.file, later.calls) == ("Read", "/a.py", {})


def test_calls_that_are_about_no_file():
    """A command names no file, and neither does a call without an id or arguments."""
    entry = one(Call("", "Bash", turns.RUN, "", "make"))
    assert (entry.body, entry.file) == ("make", "")
    assert one(Result("unknown", "x")).name == ""


def test_a_failure_is_said():
    """So that a search for it finds it."""
    assert one(Result("c", "no such file", failed=True)).body == "[failed] no such file"


def test_boundaries():
    """What the agent dropped, why, and how much there was."""
    assert one(Boundary("auto", 160_000)).body == "the context was compacted (auto, 160,000 tokens before)"
    assert one(Boundary("", 0, partial=True)).body == "old tool results were dropped (no reason given, 0 tokens before)"


def test_nothing_said_is_nothing_kept():
    """And thinking only where the user wants it; a result without words did come back."""
    assert made(Said(turns.AGENT, " \n"), Said(turns.THINKING, "hm"), thinking=False) == []
    assert one(Result("c", "")).body == ""


def test_escapes_are_removed():
    """A terminal would obey them, and nobody searches for them."""
    assert one(Result("c", "\x1b[31mred\x1b[0m \x1b]0;title\x07plain")).body == "red plain"


SECRET = "ghp_" + "a1B2c3D4" * 4


def test_secrets_are_masked_before_anything_is_cut():
    """Half a secret at a cut would not be known as one."""
    body = one(Said(turns.HUMAN, "x" * 80 + " " + SECRET + " " + "y" * 80), limit=120).body
    assert "ghp_" not in body
    assert "[masked]" in body


def test_big_ones_are_cut_in_the_middle():
    """How it begins and how it ends says most; how long it was is kept."""
    entry = one(Result("c", "begin" + "-" * 1_000 + "end"), limit=100)
    assert entry.body.startswith("begin")
    assert entry.body.endswith("end")
    assert "[… 908 characters cut …]" in entry.body
    assert entry.length == 1_008


@given(st.text(max_size=300), st.integers(1, 300))
def test_a_cut_keeps_what_the_limit_says(text, limit):
    """No more than that and the note, and nothing where it is short enough."""
    kept = cut(text, limit)
    assert kept == text or (len(text) > limit and len(kept) <= limit + 40)
    assert (kept == text) == (len(text) <= limit)


def test_the_layers_are_disjoint():
    """No entry that a reader gives belongs to two layers; in the first, which is made of the others, it only marks turns."""
    record = Record().prompt("a").reply("b").thinks("c").call("Bash", "d", command="e").compacted("f")
    record.line("system", content="g")
    said = [one for one in entry_making._SAID.values() if one[2] != layers.TAKEN_BACK]
    assert {layer for layer, _, _ in said} == {BODY, DETAIL}
    kinds = {}
    for layer, _, kind in said:
        kinds.setdefault(kind, set()).add(layer)
    assert all(len(where) == 1 for where in kinds.values())
    assert kinds.keys() < set(layers.KINDS)


def test_a_secret_that_was_told_before_this_process(memory):
    """The memory holds it nowhere, though the process that heard it is gone; and the database has no more than a hash."""
    record = Record().prompt("my password is hunter2hunter2").reply("I will use it.")
    memory.told(record)
    record.call("Bash", "ok", command="login hunter2hunter2").prompt("and hunter2hunter2 again")
    memory.told(record)
    assert "hunter2hunter2" not in str(memory.entries())
    assert "hunter2hunter2" not in str(memory.dump())
    assert len([entry for entry in memory.entries() if "[masked]" in entry.body and entry.layer > 1]) == 3
