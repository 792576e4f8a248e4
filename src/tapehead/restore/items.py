"""From a digest to lines: every fact in the words in which it would be handed back, with what it is worth."""

from __future__ import annotations

from tapehead.restore.fence import clean, quote, quoted
from tapehead.restore.sections import Item
from tapehead.transcript.inflight import BESIDE
from tapehead.transcript.sentences import flat, sentences, tells

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.restore.given import Extras
    from tapehead.transcript.found import Digest, Fact

ALWAYS = 1e6
"""Worth more than any room: it is dropped only where it does not fit at all."""
NEWEST_ASKS = 10
_SYMBOLS = 5
_A_WHILE = 25
"""Steps after which a command that was run once and is for nothing in particular has served."""
_COMMAND, _PURPOSE = 0.3, 3.0
_A_SENTENCE, _A_LINE, _A_COMMAND = 300, 160, 300


def items(digest: Digest, room: int, extras: Extras | None) -> Iterator[Item]:
    """Every line that could be handed back."""
    now = list(_now(digest, room, longest=_WHOLE if extras is not None and extras.goes_on else _NOW_AT_MOST))
    yield from now
    shown = " ".join(one.text for one in now if one.worth == ALWAYS)
    for gather in _GATHER:
        yield from (one for one in gather(digest, room) if one.section not in _SAID or _bare(one.text) not in shown)
    if extras is not None:
        yield from _extras(extras)
        yield from _began(digest, extras)


_SAID = ("open", "answers", "decided")
"""Sections of sentences that the agent said: one of its last words, which are quoted anyway, is not told again."""


def _bare(line: str) -> str:
    """The words of a line, without what stands before them."""
    words = line.strip(" -→")
    return words.partition(": ")[2] if words.startswith("turn ") else words


def _now(digest: Digest, room: int, longest: int) -> Iterator[Item]:
    """Give the newest prompt, the agent's last words, and what it had begun."""
    longest = max(_NOW_AT_LEAST, min(longest, room // (_NOW_SHARE if longest < _WHOLE else _WHOLE_SHARE)))
    for ask in digest.asks[-1:]:
        yield Item("now", f"- Asked last (turn {ask.turn}): {quoted(ask.text, longest, longest // 4)}", ALWAYS, 0)
    for n, fact in enumerate(digest.in_flight):
        if fact.note:
            yield Item("now", f"- {fact.note}: {quote(fact.text, _A_SENTENCE)}", 2.0, 2 + n)
        else:
            yield Item("now", f"- Last words (turn {fact.turn}): {quoted(fact.text, longest, longest // 3)}", ALWAYS, 1)
    for n, step in enumerate(step for step in digest.last_steps if step.note):  # the others stand among the last calls
        came = f" → {'' if step.holds else 'failed: '}{quote(step.note, 120)}" if step.note else ""
        yield Item("now", f"- Step: {quote(step.text, 160)}{came}", 0.15 * (n + 1), 10 + n)
    for n, fact in enumerate(digest.background[-5:]):
        # A client that is killed leaves its shells behind, one that ends takes them along: either may be so.
        since = " since" if fact.holds else " (it may have to be started again), begun in"
        told = f"{fact.note}{since} turn {fact.turn}" if fact.turn else fact.note
        worth = (
            2.0 if fact.note != BESIDE else 2.0 * _fresh(digest, fact.at)
        )  # what nobody vouches for is over sooner or later
        yield Item("now", f"- {told}: {quote(fact.text, _A_SENTENCE)}", worth, 20 + n)


def _asked(digest: Digest, room: int) -> Iterator[Item]:
    """Give the first prompt and the newest ones, word for word."""
    longest = max(_ASK_AT_LEAST, min(_ASK_AT_MOST, room // _ASKS_SHARE))
    older = digest.asks[:-1]
    answers = {answer.turn: answer for answer in digest.answers}
    last = {ask.turn: ask for ask in digest.asks}  # of several asks in a turn, the answer is to the last
    chosen = dict.fromkeys((*older[:1], *older[-NEWEST_ASKS:]))
    for n, ask in enumerate(chosen):
        yield Item("asked", _ask(ask, longest), len(ask.text[:longest]) * _PER_CHARACTER, n, ask.text)
        if (answer := answers.get(ask.turn)) and last[ask.turn] is ask:
            yield Item("answers", f"    → {quote(answer.text, longest)}", 0.5, n + 0.5, ask.text)
    for n, ask in enumerate(older[1:-NEWEST_ASKS]):
        yield Item("asked", _ask(ask, longest // 2), 0.05, n / len(older))


_PER_CHARACTER = 0.08
_NOW_AT_LEAST, _NOW_AT_MOST, _NOW_SHARE = 200, 700, 6
_WHOLE, _WHOLE_SHARE = 2_400, 4
_ASK_AT_LEAST, _ASK_AT_MOST, _ASKS_SHARE = 90, 340, 7


def _ask(ask: Fact, longest: int) -> str:
    return f"- turn {ask.turn}: {quoted(ask.text, longest, longest // 10)}"


def _open(digest: Digest, _room: int) -> Iterator[Item]:
    """Give what is on the task list and not done, and what was put off."""
    for n, todo in enumerate(todo for todo in digest.todos if todo.holds):
        mark = " (in progress)" if todo.note == "in_progress" else ""
        yield Item("open", f"- [ ] {quote(todo.text, _A_SENTENCE)}{mark}", 6.0, n)
    for n, fact in enumerate(digest.put_off[:6]):
        yield Item("open", f"- turn {fact.turn}: {quote(fact.text, _A_SENTENCE)}", 0.5 / (1 + n), 100 + n)


def _plan(digest: Digest, _room: int) -> Iterator[Item]:
    """Give the lines of the approved plan and of prompts too long to be quoted whole: what the work is held against."""
    long = [ask for ask in (*digest.asks[:1], *digest.asks[-2:]) if len(ask.text) > _A_PLAN]
    plans = dict.fromkeys((*long, *((digest.plan,) if digest.plan else ())))
    for place, fact in enumerate(plans):
        whole = clean(fact.text[:_LOOKED_AT])  # before it is cut up: a key is only known by its first line
        for n, line in enumerate(whole[_ASK_AT_MOST * (fact is not digest.plan) : _OF_A_PLAN].splitlines()[1:]):
            if len(line.strip()) > _A_PLAN_LINE:
                yield Item(
                    "plan", f"- {quote(line.replace('**', '').strip('#-*> '), _A_SENTENCE)}", _PLAN, place + n / 1000
                )


_A_PLAN, _OF_A_PLAN, _A_PLAN_LINE = 1_000, 12_000, 20
_LOOKED_AT = 60_000
_PLAN = 0.3


def _rules(digest: Digest, _room: int) -> Iterator[Item]:
    shown = " ".join(flat(ask.text[:_ASK_AT_MOST]) for ask in (*digest.asks[:1], *digest.asks[-NEWEST_ASKS:]))
    held = [rule for rule in digest.rules if rule.holds]  # what was overruled stands with what took its place
    for n, rule in enumerate(held[:20]):
        if rule.text not in shown or rule.instead_of:
            text = f"- {quoted(rule.text, _A_SENTENCE)} (turn {rule.turn}{_was(rule)})"
            yield Item("rules", text, 0.9 / (1 + n / 6), -rule.at)


def _was(rule: Fact) -> str:
    """What a rule replaced: an earlier one, or what the agent had said."""
    if rule.instead_of:
        return f", instead of {quoted(rule.instead_of, _ANSWERED)}"
    return f", in answer to {quoted(rule.note, _ANSWERED)}" if rule.note else ""


_ANSWERED = 100


def _decided(digest: Digest, _room: int) -> Iterator[Item]:
    """Give the agent's sentences: decisions first, then whatever names what is in play."""
    decided = {fact.text for fact in digest.decisions}
    put_off = {fact.text for fact in digest.put_off[:6]}  # those stand among what is open
    for fact in digest.decisions[:40]:
        if fact.text in put_off:
            continue
        yield Item("decided", f"- {quote(fact.text, _A_SENTENCE)}", 0.8 * _fresh(digest, fact.at), -fact.at)
    for fact in digest.words[:80]:
        if fact.text not in decided and fact.text not in put_off:
            yield Item("decided", f"- {quote(fact.text, _A_SENTENCE)}", 0.2 * _fresh(digest, fact.at), -fact.at)


def _fresh(digest: Digest, at: int) -> float:
    return 1 / (1 + (digest.steps - at) / 30)


def _made(digest: Digest, room: int) -> Iterator[Item]:
    """Give the newest calls word for word: which file, which text, which search, as a next call will name them."""
    for n, fact in enumerate(digest.made[: max(_FEWEST_CALLS, room // _PER_CALL)]):
        text = f"- {quote(fact.text, _A_CALL)}{'' if fact.holds else ' (failed)'}"
        yield Item("made", text, len(text) * _CALL_PER_CHARACTER, n)


_FEWEST_CALLS, _PER_CALL, _A_CALL = 3, 500, 500
_CALL_PER_CHARACTER = 0.06


def _files(digest: Digest, _room: int) -> Iterator[Item]:
    for n, file in enumerate(digest.files[:40]):
        symbols = ": " + quote(", ".join(file.symbols[:_SYMBOLS]), _A_SENTENCE) if file.symbols else ""
        text = f"- {quote(file.path, 200)}{symbols} ({file.done}, turn {file.turn})"
        yield Item("files", text, (0.8 if file.changed else 0.4) * _fresh(digest, file.at), n, file.path)


def _lines(digest: Digest, _room: int) -> Iterator[Item]:
    """Lines of the files in play, each under its file: what was written, then what was seen, in its order."""
    order = {file.path: n for n, file in enumerate(digest.files[:40])}
    for n, line in enumerate(digest.lines):
        place = order.get(line.path)
        number = int(line.mark) if line.mark.isdecimal() else 0
        if place is not None:
            within = 0.5 + number / 1e6 if number else n / 10_000
            yield Item("lines", f"    {line.mark} {quote(line.text, _A_LINE)}", 0.0, place + within, line.path)
        else:
            where = f"{quote(line.path, 200)}:{line.mark}" if number else quote(line.path, 200)
            yield Item("files", f"- {where} {quote(line.text, _A_LINE)}", 0.0, 100 + n)


def _commands(digest: Digest, _room: int) -> Iterator[Item]:
    stems: set[str] = set()
    for ran in digest.commands[:50]:
        passing = not ran.purpose and ran.times == 1 and ran.at < digest.steps - _A_WHILE
        if len(ran.text) > _A_COMMAND or passing:
            continue
        times = f" ({ran.times}x)" if ran.times > 1 else ""
        sign = "failed: " if ran.failed else ""
        outcome = f" → {sign}{quote(ran.outcome, 120)}" if ran.outcome or ran.failed else ""
        stem = ran.text.partition(" 2>")[0].partition(" |")[0]
        variant = 0.4 if stem in stems else 1.0
        stems.add(stem)
        worth = (
            variant
            * (_COMMAND + _PURPOSE * bool(ran.purpose))
            * (ran.times**0.7 - 0.5)
            * (0.3 + _fresh(digest, ran.at))
        )
        yield Item("commands", f"- `{quote(ran.text, _A_COMMAND)}`{times}{outcome}", worth, -ran.at)


def _errors(digest: Digest, _room: int) -> Iterator[Item]:
    for fact in digest.errors[:20]:
        note = "open" if fact.holds else quote(fact.note, 160)
        worth = (1.0 if fact.holds else 0.2) * _fresh(digest, fact.at)
        yield Item("errors", f"- {quote(fact.text, _A_SENTENCE)} ({note})", worth, -fact.at)


def _earlier(digest: Digest, _room: int) -> Iterator[Item]:
    for n, one in enumerate(filter(tells, sentences(digest.summary))):
        yield Item("earlier", f"- {quote(one, _A_SENTENCE)}", 0.05, n)


def _refs(digest: Digest, _room: int) -> Iterator[Item]:
    for n, ref in enumerate(digest.refs[:20]):
        yield Item("refs", f"- {quote(ref.text, _A_SENTENCE)}", 0.3 / (1 + n), n)


def _extras(extras: Extras) -> Iterator[Item]:
    for section, label, texts in (
        ("now", "Focus", extras.focus),
        ("now", "Note", extras.notes),
        ("now", "Rewound", extras.put_back),
        ("now", "Thought last", extras.thoughts),
        ("open", "Next", extras.next_steps),
        ("open", "Thread", extras.threads[:5]),
        ("before", "", extras.before),
        ("decided", "", extras.adrs),
        ("project", "", extras.project),
        ("archive", "", extras.archive),
    ):
        for n, text in enumerate(texts):
            said = quote(text, _WHOLE // 2 if text in extras.thoughts else _A_SENTENCE)
            said = f"{label}: {said}" if label else said
            yield Item(section, f"- {said}", ALWAYS if section == "now" else 3.0, -1000 + n)
    for n, (section, text, by_a_person) in enumerate(extras.noted):
        yield Item(section, f"- {quote(text, _A_SENTENCE)}", _BY_A_PERSON if by_a_person else _NOTED, n - 900)


def _began(digest: Digest, extras: Extras) -> Iterator[Item]:
    """Give what the person said first of all, where the digest came too late for it."""
    told = "\n".join(flat(fact.text) for fact in (*digest.rules, *digest.asks)) if extras.began else ""
    for n, (section, words) in enumerate(extras.began):
        if words[:_KNOWN_BY] not in told:
            yield Item(section, f"- early on: {quoted(words, _A_SENTENCE)}", _BY_A_PERSON, n - 950)
            told += "\n" + words[:_A_SENTENCE]


_KNOWN_BY = 60
"""Letters by which a sentence is known again: the notes have long ones cut."""
_BY_A_PERSON, _NOTED = 5.0, 0.1
"""What a person wrote into the notes goes before what a digest finds; what the notes have from long ago is worth what it names."""

_GATHER = (_asked, _open, _rules, _plan, _decided, _made, _files, _lines, _commands, _errors, _earlier, _refs)
