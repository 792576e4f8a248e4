"""Ordinary source stays readable: what is redacted is counted in the standard library, which holds no secret."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from tapehead.text.redaction import redact_and_count

TESTS = {"test", "tests", "idle_test", "site-packages", "dist-packages"}
"""There passwords in addresses and lines of keys are written down on purpose."""


def test_the_standard_library_stays_readable():
    """Of some ten million letters of public source, next to nothing is taken for a secret."""
    root = Path(sysconfig.get_paths()["stdlib"])
    size = count = 0
    for path in root.rglob("*.py"):
        if not TESTS & {*path.relative_to(root).parts}:
            text = path.read_text(encoding="utf-8", errors="replace")
            size += len(text)
            count += redact_and_count(text)[1]
    assert size > 1_000_000
    assert count <= size / 1_000_000
