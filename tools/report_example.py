"""A report to look at, of a session that never was: for docs/images, for the tests of the page, and for whoever works on its looks.

`python tools/report_example.py FOLDER` takes the screenshots (`make pictures`); with a file's name ending in .html it writes the page.
"""

from __future__ import annotations

import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import attrs

from browser import Browser
from example_transcript import NEW, OLD, STREAM, SUMMARY
from tapehead.agents.claude.transcript import skim
from tapehead.brief.brief import brief
from tapehead.report.gather import gather, source_of_file
from tapehead.report.page import page
from tapehead.report.report_values import FileShare, ReportedCommit, ReportedMove, Statement
from tapehead.statemachine.transition import transition
from tapehead.statemachine.vocabulary import Event, Fact, Phase
from tapehead.work_record.work_record import gather_work
from transcript_script import BEGINS, Script

if TYPE_CHECKING:
    from tapehead.report.report_values import Report

NOW = datetime(2027, 1, 15, 11, 30, tzinfo=UTC)
_SIZE = (1_200, 900)


class Counted(Script):
    """A script whose answers say how full the window was, as the agent's own do."""

    def __init__(self) -> None:
        super().__init__()
        self.context = 17_400

    def _answer(self, block: dict[str, Any]) -> Self:
        grown = 2_900 + 9 * len(str(block)) + 611 * (len(self.lines) % 7)
        usage = {
            "input_tokens": 4,
            "cache_read_input_tokens": self.context,
            "cache_creation_input_tokens": grown,
            "output_tokens": 90 + len(str(block)) // 3,
        }
        self.context += grown
        message = {
            "id": f"msg_{len(self.lines):05d}",
            "role": "assistant",
            "model": "claude-opus-5-5",
            "content": [block],
            "usage": usage,
        }
        return self._line("assistant", message)

    def compacted(self, summary: str, session: str) -> None:
        """The agent drops the conversation, and is handed back what the summary lost."""
        found = gather_work(_turns(self.text()))
        self.compacts(summary)
        text = brief(found, budget=900, source="compact", host_summary=summary)
        self.hook_said(f"tapehead: where this session stood before it was compacted.\n\n{text}")
        self.context = 21_000 + len(session)


def _turns(text: str) -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "so-far.jsonl")
        path.write_text(text, encoding="utf-8")
        return list(skim(str(path)))


def script() -> Counted:
    """The session: a bug, a feature with two compactions, a review."""
    told = Counted()
    _finds_the_bug(told)
    _streams(told)
    told.compacted(SUMMARY, told.session)
    _goes_on(told)
    _measures(told)
    told.compacted("The export streams now. Pending: the changelog.", told.session)
    _finishes(told)
    return told


def _finds_the_bug(told: Counted) -> None:
    told.human(
        "The CSV export breaks when a station is called 'Saint-Malo, port' (issue #41). Find out why and fix it. Don't touch the public API."
    )
    told.call("Grep", "tidewatch/export.py:14:def to_csv(readings):", pattern="to_csv")
    told.read("tidewatch/export.py", f"import io\n\n\ndef to_csv(readings):\n{OLD}\n")
    told.agent(
        "to_csv joins the fields by hand, so a comma in a station name makes a new column. I'll use the csv module because it quotes only what needs it."
    )
    told.todos(
        doing="Quote fields in to_csv", left="Test station names with commas and quotes; Note it in CHANGELOG.md"
    )
    told.edit("tidewatch/export.py", OLD, NEW)
    told.run(
        "python -m pytest tests/test_export.py -q", "E   NameError: name 'csv' is not defined\n1 failed", failed=True
    )
    told.edit("tidewatch/export.py", "import io\n", "import csv\nimport io\n")
    told.run("python -m pytest tests/test_export.py -q", "2 passed in 0.19s")
    told.agent("to_csv quotes station names now; tests/test_export.py passes.")
    told.human("Always end lines with \\n, never \\r\\n: the loader chokes on it. Then commit.")
    told.edit("tests/test_export.py", "", 'def test_line_ends():\n    assert "\\r" not in to_csv([("a", 1)])\n')
    told.run("python -m pytest tests/test_export.py -q", "3 passed in 0.20s")
    told.run("git commit -am 'Quote station names in the CSV export'", "[export-quoting 5b1f6e0] Quote station names")
    told.agent("Committed. Line ends are \\n everywhere, with a test.")


def _streams(told: Counted) -> None:
    told.human("A year of readings takes 2 GB in memory. Stream the export; 500 rows at a time is fine.")
    told.read("tidewatch/server.py", "def handle_export(request):\n    body = to_csv(readings)\n" * 12)
    told.agent("I'll add stream_csv beside to_csv, so that the public API stays as it is. EXPORT_CHUNK_ROWS = 500.")
    for part in ("tidewatch/stations.py", "tidewatch/readings.py", "tidewatch/settings.py", "docs/export.md"):
        told.read(part, f"# {part}\n" + "station = readings[0].station\n" * 60)
    told.edit("tidewatch/export.py", "    return out.getvalue()", f"    return out.getvalue()\n\n\n{STREAM}")
    told.run("python -m pytest tests -q", "E   AssertionError: rows repeat\n1 failed, 41 passed", failed=True)


def _goes_on(told: Counted) -> None:
    told.agent("Continuing with stream_csv in tidewatch/export.py: the buffer must be truncated after each row.")
    told.edit("tidewatch/export.py", "        buffer.seek(0)", "        buffer.seek(0)\n        buffer.truncate()")
    told.run("python -m pytest tests -q", "42 passed in 1.91s")
    told.edit("tidewatch/server.py", "to_csv(readings)", "stream_csv(readings)")
    told.run("ruff check tidewatch", "All checks passed!")
    told.agent("The export streams 500 rows at a time; 42 tests pass.")
    told.human("How much memory does it take now? Measure it with the real year of readings.")


def _measures(told: Counted) -> None:
    for year in range(2012, 2026):
        told.run(f"python bench/export.py --year {year}", f"{year}: 8.76 M rows, peak {31 + year % 5} MB\n" * 20)
    told.agent(
        "Peak memory is 35 MB for every year, down from 2 GB. We decided against gzip: the loader reads plain text."
    )
    told.human("Good. Add that to docs/export.md.")
    told.read("docs/export.md", "# Export\n\nThe export is one CSV file.\n" * 40)
    told.edit("docs/export.md", "one CSV file.", "one CSV file, streamed 500 rows at a time (35 MB at most).")


def _finishes(told: Counted) -> None:
    told.agent("docs/export.md tells it. CHANGELOG.md is the last open item.")
    told.edit(
        "CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n- The CSV export quotes station names and streams (#41).\n"
    )
    told.run("git commit -am 'Stream the CSV export'", "[export-quoting 9a43c77] Stream the CSV export")
    told.agent("Done: issue #41 can be closed.")
    told.human("Thanks. Open a pull request.")
    told.run("gh pr create --fill", "https://example.org/tidewatch/pull/58")
    told.agent("Pull request 58 is open.")


def report() -> Report:
    """What is gathered of it, with a path, commits and a cost as a store would have them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "session.jsonl")
        found = gather(source_of_file(script().write(path)), NOW)
    return attrs.evolve(
        found,
        agent_version="2.1.42",
        phase="idle",
        moves=tuple(moves()),
        window=200_000,
        cost=3.42,
        commits=commits(),
        kept_decisions=(
            Statement("ADR-0007 Exports are streamed: memory must not grow with the year", note="accepted"),
        ),
    )


_PATH = (
    Event.SESSION_START,
    *(Event.TURN_START, Event.TURN_END) * 2,
    *(Event.GIT_COMMIT, Event.TURN_START, Event.COMPACTION, Event.SESSION_START, Event.TURN_END),
    *(Event.TURN_START, Event.TURN_END, Event.TURN_START, Event.COMPACTION, Event.SESSION_START, Event.TURN_END),
    *(Event.GIT_COMMIT, Event.TURN_START, Event.TURN_FAILED, Event.TURN_START, Event.TURN_END),
)


def moves() -> list[ReportedMove]:
    """The path, as the machine itself answers."""
    phase, found = Phase.IDLE, []
    for number, event in enumerate(_PATH):
        after = {Fact.AFTER_COMPACTION} if phase is Phase.COMPACTING else set()
        to, actions = transition(phase, event, frozenset(after))
        at = BEGINS + number * timedelta(minutes=4)
        found.append(ReportedMove(at, event.value, phase.value, to.value, tuple(action.value for action in actions)))
        phase = to
    return found


def commits() -> tuple[ReportedCommit, ...]:
    """Two, the second with lines of the human's."""
    first = (
        FileShare("tidewatch/export.py", 9, 9, 9, ((1, 1), (15, 22))),
        FileShare("tests/test_export.py", 14, 14, 14, ((8, 21),)),
    )
    second = (
        FileShare("tidewatch/export.py", 11, 11, 11, ((25, 35),)),
        FileShare("tidewatch/server.py", 6, 2, 2, ((52, 53),)),
        FileShare("docs/export.md", 8, 3, 3, ((4, 6),)),
    )
    return (
        ReportedCommit(
            "5b1f6e0d2c77a1b2c3d4",
            "Quote station names in the CSV export",
            "3f0c5a527d1e",
            BEGINS + timedelta(minutes=11),
            23,
            23,
            23,
            4,
            first,
        ),
        ReportedCommit(
            "9a43c77e0b85d9f1a2b3",
            "Stream the CSV export",
            "7d1e4b8e9a43",
            BEGINS + timedelta(minutes=48),
            25,
            16,
            16,
            3,
            second,
        ),
    )


def take_pictures(folder: Path) -> None:
    """The page in light from its top, and in dark at its turns."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, Browser() as browser:
        file = Path(scratch, "report.html")
        file.write_text(page([report()], UTC), encoding="utf-8")
        for name, anchor, dark in (("report", "", False), ("report-turns", "#s1-t3", True)):
            browser.look(width=_SIZE[0], height=_SIZE[1], dark=dark)
            browser.open("about:blank")
            browser.open(f"{file.as_uri()}{anchor}")
            (folder / f"{name}.png").write_bytes(browser.picture())
            print(f"{folder / name}.png: {(folder / f'{name}.png').stat().st_size:,} bytes")


if __name__ == "__main__":
    if sys.argv[1].endswith(".html"):
        Path(sys.argv[1]).write_text(page([report()], None), encoding="utf-8")
    else:
        take_pictures(Path(sys.argv[1]))
