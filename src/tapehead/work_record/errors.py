"""What went wrong: open until the same thing, or its like, went well; `note` says what came in between."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.commands import purpose
from tapehead.work_record.facts import Fact
from tapehead.work_record.files_in_play import shorter
from tapehead.work_record.outcomes import outcome_of
from tapehead.work_record.sentences import flat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.step_row import Act, Conversation

_A_COMMAND, _LOOKED_AT = 80, 800
_HOST_REFUSES = (
    "The user doesn't want",
    "<tool_use_error>",
    "File has not been read",
    "Request interrupted",
    "[Request interrupted",
    "Permission",
)


def errors(conversation: Conversation) -> tuple[Fact, ...]:
    """Give the last failure of each command or file, newest first; `holds` while open, `note` says what cured it."""
    failed: dict[str, Act] = {}
    tries: dict[str, int] = {}
    fixed: dict[str, Fact] = {}
    edited = ""
    for act in conversation.acts:
        key = key_of(act)
        if is_failure(act) or _only_seems_well(act):
            failed[key] = act
            tries[key] = tries.get(key, 0) + 1
            fixed.pop(key, None)
        elif act.result is not None:
            for other in [key] if key in failed else _alike(act, failed):
                cure = _cure(act, failed[other], key == other, shorter(edited, conversation.cwd))
                fixed[other] = _fact(failed.pop(other), other, tries[other], cure)
        if act.call.kind == turns.EDIT and not act.failed:
            edited = act.call.path
    found = [
        *fixed.values(),
        *(_fact(act, key, tries[key], "") for key, act in failed.items()),
        *_refused(conversation),
    ]
    return tuple(sorted(found, key=lambda fact: -fact.at))


def _cure(act: Act, was: Act, same: bool, edited: str) -> str:  # noqa: FBT001  two ways of the same end
    if not same:
        return f"then `{flat(act.call.text)[:_A_COMMAND]}` worked"
    by_an_edit = edited and purpose(act.call.text) in _BY_EDITS and act.place.at > was.place.at
    return f"passes since an edit of {edited}" if by_an_edit else "worked later"


_BY_EDITS = ("test", "lint", "build", "format")


def _alike(act: Act, failed: dict[str, Act]) -> list[str]:
    """Failures that this success is the other way of: the same command with less or more, soon after."""
    if act.call.kind != turns.RUN or not failed:
        return []
    return [key for key, other in failed.items() if other.call.kind == turns.RUN and _is_other_way(act, other)]


def _is_other_way(act: Act, other: Act) -> bool:
    one, two = act.call.text, other.call.text
    words, theirs = _words(one), _words(two)
    same = _program(one) == _program(two)
    use = purpose(one)
    if same and use in _OF_THE_WHOLE and use == purpose(two):
        return True
    if (_COMMITS in one and _COMMITS in two) or _tests_the_same(one, two):
        return True
    if use == "test" and _CHOSEN.search(one) and _CHOSEN.search(two):
        return False  # a run of other tests says nothing of these
    if act.place.at - other.place.at > _SOON or not words or not theirs:
        return False
    shared = len(words & theirs)
    return words <= theirs or theirs <= words or (same and shared * _SHARE > len(words | theirs))


def _tests_the_same(one: str, two: str) -> bool:
    """Whether a run of tests covers what another one chose by name, however the two were called."""
    if purpose(one) != "test" or purpose(two) != "test":
        return False
    chosen = {name for part in _CHOSEN.findall(two) for name in _A_TEST.findall(part)}
    return bool(chosen) and chosen <= set(_A_TEST.findall(one))


_COMMITS = "git commit"
_CHOSEN = re.compile(r" (?:-run|-k|--filter|-t|--grep)[ =](\"[^\"]+\"|'[^']+'|\S+)")
_A_TEST = re.compile(r"\w{4,}")
_SOON = 30
_OF_THE_WHOLE = ("lint", "format", "build")
"""What a later run with success speaks for an earlier one of: these look at all of the code."""
_SHARE = 2
"""More than half of all their words stand in both."""


@lru_cache(maxsize=512)
def _program(command: str) -> tuple[str, ...]:
    """The program and what it is to do, behind the commands that only lead there."""
    for part in command[:_LOOKED_AT].replace(";", "&&").split("&&"):
        words = [word for word in part.split() if "=" not in word]
        if words and words[0] not in _LEADS:
            return tuple(words[:2])
    return ()


_LEADS = ("cd", "export", "source", "set", "sleep", "echo")


@lru_cache(maxsize=512)
def _words(command: str) -> set[str]:
    return set(command[:_LOOKED_AT].split()) - _BESIDE_THE_POINT


_BESIDE_THE_POINT = frozenset(("&&", "||", "|", "2>&1", ";", "cd", "head", "tail", "export", "echo"))


def key_of(act: Act) -> str:
    """Give what a failure is known by: the file, or the command."""
    call = act.call
    return call.path or " ".join(call.text[:_LOOKED_AT].split(None, _A_COMMAND)[:_A_COMMAND])[:_A_COMMAND]


def is_failure(act: Act) -> bool:
    """Whether something went wrong, and not only that the agent or the user said no."""
    return act.failed and act.call.kind in _CAN_FAIL and not act.said.startswith(_HOST_REFUSES)


def _only_seems_well(act: Act) -> bool:
    """Whether a command ended well although its shell complained: a part of it was never run."""
    return act.call.kind == turns.RUN and not act.failed and _COMPLAINS.search(act.said) is not None


_COMPLAINS = re.compile(
    r"^(?:zsh|bash|sh|/bin/(?:ba|z|da)?sh|\(eval\))(?::(?: line)? ?\d+)?: .*(?:command not found|parse error|unmatched|syntax error|unexpected)|"
    r"^(?:zsh|bash|sh): (?:command not found|parse error|unmatched|no matches found)",
    re.MULTILINE,
)
_CAN_FAIL = (turns.RUN, turns.EDIT, turns.WRITE, turns.OTHER)


def _fact(act: Act, key: str, tries: int, note: str) -> Fact:
    times = f" ({tries}x)" if tries > 1 else ""
    complaint = "" if act.failed else _COMPLAINS.search(act.said)
    said = f"seemed to work, but: {flat(complaint[0])}" if complaint else outcome_of(act.said, failed=True)
    text = f"`{key}`{times}: {said}"
    return Fact(text, act.place.turn, act.place.time, act.place.at, holds=not note, note=note)


def _refused(conversation: Conversation) -> Iterator[Fact]:
    """Calls whose result says that they were refused, with the words of that result: old clients put the user's there, and hooks theirs.

    Whose they are cannot be told, so they stand with the other results; where the record proves that they are the user's, `refusals` has them.
    """
    for act in conversation.acts:
        if act.failed and act.said.startswith(_USER_REFUSES) and not (act.result and act.result.refused):
            words = flat(act.said.partition(_THE_USER_SAID)[2])
            what = flat(f"{act.call.tool} {shorter(act.call.path, conversation.cwd)} {act.call.text}")[
                :_A_COMMAND
            ].rstrip()
            text = f"`{what}`: refused with “{words}”" if words else f"`{what}`"
            yield Fact(text, act.place.turn, act.place.time, act.place.at, holds=False, note=REFUSED)


REFUSED = "refused"


def refusals(conversation: Conversation) -> tuple[Fact, ...]:
    """The calls that were stopped, newest first: what was about to be done is not wanted.

    That it was the user (`holds`), and the user's words, count only where a field of the record says so. The wording of a result proves
    neither: Claude Code 2.0.77 to 2.1.80 write the reason of a hook that denies a call into the result as it is, whatever the tool. In
    the result of an edit or a plan the wording still shows that the call was not carried out, since no tool's output stands there.
    """
    found = []
    for act in reversed(conversation.acts):
        proved = act.result is not None and act.result.refused
        if proved or (act.failed and act.call.kind in _WITHOUT_OUTPUT and act.said.startswith(_USER_REFUSES)):
            what = flat(f"{act.call.tool} {shorter(act.call.path, conversation.cwd)} {act.call.text}")
            words = flat(act.said.partition(_THE_USER_SAID)[2]) if proved else ""
            found.append(Fact(what, act.place.turn, act.place.time, act.place.at, holds=proved, note=words))
    return tuple(found)


_USER_REFUSES = ("The user doesn't want to proceed", "[Request interrupted by user for tool use]")
_THE_USER_SAID = "the user said:"
_WITHOUT_OUTPUT = (turns.EDIT, turns.WRITE, turns.PLAN)
