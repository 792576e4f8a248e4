"""`tapehead statusline`: its help, and what it knows as data. The line itself is told apart in main.py, before click is loaded."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime

import click

from tapehead.cli.output import Failure, show_json
from tapehead.engine.statusline import Look, read_payload


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the parts of the line.")
def statusline(*, as_json: bool) -> None:
    """Print the text of Claude Code's status line.

    The line has the phase, how full the context is, and when tapehead last saved the work.

    Claude Code runs this command after `tapehead install --statusline`. If you have a status line already, that one
    stays. Then call this command from your script, and pass it the same stdin.

    \b
    Examples:
      tapehead install --statusline
      echo '{"session_id": "try"}' | tapehead statusline
    """
    if sys.stdin.isatty():
        raise Failure("Nothing on stdin", "Claude Code runs this: `tapehead install --statusline`")
    if not as_json:
        from tapehead.cli.main import run_statusline  # noqa: PLC0415 - the two know each other

        run_statusline()
    look = read_payload(sys.stdin.fileno(), os.environ)
    show_json(_as_data(look) if look else None)


def _as_data(look: Look) -> dict[str, object]:
    marks, used = look.marks, look.seen.used
    captured = look.standing.captured
    return {
        "session": look.seen.session_id,
        "phase": look.standing.phase or None,
        "model": look.seen.model or None,
        "used": used,
        "window": look.seen.window,
        "thresholds": {name: getattr(marks, name) for name in marks.__slots__} if marks else None,
        "level": marks.level(used) if marks and used is not None else None,
        "percent_left": marks.percent_left(used) if marks and used is not None else None,
        "cost": look.seen.cost,
        "captured_at": datetime.fromtimestamp(captured, UTC).isoformat() if captured else None,
    }
