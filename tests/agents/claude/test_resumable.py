"""What Claude Code resumes: damage mended, a conversation cut off before a compaction, a copy under a new id."""

import json
import random
from datetime import UTC, datetime

import pytest

from tapehead.agents.claude import resumable
from tapehead.agents.claude.forks import first_own_byte, forked_from
from tapehead.transcript.entries import entry_of

SESSION = "5e551011-0000-4000-8000-000000000000"
NEW = "5e551011-0000-4000-8000-00000000000f"


def _line(kind, ident, parent, content=None, **more):
    message = {} if content is None else {"message": {"role": kind, "content": content}}
    entry = {"parentUuid": parent, "isSidechain": False, "type": kind, "uuid": ident, "sessionId": SESSION}
    return json.dumps({**entry, **message, **more, "cwd": "/w", "timestamp": "2026-01-01T00:00:00Z"}).encode() + b"\n"


def _conversation(turns=6, compacted_after=()):
    """Turns with a call and its result each, and what the client writes between them."""
    found, last = [b'{"type":"queue-operation","operation":"enqueue","sessionId":"%s"}\n' % SESSION.encode()], None
    for n in range(turns):
        found += [
            _line("user", f"p{n}", last, f"prompt {n} \u00fc"),
            _line("assistant", f"a{n}", f"p{n}", [{"type": "text", "text": "I look."}]),
            _line("assistant", f"c{n}", f"a{n}", [{"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {}}]),
            _line("user", f"r{n}", f"c{n}", [{"type": "tool_result", "tool_use_id": f"t{n}", "content": "x" * 300}]),
            b'{"type":"last-prompt","lastPrompt":"x","sessionId":"%s"}\n' % SESSION.encode(),
            _line("assistant", f"e{n}", f"r{n}", [{"type": "text", "text": f"done {n}"}]),
        ]
        last = f"e{n}"
        if n in compacted_after:
            about = {"trigger": "auto" if n % 2 else "manual"}
            found += [
                _line(
                    "system", f"b{n}", None, subtype="compact_boundary", logicalParentUuid=last, compactMetadata=about
                ),
                _line("attachment", f"d{n}", f"b{n}", attachment={"type": "date"}),
                _line("user", f"s{n}", f"d{n}", f"summary {n}", isCompactSummary=True),
            ]
            last = f"s{n}"
    return found


def _resumed(data):
    """The lines that the client would load: from the newest back along the parents, and whether each call has its result."""
    entries = [json.loads(line) for line in data.splitlines()]
    by_id = {entry["uuid"]: entry for entry in entries if "uuid" in entry}
    chain, at = [], next((entry["uuid"] for entry in reversed(entries) if "uuid" in entry), None)
    while at is not None:
        chain.append(by_id[at])  # raises where a parent is missing
        at = by_id[at].get("parentUuid")
        assert len(chain) <= len(by_id), "a circle"
    return chain[::-1]


def _prompts(chain):
    return [entry["uuid"] for entry in chain if entry["uuid"].startswith("p")]


def _are_paired(chain):
    blocks = [block for entry in chain for block in _content(entry)]
    called = [block["id"] for block in blocks if block["type"] == "tool_use"]
    return all(block["tool_use_id"] in called for block in blocks if block["type"] == "tool_result")


def _content(entry):
    content = entry.get("message", {}).get("content")
    return content if isinstance(content, list) else []


def test_what_is_whole_is_left_alone():
    data = b"".join(_conversation(compacted_after=(1, 3)))
    assert resumable.mend(data) == (data, ())


def test_a_transcript_torn_at_any_byte_is_mended():
    """200 random bytes, and each byte around the compactions: it ends with a whole line, links again, and has all its whole prompts."""
    lines = _conversation(compacted_after=(1, 3))
    data = b"".join(lines)
    bounds = [one.at for one in resumable.compactions(data)]
    chance = random.Random(11)
    tears = [chance.randrange(len(lines[0]) + len(lines[1]), len(data)) for _ in range(200)]
    for at in (*tears, *(byte for bound in bounds for byte in range(bound - 3, bound + 1_200, 7))):
        mended = resumable.mend(data[:at])
        assert resumable.mend(mended.data) == (mended.data, ()), at
        assert mended.data.endswith(b"\n")
        chain = _resumed(mended.data)
        assert _are_paired(chain), at
        assert resumable.is_conversation(mended.data)
        whole = [entry_of(line).get("uuid", "") for line in data[:at].split(b"\n") if entry_of(line)]
        since = max([whole.index(word) for word in whole if word.startswith("s")], default=0)
        assert _prompts(chain) == [word for word in whole[since:] if word.startswith("p")], at


@pytest.mark.parametrize("seed", range(40))
def test_holes_and_garbage_are_mended(seed):
    """Lines overwritten with NUL bytes, cut in the middle, or with garbage between them: the rest hangs together."""
    chance = random.Random(seed)
    lines = _conversation(compacted_after=(3,))
    hurt = chance.sample(range(2, len(lines)), 4)
    for number in hurt:
        raw = lines[number]
        lines[number] = chance.choice(
            (
                b"\x00" * len(raw),
                raw[: len(raw) // 2] + b"\n",
                raw[: len(raw) // 2],
                b"garbage\n" + raw,
                b"[1]\n",
                b"\xff\xfe\n",
            )
        )
    mended = resumable.mend(b"".join(lines))
    assert mended.problems
    assert resumable.mend(mended.data) == (mended.data, ())
    assert _are_paired(_resumed(mended.data))


def test_a_line_behind_a_torn_one_is_found_again():
    """An agent that went on writing where a line was torn: only the torn one is lost."""
    lines = _conversation()
    mended = resumable.mend(b"".join(lines[:8]) + lines[8][:50] + b"".join(lines[9:]))
    assert mended.problems == ("1 line could not be read",)
    assert _prompts(_resumed(mended.data)) == [f"p{n}" for n in range(6)]


def test_a_lost_line_costs_only_itself():
    """The answer before it and the prompts before that are still reached."""
    lines = _conversation()
    lost = next(number for number, line in enumerate(lines) if b'"uuid": "e2"' in line)
    chain = _resumed(resumable.mend(b"".join(lines[:lost]) + b"\x00\n" + b"".join(lines[lost + 1 :])).data)
    assert [entry["uuid"] for entry in chain if entry["uuid"] in ("r2", "e2", "p3")] == ["r2", "p3"]
    assert _prompts(chain) == [f"p{n}" for n in range(6)]


def test_a_result_without_its_call_goes():
    lines = [line for line in _conversation() if b'"uuid": "c1"' not in line]
    mended = resumable.mend(b"".join(lines).replace(b'"parentUuid": "c1"', b'"parentUuid": "a1"'))
    assert mended.problems == ("1 tool result without a call",)
    chain = _resumed(mended.data)
    assert _are_paired(chain)
    assert _prompts(chain) == [f"p{n}" for n in range(6)]


def test_a_compaction_without_its_summary_goes():
    """Torn between the two, the client would begin with nothing."""
    lines = _conversation(turns=3, compacted_after=(2,))
    for left in (1, 2):
        mended = resumable.mend(b"".join(lines[: len(lines) - 3 + left]))
        assert mended.problems == ("a compaction without its summary",)
        assert _prompts(_resumed(mended.data)) == ["p0", "p1", "p2"]


def test_compactions_are_found_with_what_they_were_for():
    data = b"".join(_conversation(compacted_after=(1, 2)))
    found = resumable.compactions(data)
    assert [one.was_full for one in found] == [True, False]
    assert [_prompts(_resumed(data[: one.at])) for one in found] == [["p0", "p1"], ["p2"]]
    old = b"".join(line for line in _conversation(compacted_after=(1,)) if b"compact_boundary" not in line)
    assert len(resumable.compactions(old)) == 1, "older versions wrote only the summary"


def test_a_copy_has_a_new_id_and_says_where_it_comes_from(tmp_path):
    """Our own reader takes its lines for copies: they are counted in the first session."""
    data = b"".join(_conversation())
    path = tmp_path / f"{NEW}.jsonl"
    path.write_bytes(resumable.copy(data, SESSION, NEW))
    entries = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert {entry["sessionId"] for entry in entries} == {NEW}
    assert all(entry["forkedFrom"]["messageUuid"] == entry["uuid"] for entry in entries if "uuid" in entry)
    assert forked_from(str(path), NEW, []) == SESSION
    own = first_own_byte(str(path), datetime(2025, 1, 1, tzinfo=UTC))
    assert own == path.stat().st_size


def test_where_it_worked():
    assert resumable.directory(b"".join(_conversation())) == "/w"
    assert resumable.directory(b"") == ""


def test_lines_that_we_do_not_understand_stay():
    """A line too deep for this reader is no damage."""
    deep = b'{"type":"x","v":' + b"[" * 500 + b"]" * 500 + b"}\n"
    data = deep + b"".join(_conversation())
    assert resumable.mend(data).data == data
    assert deep in resumable.mend(data + b"torn").data
