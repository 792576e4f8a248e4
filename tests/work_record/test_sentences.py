"""Sentences of spoken text."""

import pytest

from tapehead.work_record.sentences import flat, sentences, tells

TEXT = """## Result
I went with the queue, because retries are cheap there. The old table stays for now.
> quoted: nobody decided this
| a | b |
```
decided_in_code = True
```
1. **First**: drop the index
- short
"""


def test_code_quotes_and_tables_are_not_spoken():
    """Only what the agent says in its own words is taken, without the marks of lists."""
    assert sentences(TEXT) == [
        "I went with the queue, because retries are cheap there.",
        "The old table stays for now.",
        "First: drop the index",
    ]


def test_what_is_too_long_is_no_sentence():
    """A line of a thousand words is a dump."""
    assert sentences("word " * 200) == []


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("The cache is written before the lock is taken.", True),
        ("Let me look at the cache again and again.", False),
        ("Now let me look at it.", False),
        ("Good. I'll change the table in place.", False),
        ("Here is what was found in all files:", False),
        ("Should the old table stay where it is?", False),
        ("`src/app/main.py` - `other`", False),
    ],
)
def test_headings_names_questions_and_past_intentions_tell_nothing(sentence, says):
    """What tells something is a statement that still stands when it is read later."""
    assert tells(sentence) is says


def test_flat_is_one_line():
    """White space of any kind becomes one blank."""
    assert flat(" a\n\tb  c ") == "a b c"
