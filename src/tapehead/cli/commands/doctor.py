"""`tapehead doctor`: what is stale or broken, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.padding import Padding
from rich.text import Text

from tapehead.cli.checks import CHECKS, READ_BACK, examine
from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import here
from tapehead.cli.monitor.diagnosis import of_session
from tapehead.cli.output import Failure, console, print_hanging, show_json
from tapehead.cli.session_choice import choose_recorded
from tapehead.store import dismissals
from tapehead.text.wording import count, short_ids

if TYPE_CHECKING:
    from rich.console import Console

    from tapehead.cli.here import Here

_STYLES = {ERROR: "bold red", WARNING: "bold yellow", NOTE: "bold cyan"}


@click.command()
@click.option("--fix", is_flag=True, help="Repair what can be repaired, then check again.")
@click.option("--deep", is_flag=True, help="Check all saved data, not only the newest. This takes longer.")
@click.option("--dismiss", metavar="CODE", multiple=True, help="Hide this finding until it changes; `all` hides all.")
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Check one session: is it idle, at work or stuck? Where do its numbers come from?",
)
@click.option("--all", "show_all", is_flag=True, help="Show dismissed findings too.")
@click.option("--trim", "for_trim", is_flag=True, help="Check whether `tapehead trim` works here.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(  # noqa: PLR0913 - one for each option
    *,
    fix: bool,
    deep: bool,
    dismiss: tuple[str, ...],
    session: str | None,
    show_all: bool,
    for_trim: bool,
    as_json: bool,
) -> None:
    """Check the installation and the recorded data, and repair them.

    Each finding says what is wrong and what to do. `--fix` repairs most of them. Every finding begins with a code of
    its own, such as c07e55. `--dismiss c07e55` hides that finding until it changes.

    Exit code 1 if there is a warning or an error, else 0.

    \b
    Examples:
      tapehead doctor
      tapehead doctor --fix
      tapehead doctor --dismiss 3f2a91
      tapehead doctor --deep
      tapehead doctor --session 3f2a
      tapehead doctor --trim
      tapehead doctor --json | jq '.findings[].what'
    """
    if for_trim:
        from tapehead.cli.commands.trim import trim  # noqa: PLC0415 - only here

        click.get_current_context().invoke(trim, session=session or "", as_json=as_json)
        return
    at = here()
    chosen = choose_recorded(at, session) if session else None
    only = chosen.session_id if chosen else ""
    diagnosis = of_session(at, chosen) if chosen else {}
    found = _examined(at, only, deep=deep)
    mended, failed = _mend(found) if fix else ([], [])
    if mended or failed:
        found = [*_examined(at, only, deep=deep), *failed]
    _dismiss(at, found, dismiss)
    found, silent = _apart(at, found, show_all=show_all)
    well = all(finding.level == NOTE for finding in found)
    if as_json:
        told = {"findings": found, "mended": mended, "dismissed": silent}
        about = {"session": diagnosis} if diagnosis else {}
        show_json({"well": well, **about, **{name: [_as_data(each) for each in told[name]] for name in told}})
    else:
        for name, words in diagnosis.items():
            console().print(f"{name}: {words}", soft_wrap=True)
        _show(console(), found, mended, len(silent))
    raise SystemExit(not well)


def _examined(at: Here, only: str, *, deep: bool) -> list[Finding]:
    """All that is found, or what is about one session; of that one everything is read."""
    found = examine(at, deep=deep or bool(only))
    return [finding for finding in found if only in ("", finding.session)]


def _dismiss(at: Here, found: list[Finding], marks: tuple[str, ...]) -> None:
    known = {finding.mark for finding in found}
    wanted = known if "all" in marks else {*marks}
    if strange := sorted(wanted - known):
        raise Failure(f"No finding has the code {strange[0]}", "`tapehead doctor` shows the code before each finding")
    if wanted:
        dismissals.dismiss(at.engine.layout, sorted(wanted))


def _apart(at: Here, found: list[Finding], *, show_all: bool) -> tuple[list[Finding], list[Finding]]:
    """What is told, and what the user wants to hear no more of."""
    marks = () if show_all else dismissals.read_dismissed(at.engine.layout)
    return [each for each in found if each.mark not in marks], [each for each in found if each.mark in marks]


def _mend(found: list[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Fix what can be fixed; what could not be is an error of its own, and keeps nothing else from being fixed."""
    done, failed = [], []
    for finding in found:
        if finding.mend:
            try:
                finding.mend()
                done.append(finding)
            except OSError as error:
                what = f"`--fix` failed for this finding: {finding.what}: {error.strerror or error}"
                hint = f"look at {error.filename}" if error.filename else ""
                failed.append(Finding(finding.check, ERROR, what, hint, finding.session))
    return done, failed


def _as_data(finding: Finding) -> dict[str, object]:
    return {
        "mark": finding.mark,
        "check": finding.check,
        "level": finding.level,
        "session": finding.session or None,
        "what": finding.what,
        "hint": finding.hint or None,
        "fixable": finding.mend is not None,
    }


def _show(out: Console, found: list[Finding], mended: list[Finding], silent: int) -> None:
    names = short_ids(finding.session for finding in (*found, *mended))
    for finding in mended:
        print_hanging(out, Text.assemble(("fixed", "bold green"), f": {_about(finding, names)}"), 4)
    for finding in found:
        mark = (f"{finding.mark} ", "dim")
        print_hanging(
            out, Text.assemble(mark, (finding.level, _STYLES[finding.level]), f": {_about(finding, names)}"), 4
        )
        if finding.hint:
            out.print(Padding(Text(finding.hint, "dim"), (0, 0, 0, 4)) if out.is_terminal else f"    {finding.hint}")
    if silent:
        out.print(f"{count(silent, 'finding')} dismissed (--all shows them)", style="dim")
    bad = sum(finding.level != NOTE for finding in found)
    out.print(f"{count(bad, 'problem')} found" if bad else f"No problems found ({len(CHECKS) + len(READ_BACK)} checks)")


def _about(finding: Finding, names: dict[str, str]) -> str:
    return f"{names[finding.session]}: {finding.what}" if finding.session else finding.what
