"""The archive, with the real client: what is deleted comes back, and what is torn is resumed."""

import json
import os
import random
import re
import shutil
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rig.evidence import times
from rig.waiting import until

from tapehead.agents.claude import resumable

TURNS = 4
TEARS, AT_ONCE = 24, 4
"""How many torn transcripts the client is given; TAPEHEAD_TEARS asks for more."""


def _talk(place, seen, *last):
    """A session with some turns, each with a command, and then more prompts; its id."""
    place.print_mode("the first number is 4711 {run echo one}")
    [session] = seen.sessions()
    for n in range(1, TURNS):
        place.print_mode(f"turn {n} of it {{run echo out-{n}}}", "--resume", session)
    for prompt in last:
        place.print_mode(prompt, "--resume", session)
    return session


def _path(seen, session):
    return next(hook["transcript_path"] for hook in seen.hooks() if hook["session_id"] == session)


def _is_kept(place, session, size):
    done = place.tapehead("archive", "--list", "--json")
    [store] = json.loads(done.stdout)
    return any(row["session"] == session and row["bytes"] >= size for row in store["kept"])


def _wait_until_kept(place, seen, session):
    size = os.path.getsize(_path(seen, session))
    until(lambda: _is_kept(place, session, size), "the worker kept the transcript", seconds=60)


def _restored(place, *words):
    done = place.tapehead("restore-transcript", *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _keep_from_compacting(place):
    """As a user who sets the variable before the client starts."""
    plain = type(place).client_env
    place.client_env = lambda: {**plain(place), "DISABLE_AUTO_COMPACT": "1"}


def test_a_deleted_transcript_is_resumed(place, seen):
    """The worker kept it after each turn; put back, it is the same byte for byte, and the request holds the conversation."""
    session = _talk(place, seen)
    path = _path(seen, session)
    _wait_until_kept(place, seen, session)
    before = Path(path).read_bytes()
    os.unlink(path)
    assert place.print_mode("are you there?", "--resume", session).returncode != 0
    done = _restored(place, session)
    assert (done["session"], done["files"], done["mended"]) == (session, [os.path.realpath(path)], [])
    assert Path(path).read_bytes() == before
    place.print_mode("which number was it?", "--resume", session)
    request = seen.request_after("which number was it?")
    assert times(request, "the first number is 4711") == 1
    assert [times(request, f"turn {n} of it") for n in range(1, TURNS)] == [1] * (TURNS - 1)


def test_a_project_that_was_moved_finds_its_transcript(place, seen):
    """The client looks in a folder that is named after the directory: the transcript goes where it looks now."""
    session = _talk(place, seen)
    _wait_until_kept(place, seen, session)
    shutil.rmtree(os.path.dirname(_path(seen, session)))
    moved = place.project + "-moved"
    os.rename(place.project, moved)
    place.project = moved
    with open(os.path.join(place.home, ".claude.json"), encoding="utf-8") as file:
        known = json.load(file)
    known["projects"][moved] = {"hasTrustDialogAccepted": True, "allowedTools": []}
    with open(os.path.join(place.home, ".claude.json"), "w", encoding="utf-8") as file:
        json.dump(known, file)
    done = _restored(place, session)
    assert os.path.basename(os.path.dirname(done["files"][0])) == re.sub("[^a-zA-Z0-9]", "-", moved)
    place.print_mode("which number was it?", "--resume", session)
    assert times(seen.request_after("which number was it?"), "the first number is 4711") == 1


def test_back_to_before_a_compaction(place, seen, terminal):
    """After /compact the conversation goes on in full, as a new session, whose copied turns nobody counts again."""
    session = _talk(place, seen)
    terminal.start(f"claude --resume {session}", "\u276f")
    terminal.enter("/compact")
    seen.wait_for("PostCompact(manual)")
    terminal.enter("after the compaction")
    seen.wait_for("PostCompact(manual)", "Stop")
    terminal.leave()
    assert times(seen.request_after("after the compaction"), "SUMMARY-OF-THE-STAND-IN") == 1
    done = _restored(place, session, "--before-compaction", "1")
    assert done["session"] != session
    assert os.path.exists(_path(seen, session))
    place.print_mode("and now in full?", "--resume", done["session"])
    request = seen.request_after("and now in full?")
    assert times(request, "the first number is 4711") == 1
    assert [times(request, f"turn {n} of it") for n in range(1, TURNS)] == [1] * (TURNS - 1)
    assert (times(request, "after the compaction"), times(request, "SUMMARY-OF-THE-STAND-IN")) == (0, 0)
    state = seen.state(done["session"])
    assert (state["turn_number"], state["forked"]) == (1, True)
    place.tapehead("doctor")
    found = place.tapehead("search", "4711", "--json").stdout
    assert done["session"] not in found, "the copy's turns are in the history once: as those of the first session"
    too_many = place.tapehead("restore-transcript", session, "--before-compaction", "2")
    assert (too_many.returncode, "compacted once" in too_many.stderr) == (1, True)


def test_back_to_before_an_automatic_compaction(place, seen):
    """The window was full: the command says so, and how the client goes on without compacting at once. There it goes on in full."""
    session = _talk(place, seen, "fill it {claim 970000}", "after it")
    assert "PreCompact(auto)" in seen.order()
    done = _restored(place, session, "--before-compaction", "1")
    assert "DISABLE_AUTO_COMPACT=1" in done["hint"]
    _keep_from_compacting(place)
    place.print_mode("and now in full?", "--resume", done["session"])
    request = seen.request_after("and now in full?")
    assert times(request, "the first number is 4711") == 1
    assert [times(request, f"turn {n} of it") for n in range(1, TURNS)] == [1] * (TURNS - 1)


def test_a_torn_transcript_is_resumed(bare, seen):
    """Cut off at random bytes, through prompts, results and a compaction: mended, the client resumes each, with all whole prompts that it has."""
    session = _talk(bare, seen, "fill it {claim 970000}", "after it {run echo after}", "and the last one")
    _keep_from_compacting(bare)
    with bare.edited_settings() as settings:
        del settings["hooks"]  # nobody listens any more: what counts is the client and its request
    folder = os.path.dirname(_path(seen, session))
    data = Path(_path(seen, session)).read_bytes()
    first = data.index(b"the first number is 4711", data.index(b'"parentUuid":null'))
    chance, tears = random.Random(7), int(os.environ.get("TAPEHEAD_TEARS", TEARS))
    places = [chance.randrange(data.index(b"\n", first) + 1, len(data)) for _ in range(tears)]

    def resumed(number):
        torn = resumable.mend(data[: places[number]])
        assert resumable.mend(torn.data).problems == ()
        new = str(uuid.uuid4())
        with open(os.path.join(folder, f"{new}.jsonl"), "wb") as file:
            file.write(resumable.copy(torn.data, session, new))
        done = bare.print_mode(f"resumed {number}. {{say still here}}", "--resume", new)
        return _expected(torn.data), (done.returncode, done.stdout.strip(), done.stderr)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(resumed, range(tears)))
    asked = {n: request for request in seen.requests() for n in range(tears) if times(request, f"resumed {n}.")}
    held = {n: [times(asked[n], words) for words in results[n][0]] for n in asked}
    failed = [
        (places[n], said, held.get(n))
        for n, (_, said) in enumerate(results)
        if said[:2] != (0, "still here") or set(held.get(n, ())) != {1}
    ]
    assert not failed, f"{len(failed)} of {tears}: {failed[:3]}"


def _expected(data):
    """Words that the next request must hold: each prompt of the conversation, or what took its place in the last compaction."""
    if resumable.compactions(data):
        return ["SUMMARY-OF-THE-STAND-IN"]
    prompts = [json.loads(line) for line in data.splitlines() if b'"type":"user"' in line]
    said = [entry["message"]["content"] for entry in prompts if entry["type"] == "user"]
    return [words for words in said if isinstance(words, str)]
