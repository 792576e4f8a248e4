"""The hooks of git, and whether commits and checkpoints lead to each other."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from tapehead.checkpoints import ref_repair, sync
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.handoff_ref import HANDING, SHARED, Handoffs, slug
from tapehead.cli import install_git
from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.handoff_transfer import taken_twice
from tapehead.engine import git_setup
from tapehead.engine.chores import condense
from tapehead.git import hooks_install, trailers
from tapehead.git.run import GitFailed, git
from tapehead.git.side import Side
from tapehead.rewind.rewind import JOURNAL
from tapehead.store import reserved_ids

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.git.layout import Repository

_SECONDS = 20.0
_COMMITS = 200
"""Newest commits that are looked at."""
_SHORT, _SHOWN = 8, 3


def hooks(at: Here) -> list[Finding]:
    """Hooks that were never put in; or were wanted and are not run: another program turned git elsewhere, or put its own in their place."""
    repository = at.place.repository
    program = git_setup.find_wanted(at.engine.layout)
    if repository is None or not repository.worktree:
        return []
    if not program:
        return _never_asked_for(at, repository)
    try:
        lost = hooks_install.missing(repository.worktree)
        problems = {each.problem for each in hooks_install.plan_install(repository.worktree, program) if each.problem}
    except GitFailed as error:
        return [Finding("git_hooks", ERROR, f"could not check: {error}")]
    if not lost:
        return []
    what = f"tapehead's git hooks are missing: {', '.join(lost)} in {hooks_install.directory(repository.worktree)}"
    if problems:
        return [Finding("git_hooks", WARNING, f"{what}: {'; '.join(sorted(problems))}", _by_hand(program))]
    mend = partial(_heal, at, repository)
    return [
        Finding(
            "git_hooks", WARNING, what, "`tapehead doctor --fix` or `tapehead install --git` adds them again", mend=mend
        )
    ]


def boundary(at: Here) -> list[Finding]:
    """A shallow clone, where something is on record: whose the lines of its oldest commits are is not known."""
    repository = at.place.repository
    if repository is None or not os.path.exists(os.path.join(repository.common_dir, "shallow")):
        return []
    what = 'this clone is shallow: `blame` says "not known" of lines that are as old as its oldest commits'
    return [Finding("shallow", NOTE, what, "`git fetch --unshallow` brings the rest")]


def mirrors(at: Here) -> list[Finding]:
    """Remotes that a push mirrors to get all refs, ours too: everybody who can read them can read the prompts."""
    repository = at.place.repository
    if repository is None or not Checkpoints(Side(at.engine.layout.lines, repository.common_dir)).tip():
        return []
    try:
        words = ("config", "--type=bool", "--get-regexp", r"^remote\..*\.mirror$")
        raw = git(repository.common_dir, *words, timeout=_SECONDS).decode("utf-8", "replace")
    except GitFailed:
        return []  # no remote says anything of it
    names = [row.split(" ")[0].split(".", 1)[1].rpartition(".")[0] for row in raw.splitlines() if row.endswith(" true")]
    return [
        Finding(
            "mirror",
            NOTE,
            f"`git push` to {name} mirrors all refs, refs/tapehead/checkpoints too (as `git bundle create --all` does)",
            f"if its readers must not see prompts: `git config --unset remote.{name}.mirror`",
        )
        for name in names
    ]


def _never_asked_for(at: Here, repository: Repository) -> list[Finding]:
    """Agents work here, and git's hooks go into a repository only where a user says so."""
    try:
        if not at.engine.store.list() or not hooks_install.missing(repository.worktree):
            return []
    except GitFailed:
        return []
    what = "git hooks are not installed in this repository: commits get no Tapehead-Checkpoint line, and their checkpoints come late"
    return [Finding("git_hooks", NOTE, what, "`tapehead install --git`, once per repository")]


def _by_hand(program: str) -> str:
    return f"add to each of them: {install_git.call('NAME', program)}"


def _heal(at: Here, repository: Repository) -> None:
    git_setup.heal(at.engine.layout, repository.worktree)


def trailers_without(at: Here) -> list[Finding]:
    """Commits of the last time whose trailer leads nowhere. Where the id was promised to a session, that one is told of the commit again."""
    if at.place.repository is None:
        return []
    kept = _kept(at, at.place.repository)
    known = set(kept.ids())
    lost = {one: commit for one, commit in _named(at.place.repository).items() if one not in known}
    if not lost:
        return []
    what = f"{_many([*lost], 'commit names', 'commits name')} a checkpoint that is missing here, such as {min(lost)}"
    promised = reserved_ids.sessions(at.engine.layout)
    owed = {commit: promised[one] for one, commit in lost.items() if one in promised}
    if owed:
        hint = "`tapehead doctor --fix` creates it from the session's record"
        return [Finding("trailers", NOTE, what, hint, mend=partial(_tell_again, at, owed))]
    return [Finding("trailers", NOTE, what, "`tapehead sync` fetches it, if a remote has it")]


def _tell_again(at: Here, owed: dict[str, str]) -> None:
    for commit, session in owed.items():
        if session in at.engine.store.list():
            condense(at.engine, session, commit)


def checkpoints_without(at: Here) -> list[Finding]:
    """Checkpoints whose commit git does not know any more: it was thrown away, or rewritten where nobody told us."""
    if at.place.repository is None:
        return []
    kept = _kept(at, at.place.repository)
    commits = {one.commit: one.id for name in kept.ids()[-_COMMITS:] if (one := kept.get(name)) and one.commit}
    gone = [commits[name] for name in _missing(at.place.repository, list(commits))]
    if not gone:
        return []
    what = f"{_many(gone, 'checkpoint is of a commit that is', 'checkpoints are of commits that are')} not in this repository, such as {gone[0]}"
    return [Finding("checkpoints", NOTE, what, "`git fetch`, if another clone has the commits")]


def broken_refs(at: Here) -> list[Finding]:
    """Refs of ours that name what git does not have: the user's own `git gc` fails for them."""
    if at.place.repository is None:
        return []
    side = Side(at.engine.layout.lines, at.place.repository.common_dir)
    return [
        Finding(
            "broken_refs",
            ERROR,
            f"{ref} {f'names {name[:12]}, which is incomplete' if name else 'cannot be read'}, so `git gc` fails",
            "`tapehead doctor --fix` restores it from a copy, or goes back to the last complete one",
            mend=partial(_mend, side, ref, name),
        )
        for ref, name in ref_repair.broken(at.place.repository.common_dir).items()
    ]


def _mend(side: Side, ref: str, name: str) -> None:
    side.ready()
    ref_repair.mend(side, ref, name)


def cut_short(at: Here) -> list[Finding]:
    """Rewinds that were begun and not ended: some files are put back, others not."""
    folder = at.engine.layout.lines
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    hint = "in that worktree, `tapehead rewind --undo --force` undoes it; the same rewind again completes it"
    return [
        Finding("cut_short", WARNING, f"a rewind in the worktree {name.removesuffix(JOURNAL)} was interrupted", hint)
        for name in names
        if name.endswith(JOURNAL)
    ]


def check_unpushed(at: Here) -> list[Finding]:
    """Checkpoints that a remote which had some does not have yet."""
    repository = at.place.repository
    tip = _kept(at, repository).tip() if repository else ""
    if not tip or repository is None:
        return []
    found = []
    for remote in sync.remotes(repository.common_dir):
        there = _ref(repository, sync.tracking(remote))
        if there and there != tip:
            what = f"{remote} does not have the newest checkpoints"
            found.append(Finding("unpushed", NOTE, what, f"`tapehead sync {remote}`"))
    return found


def check_refused(at: Here) -> list[Finding]:
    """What remotes changed or deleted of ours, and we did not: kept to look at until the user takes it away."""
    repository = at.place.repository
    if repository is None:
        return []
    words = ("for-each-ref", "--format=%(refname)", sync.REFUSED)
    refs = git(repository.common_dir, *words, timeout=_SECONDS).decode("utf-8", "replace").split()
    remotes = sorted({ref.split("/")[3] for ref in refs})
    return [_refused(remote, [ref for ref in refs if ref.split("/")[3] == remote]) for remote in remotes]


def _refused(remote: str, refs: list[str]) -> Finding:
    what = f"{remote} deleted, changed or forged checkpoints: tapehead refused that, and yours are complete"
    hint = f"`git log {refs[-1]}` shows what was refused; `git update-ref -d {refs[-1]}` clears this finding"
    return Finding("refused", NOTE, what, hint)


def handed_over(at: Here) -> list[Finding]:
    """Sessions that wait for somebody to take them, by what was last heard of the remotes; and those that never got there."""
    repository = at.place.repository
    if repository is None:
        return []
    found = _to_nowhere(repository)
    for remote in sync.remotes(repository.common_dir):
        known = Handoffs(Side(at.engine.layout.lines, repository.common_dir), remote)
        tip = known.kept.tip()
        if tip and _ref(repository, sync.tracking(remote, known.kept.shared)) != tip:
            what = f"{remote} does not know yet what you handed off or took here"
            found.append(Finding("handoffs", NOTE, what, f"`tapehead sync {remote}`"))
        for place, told in taken_twice(at, remote).items():
            again = f"agree on who continues; then run there: `tapehead handoff --session {place.partition('/')[0]}--remote {remote}`"
            found.append(Finding("handoffs", WARNING, told, again))
        if waiting := known.waiting():
            names = ", ".join(one.session[:_SHORT] for one in waiting[:_SHOWN])
            what = f"{len(waiting)} handed off through {remote} and not taken yet: {names}"
            found.append(Finding("handoffs", NOTE, what, f"`tapehead resume --from {remote}`"))
    return found


def _to_nowhere(repository: Repository) -> list[Finding]:
    """What was handed over through something that git knows no remote by, and that never got there."""
    words = ("for-each-ref", "--format=%(refname) %(objectname)", HANDING)
    rows = [row.split(" ") for row in git(repository.common_dir, *words, timeout=_SECONDS).decode().splitlines()]
    names = {slug(remote) for remote in sync.remotes(repository.common_dir)}
    found = []
    for ref, tip in rows:
        name = ref.rpartition("/")[2]
        if name not in names and _ref(repository, sync.tracking(name, SHARED)) != tip:
            what = f"a handoff through {name} was never sent: no git remote named {name}"
            found.append(
                Finding(
                    "handoffs",
                    NOTE,
                    what,
                    f"`git remote add {name} URL`, or drop the handoff: `git update-ref -d {ref}`",
                )
            )
    return found


def _many(found: list[str], one: str, more: str) -> str:
    return f"{len(found)} {one if len(found) == 1 else more}"


def _kept(at: Here, repository: Repository) -> Checkpoints:
    return Checkpoints(Side(at.engine.layout.lines, repository.common_dir))


def _named(repository: Repository) -> dict[str, str]:
    """The ids that the newest commits name, each with the newest commit that does."""
    words = ("log", f"-{_COMMITS}", f"--grep={trailers.NAME}", "--format=%H%n%B%x00")
    try:
        raw = git(repository.common_dir, *words, "--branches", timeout=_SECONDS)
    except GitFailed:
        return {}
    found: dict[str, str] = {}
    for each in raw.decode("utf-8", "replace").split("\0"):
        commit, _, message = each.strip().partition("\n")
        for one in trailers.found(message):
            found.setdefault(one, commit)
    return found


def _missing(repository: Repository, commits: list[str]) -> list[str]:
    if not commits:
        return []
    asked = "".join(f"{name}\n" for name in commits).encode()
    raw = git(repository.common_dir, "cat-file", "--batch-check", timeout=_SECONDS, stdin=asked)
    return [row.split()[0] for row in raw.decode("ascii", "replace").splitlines() if row.endswith(" missing")]


def _ref(repository: Repository, name: str) -> str:
    try:
        return (
            git(repository.common_dir, "rev-parse", "--verify", "--quiet", name, timeout=_SECONDS)
            .decode("ascii")
            .strip()
        )
    except GitFailed:
        return ""
