"""`tapehead adr`: decisions with their reasons, numbered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from tapehead.checkpoints.shared_entry import DECISION
from tapehead.cli.here import here
from tapehead.cli.output import Failure, console, show_json
from tapehead.cli.session_choice import choose_if_any
from tapehead.cli.session_input import from_stdin, writing
from tapehead.cli.team_sharing import share
from tapehead.documents import adrs, hand_edited, outline
from tapehead.text.plain import plain
from tapehead.text.redaction import redact

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.documents.adrs import Adr

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_FIELDS = ("tldr", "context", "decision", "alternatives", "consequences", "status", "confidence")


@click.group(invoke_without_command=True)
@click.pass_context
def adr(ctx: click.Context) -> None:
    r"""Record decisions and their reasons, and list them.

    Each decision is a Markdown file that you may edit. A brief holds its one-sentence summary (`--tldr`), unless
    its status is Superseded or Rejected.

    \b
    Examples:
      tapehead adr new "Use SQLite" --tldr "one file, no server" --decision "SQLite with WAL" --alternatives "a server: too much"
      tapehead adr
      tapehead adr show 1
    """
    if ctx.invoked_subcommand is None:
        _list(as_json=False)


@adr.command()
@click.argument("title", required=False)
@click.option("--tldr", metavar="TEXT", help="The decision in one sentence.")
@click.option("--context", metavar="TEXT", help="Why a decision was needed.")
@click.option("--decision", metavar="TEXT", help="What was decided.")
@click.option("--alternatives", metavar="TEXT", help="Other options, and why not.")
@click.option("--consequences", metavar="TEXT", help="What follows from it, good and bad.")
@click.option("--status", metavar="WORD", help="Accepted, Proposed, Rejected … Default: Accepted.")
@click.option("--shared", is_flag=True, help="Share it with the team, through `tapehead sync`.")
@click.option("--confidence", type=click.Choice(("high", "medium", "low")), help="How sure you are.")
@_JSON
def new(*, title: str | None, shared: bool, as_json: bool, **given: str | None) -> None:
    r"""Record a decision.

    With `-` as TITLE, the whole text comes from stdin: a heading, then a section with its own heading for each part.

    \b
    Examples:
      tapehead adr new "Use SQLite" --tldr "one file, no server" --context "two processes write"
      tapehead adr new - < decision.md
    """
    if not title:
        raise click.UsageError("A decision needs a title, or `-` to read the whole text from stdin")
    draft = adrs.understood(from_stdin()) if title == "-" else adrs.Adr(0, outline.one_line(title))
    at = here()
    with writing():
        found, path = adrs.write(at.engine.layout, _completed(draft, given, at))
        if shared:
            said = (found.title, found.tldr, found.decision)
            share(at, DECISION, redact(plain("\n".join(filter(None, said)))), found.name)
    if as_json:
        show_json(_as_data(found, path))
    else:
        console().print(f"recorded {found.name}: {found.title}\n{path}", soft_wrap=True)


@adr.command(name="list")
@_JSON
def list_(*, as_json: bool) -> None:
    r"""List the decisions.

    \b
    Examples:
      tapehead adr list
      tapehead adr list --json | jq -r '.[].title'
    """
    _list(as_json=as_json)


def _list(*, as_json: bool) -> None:
    layout = here().engine.layout
    with writing():
        paths, found = adrs.files(layout), adrs.list_adrs(layout)
    if as_json:
        show_json([_as_data(each, paths[each.number]) for each in found])
        return
    for each in found:
        gist = f": {each.gist}" if each.gist else ""
        dated = f"{each.date}, " if each.date else ""
        style = None if each.holds else "dim"
        console().print(f"{each.name} {each.title}{gist} ({dated}{each.status or 'no status'})", style=style)
    if not found:
        console().print('No decisions yet. Record one: `tapehead adr new "…"`')


@adr.command()
@click.argument("which", metavar="N|ADR-0001")
@_JSON
def show(*, which: str, as_json: bool) -> None:
    r"""Print a decision.

    \b
    Examples:
      tapehead adr show 1
      tapehead adr show ADR-0001
    """
    number = re.fullmatch(r"(?:adr-?)?(\d{1,9})", which.strip(), re.IGNORECASE)
    layout = here().engine.layout
    with writing():
        path = adrs.files(layout).get(int(number[1])) if number else None
        if number is None or path is None:
            raise Failure(f"No decision {which!r}", "`tapehead adr list` lists them")
        text = hand_edited.text_of(path, follow=True)
    if as_json:
        show_json(_as_data(adrs.understood(text, int(number[1])), path))
    else:
        click.echo(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").rstrip("\n"))


def _completed(draft: Adr, given: dict[str, str | None], at: Here) -> Adr:
    """With what the options say, and with what everyone would write the same: today, accepted, by this session."""
    said: dict[str, Any] = {name: given[name] for name in _FIELDS if given.get(name)}
    for name in ("tldr", "status"):
        if name in said:
            said[name] = outline.one_line(said[name])
    full = draft._replace(**said)
    if not full.title:
        raise Failure("The text has no title", "begin with a title line: `# Use SQLite`")
    today = at.now.astimezone().strftime("%Y-%m-%d %H:%M")
    state = None if full.session else choose_if_any(at)
    session = full.session or (state.session_id if state else "")
    return full._replace(date=full.date or today, status=full.status or "Accepted", session=session)


def _as_data(found: Adr, path: str) -> dict[str, Any]:
    return {"name": found.name, **found._asdict(), "gist": found.gist, "holds": found.holds, "path": path}
