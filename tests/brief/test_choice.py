"""What a successor is told of a session, and what not: excerpts in the shape of real ones, from the record to the text."""

import pytest

from tapehead.brief.agent_summary import lasting
from tapehead.brief.brief import brief
from tapehead.brief.capture_sections import sections_of
from tapehead.brief.inputs import Extras
from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.work_record import gather_work

REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n"


def human(text):
    return Said(turns.HUMAN, text)


def agent(text):
    return Said(turns.AGENT, text)


def ran(ident, command, said, *, failed=False):
    return Call(ident, "Bash", turns.RUN, text=command), Result(ident, said, failed=failed)


def edited(ident, path, old, new):
    return Call(ident, "Edit", turns.EDIT, path=path, pairs=((old, new),)), Result(ident, "ok")


def listed(ident, *items):
    return Call(ident, "TodoWrite", turns.TODOS, pairs=items), Result(ident, "ok")


def work(*told):
    """The work record of turns, each given by its steps."""
    return gather_work([Turn(n + 1, tuple(steps), cwd="/w", session="s") for n, steps in enumerate(told)])


def text_of(*told, budget=2000, **more):
    return brief(work(*told), budget=budget, source="compact", **more)


def test_a_todo_that_words_closed_is_not_open():
    """The list was left as it was; what only words say is told as that."""
    steps = (
        human("add the flags"),
        *listed("1", ("Task 1: Test for new flags", "in_progress"), ("Task 2: Write the flags", "pending")),
        agent("Task 1 complete. Now dispatching the reviewer."),
    )
    told = text_of(steps)
    assert "- [ ] Task 2: Write the flags" in told
    assert "- said to be done (t1), not ticked off: Task 1: Test for new flags" in told
    assert "- [ ] Task 1" not in told


@pytest.mark.parametrize(
    "words",
    [
        "Task 1 is not complete yet.",
        "Once Task 1 is done, the reviewer looks at it.",
        "Task 2 complete.",
        "All three critical fixes are implemented for PR #389.",
        "Next: Task 1, to be completed after the break.",
    ],
)
def test_words_that_close_nothing(words):
    """What is to come, what is about another item, and what names the same number of something else."""
    items = (("Task 1: Merge PR #389", "pending"),)
    assert "- [ ] Task 1: Merge PR #389" in text_of((human("go and merge it"), *listed("1", *items), agent(words)))


def test_all_tasks_done_closes_all():
    """One sentence may close the whole list; an item that was opened again later is open."""
    items = (("Write the docs", "pending"), ("Test the flags", "pending"))
    done = (human("go on with the list"), *listed("1", *items), agent("All tasks are completed."))
    assert "- [ ] " not in text_of(done)
    again = (human("and again"), *listed("2", ("Write the docs", "pending")))
    assert "- [ ] Write the docs" in text_of(done, again)


def test_a_question_keeps_what_was_chosen_and_what_not():
    """A rejected option is told with the chosen one."""
    asked = Call(
        "q",
        "AskUserQuestion",
        turns.QUESTION,
        text="Which store?",
        pairs=(("Which store?", "SQLite"), ("Which store?", "Files")),
    )
    told = text_of((human("keep the sessions"), asked, Result("q", 'User has answered: "Which store?"="SQLite"')))
    assert "- Chosen (t1): Which store? → SQLite (other options: Files)" in told


def test_a_refused_call_comes_with_the_words_of_its_refusal():
    """They stand with the results, since an old client's record does not prove whose they are: no rule follows from them."""
    call = Call("1", "Edit", turns.EDIT, path="/w/a.go", pairs=(("x", "y"),))
    found = work(
        (human("archive the chunks"), call, Result("1", f"{REFUSED}never touch a.go, add it to the list", failed=True))
    )
    told = brief(found, budget=2000, source="compact")
    assert "- t1: `Edit a.go`: refused with “never touch a.go, add it to the list”" in told
    assert found.rules == ()
    assert told.index("## Failed") < told.index("refused with")


def test_a_choice_that_was_announced_with_its_reason_is_kept():
    """`I'll use` and `I will use` decide; a mere step is over by now."""
    told = text_of(
        (
            human("store the sessions"),
            agent(
                "I'll use SQLite because it needs no server. I will use WAL for the readers too. Let me look at the schema first."
            ),
            agent("The schema is there."),
        )
    )
    assert "I'll use SQLite because it needs no server." in told
    assert "I will use WAL for the readers too." in told
    assert "Let me look" not in told


def test_a_superseded_draft_of_a_file_is_not_shown_beside_the_final_one():
    """The lock that was tried first is gone from the file, and from the text."""
    told = text_of(
        (
            human("charge once only, whatever is clicked"),
            *edited("1", "/w/pay.py", "gateway.charge(order.card)", "with order.lock_for_charge:"),
            *edited("2", "/w/pay.py", "with order.lock_for_charge:", "gateway.charge(order.card, key=order.id)"),
        )
    )
    assert "→ `gateway.charge(order.card, key=order.id)`" in told
    assert "→ `with order.lock_for_charge:`" not in told


def test_a_change_shows_where_two_long_lines_differ():
    """Both cut to their same beginning would say nothing."""
    begins = (
        "func generateCheckpointSummary(w, _ io.Writer, store *checkpoint.GitStore, fullCheckpointID id.CheckpointID, "
    )
    told = text_of(
        (human("return the summary"), *edited("1", "/w/a.go", f"{begins}result *Result", f"{begins}summary *Summary"))
    )
    assert "result *Result` → `… " in told
    assert "summary *Summary`" in told


def test_a_failure_says_what_its_line_only_announces():
    """The files that stand below a colon, and the reason that stands below the first line."""
    checkout = "error: Your local changes to the following files would be overwritten by checkout:\n\tlogs/tool_use.json\nAborting"
    sign = "error: Signing file /tmp/x\nCouldn't sign message (signer): agent refused operation?\nfatal: failed to write commit object"
    told = text_of(
        (
            human("go to main"),
            *ran("1", "git checkout main", checkout, failed=True),
            *ran("2", "git commit -m x", sign, failed=True),
        )
    )
    assert "overwritten by checkout: logs/tool_use.json" in told
    assert "Couldn't sign message (signer): agent refused operation?" in told


def test_each_turn_says_which_files_it_changed():
    """Also those that were committed since: nothing else names them."""
    commit = ran("c", "git commit -m x", "[main 1f3a9c2] Add the action\n 2 files changed")
    told = text_of(
        (human("create an action"), *edited("1", "/w/.github/workflows/make.yml", "a: 1", "on: push_to_main"), *commit),
        (human("and document it"), *edited("2", "/w/README.md", "a", "The action runs on every push.")),
    )
    assert "- t1 “create an action”\n  → changed workflows/make.yml" in told


def test_last_words_lose_their_dress_and_keep_their_end():
    """Headings, bold, emoji and greetings go; the question to the user stays."""
    words = (
        "Perfect! All of it works.\n\n## 🎉 Done\n\n### Summary\n- ✅ **parser** fixed\n"
        + "- a line of the report\n" * 100
        + "\n**Shall I push?**"
    )
    told = text_of((human("fix the parser"), agent(words)), budget=600)
    assert "Shall I push?”" in told
    assert "✓ parser fixed" in told
    assert not set("🎉#*") & set(next(line for line in told.splitlines() if "Last words" in line))


def test_a_blocker_is_critical():
    """A start that is given little is given this."""
    found = work(
        (
            human("release it"),
            agent("The release is blocked by a missing token for the registry. Everything else is ready."),
        )
    )
    told = brief(found, budget=2000, source="startup")
    assert "- Blocker (t1): The release is blocked by a missing token for the registry." in told
    critical = next(part for part in sections_of(found, None) if part.priority == "CRITICAL")
    assert "blocked by a missing token" in critical.body


def test_an_older_summary_says_nothing_of_what_was_pending_then():
    """What was in hand at an earlier compaction is done or gone; the rest of that summary lasts."""
    summary = "1. Errors and fixes:\n   - The cache was wrong because keys were shared.\n7. Pending Tasks:\n   - Write the second half of the docs.\n8. Current Work:\n   Just wrote the tests of the cache."
    assert lasting(summary) == "1. Errors and fixes:\n   - The cache was wrong because keys were shared."
    told = text_of((Said(turns.SUMMARY, summary), human("go on with the cache")))
    assert "The cache was wrong because keys were shared." in told
    assert "second half of the docs" not in told


def test_what_the_summary_has_in_full_is_not_told_again():
    """Neither word for word nor in the same words: the room goes to what it lacks."""
    steps = (
        human("cache it"),
        agent("The cache was wrong because keys were shared. The store must not be opened twice."),
    )
    told = text_of(
        steps,
        (
            human("now write the tests of the index, which nobody has written so far, and run them"),
            agent("It is cached."),
        ),
        host_summary="Keys were shared, because of which the cache was wrong.",
    )
    assert "keys were shared" not in told
    assert "The store must not be opened twice." in told


def test_how_to_look_deeper_is_one_line_that_works():
    """The tools where ours run; else the command with session and turn; for a bare transcript the command that reads it."""
    steps = ((human("one"), agent("Done with it.")), (human("two"), agent("Done with that.")))
    known = {"known": "3f2a91bc-1111-4222", "command": "tapehead brief --full --session 3f2a91bc-1111-4222"}
    assert text_of(*steps, extras=Extras(**known)).endswith(
        "A turn in full: `tapehead detail 3f2a91bc-1111/2`. The rest: `tapehead brief --full --session 3f2a91bc-1111-4222`\n"
    )
    served = text_of(*steps, extras=Extras(**known, tools=True))
    assert "A turn in full: tool `open` with 3f2a91bc-1111/2, `recall` finds words. The rest: `" in served
    assert "tapehead detail" not in served
    assert text_of(*steps, extras=Extras(command="show me")).endswith("The rest: `show me`\n")


def test_under_full_no_list_says_how_many_more_there_are():
    """Whoever asks for all of it gets all of it."""
    edits = [step for n in range(12) for step in edited(str(n), f"/w/file_{n}.py", "a", f"value_{n} = {n}")]
    found = work((human("change all of them"), *edits))
    assert " more" in brief(found, budget=2000, source="compact")
    assert " more" not in brief(found, budget=50_000, source="full")


def test_how_lists_are_to_be_read_is_said_once():
    """One line under the head, and no heading says it again."""
    told = text_of((human("fix it"), agent("It was wrong because of the cache."), *ran("1", "make test", "3 passed")))
    assert told.count("newest first") == told.count("oldest first") == 1


def test_a_command_that_is_made_again_and_again_is_told_once_by_its_shape():
    """Twelve replies are one line: how they were posted, and how often."""
    replies = [
        step
        for n in range(12)
        for step in ran(
            str(n),
            f'gh api repos/o/r/pulls/90/comments/27192908{n:02d}/replies -X POST -f body="Fixed it in commit number {n}"',
            "{}",
        )
    ]
    told = text_of((human("answer the review"), *replies))
    assert '- like `gh api repos/o/r/pulls/N/comments/N/replies -X POST -f body="…"`, 12 times' in told
    assert told.count("gh api") == 2, "once as the last step, once by its shape"


def test_a_bare_number_is_told_with_the_option_that_it_chose():
    """`1` says nothing without the list that it answers."""
    offer = agent(
        "Found:\n1. a bug\n2. a leak\n\nTwo ways:\n\n1. **Subagents** do it in this session\n2. **A new session** does it\n\nWhich one?"
    )
    told = text_of(
        (human("write the plan"), offer),
        (human("2"), agent("A new session it is.")),
        (human("now go and review all of it again, line by line"), agent("Ok.")),
    )
    assert "- t2 “2”, that is “A new session does it”" in told
    last = text_of((human("write the plan"), offer), (human("1"),))
    assert "- Asked last (t2): “1”, that is “Subagents do it in this session”" in last
