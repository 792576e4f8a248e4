import json
import os

import pytest

from tapehead.agents.claude.inspection import HookReport, inspect, installed_twice
from tapehead.agents.claude.scopes import SHARED_COMMAND, command_for
from tapehead.agents.claude.settings import EVENTS, group_of, with_hooks


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "tapehead"
    path.touch(mode=0o700)
    return str(path)


def written(tmp_path, text, name="settings.json"):
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


def test_all_is_well(tmp_path, program):
    """A file as an install leaves it is sound, with the command of either kind."""
    command = command_for("user", program, program)
    for text in (with_hooks(None, command), with_hooks(None, SHARED_COMMAND)):
        (report,) = inspect([written(tmp_path, text)], command)
        assert report.installed
        assert report.sound
        assert [hook.event for hook in report.hooks] == list(EVENTS)


def test_not_installed(tmp_path):
    """No file, a blank one, and one without our hooks are sound and not installed; one path is looked at once."""
    paths = [str(tmp_path / "none"), written(tmp_path, "", "blank"), written(tmp_path, "{}", "bare")]
    reports = inspect([*paths, *paths])
    assert reports == (HookReport(paths[0]), HookReport(paths[1], exists=True), HookReport(paths[2], exists=True))
    assert all(report.sound and not report.installed for report in reports)


def test_every_fault_is_named(tmp_path, program):
    """Missing, doubled and foreign entries, programs that are gone, and the great switch: each is told apart."""
    good, old = command_for("user", program, program), f"{tmp_path}/gone/tapehead hook claude"
    hooks = {"Stop": [group_of(good), group_of(old)], "SessionEnd": [group_of(good)]}
    path = written(tmp_path, json.dumps({"hooks": hooks, "disableAllHooks": True}))
    (report,) = inspect([path], good)
    assert report.missing == tuple(event for event in EVENTS if event not in hooks)
    assert report.doubled == ("Stop",)
    assert report.other_commands == (old,)
    assert report.gone == (f"{tmp_path}/gone/tapehead",)
    assert report.switched_off
    assert not report.sound
    assert inspect([path])[0].other_commands == ()


def test_switched_off_alone(tmp_path, program):
    """The great switch matters only where hooks of ours are."""
    text = '{"disableAllHooks": true}'
    (bare, ours) = inspect([written(tmp_path, text, "a"), written(tmp_path, with_hooks(text, SHARED_COMMAND), "b")])
    assert bare.sound
    assert not ours.sound


@pytest.mark.parametrize("command", ["tapehead hook claude", "tapehead hook claude 'open"])
def test_names_that_the_shell_finds(tmp_path, command):
    """A command without a path, or one that no shell would read, is not called gone."""
    (report,) = inspect([written(tmp_path, with_hooks(None, command))])
    assert report.gone == ()


@pytest.mark.parametrize("data", [b"{", b"[]", b"\xff"])
def test_unreadable(tmp_path, data):
    """A file that cannot be understood is reported with the reason, and does not hide the others."""
    (tmp_path / "a").write_bytes(data)
    report, other = inspect([str(tmp_path / "a"), str(tmp_path / "none")])
    assert report.exists
    assert report.error
    assert not report.sound
    assert other.sound
    os.unlink(tmp_path / "a")
    (tmp_path / "a").mkdir()
    assert "directory" in inspect([str(tmp_path / "a")])[0].error


def test_installed_twice(tmp_path):
    """The agent runs an entry once if it is the same in two files, and twice if it differs: only that is double."""
    one = written(tmp_path, with_hooks(None, SHARED_COMMAND), "a")
    same = written(tmp_path, with_hooks(None, SHARED_COMMAND), "b")
    other = written(tmp_path, json.dumps({"hooks": {"Stop": [group_of("/x/tapehead hook claude")]}}), "c")
    assert installed_twice(inspect([one, same])) == ()
    assert installed_twice(inspect([one, same, other])) == ("Stop",)


def test_a_status_line_of_ours_that_cannot_run(tmp_path, program):
    """It is named like a hook; another's is nobody's business here."""
    gone = f"{tmp_path}/gone/tapehead statusline"
    for command, named in ((gone, (f"{tmp_path}/gone/tapehead",)), (f"{program} statusline", ()), ("/gone/x", ())):
        text = json.dumps({"statusLine": {"type": "command", "command": command}})
        (report,) = inspect([written(tmp_path, text)])
        assert report.gone == named
