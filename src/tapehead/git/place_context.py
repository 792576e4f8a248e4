"""What git says of a place to someone who comes new: asked side by side, so that it takes as long as the slowest answer."""

from __future__ import annotations

from contextlib import suppress

from tapehead.git import layout
from tapehead.git import run as git_run
from tapehead.git.progress import branch_of, in_progress

_SECONDS = 3.0
_QUESTIONS = {
    "status": ("status", "--short", "--untracked-files=normal"),
    "commits": ("log", "-n", "5", "--format=%h %s"),
    "user": ("config", "user.name"),
    "main": ("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"),
    "branches": (
        "for-each-ref",
        "--format=%(refname:short)",
        "refs/heads/main",
        "refs/heads/master",
        "refs/heads/trunk",
    ),
}


class Seen:
    """The answers; empty where git had none."""

    __slots__ = ("branch", "commits", "doing", "main", "status", "user")

    def __init__(self, branch: str, answers: dict[str, str], doing: str = "") -> None:
        self.branch = branch
        self.doing = doing
        """What git is in the middle of."""
        self.status = answers["status"].rstrip("\n")
        self.commits = tuple(answers["commits"].splitlines())
        self.user = answers["user"].strip()
        named = answers["main"].strip().removeprefix("origin/")
        self.main = named or next(iter(answers["branches"].split()), "")


def seen(directory: str) -> Seen | None:
    """What git says of the repository around a directory; None outside of one."""
    repository = layout.find(directory)
    if repository is None or not repository.worktree:
        return None
    doing = in_progress(repository.git_dir)
    branch = layout.head(repository)[0] or (branch_of(repository.git_dir) if doing else "")
    return Seen(branch, _asked(repository.worktree), doing)


def _asked(worktree: str) -> dict[str, str]:
    import threading  # noqa: PLC0415 - a command's, or a start's without a brief

    answers = dict.fromkeys(_QUESTIONS, "")

    def ask(name: str) -> None:
        with suppress(git_run.GitFailed):  # no answer: no commit yet, no name, no remote
            answers[name] = git_run.git(worktree, *_QUESTIONS[name], timeout=_SECONDS).decode("utf-8", "replace")

    threads = [threading.Thread(target=ask, args=(name,), daemon=True) for name in _QUESTIONS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
