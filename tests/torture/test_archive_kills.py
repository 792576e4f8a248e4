"""SIGKILL at random points of the archive's writers: nothing that was kept is lost, nothing is kept twice."""

import json
import os
import random
import subprocess
import sys

import pytest

from tapehead.archive.archive import Archive
from tapehead.archive.kept import Source
from tapehead.store.paths import Layout

WRITER = """
import sys, time
from tapehead.archive import segments
segments.LEAST, segments.MOST = 16_384, 65_536
from tapehead.archive.additions import Additions
from tapehead.archive.archive import Archive
from tapehead.archive.kept import Source
from tapehead.store.paths import Layout
archive = Archive(Layout(sys.argv[1]), wait=60)
print("ready", flush=True)
for path in sys.argv[2:]:
    additions = Additions(archive, "now", time.time_ns())
    source = Source(path, "claude", path.rpartition("/")[2].removesuffix(".jsonl"))
    additions.add(source)
    if time.time_ns() % 3 == 0:
        additions.seal(archive.find(source))
    if time.time_ns() % 5 == 0:
        with archive.held():
            archive.sweep()
    print(path, flush=True)
"""

LONGER = 8
"""On a busy machine a writer that is killed early has done nothing yet: some live longer."""
PATIENCE = 600


class Ward:
    """Transcripts that grow, and writers that are killed."""

    def __init__(self, base, seed):
        self.root = os.path.join(base, "tapehead")
        os.mkdir(self.root, 0o700)
        self.chance = random.Random(seed)
        self.paths = [os.path.join(base, f"session-of-the-ward-{n}.jsonl") for n in range(3)]
        self.archive = Archive(Layout(self.root))
        self.number = self.killed = 0
        self.known = dict.fromkeys(self.paths, 0)
        self.long = "x" * 5_000 + "of every session"

    def grow(self):
        """A turn in each, some of it in all of them."""
        for path in self.paths:
            with open(path, "ab") as file:
                for _ in range(self.chance.randrange(1, 12)):
                    self.number += 1
                    words = self.long if self.chance.random() < 0.2 else f"{self.chance.getrandbits(20_000):x}"
                    file.write(json.dumps({"n": self.number, "session": path, "words": words}).encode() + b"\n")

    def write(self, *, lethal):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, self.root, *self.paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout.readline() == b"ready\n"
        if lethal:
            try:
                process.wait(self.chance.uniform(0, 0.12) * self.chance.choice((1, 1, LONGER)))
            except subprocess.TimeoutExpired:
                self.killed += 1
                process.kill()
        out, err = process.communicate(timeout=PATIENCE)
        assert err == b"", err.decode()
        return out

    def check(self):
        """What is kept is the beginning of the transcript, and never less than before."""
        for path in self.paths:
            kept = self.archive.find(Source(path, "claude", os.path.basename(path).removesuffix(".jsonl")))
            if kept is None:
                assert not self.known[path]
                continue
            with open(path, "rb") as file:
                assert b"".join(self.archive.read(kept)) == file.read(kept.size)
            assert kept.size >= self.known[path]
            self.known[path] = kept.size

    def run(self, rounds):
        for _ in range(rounds):
            self.grow()
            self.write(lethal=True)
            self.check()
        assert self.killed, "nobody was killed in the middle"
        self.write(lethal=False)
        self.check()
        assert [self.known[path] for path in self.paths] == [os.path.getsize(path) for path in self.paths]
        with self.archive.held():
            self.archive.sweep()
        self.check()
        indexes = self.archive.kept()
        assert len(indexes) == len(self.paths), "no version of it twice"
        on_disk = set(os.listdir(self.archive.packs.folder)) - {"lines.met"}
        assert on_disk == {name for kept in indexes for name in kept.packs}, "nothing is left over"


def test_killed_writers_lose_nothing(tmp_path):
    Ward(str(tmp_path), 5).run(12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_killed_writers_lose_nothing_in_the_long_run(tmp_path, seed):
    Ward(str(tmp_path), seed).run(120)


def test_what_a_killed_writer_left_is_swept(tmp_path):
    """A scratch file beside the packs goes with the next sweep, and the packs stay."""
    ward = Ward(str(tmp_path), 7)
    ward.grow()
    ward.write(lethal=False)
    kept = {name for each in ward.archive.kept() for name in each.packs}
    left = os.path.join(ward.archive.packs.folder, "0" * 64 + ".1-2.scratch")
    os.makedirs(ward.archive.packs.folder, mode=0o700, exist_ok=True)
    with open(left, "wb") as file:
        file.write(b"half")
    with ward.archive.held():
        ward.archive.sweep()
    assert {*os.listdir(ward.archive.packs.folder)} - {"lines.met"} == kept
    ward.check()


def test_many_writers_at_once(tmp_path):
    """Each transcript is kept whole and once, whoever comes first."""
    ward = Ward(str(tmp_path), 3)
    ward.grow()
    started = [
        subprocess.Popen([sys.executable, "-c", WRITER, ward.root, *ward.paths], stdout=subprocess.PIPE)
        for _ in range(10)
    ]
    for process in started:
        process.communicate(timeout=120)
        assert process.returncode == 0
    ward.check()
    assert len(ward.archive.kept()) == len(ward.paths)
