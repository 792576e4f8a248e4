"""restore.on_compact, on_clear, on_start and on_resume: each gives the model the whole brief, a pointer or nothing, as the requests show."""

import os

import pytest

from tapehead.tokens.estimate import tokens

POINTER_TOKENS = 60
amounts = pytest.mark.parametrize("amount", ["full", "pointer", "off"])


def set_to(place, name, amount):
    assert place.tapehead("config", "set", f"restore.on_{name}", amount).returncode == 0


def check(seen, kind, amount, whole):
    """The newest request holds what the setting asks for, once; the reason is on the tape and in `log --injections`."""
    told, session = seen.ours(seen.requests()[-1]), seen.sessions()[-1]
    reason = seen.notes(session, "restored")[-1]["why"]
    assert reason in seen.place.tapehead("log", "--injections", "--session", session).stdout
    if amount == "off":
        assert (told, reason) == ([], f"restore.on_{kind} is off")
        return
    [text] = told
    assert (whole in text) is (amount == "full"), text
    assert ("`tapehead brief --session" in text and tokens(text) <= POINTER_TOKENS) is (amount == "pointer"), text
    assert "4711" in text


@amounts
def test_on_compact(place, seen, amount):
    """After a compaction in mid-turn."""
    set_to(place, "compact", amount)
    place.print_mode("the number is 4711 {claim 985000} {run echo full}")
    assert "PostCompact(auto)" in seen.order()
    check(seen, "compact", amount, "where this session stood before its context was compacted")


@amounts
def test_on_clear(place, seen, terminal, amount):
    """After `/clear`."""
    set_to(place, "clear", amount)
    terminal.claude()
    terminal.enter("the number is 4711")
    seen.wait_for("Stop")
    terminal.enter("/clear")
    seen.wait_for("SessionStart(clear)")
    terminal.enter("hello again")
    seen.wait_for("SessionStart(clear)", "Stop")
    terminal.leave()
    check(seen, "clear", amount, "the conversation was cleared")


@amounts
def test_on_start(place, seen, amount):
    """A fresh session after another one."""
    set_to(place, "start", amount)
    place.print_mode("the number is 4711")
    seen.ended()
    place.print_mode("hello again")
    check(seen, "start", amount, "this is the work of session")


@pytest.mark.parametrize("amount", ["full", "off"])
def test_on_resume(place, seen, amount):
    """A resume; what `pointer` tells it, test_told.py shows. Off is off, also where something changed meanwhile."""
    set_to(place, "resume", amount)
    place.print_mode("the number is 4711")
    session = seen.ended()
    with open(os.path.join(place.project, "new.py"), "w", encoding="utf-8") as file:
        file.write("x = 1\n")
    place.print_mode("hello again", "--resume", session)
    check(seen, "resume", amount, "where this session stood when last heard of")
