"""Whether git may be run in a repository that nobody named: one that lies below the work tree, or that an agent wrote into.

Git obeys a repository's own config: a file system monitor, a filter, a hook or an included file can be any program. In the repository in which
the user works, git runs all that anyway. Elsewhere only a repository is taken whose config can start nothing, and that is where it seems to be.
What its config may say is listed: what is not known here is not trusted. Git itself reads the config's words (as a plain file, which starts nothing).
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.git.run import GitFailed, git
from tapehead.store.paths import STORE

if TYPE_CHECKING:
    from tapehead.git.layout import Repository

_SECONDS = 10.0
_LARGEST = 1 << 20
_HARMLESS = re.compile(
    r"core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|worktree"
    r"|hookspath|untrackedcache|quotepath|abbrev|compression|sharedrepository|protect(?:ntfs|hfs)|longpaths|whitespace|trustctime|checkstat"
    r"|preloadindex|editor|commentchar)"
    r"|extensions\.(?:objectformat|compatobjectformat|refstorage|worktreeconfig|relativeworktrees|preciousobjects|noop)"
    r"|remote\..*\.(?:url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|gh-resolved)"
    r"|(?:branch|submodule|user|author|committer|color|advice|pull|rebase|rerere|gc|gui|http|status)\..+|init\.defaultbranch"
    r"|lfs\.repositoryformatversion|lfs\..*\.(?:access|locksverify)"
    r"|push\.(?:default|autosetupremote|followtags)|merge\.(?:ff|conflictstyle|renamelimit)|diff\.(?:renames|algorithm|renamelimit|colormoved)"
    r"|commit\.(?:gpgsign|verbose)|tag\.(?:sort|gpgsign)|fetch\.(?:prune|prunetags|parallel)|index\.(?:version|threads)",
    re.DOTALL,
)
_OWN = re.compile(
    r"core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|sharedrepository)"
    r"|extensions\.(?:objectformat|compatobjectformat|refstorage)"
)
"""What `git init` writes: the config of our repository beside it has no more."""
_HOOKS = ("reference-transaction", "post-index-change")
"""Of git's hooks those that run when refs of ours are written, or an index is."""


_WRITTEN = (
    "objects",
    "objects/info",
    "objects/pack",
    "refs",
    "refs/marks",
    "refs/tapehead",
    "logs",
    "packed-refs",
    "HEAD",
)
"""What of a repository is written, or leads to what is: none of it may be a link to somewhere else."""


def is_harmless(repository: Repository) -> bool:
    """Whether nothing of it but git's own program runs where git is asked about it."""
    side = os.path.join(repository.common_dir, STORE, "lines.git")
    try:
        return (
            _is_in_its_place(repository)
            and not any(
                os.path.islink(os.path.join(folder, name))
                for folder in (repository.common_dir, side)
                for name in _WRITTEN
            )
            and all(_has_only(_HARMLESS, config) for config in _configs(repository))
            and all(_has_only(_OWN, config) for config in _configs_in(side))
            and not any(
                os.path.lexists(os.path.join(folder, name))
                for folder in (*_hook_folders(repository), side, f"{side}/hooks")
                for name in _HOOKS
            )
        )
    except (OSError, ValueError, GitFailed):
        return False


def _configs(repository: Repository) -> list[str]:
    return [*dict.fromkeys((*_configs_in(repository.common_dir), *_configs_in(repository.git_dir)))]


def _configs_in(folder: str) -> list[str]:
    paths = (os.path.join(folder, name) for name in ("config", "config.worktree"))
    return [path for path in paths if os.path.lexists(path)]


def _hook_folders(repository: Repository) -> list[str]:
    named = _named(repository, "core.hooksPath")
    if any(one.startswith("~") or "%(" in one for one in named):
        raise ValueError("nobody but git knows which folder that is")
    return [os.path.join(repository.common_dir, "hooks"), *(os.path.join(repository.worktree, one) for one in named)]


def _has_only(words: re.Pattern[str], config: str) -> bool:
    """A link, or something else than a file, says nothing for certain."""
    os.close(door.open_file(config, follow=False))
    return all(map(words.fullmatch, _said(config, "--list", "--name-only")))


def _is_in_its_place(repository: Repository) -> bool:
    """The work tree has its own `.git` folder; or both name each other, as a submodule and a linked work tree do with their repository."""
    dot_git = os.path.join(repository.worktree, ".git")
    kind = os.lstat(dot_git).st_mode
    named = _named(repository, "core.worktree")
    if stat.S_ISDIR(kind):
        return not named and repository.common_dir == os.path.realpath(dot_git)
    if repository.worktree_id:
        back = door.read(os.path.join(repository.git_dir, "gitdir"), _LARGEST, follow=False)
        return stat.S_ISREG(kind) and os.path.realpath(os.fsdecode(back.strip())) == os.path.realpath(dot_git)
    tree = os.path.realpath(repository.worktree)
    return (
        stat.S_ISREG(kind)
        and bool(named)
        and all(os.path.realpath(os.path.join(repository.git_dir, one)) == tree for one in named)
    )


def _named(repository: Repository, key: str) -> list[str]:
    """What its config says of a key; mostly it does not even have the word."""
    word = key.partition(".")[2].lower().encode()
    texts = {config: door.read(config, _LARGEST, follow=False).lower() for config in _configs(repository)}
    return [one for config, text in texts.items() if word in text for one in _said(config, "--get-all", key)]


def _said(config: str, *words: str) -> list[str]:
    """Asked outside of any repository: only this file is read, and nothing that it includes."""
    try:
        raw = git(os.sep, "config", "-z", "--no-includes", "--file", config, *words, timeout=_SECONDS)
    except GitFailed as error:
        if error.code == 1:
            return []  # it does not say
        raise
    return [os.fsdecode(one) for one in raw.split(b"\0") if one]
