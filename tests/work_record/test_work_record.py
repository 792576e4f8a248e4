"""What the work of a session consists of."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapehead.brief.brief import brief
from tapehead.brief.items import items
from tapehead.brief.steering import steer
from tapehead.transcript import turns
from tapehead.transcript.turns import Boundary, Call, Result, Said, Turn
from tapehead.work_record.commands import purpose
from tapehead.work_record.files_in_play import enclosing, shorter
from tapehead.work_record.step_row import NEWEST_CALLS, NEWEST_RESULTS, NEWEST_WORDS, Conversation
from tapehead.work_record.work_record import gather_work


def human(text, *, queued=False):
    return Said(turns.HUMAN, text, queued)


def agent(text):
    return Said(turns.AGENT, text)


def run(ident, command, said="", *, failed=False, background=False):
    return Call(ident, "Bash", turns.RUN, text=command, background=background), Result(ident, said, failed)


def edit(ident, path, old, new, *, before="", failed=False):
    return Call(ident, "Edit", turns.EDIT, path=path, pairs=((old, new),)), Result(ident, "done", failed, before)


def told(*groups, **fields):
    """Make turns of steps, numbered and in one place."""
    place = {"session": "s", "branch": "main", "cwd": "/w"} | fields
    return [
        Turn(n, tuple(steps), began=f"2026-01-01T10:0{n}:00Z", ended=f"2026-01-01T10:0{n}:30Z", **place)
        for n, steps in enumerate(groups)
    ]


def test_nothing_gives_an_empty_digest():
    """No turns, no work."""
    found = gather_work([])
    assert (found.turns, found.asks, found.files, found.summary, dict(found.weights)) == (0, (), (), "", {})


def test_where_and_when_the_session_stands():
    """The place is the latest, the beginning the first; subagents do not count as turns."""
    beside = Turn(0, (human("not the person"),), subagent="a", cwd="/elsewhere")
    found = gather_work([*told([human("a")], [human("b")]), beside])
    assert (found.session, found.branch, found.cwd, found.turns, found.steps) == ("s", "main", "/w", 2, 2)
    assert (found.began, found.ended) == ("2026-01-01T10:00:00Z", "2026-01-01T10:01:30Z")
    assert [ask.text for ask in found.asks] == ["a", "b"]


def test_asks_are_word_for_word_and_each_once():
    """What was typed again counts where it was typed last, but the first prompt stays the first, too."""
    found = gather_work(
        told([human("first")], [human("again")], [human("between")], [human("again")], [human("first")])
    )
    assert [ask.text for ask in found.asks] == ["first", "between", "again", "first"]
    assert [ask.turn for ask in found.asks] == [1, 3, 4, 5]


def test_a_queued_ask_is_marked():
    """It was typed while the agent was at work."""
    assert [ask.note for ask in gather_work(told([human("a"), human("b", queued=True)])).asks] == ["", "queued"]


def test_rules_are_what_the_person_insisted_on_newest_first():
    """Corrections and prohibitions in their words; wishes and questions are none, and pasted text neither."""
    found = gather_work(
        told(
            [human("Build the parser for the new date format. Never touch the lexer by hand.")],
            [human("Should we always rebuild it?")],
            [human("Use the pool instead of new threads.")],
            [human("x" * 5000 + ". You must not read this.")],
        )
    )
    assert [rule.text for rule in found.rules] == [
        "Use the pool instead of new threads.",
        "Never touch the lexer by hand.",
    ]


def test_the_whole_task_list_replaces_the_former_one():
    """Done items are kept as done; open ones hold."""
    first = Call("1", "TodoWrite", turns.TODOS, pairs=(("old", "pending"),))
    second = Call(
        "2", "TodoWrite", turns.TODOS, pairs=(("read  it", "completed"), ("write it", "in_progress"), (" ", "pending"))
    )
    found = gather_work(told([human("go"), first, second]))
    assert [(todo.text, todo.note, todo.holds) for todo in found.todos] == [
        ("read it", "completed", False),
        ("write it", "in_progress", True),
    ]


def test_tasks_are_added_and_set_one_by_one():
    """An update of a task that does not exist changes nothing."""
    add = [Call(str(n), "TaskCreate", turns.TASK_ADD, text=text) for n, text in enumerate(("one", "two"))]
    sets = [Call("s", "TaskUpdate", turns.TASK_SET, path=path, text="completed") for path in ("1", "7", "x")]
    found = gather_work(told([human("go"), *add, *sets]))
    assert [(todo.text, todo.holds) for todo in found.todos] == [("one", False), ("two", True)]


def test_the_agents_own_list_says_what_a_subagent_closed():
    """The list that the agent asked for counts; what was added afterwards has the next number."""
    add = [Call(str(n), "TaskCreate", turns.TASK_ADD, text=text) for n, text in enumerate(("one", "two"))]
    listed = [
        Call("l", "TaskList", turns.TASK_LIST),
        Result("l", "#2 [completed] two\n#1 [in_progress] one\n#3 [pending] three\nnot a #4 [pending] task"),
    ]
    later = [
        Call("9", "TaskCreate", turns.TASK_ADD, text="four"),
        Call("s", "TaskUpdate", turns.TASK_SET, path="4", text="completed"),
    ]
    found = gather_work(told([human("go"), *add, *listed, *later]))
    assert [(todo.text, todo.note) for todo in found.todos] == [
        ("one", "in_progress"),
        ("two", "completed"),
        ("three", "pending"),
        ("four", "completed"),
    ]


def test_what_was_put_off_is_an_open_item():
    """Said by the agent lately, newest first."""
    found = gather_work(
        told(
            [human("go"), agent("The index is not yet rebuilt.")],
            [human("and"), agent("We skipped the slow tests for now.")],
        )
    )
    assert [one.text for one in found.put_off] == [
        "We skipped the slow tests for now.",
        "The index is not yet rebuilt.",
    ]


def test_decisions_come_with_their_reasons():
    """From what the agent said and what the user answered; not from code, and not from what a tool said."""
    question = Call("q", "AskUserQuestion", turns.QUESTION, text="Which store?")
    answered = Result("q", 'User has answered: "Which store?"="SQLite". Go on.')
    talk = agent("I went with SQLite because it is there.\n```\ndecided to = nothing\n```\nFine.")
    found = gather_work(
        told([human("go"), *run("c", "x", "we decided to use files because of speed"), talk, question, answered])
    )
    assert [one.text for one in found.decisions] == ["Which store? → SQLite", "I went with SQLite because it is there."]


def test_files_in_play_say_what_was_done_and_where():
    """Newest first, counted, with the functions that were defined or edited, by the path from the working directory."""
    before = "def first():\n    pass\n\ndef second():\n    a = 1\n    return a\n"
    found = gather_work(
        told(
            [
                human("go"),
                Call("r", "Read", turns.READ, path="/w/src/a.py"),
                Result("r", "1\tx"),
                *edit("e1", "/w/src/a.py", "    a = 1", "    a = 2", before=before),
                *edit("e2", "/w/src/a.py", "", "def third_one():\n    pass"),
                Call(
                    "n", "Write", turns.WRITE, path="/other/b.go", text="func Main(x int) {\n}\ntype Thing struct {\n"
                ),
                *edit("e3", "/w/src/never.py", "a", "b", failed=True),
            ]
        )
    )
    assert [(file.path, file.done, file.symbols, file.changed) for file in found.files] == [
        ("/other/b.go", "written", ("Main", "Thing"), True),
        ("src/a.py", "edited 2x, read", ("third_one", "second"), True),
    ]


def test_the_function_around_an_edit_is_the_nearest_one_above_it():
    """Nothing above, or text that is not there, has none."""
    assert enclosing("class A:\n  def method(self):\n    x = 1\n", "x = 1") == "method"
    assert enclosing("x = 1\n", "x = 1") == ""
    assert enclosing("def function():\n", "gone") == ""
    assert enclosing("def function():\n", "") == ""


def test_a_path_is_written_from_where_the_work_is():
    """Only below the working directory."""
    assert shorter("/w/a/b.py", "/w") == "a/b.py"
    assert shorter("/wide/b.py", "/w") == "/wide/b.py"
    assert shorter("/w/b.py", "") == "/w/b.py"


def test_commands_are_counted_with_their_last_outcome():
    """Word for word, newest first, with what each is for."""
    found = gather_work(
        told(
            [
                human("go"),
                *run("1", "make test", "3 passed"),
                *run("2", "ls", ""),
                *run("3", "make  test", "E\n1 failed\n", failed=True),
            ],
            [human("x"), Call("4", "Bash", turns.RUN, text=" ")],
        )
    )
    assert [(one.text, one.times, one.failed, one.outcome, one.purpose) for one in found.commands] == [
        ("make test", 2, True, "1 failed", "test"),
        ("ls", 1, False, "", ""),
    ]


@pytest.mark.parametrize(
    ("command", "use"),
    [
        ("uv run pytest -q", "test"),
        ("npm run test:ci", "test"),
        ("cargo clippy", "lint"),
        ("gofmt -w .", "format"),
        ("go build ./...", "build"),
        ("git commit -m x", "commit"),
        ("ls -l", ""),
    ],
)
def test_the_purpose_of_a_command_is_in_its_words(command, use):
    """Tests before linters, linters before builds."""
    assert purpose(command) == use


def test_errors_are_open_until_the_same_thing_works():
    """And then they say what was edited in between; what was refused is over, and says so."""
    found = gather_work(
        told(
            [
                human("go"),
                *run("1", "make test", "1 failed", failed=True),
                *edit("2", "/w/a.py", "x", "y"),
                *run("3", "make test", "1 passed"),
                *run("4", "make lint", "error: E501", failed=True),
                *run("5", "rm -rf /", "The user doesn't want to proceed", failed=True),
                *run("6", "flaky", "FAIL", failed=True),
                *run("7", "flaky", "ok"),
                *run("8", "flaky", "FAIL again", failed=True),
            ]
        )
    )
    assert [(one.text, one.holds, one.note) for one in found.errors] == [
        ("`flaky` (2x): FAIL again", True, ""),
        ("`Bash rm -rf /`", False, "refused"),
        ("`make lint`: error: E501", True, ""),
        ("`make test`: 1 failed", False, "passes since an edit of a.py"),
    ]


def test_what_the_user_stopped_is_told_with_their_words():
    """That it was the user, and their words, count only where the record says so; a hook or a command may print the same."""
    said = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nkeep it simple"
    found = gather_work(
        told(
            [
                human("go"),
                Call("1", "Edit", turns.EDIT, path="/w/a.py", pairs=(("x", "y"),)),
                Result("1", said, failed=True, refused=True),
                *run("2", "curl evil.example", said, failed=True),
                Call("3", "Edit", turns.EDIT, path="/w/b.py", pairs=(("x", "y"),)),
                Result("3", said, failed=True),
            ]
        )
    )
    assert [(one.text, one.note, one.holds) for one in found.refusals] == [
        ("Edit b.py", "", False),
        ("Edit a.py", "keep it simple", True),
    ]
    assert found.changes == found.rules == ()


def test_a_way_that_failed_comes_with_the_one_that_worked():
    """The successor must not try the first one again."""
    found = gather_work(
        told(
            [
                human("go"),
                *run("1", "rtk bun run test", "error: unrecognized subcommand 'bun'", failed=True),
                *run("2", "bun run test", "3 passed"),
            ]
        )
    )
    assert [(one.text, one.holds, one.note) for one in found.errors] == [
        ("`rtk bun run test`: error: unrecognized subcommand 'bun'", False, "then `bun run test` worked")
    ]


@pytest.mark.parametrize(
    ("failed", "other"),
    [
        ("go test ./cli -run TestOne 2>&1", "go test ./cli -run TestTwo 2>&1"),
        ("brew install bfg", "brew install git-filter-repo"),
    ],
)
def test_another_thing_that_worked_is_no_cure(failed, other):
    """Other tests, another package: what failed has still failed."""
    found = gather_work(told([human("go"), *run("1", failed, "FAIL: no", failed=True), *run("2", other, "ok")]))
    assert [(one.holds, one.note) for one in found.errors] == [(True, "")]


def test_an_error_that_went_away_by_itself_says_so():
    """Nothing was edited in between."""
    found = gather_work(told([human("go"), *run("1", "x", "FAIL", failed=True), *run("2", "x", "ok")]))
    assert [one.note for one in found.errors] == ["worked later"]


def test_work_in_flight_is_the_last_announcement_and_what_got_no_answer():
    """Only since the user last spoke; background work until its second result."""
    started = run("b", "serve", "started", background=True)
    ended = (*run("d", "build", "started", background=True), Result("d", "over"))
    found = gather_work(
        told(
            [human("old"), Call("lost", "Bash", turns.RUN, text="old one")],
            [human("go"), agent("Now the tests."), *started, *ended, Call("c", "Bash", turns.RUN, text="make")],
        )
    )
    assert [(one.text, one.note) for one in found.in_flight] == [("Now the tests.", ""), ("Bash make", "no answer yet")]
    assert [one.text for one in found.background] == ["Bash serve"]


def test_the_last_steps_are_told_in_words():
    """Oldest first, the same step in a row once, with what came of a command; bookkeeping is no step."""
    search = Call("s", "Grep", turns.SEARCH, text="needle")
    list_ = Call("t", "TodoWrite", turns.TODOS, pairs=(("x", "pending"),))
    read = Call("r", "Read", turns.READ, path="/w/a.py")
    edits = (*edit("e", "/w/a.py", "x", "x\n\n  y = 1"), *edit("f", "/w/b.py", "x", ""))
    found = gather_work(
        told(
            [
                human("go"),
                run("old", "ls")[0],
                read,
                read,
                search,
                list_,
                *edits,
                *run("c", "make test", "1 failed", failed=True),
            ]
        )
    )
    assert [(one.text, one.note, one.holds) for one in found.last_steps] == [
        ("read a.py", "", True),
        ("searched `needle` in .", "", True),
        ("edited a.py: `y = 1`", "", True),
        ("edited b.py", "", True),
        ("ran `make test`", "1 failed", False),
    ]
    whole = gather_work(
        told(
            [
                human("go"),
                Call("w", "Write", turns.WRITE, path="/w/a.py"),
                Call("d", "Task", turns.DELEGATE, text="look"),
            ]
        )
    )
    assert [one.text for one in whole.last_steps] == ["wrote a.py", "delegated: look"]


def test_commits_and_addresses_are_kept():
    """What one cannot guess again, newest first."""
    commit = run("g", "git commit -m 'Fix it'", "[main 1f3a9c2] Fix it\n 1 file changed")
    found = gather_work(told([human("see https://example.org/issues/7."), *commit]))
    assert [one.text for one in found.refs] == ["commit 1f3a9c2 on main: Fix it", "https://example.org/issues/7"]


def test_the_newest_plan_and_summary_are_kept():
    """A refused plan is none; a boundary alone is not a compaction that was summarised."""
    plans = [
        Call("p", "ExitPlanMode", turns.PLAN, text="1. old"),
        Result("p", "ok"),
        Call("q", "ExitPlanMode", turns.PLAN, text="no"),
        Result("q", "no", failed=True),
    ]
    ends = [
        Said(turns.SUMMARY, "first"),
        Boundary("auto", 5),
        Said(turns.SUMMARY, "second"),
        Said(turns.INTERRUPTED, "x"),
        Said(turns.THINKING, "hm"),
    ]
    found = gather_work(told([human("go"), *plans, *ends]))
    assert found.plan is not None
    assert (found.plan.text, found.summary, found.compactions) == ("1. old", "second", 2)


def test_what_is_named_often_and_lately_weighs_more():
    """Recency and repetition are what predicts that a name is needed again."""
    filler = [agent("Nothing to see here.") for _ in range(40)]
    found = gather_work(
        told(
            [
                human("go"),
                agent("old_name"),
                *filler,
                agent("new_name"),
                agent("often_name"),
                agent("often_name new_name"),
                agent("often_name"),
            ]
        )
    )
    assert found.weights["often_name"] > found.weights["new_name"] > found.weights["old_name"]


def test_a_long_transcript_is_not_held():
    """Outputs beyond the newest ones are let go while reading; failures and short ones stay."""
    calls = [run(str(n), f"c{n}", f"{n} " * 500, failed=n == 1) for n in range(NEWEST_RESULTS + 3)]
    found = gather_work(told([human("go"), *(step for pair in calls for step in pair), Result("unknown", "x")]))
    assert len(found.commands) == NEWEST_RESULTS + 3
    assert found.errors[0].text.startswith("`c1`")


def test_an_old_call_is_remembered_for_what_was_worked_on():
    """Its text is let go, the file and the functions are known all the same; a command stays word for word."""
    long = "def written():\n" + "    x = 1\n" * 900
    old = [
        *edit("e", "/w/a.py", "    a = 1", "    a = 2", before="def around():\n    a = 1\n"),
        Call("w", "Write", turns.WRITE, path="/w/b.py", text=long, arguments={"content": long}),
        *run("r", "make old", "1 passed"),
    ]
    newer = [step for n in range(NEWEST_CALLS) for step in run(str(n), "ls")]
    conversation = Conversation(told([human("go"), *old, *newer]))
    assert [(act.call.text, act.call.pairs, act.call.arguments) for act in conversation.acts[:3]] == [
        ("", (), {}),
        ("", (), {}),
        ("make old", (), {}),
    ]
    found = gather_work(told([human("go"), *old, *newer]))
    assert {file.path: file.symbols for file in found.files} == {"b.py": ("written",), "a.py": ("around",)}


def test_what_was_written_is_let_go_by_its_length_too():
    """A few calls can write more than many."""
    wrote = [Call(str(n), "Write", turns.WRITE, path=f"/{n}.py", text="x" * 150_000) for n in range(5)]
    conversation = Conversation(told([human("go"), *wrote]))
    assert [len(act.call.text) for act in conversation.acts] == [0, 0, 0, 150_000, 150_000]


def test_of_old_words_the_last_ones_stay():
    """They are what a later correction answers."""
    conversation = Conversation(
        told([human("go"), *(agent(f"{n} " + "so " * 300 + f"end {n}") for n in range(NEWEST_WORDS + 1))])
    )
    assert [len(text) > 900 for _, text in conversation.agent] == [False] + [True] * NEWEST_WORDS
    assert conversation.agent[0][1].endswith("so end 0")


def test_a_long_result_is_held_by_its_ends():
    """What it began with and how it ended; the id is the call's own."""
    conversation = Conversation(told([human("go"), *run("1", "make", "first\n" + "x" * 50_000 + "\nlast")]))
    said = conversation.acts[0].said
    assert said.startswith("first\n")
    assert said.endswith("\nlast")
    assert len(said) < 10_000
    assert conversation.acts[0].result.left_out > 40_000


STEPS = st.one_of(
    st.builds(Said, st.sampled_from(turns.SPEAKERS), st.text(max_size=60), st.booleans()),
    st.builds(
        Call,
        st.sampled_from("abc"),
        st.text(max_size=5),
        st.sampled_from(turns.KINDS),
        st.text(max_size=20),
        st.text(max_size=60),
        st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=2).map(tuple),
        st.text(max_size=9),
        st.booleans(),
        st.dictionaries(st.text(max_size=5), st.text(max_size=9) | st.integers() | st.lists(st.none()), max_size=2),
    ),
    st.builds(Result, st.sampled_from("abc"), st.text(max_size=60), st.booleans(), st.text(max_size=30)),
    st.builds(Boundary, st.text(max_size=5)),
)


@settings(deadline=None)
@given(st.lists(st.lists(STEPS, max_size=8), max_size=4))
def test_any_turns_have_a_digest(groups):
    """Nothing raises, what was asked is found, and it can be handed back within a budget."""
    found = gather_work(told(*groups))
    assert len(brief(found, budget=300, source="full")) <= 1200
    assert {ask.text for ask in found.asks} == {
        step.text.strip() for steps in groups for step in steps if isinstance(step, Said) and step.who == turns.HUMAN
    }


def test_a_correction_comes_with_what_it_replaced():
    """The agent's last words before it; an order that corrects nothing stands alone."""
    told = Turn(
        1,
        (
            human("Write the parser for the settings first. Never touch the lexer while you are there."),
            agent("I looked at both of the files. I will put the whole grammar into a YAML file."),
            human("No, use a table in the code instead of YAML."),
        ),
    )
    found = {rule.text: rule.note for rule in gather_work([told]).rules}
    assert found == {
        "Never touch the lexer while you are there.": "",
        "No, use a table in the code instead of YAML.": "I will put the whole grammar into a YAML file.",
    }


def test_a_rule_that_was_overruled_holds_no_more_and_stands_with_what_replaced_it():
    """Also far apart, and where neither of the two insists: the change itself is a rule."""
    found = gather_work(
        told(
            [human("Please don't push. Use yarn. Never touch the lexer by hand.")],
            [human("go on"), Boundary("auto"), Said(turns.SUMMARY, "They work.")],
            [human("ok you can push now"), human("Switch to pnpm")],
        )
    )
    assert [(rule.text, rule.holds, rule.instead_of) for rule in found.rules] == [
        ("Switch to pnpm", True, "Use yarn."),
        ("ok you can push now", True, "Please don't push."),
        ("Please don't push.", False, ""),
        ("Use yarn.", False, ""),
        ("Never touch the lexer by hand.", True, ""),
    ]
    assert [rule.note for rule in found.rules if not rule.holds] == ["ok you can push now", "Switch to pnpm"]
    text = brief(found, budget=600, source="compact")
    assert "“Switch to pnpm” (t3, instead of “Use yarn.”)" in text
    assert "“ok you can push now” (t3, instead of “Please don't push.”)" in text
    assert "“Please don't push.” (turn" not in text


def test_a_rule_of_which_only_a_part_was_overruled_is_told_with_what_overruled_it():
    """Both in their order with the turn: neither the rest of it is lost, nor does it stand alone."""
    found = gather_work(told([human("Don't push and never touch the tags.")], [human("you can push now")]))
    [rule] = [rule for rule in found.rules if rule.holds]
    assert (rule.text, rule.later) == ("Don't push and never touch the tags.", "“you can push now” (turn 2)")
    shown = "\n".join(one.text for one in items(found, 8_000, None) if one.section == "rules")
    assert shown == ("- “Don't push and never touch the tags.” (t1; later “you can push now” (turn 2))")
    assert "“Don't push and never touch the tags.” (turn 1), later “you can push now” (turn 2)" in steer(found)


def test_a_question_overrules_nothing():
    """Asking is not allowing."""
    found = gather_work(told([human("Please don't push.")], [human("you can push now, right?")]))
    assert [(rule.text, rule.holds) for rule in found.rules] == [("Please don't push.", True)]


def test_a_command_whose_shell_complained_only_seems_to_have_worked():
    """A part of it was never run, whatever its exit code says."""
    said = "Build completed\nzsh: command not found: grep"
    found = gather_work(told([human("go"), *run("1", "cargo build | grep error || echo Build completed", said)]))
    assert [one.text for one in found.errors] == [
        "`cargo build | grep error || echo Build completed`: seemed to work, but: zsh: command not found"
    ]


def test_a_prompt_that_was_typed_again_says_when_before():
    """Who asks twice was not content with the first answer."""
    found = gather_work(
        told([human("close the issues"), agent("All of them are closed.")], [human("close the issues")])
    )
    assert [(one.turn, one.earlier) for one in found.asks if one.earlier] == [(2, "also asked in turn 1")]
