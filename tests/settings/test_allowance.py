"""A project's file names no command, no path and no remote unless the user allowed its very text."""

from __future__ import annotations

import os

import pytest

from tapehead.settings import allowance, setting_list
from tapehead.settings.loading import FILE, guarded_in, load

WRITTEN = {
    setting_list.TEXT: '"run me"',
    setting_list.DIRECTORY: '"/elsewhere"',
    setting_list.BOOL: "true",
    setting_list.TEXTS: '["x"]',
}
GUARDED = [row for row in setting_list.SETTINGS.values() if row.guarded]


@pytest.fixture
def places(tmp_path):
    for name in ("project", "user"):
        (tmp_path / name).mkdir()
    return str(tmp_path / "project"), str(tmp_path / "user")


def put(directory, text):
    path = os.path.join(directory, FILE)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def setting(row):
    table, _, key = row.name.rpartition(".")
    return f"[{table}]\n{key} = {'false' if row.default is True else WRITTEN[row.kind]}\n"


def test_every_command_and_every_path_is_guarded():
    """Whatever is a path, or has a command or a remote in its name, and what sends or uncovers something."""
    named = {
        row.name
        for row in setting_list.SETTINGS.values()
        if row.kind == setting_list.DIRECTORY or "command" in row.name or "remote" in row.name
    }
    assert named | {"checkpoints.push", "checkpoints.mask", "checkpoints.others"} == {row.name for row in GUARDED}


@pytest.mark.parametrize("row", GUARDED, ids=lambda row: row.name)
def test_a_guarded_setting_needs_the_users_yes(places, row):
    """From the user's own file it counts; from a project's only once allowed, and no more after a change of one byte."""
    project, user = places
    default = load(project, user, {}).value(row.name)
    text = setting(row)
    path = put(project, text)
    found = load(project, user, {})
    assert found.value(row.name) == default
    (wrong,) = found.complaints
    assert (wrong.line, "config allow" in wrong.hint) == (2, True)
    allowance.allow(user, path, text)
    assert load(project, user, {}).value(row.name) != default
    put(project, text + " ")
    assert load(project, user, {}).value(row.name) == default
    put(project, "")
    put(user, text)
    assert load(project, user, {}).value(row.name) != default


def test_the_rest_of_the_file_counts(places):
    """What is harmless holds, allowed or not."""
    project, user = places
    put(project, '[notes]\ncommand = "evil"\nfirst = 5\n')
    found = load(project, user, {})
    assert (found.text("notes.command"), found.number("notes.first")) == ("", 5)


def test_a_yes_is_for_one_text_in_one_place(places, tmp_path):
    """The same text elsewhere is not allowed; a yes that is taken back is gone; without a home there is none."""
    project, user = places
    text = setting(setting_list.SETTINGS["notes.command"])
    path, other = put(project, text), put(str(tmp_path), text)
    allowance.allow(user, path, text)
    assert allowance.is_allowed(user, path, text)
    assert not allowance.is_allowed(user, other, text)
    assert not allowance.is_allowed("", path, text)
    assert allowance.deny(user, path, text)
    assert not allowance.deny(user, path, text)
    assert not allowance.is_allowed(user, path, text)


def test_a_project_cannot_bring_its_own_yes(places):
    """A link in the place of the mark is none."""
    project, user = places
    text = setting(setting_list.SETTINGS["notes.command"])
    path = put(project, text)
    allowance.allow(user, path, text)
    (mark,) = os.listdir(os.path.join(user, "allowed"))
    os.rename(os.path.join(user, "allowed", mark), os.path.join(project, "mark"))
    os.symlink(os.path.join(project, "mark"), os.path.join(user, "allowed", mark))
    assert not allowance.is_allowed(user, path, text)


def test_guarded_settings_are_found_however_they_are_written():
    """Dotted, in a table, inline."""
    for text in ("notes.command = 'x'", "[notes]\ncommand = 'x'", "notes = {command = 'x'}"):
        assert guarded_in(text) == ["notes.command"]
    assert guarded_in("[notes]\nfirst = 1") == []


def test_a_link_says_nothing_in_a_project(places, tmp_path):
    """A project's file that is a link is not read; the user's own may be one."""
    project, user = places
    target = put(str(tmp_path), "[notes]\nfirst = 7\n")
    os.symlink(target, os.path.join(project, FILE))
    found = load(project, user, {})
    assert (found.number("notes.first"), [wrong.what for wrong in found.complaints]) == (
        10_000,
        ["not readable as TOML: not a regular file; nothing of it counts"],
    )
    os.unlink(os.path.join(project, FILE))
    os.symlink(target, os.path.join(user, FILE))
    assert load(project, user, {}).number("notes.first") == 7


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("which", [0, 1])
def test_a_file_of_another_user_says_nothing(places, which):
    """For root too, in a project and in a home that root was left with."""
    project, user = places
    path = put(places[which], "[notes]\nfirst = 7\n")
    os.chown(path, 4321, 4321)
    found = load(project, user, {})
    assert found.number("notes.first") == 10_000
    assert "belongs to another user" in found.complaints[0].what
