"""The history keeps turns that the user took back, and marks them."""

import json

import pytest

from record import SESSION, Linked
from tapehead.brief.earlier_sessions import _told
from tapehead.history import session_lines, turn_lines
from tapehead.history.ask import History
from tapehead.history.layers import TAKEN_BACK

CANCELLED, LEFT = "moor the yellow ferry", "moor the yellow ferry twice"


def rewound(again="fix the yellow parser"):
    """Turn 1 stays; turns 2 and 3 are left by /rewind; turn 4 stands in their place."""
    record = Linked().ask("the first prompt").answer("One.").ask(CANCELLED).answer("Moored the ferry.")
    record.ask(LEFT).answer("Moored the ferry twice.")
    return record.ask(again, instead_of=CANCELLED).answer("Fixed.")


def gone(memory, words="ferry yellow moor"):
    return {hit.turn for hit in memory.hits(words) if hit.taken_back}


@pytest.mark.parametrize("at_once", [1, 3, 1_000])
def test_hits_of_taken_back_turns_say_so_and_come_last(memory, at_once):
    """Also where they have more of the words, and however the file was cut while it was followed."""
    memory.told(rewound(), at_once=at_once)
    hits = memory.hits("moor the yellow ferry")
    assert [hit.taken_back for hit in hits] == sorted(hit.taken_back for hit in hits)
    assert [hit.turn for hit in hits if not hit.taken_back][:1] == [4]
    assert gone(memory) == {2, 3}


def test_what_still_counts_is_not_crowded_out(memory):
    """Many taken-back turns with all the words leave room for a living one with a single word."""
    record = Linked().ask("the first prompt").answer("One.")
    for n in range(60):
        record.ask(f"moor the yellow ferry {n}").answer("No.")
    memory.told(record.ask("paint it yellow", instead_of="moor the yellow ferry 0").answer("Painted."))
    first, *_ = memory.hits("moor the yellow ferry", limit=5)
    assert (first.turn, first.taken_back) == (62, False)


def test_the_same_words_asked_again_count(memory):
    """Of two that say the same, the one that still stands is found, though its turn has less of the question."""
    memory.told(rewound(again=CANCELLED))
    prompts = [hit for hit in memory.hits(f"{CANCELLED} first prompt one") if hit.kind == "prompt"]
    assert [(hit.turn, hit.taken_back) for hit in prompts if hit.snippet == CANCELLED] == [(4, False)]


def test_a_turn_opened(memory):
    """It says that it was taken back; all of it is there, and the mark is no entry of it."""
    memory.told(rewound())
    opened = [History(memory.database).open(f"{SESSION}/{turn}") for turn in (1, 2, 3, 4)]
    assert [one.taken_back for one in opened] == [False, True, True, False]
    assert [entry.body for entry in opened[1].entries if entry.kind == "prompt"] == [CANCELLED]
    assert not [entry for one in opened for entry in one.entries if entry.kind == TAKEN_BACK]
    assert memory.hits("user took this turn back", kinds=(TAKEN_BACK,)) == []


def test_a_brief_and_a_summarizer_pass_it_over(memory):
    """The lines of earlier sessions that a brief gives are those of turns that count, and no command is run for others."""
    memory.told(rewound())
    told = "\n".join(_told(memory.recall, [SESSION]))
    assert "first prompt" in told
    assert "yellow parser" in told
    assert "ferry" not in told
    assert turn_lines.without_command(memory.database, SESSION) == [1, 4]
    assert [line.turn for line in memory.recall.lines(SESSION)] == [1, 2, 3, 4]


def test_marks_go_along_to_another_machine(memory, tmp_path):
    """With the rows that they are about."""
    from remembered import Memory

    memory.told(rewound())
    (tmp_path / "there").mkdir()
    there = Memory(tmp_path / "there")
    rows = session_lines.read([session_lines.written(row) for row in session_lines.rows_of(memory.database, SESSION)])
    session_lines.take(there.database, {"session": SESSION, "agent": "claude"}, rows, "/t", 7)
    assert gone(there) == {2, 3}
    there.database.close()


def test_a_history_of_a_former_version_is_marked_when_its_file_is_followed_again(memory):
    """Once, though the file did not grow; and what comes later is known to hang on what was read before."""
    record = rewound()
    memory.told(record)
    _forget_branches(memory)
    assert gone(memory) == set()
    assert memory.told(record) == 2
    assert gone(memory) == {2, 3}
    assert memory.told(record) == 0
    memory.told(record.ask("moor it red", instead_of="fix the yellow parser").answer("Red."))
    assert gone(memory, "fix the yellow parser") == {2, 3, 4}


def test_a_fork_that_was_counted_from_its_own_first_line_is_left_as_it_is(memory):
    """Where the turns of the file are not those of the session, nothing is marked."""
    record = rewound()
    memory.told(record)
    _forget_branches(memory, turn=2)
    assert memory.told(record) == 0
    assert gone(memory) == set()


def _forget_branches(memory, turn=None):
    """As a former version left it: no marks, and a cursor that knows no branches."""
    with memory.database.writing():
        memory.database.run("DELETE FROM entries WHERE kind = ?", (TAKEN_BACK,))
        for path, kept in memory.database.rows("SELECT path, cursor FROM cursors"):
            cursor, *rest = json.loads(str(kept))
            cursor[1] = turn or cursor[1]
            del cursor[3]["living"]
            memory.database.run("UPDATE cursors SET cursor = ? WHERE path = ?", (json.dumps([cursor, *rest]), path))
