"""Starting an agent in the place of this very command: the terminal is then the agent's."""

from __future__ import annotations

import os
import shlex
import shutil
import sys

from tapehead.agents.setups import resuming, setup_of
from tapehead.cli.output import Failure


def must_be_there(host: str, hint: str) -> None:
    """Raises where an agent cannot be started: to be asked before anything is done for its start."""
    _found([setup_of(host).PROGRAM], hint)


def begin(host: str, directory: str) -> None:
    """Starts an agent anew."""
    _become([setup_of(host).PROGRAM], directory)


def go_on(host: str, session_id: str, directory: str) -> None:
    """Starts an agent with a session of its own."""
    _become(shlex.split(resuming(host, session_id)), directory)


def _found(words: list[str], hint: str) -> None:
    if shutil.which(words[0]) is None:
        raise Failure(f"`{words[0]}` is not on the PATH", hint)


def _become(words: list[str], directory: str) -> None:
    _found(words, f"start it yourself: {shlex.join(words)}")
    sys.stdout.flush()
    os.chdir(directory)
    os.execvp(words[0], words)  # noqa: S606 - the user's own agent, by the name that they start it by
