"""What commands did outside of the files, and which pull requests and issues the work is about."""

import pytest

from tapehead.brief.brief import brief
from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.work_record import gather_work


def ran(ident, command, said, *, failed=False):
    return Call(ident, "Bash", turns.RUN, text=command), Result(ident, said, failed=failed)


def told(*steps, prompt="go"):
    return gather_work([Turn(1, (Said(turns.HUMAN, prompt), *steps), cwd="/w", session="s")])


@pytest.mark.parametrize(
    ("command", "said", "done"),
    [
        (
            'gh pr create --draft --title "Fix it"',
            "https://example.com/o/r/pull/342",
            "https://example.com/o/r/pull/342",
        ),
        ("uv run notes create 'Keep it'", "Created note: deb37aa7-2f76", "Created note: deb37aa7-2f76"),
        ("gh issue close 7 --comment 'done'", "✓ Closed issue o/r#7 (Slow start)", "Closed issue o/r#7 (Slow start)"),
        ("cd /w && git branch -D old", "Deleted branch old (was 77704f8).", "Deleted branch old (was 77704f8)."),
    ],
)
def test_what_was_made_is_told_with_what_the_command_printed(command, said, done):
    """Ids and addresses can't be guessed again."""
    found = told(*ran("1", command, said))
    assert [one.text for one in found.deeds] == [done]
    assert f": {done}" in brief(found, budget=1000, source="compact")


@pytest.mark.parametrize(
    ("command", "said", "failed"),
    [
        ("grep -rn url .", "https://example.com/a/page/of/it", False),
        ("pytest -q", "Created table of 1234567 rows", False),
        ("cat notes.md", "Closed issue #7", False),
        ("gh issue close 7", "Closed issue #7", True),
    ],
)
def test_what_is_only_looked_at_tested_or_failed_is_no_deed(command, said, failed):
    """The words alone prove nothing."""
    assert told(*ran("1", command, said, failed=failed)).deeds == ()


def test_many_of_one_kind_are_told_together():
    """Three closed issues are one line."""
    steps = [step for n in range(3) for step in ran(str(n), f"gh issue close {n}", f"✓ Closed issue o/r#{n} (It)")]
    (deed,) = told(*steps).deeds
    assert deed.text == "Closed issue o/r#0 (It); Closed issue o/r#1 (It); Closed issue o/r#2 (It)"


def test_requests_and_issues_are_in_play():
    """Their numbers with the titles that were seen, the last first; what was created counts too."""
    found = told(
        *ran("1", "gh issue view 41", "title:\tExport breaks on commas\nstate:\tOPEN"),
        *ran("2", "gh pr view --json number,title", '{"number":158,"title":"Count tokens once"}'),
        *ran("3", 'gh pr create --title "Quote names"', "https://example.com/o/r/pull/342"),
    )
    assert [(one.text, one.note) for one in found.tickets] == [
        ("PR #342", ""),
        ("PR #158", "Count tokens once"),
        ("issue #41", "Export breaks on commas"),
    ]
    line = "- In play: PR #342 (t1), PR #158 “Count tokens once” (t1), issue #41 “Export breaks on commas” (t1)"
    assert line in brief(found, budget=1000, source="compact")


def test_what_a_tool_of_a_server_made_is_told():
    """Its name for it, the title and the address; what a tool only looked up is no deed."""
    answer = '{"id":"8b6","identifier":"ENT-250","title":"Index breaks in worktrees","by":"https://example.com/people/7.png","url":"https://example.com/issue/ENT-250"}'
    made = Call("1", "mcp__tracker__create_issue", turns.OTHER, text=""), Result("1", answer)
    read = Call("2", "mcp__tracker__get_issue", turns.OTHER, text=""), Result("2", answer)
    found = told(*made, *read)
    assert [(one.note, one.text) for one in found.deeds] == [
        ("create_issue", 'ENT-250 "Index breaks in worktrees" https://example.com/issue/ENT-250')
    ]


def test_an_address_in_the_agents_words_names_a_request_too():
    """The command that opened it may be long ago; the newest mention counts."""
    words = Said(turns.AGENT, "It is ready at https://example.com/o/r/pull/379 now.")
    found = told(*ran("1", "gh pr view 379", "title:\tFaster lookups"), words)
    assert [(one.text, one.note, one.at) for one in found.tickets] == [("PR #379", "Faster lookups", 4)]
