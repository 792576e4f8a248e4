"""How commands talk to people: data on stdout, talk on stderr, `error:` and then `hint:`, colours only where they help."""

from __future__ import annotations

import json
import os
import sys
from typing import IO, TYPE_CHECKING, Any

import click

from tapehead.cli import streams
from tapehead.text.plain import escape_json, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console
    from rich.text import Text

# A pipe has no width: lines stay whole for grep and cut.
PIPE_WIDTH = 10_000
INTERRUPTED = 130
# Since click 8.2; before, it prints the help by itself.
_NO_ARGUMENTS: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())


class Failure(click.ClickException):
    """A command that could not do what it was asked: says what is wrong and what to do next, and exits with 1."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def show(self, file: IO[str] | None = None) -> None:
        """Print it."""
        show_error(self.message, self.hint, file)


def console(*, stderr: bool = False, file: IO[str] | None = None) -> Console:
    """A console for this moment's stdout (or stderr): plain and unwrapped in a pipe, without colours under NO_COLOR."""
    from rich.console import Console  # noqa: PLC0415 - a command that only prints text must not wait for it

    stream = streams.below(file or (sys.stderr if stderr else sys.stdout))
    piped = not stream.isatty()
    colourless = piped or bool(os.environ.get("NO_COLOR"))
    made = Console(
        file=stream,
        color_system=None if colourless else "auto",
        force_terminal=False if piped else None,
        width=PIPE_WIDTH if piped else None,
        soft_wrap=piped,
        markup=False,
        emoji=False,
        highlight=False,
    )
    made.push_render_hook(streams.Cleaning())  # type: ignore[arg-type]  # by its shape: rich need not be loaded for it
    return made


def print_hanging(out: Console, line: str | Text, indent: int) -> None:
    """Print a line; where the terminal has to break it, the rest stands indented below."""
    if not out.is_terminal:
        out.print(line, soft_wrap=True)
        return
    from rich.text import Text  # noqa: PLC0415 - as above

    whole = Text(line) if isinstance(line, str) else line
    for number, part in enumerate(whole.wrap(out, max(20, out.width - indent))):
        out.print(Text(" " * indent if number else "").append_text(part), soft_wrap=True)


def show_error(message: str, hint: str = "", file: IO[str] | None = None) -> None:
    """Print what is wrong, and after a blank line what to do about it."""
    if _is_piped(file):
        _print_piped(f"error: {message}" + (f"\n\nhint: {hint}" if hint else ""), file)
        return
    from rich.text import Text  # noqa: PLC0415 - as above

    lines = Text.assemble(("error", "bold red"), f": {message}")
    if hint:
        lines.append_text(Text.assemble("\n\n", ("hint", "bold cyan"), f": {hint}"))
    console(stderr=True, file=file).print(lines)


def show_note(message: str) -> None:
    """Print something worth knowing that is no error."""
    if _is_piped(None):
        _print_piped(f"note: {message}", None)
        return
    from rich.text import Text  # noqa: PLC0415 - as above

    console(stderr=True).print(Text.assemble(("note", "bold yellow"), f": {message}"))


def _is_piped(file: IO[str] | None) -> bool:
    return not streams.below(file or sys.stderr).isatty()


def _print_piped(text: str, file: IO[str] | None) -> None:
    """Print talk where nobody sees colours: an agent that asks need not wait for what makes them."""
    stream = streams.below(file or sys.stderr)
    stream.write(plain(text) + "\n")
    stream.flush()


def show_choice(message: str) -> None:
    """Print what a command chose by itself: on stderr, in a line that a terminal does not break."""
    from rich.text import Text  # noqa: PLC0415 - as above

    out = console(stderr=True)
    out.print(Text(message, style="dim"), no_wrap=out.is_terminal, overflow="ellipsis")


def show_json(value: Any) -> None:
    """Print data for programs: never coloured, never wrapped, and what a terminal would obey is escaped."""
    sys.stdout.write(escape_json(json.dumps(value, indent=2, ensure_ascii=False)) + "\n")


def show_json_rows(value: dict[str, Any], name: str, rows: Iterable[dict[str, Any]]) -> None:
    """The same with a list that may have tens of thousands of entries, one a line: set out in full it takes many times as long."""
    head = json.dumps(value, indent=2, ensure_ascii=False)[:-2]
    each = ",\n    ".join(map(json.JSONEncoder(ensure_ascii=False).encode, rows))
    inner = f"[\n    {each}\n  ]" if each else "[]"
    sys.stdout.write(escape_json(f'{head},\n  "{name}": {inner}\n}}') + "\n")


def run(command: click.Command, args: Sequence[str] | None = None, prog_name: str | None = None) -> int:
    """Run a click command to its exit code, with every error in our form, click's own about usage included."""
    with streams.guard_for_a_while():
        return _run(command, args, prog_name)


def _run(command: click.Command, args: Sequence[str] | None, prog_name: str | None) -> int:
    try:
        result = command.main(args=args, prog_name=prog_name, standalone_mode=False)
    except _NO_ARGUMENTS as error:
        error.show()
        return int(error.exit_code)
    except click.UsageError as error:
        show_error(error.format_message(), _usage_hint(error, sys.argv[1:] if args is None else args))
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        _close_stdout()
        return 1
    except OSError as error:
        show_error(str(error), "run `tapehead doctor`")
        return 1
    return result if isinstance(result, int) else 0


def _usage_hint(error: click.UsageError, args: Sequence[str]) -> str:
    """Where click does not say at which command it stopped, it is the first word's."""
    if error.ctx and isinstance(error.ctx.command, click.Group) and (near := _nearest(error, error.ctx)):
        return f"did you mean `{error.ctx.command_path} {near}`?"
    first = next((word for word in args if not word.startswith("-")), "")
    path = error.ctx.command_path if error.ctx else f"tapehead {first}".strip()
    return f"see `{path} --help`"


def _nearest(error: click.UsageError, ctx: click.Context) -> str:
    """The command that is spelt most like the one there is not."""
    import difflib  # noqa: PLC0415 - only for a mistake
    import re  # noqa: PLC0415 - as above

    quoted = re.search("'(.*)'", error.message)
    names = ctx.command.list_commands(ctx) if isinstance(ctx.command, click.Group) else []
    return next(iter(difflib.get_close_matches(quoted[1], names, 1)), "") if quoted else ""


def _close_stdout() -> None:
    """Nobody reads any more (`| head`): what Python would still flush at its end goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
