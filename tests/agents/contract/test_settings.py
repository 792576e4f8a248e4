"""Our hooks in every agent's settings, and out again."""

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_documents import printed, values

from tapehead.agents import hook_command, inspection, setups
from tapehead.agents.hook_entries import HookEntries, UnexpectedShapeError
from tapehead.agents.own_file import OwnFile
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import setup_of

hosts = pytest.mark.parametrize("host", HOSTS)
among_others = pytest.mark.parametrize(
    "host", [host for host in HOSTS if isinstance(setup_of(host).ENTRIES, HookEntries)]
)
alone = pytest.mark.parametrize("host", [host for host in HOSTS if isinstance(setup_of(host).ENTRIES, OwnFile)])
settings = st.dictionaries(st.text(max_size=6).filter(lambda key: key != "hooks"), values, max_size=3)
SCRIPT = str(Path(hook_command.__file__).parent / hook_command.SCRIPT)
THEIRS = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "theirs"}]}], "Other": []}}


def command(host):
    return setup_of(host).command_for("user", os.path.join(os.path.dirname(sys.executable), "tapehead"), SCRIPT)


@among_others
@given(printed(settings | st.just(THEIRS)))
def test_out_again(host, text):
    """Installing and uninstalling gives back the same bytes; a second install changes none."""
    entries = setup_of(host).ENTRIES
    once = entries.with_hooks(text, command(host))
    assert entries.with_hooks(once, command(host)) == once
    assert entries.without_hooks(once, text) == text


@alone
def test_a_file_of_our_own(host):
    """It is written whole, the same each time, over a blank one too, and gone again; one that somebody else wrote is left alone."""
    entries = setup_of(host).ENTRIES
    once = entries.with_hooks(None, command(host))
    assert entries.with_hooks(once, command(host)) == entries.with_hooks(" \n", command(host)) == once
    assert {hook.event: hook.command for hook in entries.hooks_of_ours(once)} == dict.fromkeys(
        entries.events, command(host)
    )
    assert entries.without_hooks(once) == ""
    assert entries.without_hooks(once, " \n") == " \n"
    for theirs in ("{}", "export const Other = 1\n", once.replace(f"hook {host}", "hook other")):
        assert not entries.hooks_of_ours(theirs)
        assert entries.without_hooks(theirs) == theirs
        with pytest.raises(UnexpectedShapeError, match="not one of tapehead's"):
            entries.with_hooks(theirs, command(host))
    odd = "'/a \"b\"\\c/tapehead' hook " + host
    assert entries.hooks_of_ours(entries.with_hooks(once, odd))[0].command == odd


@among_others
def test_theirs_come_first(host):
    """Ours stand behind what is there, once for each event; another agent's entries of ours are not this one's."""
    entries = setup_of(host).ENTRIES
    added = json.loads(entries.with_hooks(json.dumps(THEIRS), command(host)))["hooks"]
    assert added["SessionStart"][0] == THEIRS["hooks"]["SessionStart"][0]
    assert {event for event, groups in added.items() if groups} == {"SessionStart", *entries.events}
    assert json.loads(entries.with_hooks(json.dumps({"hooks": {entries.events[0]: [{"x": 1}]}}), command(host)))[
        "hooks"
    ][entries.events[0]][0] == {"x": 1}
    for other in set(HOSTS) - {host}:
        assert not entries.is_ours(command(other))


@hosts
def test_the_command_says_whose_it_is_and_no_version(host):
    """What the user trusts must not change under them."""
    command = setup_of(host).command_for("user", "/a b/tapehead", "/c d/hook.sh")
    assert command == f"trap 'exit 0' 0; sh '/c d/hook.sh' '/a b/tapehead' hook {host} || exit 0"


@hosts
def test_where_the_settings_are(host, tmp_path):
    """In the user's home, and nowhere in the project; an agent is there when its directory is."""
    path = setup_of(host).settings_path("user", home=str(tmp_path), env={}, project="/home/me/project")
    own = setup_of(host).own_directory(str(tmp_path), {})
    assert os.path.commonpath([path, own, str(tmp_path)]) == str(tmp_path)
    assert host not in setups.found(str(tmp_path), {"PATH": "/nowhere"})
    os.makedirs(own)
    assert setups.found(str(tmp_path), {"PATH": "/nowhere"}) == (host,)


@hosts
def test_what_a_report_says(host, tmp_path):
    """No file, no hooks, all hooks, a program that is gone, a file that cannot be read."""
    entries, path = setup_of(host).ENTRIES, tmp_path / "settings.json"
    assert not inspection.report(str(path), entries).exists
    path.write_text("{}")
    assert not inspection.report(str(path), entries).installed
    path.write_text(entries.with_hooks(None, command(host)))
    assert inspection.report(str(path), entries).sound
    path.write_text(entries.with_hooks(None, f"/nowhere/tapehead hook {host}"))
    assert inspection.report(str(path), entries).gone == ("/nowhere/tapehead",)
    path.write_bytes(b"[\xff")
    assert inspection.report(str(path), entries).error
