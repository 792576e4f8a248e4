"""`tapehead blame`: a file line by line, with whose each line is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from tapehead.attribution.blame import AGENT, HUMAN, UNKNOWN, Blame, Blamed, TooLarge, repository_of
from tapehead.cli.here import Here, here
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.upkeep import attend
from tapehead.engine.git_setup import catch_up_here
from tapehead.git.run import GitFailed
from tapehead.git.trees import Busy
from tapehead.text.wording import count

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_SHORT = 8


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def blame(*, file: str, as_json: bool) -> None:
    """Show which lines of a file an agent wrote, with session and checkpoint.

    \b
    Examples:
      tapehead blame src/app.py
      tapehead blame src/app.py --json | jq '[.lines[] | select(.session)] | length'
    """
    at = here_of(file)
    attend(at.engine)  # what the hooks left unread may be the newest turn
    catch_up_here(at.engine, at.place)
    found, lines = blamed(at.engine.layout, file)
    absent = found.absent({line.commit for line in lines})
    if as_json:
        missing = sorted({one for ids in absent.values() for one in ids})
        show_json({"file": file, **_shares(lines), "missing": missing, "lines": [_as_data(line) for line in lines]})
        return
    out = console()
    for line in lines:
        out.print(_row(line), soft_wrap=True)
    shares = _shares(lines)
    unknown = f"{shares['not_known']} not known, " if shares["not_known"] else ""
    told = (
        f"{shares['agent']} of {len(lines)} lines written by an agent, {unknown}{shares['uncommitted']} not committed"
    )
    out.print(told)
    if absent:
        many = sum(line.commit in absent for line in lines)
        named = next(iter(absent.values()))[0]
        show_note(
            f"{count(many, 'line')} unknown: checkpoint {named} is missing here."
            " `tapehead sync` fetches it, if a remote has it"
        )


def here_of(file: str) -> Here:
    """The store of the repository that a file is in, wherever the user stands; nothing is made where there is none."""
    if repository_of(file) is None:
        raise Failure(f"{file} is not in a git repository", "attribution needs git")
    return here(os.path.dirname(os.path.abspath(file)))


def blamed(layout: Layout, file: str) -> tuple[Blame, list[Blamed]]:
    """A file and its lines, or why there are none."""
    repository = repository_of(file)
    if repository is None:
        raise Failure(f"{file} is not in a git repository", "attribution needs git")
    try:
        found = Blame(layout, repository, os.path.abspath(file))
        return found, found.lines()
    except TooLarge:
        raise Failure(
            f"{file} is too large to attribute",
            "lines are compared in files of up to 16 MB; `git blame` knows the commits",
        ) from None
    except (GitFailed, Busy) as error:
        said = getattr(error, "said", "") or str(error)
        raise Failure(f"git failed: {said}", "`git blame` and `git status` may show the reason") from None


def _shares(lines: list[Blamed]) -> dict[str, int]:
    return {
        "agent": sum(line.who == AGENT for line in lines),
        "human": sum(line.who == HUMAN for line in lines),
        "not_known": sum(line.who == UNKNOWN for line in lines),
        "uncommitted": sum(not line.commit for line in lines),
    }


def _as_data(line: Blamed) -> dict[str, Any]:
    return {**line._asdict(), "checkpoints": list(line.checkpoints)}


def _row(line: Blamed) -> str:
    commit = line.commit[:_SHORT] or "·" * _SHORT
    who = f"agent {line.session[:_SHORT]:{_SHORT}}" if line.session else f"{line.who if line.who == UNKNOWN else '':14}"
    return f"{commit} {who} {','.join(line.checkpoints) or '-':12} {line.number:>5} {line.text}"
