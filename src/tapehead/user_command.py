"""A command of the user's, asked with a text on its stdin. Only ever run by the worker, or by a user.

What it starts never sets off tapehead: a model's client run by it would otherwise be a session of its own.
"""

from __future__ import annotations

import os

from tapehead.text.plain import plain


class Failed(Exception):
    """The command did not answer."""


def ask(command: str, text: str, timeout: float, what: str) -> str:
    """What the command prints, without what a terminal would obey."""
    import subprocess  # noqa: PLC0415 - the worker's alone, and only where the user named a command

    env = {**os.environ, "TAPEHEAD_INTERNAL": "1"}
    try:
        ran = subprocess.run(  # noqa: S602 - the user's own command, as they wrote it: a shell reads it
            command,
            input=text.encode("utf-8", "replace"),
            capture_output=True,
            shell=True,
            timeout=timeout,
            check=False,
            env=env,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{what} took longer than {timeout:g} s") from None
    said = plain(ran.stdout.decode("utf-8", "replace"))
    if ran.returncode or not said.strip():
        raise Failed(f"{what} ended with {ran.returncode}" if ran.returncode else f"{what} said nothing")
    return said
