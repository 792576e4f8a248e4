"""`tapehead monitor` in a pipe, and what it draws when."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from datetime import timedelta

import attrs
import pytest
from click.testing import CliRunner

from tapehead.cli.app import app
from tapehead.cli.commands import monitor as module
from tapehead.cli.here import here
from tapehead.cli.monitor import diagnosis
from tapehead.cli.monitor.watch import StoreWatch
from tapehead.engine import store_registry
from tapehead.engine.store_location import state_home
from tapehead.observable import Observable
from tapehead.store import off_switch


@pytest.fixture
def run(world):
    """Runs it in a pipe."""

    def ran(*words, env=None):
        env = {**os.environ, **(env or {})}
        return subprocess.run([*world.program, *words], env=env, capture_output=True, text=True, check=False)

    return ran


@pytest.mark.parametrize(
    ("columns", "widest"), [("80", 80), ("40", 40), ("100000", 100), ("wide", 100), ("0", 100), ("", 100)]
)
def test_in_a_pipe_it_is_as_wide_as_is_said(world, run, columns, widest):
    """COLUMNS counts where it is a width; a hundred otherwise."""
    world.session("a" * 120)
    lines = run("--once", env={"COLUMNS": columns}).stdout.splitlines()
    assert max(map(len, lines)) == widest


def test_in_a_pipe_it_prints_once_without_escape_codes(world, run):
    """All sessions, whole lines, and out."""
    world.session("one")
    world.said("one")
    done = run(env={"TERM": "xterm-256color", "FORCE_COLOR": "1"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    lines = done.stdout.splitlines()
    assert lines[0] == "tapehead · project · 1 session · 0 active"
    assert lines[2].startswith("IDLE       one   claude   opus-5-5   project on main")
    assert "60k of 167k, 64% left" in lines[3]
    assert run("--once").stdout == done.stdout


def test_where_stdout_has_few_letters_it_makes_do(world, run):
    """ASCII instead of an error."""
    world.session("one")
    world.said("one")
    done = run(env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0
    assert "tapehead - project - 1 session" in done.stdout
    assert "#########............." in done.stdout


def test_as_data(world, run):
    """Everything that the picture shows, with names; `--session` takes one of them."""
    world.session("one")
    world.session("two", ends=True)
    world.said("one")
    first, second = json.loads(run("--json").stdout)
    assert (first["session"], first["phase"], first["branch"], first["cost"]) == ("one", "idle", "main", 1.25)
    assert first["context"]["marks"] == {"warning": 160000, "error": 160000, "auto_compact": 167000, "blocking": 177000}
    assert (first["context"]["used"], first["tokens"]["cache_read"]) == (60_000, 109_980)
    assert (second["session"], second["phase"], second["context"]["window"]) == ("two", "ended", None)
    assert [row["session"] for row in json.loads(run("--json", "--session", "tw").stdout)] == ["two"]


def test_a_session_that_is_not_there(world, run):
    """An error that says where to look."""
    world.session("one")
    done = run("--session", "nine")
    assert done.returncode == 1
    assert "No session 'nine'" in done.stderr


def test_of_the_whole_machine(world, run, tmp_path, monkeypatch):
    """`--all`: every store that was ever used, from anywhere; `--session` finds the one that has it."""
    world.session("one")
    store_registry.register(state_home(os.environ), world.layout.root)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert json.loads(run("--json").stdout) == []
    assert [row["project"] for row in json.loads(run("--all", "--json").stdout)] == ["project"]
    assert [row["session"] for row in json.loads(run("--all", "--json", "--session", "on").stdout)] == ["one"]


def test_on_a_machine_without_any(world, run):
    """Nothing to see, and said so."""
    assert "No session recorded here yet" in run("--all").stdout


def test_while_tapehead_is_off(world, run, looking):
    """It says so above the sessions, from when on and how to end it; a live picture is drawn again for it; and the data say so."""
    screen, look = looking
    look()
    off_switch.turn_off(world.layout, off_switch.Period(time.time_ns()))
    lines = run("--once", env={"COLUMNS": "80"}).stdout.splitlines()
    assert re.fullmatch(r"off since .{16} [+-]\d{4}: nothing is recorded; `tapehead on` ends it", lines[1])
    look()
    assert screen.shown[1][1] == lines[1]
    assert [row["off"] for row in json.loads(run("--json").stdout)] == [True]
    store_registry.register(state_home(os.environ), world.layout.root)
    assert run("--all", "--once").stdout.splitlines()[1].startswith("off")
    off_switch.turn_on(world.layout, time.time_ns())
    assert "off" not in run("--once").stdout
    assert [row["off"] for row in json.loads(run("--json").stdout)] == [False]


class Drawn:
    """A screen that only counts."""

    def __init__(self):
        self.size, self.entered, self.shown = (80, 24), 1, []

    def show(self, lines):
        self.shown.append([line.plain for line in lines])


@pytest.fixture
def looking(world):
    """What the loop does in one round."""
    world.session("one")
    screen, sight, watches = Drawn(), Observable(module.Sight()), [StoreWatch(here())]
    sight.subscribe(lambda seen, _: screen.show(module.picture(seen.rows, seen.now, *seen.size, seen.off)))
    return screen, lambda: module._look(sight, screen, watches)


def test_it_draws_only_what_has_changed(world, looking):
    """A second look at the same draws nothing; news does, and so do another size and a screen that was lost."""
    screen, look = looking
    look()
    look()
    assert len(screen.shown) == 1
    world.answers("one", 70_000)
    look()
    assert len(screen.shown) == 2
    screen.size = (120, 24)
    look()
    screen.entered += 1
    look()
    look()
    assert len(screen.shown) == 4


def test_time_is_news_when_it_changes_a_word(looking, monkeypatch):
    """After a minute, and not before."""
    screen, look = looking
    look()
    real = module.time.time
    monkeypatch.setattr(module.time, "time", lambda: real() + 600)
    look()
    look()
    assert ["just now" in shown[2] for shown in screen.shown] == [True, False]


def test_its_help_has_examples():
    """As every command's."""
    assert "tapehead monitor --all" in CliRunner().invoke(app, ["monitor", "--help"]).output


def test_diag(world, run):
    """Where each number comes from: the status line, the transcript, or nobody."""
    world.session("one")
    world.session("two")
    world.said("one")
    told = json.loads(run("--diag", "--json").stdout)
    assert told["terminal"]["stdout"] == "no terminal"
    assert told["one"]["window"] == "200,000 tokens, as the status line said it"
    assert "warning at 160,000" in told["one"]["marks"]
    assert told["two"]["window"].startswith("unknown")
    assert "as the transcript counts" in told["two"]["context"]
    assert "as the status line said" in run("--diag", "--session", "one").stdout


def test_diag_tells_work_from_a_turn_that_hangs(world, monkeypatch):
    """By when something last came; a transcript that became shorter has drifted."""
    world.session("one")
    world.hook("UserPromptSubmit", "one", prompt="go on")
    world.engine.settle("one")
    state, path = world.engine.store.load("one"), world.transcript("one")
    monkeypatch.chdir(world.root)
    at = here()
    assert diagnosis.of_session(at, state)["activity"].startswith("at work")
    later = attrs.evolve(at, now=at.now + timedelta(minutes=11))
    assert diagnosis.of_session(later, state)["activity"].startswith("stuck, or busy")
    os.utime(path, (later.now.timestamp(),) * 2)
    assert diagnosis.of_session(later, state)["activity"].startswith("at work")
    os.truncate(path, 1)
    assert diagnosis.of_session(at, state)["transcript"].startswith("drifted")
