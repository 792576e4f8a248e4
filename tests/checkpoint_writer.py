"""Writes checkpoints with the numbers that it is given: what the tests of the ref put, here and in processes of their own.

Run as a script it loads no more than it needs, because many of it are started.
"""

from __future__ import annotations

import os
import signal
import sys

from tapehead.checkpoints import checkpoint_ref as ref
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.git import layout
from tapehead.git.side import Side
from tapehead.system import exchange


def store(repo):
    common = layout.find(str(repo)).common_dir
    return ref.Checkpoints(Side(os.path.join(common, "tapehead", "lines.git"), common))


def an_id(number):
    return f"{number * 7919 % (1 << 48):012x}"


def a_name(number):
    return f"{number + 1:040x}"


def put(at, number, **fields):
    one = Checkpoint(id=an_id(number), commit=a_name(number), **fields)
    record = Record(a_name(number), a_name(number + 1000), a_name(number + 2000), (one.id,), {b"f": ((1, 2, "s"),)})
    at.put(one, {"brief.md": b"# brief %d\n" % number}, record, number)
    return one


def dying(number):
    """From the so-manieth git on, nobody is there to hear what it says."""
    spawn, spawned = exchange._spawn, []

    def spawn_and_die(*words):
        pid = spawn(*words)
        spawned.append(pid)
        if len(spawned) == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return pid

    exchange._spawn = spawn_and_die


if __name__ == "__main__":
    dying(int(sys.argv[2]))
    for asked in sys.argv[3:]:
        put(store(sys.argv[1]), int(asked))
