"""`tapehead bench recall`: whether a search finds the turn that a later prompt goes back to."""

from __future__ import annotations

import os
import random
import tempfile
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import click

from tapehead.agents.readers import agent_of_file, follower_of
from tapehead.benchmark.named import names
from tapehead.cli.bench_corpus import files_in, open_unpacked, own, said
from tapehead.cli.output import Failure, console, show_json
from tapehead.history import layers
from tapehead.history.compression import unpack_body as whole
from tapehead.history.database import Database
from tapehead.history.entry_making import Entries
from tapehead.history.search import Wanted, search
from tapehead.history.writing import Keeper, prepare
from tapehead.text.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEED = 11
_FEW = 3
"""Turns in which a name stands that may be the ones a prompt goes back to: one that is everywhere points nowhere."""
_QUESTION = 300
"""Characters of a prompt that is asked: a longer one is a task with a paste in it, and nobody searches for it so."""
_PASTED = ("!", "`", "+", "-", ">", "/", "<", "{", "[", "|")
"""How commands, quotations, code and differences begin."""
_ASKED = 20
_SAID = "SELECT e.turn, e.kind, e.body FROM entries e WHERE e.session = ? AND e.layer = 2 AND e.turn > 0 ORDER BY e.id"


class Question(NamedTuple):
    """A prompt that goes back to something, and where that was."""

    session: str
    turn: int
    text: str
    answers: frozenset[int]
    """Turns before it, of the same session."""


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--sample", metavar="N", type=click.IntRange(min=1), help="Only N of the questions, always the same ones."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def recall(*, paths: tuple[str, ...], sample: int | None, as_json: bool) -> None:
    r"""Measure whether search finds what later prompts refer to.

    It takes prompts that name something rare, such as a file. The right answer is the earlier turns with that name.
    Nothing is written or sent.

    PATH is a transcript (.jsonl or .jsonl.gz) or a directory of them. Default: all transcripts of Claude Code.

    \b
    Examples:
      tapehead bench recall
      tapehead bench recall --sample 200 ~/.claude/projects/my-project
      tapehead bench recall --json | jq '.["hit@5"]'
    """
    files = files_in(paths or (own(os.environ),))
    with tempfile.TemporaryDirectory() as place, Database(os.path.join(place, "memory.db"), bulk=True) as database:
        _take_in(database, files)
        asked = list(_questions(database))
        if sample is not None and sample < len(asked):
            asked = random.Random(_SEED).sample(asked, sample)  # noqa: S311  a draw, not a secret
        with said(f"{count(len(asked), 'question')}"):
            places = [_place(database, question) for question in asked]
    if not places:
        raise Failure(
            f"No prompt refers to an earlier turn in {count(len(files), 'transcript')}",
            "name longer transcripts",
        )
    told = {f"hit@{most}": sum(place < most for place in places) / len(places) for most in (1, 5, 10)}
    if as_json:
        show_json({"transcripts": len(files), "questions": len(places), **told})
        return
    shares = ", ".join(f"{name} {100 * share:.1f} %" for name, share in told.items())
    console().print(f"{count(len(places), 'question')} from {count(len(files), 'transcript')}: {shares}")


def _take_in(database: Database, files: list[str]) -> None:
    keeper = Keeper(database)
    for number, path in enumerate(files, 1):
        agent = agent_of_file(path) or "claude"
        follower = follower_of(agent)
        if follower is None:
            continue
        try:
            with said(f"{number} of {len(files)}: {os.path.basename(path)}"), open_unpacked(path) as plain:
                entries = Entries()
                for batch in follower.follow(plain, final=True):
                    keeper.take(os.path.basename(path).partition(".")[0], agent, path, prepare(batch, entries))
        except (OSError, EOFError) as error:
            console(stderr=True).print(f"note: {path} skipped: {error}")


def _questions(database: Database) -> Iterator[Question]:
    for number, session in database.rows("SELECT number, id FROM sessions ORDER BY number"):
        named: dict[str, set[int]] = defaultdict(set)
        prompts: list[tuple[int, str, set[str]]] = []
        for turn, kind, body in database.rows(_SAID, (number,)):
            text = whole(body)
            found = names(text)
            if kind == layers.PROMPT:
                prompts.append((int(str(turn)), text, found))
            for name in found:
                named[name].add(int(str(turn)))
        for turn, text, found in prompts:
            before = [{one for one in named[name] if one < turn} for name in found]
            answers = frozenset(one for turns in before if 0 < len(turns) <= _FEW for one in turns)
            if answers and len(text) <= _QUESTION and not text.lstrip().startswith(_PASTED):
                yield Question(str(session), turn, text, answers)


def _place(database: Database, question: Question) -> int:
    """The place of the first turn that answers, among those before the prompt; 99 where there is none."""
    hits = search(database, Wanted(question.text, limit=_ASKED))
    earlier = dict.fromkeys(
        (hit.session, hit.turn) for hit in hits if (hit.session, hit.turn) != (question.session, question.turn)
    )
    turns = [(session, turn) for session, turn in earlier if session != question.session or turn < question.turn]
    answers = {(question.session, turn) for turn in question.answers}
    return next((place for place, turn in enumerate(turns) if turn in answers), 99)
