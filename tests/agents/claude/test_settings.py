import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from json_documents import printed, scrawled, values

from tapehead.agents.claude.scopes import SHARED_COMMAND, command_for
from tapehead.agents.claude.settings import (
    EVENTS,
    InstalledHook,
    UnexpectedShapeError,
    group_of,
    hooks_are_off,
    hooks_of_ours,
    is_ours,
    with_hooks,
    without_hooks,
)
from tapehead.agents.json_text import DuplicateKeyError, JsonTextError, MalformedError

OURS = "/opt/bin/tapehead hook claude"
THEIRS = {"type": "command", "command": "notify-send done"}

# Other people's settings: their hooks in events of ours and in others, groups and handlers of shapes nobody foresaw.
handlers = st.just(THEIRS) | st.dictionaries(st.sampled_from(["type", "command", "if"]), values) | values
groups = st.fixed_dictionaries({"hooks": st.lists(handlers, max_size=2) | values}, optional={"matcher": st.text()})
hooks = st.dictionaries(st.sampled_from([*EVENTS, "PreToolUse"]), st.lists(groups | values, max_size=3), max_size=4)
settings = st.fixed_dictionaries({}, optional={"model": st.text(), "hooks": hooks, "env": values}) | st.dictionaries(
    st.text().filter(lambda key: key != "hooks"), values, max_size=4
)
dressed = printed(settings) | scrawled(settings)


def plain(text):
    return json.loads(text.removeprefix("\ufeff"))


def has_empty_hooks(document):
    return document == {} or not document.get("hooks", [0]) or [] in document.get("hooks", {}).values()


def semantically_added(document, command):
    events = dict(document.get("hooks", {}))
    for event in EVENTS:
        events[event] = [*events.get(event, []), group_of(command)]
    return document | {"hooks": events}


@given(dressed)
@example('{"hooks": {}}')
@example("{\n}\n")
@example('{"hooks": {"Stop": [ ]}}')
def test_out_again_with_the_file_before(text):
    """Installing and uninstalling gives back the same bytes, whatever the file looked like."""
    assert without_hooks(with_hooks(text, OURS), text) == text


@given(printed(settings).filter(lambda text: not has_empty_hooks(plain(text))))
def test_out_again_from_the_text_alone(text):
    """Without the file before it is the same too, unless an empty list or object of the user's was there."""
    assert without_hooks(with_hooks(text, OURS)) == text


@given(dressed)
def test_nothing_else_changes(text):
    """Installing adds one group behind those of each event, and changes no other value and no order."""
    document, added = plain(text), plain(with_hooks(text, OURS))
    assert added == semantically_added(document, OURS)
    assert list(added) == [*dict.fromkeys([*document, "hooks"])]
    assert list(added["hooks"]) == [*dict.fromkeys([*document.get("hooks", {}), *EVENTS])]


@given(dressed)
def test_twice_is_once(text):
    """Installing again changes no byte."""
    once = with_hooks(text, OURS)
    assert with_hooks(once, OURS) == once


@given(dressed)
def test_a_newer_command_takes_the_place_of_the_older(text):
    """After the program moved, an install gives the file that it would have given at once."""
    assert with_hooks(with_hooks(text, "/old/tapehead hook claude"), OURS) == with_hooks(text, OURS)


@given(dressed)
def test_one_for_each_event(text):
    """After an install each event has one entry of ours, in the order of the file, found with its group."""
    added = with_hooks(text, OURS)
    found = hooks_of_ours(added)
    assert sorted(each.event for each in found) == sorted(EVENTS)
    assert all(each.command == OURS for each in found)
    assert all(plain(added)["hooks"][each.event][each.index] == group_of(OURS) for each in found)


@given(dressed)
def test_nothing_of_ours_nothing_to_do(text):
    """A file without our hooks is not touched by an uninstall, not even where it holds empty things."""
    assert hooks_of_ours(text) == ()
    assert without_hooks(text) == text
    assert without_hooks(text, "") == text


@given(st.sampled_from(["", " \n", "\ufeff"]))
def test_a_blank_file(text):
    """A file with nothing in it is filled, is empty for a reader, and is itself again after an uninstall."""
    assert with_hooks(text, OURS) == with_hooks(None, OURS)
    assert hooks_of_ours(text) == ()
    assert not hooks_are_off(text)
    assert without_hooks(text) == text
    assert without_hooks(with_hooks(text, OURS), text) == text


def test_a_new_file():
    """A file that was not there is printed with two spaces and a newline, and without our hooks says nothing."""
    text = with_hooks(None, OURS)
    assert text == json.dumps({"hooks": {event: [group_of(OURS)] for event in EVENTS}}, indent=2) + "\n"
    assert without_hooks(text) == "{}\n"
    assert group_of(OURS) == {"hooks": [{"type": "command", "command": OURS, "timeout": 10}]}


def test_in_one_group_with_others():
    """An entry of ours that somebody moved beside another tool's is found, updated in place, and taken out alone."""
    moved = {"matcher": "startup", "hooks": [THEIRS, {"command": "tapehead hook claude", "timeout": 3}, THEIRS]}
    text = json.dumps({"hooks": {"SessionStart": [moved]}})
    added = plain(with_hooks(text, OURS))["hooks"]["SessionStart"]
    assert added == [{"matcher": "startup", "hooks": [THEIRS, {"command": OURS, "timeout": 3}, THEIRS]}]
    left = {"matcher": "startup", "hooks": [THEIRS, THEIRS]}
    assert plain(without_hooks(text)) == {"hooks": {"SessionStart": [left]}}


def test_too_many_of_ours():
    """Entries of ours beyond the first of an event, and in events that are no longer asked for, go at an install."""
    group = group_of(OURS)
    both = {"hooks": [*group["hooks"], THEIRS, *group["hooks"]]}
    text = json.dumps({"hooks": {"Stop": [both, group], "PreToolUse": [group], "Other": [group, {"hooks": [THEIRS]}]}})
    added = plain(with_hooks(text, OURS))["hooks"]
    assert added["Stop"] == [{"hooks": [*group["hooks"], THEIRS]}]
    assert "PreToolUse" not in added
    assert added["Other"] == [{"hooks": [THEIRS]}]
    assert sorted(added) == sorted([*EVENTS, "Other"])


def test_empty_things_of_the_person_stay():
    """What was there empty before stays, with its white space; what we made goes; an unreadable file before is no help."""
    before = '{"hooks": { "Stop": [ ], "Setup": 1 }}'
    added = with_hooks(before, OURS)
    assert without_hooks(added, before) == before
    assert plain(without_hooks(added)) == {"hooks": {"Setup": 1}}
    assert plain(without_hooks(added, "not json")) == {"hooks": {"Setup": 1}}
    assert plain(without_hooks(added, '{"hooks": []}')) == {"hooks": {"Setup": 1}}


def test_edited_since():
    """Keys and hooks that came after the install stay at the uninstall."""
    text = with_hooks('{\n  "hooks": {}\n}\n', OURS)
    text = text.replace('"Stop": [', '"Stop": [\n      {"hooks": []},').replace("{\n", '{\n  "model": "m",\n', 1)
    assert without_hooks(text, '{\n  "hooks": {}\n}\n') == (
        '{\n  "model": "m",\n  "hooks": {\n    "Stop": [\n      {"hooks": []}\n    ]\n  }\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("{", MalformedError, "line 1, column 2: a key in double quotes is expected here"),
        ("[]", UnexpectedShapeError, "line 1, column 1: the file should be an object, and is a list"),
        ('"x"', UnexpectedShapeError, "line 1, column 1: the file should be an object, and is a string"),
        ('{\n "hooks": []}', UnexpectedShapeError, 'line 2, column 11: "hooks" should be an object, and is a list'),
        ('{"hooks":1}', UnexpectedShapeError, 'line 1, column 10: "hooks" should be an object, and is a single value'),
        (
            '{"hooks": {}, "hooks": {}}',
            DuplicateKeyError,
            'line 1, column 15: the key "hooks" stands twice in one object',
        ),
    ],
)
def test_a_shape_that_is_not_a_settings_file(text, kind, words):
    """A file that cannot be understood is an error that says what and where, in all three directions."""
    for attempt in (lambda: with_hooks(text, OURS), lambda: without_hooks(text), lambda: hooks_of_ours(text)):
        with pytest.raises(kind) as caught:
            attempt()
        assert str(caught.value) == words


def test_an_event_that_is_not_a_list():
    """An event of a strange shape stops an install, and does not stop an uninstall: there is nothing of ours in it."""
    text = '{"hooks": {"Stop": {}}}'
    with pytest.raises(UnexpectedShapeError, match=r'"hooks\.Stop" should be a list, and is an object'):
        with_hooks(text, OURS)
    assert without_hooks(text) == text
    assert issubclass(UnexpectedShapeError, JsonTextError)


@pytest.mark.parametrize(
    "command",
    [
        SHARED_COMMAND,
        "tapehead hook claude",
        "tapehead  hook   claude",
        "/usr/bin/tapehead hook claude || true",
        "'/a b/tapehead' hook claude",
        '"C:\\x\\tapehead.exe" hook claude',
        "python3 -P -m tapehead hook claude",
        "tapehead --store /x hook claude",
        command_for("user", "/home/o'neil/my tools/tapehead", "/home/o'neil/hook.sh"),
    ],
)
def test_ours(command):
    """Every form in which our command may stand is known as ours."""
    assert is_ours(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "tapehead",
        "tapehead status",
        "tapehead hook codex",
        "tapehead hook claude-two",
        "hook claude",
        "my-tapehead hook claude",
        "tapehead-wrapper hook claude",
        "/srv/tapehead/bin/other hook claude",
        "tapehead status; other hook claude",
        "command -v tapehead && other hook claude",
    ],
)
def test_not_ours(command):
    """What only looks like it is left alone."""
    assert not is_ours(command)


def test_installed_hook():
    """What is found says the event, the command and the group."""
    text = json.dumps({"hooks": {"Stop": [{"hooks": [THEIRS]}, group_of(OURS)]}})
    assert hooks_of_ours(text) == (InstalledHook("Stop", OURS, 1),)


def test_hooks_can_be_switched_off():
    """Only `disableAllHooks: true` switches hooks off."""
    assert hooks_are_off('{"disableAllHooks": true}')
    assert not hooks_are_off('{"disableAllHooks": false}')
    assert not hooks_are_off("{}")
