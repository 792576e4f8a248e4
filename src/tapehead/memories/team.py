"""What a team shares, seen from one clone: what we shared, and what others shared and waits for the user's word.

A foreign memory is proposed and never believed: nothing of it reaches a model before the user accepts it. What we shared and what was
answered is known here alone (`shared.json` in the store).
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tapehead.checkpoints.shared_entry import DECISION, LARGEST, id_of
from tapehead.checkpoints.shared_ref import made
from tapehead.documents import hand_edited
from tapehead.memories import likeness
from tapehead.memories.memory import PROJECT
from tapehead.store import atomic
from tapehead.text.plain import plain
from tapehead.text.redaction import redact

if TYPE_CHECKING:
    from typing import Any

    from tapehead.checkpoints.shared_entry import Entry
    from tapehead.checkpoints.shared_ref import Shared
    from tapehead.store.paths import Layout

_LONGEST_NAME = 60


class Foreign(NamedTuple):
    """Something that another clone shared."""

    id: str
    words: str
    kind: str
    source: str


class Team:
    """The shared memories of one repository."""

    def __init__(self, layout: Layout, shared: Shared) -> None:
        self.layout = layout
        self.shared = shared
        self.path = os.path.join(layout.root, "shared.json")

    def share(self, kind: str, text: str, named: str, by: str, when: str, at: int) -> str:  # noqa: PLR0913, PLR0917 - who, what and when
        """Shares something that is called so here; its id. The secret is kept first: what cannot be taken back is not shared."""
        with hand_edited.editing(self.layout):
            known = self._known()
            content, secret = made(kind, text, by, when)
            if len(content) > LARGEST:
                raise ValueError(f"longer than {LARGEST} bytes")
            known["own"][id_of(content)] = [secret, named]
            self._save(known)
            self.shared.put(content, at)
        return id_of(content)

    def withdraw(self, named: str, at: int) -> int:
        """Takes back what we shared under a name; how many that were."""
        with hand_edited.editing(self.layout):
            known = self._known()
            mine = {one: secret for one, (secret, called) in known["own"].items() if called == named}
            living = self.shared.entries() if mine else {}
            for one, secret in mine.items():
                if one in living:
                    self.shared.withdraw(one, secret, at)
        return len(mine.keys() & living.keys())

    def waiting(self, texts: list[str]) -> list[Foreign]:
        """What others shared, where the user neither answered nor has the same; oldest first."""
        known = self._known()
        done = {*known["own"], *known["answered"]}
        found = [(one.at, name, one) for name, one in self.shared.entries().items() if name not in done]
        rows = [_foreign(name, one) for _, name, one in sorted(found)]
        return [row for row in rows if not any(likeness.same(row.words, text) for text in texts)]

    def answer(self, name: str) -> None:
        """The user said yes or no to it."""
        with hand_edited.editing(self.layout):
            known = self._known()
            known["answered"] = sorted({*known["answered"], name})
            self._save(known)

    def _known(self) -> dict[str, Any]:
        found: Any = {}
        with suppress(OSError, ValueError, RecursionError):
            found = json.loads(atomic.read(self.path))
        found = found if isinstance(found, dict) else {}
        own, answered = found.get("own"), found.get("answered")
        rows = own.items() if isinstance(own, dict) else ()
        return {
            "own": {
                name: row for name, row in rows if isinstance(row, list) and [type(one) for one in row] == [str, str]
            },
            "answered": [one for one in answered if isinstance(one, str)] if isinstance(answered, list) else [],
        }

    def _save(self, known: dict[str, Any]) -> None:
        atomic.write(self.path, json.dumps(known, indent=1).encode())


def _foreign(name: str, entry: Entry) -> Foreign:
    """As it is shown: without what steers a terminal, and without secrets."""
    by = plain(entry.by).replace("\n", " ")[:_LONGEST_NAME] or "somebody"
    when = plain(entry.at)[:19]
    return Foreign(
        name, redact(plain(entry.text)), PROJECT if entry.kind == DECISION else entry.kind, f"shared by {by}, {when}"
    )
