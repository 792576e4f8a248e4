"""Writes the part of README.md that shows the demo: what `tapehead demo` prints in a pipe, shortened.

Of what the agent is told, lines that differ from run to run (with a time, a commit or a path in them) are left out, as `[...]`.
"""

from __future__ import annotations

import functools
import re
import subprocess
import sys

from tapehead.statemachine.vocabulary import Phase

DEMO = [sys.executable, "-I", "-c", "from tapehead.cli.main import main; main()", "demo"]
_INDENT = "    "
LEFT_OUT = f"{_INDENT}[...]"
_OF_THE_MOMENT = re.compile(r"\d\d:\d\d|\b[0-9a-f]{7,40}\b|/tapehead-demo-")


@functools.cache
def printed() -> str:
    """What the demo prints, once per process. Whether it also ends well is for the demo's own tests to say."""
    text = subprocess.run(DEMO, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own program
    missing = [phase.name for phase in Phase if f"\n{phase.name} " not in f"\n{text}"]
    if missing:
        raise LookupError(f"the demo did not get to {', '.join(missing)}: `tapehead demo` shows why")
    return text


def excerpt() -> str:
    """The block for the README."""
    return f"```text\n{shortened(printed())}```\n"


def shortened(text: str) -> str:
    """The lines worth showing; a run of others becomes one mark."""
    shown: list[str] = []
    for line in text.splitlines():
        if not (line.startswith(_INDENT) and _OF_THE_MOMENT.search(line)):
            shown.append(line)
        elif shown[-1:] != [LEFT_OUT]:
            shown.append(LEFT_OUT)
    return "\n".join(shown) + "\n"
