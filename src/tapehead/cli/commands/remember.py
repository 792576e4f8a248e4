"""`tapehead remember` and `tapehead forget`: the durable memory, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tapehead.cli.here import here
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.session_input import from_stdin, keep_memory, writing
from tapehead.cli.team_sharing import share, team_of
from tapehead.memories import exclusions
from tapehead.memories.instructions import instructions_in
from tapehead.memories.memory import KINDS, Memory
from tapehead.memories.memory_files import contradictions
from tapehead.memories.memory_list import LONGEST
from tapehead.memories.proposals import Proposal, Rememberer
from tapehead.text.wording import count

if TYPE_CHECKING:
    from tapehead.memories.memory_files import Shelf


def rememberer() -> Rememberer:
    """The durable memory of this place."""
    at = here()
    return Rememberer(at.engine.layout, at.engine.settings, team=team_of(at))


@click.command()
@click.argument("words", nargs=-1, metavar="[TEXT]...")
@click.option("--type", "kind", type=click.Choice(KINDS), help="Type of memory. Default: guessed from the text.")
@click.option("--name", help="Name. Default: the first words.")
@click.option("--description", help="Its line in the list. Default: the first line of the text.")
@click.option(
    "--proposal",
    metavar="N",
    type=click.IntRange(min=1),
    help="Accept this proposal (see `tapehead memories proposals`).",
)
@click.option("--shared", is_flag=True, help="Share it with the team, through `tapehead sync`.")
@click.option("--anyway", is_flag=True, help="Save it even if the code, git or CLAUDE.md say it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def remember(  # noqa: PLR0913 - one for each option
    *,
    words: tuple[str, ...],
    kind: str | None,
    name: str | None,
    description: str | None,
    proposal: int | None,
    shared: bool,
    anyway: bool,
    as_json: bool,
) -> None:
    r"""Remember something across sessions.

    A memory with the same name is replaced. tapehead refuses what the code, git or CLAUDE.md say already; `--anyway`
    overrides that.

    \b
    Types:
      user       who you are
      feedback   how you want the work done
      project    what is going on
      reference  where to find things

    \b
    Examples:
      tapehead remember "never reformat files that the change does not touch"
      tapehead remember --type reference --name dashboards "latency is at https://grafana.example.com/d/api"
      tapehead remember --proposal 2
      tapehead remember --shared "the staging database is reset every night"
      tapehead remember --name release - < release.md
    """
    keeper = rememberer()
    with writing():
        memory = (
            _accepted(keeper, proposal)
            if proposal
            else _given(keeper.shelf, " ".join(words), kind, name, description, anyway=anyway)
        )
    if shared:
        with writing():
            share(here(), memory.kind, memory.text, memory.name)
    if as_json:
        show_json({"path": keeper.shelf.path(memory), **memory._asdict()})
    else:
        instead = f", replaces: {memory.replaces}" if memory.replaces else ""
        console().print(
            f"remembered as {memory.name} ({memory.kind}){instead}\n{keeper.shelf.path(memory)}", soft_wrap=True
        )
    if name and memory.name != name:
        show_note(f"{name!r} can't be a name; it is named {memory.name}")
    if proposal:
        say_left(keeper, proposal)
    _warn(keeper.shelf, memory)


def _accepted(keeper: Rememberer, number: int) -> Memory:
    return keeper.accept(find_proposal(keeper.proposals(), number))


def say_left(keeper: Rememberer, answered: int) -> None:
    """After an answer those below it move up: whoever answers the next must look again."""
    if answered <= (left := len(keeper.proposals())):
        show_note(f"{count(left, 'proposal')} left, with new numbers: `tapehead memories proposals`")


def find_proposal(proposed: list[Proposal], number: int) -> Proposal:
    """The proposal that a user means."""
    if not 0 < number <= len(proposed):
        raise Failure(f"No proposal {number}", "`tapehead memories proposals` lists them")
    return proposed[number - 1]


def _given(  # noqa: PLR0913 - one for each option
    shelf: Shelf, text: str, kind: str | None, name: str | None, description: str | None, *, anyway: bool
) -> Memory:
    given = from_stdin() if text in ("", "-") else text
    if not anyway and (why := exclusions.why_not(given, instructions_in(here().place.worktree))):
        raise Failure(f"Not remembered: {why}", "`--anyway` saves it all the same")
    memory, secrets = keep_memory(shelf, given, kind, source="by hand", name=name, description=description)
    if secrets:
        show_note("something in it looked like a secret and was redacted")
    return memory


def _warn(shelf: Shelf, memory: Memory) -> None:
    for one, other in contradictions(shelf.memories()):
        if memory.name in (one.name, other.name):
            show_note(f"{one.name} and {other.name} contradict each other; `tapehead forget` one of them")
    if (length := len(shelf.index_text().splitlines())) > LONGEST:
        show_note(f"the index has {length} lines; agents read only {LONGEST}. `tapehead forget NAME` removes a memory")


@click.command()
@click.argument("name")
@click.option("--proposal", "is_proposal", is_flag=True, help="NAME is the number of a proposal. Reject it for good.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def forget(*, name: str, is_proposal: bool, as_json: bool) -> None:
    r"""Delete a memory, or reject a proposed one.

    tapehead proposes memories from what you say to your agents. `tapehead memories proposals` lists them.

    \b
    Examples:
      tapehead forget dashboards
      tapehead forget --proposal 2
    """
    keeper = rememberer()
    with writing():
        told = _turned_down(keeper, name) if is_proposal else _forgotten(keeper.shelf, name.removesuffix(".md"))
        if (
            not is_proposal
            and keeper.team
            and keeper.team.withdraw(name.removesuffix(".md"), int(here().now.timestamp()))
        ):
            show_note(
                "you had shared this memory: the next `tapehead sync` takes it back. Teammates who accepted it keep it"
            )
    if as_json:
        show_json(told)
    else:
        ((what, which),) = told.items()
        console().print(f"{what.replace('_', ' ')}: {which}" if is_proposal else f"{what} {which}")
    if is_proposal:
        say_left(keeper, int(name))


def _turned_down(keeper: Rememberer, number: str) -> dict[str, str]:
    if not number.isdecimal():
        raise Failure(f"{number!r} is not the number of a proposal", "`tapehead memories proposals` lists them")
    proposal = find_proposal(keeper.proposals(), int(number[:_DIGITS]))
    keeper.drop(proposal)
    return {"turned_down": proposal.words}


_DIGITS = 9
"""More than there can be proposals; Python refuses to read numbers of thousands."""


def _forgotten(shelf: Shelf, name: str) -> dict[str, str]:
    if not shelf.forget(name):
        raise Failure(f"No memory named {name!r}", "`tapehead memories` lists the names")
    return {"forgot": name}
