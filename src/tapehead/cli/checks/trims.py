"""Codex threads that were trimmed, and whose original is still kept."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents.trims import Trims
from tapehead.cli.checks.finding import NOTE, Finding
from tapehead.engine.store_location import state_home
from tapehead.text.wording import when

if TYPE_CHECKING:
    from tapehead.cli.here import Here


def kept_originals(at: Here) -> list[Finding]:  # noqa: ARG001 - one shape for all checks
    """Each with what to do about it."""
    return [
        Finding(
            "trims",
            NOTE,
            f"the original of a trimmed thread is kept, {record['thread']}, since {when(str(record['at']))}",
            f"`tapehead trim {str(record['thread'])[:13]} --let-go` deletes it, `--undo` puts it back",
        )
        for record in Trims(state_home(os.environ)).records()
    ]
