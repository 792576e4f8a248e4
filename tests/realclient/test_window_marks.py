"""Where the real client compacts by itself, for a model with a window of 200,000 tokens: what docs/configuration.md says beside the marks."""

import pytest
from rig.client import CLAUDE, OLDER_CLAUDES

from tapehead.tokens.window import Margins, Thresholds

MODEL = ("--model", "claude-sonnet-4-5-20250929")
MARK = Thresholds(200_000, Margins()).auto_compact
NEAR = 500
"""The answer and the next prompt count too, so the mark is met a little below it."""
WHOLE_ANSWER = 12_000
"""Clients before 2.1 leave room for the longest answer of the model, 32,000 tokens, and not for 20,000."""


def _compacts(place, seen, first, second):
    """Whether the client compacts before it sends the second prompt."""
    place.print_mode(first, *MODEL)
    [session] = seen.sessions()
    place.print_mode(second, *MODEL, "--resume", session)
    return "PreCompact(auto)" in seen.order()


@pytest.mark.parametrize("client", OLDER_CLAUDES, ids=lambda client: client.version)
@pytest.mark.parametrize("below", [NEAR, 0])
def test_older_clients_compact_at_the_mark(bare, seen, client, below):
    """By what the last answer reported, and nothing need be set."""
    mark = MARK if client.version.startswith("2.1.") else MARK - WHOLE_ANSWER
    assert _compacts(bare, seen, f"hello {{claim {mark - below}}}", "second") == (below == 0)


@pytest.mark.parametrize("below", [NEAR, 0])
def test_it_compacts_at_the_mark_where_a_window_is_set(bare, seen, below):
    """The setting `autoCompactWindow`, or CLAUDE_CODE_AUTO_COMPACT_WINDOW: from there on the newest client counts as the older ones do."""
    with bare.edited_settings() as settings:
        settings["autoCompactWindow"] = 200_000
    assert _compacts(bare, seen, f"hello {{claim {MARK - below}}}", "second") == (below == 0)


@pytest.mark.parametrize("client", [CLAUDE], ids=lambda client: client.version)
def test_it_waits_for_the_servers_word_where_none_is_set(bare, seen, client):
    """Well over the mark it sends the prompt; once the server says that it is too long, it compacts and sends it again."""
    assert not _compacts(bare, seen, "hello {claim 195000}", "second {say here}")
    [session] = seen.sessions()
    done = bare.print_mode("third {full 201000} {say there}", *MODEL, "--resume", session)
    assert ("PreCompact(auto)" in seen.order(), done.stdout.strip()) == (True, "there")
