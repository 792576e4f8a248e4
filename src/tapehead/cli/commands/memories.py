"""`tapehead memories`: what is remembered across sessions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tapehead.cli.commands.remember import rememberer
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.session_input import writing
from tapehead.documents import hand_edited
from tapehead.memories import likeness
from tapehead.memories.memory_files import contradictions
from tapehead.memories.memory_list import LONGEST
from tapehead.text.wording import count

if TYPE_CHECKING:
    from tapehead.memories.memory import Memory
    from tapehead.memories.proposals import Rememberer

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(invoke_without_command=True)
@_JSON
@click.pass_context
def memories(context: click.Context, *, as_json: bool) -> None:
    r"""List, show and search memories.

    A memory is a fact that is kept across sessions. Each is a Markdown file that you may edit. New sessions get a
    list of them.

    \b
    Examples:
      tapehead memories
      tapehead memories show dashboards
      tapehead memories search grafana
      tapehead memories proposals
    """
    if context.invoked_subcommand is None:
        _list(as_json=as_json)


@memories.command(name="list")
@_JSON
def list_(*, as_json: bool) -> None:
    """List all memories.

    \b
    Examples:
      tapehead memories list
    """
    _list(as_json=as_json)


@memories.command()
@click.argument("name")
@_JSON
def show(*, name: str, as_json: bool) -> None:
    """Show a memory, with its source.

    \b
    Examples:
      tapehead memories show dashboards
    """
    keeper = rememberer()
    found = next((each for each in keeper.shelf.memories() if each.name == name.removesuffix(".md")), None)
    if found is None:
        raise Failure(f"No memory named {name!r}", "`tapehead memories` lists the names")
    if as_json:
        show_json({"path": keeper.shelf.path(found), **found._asdict()})
        return
    text = hand_edited.bytes_of(keeper.shelf.path(found), follow=keeper.shelf.follow)
    sys.stdout.write(text.decode("utf-8", "replace"))


@memories.command()
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@_JSON
def search(*, words: tuple[str, ...], as_json: bool) -> None:
    """Search memories.

    A memory must have all the words, in any form.

    \b
    Examples:
      tapehead memories search release branch
    """
    wanted = [" ".join(word.lower().replace('"', " ").split()) for word in words]
    found = [each for each in rememberer().shelf.ordered() if _holds(each, wanted)]
    if as_json:
        show_json([each._asdict() for each in found])
    elif not found:
        raise Failure(f"No memories match {' '.join(words)!r}")
    else:
        _show(found, {})


@memories.command()
@_JSON
def proposals(*, as_json: bool) -> None:
    """List proposed memories.

    A proposal is something you said that may be worth remembering. The list gives the reason and the source.

    \b
    Examples:
      tapehead memories proposals
      tapehead remember --proposal 1
      tapehead forget --proposal 1
    """
    found = rememberer().proposals()
    if as_json:
        show_json([each._asdict() for each in found])
        return
    for n, each in enumerate(found, 1):
        instead = f", replaces {each.replaces}" if each.replaces else ""
        console().print(f"{n:>3}  {each.words}\n     {each.kind}, {each.why}{instead} ({each.source})", soft_wrap=True)
    if not found:
        console().print("No proposals")


def _list(*, as_json: bool) -> None:
    keeper = rememberer()
    with writing():
        keeper.shelf.align()
    found = keeper.shelf.ordered()
    against = _against(found)
    if as_json:
        rows = [
            {**each._asdict(), "path": keeper.shelf.path(each), "contradicts": against.get(each.name, [])}
            for each in found
        ]
        show_json({"directory": keeper.shelf.directory, "memories": rows, "proposals": len(keeper.proposals())})
        return
    _show(found, against)
    if not found:
        console().print('No memories yet. Save one: `tapehead remember "…"`')
    _say_more(keeper)


def _say_more(keeper: Rememberer) -> None:
    if waiting := keeper.proposals():
        console().print(f"{count(len(waiting), 'proposal')}: `tapehead memories proposals`", style="dim")
    if (length := len(keeper.shelf.index_text().splitlines())) > LONGEST:
        show_note(f"the index has {length} lines; agents read only {LONGEST}. `tapehead forget NAME` removes a memory")


def _against(found: list[Memory]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for one, other in contradictions(found):
        names.setdefault(one.name, []).append(other.name)
        names.setdefault(other.name, []).append(one.name)
    return names


def _show(found: list[Memory], against: dict[str, list[str]]) -> None:
    wide = max((len(each.name) for each in found), default=0)
    for each in found:
        clash = f"  (contradicts {', '.join(against[each.name])})" if each.name in against else ""
        console().print(f"{each.name:<{wide}}  {each.kind:<9}  {each.description}{clash}", soft_wrap=True)


def _holds(memory: Memory, wanted: list[str]) -> bool:
    text = f"{memory.name} {memory.description} {memory.text} {memory.kind}".lower()
    stems, flat = likeness.words(text), " ".join(text.split())
    return all(_stands_in(word, flat, stems) for word in wanted)


def _stands_in(word: str, text: str, stems: frozenset[str]) -> bool:
    """A word in any form; several in quotes must stand side by side."""
    return word in text or (len(word.split()) == 1 and bool(likeness.words(word) & stems))
