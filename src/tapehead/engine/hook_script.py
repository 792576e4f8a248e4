"""The hook script at its place in the user's state directory, with the spool beside it: put there by `install`, kept current by the worker."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents import hook_command
from tapehead.engine import spool
from tapehead.engine.background import run_detached
from tapehead.engine.store_location import state_home
from tapehead.startup import warm_start

if TYPE_CHECKING:
    from collections.abc import Mapping


def put(state: str) -> None:
    """Write the script and make the spool. Raises OSError."""
    hook_command.write_script(hook_command.script_in(state))
    spool.make(spool.folder_in(state))


def keep_current(env: Mapping[str, str]) -> None:
    """Replace a script of an older version, which may know no spool; the plugin, which nobody installs, gets one.

    What lets hooks start faster is made anew then, and when our source files have changed.
    """
    state = state_home(env)
    path = hook_command.script_in(state)
    is_plugins = env.get("TAPEHEAD_VIA") == "plugin" and not os.path.exists(path)
    is_without_spool = os.path.exists(path) and not os.path.isdir(spool.folder_in(state))
    if is_plugins or is_without_spool or hook_command.is_older(path):
        put(state)
    elif not os.path.exists(path) or not warm_start.is_needed(state):
        return
    run_detached(warm_start.__name__, [state], env)
