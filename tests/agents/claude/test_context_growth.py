"""What the agent counted, step by step, beside the words that were added."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.claude.context_growth import growth

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=8), below, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["type", "message", "content", "usage", "id", "text", "isCompactSummary", "subtype", "input_tokens"]
)
ENTRY = st.dictionaries(KEYS, JSON | st.sampled_from(["user", "assistant", "text", "tool_use"]), max_size=6)


def answer(ident, context, *blocks, **more):
    usage = {"input_tokens": 1, "cache_read_input_tokens": context - 1}
    return {"type": "assistant", "message": {"id": ident, "usage": usage, "content": list(blocks)}, **more}


def user(content, **more):
    return {"type": "user", "message": {"content": content}, **more}


def text(words):
    return {"type": "text", "text": words}


def write(path, *entries):
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return str(path)


def test_a_step_is_what_stands_between_two_answers(tmp_path):
    """The first answer's words, thinking and calls and what tools said, against how much fuller the second one found the window."""
    call = {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}
    path = write(
        tmp_path / "t.jsonl",
        user("before the first count: nobody knows what that cost"),
        answer("a", 1000, {"type": "thinking", "thinking": "hm"}),
        answer("a", 1000, text("I look.")),
        answer("a", 1000, call),
        user([{"type": "tool_result", "content": "one\ntwo"}]),
        user("a subagent's", isSidechain=True),
        answer("s", 5, text("apart"), isSidechain=True),
        answer("b", 1300, text("Done.")),
    )
    (step,) = growth(path)
    assert (step.tokens, step.calls, step.run) == (300, 1, 0)
    assert step.texts == ("hm", "I look.", 'Bash {"command": "ls"}', "one\ntwo")


def test_a_compaction_begins_another_context(tmp_path):
    """Nothing is compared across it, nor where the window got emptier; a step with an image is left out."""
    path = write(
        tmp_path / "t.jsonl",
        answer("a", 1000, text("x")),
        {"type": "system", "subtype": "compact_boundary"},
        user("summary", isCompactSummary=True),
        answer("b", 200, text("y")),
        user([{"type": "image"}]),
        answer("c", 300, text("z")),
        answer("d", 250, text("less")),
        answer("e", 260, text("end")),
    )
    (step,) = growth(path)
    assert (step.tokens, step.texts) == (10, ("less",))
    assert step.run > 0


@given(st.lists(ENTRY, max_size=6))
def test_nothing_that_a_file_says_breaks_it(tmp_path_factory, entries):
    """Whatever stands under the keys that are read."""
    path = write(tmp_path_factory.mktemp("growth") / "t.jsonl", *entries)
    assert all(step.tokens > 0 for step in growth(path))
