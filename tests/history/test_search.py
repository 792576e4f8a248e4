"""Finding what was said and done."""

from datetime import timedelta

import pytest

from record import BEGINS, SESSION, Record

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
    """The lines of turns, what was said, and every detail; what a hook put in only where it is asked for."""
    assert {hit.layer for hit in told.hits("ferry")} == {1, 2, 3}
    assert {hit.role for hit in told.hits("ferry")} == {"human", "agent", "tool", "host"}
    assert "hook" not in kinds(told.hits("ferry"))


def test_the_users_words_come_first_and_the_newer_of_equals(told):
    """A user's words before an agent's before a tool's, and of two alike the newer."""
    hits = told.hits("ferry")
    assert kinds(hits)[0] == "prompt"
    assert kinds(told.hits("ferry", sessions=(SESSION,))).index("reply") < kinds(hits).index("result")
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_the_newer_only_among_equals(memory):
    """An old answer that has more of the question comes before a new one that has less."""
    memory.told(Record(OTHER, begins=BEGINS - timedelta(days=2_000)).prompt("the anchor chain is rusty"))
    memory.told(Record().prompt("the anchor is new"))
    assert memory.hits("rusty anchor")[0].session == OTHER
    assert memory.hits("anchor")[0].session == SESSION


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
    monkeypatch.setattr("tapehead.history.filters._FEW", 1)
    assert told.hits("ferry", sessions=(OTHER, SESSION)) == few


def test_any_of_the_words_counts(told):
    """What has more of them comes first, and a word that nobody said takes nothing away."""
    assert told.hits("ferry pier")[0].session == OTHER
    assert told.hits("where is the submarine ferry")[0].kind == "prompt"
    assert told.hits("submarine") == []


@pytest.mark.parametrize(
    "asked", ["ferries", "leaving ferry", "Where did the ferry leave from?", "from where have ferries left"]
)
def test_words_are_found_in_any_form(told, asked):
    """Plurals, tenses, also those that no rule gives; words that only ask say nothing."""
    assert told.hits(asked)[0].session in (OTHER, SESSION)
    assert "ferry" in told.hits(asked)[0].snippet


def test_only_words_that_say_nothing(memory):
    """They are looked for all the same."""
    memory.told(Record().prompt("to be or not to be"))
    assert memory.found("to be", kinds=("prompt",)) == ["to be or not to be"]


@pytest.mark.parametrize(
    "said",
    ["parseHeader fails", "parse_header fails", "parse-header fails", "we parse the header", "class ParseHeaderLine:"],
)
@pytest.mark.parametrize("asked", ["parseHeader", "parse_header", "parse-header", "parse header", "header parsing"])
def test_names_are_taken_apart(memory, said, asked):
    """However a name is written there and here, the two meet."""
    memory.told(Record().prompt("something else").prompt(said))
    assert memory.found(asked, kinds=("prompt",))[0] == said


def test_a_file_is_found_by_its_name(memory):
    """Without the directories that it lies in, and best where it stands as it was typed."""
    memory.told(Record().prompt("look at lock and py things").prompt("see store/lock.py"))
    assert memory.found("lock.py", kinds=("prompt",))[0] == "see store/lock.py"
    assert memory.found("store/lock.py", kinds=("prompt",))[0] == "see store/lock.py"


@pytest.mark.parametrize("asked", ["comapction", "compactoin", "compaction", "compactin", "compacction"])
def test_close_spellings(memory, asked):
    """A word that nobody ever said is taken for one that is a slip away."""
    memory.told(Record().prompt("something else").prompt("what a compaction loses"))
    assert memory.found(asked, kinds=("prompt",)) == ["what a compaction loses"]


def test_dates_count_like_words(memory):
    """What was said on the day comes first, and nothing is hidden."""
    memory.told(Record(OTHER, begins=BEGINS - timedelta(days=60)).prompt("the mast broke"))
    memory.told(Record().prompt("the mast is fine"))
    assert memory.hits("the mast in November 2026")[0].session == OTHER
    assert memory.hits("the mast on 15 January 2027")[0].session == SESSION
    assert {hit.session for hit in memory.hits("what happened in November 2026")} == {OTHER}


def test_a_day_is_asked_for(memory):
    """What was said on it is found, whatever words the question has; words that say nothing bring no other day."""
    memory.told(Record(OTHER, begins=BEGINS - timedelta(days=60)).prompt("paint the hull"))
    memory.told(Record().prompt("what did we do when it happened"))
    assert {hit.session for hit in memory.hits("what did we do on 16 November 2026")} == {OTHER}
    assert {hit.session for hit in memory.hits("what did we do on 12 November 2026")} == {OTHER}  # spoken of days later
    assert memory.hits("what happened on 16 November 2026")[0].session == OTHER
    assert memory.hits("what did we do on 3 May 2025") == []


def test_the_turn_beside_counts(memory):
    """The answer is often in the turn beside the one with the words."""
    memory.told(Record().turn("which rope for the winch", "Let me see.").turn("and?", "The winch takes hemp."))
    memory.told(Record(OTHER).turn("the winch", "Yes.").turn("x", "y"))
    assert memory.hits("hemp rope winch")[0].session == SESSION


def test_the_same_text_is_found_once(memory):
    """However often it was said."""
    memory.told(Record().prompt("tar the hull").prompt("tar the  hull").prompt("Tar the hull"))
    assert len(memory.found("hull", kinds=("prompt",))) == 1


def test_matching_words_are_told(memory):
    """As they stand in the snippet."""
    memory.told(Record().prompt("Migrations of the SailPlan"))
    assert set(memory.hits("migrate sail", kinds=("prompt",))[0].matched) == {"Migrations", "Sail"}


def test_phrases(told):
    """Words in quotes stand side by side. Where nobody said them so, the other words of the question are looked for."""
    assert kinds(told.hits('"connection reset"')) == ["result"]
    assert told.hits('"reset connection"') == []
    assert kinds(told.hits("src/engine.py"))[0] == "call"
    assert told.hits('why "reset connection" error')[0].kind == "result"


def test_a_phrase_far_back(memory):
    """Newer entries that only have its words do not hide it."""
    record = Record().prompt("paint").reply("the red boat")
    for number in range(60):
        record.reply(f"boat {number} is not red")
    memory.told(record)
    assert memory.found('"red boat"', kinds=("reply",)) == ["the red boat"]


def test_beginnings_of_words(told):
    """Where a word is found seldom as it is, longer ones that begin with it are found too, after those that are it."""
    assert {hit.kind for hit in told.hits("conn")} == {"result"}
    assert told.found("ferr fast") != []
    assert told.hits("onnection") == []


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
    assert memory.hits("many", since="2027-01-15T08:00:00.000Z", roles=("human",)) != []


def test_words_of_the_asking_do_not_lead_away(memory):
    """A session that says `mention` is not what is asked for with "what did he mention about the anchor"."""
    memory.told(Record().turn("the anchor is heavy", "Noted.").turn("weigh it", "Done."))
    other = Record(OTHER, begins=BEGINS + timedelta(days=1))
    memory.told(other.turn("as I mentioned in our conversation, paint the mast", "What kind?"))
    hits = memory.hits("What kind of anchor did they mention in the conversation?")
    assert hits[0].snippet == "the anchor is heavy"
    assert memory.hits("mention")[0].session == OTHER


def test_quotes_in_a_sentence_may_be_a_name(memory):
    """What has the words side by side comes first, and the rest of the question is answered behind it."""
    memory.told(Record().turn("read Moby Dick", "I read the book of Moby Dick in one evening."))
    other = Record(OTHER, begins=BEGINS + timedelta(days=1))
    memory.told(other.turn("The whale by Melville was the first book on board", "It took the evening watch a month."))
    asked = 'who of the watch read the book "Moby Dick" in the evening on board'
    sessions = [hit.session for hit in memory.hits(asked)]
    assert sessions[0] == SESSION
    assert OTHER in sessions
    assert {hit.session for hit in memory.hits('"Moby Dick" evening')} == {SESSION}
    assert sorted((hit.score for hit in memory.hits(asked)), reverse=True) == [hit.score for hit in memory.hits(asked)]


def test_a_month_without_a_year_is_one_of_the_history(memory):
    """Who asks years later for October means the one of which there is anything."""
    memory.told(Record(begins=BEGINS - timedelta(days=90)).turn("tar the boat", "Done."))
    memory.told(Record(OTHER).turn("sell the boat", "Sold."))
    later = int((BEGINS + timedelta(days=1000)).timestamp() * 1000)
    assert memory.hits("what of the boat in October", now=later)[0].session == SESSION


def test_the_words_of_a_date_are_found_too(memory):
    """Someone may have spoken of the day long before it."""
    memory.told(Record().turn("we sail to Athens on the 10th of February", "Fine."))
    memory.told(Record(OTHER, begins=BEGINS + timedelta(days=1)).turn("we sail home some day", "Fine."))
    assert memory.hits("where do we sail on 10 February 2029")[0].session == SESSION


def test_neighbours_of_the_question(memory):
    """Of two texts with the same words, the one in which they stand side by side as in the question goes first, though it is older."""
    near = Record().turn("A committee came with the boat of the harbour master, far away from all there was", "yes")
    memory.told(
        near.turn("The harbour is far, and what the committee decided there about the master was nothing", "yes")
    )
    assert [hit.turn for hit in memory.hits("harbour master", kinds=("prompt",))] == [1, 2]
    assert [hit.turn for hit in memory.hits("the master of the harbour", kinds=("prompt",))] == [1, 2]


def test_of_quoted_words_those_that_say_nothing_are_marked_where_they_are_quoted(memory):
    record = Record()
    record.turn("It seems to be unable to read the harbour", "Seen to.")
    memory.told(record)
    (hit,) = memory.hits('"unable to read"', kinds=("prompt",))
    assert hit.matched == ("unable to read", "unable", "read")


def test_a_word_that_says_nothing_is_not_marked(memory):
    """Though the index has it under the stem of one that was asked for."""
    memory.told(Record().turn("That brings us back to the linter that we use", "yes"))
    [hit] = memory.hits("which linter do we use", kinds=("prompt",))
    assert hit.matched == ("linter", "use")
