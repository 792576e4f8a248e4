"""The one door to the settings: environment, then the project's config.toml, then the user's, then the default. Light.

A value that is wrong breaks nothing: the next source serves, and a complaint says where it stands and what is allowed. A project's
file may have come with the repository: what is guarded (registry.py) counts from it only once the user allowed its very text.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead import door, system
from tapehead.settings import plain_toml
from tapehead.settings.key_lines import line_of
from tapehead.settings.setting_list import FORMER, SETTINGS
from tapehead.settings.setting_values import Wrong, describe_allowed, value_of, written_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import NoReturn

    from tapehead.settings.setting_list import Setting
    from tapehead.settings.setting_values import Value

FILE = "config.toml"
_LARGEST = 1 << 20
"""Bytes. What is larger was not written by a user, and a hook must not wait for it."""


class Complaint:
    """What is wrong, and where."""

    __slots__ = ("hint", "line", "source", "what")

    def __init__(self, source: str, line: int, what: str, hint: str) -> None:
        self.source = source
        """The file, or the environment variable."""
        self.line = line
        """0 where there is none."""
        self.what = what
        self.hint = hint
        """What to do, or what may stand there."""

    @property
    def where(self) -> str:
        return f"{self.source}:{self.line}" if self.line else self.source


class Settings:
    """The settings that hold, each with where it comes from."""

    __slots__ = ("_found", "complaints")

    def __init__(
        self, found: Mapping[str, tuple[Value, str]] | None = None, complaints: tuple[Complaint, ...] = ()
    ) -> None:
        self._found = found or {}
        self.complaints = complaints

    def value(self, name: str) -> Value:
        """The value as the program works with it: a duration is a number of seconds."""
        return self._found[name][0] if name in self._found else value_of(SETTINGS[name], SETTINGS[name].default)

    def origin(self, name: str) -> str:
        """The file with its line, or the environment variable, or nothing: then it is the default."""
        return self._found[name][1] if name in self._found else ""

    def flag(self, name: str) -> bool:
        """The value of a BOOL."""
        value = self.value(name)
        return value if type(value) is bool else _another_kind(name)

    def number(self, name: str) -> int:
        """The value of an INT."""
        value = self.value(name)
        return value if type(value) is int else _another_kind(name)

    def seconds(self, name: str) -> float:
        """The value of a DURATION, or of a FLOAT."""
        value = self.value(name)
        return value if type(value) is float else _another_kind(name)

    def text(self, name: str) -> str:
        """The value of a TEXT or a CHOICE."""
        value = self.value(name)
        return value if type(value) is str else _another_kind(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """The value of a list of texts."""
        value = self.value(name)
        return value if type(value) is tuple else _another_kind(name)


DEFAULTS = Settings()


def load(project_dir: str, user_dir: str, environ: Mapping[str, str]) -> Settings:
    """What holds for a project: `project_dir` is its store, `user_dir` the user's own directory for settings; '' is none."""
    found: dict[str, tuple[Value, str]] = {}
    complaints: list[Complaint] = []
    for directory in (user_dir, project_dir):
        if directory:
            _take_file(os.path.join(directory, FILE), user_dir, found, complaints)
    _take_environment(environ, found, complaints)
    return Settings(found, tuple(complaints))


def document_of(text: str) -> dict[str, object]:
    """A config.toml as tomllib reads it. Raises ValueError, with the line in its words."""
    import tomllib  # noqa: PLC0415 - heavy, and most people have no such file

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _take_environment(
    environ: Mapping[str, str], found: dict[str, tuple[Value, str]], complaints: list[Complaint]
) -> None:
    for setting in SETTINGS.values():
        text = environ.get(setting.variable, "")
        if not text.strip():
            continue
        try:
            value = value_of(setting, written_of(setting, text))
        except Wrong:
            complaints.append(Complaint(setting.variable, 0, f"{_shown(text)} is not a valid value", _may(setting)))
            continue
        found[setting.name] = (not value if setting.negated else value, setting.variable)


def guarded_in(text: str) -> list[str]:
    """The settings in a project's file that count only once the user allowed it. Raises ValueError."""
    return [name for name, _ in _flat(document_of(text), "") if name in SETTINGS and SETTINGS[name].guarded]


def _take_file(path: str, user_dir: str, found: dict[str, tuple[Value, str]], complaints: list[Complaint]) -> None:
    own = os.path.dirname(path) == user_dir
    try:
        text = read(path, own=own)
        simple = plain_toml.document(text)
        document = document_of(text) if simple is None else simple
    except (OSError, ValueError) as error:
        complaints.append(_unreadable(path, error))
        return
    for name, written in _flat(document, ""):
        line = line_of(text, name)
        setting = SETTINGS.get(name)
        if setting is None and name in FORMER:
            _take_former(name, written, path, line, found, complaints)
            continue
        if setting is None:
            complaints.append(Complaint(path, line, f"no setting named {name}", "`tapehead config` lists them"))
            continue
        if setting.guarded and not own and not is_allowed(user_dir, path, text):
            complaints.append(Complaint(path, line, f"{name} does not count: you have not allowed this file", _ALLOW))
            continue
        try:
            found[name] = (value_of(setting, written), f"{path}:{line}" if line else path)
        except Wrong:
            complaints.append(Complaint(path, line, f"{name} cannot be {_shown(written)}", _may(setting)))


def _take_former(  # noqa: PLR0913, PLR0917 - where it stands and where it goes
    name: str,
    written: object,
    path: str,
    line: int,
    found: dict[str, tuple[Value, str]],
    complaints: list[Complaint],
) -> None:
    """A setting of a former version goes on to count, and says which one took its place."""
    now, words = FORMER[name]
    if isinstance(written, str) and written in words:
        found.setdefault(now, (words[written], f"{path}:{line}" if line else path))
        complaints.append(Complaint(path, line, f"{name} has a new name", f'write {now} = "{words[written]}"'))
    else:
        complaints.append(Complaint(path, line, f"{name} has a new name", f"write {now} = {_may(SETTINGS[now])}"))


def read(path: str, *, own: bool) -> str:
    """The text of a file, empty where there is none. Raises OSError, and ValueError where nothing of it may count.

    The user's own may be a link; a project's may not. What another user wrote says nothing: root is no exception.
    """
    try:
        descriptor = door.open_file(path, follow=own)
    except door.NotRegular:
        raise ValueError("not a regular file") from None
    except (FileNotFoundError, NotADirectoryError):
        return ""
    try:
        if os.fstat(descriptor).st_uid not in ((system.user_id(), 0) if own else (system.user_id(),)):
            raise ValueError("it belongs to another user")
        data = system.read_at(descriptor, _LARGEST + 1, 0)
    finally:
        os.close(descriptor)
    if len(data) > _LARGEST:
        raise ValueError(f"larger than {_LARGEST} bytes")
    return data.decode()


def is_allowed(user_dir: str, path: str, text: str) -> bool:
    """Whether the user allowed a project's file as it stands."""
    from tapehead.settings import allowance  # noqa: PLC0415 - most projects set nothing that is guarded

    return allowance.is_allowed(user_dir, path, text)


_ALLOW = "look at it, then `tapehead config allow`; or set it in your own file with `tapehead config set --user`"


def _may(setting: Setting) -> str:
    return f"allowed: {describe_allowed(setting)}"


def _unreadable(path: str, error: Exception) -> Complaint:
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        return Complaint(path, line, "not UTF-8 text; nothing of it counts", "allowed: TOML in UTF-8")
    what = (isinstance(error, OSError) and error.strerror) or str(error)
    number = what.rpartition("line ")[2].partition(",")[0]
    line = int(number) if number.isascii() and number.isdigit() else 0
    return Complaint(path, line, f"not readable as TOML: {what}; nothing of it counts", "allowed: TOML in UTF-8")


def _flat(document: Mapping[str, object], above: str) -> Iterator[tuple[str, object]]:
    for key, value in document.items():
        name = f"{above}{key}"
        if isinstance(value, dict) and name not in SETTINGS:
            yield from _flat(value, name + ".")
        else:
            yield name, value


def _shown(written: object) -> str:
    text = repr(written)
    return text if len(text) <= 60 else text[:59] + "…"  # noqa: PLR2004 - a line of a terminal


def _another_kind(name: str) -> NoReturn:
    raise TypeError(f"{name} is a {SETTINGS[name].kind}")
