"""One thing that doctor found."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

ERROR = "error"
"""Something does not work."""
WARNING = "warning"
"""Something wants looking after."""
NOTE = "note"
"""Good to know; all is well with it."""


@frozen
class Finding:
    """What is the matter, with what, and what to do about it."""

    check: str
    level: str
    what: str
    hint: str = ""
    session: str = ""
    mend: Callable[[], None] | None = None
    """What `--fix` does about it; None where only a user can."""

    @property
    def mark(self) -> str:
        """What it is dismissed by. The same finding has the same mark tomorrow: ages are left out; one with other words is another."""
        told = re.sub(
            r"\d+ (?:s|min|h|d) ago|for \d+ (?:s|min|h|d)\b|just now", "", f"{self.check}\n{self.session}\n{self.what}"
        )
        return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:6]
