"""`tapehead cost`: tokens and money, from the agents' own counts."""

from __future__ import annotations

import csv
import io
import os
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from tapehead.cli import cost_sums
from tapehead.cli.here import here
from tapehead.cli.output import console, show_json, show_note
from tapehead.engine.statusline import short
from tapehead.engine.store_location import config_home
from tapehead.store.paths import is_session_id
from tapehead.text.plain import row
from tapehead.text.wording import short_ids
from tapehead.tokens import prices as listed
from tapehead.transcript.spending import Total

if TYPE_CHECKING:
    from tapehead.tokens.prices import Prices


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--by", type=click.Choice(list(cost_sums.BY)), default="day", show_default=True, help="One row for each.")
@click.option("--all", "everywhere", is_flag=True, help="Count all projects on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
def cost(*, paths: tuple[str, ...], by: str, everywhere: bool, as_json: bool, as_csv: bool) -> None:
    """Show what your sessions cost, in tokens and money.

    Tokens are the agents' own counts. Money is what the agent recorded. Where it recorded none, the public list price
    counts. Your own prices go into ~/.config/tapehead/prices.toml.

    With PATHS, only these transcripts or directories are counted.

    \b
    Examples:
      tapehead cost
      tapehead cost --by model --all
      tapehead cost --by session --json
      tapehead cost --by week --csv > cost.csv
    """
    at = here()
    files = cost_sums.files_at(paths, os.environ) if paths or everywhere else cost_sums.files_here(at)
    known = listed.load_prices(config_home(os.environ))
    spent = cost_sums.gather(files, lambda path, error: show_note(row(f"{path} cannot be read: {error}")))
    groups, everything, unpriced = cost_sums.totals(spent, by, known)
    said = {name: cost_sums.said_of(at, name) for name in groups if by == "session" and is_session_id(name)}
    if as_json:
        rows = [{by: name, **_as_data(total), **_said(said, name, by)} for name, total in groups.items()]
        show_json({"prices_as_of": listed.AS_OF, "by": by, "rows": rows, "total": _as_data(everything)})
    elif as_csv:
        click.echo(_csv(by, groups), nl=False)
    elif not groups:
        console().print("No costs recorded here. `tapehead cost --all` includes all transcripts of your agents.")
    else:
        console().print(_table(by, groups, everything, said))
        _explain(known, unpriced)


def _said(said: dict[str, float | None], name: str, by: str) -> dict[str, Any]:
    return {"dollars_agent_says": said.get(name)} if by == "session" else {}


def _as_data(total: Total) -> dict[str, Any]:
    return {
        "messages": total.messages,
        **total.counts,
        "dollars": None if total.dollars is None else round(total.dollars, 6),
        "dollars_said": round(total.said, 6),
        "dollars_listed": round(total.listed, 6),
        "tokens_without_price": total.unpriced,
    }


def _csv(by: str, groups: dict[str, Total]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, [by, *_as_data(Total())], lineterminator="\n")
    writer.writeheader()
    for name, total in groups.items():
        writer.writerow({by: row(name), **_as_data(total)})
    return out.getvalue()


def _table(by: str, groups: dict[str, Total], everything: Total, said: dict[str, float | None]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(by, overflow="fold")
    titles = ("input", "output", "cache read", "cache write", "money", *(("agent says",) if any(said.values()) else ()))
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    names = short_ids(groups) if by == "session" else {}
    for name, total in groups.items():
        table.add_row(row(names.get(name, name)), *_cells(total, said.get(name))[: len(titles)])
    if len(groups) > 1:
        table.add_row("all", *_cells(everything, None)[: len(titles)], style="bold")
    return table


def _cells(total: Total, said: float | None) -> list[str]:
    counts = (total.counts[name] for name in ("input", "output", "cache_read", "cache_written"))
    priced = total.said + total.listed
    money = f"${priced:,.2f}" if not total.unpriced else f"${priced:,.2f} + ?" if priced else "?"
    return [*map(short, counts), money, "-" if said is None else f"${said:,.2f}"]


def _explain(known: Prices, unpriced: dict[str, int]) -> None:
    """Where the money comes from, and what it leaves out: nothing is guessed silently."""
    own = f", and {known.own}" if known.own and not known.problem else ""
    show_note(
        f"money: the agent's own figures, else list prices of {listed.AS_OF}{own}, without subscriptions and discounts"
    )
    if known.problem:
        show_note(row(f"{known.own} is ignored: {known.problem}"))
    if unpriced:
        named = ", ".join(f"{name} ({short(tokens)} tokens)" for name, tokens in sorted(unpriced.items()))
        show_note(row(f"no price for {named}, shown as `?`. Add it to ~/.config/tapehead/{listed.FILE}"))
