"""Writes the parts of README.md that show the demo: what `tapehead demo` prints in a pipe.

Lines that differ from run to run (with a time, a commit or a path in them) are left out, as `[...]`.
"""

from __future__ import annotations

import functools
import re
import subprocess
import sys

from tapehead.statemachine.vocabulary import Phase

DEMO = [sys.executable, "-I", "-c", "from tapehead.cli.main import main; main()", "demo"]
_INDENT = "    "
_MACHINE = "\n 5  "
"""Where the demo comes to the machine: the README shows that part in another place."""
_QUOTED, _LINES = f"{_INDENT}│", 10
"""How a line of the brief begins in the demo, and how many of them the README shows."""
LEFT_OUT = f"{_INDENT}[...]"
_OF_THE_MOMENT = re.compile(r"\d\d:\d\d|\b[0-9a-f]{7,40}\b|/tapehead-demo-")


@functools.cache
def printed() -> str:
    """What the demo prints, once per process. Whether it also ends well is for the demo's own tests to say."""
    text = subprocess.run(DEMO, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own program
    missing = [phase.name for phase in Phase if f"\n{_INDENT}{phase.name} " not in f"\n{text}"]
    if missing:
        raise LookupError(f"the demo did not get to {', '.join(missing)}: `tapehead demo` shows why")
    return text


def excerpt() -> str:
    """What the agent forgets and gets back; of the brief, the first lines."""
    lines = shortened(printed().partition(_MACHINE)[0]).splitlines()
    brief = [line for line in lines if line.startswith(_QUOTED)]
    kept = [line for line in lines if line not in brief[_LINES:]]
    return "\n".join(["```text", *kept, f"{_QUOTED} [...]", "```", ""])


def phases() -> str:
    """The machine at work."""
    return (
        f"```text\n{shortened(printed().partition(_MACHINE)[2].partition(chr(10))[2].partition(chr(10) * 2)[0])}```\n"
    )


def shortened(text: str) -> str:
    """The lines worth showing; a run of others becomes one mark."""
    shown: list[str] = []
    for line in text.splitlines():
        if not (line.startswith(_INDENT) and _OF_THE_MOMENT.search(line)):
            shown.append(line)
        elif shown[-1:] != [LEFT_OUT]:
            shown.append(LEFT_OUT)
    return "\n".join(shown) + "\n"
