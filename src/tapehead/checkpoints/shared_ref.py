"""`refs/tapehead/shared`: memories and decisions that users marked as shared, beside the checkpoints and carried by the same sync."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from tapehead.checkpoints import shared_entry
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import batch, stream
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from tapehead.checkpoints.shared_entry import Entry
    from tapehead.git.side import Side

REF = "refs/tapehead/shared"
_SECONDS = 30.0
_MOST = 1 << 26


class Shared:
    """What is shared in one repository, as far as it is known here."""

    def __init__(self, side: Side) -> None:
        self.kept = Checkpoints(side, REF)

    def put(self, content: bytes, at: int) -> None:
        """Shares what `made` gave."""
        row = stream.given(f"memories/{shared_entry.id_of(content)}.json".encode(), content)
        self.kept.change(lambda: [row], "shared\n", at)

    def withdraw(self, name: str, secret: str, at: int) -> None:
        """Takes it back, for all who sync from now on. What they accepted stays theirs."""
        row = stream.given(f"withdrawn/{name}.json".encode(), shared_entry.withdrawal(secret))
        self.kept.change(lambda: [row], "withdrawn\n", at)

    def entries(self) -> dict[str, Entry]:
        """What nobody took back, by id."""
        return shared_entry.living(self.files())

    def files(self) -> dict[str, bytes]:
        """All that lies in the ref, by its path; nothing where there is no ref."""
        try:
            raw = self._git("ls-tree", "-r", "-z", "-l", REF)
        except GitFailed as error:
            error.raise_if_killed()
            return {}
        rows = [row.partition("\t") for row in raw.decode("utf-8", "replace").split("\0") if row]
        small = [(path, about.split()) for about, _, path in rows]
        wanted = [(path, name) for path, (_, kind, name, size) in small if kind == "blob" and _fits(size)]
        asked = "".join(f"{name}\n" for _, name in wanted).encode("ascii")
        found = batch.blobs(self._git("cat-file", "--batch", stdin=asked)) if asked else []
        return {path: content for (path, _), content in zip(wanted, found, strict=True) if content is not None}

    def _git(self, *words: str, stdin: bytes = b"") -> bytes:
        return git(self.kept.side.common_dir, *words, timeout=_SECONDS, most=_MOST, stdin=stdin)


def made(kind: str, text: str, by: str, when: str) -> tuple[bytes, str]:
    """Something to share, and the secret by which it can be taken back."""
    secret = secrets.token_hex(16)
    return shared_entry.written(shared_entry.Entry(kind, text, by, when, shared_entry.seal_of(secret))), secret


def _fits(size: str) -> bool:
    return size.isdigit() and int(size) <= shared_entry.LARGEST
