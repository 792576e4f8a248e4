"""A checkpoint: what a session did for one commit. And a commit's record: which of its lines are whose. Values and their JSON.

They travel between machines and versions: what a newer one wrote is kept as it is, what is of the wrong kind is left out.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from typing import Any

    from tapehead.checkpoints.line_owners import Files
    from tapehead.checkpoints.line_texts import Texts

ID_BYTES = 6
TRANSCRIPT = "transcript.jsonl.gz"
"""The file beside a checkpoint with its part of the transcript, redacted."""
_HEX = frozenset("0123456789abcdef")


@attrs.frozen
class Checkpoint:
    """What one session did since its last checkpoint, up to a commit."""

    id: str
    """Twelve hexadecimal letters, reserved when the commit's message was prepared."""
    commit: str = ""
    """The commit as it is called now: an amend or a rebase gives it another name."""
    former_commits: tuple[str, ...] = ()
    """What it was called before, oldest first."""
    tree: str = ""
    patch_id: str = ""
    branch: str = ""
    session: str = ""
    agent: str = ""
    model: str = ""
    first_turn: int = 0
    last_turn: int = 0
    prompts: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    """What was decided since the last checkpoint, with the reasons."""
    tried: tuple[str, ...] = ()
    """What failed on the way, and what became of it."""
    files: tuple[str, ...] = ()
    """The files of the commit that the session had a hand in."""
    attribution: dict[str, int] = attrs.field(factory=dict)
    """Lines of the whole commit: `agent_added`, `human_added`, `removed`, and `session_added` for this session's own.

    Who removed them, as far as that is known: `agent_removed`, `human_removed`, `session_removed`.
    """
    per_file: dict[str, dict[str, int]] = attrs.field(factory=dict)
    per_prompt: dict[str, dict[str, Any]] = attrs.field(factory=dict)
    """By turn, whose lines had changed when its prompt came: the human's since the last checkpoint, the agents' so far; with `files`."""
    last_words: str = ""
    """What the agent said at the end of the turn that the commit was made in; empty where the turn was over before it."""
    transcript: dict[str, Any] = attrs.field(factory=dict)
    """Which `file` its part of the transcript is from, and the byte at which it `end`s."""
    tokens: dict[str, int] = attrs.field(factory=dict)
    """What the session had used by then, or by the end of that turn."""
    compactions: int = 0
    created_at: str = ""
    finished_at: str = ""
    """When that turn had ended and the rest was put in; empty for a commit between two turns."""
    updated_at: str = ""
    """When it last changed: of two versions the newer one counts."""
    tapehead: str = ""
    """The version that wrote it."""
    masked: dict[str, int] = attrs.field(factory=dict)
    """How many secrets were taken out, by where."""
    unknown: dict[str, Any] = attrs.field(factory=dict)
    """Fields of a newer version: kept, and nothing here reads them."""


@attrs.frozen
class Record:
    """A commit, and which of its lines are an agent's."""

    commit: str
    tree: str = ""
    patch_id: str = ""
    checkpoints: tuple[str, ...] = ()
    files: Files = attrs.field(factory=dict)
    texts: Texts = attrs.field(factory=dict)
    """What these lines say, as digests: a copy of them is known by it."""
    derived: str = ""
    """Where nobody saw the commit being made, what it was worked out by: `tree`, `patch`, `trailer` or `content`."""


def is_id(word: object) -> bool:
    """Whether a word from outside can be the id of a checkpoint: it names a path."""
    return isinstance(word, str) and len(word) == 2 * ID_BYTES and _HEX.issuperset(word)


def is_name(word: object) -> bool:
    """Whether a word can be the name of an object."""
    return isinstance(word, str) and len(word) in (40, 64) and _HEX.issuperset(word)


def written(checkpoint: Checkpoint) -> bytes:
    """A checkpoint as JSON."""
    fields = {**attrs.asdict(checkpoint), **checkpoint.unknown}
    del fields["unknown"]
    return json.dumps(fields, indent=1, sort_keys=True).encode() + b"\n"


def read(raw: bytes) -> Checkpoint | None:
    """A checkpoint from JSON; None where it is none."""
    found = _object(raw)
    if found is None or not is_id(found.get("id")):
        return None
    known = {name: _fitting(found[name], default) for name, default in _DEFAULTS.items() if name in found}
    kept = {name: value for name, value in found.items() if name not in _DEFAULTS and name != "id"}
    fields = {name: value for name, value in known.items() if value is not None}
    return Checkpoint(id=found["id"], **fields, unknown=kept)


def written_record(record: Record) -> bytes:
    """A record as JSON."""
    fields = {
        "commit": record.commit,
        "tree": record.tree,
        "patch_id": record.patch_id,
        "checkpoints": sorted(record.checkpoints),
        "files": {os.fsdecode(path): runs for path, runs in record.files.items()},
        **({"texts": {os.fsdecode(path): texts for path, texts in record.texts.items()}} if record.texts else {}),
        **({"derived": record.derived} if record.derived else {}),
    }
    return json.dumps(fields, indent=1, sort_keys=True).encode() + b"\n"


def read_record(raw: bytes) -> Record | None:
    """A record from JSON; None where it is none."""
    found = _object(raw)
    if found is None or not is_name(found.get("commit")):
        return None
    files, texts, derived = found.get("files"), found.get("texts"), found.get("derived")
    return Record(
        commit=found["commit"],
        tree=found["tree"] if is_name(found.get("tree")) else "",
        patch_id=found["patch_id"] if is_name(found.get("patch_id")) else "",
        checkpoints=tuple(filter(is_id, _list(found.get("checkpoints")))),
        files={os.fsencode(path): _runs(runs) for path, runs in files.items()} if isinstance(files, dict) else {},
        texts={os.fsencode(path): _texts(each) for path, each in texts.items()} if isinstance(texts, dict) else {},
        derived=derived if isinstance(derived, str) else "",
    )


def merge(ours: Checkpoint, theirs: Checkpoint) -> Checkpoint:
    """Of two versions the newer one, which knows the names that either had; the same whichever way round."""
    newer, older = sorted((ours, theirs), key=lambda one: (one.updated_at, written(one)), reverse=True)
    names = dict.fromkeys((*older.former_commits, older.commit, *newer.former_commits))
    return attrs.evolve(newer, former_commits=tuple(name for name in sorted(names) if name and name != newer.commit))


def merged_record(ours: Record, theirs: Record) -> Record:
    """The lines as either says, and the checkpoints of both; what was seen counts before what was derived."""
    first, second = sorted((ours, theirs), key=lambda one: (not one.derived, written_record(one)))
    both = tuple(sorted({*first.checkpoints, *second.checkpoints}))
    if first.derived and not second.derived:
        return attrs.evolve(second, checkpoints=both)
    texts = {path: each for path, each in first.texts.items() if path not in second.files}
    files = {**first.files, **second.files}
    return attrs.evolve(second, checkpoints=both, files=files, texts={**texts, **second.texts})


_EMPTY = Checkpoint(id="")
_DEFAULTS = {field.name: getattr(_EMPTY, field.name) for field in attrs.fields(Checkpoint)[1:-1]}
"""Every field but the first and the last, which are the id and what is not known."""


def _fitting(value: Any, default: Any) -> Any:
    """The value, if it is of the kind that stands there by default; else None."""
    if isinstance(default, tuple):
        return tuple(item for item in _list(value) if isinstance(item, str))
    if isinstance(default, dict):
        return value if isinstance(value, dict) else None
    return value if type(value) is type(default) else None


def _runs(value: Any) -> tuple[tuple[int, int, str], ...]:
    return tuple(
        (run[0], run[1], run[2])
        for run in _list(value)
        if isinstance(run, list) and [type(part) for part in run] == [int, int, str]
    )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for text in _list(value) if isinstance(text, str))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _object(raw: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
