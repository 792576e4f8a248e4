"""In which turn each line of a commit was first written: kept with the checkpoint, so that a clone can tell what a line was asked for with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tapehead.attribution.snapshots import END
from tapehead.checkpoints import line_texts
from tapehead.git import batch
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from tapehead.attribution.snapshots import Chain
    from tapehead.checkpoints.checkpoint_ref import Checkpoints
    from tapehead.checkpoints.line_owners import Files
    from tapehead.checkpoints.line_texts import Texts

FILE = "lines.json"
"""Of a checkpoint: `lines`, by file and by a line's digest its turn; `asked`, by turn the prompt."""
_MARKS = 40
_FILES = 50


def turns_of(chain: Chain, session: str, current: int, files: Files, texts: Texts) -> dict[bytes, dict[str, int]]:
    """By file and digest, the turn at whose end a session's line first lay there; the current one where no turn has ended since."""
    wanted = {
        path: {
            one
            for (_, _, owner), text in zip(runs, texts.get(path, ()), strict=False)
            if owner == session
            for one in line_texts.split(text)
        }
        for path, runs in list(files.items())[:_FILES]
    }
    wanted = {path: digests for path, digests in wanted.items() if digests}
    marks = [(name, what) for name, what in reversed(chain.newest(_MARKS)) if what.endswith(f" {END}")]
    found = {path: dict.fromkeys(sorted(digests), current) for path, digests in wanted.items()}
    for path, digests in wanted.items():
        before: set[str] = set()
        for (name, _), now in zip(marks, _digests(chain, [name for name, _ in marks], path), strict=False):
            if appeared := (now - before) & digests:
                made = chain.known(name).made
                if made.get("session") == session:
                    found[path] |= dict.fromkeys(appeared, made["turn"])
            before = now
    return found


def _digests(chain: Chain, marks: list[str], path: bytes) -> list[set[str]]:
    """By mark, the digests of the lines that the file had then."""
    asked = b"".join(mark.encode() + b":work/" + path + b"\n" for mark in marks) if b"\n" not in path else b""
    try:
        contents = batch.blobs(chain.side.git("cat-file", "--batch", stdin=asked, most=1 << 28)) if asked else []
    except GitFailed as error:
        error.raise_if_killed()
        return []
    known: dict[bytes, set[str]] = {}
    for content in contents:
        if content is not None and content not in known:
            known[content] = set(map(line_texts.digest, content.split(b"\n")))
    return [known.get(content, set()) if content is not None else set() for content in contents]


def asked_in(kept: Checkpoints, checkpoints: tuple[str, ...], path: bytes, text: str) -> tuple[int, str] | None:
    """The turn and the prompt of a line, by the checkpoints of its commit; None where none of them tells."""
    wanted = line_texts.digest(text.encode("utf-8", "replace"))
    for one in checkpoints:
        told = _read(kept.file(one, FILE))
        lines = told.get("lines")
        files = lines if isinstance(lines, dict) else {}
        named = files.get(path.decode("utf-8", "surrogateescape"))
        for by_digest in (named, *files.values()):
            turn = by_digest.get(wanted) if isinstance(by_digest, dict) else None
            if isinstance(turn, int):
                asked = told.get("asked")
                prompt = asked.get(str(turn)) if isinstance(asked, dict) else ""
                return turn, prompt if isinstance(prompt, str) else ""
    return None


def _read(raw: bytes | None) -> dict[str, Any]:
    try:
        found = json.loads(raw or b"{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
