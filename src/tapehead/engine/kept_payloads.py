"""Payloads that the hook script of a former version kept because the program did not run: into the spool, the oldest first."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead import door
from tapehead.agents.hook_command import unheard_in
from tapehead.agents.registry import AGENTS
from tapehead.engine import spool, spool_intake
from tapehead.engine.engine import Engine
from tapehead.engine.store_location import state_home
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST = 16 * 1024 * 1024
_SECONDS = 30.0


@frozen
class Kept:
    """One payload, with when it came and by which process."""

    path: str
    second: int
    process: int

    @property
    def agent(self) -> str:
        """Whose hook it was: the end of the file's name."""
        return self.path.rpartition(".")[2]


def kept_payloads(env: Mapping[str, str]) -> list[Kept]:
    """All that is kept, the oldest first. What is half written, or nobody's, is left alone."""
    folder = unheard_in(state_home(env))
    names = os.listdir(folder) if os.path.isdir(folder) else []
    parts = [(name, *name.split(".")) for name in names if name.count(".") == 2]  # noqa: PLR2004 - second, process, agent
    found = [
        (int(second), int(process), name) for name, second, process, _agent in parts if (second + process).isdigit()
    ]
    kept = [Kept(os.path.join(folder, name), second, process) for second, process, name in sorted(found)]
    return [each for each in kept if each.agent in AGENTS]


def take_in(kept: list[Kept], env: Mapping[str, str]) -> None:
    """Put payloads into the spool, each as if its hook ran when it did, then onto their tapes, and settle."""
    folder = spool.folder_in(state_home(env))
    spool.make(folder)
    for number, each in enumerate(kept, start=100_000):
        head, _, raw = door.read(each.path, _MOST, follow=False).partition(b"\n\n")
        path = os.path.join(folder, f"{number}.{each.process}.{each.agent}")
        if raw.strip():
            said = b"\0".join([*head.split(b"\n"), b"", raw, b"end %d" % each.process, b""])
            with os.fdopen(door.open_file(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, follow=False), "wb") as file:
                file.write(said)
            os.utime(path, ns=(each.second * 1_000_000_000,) * 2)
        os.unlink(each.path)
    for root, session_id in spool_intake.take_in(folder, env, _SECONDS):
        Engine(Layout(root), time.time_ns, env).settle(session_id)
