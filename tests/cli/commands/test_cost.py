"""`tapehead cost`: the agents' own counts, each message once, and money that is never guessed."""

import csv
import io
import json
import os
from pathlib import Path

import pytest

from tapehead.tokens.prices import AS_OF, load_prices

COUNTS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_written": "cache_creation_input_tokens",
}
OPUS, ODD = "claude-opus-4-5-20251101", "model-of-tomorrow"


def line(ident, time, model, counts, **fields):
    usage = dict(zip(COUNTS.values(), counts, strict=True))
    message = {
        "id": ident,
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": "x"}],
        "usage": usage,
    }
    about = {
        "uuid": f"{ident}-{sum(counts)}",
        "timestamp": time,
        "sessionId": "first",
        "cwd": "/srv/boat",
        "version": "2.1.0",
    }
    return {"type": "assistant", **about, "message": message, **fields}


LINES = [
    {"type": "user", "uuid": "u", "timestamp": "2027-01-15T08:00:00Z", "sessionId": "first", "cwd": "/srv/boat"}
    | {"message": {"role": "user", "content": "mend the sail"}},
    line("a", "2027-01-15T08:00:01Z", OPUS, (10, 1, 1_000, 200)),  # while the model still speaks
    line("a", "2027-01-15T08:00:02Z", OPUS, (10, 80, 1_000, 200)),
    line("b", "2027-01-16T08:00:00Z", OPUS, (5, 20, 2_000, 0)),
    line("s", "2027-01-18T08:00:00Z", ODD, (7, 7, 0, 0), isSidechain=True),
]
"""A message in two lines, one on the next day, and one of a subagent whose model has no price."""


def independent(lines):
    """The sum of what the lines record, each message id once, with its last counts."""
    last = {each["message"]["id"]: each["message"]["usage"] for each in lines if each["type"] == "assistant"}
    return {name: sum(usage[field] for usage in last.values()) for name, field in COUNTS.items()}


@pytest.fixture
def record(repository):
    """A transcript, and a fork that repeats it and goes on."""
    folder = Path(repository.home) / "records"
    folder.mkdir()
    forked = [{**each, "sessionId": "second"} for each in LINES] + [
        line("c", "2027-01-18T09:00:00Z", OPUS, (1, 2, 3, 4), sessionId="second", costUSD=0.5)
    ]
    for age, (name, lines) in enumerate((("second", forked), ("first", LINES)), 1):
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in lines))
        os.utime(path, (10_000 - age, 10_000 - age))
    return str(folder)


def rows(repository, *words):
    found = repository.json("cost", *words)
    return {row.pop(found["by"]): row for row in found["rows"]}, found["total"]


def test_the_counts_are_the_records_own(repository, record):
    """They equal an independent sum, to the token: a message of many lines, or of many files, counts once."""
    _, first = rows(repository, f"{record}/first.jsonl")
    assert {name: first[name] for name in COUNTS} == independent(LINES)
    assert first["messages"] == 3
    _, both = rows(repository, record)
    assert both["messages"] == 4
    assert both["output"] == first["output"] + 2


def test_by_all_that_one_may_ask_for(repository, record):
    """Days and weeks are the user's own; what a fork repeats is its origin's."""
    wanted = {
        "day": ["2027-01-15", "2027-01-16", "2027-01-18"],
        "week": ["2027-01-11", "2027-01-18"],
        "project": ["/srv/boat"],
        "agent": ["claude"],
        "model": [OPUS, ODD],
        "session": ["first", "second"],
    }
    for by, names in wanted.items():
        found, total = rows(repository, record, "--by", by)
        assert [*found] == names
        assert sum(row["output"] for row in found.values()) == total["output"]
    found, _ = rows(repository, record, "--by", "session")
    assert (found["first"]["messages"], found["second"]["messages"]) == (3, 1)


def test_money_is_said_or_listed_and_never_guessed(repository, record):
    """What the agent says goes first; what has no price has no sum, and is named."""
    found, total = rows(repository, record, "--by", "model")
    price = load_prices("").of(OPUS)
    listed = (15 * price.input + 100 * price.output + 3_000 * price.cache_read + 200 * price.cache_write) / 1e6
    assert found[OPUS]["dollars"] == pytest.approx(listed + 0.5)
    assert (found[OPUS]["dollars_said"], found[ODD]["dollars"], total["dollars"]) == (0.5, None, None)
    result = repository.run("cost", record, "--by", "model")
    assert f"no price for {ODD} (14 tokens)" in result.stderr
    assert f"list prices of {AS_OF}" in result.stderr
    assert "?" in next(each for each in result.stdout.splitlines() if each.startswith(ODD))


def test_the_users_own_prices_go_first(repository, record):
    """For models that the table does not know, and over it; a file that is wrong is said, and does not count."""
    own = Path(repository.home) / ".config" / "tapehead"
    os.environ["XDG_CONFIG_HOME"] = str(own.parent)
    own.mkdir(parents=True)
    (own / "prices.toml").write_text(
        f'[{ODD}]\ninput = 1_000_000\noutput = 2_000_000\n["claude-opus-4-5"]\noutput = 1e6\n'
    )
    found, _ = rows(repository, f"{record}/first.jsonl", "--by", "model")
    assert found[ODD]["dollars"] == 21
    assert found[OPUS]["dollars"] == 100
    (own / "prices.toml").write_text("[x]\nprice = 1\n")
    assert "is ignored: there is no price" in repository.run("cost", record).stderr


def test_as_csv(repository, record):
    """One row each, with the same names as in JSON."""
    found = [*csv.DictReader(io.StringIO(repository.run("cost", record, "--by", "day", "--csv").stdout))]
    assert [row["day"] for row in found] == ["2027-01-15", "2027-01-16", "2027-01-18"]
    assert found[0]["cache_read"] == "1000"


def test_of_this_repository_otherwise(repository, record):
    """The transcripts that hooks named, and those that were taken in; what the status line said stands beside it."""
    assert "No costs recorded here" in repository.run("cost").stdout
    repository.hook("SessionStart", "first", source="startup", transcript_path=f"{record}/first.jsonl")
    repository.engine.settle("first")
    Path(repository.layout.seen("first")).write_text('{"cost": 1.25}')
    found, total = rows(repository, "--by", "session")
    assert found["first"]["dollars_agent_says"] == 1.25
    assert {name: total[name] for name in COUNTS} == independent(LINES)
    assert "$1.25" in repository.run("cost", "--by", "session").stdout
    os.unlink(f"{record}/first.jsonl")
    assert "No costs" in repository.run("cost").stdout


def test_a_cache_for_an_hour_costs_more(repository, tmp_path):
    """Where the agent says how long it stays."""
    one = line("a", "2027-01-15T08:00:01Z", OPUS, (0, 0, 0, 1_000_000))
    one["message"]["usage"]["cache_creation"] = {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 1_000_000}
    (tmp_path / "x.jsonl").write_text(json.dumps(LINES[0]) + "\n" + json.dumps(one) + "\n")
    assert rows(repository, str(tmp_path / "x.jsonl"))[1]["dollars"] == load_prices("").of(OPUS).cache_write_long
