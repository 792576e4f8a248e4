"""Refs: commits that were made, issues and pull requests, addresses, versions, ports: what one cannot guess again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.facts import Fact
from tapehead.work_record.sentences import flat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.step_row import Conversation

_COMMITTED = re.compile(r"^\[([^\]\n]{3,120}) ([0-9a-f]{7,12})\] (.{3,120})$", re.MULTILINE)
_ADDRESS = re.compile(r"https?://[^\s\"'<>)\]`\\]{8,120}")
_LATELY = 30


def refs(conversation: Conversation) -> tuple[Fact, ...]:
    """Newest first, each once."""
    found: dict[str, Fact] = {}
    for fact in sorted((*_commits(conversation), *_addresses(conversation)), key=lambda fact: -fact.at):
        found.setdefault(fact.text, fact)
    return tuple(found.values())


def _commits(conversation: Conversation) -> Iterator[Fact]:
    for act in conversation.acts:
        if act.call.kind == turns.RUN and "git" in act.call.text:
            for branch, commit, subject in _COMMITTED.findall(act.said[:2000]):
                yield Fact(f"commit {commit} on {branch}: {subject}", act.place.turn, act.place.time, act.place.at)


def _addresses(conversation: Conversation) -> Iterator[Fact]:
    said = [(place, one.text) for place, one in conversation.human[-_LATELY:]] + conversation.agent[-_LATELY:]
    for place, text in said:
        for address in _ADDRESS.findall(text):
            yield Fact(flat(address).rstrip(".,"), place.turn, place.time, place.at)
