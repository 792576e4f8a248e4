"""Cursor's hooks, as documented."""

import pytest

from tapehead.agents.cursor import hooks, setup
from tapehead.agents.hook_event import NotOurs


def test_a_conversation_is_the_session():
    """Whatever else a payload calls one; without it there is none."""
    found = hooks.heard({"conversation_id": "c", "session_id": "s", "hook_event_name": "stop"}, {})
    assert found.session_id == "c"
    for sent in (
        {"session_id": "s", "hook_event_name": "x", "cursor_version": "1"},
        {"session_id": "s", "hook_event_name": "x"},
    ):
        with pytest.raises(NotOurs):
            hooks.heard(sent, {})


def test_where_it_belongs():
    """The first folder that is open, else what the environment says."""
    assert hooks.directory({"workspace_roots": ["/a", "/b"]}, {"CURSOR_PROJECT_DIR": "/c"}) == "/a"
    assert hooks.directory({"workspace_roots": []}, {"CURSOR_PROJECT_DIR": "/c"}) == "/c"


def test_a_new_file_has_a_version():
    """The agent wants one."""
    assert setup.ENTRIES.with_hooks(None, "/opt/tapehead hook cursor").startswith('{\n  "version": 1,\n  "hooks": {')
