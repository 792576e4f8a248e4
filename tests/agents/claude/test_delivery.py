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


def test_a_client_that_writes_down_nothing_of_hooks_proves_nothing(tmp_path):
    """2.0.77 to 2.1.80 have no attachments at all; one of any kind shows that this client would have written it down."""
    assert received(lines(tmp_path, {"type": "user"}, {"type": "progress"})) is None
    path = lines(tmp_path, {"type": "attachment", "attachment": {"type": "date"}})
    assert list(received(path)) == []


def test_the_oldest_clients_put_it_into_a_users_line(tmp_path):
    """1.0.128 does; a line that only speaks of it, or has another shape, does not count."""
    said = "<session-start-hook>one</session-start-hook>"
    entries = [
        {"type": "user", "message": {"content": content}} for content in (said, [{"type": "text", "text": said}])
    ]
    others = [
        {"type": "user", "message": message} for message in (None, {"content": f"what is {said}"}, {"content": [3]})
    ]
    assert list(received(lines(tmp_path, *entries, *others))) == [said, said]
