"""Prompts that the agent sends by itself, in the human's place."""

import pytest

from tapehead.actions.fold import replay
from tapehead.agents.claude import hooks
from tapehead.agents.claude.prompts import own_words
from tapehead.store.line import Line, parse
from tapehead.store.tape import stamp

NOTICE = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>"


def heard(**payload):
    return hooks.heard({"session_id": "s1", "hook_event_name": "UserPromptSubmit", **payload}, {})


def line(number, prompt) -> Line:
    import json

    found = heard(prompt=prompt)
    return parse(
        json.dumps(
            {
                "id": stamp(number, 1),
                "at": "2026-11-16T10:00:00Z",
                "host": "claude",
                "event": found.event.value,
                "facts": found.facts,
                "data": found.data,
            }
        ).encode()
    )


@pytest.mark.parametrize(
    ("payload", "asked_by"),
    [
        ({"prompt": NOTICE}, "notice"),
        ({"prompt": "go on", "source": "cron"}, "cron"),
        ({"prompt": "go on", "source": "user"}, None),
        ({"prompt": f"what does {NOTICE} mean?"}, None),
    ],
)
def test_who_asked(payload, asked_by):
    """A notice about background work, or a source other than the user, is not the human's; a question about one is."""
    assert heard(**payload).data.get("asked_by") == asked_by


def test_the_humans_words_stay():
    """A turn that the agent began by itself counts as a turn, and what the human asked last stays what it was."""
    *_, last = replay("s1", [line(1, "count the files"), line(2, NOTICE)])
    assert (last.state.turn_number, last.state.last_prompt) == (2, "count the files")


def test_a_failure_says_what_the_person_saw():
    """The message of a failed turn is kept: the agent's own word for it is often `unknown`."""
    found = heard(hook_event_name="StopFailure", error="unknown", last_assistant_message="API Error: 529")
    assert found.data == {"error": "unknown", "error_message": "API Error: 529"}


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Unknown slash command: rate-limit-options", ""),
        ("Unknown skill: review", ""),
        (
            "Implement the following plan:\n\n# Tree view\n- List first\n\n\nIf you need specific details from before exiting plan mode, see x",
            "Implement the following plan:\n\n# Tree view\n- List first",
        ),
        ("If you need specific details from before exiting plan mode, ask me", None),
    ],
)
def test_remarks_of_the_client_are_not_the_users(text, own):
    """Nor is what it puts behind a plan that the user accepted; the same words typed by the user stay."""
    assert own_words(text) == (text if own is None else own)
    if not own and own is not None:
        assert own_words(text, typed=True) == text, "a new client says that the user typed it"
