"""What the record says that the model got."""

from __future__ import annotations

import json

import pytest

from tapehead.agents.claude.delivery import received


def lines(tmp_path, *entries):
    path = tmp_path / "transcript.jsonl"
    path.write_bytes(b"".join((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in entries))
    return str(path)


def hook(content, kind="hook_additional_context"):
    return {"type": "attachment", "attachment": {"type": kind, "content": content}}


def test_both_forms_of_a_hook_s_words_are_found(tmp_path):
    """A list of texts, or one text; in file order, from a byte on."""
    path = lines(tmp_path, hook(["one", "two"]), hook("three", "hook_success"), {"type": "user"})
    assert list(received(path)) == ["one", "two", "three"]
    first = (tmp_path / "transcript.jsonl").read_bytes().index(b"\n") + 1
    assert list(received(path, first)) == ["three"]


@pytest.mark.parametrize(
    "entry",
    [
        hook(""), hook([]), hook([None, 3]), hook(None), hook({"a": "b"}), hook("x", "hook_error"),
        {"type": "attachment", "attachment": "hook_success"}, {"type": "user", "text": '"hook_success'},
        ["hook_success"], b'"hook_success"', b'{"hook_', b'\xff\xfe"hook_', b'{"hook_x": ' + b"[" * 100_000,
    ],
    ids=range(13),
)  # fmt: skip
def test_whatever_else_stands_there_is_passed_over(entry, tmp_path):
    """Empty words, other kinds, other types, damage, nesting without end: the next line counts all the same."""
    assert list(received(lines(tmp_path, entry, hook(["after"])))) == ["after"]
