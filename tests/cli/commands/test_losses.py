"""`tapehead losses` as a user calls it."""

from __future__ import annotations

import json

from example_transcript import session
from record import Record
from tapehead.store import captures
from transcript_script import Script


def test_it_shows_what_the_last_compaction_lost(repository, tmp_path):
    """By kind: kept, handed back, only in the transcript; then what is only there, and the command that shows all."""
    path = session().hook_said("The record tells what hooks said.").write(tmp_path / "x.jsonl")
    result = repository.run("losses", "--transcript", path)
    assert result.exit_code == 0
    first, *rest = result.stdout.splitlines()
    assert first.startswith("Compaction 1, 2027-01-15 ")
    assert any(
        " ".join(line.split()) == "3 open items 0 in the summary, 0 handed back, 3 only in the transcript"
        for line in rest
    )
    assert f"Only in the transcript, see `tapehead brief --full --transcript {path}`:" in rest
    assert "  rule, turn 1: Don't touch the public API." in rest


def test_what_was_handed_back_is_counted_as_such(repository, tmp_path):
    """By the agent's own record of our words, each with its own compaction: the earliest may be from before we came."""
    script = session()
    script.compacts("Nothing much.").hook_said(
        "tapehead: where this session stood before it was compacted. Don't touch the public API."
    )
    path = script.write(tmp_path / "x.jsonl")
    first, second = json.loads(repository.run("losses", "--transcript", path, "--all", "--json").stdout)
    where = [{item["text"]: item["where"] for item in one["items"]} for one in (first, second)]
    assert [one["Don't touch the public API."] for one in where] == ["archive", "handed"]
    assert (first["compaction"], second["compaction"]) == (1, 2)
    (only,) = json.loads(repository.run("losses", "--transcript", path, "--json").stdout)
    assert only == second


def test_many_losses_are_cut_and_counted(repository, tmp_path):
    """The newest twelve are shown, and how many there were before them."""
    script = Script()
    for n in range(30):
        script.human(f"Please do the thing number {n}").agent("Done.")
    out = repository.run("losses", "--transcript", script.compacts("Things.").write(tmp_path / "x.jsonl")).stdout
    assert out.count("  prompt, turn") == 12
    assert "  … and 18 earlier ones" in out


def test_the_session_of_this_place_is_meant_otherwise(repository, tmp_path):
    """Its own transcript, by the path that the hooks told."""
    path = session().write(tmp_path / "x.jsonl")
    repository.hook("SessionStart", source="startup", transcript_path=path)
    repository.hook("UserPromptSubmit", prompt="go", transcript_path=path)
    out = repository.run("losses").stdout
    assert "see `tapehead brief --full --session one`" in out


def test_no_compaction_is_no_loss(repository, tmp_path):
    """In words, and in JSON as an empty list; a summary that holds all leaves nothing to name."""
    path = Script().human("hello").agent("hello").write(tmp_path / "x.jsonl")
    assert (
        repository.run("losses", "--transcript", path).stdout
        == "No compaction in this session's transcript: nothing was lost.\n"
    )
    assert repository.json("losses", "--transcript", path) == []
    path = Script().human("hello there").agent("hello").compacts("hello there").write(tmp_path / "y.jsonl")
    assert "Only in the transcript" not in repository.run("losses", "--transcript", path).stdout


def test_a_transcript_that_is_not_there_is_an_error(repository, tmp_path):
    """With what to do; so is a session without one, and a place without sessions."""
    result = repository.run("losses", "--transcript", tmp_path / "nowhere")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "No transcript at" in result.stderr
    assert "No session recorded here yet" in repository.run("losses").stderr
    repository.session()
    assert "No transcript known" in repository.run("losses").stderr


def test_escape_sequences_of_a_transcript_stay_out_of_the_terminal(repository, tmp_path):
    """A prompt can be anything; what is printed is text."""
    path = (
        Script()
        .human("\x1b]0;owned\x07 clear \x1b[2J the screen")
        .agent("no")
        .compacts("x")
        .write(tmp_path / "x.jsonl")
    )
    assert "\x1b" not in repository.run("losses", "--transcript", path).stdout


def test_a_file_that_is_no_transcript(repository, tmp_path):
    """It is not said to have lost nothing."""
    (tmp_path / "passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
    result = repository.run("losses", "--transcript", str(tmp_path / "passwd"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "No work found in" in result.stderr


def test_a_session_in_which_nothing_was_said_yet(repository, tmp_path):
    """Right after a /clear there is no transcript: nothing was lost, and that is no error."""
    path = str(tmp_path / "not-yet.jsonl")
    repository.hook("SessionStart", source="clear", transcript_path=path)
    repository.engine.settle("one")
    result = repository.run("losses")
    assert (result.exit_code, result.stdout) == (0, "No compaction in this session's transcript: nothing was lost.\n")
    assert repository.json("losses") == []
    repository.hook("UserPromptSubmit", prompt="x", transcript_path=path)
    repository.engine.settle("one")
    assert repository.run("losses").exit_code == 1


def test_where_nobody_knows_what_was_handed_back(repository, tmp_path):
    """It is not said that nothing was: the transcript of such an agent, or of an old client, does not tell."""
    path = Record().turn("Mend the sail", "Done.").compacted("Nothing.").turn("go on", "yes").write(tmp_path)
    told = repository.run("losses", "--transcript", path)
    assert "handed back," not in told.stdout
    assert "1 prompt         0 in the summary,   1 not in it" in told.stdout
    assert "What was handed back is not known" in told.stdout
    (one,) = json.loads(repository.run("losses", "--transcript", path, "--json").stdout)
    assert {item["where"] for item in one["items"]} == {"unknown"}


def test_what_the_store_handed_over_is_known_without_the_transcript(repository, tmp_path):
    """The text that was handed back last is kept: it counts, unless it is known to be missing."""
    path = Record("one", cwd=repository.root).turn("Mend the sail", "Done.").compacted("Nothing.").write(tmp_path)
    repository.hook("SessionStart", source="startup", transcript_path=path)
    repository.hook("UserPromptSubmit", prompt="Mend the sail", transcript_path=path)
    repository.engine.settle("one")
    captures.keep_handed(repository.layout, "one", "tapehead: this session was compacted. “Mend the sail”")
    assert "1 prompt         0 in the summary,   1 handed back,   0 only" in repository.run("losses").stdout
    repository.engine.append("one", {"note": "receipt", "data": {"delivery": "missing"}})
    assert "1 handed back" not in repository.run("losses").stdout


def test_a_compaction_is_dated_by_its_boundary(repository, tmp_path):
    """Not by the end of the turn in which it happened."""
    record = Record(step=600.0).turn("Mend the sail", "Wait.").compacted("Nothing.").reply("more").reply("Done.")
    (one,) = json.loads(repository.run("losses", "--transcript", record.write(tmp_path), "--json").stdout)
    boundary = next(json.loads(line) for line in record.lines if b"compact_boundary" in line)
    assert one["at"] == boundary["timestamp"]
    assert one["at"] < json.loads(record.lines[-1])["timestamp"]
