"""Every agent's own record: known as its own, read as turns, followed for the memory, and searched for what the model got."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import RECORDS, written

from tapehead.agents.readers import agent_of_file, deliveries_of, follower_of, places_of, reader_of
from tapehead.transcript.turns import AGENT

hosts = pytest.mark.parametrize("host", RECORDS)


@hosts
def test_whose_it_is(host, tmp_path):
    """By its first lines; and of which session."""
    path = written(tmp_path, host)
    assert agent_of_file(path) == host
    assert places_of(host).session_of(path) == RECORDS[host][2]


@hosts
def test_turns(host, tmp_path):
    """The user's words, the agent's, the command and how it went."""
    turns = reader_of(host).read(written(tmp_path, host)).turns
    assert [text.strip() for text in turns[0].human] == ["open the door"]
    assert next(iter(turns[0].words(AGENT))) == "Looking."
    assert "make test" in [call.text for call in turns[0].calls]
    assert {turn.session for turn in turns} == {RECORDS[host][2]}


@hosts
def test_read_on_from_where_it_stopped(host, tmp_path):
    """What is old is not told again, and nothing is left out."""
    path = written(tmp_path, host)
    reading = reader_of(host).read(path)
    assert reader_of(host).read(path, reading.offset).turns == ()
    assert [turn.human for turn in reader_of(host).skim(path)] == [turn.human for turn in reading.turns]


@hosts
def test_followed(host, tmp_path):
    """The memory gets what was said and done."""
    batches = list(follower_of(host).follow(written(tmp_path, host), final=True))
    assert batches


@hosts
@given(st.data())
def test_mutations(host, tmp_path_factory, data):
    """Bytes that are cut out, doubled or changed: nothing raises, and no session appears that was not in the file."""
    path = written(tmp_path_factory.mktemp("record"), host)
    with open(path, "rb") as file:
        raw = file.read()
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 400)))
    changed = (
        raw[:start] + data.draw(st.sampled_from([b"", raw[start:end] * 2, b"\xff\n", b"null\n", b"{}\n"])) + raw[end:]
    )
    with open(path, "wb") as file:
        file.write(changed)
    for turn in reader_of(host).read(path).turns:
        assert turn.session in ("", RECORDS[host][2]) or turn.session in changed.decode(errors="replace")
    list(reader_of(host).skim(path))
    list(follower_of(host).follow(path, final=True))
    record = deliveries_of(host)
    received = record.received(path) if record else ()  # None where the record proves nothing
    assert all(isinstance(text, str) for text in received or ())
