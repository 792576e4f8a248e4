"""Which parts of a text are marked."""

import pytest

from tapehead.text.marking import places


@pytest.mark.parametrize(
    ("words", "text", "marked"),
    [
        (("use",), "use it because users reuse what is of use.", ["use", "use"]),
        (("parse", "Transcript"), "parseTranscriptFromBytes and Transcripts", ["parseTranscript"]),
        (("header",), "parse_header, header2", ["header"]),
        (("検索",), "全文検索です", ["検索"]),
        (("Émile", "naïve"), "Émile was naïve", ["Émile", "naïve"]),
        (("C++", "a.b"), "in C++ there is a.b, not axb", ["C++", "a.b"]),
        (("side by side",), "they stand side by side", ["side by side"]),
    ],
)
def test_whole_words_and_parts_of_names(words, text, marked):
    assert [match[0] for match in places(words).finditer(text)] == marked
