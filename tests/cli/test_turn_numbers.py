"""A turn has one number in every command: one awkward session is walked through all of them.

Its hooks and its transcript are as the real client writes them (2.1.325): a prompt typed while the agent works is heard by the hook at once, and stands in the
transcript either inside the running turn or, if the agent was done first, as a turn of its own; a prompt cancelled with Escape stays in the file.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

import scenes
from record import Linked
from tapehead.engine.chores import remember
from tapehead.history.turn_numbers import Prompt, TurnNumbers
from tapehead.statemachine.vocabulary import Event

SESSION = "abcdabcd-1111-4222-8333-444444444444"
TURNS = {
    1: "open the door",
    2: "count slowly to ten",
    3: "never paint it green",
    4: "wait a while for me",
    5: "typed while it worked, answered after it",
    6: "close the door",
    7: "lock the door",
}
INSIDE = "and paint it red meanwhile"
"""Typed while the agent worked on turn 2, which took it in."""


class Now(Linked):
    """Lines that are dated when they are written, as the client's are: the hooks between them have the same clock."""

    @property
    def time(self):
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Walk:
    """The session, hook by hook and line by line."""

    def __init__(self, repository, directory):
        self.repository, self.directory = repository, directory
        self.root = Path(repository.root)
        self.record = Now(SESSION, cwd=repository.root)
        self.path = ""

    def hook(self, name, **fields):
        self.path = self.record.write(self.directory)
        self.repository.hook(name, SESSION, transcript_path=self.path, **fields)
        self.repository.engine.settle(SESSION)

    def asks(self, words, *, instead_of=None):
        self.hook("UserPromptSubmit", prompt=words)
        self.record.ask(words, instead_of=instead_of)

    def works(self, file):
        """Each turn leaves a file of its own, so that every turn can be told by it."""
        (self.root / file).write_text(f"{file}\n")
        self.record.call("Write", "ok", file_path=str(self.root / file), content=f"{file}\n")

    def answers(self):
        self.record.answer("Done.")
        self.hook("Stop", last_assistant_message="Done.")

    def turn(self, number, **how):
        self.asks(TURNS[number], **how)
        self.works(f"turn{number}.txt")
        self.answers()


@pytest.fixture
def walked(repository, tmp_path, monkeypatch):
    for name in ("CODEX_THREAD_ID", "GEMINI_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    walk = Walk(repository, tmp_path)
    (walk.root / "base.txt").write_text("base\n")
    scenes.git(walk.root, "add", "-A")
    scenes.git(walk.root, "commit", "-qm", "base")
    walk.hook("SessionStart", source="startup")
    walk.turn(1)
    walk.asks(TURNS[2])
    walk.record.call("Bash", command="sleep 8")
    walk.record.queue(INSIDE)
    walk.hook("UserPromptSubmit", prompt=INSIDE)
    walk.record.queue(INSIDE, "remove").result("done")
    walk.record.line("attachment", attachment={"type": "queued_command", "prompt": INSIDE, "commandMode": "prompt"})
    walk.works("turn2.txt")
    walk.answers()
    walk.asks(TURNS[3])  # and Escape: no hook tells it
    walk.asks(TURNS[4], instead_of=TURNS[3])
    walk.record.queue(TURNS[5])
    walk.hook("UserPromptSubmit", prompt=TURNS[5])
    walk.works("turn4.txt")
    walk.record.queue(TURNS[5], "dequeue")
    walk.answers()
    walk.record.ask(TURNS[5])
    walk.works("turn5.txt")
    walk.answers()
    walk.record.compacted("A door was opened.", trigger="manual")
    walk.hook("PreCompact", trigger="manual")
    walk.hook("PostCompact", trigger="manual", compact_summary="A door was opened.")
    walk.hook("SessionStart", source="compact")
    walk.turn(6)
    walk.hook("SessionEnd", reason="other")
    walk.hook("SessionStart", source="resume")
    walk.turn(7)
    walk.hook("SessionEnd", reason="other")
    remember(repository.engine, SESSION)
    return repository


def test_the_tape_counts_otherwise(walked):
    """Else nothing is proved here: the hook heard eight prompts, the transcript has seven turns."""
    assert walked.engine.store.load(SESSION).turn_number == len(TURNS) + 1


@pytest.mark.parametrize("number", TURNS)
def test_detail(walked, number):
    """The prompt of the turn that is asked for; that of the middle of turn 2 too."""
    told = walked.run("detail", "turn", str(number)).stdout
    assert f"\n{TURNS[number]}\n" in told
    assert (INSIDE in told) == (number == 2)


def test_brief_and_notes(walked):
    """Each prompt that still stands with its number; the one that was taken back is gone."""
    for text in (walked.run("brief", "--full").stdout, walked.run("notes", "--refresh").stdout):
        found = dict(re.findall(r"\b(?:turn |t)(\d+)[^“\n]*“([^”]+)”", text))
        told = {int(turn): words for turn, words in found.items() if words in TURNS.values()}
        assert told, text
        assert told == {turn: words for turn, words in TURNS.items() if turn in told}
        assert 7 in told
        assert 3 not in told


def test_log(walked):
    """Every prompt with the number of its turn, in the order in which it was typed."""
    found = re.findall(r"prompt, turn (\d+): (.*)", walked.run("log").stdout)
    assert [(int(turn), words) for turn, words in found] == [
        (1, TURNS[1]),
        (2, TURNS[2]),
        (2, INSIDE),
        (3, TURNS[3]),
        (4, TURNS[4]),
        (5, TURNS[5]),
        (6, TURNS[6]),
        (7, TURNS[7]),
    ]


def test_status(walked):
    """The turn that it is in."""
    assert [session["turn_number"] for session in walked.json("status")[0]["sessions"]] == [7]
    line = next(line for line in walked.run("status", "--wide").stdout.splitlines() if SESSION[:8] in line)
    assert re.search(r"claude +7 ", line), line


def test_rewind(walked):
    """Each row has the file that the turn of that number left, and `--to` understands the same numbers."""
    rows = walked.json("rewind")
    told = {row["turn"]: row["files"] for row in rows if row["files"]}
    assert told == {number: [f"turn{number}.txt"] for number in (1, 2, 4, 5, 6, 7)}
    assert rows[0]["turn"] == 0
    for number in (2, 4):
        assert walked.run("rewind", "--to", str(number), "--force").exit_code == 0
        there = {path.name for path in Path(walked.root).glob("turn*.txt")}
        assert there == {f"turn{each}.txt" for each in (1, 2, 4) if each <= number}


@pytest.mark.parametrize("number", [1, 2, 4, 5, 6, 7])
def test_explain(walked, number):
    """A line is of the turn that brought it."""
    asked = walked.json("explain", f"turn{number}.txt:1")["line"]["asked"]
    assert asked["turn"] == number
    assert asked["prompt"] == TURNS[number]


def test_report_and_export(walked):
    """The turns of the page."""
    told = walked.json("export", SESSION)["turns"]
    assert {turn["number"]: turn["prompt"].partition("\n")[0] for turn in told} == TURNS
    page = walked.run("report", SESSION, "--out", "-").stdout
    for number, words in TURNS.items():
        assert re.search(rf"Turn {number}</b>.*?{re.escape(words)}", page, re.DOTALL), number


def test_search_and_losses(walked):
    """What a search points to, and what the compaction lost."""
    hits = {hit["turn"] for hit in walked.json("search", "slowly") if "slowly" in json.dumps(hit)}
    assert hits == {2}
    lost = {item["text"]: item["turn"] for item in walked.json("losses")[0]["items"] if item["kind"] == "ask"}
    assert {TURNS[turn]: turn for turn in (1, 2, 4, 5)}.items() <= lost.items()


def matched(starts, prompts):
    return [*TurnNumbers(starts, prompts).of_tape.values()]


def _start(words, second, **data):
    at = scenes.when(scenes.NOON + second * scenes.SECOND)
    return scenes.line(Event.TURN_START, at=at, data={"prompt": words, **data})


def _prompt(turn, second, words):
    return Prompt(turn, scenes.when(scenes.NOON + second * scenes.SECOND).isoformat(), words)


def test_hooks_that_came_later():
    """The turns before them count; the same words said twice are told apart by their order and time."""
    prompts = [_prompt(1, 0, "go on"), _prompt(2, 500, "go on"), _prompt(3, 600, "stop"), _prompt(4, 700, "go on")]
    assert matched([_start("go on", 500), _start("stop", 600), _start("go on", 700)], prompts) == [2, 3, 4]


def test_what_the_history_does_not_have():
    """At the end it is the next turn; in the middle, and what is no prompt, it is part of the turn before."""
    prompts = [_prompt(1, 0, "one"), _prompt(2, 10, "two")]
    starts = [_start("one", 0), _start("/tidy", 5), _start("two", 10), _start("/tidy", 15), _start("three", 20)]
    assert matched(starts, prompts) == [1, 1, 2, 2, 3]
    assert matched([_start("one", 0), _start("two", 1)], []) == [1, 2]
    assert matched([_start("a timer", 0, asked_by="cron"), _start("one", 1)], prompts) == [0, 1]
    assert matched([], prompts) == []
