"""`tapehead doctor`: what is stale or broken, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.text import Text

from tapehead.cli.checks import CHECKS, examine
from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.here import here
from tapehead.cli.output import console, show_json
from tapehead.cli.telling import count, short_ids

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {ERROR: "bold red", WARNING: "bold yellow", NOTE: "bold cyan"}


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended, then look again.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def doctor(*, fix: bool, as_json: bool) -> None:
    """List what is stale or broken: hooks, files, tapes, sessions.

    Exit code 0 where all is well (notes are no complaint), 1 where something wants looking after.

    \b
    Examples:
      tapehead doctor
      tapehead doctor --fix
      tapehead doctor --json | jq '.findings[].what'
    """
    at = here()
    found = examine(at)
    mended = _mended(found) if fix else []
    if mended:
        found = examine(at)
    well = all(finding.level == NOTE for finding in found)
    if as_json:
        show_json({"well": well, "findings": [_as_data(f) for f in found], "mended": [_as_data(f) for f in mended]})
    else:
        _show(console(), found, mended)
    raise SystemExit(not well)


def _mended(found: list[Finding]) -> list[Finding]:
    done = []
    for finding in found:
        if finding.mend:
            finding.mend()
            done.append(finding)
    return done


def _as_data(finding: Finding) -> dict[str, object]:
    return {
        "check": finding.check,
        "level": finding.level,
        "session": finding.session or None,
        "what": finding.what,
        "hint": finding.hint or None,
        "fixable": finding.mend is not None,
    }


def _show(out: Console, found: list[Finding], mended: list[Finding]) -> None:
    names = short_ids(finding.session for finding in (*found, *mended))
    for finding in mended:
        out.print(Text.assemble(("mended", "bold green"), f": {_about(finding, names)}"))
    for finding in found:
        out.print(Text.assemble((finding.level, _STYLES[finding.level]), f": {_about(finding, names)}"))
        if finding.hint:
            out.print(f"    {finding.hint}", style="dim")
    bad = sum(finding.level != NOTE for finding in found)
    out.print(f"{count(bad, 'thing')} to look after" if bad else f"all is well ({len(CHECKS)} checks)")


def _about(finding: Finding, names: dict[str, str]) -> str:
    return f"{names[finding.session]}: {finding.what}" if finding.session else finding.what
