"""How the work went: what the user asked, turn by turn, with what the agent found and did under it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.brief.present_state import end_of, told_before
from tapehead.brief.sections import A_SENTENCE, EVERYTHING, OF_THE_USER, PER_CHARACTER, WHOLE, Item, freshness_of
from tapehead.brief.tidied_words import bare_command, tidy
from tapehead.text.fence import put_in_quotes, quote, spoken
from tapehead.work_record.empty_prompts import says_nothing
from tapehead.work_record.sentence_worth import worth_of
from tapehead.work_record.sentences import flat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.facts import Fact, WorkRecord

NEWEST_ASKS = 8
PUT_OFF = 6
ASK_AT_MOST = 400
_ASK_AT_LEAST, _ASKS_SHARE, _AMPLE = 90, 7, 3
_COMMITS = 8
_LEAST_FRESH = 0.6
"""What an old sentence is worth of a new one: a reason does not grow old as fast as a step."""


def course_items(record: WorkRecord, room: int, *, ample: bool = False) -> Iterator[Item]:
    """Oldest first. What the agent said stands under the prompt that came before it."""
    longest = max(_ASK_AT_LEAST, min(ASK_AT_MOST, room // _ASKS_SHARE))
    yield from _asked(record, longest * _AMPLE if ample else longest)
    yield from _found(record, _FINDINGS if room < EVERYTHING else len(record.findings))
    yield from _committed(record, room)
    yield from _settled(record)
    yield from _done(record, room)
    yield from _changed(record, _PATHS if room < EVERYTHING else 1_000)


def _committed(record: WorkRecord, room: int) -> Iterator[Item]:
    """The commits, with what their messages say: a message is the agent's own short account of what was done and why."""
    newest = len(record.commits) - _NEWEST_COMMITS
    for n, commit in enumerate(record.commits):
        if n < len(record.commits) - _COMMITS and room < EVERYTHING:
            continue
        if under := _prompt_before(record, commit.at):
            short = f"  → committed {commit.id} {put_in_quotes(commit.subject, 100)}"
            most = A_SENTENCE * (1 + (n >= newest)) if room < EVERYTHING else WHOLE
            text = f"{short}: {quote(commit.message, most)}" if commit.message else short
            worth = _COMMIT * len(short) + _MESSAGE * worth_of(commit.message) * (len(text) - len(short))
            yield Item("answers", text, worth * PER_CHARACTER, commit.at, under)


def _done(record: WorkRecord, room: int) -> Iterator[Item]:
    """What commands did outside of the files, with the ids and addresses that they printed: nobody can guess those again."""
    for deed in record.deeds:
        if under := _prompt_before(record, deed.at):
            most = A_SENTENCE if room < EVERYTHING else WHOLE
            text = f"  → ran `{quote(bare_command(deed.note), 60)}`: {quote(tidy(deed.text), most)}"
            yield Item("answers", text, _DEED * PER_CHARACTER * len(text), deed.at, under)


_DEED = 0.7
_NEWEST_COMMITS, _MESSAGE = 2, 0.6


def _changed(record: WorkRecord, few: int) -> Iterator[Item]:
    """Which files a turn changed: all of the newest change stands elsewhere."""
    since = record.commits[-1].at if record.commits else 0
    told = set(
        [*dict.fromkeys(change.path for change in record.changes if change.at > since)][:few]
    )  # as changed since
    for one in record.touched:
        under = _prompt_before(record, one.at)
        if under and not told.issuperset(one.paths):
            more = f" and {len(one.paths) - few} more" if len(one.paths) > few else ""
            text = f"  → changed {', '.join(quote(end_of(path), 80) for path in one.paths[-few:])}{more}"
            yield Item("answers", text, _FILES * PER_CHARACTER * len(text), one.at + 0.5, under)


_PATHS, _FILES = 6, 0.5


def _prompt_before(record: WorkRecord, at: int) -> str:
    return next((_key(ask) for ask in reversed(record.asks) if ask.at <= at), "")


def _key(ask: Fact) -> str:
    """What the lines under a prompt know it by: a yes may be said twice."""
    return f"{ask.turn}/{ask.at}"


_COMMIT, _CHOSEN = 0.6, 200


def _meant(ask: Fact, longest: int) -> str:
    """What a short reply stands for: with it a yes is a decision."""
    if ask.chooses:
        return f", that is {put_in_quotes(tidy(ask.chooses), longest)}"
    return f", to {put_in_quotes(tidy(ask.answers), longest, longest // 2)}" if ask.answers else ""


def _asked(record: WorkRecord, longest: int) -> Iterator[Item]:
    rules = [rule for rule in record.rules if rule.holds]
    newest = len(record.asks) - 1 - NEWEST_ASKS
    above = told_before(record)
    by_number = {fact.at for fact in record.decisions if fact.note == "answer"}
    for n, ask in enumerate(record.asks[:-1]):
        if ask in above:
            yield Item("asked", f"- t{ask.turn}, told above:", 0.0, ask.at, _key(ask))
            continue
        if ask.at in by_number:
            yield Item(
                "asked", f"- t{ask.turn} answered the agent's points one by one, told above", 0.5, ask.at, _key(ask)
            )
            continue
        words = _beside_rules(ask, rules)
        text = f"- t{ask.turn} {put_in_quotes(words, longest, longest // 4)}" if words else f"- t{ask.turn}:"
        if words and (meant := _meant(ask, _CHOSEN if longest > _ASK_AT_LEAST * 3 else _CHOSEN * 2 // 3)):
            text = f"- t{ask.turn} {put_in_quotes(words, longest)}{meant}"
            yield Item("asked", text, OF_THE_USER * len(text), ask.at, _key(ask))
            continue
        direction = _direction(words, new=n == 0 or n >= newest)
        yield Item("asked", text, direction * OF_THE_USER * len(text), ask.at, _key(ask))
    for ask in record.asks[-1:]:
        yield Item("asked", f"- t{ask.turn}, the last prompt:", 0.0, ask.at, _key(ask))


def _beside_rules(ask: Fact, rules: list[Fact]) -> str:
    """A prompt without the sentences that stand among the rules."""
    words = flat(spoken(ask.text))
    for rule in rules:
        if rule.turn == ask.turn and rule.text in words:
            words = words.replace(rule.text, _GONE)
    words = _GAPS.sub(_GONE, words) if _GONE in words else words
    return words if words.strip(f"{_GONE} .!") else ""


_GONE = "…"
_GAPS = re.compile(r"(?:[-*•] )?…(?:[ .!]*(?:[-*•] )?…)*")


def _direction(prompt: str, *, new: bool) -> float:
    """How much a prompt sets the direction: a yes not at all, an old question little."""
    if says_nothing(prompt):
        return 0.0
    lowered = prompt.lower()
    if _DIRECTS.search(lowered):
        return 1.1 if new else 0.9
    asks = lowered.rstrip().endswith("?") and len(prompt) < _A_QUESTION and not _REQUESTS.search(lowered)
    if asks or lowered.startswith(_SHELL):
        return _ASKED_LATELY if new else 0.25
    return 1.0 if new else 0.7


def _settled(record: WorkRecord) -> Iterator[Item]:
    """What the agent wrote down as decided, with the document: the whole of it can be read there."""
    newest = {finding.document: finding for finding in record.settled}
    for path, finding in newest.items():
        yield Item("decided", f"- in {quote(end_of(path), 100)} (t{finding.turn}):", 0.0, finding.at, path)
    for finding in record.settled:
        text = f"  → {quote(tidy(finding.text), A_SENTENCE)}"  # a decision grows old only with its document
        order = newest[finding.document].at + finding.at / (record.steps + 1)
        yield Item("written", text, finding.worth * PER_CHARACTER * len(text), order, finding.document)


_FINDINGS = 120
"""How many are weighed against each other: a brief has room for a third of them."""
_TELLS_LITTLE = 0.33
_NAMES = re.compile(r"[`/_#\d]|[a-z][A-Z]")
"""A sentence that neither gives a reason nor names a thing is talk."""
_A_QUESTION, _ASKED_LATELY = 120, 0.8
_SHELL = "! "
_REQUESTS = re.compile(
    r"\b(?:can|could|would|will|should|shall) (?:you|u|we|i)\b|\b(?:please|pls|let'?s|how about|what if|make|add|create)\b"
)
_DIRECTS = re.compile(
    r"\b(?:i'?ll|i will|i'?m going to|myself|you (?:can|may|run|do|should)|i (?:grant|allow|want|need|prefer|expected|would have)|remove|"
    r"revert|instead|not|don'?t|never|only|must|first|no|wrong|but)\b"
)
"""Words that give leave, keep something back, correct or set a limit: what a successor must not miss."""


def _found(record: WorkRecord, most: int) -> Iterator[Item]:
    put_off = {fact.text for fact in record.put_off[:PUT_OFF]}  # those stand among what is open
    newest = record.asks[-1].turn if record.asks else 0
    told = [*enumerate(record.findings)]
    if len(told) > most:
        told = sorted(told, key=lambda one: -one[1].worth * (1 + (one[1].turn == newest)))[:most]
    for n, finding in told:
        if finding.text in put_off or (finding.worth < _TELLS_LITTLE and not _NAMES.search(finding.text)):
            continue
        fresh = _LEAST_FRESH + (1 - _LEAST_FRESH) * freshness_of(record, finding.at)
        said = quote(tidy(finding.text), A_SENTENCE)
        worth = finding.worth * (fresh + (finding.turn == newest)) * PER_CHARACTER * len(said)
        place = finding.at + n / (2 * len(record.findings) + 1)  # the points of one message in their order
        if under := _prompt_before(record, finding.at):
            yield Item("answers", f"  {'⇢' if finding.from_subagent else '→'} {said}", worth, place, under)
        else:
            yield Item("decided", f"- {said}", worth / 2, place)  # nobody knows any more what it answered
