"""Hooks into a settings file and out again, for any host: what the host's settings look like comes in as two functions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.agents import settings_backup, settings_file
from tapehead.agents.json_text import Array, Object, is_blank, parse
from tapehead.agents.settings_backup import Backup, fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

ATTEMPTS = 5


@frozen
class Change:
    """What a settings file said, and what it says (or would say) now; None where there is no file."""

    path: str
    before: str | None
    after: str | None

    @property
    def changed(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after


@frozen
class Settings:
    """A settings file (a link is followed: the file it leads to is the one that counts) and what to do to its text."""

    path: str
    backups: str
    add: Callable[[str | None], str]
    """The text with our hooks."""
    strip: Callable[[str, str | None], str]
    """The text without them, given what the file was before they came."""

    @classmethod
    def at(
        cls, path: str, backups: str, add: Callable[[str | None], str], strip: Callable[[str, str | None], str]
    ) -> Settings:
        """Settings at a path, wherever links lead."""
        return cls(os.path.realpath(path), backups, add, strip)


def planned_install(settings: Settings) -> Change:
    """What an install would do."""
    text = settings_file.read(settings.path)
    return Change(settings.path, text, settings.add(text))


def planned_uninstall(settings: Settings) -> Change:
    """What an uninstall would do."""
    text = settings_file.read(settings.path)
    backup = settings_backup.load(settings.backups, settings.path)
    return Change(settings.path, text, None if text is None else _without(settings, text, backup))


def install(settings: Settings) -> Change:
    """Put our hooks in."""
    return _repeated(settings, planned_install, _write_with_backup)


def uninstall(settings: Settings) -> Change:
    """Take our hooks out: the old bytes come back if nobody touched the file since, else ours alone go."""
    change = _repeated(settings, planned_uninstall, _put)
    backup = settings_backup.load(settings.backups, settings.path)
    if backup and change.after is None:
        settings_file.remove_directories(backup.directories)
    settings_backup.drop(settings.backups, settings.path)
    return change


def _repeated(
    settings: Settings,
    plan: Callable[[Settings], Change],
    perform: Callable[[Settings, Change], None],
    attempts: int = ATTEMPTS,
) -> Change:
    """Plan and perform, anew as long as somebody else writes in between."""
    change = plan(settings)
    try:
        if change.changed:
            perform(settings, change)
    except settings_file.ChangedMeanwhileError:
        if attempts == 1:
            raise
        return _repeated(settings, plan, perform, attempts - 1)
    return change


def _write_with_backup(settings: Settings, change: Change) -> None:
    """The backup first: a crash in between leaves one of a file that was never changed, which does no harm."""
    backup = _backup_for(settings, change)
    settings_backup.save(settings.backups, backup)
    made = settings_file.missing_directories(settings.path)
    try:
        settings_file.make_directories(made)
        _put(settings, change)
    except BaseException:
        settings_file.remove_directories(made)
        raise


def _backup_for(settings: Settings, change: Change) -> Backup:
    """Keep what an uninstall at this moment would leave: a file that a user edited after the first install is not undone."""
    former = settings_backup.load(settings.backups, settings.path)
    before = None if change.before is None else _without(settings, change.before, former)
    made = settings_file.missing_directories(settings.path) or (former.directories if former else ())
    return Backup(settings.path, before, fingerprint(change.after), made)


def _put(settings: Settings, change: Change) -> None:
    if change.after is not None:
        settings_file.write_if_unchanged(settings.path, change.after, change.before)
    else:
        settings_file.remove_if_unchanged(settings.path, change.before)


def _without(settings: Settings, text: str, backup: Backup | None) -> str | None:
    if backup and backup.written == fingerprint(text):
        return backup.before
    left = settings.strip(text, backup.before if backup else None)
    nothing_before = (
        backup.before is None if backup else not left
    )  # a file that was ours alone is left with nothing at all
    ours_alone = nothing_before and left != text and _says_nothing(left)
    return None if ours_alone else left


def _says_nothing(text: str) -> bool:
    if is_blank(text):
        return True
    root = parse(text).root
    return isinstance(root, Array | Object) and not root.items
