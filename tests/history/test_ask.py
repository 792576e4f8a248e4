"""The history's door: a question gives hits with pointers, a pointer gives its turn."""

import pytest

from record import SESSION, Record
from tapehead.history.ask import History, NoSuchPointer
from tapehead.history.pointers import Pointer, parse_pointer, shorten_ids


def test_a_hit_has_a_pointer_that_opens_its_turn(memory):
    """What recall points at, open shows: the same turn, with the prompt that was found."""
    memory.told(Record().prompt("Where does the lock live?").reply("In store/lock.py.").prompt("And the tape?"))
    history = History(memory.database)
    passage = history.recall("lock")[0]
    opened = history.open(passage.pointer)
    assert passage.pointer == f"{SESSION[:8]}/1"
    assert (opened.session, opened.turn) == (SESSION, 1)
    assert "Where does the lock live?" in [entry.body for entry in opened.entries]


@pytest.mark.parametrize("pointer", ["", "no pointer", "3f2a", "nobody/1", f"{SESSION}/99"])
def test_a_pointer_to_nothing_says_so(memory, pointer):
    """A pointer that is none, of an unknown session or of a turn that is not there is an error in words."""
    memory.told(Record().prompt("Where does the lock live?"))
    with pytest.raises(NoSuchPointer, match=r"pointer|session"):
        History(memory.database).open(pointer)


def test_a_pointer_reads_as_it_is_written():
    """A session and a turn, with a slash between them."""
    assert parse_pointer(str(Pointer("3f2a91bc", 12))) == Pointer("3f2a91bc", 12)


def test_ids_that_begin_alike_are_shown_longer():
    """A short id always means one session."""
    one, other = "3f2a91bc-aaaa", "3f2a91bc-abbb"
    assert shorten_ids([one], [one, other]) == {one: "3f2a91bc-aa"}
    assert shorten_ids([one], [one]) == {one: "3f2a91bc"}


def test_a_pointer_means_the_same_tomorrow():
    """Ids that begin with their time are shown with all of it: a session of the same minute may come later."""
    first, later = "01a1ec6e-b13e-7572-a6e5-170d569d08a9", "01a1ec6e-d018-7921-9ce4-85ec978347aa"
    assert shorten_ids([first], [first]) == {first: "01a1ec6e-b13e"}
    assert not later.startswith("01a1ec6e-b13e")
