"""An archive of one store, and transcripts that grow."""

import itertools
import json
import random

from tapehead.archive.additions import Additions
from tapehead.archive.archive import Archive
from tapehead.archive.kept import Source
from tapehead.store.paths import Layout

SESSION = "0a1b2c3d-0000-4000-8000-000000000001"


def lines_of(seed, number, session=SESSION, longest=3_000):
    """Lines like a transcript's: half of each is new, and they name their session."""
    chance = random.Random(seed)
    words = [f"{chance.getrandbits(48):x}" for _ in range(400)]
    return b"".join(
        json.dumps(
            {
                "type": "user",
                "uuid": f"{seed}-{number}-{n}",
                "sessionId": session,
                "message": {"content": " ".join(chance.choices(words, k=chance.randrange(1, longest // 12)))},
            }
        ).encode()
        + b"\n"
        for n in range(number)
    )


class Shelf:
    """The archive, and how a test uses it."""

    def __init__(self, root):
        self.root = root
        root.mkdir(mode=0o700)
        self.archive = Archive(Layout(str(root / "tapehead")))
        self.stamps = itertools.count(1)

    def transcript(self, name=f"{SESSION}.jsonl", data=b""):
        path = self.root / name
        path.write_bytes(data)
        return path

    def source(self, path, session=SESSION):
        return Source(str(path), "claude", session)

    def add(self, path, session=SESSION, *, final=False):
        return Additions(self.archive, "2026-01-01T00:00:00+00:00", next(self.stamps)).add(
            self.source(path, session), final=final
        )

    def seal(self):
        for kept in self.archive.kept():
            Additions(self.archive, "2026-01-01T00:00:00+00:00", next(self.stamps)).seal(kept)

    def read(self, path, session=SESSION):
        return b"".join(self.archive.read(self.archive.find(self.source(path, session))))
