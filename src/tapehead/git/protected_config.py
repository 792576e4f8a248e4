"""The settings of git that a repository cannot make for itself: those of the system, of the user and of the command. Light.

Only `safe.directory` and `safe.bareRepository` are looked up, and only where there is doubt. `includeIf` is not followed: where that
makes a difference, a repository is not trusted that git would trust, and its events go to the store at home.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead import door

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LARGEST = 1 << 20
_DEPTH = 10
_MOST = 10_000
_SPACE = " \t"


def is_safe(directory: str, env: Mapping[str, str]) -> bool:
    """Whether the user said that the repository of a work tree (or a bare one) may be used whoever owns it."""
    safe = False
    for name, value in _settings(env):
        if name == "safe.directory":
            safe = bool(value) and (safe or _covers(_expanded(value, env), directory))
    return safe


def wants_explicit_bare(env: Mapping[str, str]) -> bool:
    """Whether the user wants a bare repository to be used only where a command names it."""
    said = [value for name, value in _settings(env) if name == "safe.barerepository"]
    return said[-1:] == ["explicit"]


def _covers(named: str, directory: str) -> bool:
    if named == "*":
        return True
    if named.endswith("/*"):
        return (directory + "/").startswith(named[:-1])
    return named.rstrip("/") == directory or (os.path.isabs(named) and os.path.realpath(named) == directory)


def _expanded(path: str, env: Mapping[str, str]) -> str:
    home = env.get("HOME", "")
    return home + path[1:] if path.startswith("~/") and home else path


def _settings(env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Names in lower case, and values; the later ones hold."""
    for path in _files(env):
        yield from _of_file(path, env, _DEPTH)
    count = env.get("GIT_CONFIG_COUNT", "")
    for number in range(min(int(count), _MOST) if count.isascii() and count.isdigit() else 0):
        yield env.get(f"GIT_CONFIG_KEY_{number}", "").lower(), env.get(f"GIT_CONFIG_VALUE_{number}", "")


def _files(env: Mapping[str, str]) -> Iterator[str]:
    if env.get("GIT_CONFIG_NOSYSTEM", "").lower() not in ("1", "true", "yes", "on"):
        yield env.get("GIT_CONFIG_SYSTEM", "") or "/etc/gitconfig"
    if "GIT_CONFIG_GLOBAL" in env:
        yield env["GIT_CONFIG_GLOBAL"]
        return
    home = env.get("HOME", "")
    if above := env.get("XDG_CONFIG_HOME", "") or (os.path.join(home, ".config") if home else ""):
        yield os.path.join(above, "git", "config")
    if home:
        yield os.path.join(home, ".gitconfig")


def _of_file(path: str, env: Mapping[str, str], depth: int) -> Iterator[tuple[str, str]]:
    try:
        text = door.read(path, _LARGEST).decode("utf-8", "surrogateescape")
    except OSError:
        return
    section = ""
    for line in text.replace("\\\n", "").splitlines():
        stripped = line.strip(_SPACE)
        if stripped.startswith("["):
            section, _, stripped = stripped[1:].partition("]")
            section, stripped = section.strip(_SPACE).lower(), stripped.strip(_SPACE)
        if not stripped or stripped[0] in "#;":
            continue
        key, equals, written = stripped.partition("=")
        name, value = f"{section}.{key.strip(_SPACE).lower()}", _value(written) if equals else ""
        if name == "include.path" and depth > 1:
            yield from _of_file(os.path.join(os.path.dirname(path), _expanded(value, env)), env, depth - 1)
        yield name, value


def _value(written: str) -> str:
    """A value without its quotes and without the comment behind it."""
    found, quoted, letters = "", False, iter(written.strip(_SPACE))
    for letter in letters:
        if letter == "\\":
            after = next(letters, "")
            found += {"n": "\n", "t": "\t", "b": "\b"}.get(after, after)
        elif letter == '"':
            quoted = not quoted
        elif letter in "#;" and not quoted:
            break
        else:
            found += letter
    return found.rstrip(_SPACE) if not quoted else found
