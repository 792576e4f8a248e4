"""The trailer of a commit's message."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.git.trailers import NAME, found, put

A, B = "0123456789ab", "ba9876543210"


@pytest.mark.parametrize(
    "message",
    [
        "subject\n",
        "subject: with a colon\n",
        "subject\n\nbody\nof two lines\n",
        "subject\n\nSigned-off-by: A <a@example.invalid>\n",
        "subject\n\nbody\n\nSigned-off-by: A <a@example.invalid>\nCo-authored-by: B <b@example.invalid>\n",
        "subject\n\nbody\n\n# Please enter the commit message\n#\n# On branch main\n",
        "subject\n# ------------------------ >8 ------------------------\ndiff --git a/x b/x\n+text\n",
    ],
)
def test_git_reads_what_we_put(message):
    """As trailers, beside those that are there; comments and the diff below stay below."""
    after = put(message, [A, B])
    kept = after.partition("# ---")[0]
    cleaned = "\n".join(line for line in kept.split("\n") if not line.startswith("#"))
    read = subprocess.run(
        ["git", "interpret-trailers", "--parse"], input=cleaned, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    before = [line for line in message.splitlines() if "-by:" in line]
    assert read == [*before, f"{NAME}: {A}", f"{NAME}: {B}"]
    assert after.replace(f"{NAME}: {A}\n{NAME}: {B}\n", "", 1).replace("\n", "") == message.replace("\n", "")
    assert found(after) == [A, B]


@pytest.mark.parametrize("message", ["", "\n", "\n# only comments\n#\n", "# ---- >8 ----\ndiff\n"])
def test_an_empty_message_stays_empty(message):
    """Git gives such a commit up, and must go on doing so."""
    assert put(message, [A]) == message


@given(st.text())
def test_whatever_is_written_there(text):
    """Nothing is lost, and no id is found that is none."""
    assert all(len(word) == 12 for word in found(text))
    after = put(text, [A])
    assert after == text or found(after)[-1:] == [A]


def test_only_ids_are_found():
    """Each once; not what only looks like one."""
    text = f"{NAME}: {A}\n {NAME}: {B}\n{NAME}: {A}\n{NAME}: ../x\n{NAME}: {A}00\n"
    assert found(text) == [A]
