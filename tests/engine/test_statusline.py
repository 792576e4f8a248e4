"""The status line, and where a session stands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenes
from tapehead.engine import statusline
from tapehead.engine.current_phase import standing
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import agent_figures
from tapehead.store.paths import Layout

MAIN = [sys.executable, "-c", "from tapehead.cli.main import main; main()", "statusline"]
STATE_FACTS = {Fact.CAPTURE_BLOCKED, Fact.ENDED_BEFORE, Fact.FILES_TOUCHED, Fact.UNANSWERED}


@pytest.fixture
def scene(tmp_path):
    scenes.repository(tmp_path / "repo")
    return scenes.Scene(tmp_path / "repo" / ".git" / "tapehead", time.time_ns())


def payload(scene, used=100_000, size=200_000, **more):
    usage = None if used is None else {"input_tokens": used}
    return {
        "session_id": "s",
        "workspace": {"project_dir": scene.layout.root.removesuffix("/.git/tapehead")},
        "model": {"id": "m"},
        "cost": {"total_cost_usd": 0.25},
        "context_window": {"context_window_size": size, "current_usage": usage},
        **more,
    }


def said(value, env=None):
    """What is printed for a payload."""
    reading, writing = os.pipe()
    os.write(writing, value if isinstance(value, bytes) else json.dumps(value).encode())
    os.close(writing)
    try:
        return statusline.run(reading, env or {})
    finally:
        os.close(reading)


def captured(scene, at):
    scene.settled("s")
    scene.hear("s", Event.COMPACTION)
    scene.settled("s")
    os.utime(os.path.join(scene.layout.captures("s"), "state.md"), (at, at))


def test_phase_context_and_capture(scene):
    """All three, with the phase that the newest line on the tape leads to, although nobody has folded it yet."""
    scene.hear("s", Event.SESSION_START)
    scene.hear("s", Event.TURN_START)
    captured(scene, time.time() - 60)
    scene.hear("s", Event.TURN_START)
    clock = time.strftime("%H:%M", time.localtime(time.time() - 60))
    assert said(payload(scene)) == f"tapehead ACTIVE | context 100k of 167k, 40% left | captured {clock}"
    assert scene.store.load("s").phase.value == "compacting"


def test_an_old_capture_has_its_date(scene):
    """A time of day alone would lie."""
    scene.hear("s", Event.TURN_START)
    at = time.time() - 40 * 3600
    captured(scene, at)
    assert said(payload(scene)).endswith(f"captured {time.strftime('%Y-%m-%d', time.localtime(at))}")


@pytest.mark.parametrize(
    ("used", "size", "context"),
    [
        (None, 200_000, " | compacts at 167k"),
        (None, None, ""),
        (999, None, " | context 999"),
        (83_500, 200_000, " | context 84k of 167k, 50% left"),
        (150_000, 200_000, " | context 150k of 167k, 10% left"),
        (168_000, 200_000, " | context 168k of 167k, compaction is due"),
        (178_000, 200_000, " | context 178k of 167k, full"),
        (990_000, 1_000_000, " | context 990k of 967k, full"),
        (1_200_000, 3_000_000, " | context 1.2M of 3.0M, 59% left"),
    ],
)
def test_the_context_in_words(scene, used, size, context):
    """Against the point of compaction; what the agent does not say is left out."""
    scene.hear("s", Event.TURN_START)
    assert said(payload(scene, used, size), {"NO_COLOR": "1"}) == f"tapehead ACTIVE{context}"


@pytest.mark.parametrize(("used", "colour"), [(160_000, "31"), (168_000, "31"), (178_000, "1;31")])
def test_it_is_coloured_where_it_warns(scene, used, colour):
    """The whole line, closed again; not under NO_COLOR, nor on a dumb terminal."""
    plain = said(payload(scene, used), {"NO_COLOR": "1"})
    assert "\x1b" not in plain
    assert said(payload(scene, used)) == f"\x1b[{colour}m{plain}\x1b[0m"
    assert said(payload(scene, used), {"TERM": "dumb"}) == plain
    assert "\x1b" not in said(payload(scene, 10)) + said(payload(scene, 159_000))


def test_the_margins_are_settings(scene):
    """From the project's file and from the environment."""
    scene.hear("s", Event.TURN_START)
    with open(os.path.join(scene.layout.root, "config.toml"), "w", encoding="utf-8") as file:
        file.write("[window]\nreserve = 0\n")
    assert "of 187k" in said(payload(scene))
    assert "of 200k" in said(payload(scene), {"TAPEHEAD_WINDOW_AUTO_COMPACT": "0", "TAPEHEAD_WINDOW_BLOCKING": "0"})


@pytest.mark.parametrize(
    ("columns", "text"),
    [("40", "tapehead not recorded"), ("70", "tapehead not recorded | context 100k of 167k, 40% left")],
)
def test_it_fits_the_screen(scene, columns, text):
    """What does not fit is left out from the end."""
    assert said(payload(scene), {"COLUMNS": columns}) == text


def test_what_the_host_said_is_kept(scene):
    """Beside the session, for the other commands; for a session that is not recorded nothing is written."""
    said(payload(scene))
    assert not os.path.exists(scene.layout.root)
    scene.hear("s", Event.TURN_START)
    said(payload(scene))
    found = agent_figures.look(scene.layout, "s")
    assert {name: found[name] for name in ("model", "window", "used", "cost")} == {
        "model": "m",
        "window": 200_000,
        "used": 100_000,
        "cost": 0.25,
    }


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b'{"session_id": "../../x"}', b"\xff" * 10])
def test_on_garbage_it_says_nothing(raw):
    """And exits with 0."""
    done = subprocess.run(MAIN, input=raw, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_what_tapehead_starts_gets_no_line(scene):
    """The guard against recursion."""
    done = subprocess.run(
        MAIN,
        input=json.dumps(payload(scene)).encode(),
        env={**os.environ, "TAPEHEAD_INTERNAL": "1"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_as_data(scene):
    """`--json`: what the line is made of, numbers as numbers."""
    scene.hear("s", Event.TURN_START)
    done = subprocess.run([*MAIN, "--json"], input=json.dumps(payload(scene)).encode(), capture_output=True, check=True)
    found = json.loads(done.stdout)
    assert (found["phase"], found["used"], found["level"], found["percent_left"]) == ("active", 100_000, "fine", 40)
    assert found["thresholds"]["auto_compact"] == 167_000
    done = subprocess.run([*MAIN, "--json"], input=b"{", capture_output=True, check=True)
    assert done.stdout == b"null\n"


EVENTS = st.tuples(st.sampled_from([*Event]), st.sets(st.sampled_from(sorted({*Fact} - STATE_FACTS, key=str))))


@given(st.lists(EVENTS, max_size=12), st.integers(0, 12))
def test_where_it_stands_is_where_a_replay_arrives(tmp_path_factory, events, folded):
    """For any events, however many of them are folded already."""
    scene = scenes.Scene(tmp_path_factory.mktemp("store"))
    for number, (event, facts) in enumerate(events):
        scene.hear("s", event, facts=facts)
        if number == folded:
            scene.store.save(scene.engine.replayed("s"))
    expected = scene.engine.replayed("s").phase.value if events else ""
    assert standing(scene.layout, "s").phase == expected


@pytest.mark.parametrize(
    ("state", "phase"),
    [
        (b"{", "active"),
        (b"[]", "active"),
        (b'{"phase": 1, "tape_offset": -5}', "active"),
        (b'{"phase": "of tomorrow"}', "active"),
    ],
)
def test_a_state_that_cannot_be_read_is_none(tmp_path, state, phase):
    """The tape alone tells, then."""
    scene = scenes.Scene(tmp_path)
    scene.hear("s", Event.TURN_START)
    scene.store.append("s", {"event": ["x"], "facts": "y"})
    scene.store.append("s", {"event": "turn_start", "facts": [["x"], "y"]})
    with open(Layout(str(tmp_path)).state("s"), "wb") as file:
        file.write(state)
    assert standing(scene.layout, "s").phase == phase


def test_of_a_long_unread_tape_the_newest_lines_count(tmp_path):
    """A hundred thousand lines do not make a status line slow."""
    scene = scenes.Scene(tmp_path)
    scene.hear("s", Event.TURN_START)
    for _ in range(100):
        scene.store.append("s", {"note": "x" * 1000})
    scene.hear("s", Event.TURN_END)
    assert standing(scene.layout, "s").phase == "idle"
