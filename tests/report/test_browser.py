"""The page in a real headless Chromium: `make browser`."""

from __future__ import annotations

import json
import random
import time

import pytest
from hostile import hostile
from payloads import payloads

import browser as driving
from record import Record
from report_example import report
from scenes import when
from tapehead.report.gather import gather, source_of_file
from tapehead.report.page import page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not driving.installed(), reason="no Chromium here"),
]


@pytest.fixture(scope="module")
def browser():
    with driving.Browser() as found:
        yield found


@pytest.fixture
def opened(browser, tmp_path):
    """Opens reports, and holds that the page said nothing and asked for nothing."""
    browser.said.clear()
    browser.requested.clear()

    def open_(*reports, **look):
        file = tmp_path / "report.html"
        file.write_text(page(reports, None), encoding="utf-8")
        browser.open("about:blank")
        browser.look(**look)
        browser.requested.clear()
        browser.open(file.as_uri())
        return browser

    yield open_
    assert browser.said == []
    assert [address for address in browser.requested if not address.startswith("file:")] == []
    assert len(browser.requested) == 1
    assert browser.dialogs == 0


@pytest.mark.parametrize("width", [400, 1_400])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_every_window_in_light_and_dark(opened, width, dark):
    """Nothing is wider than the window, the colours are those that the user wishes, and texts stand out from the ground."""
    there = opened(report(), width=width, dark=dark)
    assert there.run("document.documentElement.scrollWidth") <= width
    ground, ink = there.run("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    light = [sum(map(int, colour[4:-1].split(","))) for colour in (ground, ink)]
    assert (light[0] < light[1]) is dark
    assert abs(light[0] - light[1]) > 400
    there.run("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert there.run("document.documentElement.scrollWidth") <= width


def test_the_chart_stands_where_its_numbers_say(opened):
    """As the browser lays it out: more tokens are higher, later points further right, the compactions at their own points."""
    found = report()
    there = opened(found)
    places = there.run(
        "[...document.querySelectorAll('svg.window .point')].map(one => { const box = one.querySelector('circle').getBoundingClientRect();"
        "return [box.x, box.y, +one.dataset.tokens]; })"
    )
    assert [tokens for *_, tokens in places] == [point.tokens for point in found.points]
    assert [x for x, *_ in places] == sorted(x for x, *_ in places)
    by_height = sorted(places, key=lambda one: (-one[1], one[2]))
    assert [tokens for *_, tokens in by_height] == sorted(tokens for *_, tokens in places)
    assert there.run("document.querySelectorAll('svg.window .compaction').length") == len(found.compactions)


def test_search_finds_turns_by_what_was_said_in_them(opened):
    """Also what stands in a closed turn; an empty field shows all again."""
    there = opened(report())
    shown = (
        "(async words => { const field = document.querySelector('input[type=search]'); field.value = words;"
        "field.dispatchEvent(new Event('input')); await new Promise(done => setTimeout(done, 150));"
        "return [...document.querySelectorAll('.turn')].filter(one => !one.hidden).map(one => one.id); })"
    )
    assert there.run(f"{shown}('BUFFER truncate')") == ["s1-t3"]
    assert there.run("document.querySelector('output').textContent") == "1 of 6 turns"
    assert there.run(f"{shown}('nowhere to be found')") == []
    assert len(there.run(f"{shown}('')")) == 6


def test_a_link_to_a_turn_opens_it(opened):
    """Wherever on the page it stands."""
    there = opened(report())
    there.run("document.querySelector('a[href=\"#s1-t2\"]').click()")
    assert there.run("new Promise(done => setTimeout(() => done(document.getElementById('s1-t2').open), 100))") is True


def test_the_button_changes_the_colours(opened):
    """From what the system wishes to the other one."""
    there = opened(report(), dark=False)
    before = there.run("getComputedStyle(document.body).backgroundColor")
    there.run("document.querySelector('[data-theme-toggle]').click()")
    assert there.run("getComputedStyle(document.body).backgroundColor") != before


def test_it_prints(opened):
    """On white paper, without what is only for a screen, whatever the user's colours."""
    there = opened(report(), dark=True)
    there.ask("Emulation.setEmulatedMedia", media="print")
    assert there.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert there.run("getComputedStyle(document.querySelector('nav')).display") == "none"
    there.ask("Emulation.setEmulatedMedia", media="")


def test_no_hostile_text_runs_or_breaks_the_page(opened):
    """Hundreds of attacks in every text of a report: none runs, none loads anything, and all parts of the page are in their place."""
    assert len(payloads()) >= 200
    there = opened(hostile())
    there.run("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert there.run("new Promise(done => setTimeout(() => done(window.__ran || 0), 200))") == 0
    assert there.run("document.querySelectorAll('main > section').length") == 8
    assert there.run("document.querySelectorAll('script').length") == 1
    assert there.run("document.querySelectorAll('img, iframe, object, link, base, form, math').length") == 0
    shown = there.run("document.body.textContent")
    assert sum(one in shown for one in payloads() if one.isprintable()) >= 200


def test_many_sessions_are_one_page(opened):
    """A card leads to its session, and opens it."""
    there = opened(report(), report())
    there.run("document.querySelector('.index a[href=\"#s2\"]').click()")
    assert there.run("new Promise(done => setTimeout(() => done(document.getElementById('s2').open), 100))") is True


def test_a_session_of_fifty_megabytes_opens_and_scrolls(opened, tmp_path):
    """Its page is small enough to be there at once, and goes to its end without a stall that anyone would notice."""
    lots = random.Random(1)
    record = Record()
    words = [f"word{number}" for number in range(3_000)]
    for number in range(500):
        record.prompt(f"prompt {number} {' '.join(lots.choices(words, k=40))}")
        for _ in range(10):
            record.call("Bash", " ".join(lots.choices(words, k=1_250)), command="make test")
        record.reply(" ".join(lots.choices(words, k=200)))
    path = record.write(tmp_path)
    assert sum(map(len, record.lines)) > 50_000_000
    found = gather(source_of_file(path), when())
    began = time.monotonic()
    there = opened(found)
    took = time.monotonic() - began
    there.run("scrollTo(0, document.documentElement.scrollHeight)")
    last = there.run(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelectorAll('.turn').length))))"
    )
    assert last == 500
    assert took < 20, json.dumps({"seconds": took})  # a stall, not a measurement: it takes less than two here
