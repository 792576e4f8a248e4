"""A report as one HTML file that needs nothing else: no network, no library, and no script to be read.

Made of `el` alone (markup.py), which escapes; a template engine would be one more dependency for a page with one layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.report import cards, page_sections
from tapehead.report.board_style import BOARD_STYLE, SESSION_SCRIPT
from tapehead.report.document import MARK, document
from tapehead.report.markup import Html, el, join_markup
from tapehead.report.phrases import duration, first_line, number, short, things, with_zone
from tapehead.report.picture import arrow_heads
from tapehead.report.style import CSS, SCRIPT
from tapehead.report.turn_list import turn_list

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from tapehead.report.report_values import Report

_TITLE = 120
__all__ = ["MARK", "page", "session_page"]


def page(reports: Sequence[Report], zone: tzinfo | None) -> str:
    """The file, for one session or for several; times are told in `zone`."""
    body = _single(reports[0], zone) if len(reports) == 1 else _several(reports, zone)
    title = _title(reports[0]) if len(reports) == 1 else f"{things(len(reports), 'session')} of {reports[0].project}"
    return document(f"{first_line(title, 80)} - tapehead", join_markup([arrow_heads(), body]), CSS, SCRIPT)


def session_page(report: Report, watch: str, zone: tzinfo | None) -> str:
    """The same for `tapehead web`: it leads back to the board, and says when the session went on (`watch` is where it asks)."""
    news = el("button", "It went on: show the newest", type="button", id="news", data_watch=watch, hidden=True)
    back = el("a", "← All sessions", href="../../", class_="back")
    title = f"{first_line(_title(report), 80)} - tapehead"
    body = join_markup([arrow_heads(), _single(report, zone, (back, news))])
    return document(title, body, BOARD_STYLE, SESSION_SCRIPT, is_live=True)


def _title(report: Report) -> str:
    asked = next((turn.prompt.text for turn in report.turns if turn.prompt.text.strip()), "")
    return first_line(asked, _TITLE) or f"Session {report.session[:8]}"


def _single(report: Report, zone: tzinfo | None, around: tuple[Html | None, Html | None] = (None, None)) -> Html:
    found = _sections(report, "s1", zone)
    top = el(
        "header",
        el("div", "tapehead report", class_="brand"),
        el("h1", _title(report)),
        _chips(report, zone),
        _tiles(report),
        class_="top",
    )
    return join_markup(
        [
            top,
            _nav([(key, name) for key, name, _ in found], *around),
            el("main", *(part for *_, part in found), _footer(report, zone)),
        ]
    )


def _several(reports: Sequence[Report], zone: tzinfo | None) -> Html:
    top = el(
        "header",
        el("div", "tapehead report", class_="brand"),
        el("h1", f"{things(len(reports), 'session')} of {reports[0].project or 'this project'}"),
        class_="top",
    )
    index = el("div", *(_card(report, f"s{n}", zone) for n, report in enumerate(reports, 1)), class_="index")
    whole = (_session(report, f"s{n}", zone) for n, report in enumerate(reports, 1))
    return join_markup(
        [
            top,
            _nav([("sessions", "Sessions")]),
            el("main", el("div", index, id="sessions"), *whole, _footer(reports[0], zone)),
        ]
    )


def _card(report: Report, key: str, zone: tzinfo | None) -> Html:
    return el(
        "a",
        el("b", _title(report)),
        _chips(report, zone),
        el(
            "span",
            f"{things(len(report.turns), 'turn')}, {things(len(report.compactions), 'compaction')}",
            class_="soft small",
        ),
        href=f"#{key}",
    )


def _session(report: Report, key: str, zone: tzinfo | None) -> Html:
    parts = (part for *_, part in _sections(report, key, zone))
    return el(
        "details",
        el("summary", _title(report)),
        el("div", _chips(report, zone), _tiles(report), *parts),
        class_="whole",
        id=key,
    )


def _sections(report: Report, key: str, zone: tzinfo | None) -> list[tuple[str, str, Html]]:
    """What there is to tell, each part with its anchor and its name; a part without content is left out."""
    made = (
        ("window", "Window", cards.window(report, key, zone)),
        ("machine", "Machine", page_sections.machine_path(report, zone)),
        ("brief", "Brief", page_sections.briefs(report)),
        ("costs", "Costs", page_sections.costs(report)),
        ("work", "Work", page_sections.work(report, key)),
        ("commits", "Commits", cards.commits(report, zone)),
        ("rules", "Rules and decisions", page_sections.rules(report, key)),
        ("turns", "Turns", turn_list(report, key, zone)),
    )
    return [
        (
            f"{key}-{word}",
            name,
            el("section", el("h2", name), content, id=f"{key}-{word}", class_="long" if word == "turns" else None),
        )
        for word, name, content in made
        if content
    ]


def _nav(links: list[tuple[str, str]], back: Html | None = None, news: Html | None = None) -> Html:
    toggle = el("button", "Light / dark", type="button", data_theme_toggle=True, data_script=True, hidden=True)
    return el("nav", el("div", back, *(el("a", name, href=f"#{key}") for key, name in links), news, toggle))


def _chips(report: Report, zone: tzinfo | None) -> Html:
    took = duration(report.began, report.ended)
    colour = {"active": "blue", "halted": "red", "compacting": "violet", "restored": "green"}.get(report.phase, "")
    told = (
        (report.phase, colour),
        (" ".join(filter(None, (report.agent, report.agent_version))), ""),
        (report.model, ""),
        (report.project, ""),
        (report.branch, ""),
        (f"{with_zone(report.began, zone)}{f', {took}' if took else ''}", ""),
        (report.session[:8], "mono"),
    )
    return el("div", *(el("span", word, class_=f"chip {look}".strip()) for word, look in told if word), class_="chips")


def _tiles(report: Report) -> Html:
    calls = sum(many for turn in report.turns for _, many in turn.tools)
    files = {path for turn in report.turns for path in turn.files}
    back = sum(one.handed_tokens for one in report.compactions)
    told = [
        (number(len(report.turns)), "turns"),
        (number(calls), "tool calls"),
        (number(len(files)), "files changed"),
        (number(len(report.compactions)), "compactions"),
    ]
    told += [(short(back), "tokens handed back")] if back else []
    told += [(short(report.tokens.output), "tokens written")] if report.tokens.answers else []
    if report.cost is not None:
        told.append((f"${report.cost:,.2f}", "by the agent's count"))
    elif report.dollars is not None:
        told.append((f"${report.dollars:,.2f}", "by list prices"))
    return el(
        "div", *(el("div", el("b", value), el("span", what), class_="tile") for value, what in told), class_="tiles"
    )


def _footer(report: Report, zone: tzinfo | None) -> Html:
    made = with_zone(report.made_at, zone)
    return el(
        "footer",
        f"Made by tapehead on {made}. All times in this zone. Secrets are redacted; look it over before you share it.",
    )
