"""`tapehead replay`: the tape folded again from nothing, and compared with the saved state."""

from __future__ import annotations

import json

import click

from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import here
from tapehead.cli.output import console, show_json
from tapehead.cli.session_choice import choose_recorded
from tapehead.engine.replay import differences
from tapehead.text import redacted_excerpt
from tapehead.text.wording import count


@click.command()
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Session id, or its beginning. Default: all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the fields that differ.")
def replay(*, session: str | None, as_json: bool) -> None:
    """Check that each session's recorded events lead to its saved state.

    Exit code 1 if one does not.

    \b
    Examples:
      tapehead replay
      tapehead replay --session 3f2a
    """
    at = here()
    ids = [choose_recorded(at, session).session_id] if session else at.engine.store.list()
    found = {name: differences(at.engine, name) for name in ids}
    differing = {name: fields for name, fields in found.items() if fields}
    if as_json:
        show_json(
            {
                name: {
                    field: {"saved": redacted_excerpt.data(a), "replayed": redacted_excerpt.data(b)}
                    for field, (a, b) in f.items()
                }
                for name, f in found.items()
            }
        )
    else:
        out = console()
        for name, fields in differing.items():
            out.print(f"{name} differs:", style="bold red")
            for field, (saved, replayed) in fields.items():
                out.print(f"  {field}: saved {_told(saved)}, replayed {_told(replayed)}")
        out.print(
            f"{count(len(found) - len(differing), 'session')} verified, {count(len(differing), 'mismatch', 'mismatches')}"
        )
    raise SystemExit(bool(differing))


def _told(value: object) -> str:
    return json.dumps(redacted_excerpt.data(value), ensure_ascii=False, default=str)
