"""`tapehead blame`: a file line by line, with whose each line is."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import click

from tapehead.attribution.blame import AGENT, HUMAN, UNKNOWN, Blame, Blamed, TooLarge, repository_of
from tapehead.cli.here import Here, here
from tapehead.cli.output import Failure, console, show_json_rows, show_note
from tapehead.cli.upkeep import attend
from tapehead.engine.background import run_detached
from tapehead.engine.git_setup import catch_up_here
from tapehead.git import layout
from tapehead.git.nested_trust import is_harmless
from tapehead.git.run import GitFailed
from tapehead.git.trees import Busy
from tapehead.text.wording import count

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_SHORT = 8
_PART = re.compile(r"(\d+)(?:,(\+?)(\d+))?")


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="[REVISION] FILE")
@click.option("-L", "part", metavar="FROM[,TO]", help="Only these lines: `10`, `10,20` or `10,+5`.")
@click.option("--porcelain", is_flag=True, help="Print the format of `git blame --line-porcelain`.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def blame(*, what: tuple[str, ...], part: str | None, porcelain: bool, as_json: bool) -> None:
    """Show which lines of a file an agent wrote.

    Each line shows its commit, the agent's session and the checkpoint. Lines of a human have no session. Where
    tapehead cannot tell, it says `not known`.

    \b
    Examples:
      tapehead blame src/app.py
      tapehead blame -L 10,20 src/app.py
      tapehead blame v1.2 -- src/app.py
      tapehead blame src/app.py --json | jq '[.lines[] | select(.session)] | length'
    """
    revision, file = _meant(what)
    at = here_of(file)
    attend(at.engine)  # what the hooks left unread may be the newest turn
    catch_up_here(at.engine, at.place)
    found, every = blame_file(at.engine.layout, file, revision)
    if found.history.is_slow:  # the next one need not be
        run_detached("tapehead.git.commit_graph", [found.chain.side.path, found.head], os.environ)
    lines = _chosen(every, part)
    absent = found.unclear.absent({line.commit for line in lines})
    if as_json:
        missing = sorted({one for ids in absent.values() for one in ids})
        show_json_rows({"file": file, **_shares(lines), "missing": missing}, "lines", map(_as_data, lines))
        return
    if porcelain:
        click.echo("".join(_fields(line) for line in lines), nl=False)
        return
    out = console()
    if lines:
        out.out("\n".join(map(_row, lines)), highlight=False)  # in one piece: it may be tens of thousands
    shares = _shares(lines)
    unknown = f"{shares['not_known']} not known, " if shares["not_known"] else ""
    by = f"{shares['agent']} of {len(lines)} lines written by an agent"
    out.print(f"{by}, {unknown}{shares['uncommitted']} not committed")
    if absent:
        many = sum(line.commit in absent for line in lines)
        named = next(iter(absent.values()))[0]
        show_note(
            f"{count(many, 'line')} unknown: checkpoint {named} is missing here."
            " `tapehead sync` fetches it, if a remote has it"
        )
    if older := sum(line.commit in found.unclear.beyond for line in lines):
        show_note(
            f"{count(older, 'line')} as old as this shallow clone, or older: `git fetch --unshallow` brings the rest"
        )


def _meant(what: tuple[str, ...]) -> tuple[str, str]:
    """A revision, if one was named, and the file."""
    *revision, file = what
    if len(revision) > 1:
        raise Failure("One file at a time", "`tapehead blame [REVISION] FILE`")
    if not revision and not os.path.isfile(file):
        raise Failure(f"No file {file}", "`tapehead blame REVISION -- FILE` shows one that is gone")
    return (revision[0] if revision else ""), file


def _chosen(lines: list[Blamed], part: str | None) -> list[Blamed]:
    """The lines that were asked for."""
    if part is None:
        return lines
    found = _PART.fullmatch(part)
    if not found or not 0 < (first := int(found[1])) <= len(lines):
        raise Failure(f"Can't take lines {part!r}: the file has {len(lines)}", "`-L 10,20`, `-L 10,+5` or `-L 10`")
    last = first + int(found[3]) - 1 if found[2] else int(found[3]) if found[3] else first
    return lines[first - 1 : last]


def here_of(file: str) -> Here:
    """The store of the repository that a file is in, wherever the user stands; nothing is made where there is none.

    Git would obey the config of a repository that the user only named a file of, as it never does by itself.
    """
    repository = repository_of(file)
    if repository is None:
        raise Failure(f"{file} is not in a git repository", "attribution needs git")
    stands_in = layout.find(os.getcwd())
    if (stands_in is None or stands_in.common_dir != repository.common_dir) and not is_harmless(repository):
        raise Failure(
            f"{file} is in another repository, whose git config can start programs",
            f"if you trust it, run the command in {repository.worktree}",
        )
    return here(os.path.dirname(os.path.abspath(file)))


def blame_file(store: Layout, file: str, revision: str = "") -> tuple[Blame, list[Blamed]]:
    """A file and its lines, or why there are none."""
    repository = repository_of(file)
    if repository is None:
        raise Failure(f"{file} is not in a git repository", "attribution needs git")
    try:
        found = Blame(store, repository, os.path.abspath(file), revision)
        return found, found.lines()
    except TooLarge:
        raise Failure(
            f"{file} is too large to attribute",
            "lines are compared in files of up to 16 MB; `git blame` knows the commits",
        ) from None
    except (GitFailed, Busy) as error:
        if revision and isinstance(error, GitFailed) and error.code > 0:
            raise Failure(f"No {file} at {revision!r}", "`git log -- FILE` lists its commits") from None
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


def _fields(line: Blamed) -> str:
    """As git has it: the commit and the line, a field a row, and the text after a tab."""
    commit = line.commit or "0" * 40
    rows = [f"{commit} {line.number} {line.number} 1", f"who {line.who}"]
    rows += [f"session {line.session}"] if line.session else []
    rows += [f"checkpoint {one}" for one in line.checkpoints]
    return "\n".join([*rows, f"\t{line.text}\n"])


def _row(line: Blamed) -> str:
    commit = line.commit[:_SHORT] or "·" * _SHORT
    who = f"agent {line.session[:_SHORT]:{_SHORT}}" if line.session else f"{line.who if line.who == UNKNOWN else '':14}"
    return f"{commit} {who} {','.join(line.checkpoints) or '-':12} {line.number:>5} {line.text}"
