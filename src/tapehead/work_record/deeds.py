"""What commands did outside of the files: what they opened, closed or made, with the id or address that they printed. And the pull requests and issues of the work."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.commands import only_looks
from tapehead.work_record.facts import Fact
from tapehead.work_record.sentences import flat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.step_row import Act, Conversation

_DID = re.compile(
    r"^\W{0,3}((?:created|opened|closed|reopened|merged|published|released|deployed|uploaded|deleted|renamed|posted|approved|registered|tagged|pushed|"
    r"submitted|scheduled|archived|transferred)\b(?=[^\n]*(?:#\d|[0-9a-f]{7}|://|\d+\.\d+|branch|issue|pull request)).{0,160})$|^(https?://\S{8,160})$",
    re.IGNORECASE | re.MULTILINE,
)
_SIGNS = (
    "reat",
    "pened",
    "losed",
    "erged",
    "ublished",
    "eleased",
    "eployed",
    "ploaded",
    "eleted",
    "enamed",
    "osted",
    "pproved",
    "://",
)
"""One of these stands in all that is looked for."""
_A_SAYING, _A_COMMAND = 4_000, 90


def deeds(conversation: Conversation) -> tuple[Fact, ...]:
    """Each with its command as note, oldest first; what was done in the same way several times in a turn is told together."""
    found: dict[tuple[int, str], Fact] = {}
    for act in conversation.acts:
        if act.failed or act.call.kind not in _TELLING or not (said := _TELLING[act.call.kind](act)):
            continue
        place = act.place
        what = " ".join(_program(act.call.text)) if act.call.kind == turns.RUN else act.call.tool
        before = found.pop((place.turn, what), None)
        text = f"{before.text}; {said}" if before and said not in before.text else said
        found[place.turn, what] = Fact(text, place.turn, place.time, place.at, note=_called(act))
    return tuple(sorted(found.values(), key=lambda fact: fact.at))


def _printed(act: Act) -> str:
    """What the output says was done."""
    if len(act.said) > _A_SAYING or not any(sign in act.said for sign in _SIGNS):
        return ""
    command = _COMMAND.sub("", act.call.text)
    if (
        (only_looks(command) and "branch -" not in command)
        or _TESTS.search(command)
        or command.startswith(("git commit", "git add", "git push"))
    ):
        return ""
    lines = [flat(told or address) for told, address in _DID.findall(act.said)]
    return "; ".join(dict.fromkeys(lines[:_FEW]))


def _answered(act: Act) -> str:
    """What a tool of a server answered that made or changed something there: its name for it, the title and the address."""
    if _MAKES.search(act.call.tool) is None:
        return ""
    said = act.said[:_A_SAYING].replace('\\"', '"')
    ident, title = ((found[1] if (found := form.search(said)) else "") for form in (_IDENT, _TITLE))
    address = next(
        (one for one in _ADDRESS.findall(said) if ident and ident in one), ""
    )  # others lead to people and pictures
    parts = [part for part in (ident, title, address) if part]
    return flat(" ".join(parts)) if len(parts) > 1 else ""


def _called(act: Act) -> str:
    """The command, or the tool without the name of its server."""
    return flat(act.call.text)[:_A_COMMAND] if act.call.kind == turns.RUN else act.call.tool.rpartition("__")[2]


_TELLING = {turns.RUN: _printed, turns.OTHER: _answered}
_MAKES = re.compile(r"__(?:\w+_)?(?:create|add|update|close|merge|post|send|publish|save|submit)\w*$", re.IGNORECASE)
_IDENT = re.compile(r"\"(?:identifier|key|number)\": ?\"?([\w-]{1,40})")
_TITLE = re.compile(r"\"(?:title|name|subject)\": ?(\"[^\"\n]{3,120}\")")
_ADDRESS = re.compile(r"(https?://[^\s\"'\\)<>]{8,160})")
_COMMAND = re.compile(r"^(?:cd \S+ (?:&&|;) )+")
_TESTS = re.compile(r"\b(?:test|pytest|jest|vitest|build|view|list|diff|curl)\b")
_FEW = 3


def _program(command: str) -> list[str]:
    """The program and what it is to do: words before the first option, number or quoted one."""
    words: list[str] = []
    for word in _COMMAND.sub("", command).split()[:6]:
        if not word.replace("-", "").isalpha() or word.startswith("-"):
            break
        words.append(word)
    return words


_NUMBERED = re.compile(
    r"\bgh (pr|issue) (?:view|checkout|comment|close|edit|merge|review|diff|checks|ready|reopen|develop) #?(\d+)\b|\b(pull|issue)s?/(\d+)\b"
)
_TITLED = re.compile(r"^title:\s+(.{4,120})$|\"title\": ?\"((?:[^\"\\]|\\.){4,120})\"", re.MULTILINE)
_NUMBER = re.compile(r"\"number\": ?(\d+)")


def tickets(conversation: Conversation) -> tuple[Fact, ...]:
    """The pull requests and issues that commands and prompts were about, the last first; `note` is the title, where one was seen."""
    found: dict[str, Fact] = {}
    for text, said, fact in _mentions(conversation):
        named = [_name(one) for one in _NUMBERED.finditer(text)]
        number = _NUMBER.search(said) if not named and "gh pr" in text else None
        named += [f"PR #{number[1]}"] if number else []
        title = _TITLED.search(said) if len({*named}) == 1 else None
        for name in dict.fromkeys(named):
            before = found.pop(name, None)
            note = flat(title[1] or title[2]) if title else before.note if before else ""
            newest = max(before, fact, key=lambda one: one.at) if before else fact
            found[name] = newest._replace(text=name, note=note)
    return tuple(sorted(found.values(), key=lambda fact: -fact.at))


def _mentions(conversation: Conversation) -> Iterator[tuple[str, str, Fact]]:
    """What may name one: a command with the beginning of its output, a prompt, and the agent's words with an address."""
    told = [(place, said.text) for place, said in conversation.human] + conversation.agent
    for place, text in told:
        if "/pull/" in text or "/issues/" in text:
            yield text[:_A_SAYING], "", Fact("", place.turn, place.time, place.at)
    for act in conversation.acts:
        if act.call.kind == turns.RUN and ("gh " in act.call.text):
            made = act.said[:_A_SAYING] if " create" in act.call.text and len(act.said) < _A_SAYING else ""
            yield (
                f"{act.call.text[:_A_SAYING]} {made}",
                act.said[:_A_SAYING],
                Fact("", act.place.turn, act.place.time, act.place.at),
            )


def _name(found: re.Match[str]) -> str:
    kind, number = (found[1], found[2]) if found[2] else (found[3], found[4])
    return f"{'PR' if kind in {'pr', 'pull'} else 'issue'} #{number}"
