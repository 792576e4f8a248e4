"""`why` for a line: the session that wrote it, and the prompt that asked for it. It records nothing in the store."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.attribution.blame import Blame, Blamed
from tapehead.attribution.line_prompt import asked_for
from tapehead.cli.output import Failure
from tapehead.git.run import GitFailed, git
from tapehead.git.side_copy import copy_side
from tapehead.git.trees import Busy
from tapehead.store.paths import Layout
from tapehead.text.fence import clean, put_in_quotes

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.git.layout import Repository

_SHORT = 8
_SECONDS = 10.0
_PROMPT, _LINE = 600, 200
_AGAIN = "`git status` may show the reason"


class _Copied(Layout):
    """A store whose recorded work trees are read from a copy."""

    __slots__ = ("lines",)

    def __init__(self, root: str, lines: str) -> None:
        super().__init__(root)
        self.lines = lines  # type: ignore[misc]  # a property of the store's own layout


def tell_origin(at: Here, path: str, line: int) -> str:
    """Where a line of a file comes from."""
    repository = at.place.repository
    if repository is None or not repository.worktree:
        raise Failure("Not a git repository with a work tree", "`recall` finds what was said of the file")
    file = _file(path, repository.worktree)
    lines = at.engine.layout.lines
    if not os.path.isdir(lines):
        raise Failure("no work of an agent is recorded here yet", "`recall` finds what was said of the file")
    try:
        with copy_side(lines, repository.common_dir) as copy:
            return _Origin(_Copied(at.engine.layout.root, copy), repository, file).tell(line)
    except (GitFailed, Busy) as error:
        raise Failure(f"git failed: {error}", _AGAIN) from None


def _file(path: str, worktree: str) -> str:
    """A file in this work tree, from where the agent stands or from its top."""
    top = os.path.realpath(worktree)
    for each in (os.path.abspath(path), os.path.join(top, path)):
        if os.path.isfile(each) and os.path.realpath(each).startswith(top + os.sep):
            return each
    raise Failure(f"there is no file {path!r} in {worktree}", "give its path from the top of the repository")


class _Origin:
    """One file."""

    def __init__(self, layout: Layout, repository: Repository, file: str) -> None:
        self.layout = layout
        self.repository = repository
        self.blame = Blame(layout, repository, file)
        self.path = os.fsdecode(self.blame.path)
        self.lines = self.blame.lines()

    def tell(self, line: int) -> str:
        """Where a line comes from."""
        if not 0 < line <= len(self.lines):
            raise Failure(f"{self.path} has {len(self.lines)} lines", "the first one is 1")
        found = self.lines[line - 1]
        head = f"{self.path}:{line}: {put_in_quotes(clean(found.text), _LINE)}"
        if not found.session:
            return f"{head}\nNot known to be an agent's. {self._commit(found)}"
        return f"{head}\nWritten in session {found.session[:_SHORT]}. {self._asked(found)}{self._commit(found)}"

    def _asked(self, line: Blamed) -> str:
        asked = asked_for(self.layout, self.repository, line.session, self.path, line.text)
        return f"Asked for in turn {asked.turn}: {put_in_quotes(clean(asked.prompt), _PROMPT)}. " if asked else ""

    def _commit(self, line: Blamed) -> str:
        if not line.commit:
            return "Not committed."
        subject = git(self.repository.worktree, "log", "-1", "--format=%s", line.commit, "--", timeout=_SECONDS)
        return f"Commit {line.commit[:_SHORT]}: {put_in_quotes(clean(subject.decode('utf-8', 'replace')), _LINE)}."
