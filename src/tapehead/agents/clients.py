"""The clients of an agent on this machine and their versions. For install and doctor; no hook loads this.

A client may reject a whole settings file for one hook event that it does not know: the user's own hooks, environment and deny rules
are void then. So a file gets only events that every client here knows.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead import door
from tapehead.system import programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Version = tuple[int, ...]

ANSWER_SECONDS = 5
"""How long a client may take to say its version."""
_NUMBER = re.compile(r"\d+\.\d+\.\d+")
_LEVELS = 4
"""How far above a program its package may begin."""


@frozen
class Compatibility:
    """Which clients of an agent reject which events, and how to find those clients."""

    since: Mapping[str, Version]
    """The first version that knows an event; one that is not named here is known to all."""
    assumed: Version
    """What is taken for the version where nobody can tell it, such as a teammate's."""
    oldest: Version
    """Below this, too little would be left to be of use."""
    places: Callable[[str, Mapping[str, str]], Iterable[str]]
    """Where clients may be, given the home and the environment."""
    package: Callable[[str], bool]
    """Whether a package of this name is the client."""

    def events_of(self, events: Iterable[str], version: Version) -> tuple[str, ...]:
        """Those of the events that a version knows."""
        return tuple(event for event in events if self.since.get(event, ()) <= version)


@frozen
class InstalledClient:
    """One client; without a version where nobody can tell it."""

    path: str
    version: Version | None

    @property
    def words(self) -> str:
        """The version as people write it."""
        return ".".join(map(str, self.version)) if self.version else "of unknown version"


def installed_clients(known: Compatibility, home: str, env: Mapping[str, str]) -> tuple[InstalledClient, ...]:
    """Every client that can be found, each once."""
    found = dict.fromkeys(os.path.realpath(path) for path in known.places(home, env) if _runs(path))
    return tuple(InstalledClient(path, _version_of(path, known)) for path in found)


def oldest_of(clients: Iterable[InstalledClient], known: Compatibility) -> InstalledClient | None:
    """The client that knows least; one of unknown version counts as what is assumed."""
    return min(clients, key=lambda client: client.version or known.assumed, default=None)


def places_on_path(program: str, env: Mapping[str, str]) -> list[str]:
    """Every program of this name on the PATH, not only the first: an editor may have another PATH. Relative entries lead anywhere."""
    folders = env.get("PATH", os.defpath).split(os.pathsep)
    return [os.path.join(folder, program) for folder in folders if os.path.isabs(folder)]


def _runs(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _version_of(path: str, known: Compatibility) -> Version | None:
    """What its place on the disk says, which is quick; else what it answers."""
    if _NUMBER.fullmatch(os.path.basename(path)):
        return _parsed(os.path.basename(path))
    return _packaged(path, known) or _parsed(_answer(path))


def _packaged(path: str, known: Compatibility) -> Version | None:
    """The version of the package that the program belongs to."""
    folder = os.path.dirname(path)
    for _ in range(_LEVELS):
        with suppress(OSError, ValueError, AttributeError, TypeError):
            said = json.loads(door.read(os.path.join(folder, "package.json"), 1 << 20))
            if known.package(said.get("name")):
                return _parsed(said.get("version"))
        folder = os.path.dirname(folder)
    return None


def _answer(path: str) -> str:
    """What the client says to `--version`. One that does not answer in time is ended, with all that it started."""
    try:
        process = subprocess.Popen(  # noqa: S603 - a client of the user, at a path of its own
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            **programs.ALONE,
        )
    except OSError:
        return ""
    try:
        said: bytes = process.communicate(timeout=ANSWER_SECONDS)[0]
        return said.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return ""
    finally:
        programs.end_with_all(process)
        process.wait()
        if process.stdout:
            process.stdout.close()


def _parsed(text: object) -> Version | None:
    found = _NUMBER.search(text) if isinstance(text, str) else None
    return tuple(map(int, found[0].split("."))) if found else None
