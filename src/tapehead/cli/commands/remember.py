"""`tapehead remember` and `tapehead forget`: the durable memory, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tapehead.actions.remembering import Proposal, Rememberer
from tapehead.cli.here import here
from tapehead.cli.keeping import from_stdin, writing
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.durable.extract import kind_of
from tapehead.durable.index import LONGEST
from tapehead.durable.memory import KINDS, Memory, description_for, name_for
from tapehead.durable.shelf import contradictions
from tapehead.text.mask import masked
from tapehead.text.plain import plain

if TYPE_CHECKING:
    from tapehead.durable.shelf import Shelf


def rememberer() -> Rememberer:
    """The durable memory of this place."""
    at = here()
    return Rememberer(at.engine.layout, at.engine.settings)


@click.command()
@click.argument("words", nargs=-1, metavar="[TEXT]...")
@click.option("--type", "kind", type=click.Choice(KINDS), help="Which kind it is; otherwise told by its words.")
@click.option("--name", help="How it is called; otherwise its first words.")
@click.option("--description", help="The line in the index; otherwise the first line of the text.")
@click.option(
    "--proposal",
    metavar="N",
    type=click.IntRange(min=1),
    help="Remember what was proposed (`tapehead memories proposals`).",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def remember(  # noqa: PLR0913 - one for each option
    *,
    words: tuple[str, ...],
    kind: str | None,
    name: str | None,
    description: str | None,
    proposal: int | None,
    as_json: bool,
) -> None:
    r"""Remember something across sessions.

    Four kinds: user (who you are), feedback (how you want the work done), project (what goes on that git does not tell), reference (where
    things are outside). With `-`, or without text where something is piped in, the text comes from stdin. A name that is taken is written
    anew. Not worth keeping is what the code, git or CLAUDE.md already say.

    \b
    Examples:
      tapehead remember "never reformat files that the change does not touch"
      tapehead remember --type reference --name dashboards "latency is at https://grafana.example.com/d/api"
      tapehead remember --proposal 2
      tapehead remember --name release - < release.md
    """
    keeper = rememberer()
    with writing():
        memory = (
            _accepted(keeper, proposal) if proposal else _given(keeper.shelf, " ".join(words), kind, name, description)
        )
    if as_json:
        show_json({"path": keeper.shelf.path(memory), **memory._asdict()})
    else:
        console().print(f"remembered as {memory.name} ({memory.kind})\n{keeper.shelf.path(memory)}", soft_wrap=True)
    _warn(keeper.shelf, memory)


def _accepted(keeper: Rememberer, number: int) -> Memory:
    return keeper.accept(numbered(keeper.proposals(), number))


def numbered(proposed: list[Proposal], number: int) -> Proposal:
    """The proposal that a person means."""
    if number > len(proposed):
        raise Failure(f"there is no proposal {number}", "`tapehead memories proposals` lists them")
    return proposed[number - 1]


def _given(shelf: Shelf, text: str, kind: str | None, name: str | None, description: str | None) -> Memory:
    given = (from_stdin() if text in ("", "-") else text).strip()
    text, secrets = masked(plain(given))
    if not text:
        raise Failure("there is nothing to remember in it", '`tapehead remember "what should outlive this session"`')
    if secrets:
        show_note("something in it looked like a secret and was masked")
    memory = Memory(
        name_for(name or description or description_for(text)),
        kind or kind_of(text),
        plain(description or description_for(text)),
        text,
        "by hand",
    )
    return shelf.save(memory) if name else shelf.add(memory)


def _warn(shelf: Shelf, memory: Memory) -> None:
    for one, other in contradictions(shelf.memories()):
        if memory.name in (one.name, other.name):
            show_note(f"{one.name} and {other.name} contradict each other; `tapehead forget` one of them")
    if (length := len(shelf.index_text().splitlines())) > LONGEST:
        show_note(
            f"the index has {length} lines; a host reads {LONGEST} of them: `tapehead forget` what has served its time"
        )


@click.command()
@click.argument("name")
@click.option(
    "--proposal", "is_proposal", is_flag=True, help="NAME is the number of a proposal: it is never made again."
)
def forget(*, name: str, is_proposal: bool) -> None:
    r"""Forget something that was remembered, or turn a proposal down.

    \b
    Examples:
      tapehead forget dashboards
      tapehead forget --proposal 2
    """
    keeper = rememberer()
    with writing():
        if is_proposal:
            proposal = numbered(keeper.proposals(), int(name) if name.isdecimal() and int(name) else 10**9)
            keeper.drop(proposal)
            console().print(f"turned down: {proposal.words}")
            return
        if not keeper.shelf.forget(name.removesuffix(".md")):
            raise Failure(f"nothing is remembered as {name!r}", "`tapehead memories` lists the names")
    console().print(f"forgot {name.removesuffix('.md')}")
