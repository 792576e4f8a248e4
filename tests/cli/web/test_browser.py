"""The live pages in a real headless Chromium: `make browser`."""

from __future__ import annotations

import time

import pytest

import browser as driving
from tapehead.engine.chores import remember

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not driving.installed(), reason="no Chromium here")]


@pytest.fixture(scope="module")
def browser():
    with driving.Browser() as found:
        yield found


@pytest.fixture
def there(browser, served):
    """The board, and that no page said an error or asked anybody but its own server."""
    browser.said.clear()
    browser.open("about:blank")
    browser.requested.clear()
    browser.look()
    yield browser
    browser.open("about:blank")
    assert browser.said == []
    asked = [address for address in browser.requested if not address.startswith(("about:", served.server.address))]
    assert asked == []


def until(there, script):
    """What a script gives, as soon as it is true."""
    last = time.monotonic() + 60
    while not (found := there.run(script)):
        assert time.monotonic() < last, there.run("document.body.innerText")
        time.sleep(0.05)
    return found


CARDS = "[...document.querySelectorAll('a.card:not([hidden])')].map(one => one.dataset.key.split('/')[1])"


@pytest.mark.parametrize("width", [400, 1_400])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_every_window_in_light_and_dark(world, served, there, width, dark):
    """Nothing is wider than the window, whatever the names; the colours are those that the user wishes."""
    world.session("one")
    world.said("one")
    world.hook("UserPromptSubmit", "one", prompt="x" * 300)
    world.hook("PermissionRequest", "one", tool_name="Bash", tool_input={"command": "y" * 300})
    there.look(width=width, dark=dark)
    for address in (served.server.address, f"{served.server.address}session/{served.key()}"):
        there.open(address)
        assert there.run("document.documentElement.scrollWidth") <= width
        ground, ink = there.run(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
        )
        light = [sum(map(int, colour[4:-1].split(","))) for colour in (ground, ink)]
        assert (light[0] < light[1]) is dark


def test_cards_come_and_change(world, served, there):
    """Without a reload: a new session, a new prompt, a question that moves its card to the top, and the answer that moves it back."""
    there.open(served.server.address)
    assert there.run(CARDS) == []
    world.session("one")
    until(there, f"({CARDS}).join() === 'one'")
    world.hook("UserPromptSubmit", "one", prompt="and now in green")
    until(there, "document.querySelector('a.card .asked').textContent === 'and now in green'")
    world.session("two")
    until(there, f"({CARDS}).join() === 'two,one' || ({CARDS}).join() === 'one,two'")
    world.hook("PermissionRequest", "one", tool_name="Bash", tool_input={"command": "make paint"})
    until(there, "document.querySelector('#waiting a.card .waits')?.textContent.endsWith('Bash: make paint')")
    assert there.run("document.title").startswith("(1)")
    world.hook("Stop", "one")
    until(there, "document.querySelector('#waiting').hidden")
    assert sorted(there.run(CARDS)) == ["one", "two"]


def test_search_as_you_type(world, served, there):
    """Cards are sifted at once, the history answers a moment later, and a hit leads to its turn, opened."""
    world.session("one")
    world.session("two")
    world.hook("UserPromptSubmit", "two", prompt="paint the shed")
    for session in ("one", "two"):
        world.engine.settle(session)
        remember(world.engine, session)
    there.open(served.server.address)
    write = (
        "(words => { const field = document.getElementById('search'); field.value = words;"
        "field.dispatchEvent(new Event('input')); })"
    )
    there.run(f"{write}('shed')")
    assert there.run(CARDS) == ["two"]
    there.run(f"{write}('going on')")
    until(there, "document.querySelectorAll('a.hit').length")
    there.run("document.querySelector('a.hit').click()")
    turn = until(there, "location.hash.startsWith('#s1-t') && location.hash.slice(1)")
    until(there, f"document.getElementById('{turn}')?.open")
    there.run("document.querySelector('a.back').click()")
    until(there, "document.querySelectorAll('a.card').length === 2")
    there.run(f"{write}('nowhere to be found')")
    until(there, "document.getElementById('state').textContent.startsWith('No matches')")
    there.run(f"{write}('')")
    assert sorted(there.run(CARDS)) == ["one", "two"]


def test_a_report_says_that_its_session_went_on(world, served, there):
    """And shows the newest when it is asked to."""
    world.session("one")
    there.open(f"{served.server.address}session/{served.key()}")
    turns = there.run("document.querySelectorAll('.turn').length")
    last = time.monotonic() + 60
    while there.run("document.getElementById('news').hidden"):  # it may not look yet
        assert time.monotonic() < last
        world.answers("one", 90_000)
        time.sleep(0.1)
    there.run("document.getElementById('news').click()")
    until(there, f"document.querySelectorAll('.turn').length > {turns}")


def test_two_pages_at_once(world, served, there):
    """In one browser, each hears of what is new."""
    world.session("one")
    there.open(served.server.address)
    other = served.news()
    next(other)
    world.hook("UserPromptSubmit", "one", prompt="for both of you")
    until(there, "document.querySelector('a.card .asked').textContent === 'for both of you'")
    assert next(told for told in other if "for both of you" in str(told["cards"]))
