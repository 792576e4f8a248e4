"""What the clones of one repository share, from where the user stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.checkpoints.shared_ref import Shared
from tapehead.cli.output import Failure, show_note
from tapehead.git.run import GitFailed, git
from tapehead.git.side import Side
from tapehead.memories.team import Team
from tapehead.text.redaction import redact

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.git.layout import Repository


def team_of(at: Here) -> Team | None:
    """The shared memories of this repository; None where there is no repository."""
    if at.place.repository is None:
        return None
    return Team(at.engine.layout, Shared(Side(at.engine.layout.lines, at.place.repository.common_dir)))


def share(at: Here, kind: str, text: str, named: str) -> None:
    """Others get it as a proposal, with the name that the user has in git."""
    team = team_of(at)
    if team is None or at.place.repository is None:
        raise Failure("Not in a git repository: nobody to share with", "it is kept here")
    by = redact(name_in_git(at.place.repository))
    try:
        team.share(kind, text, named, by, at.now.isoformat()[:19], int(at.now.timestamp()))
    except ValueError as error:
        raise Failure(f"Can't be shared: {error}", "it is kept here; share a shorter text") from None
    show_note("shared with everybody who syncs with this repository; `tapehead sync` sends it")


def name_in_git(repository: Repository) -> str:
    """The name that commits have here."""
    try:
        raw = git(repository.common_dir, "config", "user.name", timeout=10.0)
    except GitFailed:
        return ""
    return raw.decode("utf-8", "replace").strip()[:100]
