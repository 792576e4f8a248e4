"""What the user says yes to: a project's config.toml that names commands or paths, by its very text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.cli.output import Failure
from tapehead.engine.store_location import config_home
from tapehead.settings import allowance, loading
from tapehead.settings.setting_values import literal

if TYPE_CHECKING:
    from collections.abc import Iterator


def text_of(path: str) -> str:
    """The project's file as it stands; one that says nothing to us is an error."""
    try:
        return loading.read(path, own=False)
    except (OSError, ValueError) as error:
        why = "not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error
        raise Failure(f"{path} is not used: {why}", "correct the file first") from None


def find_guarded(path: str, text: str) -> list[str]:
    """What in it needs the user's yes, as it stands there."""
    try:
        document = loading.document_of(text)
        return [f"{name} = {_written(document, name)}" for name in loading.guarded_in(text)]
    except ValueError as error:
        raise Failure(f"{path} is not TOML: {error}", "correct the file first") from None


def allow(path: str) -> list[str]:
    """Says yes to the file; returns what that makes count."""
    text = text_of(path)
    found = find_guarded(path, text)
    if found:
        _keep(path, text)
    return found


def deny(path: str) -> bool:
    """Takes the yes back; whether there was one."""
    try:
        return allowance.deny(_directory(), path, text_of(path))
    except OSError as error:
        raise Failure(f"Can't undo it: {error}") from None


def carry_over(path: str, before: str, after: str) -> list[str]:
    """Lets the user's own change count too, unless the file held what they never allowed: returns that."""
    unknown = find_guarded(path, before) if before else []
    if unknown and not loading.is_allowed(_directory(), path, before):
        return unknown
    if find_guarded(path, after):
        _keep(path, after)
    return []


def _keep(path: str, text: str) -> None:
    try:
        allowance.allow(_directory(), path, text)
    except OSError as error:
        raise Failure(f"Can't save that you allowed {path}: {error}") from None


def _directory() -> str:
    directory = config_home(os.environ)
    if not directory:
        raise Failure("No home directory", "set HOME or XDG_CONFIG_HOME")
    return directory


def _written(document: dict[str, object], name: str) -> str:
    return next((literal(value) for value in _values(document, name.split("."))), "")


def _values(document: object, names: list[str]) -> Iterator[object]:
    if not names:
        yield document
    elif isinstance(document, dict) and names[0] in document:
        yield from _values(document[names[0]], names[1:])
