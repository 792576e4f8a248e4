"""From a work record to lines: every fact in the words in which it would be handed back, with what it is worth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.brief.agent_summary import lasting
from tapehead.brief.course import ASK_AT_MOST, PUT_OFF, course_items
from tapehead.brief.extras import extra_items
from tapehead.brief.failures import failed_items
from tapehead.brief.plan import plan_items
from tapehead.brief.present_state import end_of, is_told_as_failed, present_items, told_before
from tapehead.brief.sections import A_SENTENCE, ALWAYS, OF_THE_USER, PER_CHARACTER, Item, freshness_of
from tapehead.brief.selection import SMALL_ROOM
from tapehead.brief.tidied_words import shape_of
from tapehead.text.fence import put_in_quotes, quote, single
from tapehead.work_record.commands import only_looks
from tapehead.work_record.sentence_worth import worth_of
from tapehead.work_record.sentences import flat, sentences, tells
from tapehead.work_record.todos import SAID_DONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.brief.inputs import Extras
    from tapehead.work_record.facts import Change, Fact, View, WorkRecord

_A_COMMAND = 240
_A_WHILE = 25
"""Steps after which a command that was run once and is for nothing in particular has served."""


def items(
    digest: WorkRecord, room: int, extras: Extras | None, *, ample: bool = False, spare: int = 0
) -> Iterator[Item]:
    """Every line that could be handed back; where there is ample room, prompts and last words as long as they are.

    `spare` is what nothing else needs: the newest prompt may be longer by that.
    """
    whole = extras is not None and extras.goes_on
    now = list(present_items(digest, room, whole=whole, ample=ample, spare=spare))
    yield from now
    shown = " ".join(one.text for one in now if one.worth == ALWAYS)
    for gather in _GATHER:
        found = course_items(digest, room, ample=ample) if gather is course_items else gather(digest, room)
        yield from (one for one in found if one.section not in _SAID or not _is_shown(one, shown))
    if extras is not None:
        yield from extra_items(digest, extras)


_SAID = ("open", "answers", "decided", "plan")
"""Sections of sentences: one of the last prompt or the last words, which are quoted anyway, is not told again."""


_UNDER_WORDS, _LISTED = ("plan", "answers", "decided"), ("answers", "decided")
"""Sections of which a line may begin with the words that it stood under, and hold several points."""


def _is_shown(item: Item, shown: str) -> bool:
    words = _bare(item.text)
    heading, _, line = words.partition(": ")
    said = (line or heading).split("; ") if item.section in _LISTED else [line or heading]
    return words in shown or (item.section in _UNDER_WORDS and all(one in shown for one in said))


def _bare(line: str) -> str:
    """The words of a line, without what stands before them."""
    words = line.strip(" -→")
    turn, _, said = words.partition(": ")
    return single(said if turn[:1] == "t" and turn[1:].isdigit() else words)


def _open(digest: WorkRecord, room: int) -> Iterator[Item]:
    """Give what is on the task list and not done, and what was put off."""
    for n, todo in enumerate(todo for todo in digest.todos if todo.holds):
        mark = " (in progress)" if todo.note == "in_progress" else ""
        detail = quote(todo.detail, _DETAIL) if n < _DETAILED and room >= SMALL_ROOM else ""
        told = f": {detail}" if detail and detail.lower() != todo.text.lower() else ""
        yield Item("open", f"- [ ] {quote(todo.text, A_SENTENCE)}{mark}{told}", 6.0 + OF_THE_USER * len(told), n)
    for n, todo in enumerate(todo for todo in digest.todos if todo.note == SAID_DONE):
        yield Item(
            "open", f"- said to be done (t{todo.turn}), not ticked off: {quote(todo.text, A_SENTENCE)}", 2.0, 40 + n
        )
    done = [todo.text for todo in digest.todos if not todo.holds and todo.note == "completed"]
    if done:
        text = f"- ticked off: {'; '.join(quote(one, 80) for one in done[-_DONE:])}"
        yield Item("open", text, _OF_DONE * PER_CHARACTER * len(text), 50)
    for n, fact in enumerate(digest.put_off[:PUT_OFF]):
        yield Item("open", f"- t{fact.turn}: {quote(fact.text, A_SENTENCE)}", 0.5 / (1 + n), 100 + n)


_DONE, _OF_DONE = 6, 0.4
_DETAILED, _DETAIL = 3, 160


def _rules(digest: WorkRecord, _room: int) -> Iterator[Item]:
    """What the user insisted on, chose when asked, and stopped: in their own words."""
    shown = " ".join(flat(ask.text[:ASK_AT_MOST]) for ask in (*digest.asks[-1:], *told_before(digest)))
    held = [rule for rule in digest.rules if rule.holds]  # what was overruled stands with what took its place
    for n, rule in enumerate(held[:30]):
        if rule.text not in shown or rule.instead_of or rule.later:
            text = f"- {put_in_quotes(rule.text, A_SENTENCE)} (t{rule.turn}{_was(rule)})"
            yield Item("rules", text, _of_the_user(text, n), -rule.at)
    for n, fact in enumerate(fact for fact in digest.decisions if fact.note == "answer"):
        text = f"- Chosen (t{fact.turn}): {quote(fact.text, A_SENTENCE)}"
        yield Item("rules", text, _of_the_user(text, n), -fact.at)
    for n, fact in enumerate([fact for fact in digest.refusals if fact.holds][:8]):
        words = f", saying {put_in_quotes(fact.note, A_SENTENCE)}" if fact.note else ""
        text = f"- Stopped by the user (t{fact.turn}): {quote(fact.text, 140)}{words}"
        yield Item("rules", text, _of_the_user(text, n) * (1.0 if words else 0.5), -fact.at)


def _of_the_user(text: str, nth: int) -> float:
    """Their words go before all others; the newest first."""
    return 1.2 * OF_THE_USER * len(text) / (1 + nth / 10)


def _was(rule: Fact) -> str:
    """What was said later about it, or what it replaced: an earlier one, or what the agent had said."""
    later = f"; later {rule.later}" if rule.later else ""
    if rule.instead_of:
        return f", instead of {put_in_quotes(rule.instead_of, _ANSWERED)}{later}"
    return later or (f", in answer to {put_in_quotes(rule.note, _ANSWERED)}" if rule.note else "")


_ANSWERED = 100


def _files(digest: WorkRecord, room: int) -> Iterator[Item]:
    """The newest change of each file; the ones before it where there is room."""
    seen: dict[str, int] = {}
    for n, change in enumerate(digest.changes):
        nth = seen[change.path] = seen.get(change.path, 0) + 1
        text = _changed(change, change.path if room >= SMALL_ROOM else end_of(change.path))
        fresh = max(
            freshness_of(digest, change.at), _LEAST_FRESH if nth == 1 and (change.before or change.after) else 0.0
        )
        worth = _CHANGE * fresh * PER_CHARACTER * len(text) / nth**2
        yield Item("files", text, worth, n)


def _views(digest: WorkRecord, room: int) -> Iterator[Item]:
    """The files lately in view: what was done to each, where its functions stand, and what the work is about in it.

    Where few sentences fit, the names alone, as many as there are: they tell the most for their length.
    """
    done = {file.path: file.done for file in digest.files}
    for n, view in enumerate(digest.views[:_VIEWS]):
        path = quote(end_of(view.path), 80)
        if room >= SMALL_ROOM:
            if text := _in_view(view, path, done.get(view.path, "found by a search")):
                worth = _PLACES * freshness_of(digest, view.at) * PER_CHARACTER * len(text)
                yield Item("views", text, worth, n)
            continue
        if view.places:
            text = f"- {path}: {quote(', '.join(view.places), 280)}"
            yield Item("views", text, _PLACES * freshness_of(digest, view.at) * PER_CHARACTER * len(text), n - 0.01)
        for some in range(0, len(view.names), _NAMES_OF_A_LINE):
            names = view.names[some : some + _NAMES_OF_A_LINE]
            if len(names) > 1 or some == 0:
                yield Item("views", f"- {path}: {quote(', '.join(names), 280)}", 0.0, n + some / 100)


def _in_view(view: View, path: str, done: str) -> str:
    """A file in a line; nothing where nothing is known of it but a name or two."""
    placed = [place.partition(" ")[0] for place in view.places]
    others = [name for name in view.names if name not in placed][:_NAMES_OF_A_FILE]
    parts = [f"defines {', '.join(view.places)}"] if view.places else []
    parts += [f"has {', '.join(others)}"] if len(others) > 1 else []
    return f"- {path} ({done}, t{view.turn}): {quote('; '.join(parts), 280)}" if parts else ""


_NAMES_OF_A_FILE = 8
_NAMES_OF_A_LINE = 10
_VIEWS = 20
_PLACES = 0.5


def _changed(change: Change, path: str) -> str:
    """A file's newest change, in a line: where, what went, what came."""
    where = f": {quote(change.function, 80)}" if change.function else ""
    times = f", {change.edits} edits" if change.edits > 1 else ""
    before, after = (quote(piece, _A_PIECE) for piece in _apart(change.before, change.after))
    what = (
        f" `{before}` → `{after}`"
        if before and after
        else f" + `{after}`"
        if after
        else f" - `{before}`"
        if before
        else " written"
    )
    return f"- {quote(path, 160)}{where} (t{change.turn}{times}){what}"


def _apart(before: str, after: str) -> tuple[str, str]:
    """Two lines from a little before where they begin to differ, where they begin alike for long."""
    same = next((n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
    at = before.rfind(" ", 0, max(0, same - _LEAD)) + 1 if same > _LEAD * 2 else 0
    return (f"… {before[at:]}", f"… {after[at:]}") if at else (before, after)


_A_PIECE, _LEAD = 90, 15
_CHANGE, _LEAST_FRESH = 0.9, 0.35
"""The last change of a file tells how it is now, however long ago that was."""


def _commands(digest: WorkRecord, _room: int) -> Iterator[Item]:
    stems: set[str] = set()
    seen: set[str] = set()
    shapes = [shape_of(ran.text) for ran in digest.commands]
    shown: set[str] = set()
    cured = tuple(fact.text.partition("`:")[0].partition("` (")[0] for fact in digest.errors if not fact.holds)
    for ran in digest.commands[:50]:
        if ran.failed and (f"`{ran.text}".startswith(cured) or ran.outcome.startswith(_REFUSED)):
            continue  # it stands among what failed, with what worked instead
        shape = shape_of(ran.text)
        alike = shapes.count(shape)
        if alike >= _OFTEN:
            if shape in shown:
                continue
            shown.add(shape)
            yield Item("commands", f"- like `{quote(shape, _A_COMMAND)}`, {alike} times", _SHAPE * alike**0.5, -ran.at)
            continue
        old = ran.at < digest.steps - _A_WHILE
        passing = not ran.purpose and ran.times == 1 and (old or only_looks(ran.text))
        if len(ran.text) > _A_COMMAND or passing:
            continue
        if ran.purpose in seen and not ran.failed and _BAD.search(ran.outcome):
            continue  # a newer run of its like says how it is now
        when = ", ".join([f"{ran.times}x"] * (ran.times > 1) + [f"t{ran.turn}"] * bool(ran.turn))
        often = ran.times**0.7 - 0.5 if ran.purpose in seen or not ran.purpose else max(1.2, ran.times**0.7 - 0.5)
        seen.add(ran.purpose)
        sign = "failed: " if ran.failed else ""
        outcome = f" → {sign}{quote(ran.outcome, 120)}" if ran.outcome or ran.failed else ""
        outcome = " → failed, see above" if is_told_as_failed(digest, ran.text) else outcome
        stem = ran.text.partition(" 2>")[0].partition(" |")[0]
        variant = 0.25 if stem in stems else 1.0
        stems.add(stem)
        worth = variant * (_COMMAND + _PURPOSES.get(ran.purpose, 0.0)) * often * (0.3 + freshness_of(digest, ran.at))
        yield Item("commands", f"- `{quote(ran.text, _A_COMMAND)}`{when and f' ({when})'}{outcome}", worth, -ran.at)


_BAD = re.compile(r"[\u00d7\u2717]|\bFAIL|\b[1-9]\d* (?:issues?|fail\w*|errors?|problems?)\b|\.\w{1,5}:\d+:\d+: ")
_REFUSED = ("The user doesn't want", "[Request interrupted")
_OFTEN, _SHAPE = 4, 0.6
_COMMAND = 0.3
_PURPOSES = {"test": 4.5, "lint": 4.0, "build": 3.5, "format": 3.0, "commit": 0.7}
"""How the work is verified is needed with every next change; a push is not."""


def _earlier(digest: WorkRecord, _room: int) -> Iterator[Item]:
    for n, one in enumerate(filter(tells, sentences(lasting(digest.summary)))):
        text = f"- {quote(one, A_SENTENCE)}"
        yield Item("earlier", text, _EARLIER * worth_of(one) * PER_CHARACTER * len(text), n)


_EARLIER = 1.4


def _refs(digest: WorkRecord, _room: int) -> Iterator[Item]:
    for n, ref in enumerate(digest.refs[:20]):
        yield Item("refs", f"- {quote(ref.text, A_SENTENCE)}", 0.3 / (1 + n), n)


_GATHER = (_rules, _open, plan_items, course_items, failed_items, _files, _views, _commands, _earlier, _refs)
