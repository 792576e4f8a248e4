"""`explain A..B` and `explain --branch`: whose lines a range of commits adds, as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from tapehead.attribution.branch_shares import explain_range, main_branch
from tapehead.cli.commit_rows import SHORT, as_data, file_rows
from tapehead.cli.output import Failure, console, show_json
from tapehead.git.run import GitFailed
from tapehead.text.plain import row
from tapehead.text.wording import count

if TYPE_CHECKING:
    from tapehead.attribution.branch_shares import Ranged
    from tapehead.cli.here import Here


def show_range(at: Here, what: str, *, branch: bool, as_json: bool) -> None:
    """The lines that a range adds, by whoever wrote them."""
    repository = at.place.repository
    if repository is None:
        raise Failure("Not a git repository", "`cd` into one")
    old, _, new = (what if not branch else f"{main_branch(repository)}..{what}").replace("...", "..").partition("..")
    if not old and branch:
        raise Failure("No main branch to compare with", "name both ends: `tapehead explain A..B`")
    try:
        found = explain_range(at.engine.layout, repository, old or "HEAD", new or "HEAD")
    except GitFailed as error:
        raise Failure(f"No range {old or 'HEAD'}..{new or 'HEAD'}: {error}", "`git log` lists commits") from None
    if as_json:
        show_json(_as_data(found))
        return
    _show(found)


def _as_data(found: Ranged) -> dict[str, object]:
    total = sum(row.lines for row in found.rows)
    shares = [
        {**one._asdict(), "sessions": list(one.sessions), "percent": _percent(one.lines, total)} for one in found.rows
    ]
    ends = {"base": found.base, "head": found.head, "commits": found.commits}
    return {**ends, "shares": shares, "lines": as_data(found.shares), "checkpoints": list(found.checkpoints)}


def _show(found: Ranged) -> None:
    out = console()
    total = sum(row.lines for row in found.rows)
    ends = f"{found.base[:SHORT]}..{found.head[:SHORT]}"
    out.print(f"{ends}: {count(found.commits, 'commit')}, {count(total, 'line')} added")
    table = Table("who", "model", "sessions", "lines", "share", box=None, pad_edge=False)
    for one in found.rows:
        if one.lines or one.who != "not known":
            share = f"{_percent(one.lines, total)} %"
            table.add_row(
                row(one.agent or one.who), row(one.model), str(len(one.sessions) or ""), str(one.lines), share
            )
    out.print(table)
    for told in file_rows(found.shares):
        out.print(row(told), soft_wrap=True)


def _percent(lines: int, total: int) -> int:
    return round(100 * lines / total) if total else 0
