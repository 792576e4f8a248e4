"""`tapehead thread`: the open ends that outlive a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tapehead.cli.here import here
from tapehead.cli.output import Failure, console, show_json
from tapehead.cli.session_input import writing
from tapehead.documents import outline, threads

if TYPE_CHECKING:
    from tapehead.documents.threads import Thread

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(invoke_without_command=True)
@click.pass_context
def thread(ctx: click.Context) -> None:
    r"""Keep a list of open threads: things to come back to.

    A brief holds the newest five. The list is a file, threads.md, that you may edit.

    \b
    Examples:
      tapehead thread add "limit the rate of the search"
      tapehead thread
      tapehead thread done 3
      tapehead thread done "limit the rate"
    """
    if ctx.invoked_subcommand is None:
        _list(show_all=False, as_json=False)


@thread.command()
@click.argument("words", nargs=-1, required=True, metavar="TEXT")
@_JSON
def add(*, words: tuple[str, ...], as_json: bool) -> None:
    r"""Add a thread, with today's date.

    \b
    Examples:
      tapehead thread add "limit the rate of the search"
    """
    text = outline.one_line(" ".join(words))
    if not text:
        raise Failure("A thread needs a text", '`tapehead thread add "what is still open"`')
    at = here()
    with writing():
        found = threads.add(at.engine.layout, text, at.now.astimezone().date().isoformat())
    _answer(found, "open", as_json=as_json)


@thread.command()
@click.argument("which", metavar="N|TEXT")
@_JSON
def done(*, which: str, as_json: bool) -> None:
    r"""Mark a thread as done.

    Name it by its number in the list, or by the beginning of its text.

    \b
    Examples:
      tapehead thread done 3
      tapehead thread done "limit the rate"
    """
    layout = here().engine.layout
    with writing():
        found = _meant(threads.threads(layout), which)
        if not threads.tick(layout, found):
            raise Failure(f"thread {found.number} changed in the meantime", "`tapehead thread list`, and try again")
    _answer(found._replace(done=True), "done", as_json=as_json)


@thread.command(name="list")
@click.option("--all", "show_all", is_flag=True, help="Include those that are done.")
@_JSON
def list_(*, show_all: bool, as_json: bool) -> None:
    r"""List the open threads with their numbers.

    \b
    Examples:
      tapehead thread list
      tapehead thread list --all --json | jq 'map(select(.done)) | length'
    """
    _list(show_all=show_all, as_json=as_json)


def _list(*, show_all: bool, as_json: bool) -> None:
    layout = here().engine.layout
    with writing():
        found = [each for each in threads.threads(layout) if show_all or not each.done]
    if as_json:
        show_json([_as_data(each) for each in found])
        return
    for each in found:
        console().print(_told(each), style="dim" if each.done else None)
    if not found:
        console().print('No open threads. Add one: `tapehead thread add "…"`')


def _meant(found: tuple[Thread, ...], which: str) -> Thread:
    """The one open thread that a number or a beginning names. A text that is a number is found by its beginning, too."""
    still_open = [each for each in found if not each.done]
    numbered = [each for each in still_open if which.isdecimal() and each.number == int(which[:9])]
    alike = [each for each in still_open if each.text.casefold().startswith(outline.one_line(which).casefold())]
    exact = [each for each in alike if each.text == outline.one_line(which)]
    meant = numbered or exact or alike
    if len(meant) != 1:
        what = f"{len(meant)} open threads begin with" if meant else "No open thread"
        raise Failure(f"{what} {which!r}", "`tapehead thread list` shows them with their numbers")
    return meant[0]


def _answer(found: Thread, word: str, *, as_json: bool) -> None:
    if as_json:
        show_json(_as_data(found))
    else:
        console().print(f"{word}: {_told(found)}")


def _as_data(found: Thread) -> dict[str, Any]:
    return {name: value for name, value in found._asdict().items() if name != "line"}


def _told(found: Thread) -> str:
    dated = f" ({found.date})" if found.date else ""
    return f"{found.number:>3} [{'x' if found.done else ' '}] {found.text}{dated}"
