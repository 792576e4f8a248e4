"""A fault at every file-system call that a settle and the hooks make, one after the other."""

import os
import shutil
import subprocess
import sys
import tempfile

import pytest

HERE = os.path.dirname(__file__)


KINDS = ("error", "full", "kill", "torn")
STRIDES = {"settle": 48, "prompt": 8, "stop": 8, "compaction": 32, "start": 64, "intake": 8}
"""The scenarios are walked in steps where people wait for the tests, and call by call in the long form."""


@pytest.fixture
def memory(tmp_path):
    """A directory in memory where there is one: every step of a walk flushes a dozen files, which is not its point."""
    base = tempfile.mkdtemp(dir="/dev/shm") if os.access("/dev/shm", os.W_OK) else str(tmp_path)
    yield base
    shutil.rmtree(base, ignore_errors=True)


def _walk(scenario, base, kind, stride):
    words = [sys.executable, os.path.join(HERE, "faults.py"), scenario, base, kind, str(stride)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=base)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]


@pytest.mark.parametrize(
    ("scenario", "kind"),
    [(name, kind) for n, name in enumerate(STRIDES) for m, kind in enumerate(KINDS) if name == "settle" or (n + m) % 2],
)
def test_no_fault_at_these_calls_does_lasting_harm(memory, scenario, kind):
    """After an error, a full disk, a kill or a kill in mid-write: run again, and all is as it should be."""
    _walk(scenario, memory, kind, STRIDES[scenario])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scenario", STRIDES)
def test_no_fault_at_any_call_does_lasting_harm(memory, scenario, kind):
    """The same at every single call."""
    _walk(scenario, memory, kind, 1)
