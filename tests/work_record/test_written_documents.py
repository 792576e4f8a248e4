"""What the agent wrote down as decided: a brief that only says "written" loses it."""

from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.work_record import gather_work
from tapehead.work_record.written_documents import entries

REVIEW = """# Review of the plan

## Decisions

### Locking

**Decision: Skip file locks for now.**

- Writers rename whole files.

**Rationale:**
- The store moves to SQLite in the spring,
  which locks by itself.

### Names

**Decision:** Call them steps, not checkpoints.

## Open questions

- Who removes the branches of lost sessions?
- Whether a rebase may skip the hook is not known yet.

## Background

The parser reads the file from its beginning.
"""


def told(*steps):
    return gather_work([Turn(1, (Said(turns.HUMAN, "review it"), *steps), cwd="/w")])


def written(text, path="/w/docs/review.md"):
    return Call(f"w{len(text)}", "Write", turns.WRITE, path=path, text=text)


def test_a_decision_has_its_heading_and_its_first_reason():
    """Neither the heading alone nor the decision alone says what was settled."""
    texts = [one.text for one in entries(REVIEW)]
    assert (
        "Locking: Skip file locks for now (because: The store moves to SQLite in the spring, which locks by itself)"
        in texts
    )
    assert "Names: Call them steps, not checkpoints" in texts


def test_what_is_open_is_kept_and_background_is_not():
    """A sentence under a heading that settles nothing is no decision; neither is a question without an answer."""
    texts = [one.text for one in entries(REVIEW)]
    assert "Open questions: Whether a rebase may skip the hook is not known yet." in texts
    assert not [text for text in texts if "parser" in text or text.endswith("?")]


def test_only_the_newest_version_counts_and_says_when_a_line_came():
    """What a later version of the document dropped does not stand; what it kept is as old as its first writing."""
    later = REVIEW.replace("**Decision:** Call them steps, not checkpoints.", "**Decision:** Call them marks.")
    found = told(written(REVIEW), written(later)).settled
    locking = next(one for one in found if one.text.startswith("Locking"))
    names = [one for one in found if one.text.startswith("Names")]
    assert [one.text for one in names] == ["Names: Call them marks"]
    assert locking.at < names[0].at
    assert locking.document == "/w/docs/review.md"


def test_an_edit_adds_and_takes_away():
    """An edit names only what it changes; the rest of the document stands."""
    edit = Call(
        "e",
        "Edit",
        turns.EDIT,
        path="/w/docs/review.md",
        pairs=(("Decision: Use yarn.", "Decision: Use pnpm instead."),),
    )
    texts = [
        one.text
        for one in told(written("## Tools\n\nDecision: Use yarn.\n\nDecision: Pin all versions.\n"), edit).settled
    ]
    assert texts == ["Tools: Pin all versions", "Use pnpm instead"]


def test_a_document_that_was_not_written_settles_nothing():
    """The call failed: nobody has the file."""
    call = written(REVIEW)
    assert told(call, Result(call.id, "permission denied", failed=True)).settled == ()
