"""The page: what a parser finds in it."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import UTC, timedelta, timezone

import attrs
import pytest
from hostile import hostile
from test_markup import Seen

from report_example import moves, report
from tapehead.report.charts import BOTTOM, HEIGHT, TOP, window_chart
from tapehead.report.page import MARK, page
from tapehead.report.picture import RIBBON, machine, ribbon
from tapehead.statemachine.table import ROWS
from tapehead.statemachine.vocabulary import Phase


@pytest.fixture(scope="module")
def example():
    return report()


@pytest.fixture(scope="module")
def whole(example):
    return page([example], UTC)


def elements(markup, tag="", **wanted):
    return [
        about
        for name, about in Seen(markup).elements
        if (not tag or name == tag) and isinstance(about, dict) and all(about.get(k) == v for k, v in wanted.items())
    ]


def test_it_needs_nothing_from_anywhere(whole):
    """No address, no import, no handler, no style of an element."""
    for name, about in Seen(whole).elements:
        assert name not in {"link", "img", "iframe", "object", "form", "base"}
        for key, value in about.items() if isinstance(about, dict) else ():
            assert not key.startswith("on")
            assert key not in {"src", "style"}
            assert key != "href" or value.startswith("#")
    assert "@import" not in whole
    assert not re.search(r"url\((?!#)", whole)


def test_its_policy_knows_its_script_and_its_style_and_nothing_else(whole):
    """By their hashes: a script that came in with a text would not run."""
    (policy,) = elements(whole, "meta", **{"http-equiv": "Content-Security-Policy"})
    assert "unsafe" not in policy["content"]
    assert policy["content"].startswith("default-src 'none'")
    for tag in ("style", "script"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", whole, re.DOTALL)
        assert base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() in policy["content"]


def test_it_tells_all_parts(whole):
    """Window, machine, brief, costs, work, commits, rules, turns: each with a heading, an anchor and a link."""
    for part in ("window", "machine", "brief", "costs", "work", "commits", "rules", "turns"):
        assert elements(whole, "section", id=f"s1-{part}")
        assert elements(whole, "a", href=f"#s1-{part}")


def test_every_link_leads_somewhere(whole):
    """To an id on the page."""
    ids = {about["id"] for about in elements(whole) if "id" in about}
    assert {about["href"][1:] for about in elements(whole, "a")} <= ids


def test_an_empty_session_is_a_page_too(example):
    """Parts without content are left out, with their links."""
    empty = attrs.evolve(
        example,
        turns=(),
        points=(),
        compactions=(),
        moves=(),
        received=(),
        models=(),
        tokens=type(example.tokens)(),
        commits=(),
        rules=(),
        decisions=(),
        kept_decisions=(),
    )
    text = page([empty], UTC)
    assert [about["id"] for about in elements(text, "section")] == ["s1-turns"]
    assert "Nothing was said in this session." in text
    assert "record of this session is gone" in page([attrs.evolve(empty, is_missing=True)], UTC)


def test_several_sessions_are_one_page(example):
    """An index of cards, and each session folded up below; no id twice."""
    text = page([example, attrs.evolve(example, session="other")], UTC)
    assert [about["href"] for about in elements(text, "a")][1:3] == ["#s1", "#s2"]
    ids = [about["id"] for about in elements(text) if "id" in about]
    assert len(ids) == len(set(ids))


def test_the_chart_has_a_dot_for_every_point_at_its_height(example):
    """Higher where there is more, within the frame, from left to right."""
    chart = window_chart(example, UTC)
    dots = [about for about in elements(chart, "g") if about.get("class") == "point"]
    assert [int(dot["data-tokens"]) for dot in dots] == [point.tokens for point in example.points]
    circles = elements(chart, "circle", **{"class": "dot"})
    heights = [float(circle["cy"]) for circle in circles]
    scale = HEIGHT - TOP - BOTTOM
    for height, point in zip(heights, example.points, strict=True):
        assert height == pytest.approx(HEIGHT - BOTTOM - scale * point.tokens / 200_000, abs=0.1)
    across = [float(circle["cx"]) for circle in circles]
    assert across == sorted(across)


def test_the_chart_marks_each_compaction_and_what_was_handed_back(example):
    """A numbered line, how much was lost, and a diamond with the tokens of the brief."""
    chart = window_chart(example, UTC)
    marks = [about for about in elements(chart, "g") if about.get("class") == "compaction"]
    assert [about["data-compaction"] for about in marks] == ["1", "2"]
    assert len(elements(chart, "path", **{"class": "handed"})) == 2
    texts = "|".join(Seen(chart).texts)
    first = example.compactions[0]
    assert f"{first.handed_back + first.archived} things lost" in texts
    assert f"{first.handed_back} back, {first.handed_tokens} tokens" in texts


@pytest.mark.parametrize("many", [1, 2, 400])
def test_a_chart_of_any_length_is_drawn(example, many):
    """One point stands in the middle; of very many there are no dots, only the line."""
    chart = window_chart(attrs.evolve(example, points=(example.points * many)[:many], window=0), UTC)
    assert len(elements(chart, "polyline")[0]["points"].split()) == many
    assert len(elements(chart, "circle", **{"class": "dot"})) == (many if many < 250 else 0)
    assert window_chart(attrs.evolve(example, points=()), UTC) is None


def test_the_picture_has_every_phase_and_the_moves_that_were_made():
    """Each with how often; the phase where it stands now is framed; other moves of the table are faint."""
    path = tuple(moves())
    drawn = machine(path)
    boxes = {about["data-phase"]: about["class"] for about in elements(drawn, "g") if "data-phase" in about}
    assert set(boxes) == {phase.value for phase in Phase}
    assert [phase for phase, look in boxes.items() if "here" in look] == [path[-1].to]
    made = {(a["data-from"], a["data-to"]): int(a["data-times"]) for a in elements(drawn, "g") if "data-from" in a}
    for (was, to), times in made.items():
        assert times == sum((move.was, move.to) == (was, to) for move in path)
    possible = {(row.phase.value, row.to.value) for row in ROWS if row.phase is not row.to}
    assert len(elements(drawn, "path", **{"class": "possible"})) == len(possible) - len(made)


def test_the_ribbon_has_a_stripe_for_each_of_the_newest_events():
    """In the colour of the phase that it led to."""
    path = tuple(moves())
    assert [about["class"] for about in elements(ribbon(path, UTC), "rect")] == [f"phase {move.to}" for move in path]
    assert len(elements(ribbon(path * 100, UTC), "rect")) == RIBBON
    assert ribbon((), UTC) is None


def test_times_are_told_in_the_readers_zone(example):
    """And the zone is named once."""
    text = page([example], timezone(timedelta(hours=5, minutes=30), "IST"))
    assert "14:30" in text
    assert "IST" in text


def test_a_page_of_attacks_has_only_elements_of_ours(example):
    """The same elements with the same attributes as a harmless page can have; every attack is there as text."""
    text = page([hostile()], UTC)
    known = {name for name, _ in Seen(page([example], UTC)).elements} | {"p", "output"}
    seen = Seen(text)
    assert {name for name, _ in seen.elements} <= known
    for name, about in seen.elements:
        if isinstance(about, dict):
            assert not any(key.startswith("on") for key in about), name
    assert len(re.findall("<script>", text)) == 1
    assert text.startswith(f"<!doctype html>\n{MARK}\n")


@pytest.mark.parametrize("many", [2, 7, 8, 9, 60])
def test_the_times_under_the_curve_of_several_days_do_not_touch(example, many):
    """With a day each is twice as long; the first and the last stand beside their points."""
    began = example.points[0].at
    points = tuple(attrs.evolve(example.points[0], at=began + timedelta(hours=7 * n)) for n in range(many))
    chart = str(window_chart(attrs.evolve(example, points=points), UTC))
    labels = [each for each in elements(chart, "text", **{"class": "x-label"}) if each["y"] == str(HEIGHT - 8)]
    width, ends = 16 * 6.8, []
    for each in labels:
        left = float(each["x"]) - {"start": 0, "middle": width / 2, "end": width}[each["text-anchor"]]
        assert not ends or left > ends[-1]
        ends.append(left + width)
    assert len(labels) >= 2
