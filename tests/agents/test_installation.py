import errno
import os
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents import installation, settings_backup, settings_file
from tapehead.agents.claude.settings import EVENTS, hooks_of_ours, with_hooks, without_hooks
from tapehead.agents.installation import ATTEMPTS, Settings, install, planned_install, planned_uninstall, uninstall
from tapehead.agents.settings_file import ChangedMeanwhileError

OURS = "/opt/tapehead hook claude"
OTHER = "/other/tapehead hook claude"
THEIRS = '{\n    "model": "opus",\n    "hooks": {"Stop": [ ]}\n}'


def settings_at(root, name="home/.claude/settings.json", command=OURS):
    add = partial(with_hooks, command=command)
    return Settings.at(os.path.join(root, name), os.path.join(root, "backups"), add, without_hooks)


@pytest.fixture
def settings(tmp_path):
    (tmp_path / "home").mkdir()
    return settings_at(str(tmp_path))


@pytest.fixture
def theirs(settings):
    os.mkdir(os.path.dirname(settings.path))
    settings_file.write(settings.path, THEIRS)
    return settings


def tree(root):
    """Everything below a directory, with its bytes."""
    found = {}
    for directory, below, files in os.walk(root):
        found |= {os.path.join(directory, name): None for name in below}
        for name in files:
            with open(os.path.join(directory, name), "rb") as file:
                found[os.path.join(directory, name)] = file.read()
    return found


def files(root):
    return {path: data for path, data in tree(root).items() if data is not None}


@pytest.mark.parametrize("text", [None, "", "{}", "{\n}\n", THEIRS, '\ufeff{"a":1}\r\n'])
def test_as_it_was(tmp_path, text):
    """After install and uninstall every file and directory is what it was before, a file that was not there included."""
    settings = settings_at(str(tmp_path))
    if text is not None:
        os.makedirs(os.path.dirname(settings.path))
        settings_file.write(settings.path, text)
    before = tree(tmp_path)
    assert install(settings).changed
    assert len(hooks_of_ours(settings_file.read(settings.path))) == len(EVENTS)
    assert not install(settings).changed
    assert uninstall(settings).changed
    assert not uninstall(settings).changed
    assert tree(tmp_path) == before


def test_a_plan_writes_nothing(theirs, tmp_path):
    """What would be done is told exactly, and nothing is written for it."""
    before = tree(tmp_path)
    plan = planned_install(theirs)
    assert tree(tmp_path) == before
    assert install(theirs) == plan
    installed = tree(tmp_path)
    back = planned_uninstall(theirs)
    assert tree(tmp_path) == installed
    assert uninstall(theirs) == back
    assert (back.before, back.after) == (plan.after, plan.before)


def test_the_backup_is_a_plain_copy(theirs):
    """The file before is kept byte for byte, private, out of the directory of the file, and goes with the hooks."""
    install(theirs)
    copy = settings_backup.copy_path(theirs.backups, theirs.path)
    assert settings_file.read(copy) == THEIRS
    assert os.stat(copy).st_mode & 0o777 == 0o600
    assert os.stat(theirs.backups).st_mode & 0o777 == 0o700
    assert os.listdir(os.path.dirname(theirs.path)) == ["settings.json"]
    uninstall(theirs)
    assert not os.path.exists(theirs.backups)


def test_edits_since_stay(theirs):
    """What a user wrote after the install stays, and so does an empty list that was theirs."""
    text = install(theirs).after
    settings_file.write(theirs.path, text.replace('"opus"', '"haiku"'))
    assert uninstall(theirs).after == THEIRS.replace('"opus"', '"haiku"')


def test_edits_between_two_installs_stay(theirs, tmp_path):
    """An edit between two installs is not undone by the uninstall."""
    text = install(theirs).after
    settings_file.write(theirs.path, text.replace('"opus"', '"haiku"'))
    install(settings_at(str(tmp_path), command=OTHER))
    assert uninstall(theirs).after == THEIRS.replace('"opus"', '"haiku"')


def test_moved_program(theirs, tmp_path):
    """A second install with another command still leads back to the first file."""
    install(theirs)
    install(settings_at(str(tmp_path), command=OTHER))
    assert uninstall(theirs).after == THEIRS


def test_hooks_older_than_the_backup_go_too(settings):
    """Hooks of ours that were in the file before the first install with a backup do not come back."""
    os.mkdir(os.path.dirname(settings.path))
    settings_file.write(settings.path, with_hooks('{"a": 1}', OTHER))
    install(settings)
    assert uninstall(settings).after == '{"a": 1}'


def test_a_file_of_ours_that_a_person_uses(settings):
    """A file that we made stays if a user has put something into it, and goes if only our hooks were moved about."""
    text = install(settings).after
    settings_file.write(settings.path, text.replace("{\n", '{\n  "a": 1,\n', 1))
    assert uninstall(settings).after == '{\n  "a": 1\n}\n'
    os.unlink(settings.path)
    settings_file.write(settings.path, "\n" + install(settings).after)
    assert uninstall(settings).after is None
    assert not os.path.exists(settings.path)


def test_a_person_removed_the_file(settings, tmp_path):
    """Where the file is gone already, an uninstall clears up what is left of the install."""
    install(settings)
    os.unlink(settings.path)
    assert not uninstall(settings).changed
    assert tree(tmp_path) == {str(tmp_path / "home"): None}


@pytest.mark.parametrize("damage", ["", "{}", "[]", '{"before": "x", "path": 1}', b"\xff"])
def test_a_lost_backup_is_no_loss(theirs, damage):
    """Without a whole backup our hooks are taken out alone."""
    install(theirs)
    record = os.path.join(os.path.dirname(settings_backup.copy_path(theirs.backups, theirs.path)), "record.json")
    with open(record, "wb") as file:
        file.write(damage if isinstance(damage, bytes) else damage.encode())
    assert uninstall(theirs).after == '{\n    "model": "opus"\n}'


def test_half_a_backup_is_none(theirs):
    """A copy that is not the one that the record names is not taken for the file before."""
    install(theirs)
    settings_file.write(settings_backup.copy_path(theirs.backups, theirs.path), '{"other": 1}')
    assert uninstall(theirs).after == '{\n    "model": "opus"\n}'


def test_links_are_followed(theirs, tmp_path):
    """A link stays a link (dotfile managers), also one to a file that is not there yet; its target is what changes."""
    for name, target in (("link.json", theirs.path), ("dangling.json", str(tmp_path / "home" / "new.json"))):
        link = tmp_path / name
        link.symlink_to(target)
        settings = settings_at(str(tmp_path), name)
        before = tree(tmp_path / "home")
        assert install(settings).path == target
        assert link.is_symlink()
        assert hooks_of_ours(settings_file.read(target))
        uninstall(settings)
        assert link.is_symlink()
        assert tree(tmp_path / "home") == before


def meddle(monkeypatch, path, times):
    """Somebody else writes the file each time just before it is compared."""
    real, written = settings_file._check, []

    def check(*args):
        if len(written) < times:
            written.append(f'{{"edit": {len(written)}}}')
            with open(path, "w", encoding="utf-8") as file:
                file.write(written[-1])
        real(*args)

    monkeypatch.setattr(settings_file, "_check", check)
    return written


def test_somebody_writes_at_the_same_time(theirs, monkeypatch):
    """An edit between reading and replacing is seen, and the hooks go into the edited file."""
    written = meddle(monkeypatch, theirs.path, ATTEMPTS - 1)
    assert install(theirs).before == written[-1]
    assert settings_file.read(theirs.path) == with_hooks(written[-1], OURS)
    assert uninstall(theirs).after == written[-1]


def test_somebody_never_stops_writing(theirs, monkeypatch):
    """After some attempts it is an error, and the other's words stand."""
    written = meddle(monkeypatch, theirs.path, ATTEMPTS)
    with pytest.raises(ChangedMeanwhileError):
        install(theirs)
    assert settings_file.read(theirs.path) == written[-1]


CALLS = ("open", "fchmod", "fsync", "replace", "mkdir", "unlink", "write", "stat", "fstat", "rmdir", "close", "access")


class Faults:
    """Counts the file-system calls of the modules under test, and lets one of them fail."""

    def __init__(self, monkeypatch, fail_at):
        self.count, self.fail_at = 0, fail_at
        for name in CALLS:
            monkeypatch.setattr(os, name, self.wrapped(getattr(os, name)))
        monkeypatch.setattr(settings_file, "open", self.wrapped(open), raising=False)

    def wrapped(self, real):
        def call(*args, **kwargs):
            self.count += 1
            if self.count == self.fail_at:
                raise OSError(errno.ENOSPC, "injected")
            return real(*args, **kwargs)

        return call


@pytest.mark.parametrize("act", [install, uninstall])
@pytest.mark.parametrize("exists", [True, False])
def test_a_fault_at_any_call(tmp_path, act, exists):
    """Whichever file-system call fails, the file is the old or the new one, nothing lies about, and a second try succeeds."""
    fail_at, done = 0, False
    while not done:
        fail_at += 1
        root = tmp_path / str(fail_at)
        settings = settings_at(str(root))
        os.makedirs(root / "home")
        if exists:
            os.mkdir(os.path.dirname(settings.path))
            settings_file.write(settings.path, THEIRS)
        original, start = settings_file.read(settings.path), files(root / "home")
        if act is uninstall:
            install(settings)
        old = settings_file.read(settings.path)
        with pytest.MonkeyPatch.context() as patch:
            faults = Faults(patch, fail_at)
            try:
                act(settings)
            except OSError as error:
                assert error.strerror == "injected"  # noqa: PT017 - a fault may also be survived
            done = faults.count < fail_at
        new = with_hooks(original, OURS) if act is install else original
        assert settings_file.read(settings.path) in {old, new}
        assert not [name for name in tree(root / "home") if ".tapehead-" in name]
        install(settings)
        uninstall(settings)
        assert settings_file.read(settings.path) == original
        # A directory of ours that could not be removed stays, empty; a file never does.
        assert files(root / "home") == start
    assert fail_at > 10


@given(st.lists(st.sampled_from(["install", "install other", "uninstall", "edit", "lose backup"]), max_size=8))
def test_any_history_leads_back(tmp_path_factory, history):
    """Whatever happens in whatever order, an uninstall at the end leaves the user's words and none of ours."""
    root = str(tmp_path_factory.mktemp("history"))
    settings = settings_at(root, "settings.json")
    settings_file.write(settings.path, '{"edits": 0}')
    edits = 0
    for step in history:
        if step == "edit":
            edits += 1
            text = settings_file.read(settings.path)
            settings_file.write(settings.path, text.replace(f'"edits": {edits - 1}', f'"edits": {edits}'))
        elif step == "lose backup":
            settings_backup.drop(settings.backups, settings.path)
        else:
            command = OTHER if step == "install other" else OURS
            getattr(installation, step.split()[0])(settings_at(root, "settings.json", command))
    uninstall(settings)
    assert settings_file.read(settings.path) == f'{{"edits": {edits}}}'
