"""The board that `tapehead web` shows: the sessions of all projects as cards, and what a search finds. Values in, markup out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.report.board_style import BOARD_SCRIPT, BOARD_STYLE
from tapehead.report.document import document
from tapehead.report.markup import Html, el, join_markup
from tapehead.report.phrases import day_and_clock, short, things
from tapehead.statemachine.vocabulary import Phase
from tapehead.text.marking import places
from tapehead.text.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime, tzinfo

_COLOURS = {"active": "blue", "halted": "red", "compacting": "violet", "restored": "green"}
_GROUPS = (("waiting", "Waiting for you"), ("open", "Open"), ("over", "Earlier"))
_BAR = 200
_AT_WORK = {phase.value for phase in Phase if phase.is_working}


@frozen
class Card:
    """One session on the board. Its texts are redacted by whoever made it."""

    key: str
    """By which the server finds it: it names no file."""
    title: str
    project: str = ""
    branch: str = ""
    agent: str = ""
    model: str = ""
    phase: str = ""
    session: str = ""
    at: datetime | None = None
    """When it was last heard from."""
    turns: int = 0
    compactions: int = 0
    written: int = 0
    """Tokens."""
    money: str = ""
    used: int | None = None
    room: int | None = None
    """Tokens at which the agent compacts by itself, where that is known."""
    level: str = ""
    waiting: str = ""
    """What its agent waits for, in words."""
    is_open: bool = False

    @property
    def group(self) -> str:
        """Which part of the board it stands in."""
        return "waiting" if self.waiting else "open" if self.is_open else "over"


@frozen
class Found:
    """A place that a search found."""

    key: str
    turn: int
    time: str
    who: str
    project: str
    snippet: str
    matched: tuple[str, ...] = ()


def board_page(cards: Sequence[Card], version: int, left_out: int, zone: tzinfo | None, off: Sequence[str] = ()) -> str:
    """The whole page. Without script it shows the sessions of this moment."""
    search = el(
        "input", type="search", id="search", placeholder="Search prompts, replies, commands", autocomplete="off"
    )
    toggle = el("button", "Light / dark", type="button", data_theme_toggle=True, data_script=True, hidden=True)
    top = el(
        "header",
        el("div", el("div", "tapehead", class_="brand"), toggle, class_="line"),
        el("h1", "Sessions"),
        el("p", count_board(cards, off), id="counted", class_="soft"),
        el("div", search, data_script=True, hidden=True, class_="seek"),
        class_="top",
    )
    groups = (_group(name, title, [card for card in cards if card.group == name], zone) for name, title in _GROUPS)
    nothing = el(
        "p",
        "No session recorded yet. Run `tapehead install`, then start your agent.",
        class_="soft",
        id="none",
        hidden=bool(cards),
    )
    more = (
        el("p", f"{things(left_out, 'older session')} not shown; the search finds them.", class_="cut-note")
        if left_out
        else None
    )
    found = el("section", el("h2", "In the history"), el("div", id="hits"), id="found", hidden=True)
    state = el("p", "", id="state", class_="soft small", role="status")
    main = el("main", *groups, nothing, more, found, state, data_version=version)
    return document("Sessions - tapehead", join_markup([top, main]), BOARD_STYLE, BOARD_SCRIPT, is_live=True)


def _group(name: str, title: str, cards: Sequence[Card], zone: tzinfo | None) -> Html:
    made = (card_markup(card, zone) for card in cards)
    return el(
        "section", el("h2", title), el("div", *made, class_="cards"), class_=f"group {name}", id=name, hidden=not cards
    )


def count_board(cards: Sequence[Card], off: Sequence[str] = ()) -> str:
    """The board in a line."""
    waiting = sum(card.group == "waiting" for card in cards)
    told = [
        things(len(cards), "session"),
        things(len({card.project for card in cards}), "project"),
        f"{sum(card.phase in _AT_WORK for card in cards)} at work",
        f"{waiting} waiting for you" if waiting else "",
        f"off in {', '.join(map(plain, off))}: nothing is recorded there" if off else "",
    ]
    return " · ".join(filter(None, told))


def card_markup(card: Card, zone: tzinfo | None) -> Html:
    """One card: what was asked last, where, how far, and what it needs from its user."""
    phase = el("span", card.phase or "imported", class_=f"chip {_COLOURS.get(card.phase, '')}".strip())
    when = el(
        "time", day_and_clock(card.at, zone), data_at=int(card.at.timestamp()) if card.at else None, class_="soft small"
    )
    place = " on ".join(filter(None, (card.project, card.branch)))
    return el(
        "a",
        el("span", phase, when, class_="line"),
        el("b", card.title or "No prompt yet", class_="asked"),
        el("span", card.waiting, class_="waits") if card.waiting else None,
        el("span", place, class_="place"),
        _room(card),
        el("span", " · ".join(_numbers(card)), class_="soft small"),
        href=f"./session/{card.key}",
        class_=f"card {card.group}",
        data_key=card.key,
        data_group=card.group,
    )


def _numbers(card: Card) -> Iterable[str]:
    yield from filter(None, (card.agent, card.model.removeprefix(f"{card.agent}-")))
    if card.turns:
        yield things(card.turns, "turn")
    if card.compactions:
        yield things(card.compactions, "compaction")
    if card.written:
        yield f"{short(card.written)} tokens written"
    if card.money:
        yield card.money
    yield card.session[:8]


def _room(card: Card) -> Html | None:
    """How full the window is, up to where the agent compacts."""
    if not card.is_open or card.used is None or not card.room:
        return None
    filled = min(_BAR, round(_BAR * card.used / card.room))
    bar = el(
        "svg",
        el("rect", width=filled, height=6, class_=f"fill {card.level}".strip()),
        viewBox=f"0 0 {_BAR} 6",
        preserveAspectRatio="none",
        class_="room",
        aria_hidden="true",
    )
    left = max(0, 100 - round(100 * card.used / card.room))
    return el("span", bar, el("span", f"{short(card.used)} of {short(card.room)}, {left}% left", class_="soft small"))


def hits_markup(hits: Sequence[Found]) -> Html:
    """What a search found, each with a link to its turn."""
    return join_markup(
        el(
            "a",
            el(
                "span",
                el("b", hit.who),
                el("span", " · ".join(filter(None, (hit.project, hit.time))), class_="soft small"),
                class_="line",
            ),
            el("span", *_marked(hit.snippet, hit.matched), class_="snippet"),
            href=f"./session/{hit.key}#s1-t{hit.turn}",
            class_="hit",
        )
        for hit in hits
    )


def _marked(snippet: str, words: tuple[str, ...]) -> list[object]:
    """The snippet in pieces, the words that were looked for marked."""
    text, at = plain(snippet), 0
    pieces: list[object] = []
    for match in places(words).finditer(text) if words else ():
        pieces += [text[at : match.start()], el("mark", match[0])]
        at = match.end()
    return [*pieces, text[at:]]
