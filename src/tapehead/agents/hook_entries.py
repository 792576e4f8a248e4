"""Our hooks in the text of an agent's settings file: added, found, taken out, and nothing else touched.

The agents write hooks down in one shape: `{"hooks": {EVENT: [{"hooks": [{"command": …}]}]}}`; one leaves the inner `hooks` out (`flat`),
one the outer, in some of its files (`bare`). Ours are known by their command, not by where they stand: people and other tools move
things about.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from tapehead.agents.json_edit import append, interior, remove, replace
from tapehead.agents.json_text import Array, Document, JsonTextError, Node, Object, Plain, String, is_blank, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

OURS = r"""(?<![\w.-])tapehead(?:\.exe)?(?=['"\s])[^;&|\n]*?\shook\s+{}(?![\w-])"""
_KINDS = {Plain: "a single value", String: "a string", Array: "a list", Object: "an object"}

_ANYTHING = ("", "*")
"""What a matcher says that matches everything: former versions of ours wrote one."""


class UnexpectedShapeError(JsonTextError):
    """The file is JSON, but not what an agent's settings look like."""


@frozen
class InstalledHook:
    """One entry of ours."""

    event: str
    command: str
    index: int
    """Which of the event's groups it stands in."""
    handler: int = 0
    """Which of the group's handlers it is."""


@frozen
class _Place:
    """Where an entry of ours stands: each parent from the inside out, with the item's index in it."""

    event: str
    handlers: tuple[Array, int]
    groups: tuple[Array, int]
    events: tuple[Object, int]
    command: String


@frozen
class HookEntries:
    """The entries of one agent: which events it is asked for, and what is written for each."""

    host: str
    events: tuple[str, ...]
    group_of: Callable[[str, str], dict[str, Any]]
    """The group that an event gets, for a command."""
    flat: bool = False
    """Whether the handlers stand in the event's list themselves, without groups."""
    bare: bool = False
    """Whether the events may stand in the file itself, without `hooks` around them: where some do, ours do too."""
    on_request: tuple[str, ...] = ()
    """Events that are asked for only where a setting says so: entries for them are ours all the same."""
    fresh: str = "{}\n"
    """What a file says that is not there yet, before our entries."""
    _ours: re.Pattern[str] = field(init=False)

    @_ours.default
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(OURS.format(re.escape(self.host)))

    def limited_to(self, events: tuple[str, ...]) -> HookEntries:
        """The same for some of the events: entries of ours for the others are too many."""
        return evolve(self, events=events)

    def is_ours(self, command: str) -> bool:
        """Whether a command line runs our hook."""
        return self._ours.search(command) is not None

    def hooks_of_ours(self, text: str) -> tuple[InstalledHook, ...]:
        """List our entries, in the order of the file."""
        if is_blank(text):
            return ()
        found = self._places(_read(text))
        return tuple(InstalledHook(each.event, each.command.value, each.groups[1], each.handlers[1]) for each in found)

    def with_hooks(self, text: str | None, command: str) -> str:
        """Give the text with exactly one entry of ours for each event, all with this command."""
        if text is None or is_blank(text):
            text = self.fresh
        for event in self.events:
            text = self._with_event(text, event, command)
        while surplus := self._surplus(_read(text)):
            text = self._take_out(_read(text), surplus[-1], {})
        return text

    def without_hooks(self, text: str, before: str | None = None) -> str:
        """Give the text without our entries.

        What they leave empty goes with them, except where it stood in the file `before` they came: that is the user's.
        """
        if not self.hooks_of_ours(text):
            return text
        kept = self._interiors(before)
        while places := tuple(self._places(_read(text))):
            text = self._take_out(_read(text), places[-1], kept)
        nothing_left = before is not None and is_blank(before) and not _root(_read(text)).items
        return before if before is not None and nothing_left else text

    def _with_event(self, text: str, event: str, command: str) -> str:
        document = _read(text)
        hooks = self._events(document)
        group = self.group_of(event, command)
        if hooks is None:
            return append(document, _root(document), {event: [group]}, key="hooks")
        groups = document.member(hooks, event)
        if groups is None:
            return append(document, hooks, [group], key=event)
        if not isinstance(groups.value, Array):
            where = event if hooks.start == _root(document).start else f"hooks.{event}"
            raise _unexpected(document, f'"{where}"', "a list", groups.value)
        ours = next((each for each in self._places(document) if each.event == event), None)
        return append(document, groups.value, group) if ours is None else _updated(document, ours, command)

    def _surplus(self, document: Document) -> tuple[_Place, ...]:
        """Find entries of ours beyond the first of an event, and those for events that are no longer asked for."""
        places = tuple(self._places(document))
        first = {each.event: each for each in reversed(places) if each.event in self.events}
        return tuple(each for each in places if first.get(each.event) != each)

    def _events(self, document: Document) -> Object | None:
        """Find the object whose keys are events; None where there is none yet."""
        root = _root(document)
        bare = self.bare and any(each.key in self.events and isinstance(each.value, Array) for each in root.items)
        return root if bare else _hooks(document)

    def _interiors(self, before: str | None) -> dict[tuple[str, ...], str]:
        """Tell which parents stood in the file before, and what white space was in the empty ones."""
        if before is None or is_blank(before):
            return {}
        try:
            document = _read(before)
            hooks = self._events(document)
        except JsonTextError:
            return {}
        found: dict[tuple[str, ...], str] = {(): interior(document, _root(document))}
        if hooks is not None:
            found["hooks",] = interior(document, hooks)
            events = ((member.key, member.value) for member in hooks.items)
            found |= {("hooks", key): interior(document, value) for key, value in events if isinstance(value, Array)}
        return found

    def _take_out(self, document: Document, place: _Place, kept: dict[tuple[str, ...], str]) -> str:
        """Remove the entry with everything around it that holds nothing else and is not to be kept."""
        return _take_out(document, place, kept, keep_group=self._says_more(document, place))

    def _says_more(self, document: Document, place: _Place) -> bool:
        """Whether the group around an entry says something that we do not write there: then the user does, and it stays."""
        group = place.groups[0].items[place.groups[1]]
        usual = (
            self.group_of(place.event, place.command.value) if place.event in (*self.events, *self.on_request) else {}
        )
        about = (each for each in group.items if each.key != "hooks") if isinstance(group, Object) else ()
        return any(_value(document, each.value) not in (usual.get(each.key), *_ANYTHING) for each in about)

    def _places(self, document: Document) -> Iterator[_Place]:
        """Find our entries; whatever has another shape is somebody else's and is passed over."""
        hooks = self._events(document)
        commands = _flat_commands if self.flat else _commands
        for at, member in enumerate(hooks.items if hooks else ()):
            if isinstance(member.value, Array) and hooks:
                for handlers, groups, command in commands(member.value):
                    if self.is_ours(command.value):
                        yield _Place(member.key, handlers, groups, (hooks, at), command)


def switch(text: str, *keys: str) -> str:
    """Give the plain value that stands under these keys, as the file writes it; empty where there is none."""
    if is_blank(text):
        return ""
    document = _read(text)
    node: Node | None = _root(document)
    for key in keys:
        node = node.last(key) if isinstance(node, Object) else None
    return document.text[node.start : node.end] if isinstance(node, Plain) else ""


def _value(document: Document, node: Node) -> Any:
    return json.loads(document.text[node.start : node.end])


def _updated(document: Document, place: _Place, command: str) -> str:
    return document.text if place.command.value == command else replace(document, place.command, command)


def _take_out(document: Document, place: _Place, kept: dict[tuple[str, ...], str], *, keep_group: bool) -> str:
    root = _root(document)
    hooks = next((index for index, member in enumerate(root.items) if member.value.start == place.events[0].start), 0)
    grouped = place.handlers[0].start != place.groups[0].start
    under = place.events[0].start != root.start
    levels: tuple[tuple[Array | Object, int, str | None], ...] = (
        *([(*place.handlers, "" if keep_group else None)] if grouped else []),
        (*place.groups, kept.get(("hooks", place.event))),
        *([(*place.events, kept.get(("hooks",)))] if under else []),
        (root, hooks, kept.get((), "")) if under else (*place.events, kept.get((), "")),
    )
    parent, index, stays = next(each for each in levels if len(each[0].items) > 1 or each[2] is not None)
    return remove(document, parent, index, stays or "")


def _commands(groups: Array) -> Iterator[tuple[tuple[Array, int], tuple[Array, int], String]]:
    for at, group in enumerate(groups.items):
        handlers = group.last("hooks") if isinstance(group, Object) else None
        for index, handler in enumerate(handlers.items if isinstance(handlers, Array) else ()):
            command = handler.last("command") if isinstance(handler, Object) else None
            if isinstance(handlers, Array) and isinstance(command, String):
                yield (handlers, index), (groups, at), command


def _flat_commands(handlers: Array) -> Iterator[tuple[tuple[Array, int], tuple[Array, int], String]]:
    for at, handler in enumerate(handlers.items):
        command = handler.last("command") if isinstance(handler, Object) else None
        if isinstance(command, String):
            yield (handlers, at), (handlers, at), command


def _read(text: str) -> Document:
    document = parse(text)
    _root(document)
    return document


def _root(document: Document) -> Object:
    if not isinstance(document.root, Object):
        raise _unexpected(document, "the file", "an object", document.root)
    return document.root


def _hooks(document: Document) -> Object | None:
    member = document.member(_root(document), "hooks")
    if member is None:
        return None
    if not isinstance(member.value, Object):
        raise _unexpected(document, '"hooks"', "an object", member.value)
    return member.value


def _unexpected(document: Document, what: str, wanted: str, found: Node) -> UnexpectedShapeError:
    return UnexpectedShapeError(f"{what} should be {wanted}, and is {_KINDS[type(found)]}", document.text, found.start)
