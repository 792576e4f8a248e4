"""Words as the index knows them, and queries in the same words."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.memory.wording import Query, file_tag, indexed, kind_tag, query, session_tag, tags


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words", "plain words"),
        ("naïve café → done ✓", "naïve café → done ✓"),
        ("Привет мир", "Привет мир"),
        ("修复漏洞", " 修复 复漏 漏洞 洞 "),
        ("fix 修复!", "fix  修复 复 !"),
        ("字", " 字 "),
        ("ภาษา", " ภา าษ ษา า "),
        ("안녕", " 안녕 녕 "),
    ],
)
def test_rows_of_letters_are_split_into_pairs(text, expected):
    """Only scripts without spaces: everything else is as it was."""
    assert indexed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parser error", Query(("parser", "error"))),
        ("parser parser", Query(("parser",))),
        (
            '"connection reset" now',
            Query(("connection", "reset", "now"), ("connection reset",), ("connection", "reset")),
        ),
        ("“Smart Quotes”", Query(("Smart", "Quotes"), ("smart quotes",), ("Smart", "Quotes"))),
        ("read_file", Query(("read", "file"), ("read_file",))),
        ("src/a.py", Query(("src", "a", "py"), ("src/a.py",))),
        ("修复漏洞", Query(("修复", "复漏", "漏洞"), ("修复漏洞",), ("修复", "复漏", "漏洞"))),
        ("漏", Query(("漏",), ("漏",))),
        ("fix修复", Query(("fix", "修复"), ("fix修复",), ("修复",))),
        ("ที่", Query(("ที",), ("ที่",), ("ที",))),
        ("--- !!", Query(())),
        ("", Query(())),
        ('"', Query(())),
        ('say "', Query(("say",))),
    ],
)
def test_queries(text, expected):
    """Words, phrases in quotes, and what must stand together because it was typed together."""
    assert query(text) == expected


def test_phrases_are_held_by_the_text():
    """Whatever the case."""
    assert query('"Connection reset"').holds("the CONNECTION RESET by")
    assert not query('"connection reset"').holds("reset connection")


_LETTERS = "aZ9_ -./'()=é ßñПриветαβγ修复漏洞船ภาษาที่น้ำ안녕하세요かなカナשלוםمرحبا½²→✓"


@given(st.text(st.sampled_from(_LETTERS), max_size=40))
def test_a_text_is_found_by_its_own_words(text):
    """Whatever the script: the words of a text, as a query, are words that the index of that text has."""
    index = sqlite3.connect(":memory:")
    try:
        index.execute("CREATE VIRTUAL TABLE w USING fts5 (body, content = '', detail = none)")
        index.execute("INSERT INTO w (rowid, body) VALUES (1, ?)", (indexed(text),))
        asked = query(text)
        if asked.terms:
            match = " AND ".join(f'"{term}"' for term in asked.terms)
            assert index.execute("SELECT rowid FROM w WHERE w MATCH ?", (match,)).fetchall() == [(1,)]
    finally:
        index.close()


def test_an_accent_of_its_own():
    """A letter and its accent may be written as one or as two: the query is the same."""
    assert query("cafe\u0301s") == query("cafés")


def test_tags_are_no_words_of_a_text():
    """A kind, a file and a session each have their own, whatever a text says."""
    assert len({kind_tag("result"), kind_tag("call"), file_tag("a.py"), file_tag("b.py"), session_tag(1)}) == 5
    assert file_tag("/x/a.py") == file_tag("a.py")
    assert tags("call", "/x/a.py").split() == [kind_tag("call"), file_tag("a.py")]
    assert tags("call", "") == kind_tag("call")
