"""What a text states: sentences with what they need to be understood alone."""

import pytest

from tapehead.work_record.statements import LONGEST, statements

LIST = "Removed the lanes:\n- `renderLanes()` and its styles\n- The constants of `view.go`\n\nThe sessions come first in the list now."
TABLE = "**Open items**:\n\n| Priority | Item | Version |\n| --- | --- | --- |\n| P2 | Keep decisions of worktrees | v0.16.0 |\n| P4 | Ship `py.typed` | v0.17.0 |"
HEADED = "### 1. Offset is ignored by `count()`\nThe comment says that it starts at the given line.\n\n## Summary\nAll of the tests are green now."


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            LIST,
            [
                "Removed the lanes: `renderLanes()` and its styles; The constants of `view.go`",
                "The sessions come first in the list now.",
            ],
        ),
        (TABLE, ["Open items: P2 | Keep decisions of worktrees | v0.16.0; P4 | Ship `py.typed` | v0.17.0"]),
        (
            HEADED,
            [
                "Offset is ignored by `count()`: The comment says that it starts at the given line.",
                "All of the tests are green now.",
            ],
        ),
        (
            "Steps of the release:\n1. Tag the `main` branch\n   and push it\n2. Write the notes by hand",
            ["Steps of the release: 1. Tag the `main` branch and push it; 2. Write the notes by hand"],
        ),
    ],
)
def test_points_rows_and_paragraphs_stand_with_the_words_above_them(text, stated):
    """Alone, a point of a list or a row of a table says nothing."""
    assert statements(text) == stated


def test_a_sentence_that_points_back_stands_with_the_one_before_it():
    """`This` needs what it means; a sentence that names its own things does not."""
    told = (
        "The lanes confuse everybody who looks at them. This is why they were taken out. The colours stay as they are."
    )
    assert statements(told) == [
        "The lanes confuse everybody who looks at them. This is why they were taken out.",
        "The colours stay as they are.",
    ]


def test_what_is_said_before_a_call_counts_although_it_ends_with_a_colon():
    """A choice is told there; what is only announced is over."""
    assert statements("The simplest fix is to leave the numbers out:") == [
        "The simplest fix is to leave the numbers out."
    ]
    assert statements("The numbers are wrong for such commits. Let me look at the file:") == [
        "The numbers are wrong for such commits."
    ]


def test_a_long_list_is_told_in_parts():
    """No statement grows without end, and each part has the words above it."""
    points = "\n".join(f"- point {n} tells about the thing of number {n}" for n in range(20))
    told = statements(f"What is left:\n{points}")
    assert len(told) > 1
    assert all(len(one) <= LONGEST and one.startswith("What is left: ") for one in told)


def test_code_and_quotes_are_no_statements():
    """They are shown, not said."""
    assert statements("```\nthe code is not spoken by anybody\n```\n> nor is this line that is quoted here") == []


def test_what_is_said_before_code_counts_too():
    """A choice is made there, and the code shows it; a line that says nothing of it does not count."""
    told = "I'd keep the name and say so in the field:\n\n```json\n{}\n```\n\nHere's what happened before that:\n\n```\nx\n```"
    assert statements(told) == ["I'd keep the name and say so in the field."]
