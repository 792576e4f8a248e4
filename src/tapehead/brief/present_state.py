"""Where the work stands: the newest prompt, the agent's last words, what it had begun, what is not committed."""

from __future__ import annotations

from tapehead.brief.sections import A_SENTENCE, ALWAYS, WHOLE, Item, freshness_of
from tapehead.text.fence import quote, quoted, spoken
from tapehead.work_record.empty_prompts import says_nothing
from tapehead.work_record.work_in_flight import BESIDE

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.facts import Digest


def present_items(digest: Digest, room: int, *, whole: bool) -> Iterator[Item]:
    """Give what the next step depends on; `whole` where another session goes on with it."""
    small = _SMALL_SHARE if room < _SMALL_ROOM and not whole else 0
    longest = max(_AT_LEAST, min(WHOLE if whole else _AT_MOST, room // (_WHOLE_SHARE if whole else small or _SHARE)))
    yield from _asked(digest, longest)
    shown = bool(digest.asks) and len(digest.asks[-1].text) <= _SHORT  # beside the prompt that answers them
    for n, fact in enumerate(digest.in_flight):
        if fact.note:
            yield Item("now", f"- {fact.note}: {quote(fact.text, A_SENTENCE)}", 2.0, 2 + n)
        elif not shown or fact.text != digest.answered:
            words = max(longest, min(_LAST_WORDS, room // (small or _SHARE_OF_WORDS)))
            yield Item("now", f"- Last words (turn {fact.turn}): {quoted(fact.text, words, words // 2)}", ALWAYS, 1)
    steps = [step for step in digest.last_steps if not step.text.startswith(("read ", "searched "))]
    reported = bool(digest.in_flight and steps) and digest.in_flight[0].at > steps[-1].at  # the last words tell of them
    for n, step in enumerate(steps):
        came = f" → {'' if step.holds else 'failed: '}{quote(step.note, 120)}" if step.note else ""
        yield Item("now", f"- Step: {quote(step.text, 160)}{came}", (n + 1.0) * (0.3 if reported else 3.0), 10 + n)
    yield from _uncommitted(digest)
    yield from _beside(digest)


def _asked(digest: Digest, longest: int) -> Iterator[Item]:
    """The newest prompt; one that only says yes comes with what it says yes to, and with the last one that says more."""
    for ask in digest.asks[-1:]:
        to = ""
        if digest.answered and len(ask.text) <= _SHORT:
            said = max(_AT_LEAST // 2, longest * 2 // 3)
            to = f", in answer to {quoted(digest.answered, said, said // 2)}"
        yield Item(
            "now",
            f"- Asked last (turn {ask.turn}): {quoted(spoken(ask.text), longest, longest // 3)}{to}",
            ALWAYS,
            0,
        )
        if says_nothing(ask.text):
            told = next((one for one in reversed(digest.asks[:-1]) if not says_nothing(one.text)), None)
            if told:
                text = f"- The last prompt that says more (turn {told.turn}): {quoted(spoken(told.text), longest, longest // 3)}"
                yield Item("now", text, ALWAYS, 0.5)


_SHORT = 60
_AT_LEAST, _AT_MOST, _SHARE = 200, 800, 7
_WHOLE_SHARE = 4
_SMALL_ROOM, _SMALL_SHARE = 6_000, 10
"""In a small brief the newest words leave room for the rest."""
_LAST_WORDS, _SHARE_OF_WORDS = 1_300, 6
"""The agent's last words are its newest report, and its question to the user stands at their end."""


def _uncommitted(digest: Digest) -> Iterator[Item]:
    """The last commit, whether it was pushed, and what was changed since, as far as the transcript tells."""
    if not digest.commits:
        if digest.changes:
            yield Item("now", f"- The agent made no commit; it changed: {_paths(digest, 0)}", ALWAYS, 5)
        return
    last = digest.commits[-1]
    pushed = (
        ", pushed" if digest.pushed_at > last.at else ", not pushed since" if digest.pushed_at else ", no push seen"
    )
    since = _paths(digest, last.at)
    rest = f"; changed since: {since}" if since else "; nothing edited since"
    text = f"- Last commit {last.id} on {quote(last.branch, 80)} {quoted(last.subject, 100)} (turn {last.turn}){pushed}{rest}"
    yield Item("now", text, ALWAYS, 5)


def _paths(digest: Digest, since: int) -> str:
    paths = list(dict.fromkeys(quote(change.path, 100) for change in digest.changes if change.at > since))
    more = f" and {len(paths) - _FEW} more" if len(paths) > _FEW else ""
    return ", ".join(paths[:_FEW]) + more


_FEW = 6


def _beside(digest: Digest) -> Iterator[Item]:
    for n, fact in enumerate(digest.background[-5:]):
        # A client that is killed leaves its shells behind, one that ends takes them along: either may be so.
        since = " since" if fact.holds else " (it may have to be started again), begun in"
        told = f"{fact.note}{since} turn {fact.turn}" if fact.turn else fact.note
        # What nobody vouches for is over sooner or later.
        worth = 2.0 if fact.note != BESIDE else 2.0 * freshness_of(digest, fact.at)
        yield Item("now", f"- {told}: {quote(fact.text, A_SENTENCE)}", worth, 20 + n)
