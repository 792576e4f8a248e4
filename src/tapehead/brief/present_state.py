"""Where the work stands: the newest prompt, the agent's last words, what it had begun, what is not committed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.brief.sections import A_SENTENCE, ALWAYS, EVERYTHING, PER_CHARACTER, WHOLE, Item, freshness_of
from tapehead.brief.tidied_words import bare_command, shape_of, tidy
from tapehead.text.fence import put_in_quotes, quote, spoken
from tapehead.work_record.commands import only_looks
from tapehead.work_record.empty_prompts import says_nothing
from tapehead.work_record.replies import is_reply
from tapehead.work_record.work_in_flight import BESIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.facts import Fact, WorkRecord


def present_items(record: WorkRecord, room: int, *, whole: bool, ample: bool = False, spare: int = 0) -> Iterator[Item]:
    """Give what the next step depends on; `whole` where another session goes on with it, `ample` where there is much room."""
    small = _SMALL_SHARE if room < _SMALL_ROOM and not (whole or ample) else 0
    most = WHOLE if whole else _AMPLE if ample else _AT_MOST
    longest = max(_AT_LEAST, min(most, room // (_WHOLE_SHARE if whole or ample else small or _SHARE)))
    yield from _asked(record, longest, spare)
    shown = bool(record.asks) and len(record.asks[-1].text) <= _SHORT  # beside the prompt that answers them
    for n, fact in enumerate(record.in_flight):
        if fact.note:
            yield Item("now", f"- {fact.note}: {quote(fact.text, A_SENTENCE)}", 2.0, 2 + n)
        elif not shown or fact.text != record.answered:
            words = max(longest, min(_LAST_WORDS, room // (small or _SHARE_OF_WORDS)))
            yield Item(
                "now", f"- Last words (t{fact.turn}): {put_in_quotes(tidy(fact.text), words, words // 2)}", ALWAYS, 1
            )
    yield from _blockers(record)
    yield from _steps(record, small=bool(small))
    yield from _uncommitted(record, _FEW if room < EVERYTHING else len(record.changes))
    yield from _tickets(record, small=bool(small))
    yield from _beside(record)


def _tickets(record: WorkRecord, *, small: bool) -> Iterator[Item]:
    """The pull requests and issues in play: their numbers, with the titles that were seen."""
    told = [
        f"{one.text}{f' {put_in_quotes(one.note, 80)}' if one.note and not small else ''} (t{one.turn})"
        for one in record.tickets[: _FEW_TICKETS // (1 + small)]
    ]
    if told:
        text = f"- In play: {', '.join(told)}"
        yield Item("now", text, 2.0 + PER_CHARACTER * len(text), 5.5)


_FEW_TICKETS = 4


def _blockers(record: WorkRecord) -> Iterator[Item]:
    """What the agent said it cannot get past, in the newest turn and the one before: whoever goes on meets it first."""
    newest = record.asks[-1].turn if record.asks else 0
    found = [
        one for one in record.findings if one.turn >= newest - 1 and not one.from_subagent and _BLOCKS.search(one.text)
    ]
    for n, one in enumerate(found[-_FEW_BLOCKERS:]):
        yield Item("now", f"- Blocker (t{one.turn}): {quote(tidy(one.text), A_SENTENCE)}", 8.0, 1.2 + n / 10)


_BLOCKS = re.compile(
    r"\b(?:(?:is|are|remains?) (?:a |the )?(?:blocked|blockers?)\b|blocked (?:by|on|until)|(?:can(?:not|'t)|unable to|could(?: not|n't)) (?:continue|proceed|go on|get past)|"
    r"waiting (?:for|on) (?:you|the user|access|approval|credentials|a password))",
    re.IGNORECASE,
)
_FEW_BLOCKERS = 2


def _steps(record: WorkRecord, *, small: bool) -> Iterator[Item]:
    """What was done since the last words, the newest first: commands that only look round, and what the line on commits says, are left out."""
    told = max(record.commits[-1].at if record.commits else 0, record.pushed_at)
    steps: dict[str, Fact] = {}
    for step in record.last_steps:
        bare = bare_command(step.text)
        looks = bare.startswith(_LOOKS) or (bare.startswith(_RAN) and only_looks(bare.removeprefix(_RAN).rstrip("`")))
        if not looks and not (bare.startswith(_COMMITS) and step.at <= told):
            steps.pop(shape_of(bare), None)  # of steps that differ by a number only, the newest
            steps[shape_of(bare)] = step
    left = [*steps.values()]
    reported = bool(record.in_flight and left) and record.in_flight[0].at > left[-1].at  # the last words tell of them
    for n, step in enumerate(left[-_FEW_STEPS:] if small else left):
        sign = "" if step.holds else "failed: "
        came = f" → {sign}{quote(tidy(step.note), 80 if small else 120)}" if step.note else ""
        if not step.holds and is_told_as_failed(record, step.text.removeprefix("ran `")):
            came = " → failed, see below"
        text = f"- Did: {quote(bare_command(step.text), 90 if small else 160)}{came}"
        yield Item("now", text, (n + 1.0) * (0.3 if reported else 2.0 if small else 3.0), 10 - n)


def is_told_as_failed(record: WorkRecord, command: str) -> bool:
    """Whether a command is an open failure of the newest turn: then what went wrong is told there, and only there."""
    newest = record.asks[-1].turn if record.asks else 0
    if only_looks(command):
        return False
    open_now = (fact.text for fact in record.errors if fact.holds and fact.turn >= newest)
    return any(f"`{command}".startswith(text.partition("`:")[0].partition("` (")[0]) for text in open_now)


_LOOKS = ("read ", "searched ", "ran `mkdir")
_RAN = "ran `"
_COMMITS = ("ran `git add", "ran `git commit", "ran `git push")
_FEW_STEPS = 3


def _asked(record: WorkRecord, longest: int, spare: int) -> Iterator[Item]:
    """The newest prompt; one that only says yes comes with what it says yes to, and with the last one that says more."""
    for ask in record.asks[-1:]:
        to = f", that is {put_in_quotes(tidy(ask.chooses), A_SENTENCE)}" if ask.chooses else ""
        if not to and record.answered and len(ask.text) <= _SHORT and not ask.text.startswith("/"):
            said = longest * 2 // 3 if says_nothing(ask.text) or is_reply(ask.text) or spare else longest // 3
            said = max(_AT_LEAST // 2, said) + spare // 2
            to = f", in answer to {put_in_quotes(tidy(record.answered), said, said // 2)}"
        again = f", {ask.earlier}" if ask.earlier and not says_nothing(ask.text) else ""
        yield Item(
            "now",
            f"- Asked last (t{ask.turn}{again}): {put_in_quotes(spoken(ask.text), longest + spare, (longest + spare) // 3)}{to}",
            ALWAYS,
            0,
        )
    for told in told_before(record):
        text = f"- The last prompt that says more (t{told.turn}): {put_in_quotes(spoken(told.text), longest, longest // 3)}"
        yield Item("now", text, ALWAYS, 0.5)


def told_before(record: WorkRecord) -> tuple[Fact, ...]:
    """Where the newest prompt says nothing by itself, the last one that does."""
    if not record.asks or not says_nothing(record.asks[-1].text):
        return ()
    told = next((one for one in reversed(record.asks[:-1]) if not says_nothing(one.text)), None)
    return (told,) if told else ()


_SHORT = 60
_AT_LEAST, _AT_MOST, _AMPLE, _SHARE = 200, 800, 1_400, 7
_WHOLE_SHARE = 4
_SMALL_ROOM, _SMALL_SHARE = 6_000, 10
"""In a small brief the newest words leave room for the rest."""
_LAST_WORDS, _SHARE_OF_WORDS = 1_300, 6
"""The agent's last words are its newest report, and its question to the user stands at their end."""


def _uncommitted(record: WorkRecord, few: int) -> Iterator[Item]:
    """The last commit, whether it was pushed, and what was changed since, as far as the transcript tells."""
    if not record.commits:
        if record.changes:
            yield Item("now", f"- No commit by the agent; changed: {_paths(record, 0, few)}", ALWAYS, 5)
        return
    last = record.commits[-1]
    pushed = (
        ", pushed" if record.pushed_at >= last.at else ", not pushed since" if record.pushed_at else ", no push seen"
    )
    since = _paths(record, last.at, few)
    rest = f"; changed since: {since}" if since else "; nothing edited since"
    text = f"- Last commit {last.id} on {quote(last.branch, 80)} {put_in_quotes(last.subject, 100)} (t{last.turn}){pushed}{rest}"
    yield Item("now", text, ALWAYS, 5)


def _paths(record: WorkRecord, since: int, few: int) -> str:
    paths = list(dict.fromkeys(quote(end_of(change.path), 80) for change in record.changes if change.at > since))
    more = f" and {len(paths) - few} more" if len(paths) > few else ""
    return ", ".join(paths[:few]) + more


def end_of(path: str) -> str:
    """The last two parts of a path: whole it stands with what was changed in it."""
    return "/".join(path.split("/")[-2:])


_FEW = 6


def _beside(record: WorkRecord) -> Iterator[Item]:
    for n, fact in enumerate(record.background[-5:]):
        # A client that is killed leaves its shells behind, one that ends takes them along: either may be so.
        since = " since" if fact.holds else " (it may have to be started again), begun in"
        told = f"{fact.note}{since} t{fact.turn}" if fact.turn else fact.note
        # What nobody vouches for is over sooner or later.
        worth = 2.0 if fact.note != BESIDE else 2.0 * freshness_of(record, fact.at)
        yield Item("now", f"- {told}: {quote(fact.text, A_SENTENCE)}", worth, 20 + n)
