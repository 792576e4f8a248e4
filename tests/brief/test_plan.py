"""What a brief tells of a plan: what still binds, not the steps that were taken nor what was decided otherwise."""

from tapehead.brief.plan import plan_items
from tapehead.work_record.facts import Commit, Fact, Finding, WorkRecord

PLAN = """# Plan
## Steps
- Remove the block that computes `reachableFromMain`, since the new walk makes it superfluous
- Replace the log by a walk over first parents in the two callers
## Verification
- The existing tests of the branch filter must still pass
"""


def told(**changes):
    work = WorkRecord(turns=3, steps=40, plan=Fact(PLAN, 1, at=1), asks=(Fact("go", 1, at=0),))
    return "\n".join(item.text for item in plan_items(work._replace(**changes), 8_000))


def test_before_it_is_done_every_line_counts():
    """A plan that nobody carried out yet is told with its steps."""
    assert "reachableFromMain" in told()
    assert "Replace the log" in told()
    assert "must still pass" in told()


def test_once_it_is_done_only_what_binds_is_left():
    """Steps that were taken and committed are over; how it is verified holds on."""
    done = told(commits=(Commit("1f3a9c2", "main", "Walk first parents", 2, at=20),))
    assert "Replace the log" not in done
    assert "must still pass" in done


def test_what_was_taken_back_is_not_told():
    """A line about what the user had put back, or the agent called wrong, would be followed once more."""
    assert "reachableFromMain" not in told(asks=(Fact("let's put the reachableFromMain back", 2, at=20),))
    wrong = Finding("The filter `reachableFromMain` is restored: I incorrectly removed it.", 2, 20, 1.0)
    assert "reachableFromMain" not in told(findings=(wrong,))
    assert "Replace the log" in told(findings=(wrong,))
    assert "reachableFromMain" in told(findings=(wrong._replace(at=0),))


def test_what_was_settled_beforehand_outweighs_the_steps():
    """Every line under such a heading binds, whatever its words; it stays when the steps are done."""
    plan = "# Plan\n## Design decisions\n- Plans are free-form markdown here\n## Changes\n- Write the parser of the plans first\n"
    work = WorkRecord(turns=3, steps=40, plan=Fact(plan, 1, at=1), asks=(Fact("go", 1, at=0),))
    settled, step = plan_items(work, 8_000)
    assert "free-form" in settled.text
    assert settled.worth > 2 * step.worth
    done = work._replace(todos=(Fact("all", 1, holds=False),))
    assert [item.text for item in plan_items(done, 8_000)] == [settled.text]
