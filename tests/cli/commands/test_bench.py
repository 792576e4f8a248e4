"""`tapehead bench continuity` as a user calls it."""

from __future__ import annotations

import gzip
import json
import shutil

import pytest
from click.testing import CliRunner

from example_transcript import session
from tapehead.benchmark.contexts import NAMES
from tapehead.benchmark.scoring import COLUMNS
from tapehead.cli.app import app
from tapehead.cli.commands import bench
from tapehead.cli.output import run
from transcript_script import Script


def call(*args, env=None):
    return CliRunner(env=env).invoke(app, ["bench", "continuity", *map(str, args)])


@pytest.fixture
def transcript(tmp_path):
    return session().write(tmp_path / "session.jsonl")


def test_it_shows_every_context_in_a_plain_table(transcript):
    """In a pipe: how many compactions, the columns, a row for each context; progress says nothing there."""
    result = call(transcript)
    first, head, *rows = result.stdout.splitlines()
    assert (result.exit_code, result.stderr) == (0, "")
    assert first == "1 compaction in 1 transcript; limit for brief and tail: 2,000 tokens"
    assert head.split() == list(COLUMNS)
    assert [row[:16].strip() for row in rows] == list(NAMES)
    assert max(map(len, (head, *rows))) <= 80
    assert rows[1].split()[1:-1] == ["0.02", "0.00", "0.11", "0.00", "0.00", "0.00", "0.00"]
    assert rows[1].split()[-1].isdecimal()


def test_the_brief_beats_what_there_is_without_it(transcript):
    """On the example session, as JSON: more of what was needed than any baseline, within its budget."""
    found = json.loads(call("--json", "--budget", 700, transcript).stdout)
    scores = {name: row["score"] for name, row in found["contexts"].items()}
    assert (found["transcripts"], found["compactions"], found["budget"]) == (1, 1, 700)
    assert all(scores["brief"] > scores[name] for name in ("summary", "tail", "20 turns"))
    assert found["contexts"]["brief"]["tokens"] <= 700


def test_each_compaction_can_be_shown(transcript):
    """A line for every compaction and context, by the file's name and the compaction's number; the same in JSON."""
    lines = call("--each", transcript).stdout.splitlines()
    assert [line.split()[0] for line in lines[: len(NAMES)]] == ["session.jsonl#1"] * len(NAMES)
    (one,) = json.loads(call("--each", "--json", transcript).stdout)["each"]
    assert (one["compaction"], list(one)[1:]) == ("session.jsonl#1", list(NAMES))


def test_a_number_that_no_case_has_is_a_dash(tmp_path):
    """A session in which no command was run again has no recall of commands: that is not 0."""
    script = Script().human("Rename old_name_a to new_name_a in every file, please")
    for n in range(24):
        script.agent(f"helper_name_{n} is renamed")
    script.compacts("helper_name_1")
    for n in range(24):
        script.agent(f"helper_name_{n} is done")
    row = call(script.write(tmp_path / "x.jsonl")).stdout.splitlines()[2]
    assert row.split()[5] == "-"


def test_packed_transcripts_and_directories_are_read(transcript, tmp_path):
    """Directories are walked to the bottom; a packed transcript counts like the plain one; other files are passed over."""
    deep = tmp_path / "projects" / "one"
    deep.mkdir(parents=True)
    shutil.copy(transcript, deep / "a.jsonl")
    with open(transcript, "rb") as plain, gzip.open(deep / "b.jsonl.gz", "wb") as packed:
        packed.write(plain.read())
    (deep / "notes.txt").write_text("no transcript")
    found = json.loads(call("--json", "--each", tmp_path / "projects", deep / "a.jsonl").stdout)
    assert [one["compaction"] for one in found["each"]] == ["a.jsonl#1", "b.jsonl.gz#1"]
    assert found["each"][0]["brief"] == found["each"][1]["brief"]


@pytest.mark.parametrize("named", [True, False])
def test_without_a_path_it_reads_claude_code_s_own(named, transcript, tmp_path):
    """Below CLAUDE_CONFIG_DIR where that is set, and below ~/.claude where not."""
    home = tmp_path / "home"
    place = (tmp_path / "config" if named else home / ".claude") / "projects" / "-srv-tidewatch"
    place.mkdir(parents=True)
    shutil.copy(transcript, place / "s.jsonl")
    env = {"HOME": str(home), "CLAUDE_CONFIG_DIR": str(tmp_path / "config") if named else None}
    assert json.loads(call("--json", env=env).stdout)["compactions"] == 1


def test_a_sample_is_always_the_same(transcript, tmp_path):
    """So many transcripts, and the same ones in a second run; a sample of more than there are is all of them."""
    many = tmp_path / "many"
    many.mkdir()
    for n in range(6):
        shutil.copy(transcript, many / f"{n}.jsonl")

    def drawn(size):
        return [
            one["compaction"] for one in json.loads(call("--json", "--each", "--sample", size, many).stdout)["each"]
        ]

    assert len(drawn(2)) == 2
    assert drawn(2) == drawn(2)
    assert len(drawn(9)) == 6


def test_no_compaction_is_an_error_with_a_hint(tmp_path, capsys):
    """Exit 1 and what to do: where nothing is there, where nothing was compacted, where a compaction is too small."""
    (tmp_path / "empty").mkdir()
    Script().human("hello").agent("hello").compacts("hello").write(tmp_path / "small.jsonl")
    for path, said in (("empty", "0 transcripts"), ("small.jsonl", "1 transcript")):
        assert run(app, ["bench", "continuity", str(tmp_path / path)]) == 1
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith(f"error: No compaction to score in {said}\n\nhint: ")


def test_no_transcripts_at_all(tmp_path):
    """Someone who never used Claude Code gets the same error, not a traceback."""
    result = call(env={"HOME": str(tmp_path / "nowhere"), "CLAUDE_CONFIG_DIR": None})
    assert (result.exit_code, result.stdout) == (1, "")


def test_a_file_that_cannot_be_read_is_said_and_passed_over(transcript, tmp_path):
    """Half a packed file, or none at all under that name: a note on stderr, and the others are scored."""
    (tmp_path / "torn.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 1000)[:40])
    (tmp_path / "fake.jsonl.gz").write_text("not packed")
    result = call("--json", tmp_path)
    assert json.loads(result.stdout)["compactions"] == 1
    assert result.stderr.count(" skipped: ") == 2


def test_in_a_terminal_it_says_where_it_is(monkeypatch, transcript, capsys):
    """Which of how many transcripts, on stderr only, while it is read."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert len(list(bench._cases([transcript], 500))) == 1
    said = capsys.readouterr()
    assert "1 of 1: session.jsonl" in said.err
    assert said.out == ""


def test_one_transcript_at_a_time(monkeypatch, transcript):
    """The next one is not touched before the cases of this one are taken: memory is that of the largest."""
    opened = []
    real = bench._of_file
    monkeypatch.setattr(bench, "_of_file", lambda path, budget, **how: opened.append(path) or real(path, budget, **how))
    cases = bench._cases([transcript, transcript], 500)
    next(cases)
    assert len(opened) == 1


def test_the_estimate_is_measured_against_what_the_host_counted(tmp_path):
    """Steps of 100 tokens and more, and whole contexts; characters divided by four stands beside it."""
    said = " ".join(["the harbour office reads the export at noon"] * 40)
    answers = [
        {
            "message": {
                "id": str(n),
                "usage": {"input_tokens": 1000 + 400 * n},
                "content": [{"type": "text", "text": said}],
            }
        }
        for n in range(5)
    ]
    path = tmp_path / "counted.jsonl"
    path.write_text("".join(json.dumps({"type": "assistant", **answer}) + "\n" for answer in answers))
    result = CliRunner().invoke(app, ["bench", "tokens", "--json", str(path)])
    found = json.loads(result.stdout)
    assert found["counted"] == {"steps": 4, "contexts": 1}
    assert found["steps"]["characters / 4"]["median"] == pytest.approx(abs(len(said) / 4 - 400) / 400, abs=0.001)
    plain = CliRunner().invoke(app, ["bench", "tokens", str(path)]).stdout.splitlines()
    assert plain[0].startswith("4 steps of 100 tokens and more, 1 context, in 1 transcript;")
    assert [line.split()[0] for line in plain if line] == [
        "4",
        "steps",
        "estimate",
        "characters",
        "contexts",
        "estimate",
        "characters",
    ]


def test_without_a_count_there_is_nothing_to_measure(tmp_path):
    """It says so, and what to do."""
    (tmp_path / "empty.jsonl").write_text("")
    assert run(app, ["bench", "tokens", str(tmp_path)]) == 1


def test_counts_that_hardly_grow_are_not_said_to_be_missing(tmp_path, capsys):
    """Answers that were counted, and too little between them to hold an estimate against."""
    usage = [{"input_tokens": 1000 + 10 * n} for n in range(3)]
    rows = [{"type": "assistant", "message": {"id": f"m{n}", "usage": each}} for n, each in enumerate(usage)]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(app, ["bench", "tokens", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "No context grew by 100 tokens or more" in said
    assert "no answer" not in said


def test_running_notes_do_not_lower_the_score(transcript):
    """The same compactions, with briefs that have notes to draw on."""
    without, with_notes = (
        json.loads(call("--json", *how, transcript).stdout)["contexts"]["brief"]["score"] for how in ((), ("--notes",))
    )
    assert with_notes >= without
