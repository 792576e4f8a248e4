"""The trailer's way into a message: at once where git opens no editor, and after the editor where it does. Light.

Before an editor nothing is written into a message that begins empty or as a template: git gives up a commit whose message was
left so, and a trailer would make it look written. A comment says that it will come. What is to be added waits beside the message
(`COMMIT_EDITMSG.tapehead`) for the commit-msg hook, whose few lines of shell start nothing where no such file is.

Whoever removes the trailer in the editor, or that comment, says no: there is no checkpoint either. That waits there for the post-commit hook.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.git import trailers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WAITING = ".tapehead"
"""What follows the message's own name."""
FILE = "COMMIT_EDITMSG" + WAITING
_NO_EDITOR = ":"
"""What git tells its hooks that the editor is where it opens none."""
_FROM_NOTHING = ("", "template")
_SECONDS = 5.0
_AUTO = "#;@!$%^&|:"
"""What git chooses from where the sign of a comment is left to it."""


def prepare_message(
    path: str,
    source: str,
    promised: dict[str, str],
    env: Mapping[str, str],
    reserve: Callable[[dict[str, str]], None] = lambda _: None,
) -> None:
    """Puts the ids that sessions are promised into a message, or leaves them beside it.

    They are reserved first: whoever is killed in between leaves an id that nobody names, and not a name that leads nowhere.
    """
    text = _read(path)
    edited = env.get("GIT_EDITOR") != _NO_EDITOR
    if edited and source in _FROM_NOTHING:
        sign = _sign(text)
        after, comment = _announced(text, sign, [*promised.values()])
        _leave(path, {"promised": promised, "said": trailers.said(text, sign), "sign": sign, "comment": comment})
        if comment:
            _write(path, after)
        return
    after = text
    if not trailers.found(text):
        after = _put(path, text, [*promised.values()], edited=edited)
    if edited and (ids := trailers.found(after)):
        _leave(path, {"promised": {}, "sign": _sign(text), "offered": ids if after != text else []})
    if after != text:
        reserve(promised)
        _write(path, after)


def _put(path: str, text: str, ids: list[str], *, edited: bool) -> str:
    if edited:
        return trailers.put(text, ids, _sign(text))
    return trailers.put(text, ids, "") if _stays(path, text) else text


def finish_message(path: str, reserve: Callable[[dict[str, str]], None]) -> None:
    """After the editor: what waits is put in, if something was written; a message that has only ours left is empty again."""
    waiting = _taken(path)
    promised = waiting.get("promised")
    if not isinstance(promised, dict):
        return
    whole = _read(path)
    sign = _comment(path, str(waiting.get("sign") or "#"))
    text, declined = _without_comment(whole, str(waiting.get("comment") or ""), sign)
    said = trailers.said(text, sign)
    offered = waiting.get("offered") or []
    declined = declined or bool(offered and not trailers.found(text))
    after = text
    if not said:
        after = trailers.without(text)
    elif declined:
        _leave(path, {"declined": True})
    elif promised and said != waiting.get("said") and not trailers.found(text):
        reserve(promised)
        after = trailers.put(text, [*promised.values()], sign)
    if after != whole:
        _write(path, after)


def _announced(text: str, sign: str, ids: list[str]) -> tuple[str, str]:
    """A message with a comment before git's own that says what will be added, and that comment; as it was where git put none."""
    lines = text.split("\n")
    at = next((number for number, line in enumerate(lines) if line.startswith(sign)), None)
    if at is None:
        return text, ""
    comment = f"{sign} {trailers.NAME}: {', '.join(ids)} will be added. Delete this line to leave it out."
    return "\n".join([*lines[:at], comment, *lines[at:]]), comment


def _without_comment(text: str, comment: str, sign: str) -> tuple[str, bool]:
    """The message without that comment; and whether it alone was removed. One that was written anew has no comments at all."""
    lines = text.split("\n")
    if not comment or comment in lines:
        return "\n".join(line for line in lines if not comment or line != comment), False
    return text, any(line.startswith(sign) for line in lines)


def take_declined(git_dir: str) -> bool:
    """Whether the trailer was removed in the editor. What else was left beside a message goes as well: its hook never came."""
    return _taken(os.path.join(git_dir, FILE.removesuffix(WAITING))).get("declined") is True


def forget(git_dir: str) -> None:
    """What was left beside a message for a hook that never came (`--no-verify`, an editor that was killed)."""
    try:
        os.unlink(os.path.join(git_dir, FILE))
    except OSError:
        return  # most of the time there is nothing


def _stays(path: str, text: str) -> bool:
    """Whether git keeps a line of this message. Without an editor it keeps comments too, unless it was told to strip them.

    Only a message of which no line begins like a word can be all comments, and git is asked for that one alone.
    """
    said = trailers.said(text, "")
    if any(line[:1].isalnum() for line in said):
        return True
    return bool(said) and (
        _config(path, "--get", "commit.cleanup") != "strip" or bool(trailers.said(text, _comment(path, "#")))
    )


def _sign(text: str) -> str:
    """The sign of a comment, where it is left to git: every line that git puts below a message begins with it."""
    last = next((line for line in reversed(text.partition(">8")[0].split("\n")) if line.strip()), "")
    return last[:1] if last[:1] in _AUTO and last[:1] else "#"


def _comment(path: str, seen: str) -> str:
    """As git is set up; and as was seen, where that is left to git."""
    rows = _config(path, "--get-regexp", "^core[.]comment(char|string)$").split("\n")
    chosen = rows[-1].partition(" ")[2]
    return (seen if chosen == "auto" else chosen) or "#"


def _config(path: str, *words: str) -> str:
    from tapehead.git.run import GitFailed, git  # noqa: PLC0415 - only where a user wrote the message

    try:
        raw = git(os.path.dirname(os.path.abspath(path)), "config", *words, timeout=_SECONDS)
    except GitFailed:
        return ""
    return raw.decode("utf-8", "surrogateescape").rstrip("\n")


def _leave(path: str, what: dict[str, object]) -> None:
    descriptor = os.open(path + WAITING, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | system.PRIVATELY, 0o600)
    with open(descriptor, "w", encoding="ascii") as file:
        json.dump(what, file)


def _taken(path: str) -> dict[str, object]:
    try:
        found = json.loads(_read(path + WAITING))
        os.unlink(path + WAITING)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)
