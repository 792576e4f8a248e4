"""What is not remembered, facts that are proposed, and days with their dates."""

from __future__ import annotations

import pytest

from tapehead.memories import exclusions, extraction
from tapehead.memories.absolute_dates import absolute


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The function parse_line is defined in src/parser/lines.py", "the code says it"),
        ("src/parser.py contains the tokenizer", "the code says it"),
        ("The limit was changed in commit 1a2b3c4d", "`git log` says it"),
        ("The retry logic was merged in PR 12 by Kim, we merged PR #12", "`git log` says it"),
        ("The bug was a missing await in the loader", "the fix is in the code"),
        ("We fixed the crash by restarting the worker", "the fix is in the code"),
        ("Commit 1a2b3c4d made the parser strict", "`git log` says it"),
        ("To debug, run pytest -x with pdb and look at the stack", "the fix is in the code"),
        ("To reproduce the crash, set DEBUG=1 and restart", "the fix is in the code"),
        ("Run the tests with make", "instructions"),
        ("worker.py polls the queue every five seconds", "the code says it"),
        ("validate_email() raises ValueError on bad input", "the code says it"),
        ("the database schema has tables users, orders and items", "the code says it"),
        ("Alice merged the login branch yesterday", "`git log` says it"),
        ("we reverted the migration in 9c1d2ee", "`git log` says it"),
        ("to fix the flaky test, rerun with -p no:xdist and clear the cache", "the fix is in the code"),
        ("if the server returns 502, restart nginx", "the fix is in the code"),
        ("the workaround for the segfault is to set LD_PRELOAD", "the fix is in the code"),
        ("today we work on the login page", "it is about now"),
        ("UserRepository extends BaseRepository and overrides findAll", "the code says it"),
        ("There are 14 React components in the components folder", "the code says it"),
        ("The project uses Express with TypeScript and Prisma", "the code says it"),
        ("Pagination is implemented with cursors", "the code says it"),
        ("Bob wrote most of the scheduler", "`git log` says it"),
        ("Maria removed the old exporter two weeks ago", "`git log` says it"),
        ("Reverted the caching change because of flaky tests in a1b2c3d", "`git log` says it"),
        (
            "The memory leak came from a listener that was never removed; fixed by calling off()",
            "the fix is in the code",
        ),
        ("When you see 'module not found: sharp', delete node_modules and reinstall", "the fix is in the code"),
        ("the flaky e2e test passes once animations are switched off", "the fix is in the code"),
        ("Always use make to run the tests", "instructions"),
    ],
)
def test_what_can_be_read_elsewhere_is_not_remembered(text, reason):
    """Code, history, recipes, and what CLAUDE.md says."""
    assert reason in exclusions.why_not(text, ["Run the tests with make"])


@pytest.mark.parametrize(
    "text",
    [
        "never reformat files that the change does not touch",
        "latency is at https://grafana.example.com/d/api",
        "merges are frozen until Thursday because of the audit",
        "I'm a data scientist, new to Rust",
        "always fix the types before the tests",
        "prefer small commits",
        "the staging database is reset every night",
        "we commit 40 times a day, so keep commits small",
        "always run the linter before a commit",
        "when you add an endpoint, update the API docs too",
        "When tests fail, show me the output before you fix anything",
        "Keep src/legacy untouched: it is handed over to another vendor",
        "The launch moved to 2027-02-01 because of the audit",
        "don't mock the database in tests: a mocked migration hid a broken one last year",
        "The dashboard at grafana.internal/d/api-latency is what the on-call engineer watches",
        "The budget for cloud services is 200 euros a month",
        "The mobile app is built by an agency in Lisbon; talk to Rui about its API needs",
        "We had to leave AWS because the customer demands hosting in the EU",
        "Our tests are slow, so run only what you changed and say which",
    ],
)
def test_what_nothing_else_says_is(text):
    """Rules, people, plans and places."""
    assert exclusions.why_not(text, ["Run the tests with make"]) == ""


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("I'm a data scientist, new to Rust.", "user"),
        ("I am new to Go, so explain as you go.", "user"),
        ("I've never used SQLAlchemy.", "user"),
        ("My role is release manager.", "user"),
        ("Merges are frozen until Thursday because the mobile team cuts a release branch.", "project"),
        ("The deadline for the audit is on Friday.", "project"),
        ("Bugs of the pipeline are tracked in the Linear project INGEST.", "reference"),
        ("The dashboards are at https://grafana.example.org/d/1, look there for latency.", "reference"),
        ("The staging server is at https://staging.example.org.", "reference"),
    ],
)
def test_facts_are_proposed(prompt, kind):
    """About the user, about what goes on, and where things are."""
    [one] = extraction.found(prompt)
    assert (one.kind, one.why) == (kind, extraction.FACT)


@pytest.mark.parametrize(
    "prompt",
    [
        "I'm a bit confused by this test.",
        "I am running the tests now.",
        "I'm a little worried about the lock.",
        "The build is blocked.",
        "The file is at the root.",
        "Fix the parser, it is due.",
        "I am not sure.",
    ],
)
def test_what_only_looks_like_a_fact_is_not(prompt):
    """The state of the work is none."""
    assert extraction.found(prompt) == []


@pytest.mark.parametrize(
    ("saying", "dated"),
    [
        ("frozen until Thursday because", "frozen until Thursday (2026-11-19) because"),
        ("on Wednesday", "on Wednesday (2026-11-25)"),
        ("by tomorrow", "by tomorrow (2026-11-19)"),
        ("starting next week", "starting next week (week of 2026-11-23)"),
        ("by next month", "by next month (2026-12)"),
        ("by the end of the month", "by the end of the month (2026-11-30)"),
        ("until the end of this week", "until the end of this week (2026-11-20)"),
        ("never push on its own", "never push on its own"),
    ],
)
def test_days_get_their_dates(saying, dated):
    """Seen from the day on which it was said, a Wednesday."""
    assert absolute(saying, "2026-11-18T09:00:00Z") == dated
    assert absolute(saying, "") == saying


SAID = [
    "Use pnpm, never npm or yarn.",
    "Format with ruff; line length is 100.",
    "Never log personal data.",
    "Do not edit files under `generated/`; run `pnpm codegen` instead.",
]


@pytest.mark.parametrize(
    "text",
    [
        "We use pnpm, not yarn",
        "Use pnpm instead of npm",
        "We never log personal data",
        "Never edit generated files by hand, run pnpm codegen",
    ],
)
def test_the_instructions_in_other_words(text):
    """Said already."""
    assert "instructions" in exclusions.why_not(text, SAID)


@pytest.mark.parametrize(
    "text",
    [
        "Use npm, not pnpm",
        "Line length is 120 for generated SQL",
        "Log personal data in the audit service only",
        "Use pnpm for the web app, but keep bun for the scripts",
    ],
)
def test_what_changes_the_instructions(text):
    """The opposite, another number, or more than they say: that is news."""
    assert exclusions.why_not(text, SAID) == ""
