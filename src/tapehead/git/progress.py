"""What git is in the middle of, by its own files: a rebase, a merge, a cherry-pick, a revert, a bisect. Git is not started."""

from __future__ import annotations

import os

from tapehead.store import atomic

_LONGEST = 200
_HEADS = {"MERGE_HEAD": "a merge", "CHERRY_PICK_HEAD": "a cherry-pick", "REVERT_HEAD": "a revert"}
_CONFLICTS = frozenset({"DD", "AU", "UD", "UA", "DU", "AA", "UU"})
"""The letters of `git status` for a file that both sides changed."""


def in_progress(git_dir: str) -> str:
    """What is under way, with the branch and the step where git knows them; nothing most of the time."""
    rebase = _rebase(git_dir)
    heads = [told for name, told in _HEADS.items() if os.path.exists(os.path.join(git_dir, name))]
    bisect = _bisect(git_dir)
    return ", ".join([*([rebase] if rebase else heads), *([bisect] if bisect else [])])


def branch_of(git_dir: str) -> str:
    """The branch that a rebase, or a bisect, goes back to when it is over: HEAD itself names none meanwhile."""
    for name in ("rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"):
        word = _word(git_dir, name)
        if word and (word.startswith("refs/heads/") or name == "BISECT_START"):
            return word.removeprefix("refs/heads/")
    return ""


def conflicts(changed: list[str]) -> tuple[str, ...]:
    """The files in conflict, of what `git status` lists."""
    return tuple(name[3:] for name in changed if name[:2] in _CONFLICTS)


def _rebase(git_dir: str) -> str:
    for folder, step, last in (("rebase-merge", "msgnum", "end"), ("rebase-apply", "next", "last")):
        if os.path.isdir(os.path.join(git_dir, folder)):
            applying = os.path.exists(os.path.join(git_dir, folder, "applying"))
            of = branch_of(git_dir)
            what = "an am" if applying else f"a rebase of {of}" if of else "a rebase"
            at, end = (_word(git_dir, f"{folder}/{name}") for name in (step, last))
            return f"{what} (step {at} of {end})" if at.isdigit() and end.isdigit() else what
    return ""


def _bisect(git_dir: str) -> str:
    if not os.path.exists(os.path.join(git_dir, "BISECT_LOG")):
        return ""
    begun = _word(git_dir, "BISECT_START")
    return f"a bisect from {begun}" if begun else "a bisect"


def _word(git_dir: str, name: str) -> str:
    path = os.path.join(git_dir, *name.split("/"))
    try:
        if os.path.getsize(path) > _LONGEST:
            return ""
        return atomic.read(path).decode("utf-8", "replace").strip()
    except OSError:
        return ""
