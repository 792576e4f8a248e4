"""`tapehead demo`: one session without and with tapehead, in a temporary repository, with the real hooks."""

from __future__ import annotations

import tempfile
import textwrap
import time
from typing import TYPE_CHECKING

import click
from rich.text import Text

from tapehead.agents.readers import reader_of
from tapehead.brief.losses import ARCHIVE, SUMMARY, items
from tapehead.cli import demo_transcript as made
from tapehead.cli.demo_stage import Stage, context_in
from tapehead.cli.output import Failure, console
from tapehead.statemachine.vocabulary import Phase
from tapehead.text.wording import count
from tapehead.tokens.estimate import tokens
from tapehead.work_record.work_record import gather_work

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from tapehead.brief.losses import Item

_COLOURS = {
    "IDLE": "white",
    "ACTIVE": "green",
    "COMPACTING": "magenta",
    "RESTORED": "cyan",
    "HALTED": "red",
    "ENDED": "blue",
}
_WIDTH = 80
_INDENT = "    "
_PAUSE = 0.35
_KEPT, _LOST = "kept", "lost"
_STYLES = {_KEPT: "green", _LOST: "red"}
_COLUMN, _VERDICT = 46, 9
"""How wide the comparison's columns are: the thing itself, and each verdict on it."""
_KINDS = {
    "rule": "your rule",
    "ask": "your words",
    "decision": "decision",
    "open item": "to do",
    "error": "error",
    "command": "command",
    "file": "file",
}
_SHOWN, _QUOTED = 3, _WIDTH - 6
"""So many lines of each section of the brief are shown, and so much of each."""


@click.command()
def demo() -> None:
    """Show one session without and with tapehead (ten seconds).

    The session is made up. The repository, the hooks and the results are real. The demo runs in a temporary directory
    and touches none of your files.

    \b
    Examples:
      tapehead demo
      make demo
    """
    out = console()
    with tempfile.TemporaryDirectory(prefix="tapehead-demo-") as directory:
        show = _Show(out, Stage(directory))
        try:
            for scene in SCENES:
                scene(show)
        finally:
            show.stage.close()
    missing = {phase.name for phase in Phase} - {phase for phase, _ in show.moves}
    if missing:
        raise Failure(f"The demo did not reach {', '.join(sorted(missing))}.", "run `tapehead doctor`")


class _Show:
    """What the audience sees, and what happened so far."""

    def __init__(self, out: Console, stage: Stage) -> None:
        self.out = out
        self.stage = stage
        self.told = made.made_up("demo", stage.repository)
        self.moves: list[tuple[str, str]] = []
        self.step = 0
        self.returned = ""

    def title(self, text: str) -> None:
        """A numbered step; on a terminal there is time to read the one before."""
        self.pause(2)
        self.step += 1
        self.out.print()
        self.out.print(Text.assemble((f" {self.step}  ", "bold cyan"), (text, "bold")))

    def say(self, text: str, style: str = "") -> None:
        """A paragraph within 80 columns, in a pipe too: the README shows it."""
        lines = textwrap.wrap(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
        self.out.print(Text("\n".join(lines), style))

    def speech(self, who: str, text: str) -> None:
        """Who said what."""
        lines = textwrap.wrap(text, _WIDTH - len(_INDENT) - 7)
        for number, line in enumerate(lines):
            self.out.print(Text.assemble(_INDENT, (f"{'' if number else who:<7}", "bold"), line))

    def hook(self, name: str, what: str, **fields: str) -> str:
        """Runs a hook, keeps the phase that it led to, and gives what a start tells the agent."""
        printed = self.stage.hook(name, **fields)
        self.moved(what)
        return context_in(printed) if name == "SessionStart" else ""

    def moved(self, what: str) -> None:
        """The phase after something happened."""
        self.moves.append((self.stage.state().phase.name, what))

    def pause(self, times: float = 1) -> None:
        """Only for eyes: a pipe does not wait."""
        if self.out.is_terminal:
            time.sleep(_PAUSE * times)


def _works(show: _Show) -> None:
    show.out.print(Text("One session, without and with tapehead", "bold"))
    show.say("The session is made up. The repository, the hooks and the results are real.", "dim")
    stage = show.stage
    stage.agent_starts()
    show.hook("SessionStart", "you start the agent", source="startup")
    stage.record(show.told.text())
    show.hook("UserPromptSubmit", "you send a prompt, and the agent works", prompt=made.FIRST)
    stage.write("pay.py", made.KEY)
    show.hook("Stop", "the turn ends", last_assistant_message="Double clicks charge once now.")
    show.hook("UserPromptSubmit", "the next prompt", prompt=made.SECOND)
    stage.write("pay.py", made.KEY + made.REFUND)
    show.title("You work with your agent")
    show.speech("you", made.FIRST)
    show.speech("agent", "tries a lock, which deadlocks; then sends order.id as idempotency key")
    show.speech("you", made.SECOND)
    show.speech("agent", "writes refund(); its test fails, since form.py:31 passes dollars")


def _is_compacted(show: _Show) -> None:
    show.hook("PreCompact", "context full: tapehead saves rules, decisions and open work first", trigger="auto")
    show.told.compacts(made.SUMMARY)
    show.stage.record(show.told.text())
    show.returned = show.hook("SessionStart", "the agent goes on, with what step 4 shows", source="compact")
    show.title("Its context is full: the agent replaces the conversation with a summary")
    show.speech("agent", f"“… {made.SUMMARY.partition('context. ')[2]}”")


def _compares(show: _Show) -> None:
    reader = reader_of("claude")  # what the stage writes
    turns = reader.skim(show.stage.transcript) if reader else iter(())
    known = items(gather_work(turns), made.SUMMARY, show.returned)
    show.title("What the agent still has in its context, word for word")
    show.out.print(Text(_columns("", "", "without", "with"), "bold"))
    for kind in _KINDS:
        for item in (item for item in known if item.kind == kind):
            _line(show, item)
    without = sum(item.where == SUMMARY for item in known)
    with_it = sum(item.where != ARCHIVE for item in known)
    show.out.print(Text(_columns("", "", f"{without} of {len(known)}", f"{with_it} of {len(known)}"), "bold"))


def _line(show: _Show, item: Item) -> None:
    """One thing that was said or done: lost with the conversation, or kept by the summary or by what tapehead gave back."""
    text = _cut(" ".join(item.text.split()), _COLUMN - 1)
    without = _KEPT if item.where == SUMMARY else _LOST
    with_it = _LOST if item.where == ARCHIVE else _KEPT
    line = Text(_columns(_KINDS[item.kind], text, without, with_it))
    for verdict, end in ((without, -_VERDICT), (with_it, None)):
        line.stylize(_STYLES[verdict], (end or 0) + len(line) - _VERDICT, end and end + len(line))
    show.out.print(line)
    show.pause(0.5)


def _columns(kind: str, text: str, without: str, with_it: str) -> str:
    return f"{_INDENT}{kind:<12}{text:<{_COLUMN}}{without:>{_VERDICT}}{with_it:>{_VERDICT}}"


def _is_told(show: _Show) -> None:
    """Of the brief, the beginning of each section; what stands above them (a time, a path) differs from run to run."""
    show.title(f"What tapehead gave back: {tokens(show.returned):,} tokens (the limit is 2,000), cut short here")
    for section in show.returned.strip().split("\n## ")[1:]:
        heading, *lines = section.splitlines()
        show.out.print(Text.assemble(_INDENT, ("│ ", "cyan"), (_cut(heading, _QUOTED), "bold")))
        for line in lines[:_SHOWN]:
            show.out.print(Text.assemble(_INDENT, ("│ ", "cyan"), _cut(line, _QUOTED)))


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def _is_killed(show: _Show) -> None:
    show.hook("Stop", "the turn ends", last_assistant_message="form.py passes cents now.")
    show.hook("UserPromptSubmit", "the next prompt", prompt=made.THIRD)
    show.stage.agent_dies()
    show.moved("the agent is killed; tapehead notices, and saves what it knows")
    show.stage.agent_starts()
    told = show.hook("SessionStart", "you resume the session, and the agent is told:", source="resume")
    show.moves.append(("", told.strip().splitlines()[-1].removeprefix("- ") if told.strip() else "nothing"))
    show.hook("UserPromptSubmit", "the agent goes on", prompt="Go on.")
    show.hook("Stop", "the turn ends", last_assistant_message="Refunds work.")
    show.hook("SessionEnd", "you leave", reason="prompt_input_exit")


def _is_on_record(show: _Show) -> None:
    show.title("How it works: every hook call moves the session to one of six phases")
    for phase, what in show.moves:
        lines = textwrap.wrap(what, _WIDTH - 16)
        for number, line in enumerate(lines):
            name = "" if number else phase
            show.out.print(Text.assemble(_INDENT, (f"{name:<12}", f"bold {_COLOURS.get(name, '')}".strip()), line))
        show.pause(0.5)
    show.say(_verified(show))


def _verified(show: _Show) -> str:
    """The tape, read again from its first line, must lead to the state that was saved."""
    from tapehead.actions.fold import replay  # noqa: PLC0415 - for this scene alone
    from tapehead.store.line import readable  # noqa: PLC0415 - for this scene alone

    lines = readable(show.stage.engine.store.lines("demo")[0])
    moves = list(replay("demo", lines))
    if moves[-1].state.phase is not show.stage.state().phase:
        raise Failure("Replaying the demo's tape did not give its saved state.", "run `tapehead doctor`")
    events = sum(line.event is not None for line in lines)
    return f"{count(events, 'event')} recorded and verified: replaying them gives the saved state."


def _says_what_next(show: _Show) -> None:
    show.out.print()
    show.out.print(Text("In your own repository", "bold"))
    for command, what in NEXT:
        show.out.print(Text.assemble(_INDENT, (f"{command:<29}", "cyan"), what))


NEXT = (
    ("tapehead install --dry-run", "show what would change in your settings"),
    ("tapehead install", "add the hooks; from then on it works by itself"),
    ("tapehead status", "list your sessions"),
    ("tapehead uninstall", "remove the hooks again"),
)
SCENES: tuple[Callable[[_Show], None], ...] = (
    _works,
    _is_compacted,
    _compares,
    _is_told,
    _is_killed,
    _is_on_record,
    _says_what_next,
)
