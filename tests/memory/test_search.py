"""Finding what was said and done."""

from datetime import timedelta

import pytest

from record import BEGINS, SESSION, Record
from tapehead.memory import search as searching

OTHER = "99999999-2222-4333-8444-555555555555"


@pytest.fixture
def told(memory):
    """Two sessions, a month apart, in two projects."""
    old = Record(OTHER, begins=BEGINS - timedelta(days=30), cwd="/srv/harbour")
    old.turn("Where does the ferry leave?", "The ferry leaves from the pier.").call(
        "Bash", "ferry: on time", command="tides"
    )
    memory.told(old)
    new = (
        Record().prompt("Make the ferry faster").thinks("a bigger engine for the ferry").reply("Made the ferry faster.")
    )
    new.call("Edit", "edited", file_path="/srv/boat/src/engine.py", new_string="ferry = fast")
    new.call("Read", "ferry = slow", file_path="/srv/boat/lib/engine.py").call(
        "Bash", "error: connection reset", command="x"
    )
    new.line("system", content="a hook about the ferry", subtype="hook_ran")
    memory.told(new)
    return memory


def kinds(hits):
    return [hit.kind for hit in hits]


def test_a_hit(told):
    """It says where it stands: session, turn, time, layer, role, kind, tool, file, project, and the words around it."""
    (hit,) = told.hits("ferry", kinds=("result",), file="engine.py")
    assert hit[:9] == (
        SESSION,
        1,
        "2027-01-15T08:00:06.000Z",
        3,
        "tool",
        "result",
        "Read",
        "/srv/boat/lib/engine.py",
        "/srv/boat",
    )
    assert hit.snippet == "ferry = slow"


def test_all_layers_are_searched(told):
    """The lines of turns, what was said, and every detail."""
    assert {hit.layer for hit in told.hits("ferry")} == {1, 2, 3}
    assert {hit.role for hit in told.hits("ferry")} == {"human", "agent", "tool", "host"}


def test_the_recent_and_the_persons_words_come_first(told):
    """A person's words before an agent's before a tool's, and of two alike the newer."""
    hits = told.hits("ferry")
    assert kinds(hits)[0] == "prompt"
    assert [hit.session for hit in hits if hit.kind == "prompt"] == [SESSION, OTHER]
    assert kinds(hits).index("reply") < kinds(hits).index("result")
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_an_age_may_outweigh_who_said_it(memory):
    """What a person said years ago comes after what a tool says now."""
    memory.told(Record(OTHER, begins=BEGINS - timedelta(days=2_000)).prompt("about the anchor"))
    memory.told(Record().prompt("x").call("Bash", "anchor", command="y"))
    assert kinds(memory.hits("anchor"))[0] == "result"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"sessions": (OTHER,)}, {(OTHER, "prompt"), (OTHER, "reply"), (OTHER, "result"), (OTHER, "line")}),
        ({"sessions": ("nobody",)}, set()),
        ({"project": "/srv/harbour", "roles": ("tool",)}, {(OTHER, "result")}),
        ({"project": "harbour", "kinds": ("reply",)}, {(OTHER, "reply")}),
        ({"project": "arbour"}, set()),
        ({"kinds": ("thinking", "hook")}, {(SESSION, "thinking"), (SESSION, "hook")}),
        ({"roles": ("human",)}, {(SESSION, "prompt"), (OTHER, "prompt")}),
        ({"roles": ("host",)}, {(SESSION, "line"), (OTHER, "line"), (SESSION, "hook")}),
        ({"roles": ("tool", "human"), "sessions": (OTHER,)}, {(OTHER, "prompt"), (OTHER, "result")}),
        ({"since": "2027-01-01T00:00:00Z", "roles": ("human",)}, {(SESSION, "prompt")}),
        ({"since": "2028-01-01T00:00:00Z"}, set()),
        ({"file": "/srv/boat/src/engine.py"}, {(SESSION, "call")}),
        ({"file": "lib/engine.py"}, {(SESSION, "result")}),
        ({"file": "ngine.py"}, set()),
    ],
)
def test_filters(told, more, expected):
    """Each narrows the search to what it says, and together they narrow it to what all say."""
    assert {(hit.session, hit.kind) for hit in told.hits("ferry", **more)} == expected


def test_many_sessions_are_picked_out(told, monkeypatch):
    """More sessions than are looked for by their words: the same hits."""
    few = told.hits("ferry", sessions=(OTHER, SESSION))
    monkeypatch.setattr("tapehead.memory.narrowing._FEW", 1)
    assert told.hits("ferry", sessions=(OTHER, SESSION)) == few


def test_all_words_must_be_there(told):
    """In one entry."""
    assert "reply" in kinds(told.hits("ferry pier"))
    assert {hit.session for hit in told.hits("ferry pier")} == {OTHER}
    assert told.hits("ferry submarine") == []


def test_phrases(told):
    """Words in quotes stand side by side; a word with signs in it is one."""
    assert kinds(told.hits('"connection reset"')) == ["result"]
    assert told.hits('"reset connection"') == []
    assert kinds(told.hits("src/engine.py")) == ["call"]
    assert told.hits("engine/src.py") == []


def test_a_phrase_far_back(memory, monkeypatch):
    """Newer entries that only have its words do not hide it, as far as patience goes."""
    record = Record().prompt("paint").reply("the red boat")
    for number in range(60):
        record.reply(f"boat {number} is not red")
    memory.told(record)
    assert memory.found('"red boat"', kinds=("reply",)) == ["the red boat"]
    monkeypatch.setattr(searching, "_PATIENCE", 10)
    assert memory.found('"red boat"', kinds=("reply",)) == []


def test_beginnings_of_words(told):
    """Where a word is found seldom as it is, longer ones that begin with it are found too, after those that are it."""
    assert {hit.kind for hit in told.hits("conn")} == {"result"}
    assert told.found("ferr fast") != []
    assert told.hits("onnection") == []


@pytest.mark.parametrize("many", [0, 48])
def test_beginnings_of_few_words_and_of_many(memory, monkeypatch, many):
    """Few are asked for one beside the other, many are left to SQLite: the same hits."""
    monkeypatch.setattr("tapehead.memory.beginnings._MANY", many)
    memory.told(Record().turn("sail", "Sailor", "sailing", "SAILS", "sai", "assail", "sällskap"))
    assert sorted(memory.found("SAI", kinds=("reply",))) == ["SAILS", "Sailor", "sai", "sailing"]
    assert memory.found("säll", kinds=("reply",)) == ["sällskap"]
    assert memory.found("sai sailo", kinds=("reply",)) == ["Sailor"]
    assert memory.hits("sa") == []


def test_a_word_that_is_found_often_is_meant_as_it_is(memory, monkeypatch):
    """To look for all that begins with it would take long and help nobody."""
    monkeypatch.setattr(searching, "_OFTEN", 3)
    memory.told(Record().turn("knot", "rope", "rope", "rope", "ropes"))
    assert memory.found("rope", kinds=("reply",)) == ["rope", "rope", "rope"]
    assert memory.found("ropes", kinds=("reply",)) == ["ropes"]
    assert memory.found("kno", kinds=("prompt",)) == ["knot"]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("请修复登录页面的漏洞", "漏洞"),
        ("请修复登录页面的漏洞", "登录页面"),
        ("请修复登录页面的漏洞", "洞"),
        ("ログイン画面を直してください", "画面"),
        ("ログイン画面を直してください", "ください"),
        ("กรุณาแก้ไขหน้าที่เข้าสู่ระบบ", "เข้าสู่ระบบ"),
        ("กรุณาแก้ไขหน้าที่เข้าสู่ระบบ", "ที่"),
        ("로그인 페이지를 고쳐주세요", "페이지"),
        ("fix修复bug", "修复"),
        ("fix修复bug", "bug"),
        ("Das Schiff fährt ÜBER", "über fährt"),
        ("Исправь паруса", "исправь"),
        ("naïve Café", "cafe"),
    ],
)
def test_languages(memory, said, asked):
    """Also those without spaces between words, wherever in a row of letters the words stand."""
    memory.told(Record().prompt("something else entirely 别的东西 อื่น").prompt(said))
    assert memory.found(asked, kinds=("prompt",)) == [said]


def test_letters_that_are_not_neighbours(memory):
    """Pairs that all stand in a text do not make the word: it is looked up in the text itself."""
    memory.told(Record().prompt("海上风力 力量 上海"))
    assert memory.hits("海力") == []
    assert memory.hits("上海", kinds=("prompt",)) != []
    assert memory.hits("海上海") == []


def test_no_word_at_all(told):
    """Finds nothing."""
    assert told.hits("--- !") == []


@pytest.mark.parametrize(
    "words", ['"', "NEAR(a b)", "a AND", "body:x", "*", "ferry*", "(", "^ferry", "x'); DROP TABLE entries;"]
)
def test_words_that_mean_something_to_sqlite(told, words):
    """They are looked for like any others."""
    told.hits(words)
    assert told.hits("ferry") != []


def test_the_limit(memory):
    """No more hits than that, the best of all."""
    record = Record()
    for number in range(50):
        record.turn(f"rope {number}", "rope")
    memory.told(record)
    hits = memory.hits("rope", limit=5)
    assert len(hits) == 5
    assert {hit.role for hit in hits} == {"human"}
    assert [hit.turn for hit in hits] == [50, 49, 48, 47, 46]


def test_a_copy_is_found_once(memory):
    """A resumed session's file may repeat the lines of the one before: the first place counts."""
    old = Record(OTHER).turn("the old anchor", "yes")
    memory.told(old)
    new = Record().turn("the new anchor", "no")
    new.lines[:0] = old.lines
    memory.told(new)
    assert [(hit.session, hit.snippet) for hit in memory.hits("anchor", kinds=("prompt",))] == [
        (SESSION, "the new anchor"),
        (OTHER, "the old anchor"),
    ]


def test_a_subagents_own_file(memory):
    """What it says belongs to the turn that ran at the time."""
    memory.told(Record().prompt("one").prompt("two", timestamp="2027-01-15T08:05:00Z"))
    side = Record(begins=BEGINS + timedelta(minutes=6))
    side.lines += [b""] * 5  # its lines have ids of their own
    side.prompt("look for leaks", isSidechain=True, agentId="a1")
    memory.follow(side.write(memory.directory / SESSION / "subagents", "agent-a1.jsonl"), SESSION)
    assert [(hit.turn, hit.name) for hit in memory.hits("leaks")] == [(2, "a1")]
    assert [entry.body for entry in memory.recall.turn(SESSION, 2) if entry.layer > 1] == ["two", "look for leaks"]
    assert memory.recall.turn(SESSION, 0) == []
    assert memory.recall.turns_between(SESSION, "2027-01-15T08:06:00Z", "2027-01-15T08:07:00Z") == [2]


def test_since_is_exact(memory):
    """An entry that has its place behind its time is not taken for a newer one."""
    record = Record(step=0.0)
    for _ in range(40):
        record.prompt("many at once")
    memory.told(record)
    assert memory.hits("many", since="2027-01-15T08:00:00.001Z") == []
    assert len(memory.hits("many", since="2027-01-15T08:00:00.000Z", roles=("human",))) == 20
