"""Words as the index knows them, and queries in the same words."""

import sqlite3
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.history.index_words import file_tag, index_words, kind_tag, session_tag, tags
from tapehead.history.question import read_question

TODAY = date(2027, 1, 15)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words", "plain words"),
        ("naïve café → done ✓", "naïve café → done ✓"),
        ("Привет мир", "Привет мир"),
        ("修复漏洞", " 修复 复漏 漏洞 洞 "),
        ("fix 修复!", "fix  修复 复 !"),
        ("readFile and read_file", "readFile and read_file File read"),
        ("字", " 字 "),
        ("ภาษา", " ภา าษ ษา า "),
        ("안녕", " 안녕 녕 "),
    ],
)
def test_rows_of_letters_are_split_into_pairs(text, expected):
    """Only scripts without spaces: everything else is as it was."""
    assert index_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parser error", ["parser", "error"]),
        ("parser Parsers", ["parser"]),
        ("Where is the parser?", ["parser"]),
        ("read_file readFile", ["read", "file"]),
        ("src/a.py", ["src", "py"]),
        ("修复漏洞", ["修复", "复漏", "漏洞"]),
        ("漏", ["漏"]),
        ("fix修复", ["fix", "修复"]),
        ("what's the fileServer's port", ["file", "server", "port"]),
        ("--- !!", []),
        ("", []),
        ('"', []),
        ('say "', ["say"]),
    ],
)
def test_words_of_a_question(text, expected):
    """Each once, whatever its form; names taken apart; words that say nothing passed over."""
    assert [term.word for term in read_question(text, TODAY).terms] == expected


def test_what_must_stand_as_it_is():
    """Words in quotes, words in scripts without spaces, and words that a sign makes another; sentences need not."""
    assert read_question('"Connection reset" now', TODAY).phrases == ("connection reset",)
    assert read_question("“Smart Quotes”", TODAY).phrases == ("smart quotes",)
    assert read_question("修复漏洞 C++", TODAY).phrases == ("修复漏洞", "c++")
    assert read_question("ログイン画面を直してください", TODAY).phrases == ()
    assert read_question("the boat's store/lock.py", TODAY)[1:3] == ((), ("store/lock.py",))


def test_phrases_are_held_by_the_text():
    """Whatever the case."""
    assert read_question('"Connection reset"', TODAY).holds("the CONNECTION RESET by")
    assert not read_question('"connection reset"', TODAY).holds("reset connection")


_LETTERS = "aZ9_ -./'()=é ßñПриветαβγ修复漏洞船ภาษาที่น้ำ안녕하세요かなカナשלוםمرحبا½²→✓"


@given(st.text(st.sampled_from(_LETTERS), max_size=40))
def test_a_text_is_found_by_its_own_words(text):
    """Whatever the script: the words of a text, as a query, are words that the index of that text has."""
    index = sqlite3.connect(":memory:")
    try:
        index.execute(
            "CREATE VIRTUAL TABLE w USING fts5 (body, content = '', detail = none, tokenize = 'porter unicode61')"
        )
        index.execute("INSERT INTO w (rowid, body) VALUES (1, ?)", (index_words(text),))
        asked = [term.word for term in read_question(text, TODAY).terms]
        if asked:
            match = " AND ".join(f'"{word}"' for word in asked)
            assert index.execute("SELECT rowid FROM w WHERE w MATCH ?", (match,)).fetchall() == [(1,)]
    finally:
        index.close()


def test_an_accent_of_its_own():
    """A letter and its accent may be written as one or as two: the query is the same."""
    assert read_question("cafe\u0301s", TODAY) == read_question("cafés", TODAY)


def test_tags_are_no_words_of_a_text():
    """A kind, a file and a session each have their own, whatever a text says."""
    assert len({kind_tag("result"), kind_tag("call"), file_tag("a.py"), file_tag("b.py"), session_tag(1)}) == 5
    assert file_tag("/x/a.py") == file_tag("a.py")
    assert tags("call", "/x/a.py").split() == [kind_tag("call"), file_tag("a.py")]
    assert tags("call", "") == kind_tag("call")
