"""`tapehead demo`: the main job at work, in a temporary repository, with the real hook."""

from __future__ import annotations

import tempfile
import time
from typing import TYPE_CHECKING

import click
from rich.panel import Panel
from rich.text import Text

from tapehead.cli.commands.log import as_data
from tapehead.cli.demo_stage import Stage, context_in
from tapehead.cli.output import Failure, console

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

_COLOURS = {
    "IDLE": "white",
    "ACTIVE": "green",
    "COMPACTING": "magenta",
    "RESTORED": "cyan",
    "HALTED": "red",
    "ENDED": "blue",
}
_PAUSE = 0.35


@click.command()
def demo() -> None:
    """Show the machine at work: a session is compacted, restored, killed, found again, and ends.

    Everything happens in a temporary directory, with the real hook and real payloads; nothing of yours is touched.

    \b
    Examples:
      tapehead demo
    """
    out = console()
    with tempfile.TemporaryDirectory(prefix="tapehead-demo-") as directory:
        show = _Show(out, Stage(directory))
        try:
            for scene in SCENES:
                scene(show)
        finally:
            show.stage.close()
    missing = set(_COLOURS) - show.seen
    if missing:
        raise Failure(f"the demo did not pass through {', '.join(sorted(missing))}", "`tapehead doctor` may know more")


class _Show:
    """The audience's side: what is said, and the phase after each step."""

    def __init__(self, out: Console, stage: Stage) -> None:
        self.out = out
        self.stage = stage
        self.seen: set[str] = set()

    def tell(self, what: str) -> None:
        """A step, and where the machine stands after it."""
        phase = self.stage.state().phase.name
        self.seen.add(phase)
        self.out.print(Text.assemble((f"{phase:<11}", f"bold {_COLOURS[phase]}"), what))
        if self.out.is_terminal:
            time.sleep(_PAUSE)

    def quote(self, title: str, text: str) -> None:
        """What the agent is told."""
        if self.out.is_terminal:
            self.out.print(Panel(Text(text.strip()), title=title, title_align="left", border_style="cyan", width=100))
        else:
            self.out.print(f"  {title}:")
            self.out.print("\n".join(f"    {line}".rstrip() for line in text.strip().splitlines()))


def _starts(show: _Show) -> None:
    show.stage.agent_starts()
    show.stage.hook("SessionStart", source="startup")
    show.tell("the agent starts a session in a repository")


def _works(show: _Show) -> None:
    show.stage.hook("UserPromptSubmit", prompt="Make greet() say good morning before noon. Never change its signature.")
    show.tell("a prompt comes; the agent works")
    show.stage.write("greeting.py", "def greet(name):\n    return morning() + name\n")
    show.stage.write("clock.py", "def morning():\n    ...\n")


def _is_compacted(show: _Show) -> None:
    show.stage.hook("PreCompact", trigger="auto")
    show.tell("its context is full: the story is captured before the host compacts it")
    printed = show.stage.hook("SessionStart", source="compact")
    show.tell("the host goes on with a summary, and gets the story handed back")
    show.quote("what the agent is told", context_in(printed))


def _finishes_the_turn(show: _Show) -> None:
    show.stage.hook(
        "Stop", last_assistant_message="greet() now asks morning() in clock.py; its signature is as it was."
    )
    show.tell("the turn ends")


def _is_killed(show: _Show) -> None:
    show.stage.hook("UserPromptSubmit", prompt="Now let morning() read the clock.")
    show.tell("the next prompt; the agent works")
    show.stage.agent_dies()
    show.tell("the process is killed: no hook tells, but the machine notices, and captures what it knows")


def _is_found_again(show: _Show) -> None:
    show.stage.agent_starts()
    printed = show.stage.hook("SessionStart", source="resume")
    show.tell("the session is resumed, and told where it was")
    show.quote("what the agent is told", context_in(printed))
    show.stage.hook("UserPromptSubmit", prompt="Go on.")
    show.tell("it goes on")


def _ends(show: _Show) -> None:
    show.stage.hook("Stop", last_assistant_message="morning() reads the clock.")
    show.tell("the turn ends")
    show.stage.hook("SessionEnd", reason="prompt_input_exit")
    show.tell("the person leaves; nothing is in flight")


def _is_on_record(show: _Show) -> None:
    engine = show.stage.engine
    from tapehead.actions.fold import replay  # noqa: PLC0415 - for this scene alone
    from tapehead.store.line import readable  # noqa: PLC0415 - for this scene alone

    moves = [as_data(move) for move in replay("demo", readable(engine.store.lines("demo")[0]))]
    events = [move for move in moves if move["event"]]
    same = moves[-1]["to"] == show.stage.state().phase.value
    word = "the saved state" if same else "something else than the saved state"
    show.out.print(f"\n{len(events)} events on the tape, folded again from nothing: they give {word}.")
    show.out.print("In your own repository: `tapehead install`, then `tapehead status` and `tapehead log`.")


SCENES: tuple[Callable[[_Show], None], ...] = (
    _starts,
    _works,
    _is_compacted,
    _finishes_the_turn,
    _is_killed,
    _is_found_again,
    _ends,
    _is_on_record,
)
