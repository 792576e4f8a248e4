"""How the work went: what the user asked, turn by turn, with what the agent found and did under it."""

from __future__ import annotations

from tapehead.brief.sections import A_SENTENCE, OF_THE_USER, PER_CHARACTER, Item, freshness_of
from tapehead.text.fence import quote, quoted, spoken
from tapehead.work_record.empty_prompts import says_nothing
from tapehead.work_record.sentences import flat

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.facts import Digest, Fact

NEWEST_ASKS = 10
PUT_OFF = 6
ASK_AT_MOST = 400
_ASK_AT_LEAST, _ASKS_SHARE = 90, 7
_COMMITS = 8
_LEAST_FRESH = 0.45
"""What an old sentence is worth of a new one: a reason does not grow old as fast as a step."""


def course_items(digest: Digest, room: int) -> Iterator[Item]:
    """Oldest first. What the agent said stands under the prompt that came before it."""
    yield from _asked(digest, max(_ASK_AT_LEAST, min(ASK_AT_MOST, room // _ASKS_SHARE)))
    yield from _found(digest)
    for commit in digest.commits[-_COMMITS:]:
        if under := _prompt_before(digest, commit.at):
            text = f"    → committed {commit.id} {quoted(commit.subject, 100)}"
            yield Item("answers", text, _COMMIT * PER_CHARACTER * len(text), commit.at, under)


def _prompt_before(digest: Digest, at: int) -> str:
    return next((ask.text for ask in reversed(digest.asks) if ask.at <= at), "")


_COMMIT = 0.6


def _asked(digest: Digest, longest: int) -> Iterator[Item]:
    rules = [rule for rule in digest.rules if rule.holds]
    newest = len(digest.asks) - 1 - NEWEST_ASKS
    for n, ask in enumerate(digest.asks[:-1]):
        words = _beside_rules(ask, rules)
        text = f"- turn {ask.turn}: {quoted(words, longest, longest // 4)}" if words else f"- turn {ask.turn}:"
        direction = _direction(words, new=n == 0 or n >= newest)
        yield Item("asked", text, direction * OF_THE_USER * len(text), ask.at, ask.text)
    for ask in digest.asks[-1:]:
        yield Item("asked", f"- turn {ask.turn}, the last prompt:", 0.0, ask.at, ask.text)


def _beside_rules(ask: Fact, rules: list[Fact]) -> str:
    """A prompt without the sentences that stand among the rules."""
    words = flat(spoken(ask.text))
    for rule in rules:
        if rule.turn == ask.turn and rule.text in words:
            words = words.replace(rule.text, _GONE)
    return words if words.strip(f"{_GONE} .!") else ""


_GONE = "…"


def _direction(prompt: str, *, new: bool) -> float:
    """How much a prompt sets the direction: a yes not at all, an old question little."""
    if says_nothing(prompt):
        return 0.0
    if new:
        return 1.0
    return 0.35 if prompt.rstrip().endswith("?") and len(prompt) < _A_QUESTION else 0.7


_A_QUESTION = 120


def _found(digest: Digest) -> Iterator[Item]:
    put_off = {fact.text for fact in digest.put_off[:PUT_OFF]}  # those stand among what is open
    newest = digest.asks[-1].turn if digest.asks else 0
    for finding in digest.findings:
        if finding.text in put_off:
            continue
        fresh = _LEAST_FRESH + (1 - _LEAST_FRESH) * freshness_of(digest, finding.at)
        said = quote(finding.text, A_SENTENCE)
        worth = finding.worth * (fresh + (finding.turn == newest)) * PER_CHARACTER * len(said)
        if under := _prompt_before(digest, finding.at):
            yield Item("answers", f"    {'⇢' if finding.from_subagent else '→'} {said}", worth, finding.at, under)
        else:
            yield Item("decided", f"- {said}", worth / 2, finding.at)  # nobody knows any more what it answered
