"""A small session such as people have, made up from its first word to its last: docs/continuity.md shows the brief of it.

`python tools/example_transcript.py FILE` writes it, to be looked at with `tapehead brief --transcript FILE`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tapehead.agents.claude.transcript import skim
from tapehead.brief.brief import brief
from tapehead.work_record.work_record import gather_work
from transcript_script import Script

BUDGET = 700
"""Tokens of the brief in the docs: a page that people read."""
SUMMARY = """This session is being continued from a previous conversation that ran out of context.

Analysis: the user reported that the CSV export of tidewatch breaks rows whose station name has a comma. The assistant found the
cause in tidewatch/export.py, changed it to the csv module and added tests. The tests pass. Streaming was started afterwards.

Pending tasks: finish streaming and update the changelog."""

OLD = '    rows = [",".join(map(str, row)) for row in readings]\n    return "\\n".join(rows)'
NEW = """    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\\n")
    writer.writerows(readings)
    return out.getvalue()"""
STREAM = """def stream_csv(readings):
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\\n")
    for row in readings:
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)"""


def before() -> Script:
    """The session up to its compaction."""
    script = Script()
    _quoting(script)
    _line_ends(script)
    return _streaming(script)


def session() -> Script:
    """The whole of it: the work, the compaction, and what the agent turned out to need afterwards."""
    script = before().compacts(SUMMARY)
    script.agent("Continuing with stream_csv in tidewatch/export.py: the buffer must be truncated after each row.")
    script.edit("tidewatch/export.py", "        buffer.seek(0)", "        buffer.seek(0)\n        buffer.truncate()")
    script.run("python -m pytest tests/test_export.py -q", "4 passed in 0.21s")
    script.agent(
        "4 passed. Now EXPORT_CHUNK_ROWS: handle_export in tidewatch/server.py should send 500 rows at a time."
    )
    script.edit("tidewatch/server.py", "to_csv(readings)", "stream_csv(readings)")
    script.run("python -m pytest tests/test_export.py -q", "4 passed in 0.22s")
    script.run("ruff check tidewatch", "All checks passed!")
    return script.agent("Done. CHANGELOG.md is the last open item; issue #41 can be closed with it.")


def _quoting(script: Script) -> None:
    script.human(
        "The CSV export breaks when a station is called 'Saint-Malo, port' (issue #41). Find out why and fix it. Don't touch the public API."
    )
    script.call(
        "Grep",
        "tidewatch/export.py:14:def to_csv(readings):\ntidewatch/server.py:52:    body = to_csv(readings)",
        pattern="to_csv",
    )
    script.read("tidewatch/export.py", f"import io\n\n\ndef to_csv(readings):\n{OLD}\n")
    script.agent(
        "to_csv joins the fields by hand, so a comma in a station name makes a new column. I'll use the csv module because it quotes only what needs it."
    )
    script.todos(
        doing="Quote fields in to_csv", left="Test station names with commas and quotes; Note the fix in CHANGELOG.md"
    )
    script.edit("tidewatch/export.py", OLD, NEW)
    script.run(
        "python -m pytest tests/test_export.py -q",
        "E   NameError: name 'csv' is not defined\n1 failed in 0.34s",
        failed=True,
    )
    script.edit("tidewatch/export.py", "import io\n", "import csv\nimport io\n")
    script.run("python -m pytest tests/test_export.py -q", "2 passed in 0.19s")
    script.agent("to_csv quotes station names now; tests/test_export.py passes.")


def _line_ends(script: Script) -> None:
    script.human(
        "The importer at the harbour office chokes on \\r\\n, so always write \\n. And never reformat files you don't change."
    )
    script.edit(
        "tests/test_export.py", "", "def test_rows_end_with_a_newline_only():\n    assert to_csv([[1, 2]]) == '1,2\\n'"
    )
    script.run("python -m pytest tests/test_export.py -q", "3 passed in 0.20s")
    script.run("ruff check tidewatch", "All checks passed!")
    script.run(
        'git commit -am "Quote station names in the export"',
        "[export-quoting 8d41c07] Quote station names in the export\n 2 files changed",
    )
    script.agent(
        "Decided to keep lineterminator in to_csv instead of a setting: the importer is the only reader. Committed as 8d41c07."
    )


def _streaming(script: Script) -> Script:
    script.human(
        "Good. A year of readings takes 900 MB as one string. Stream it: 500 rows at a time, name the constant EXPORT_CHUNK_ROWS."
    )
    script.todos(
        done="Quote fields in to_csv; Test station names with commas and quotes",
        doing="Write stream_csv beside to_csv",
        left="Send EXPORT_CHUNK_ROWS rows at a time in handle_export; Note the fix in CHANGELOG.md",
    )
    script.read(
        "tidewatch/server.py",
        "def handle_export(request):\n    readings = load_readings(request.station)\n    body = to_csv(readings)\n    return Response(body, media_type='text/csv')",
    )
    script.edit("tidewatch/export.py", "", STREAM)
    script.run(
        "python -m pytest tests/test_export.py -q",
        "E   AssertionError: assert '1,2\\n1,2\\n3,4\\n' == '1,2\\n3,4\\n'\n1 failed, 3 passed in 0.25s",
        failed=True,
    )
    return script.agent(
        "stream_csv repeats the rows it already gave: seek(0) alone leaves the old text in the buffer. It still needs a truncate() after each row."
    )


def example_brief() -> str:
    """The brief that the docs show, as Markdown embeds it."""
    with tempfile.TemporaryDirectory() as directory:
        path = before().write(Path(directory) / "session.jsonl")
        text = brief(gather_work(skim(path)), budget=BUDGET, source="compact")
    return f"~~~markdown\n{text}~~~\n"


if __name__ == "__main__":
    session().write(sys.argv[1])
