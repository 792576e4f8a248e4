"""What costs room and tells a successor nothing, or tells it wrongly: excerpts in the shape of real ones, from the record to the text."""

import pytest

from tapehead.brief.brief import brief
from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.commands import only_looks
from tapehead.work_record.sentences import unwrap_lines
from tapehead.work_record.work_record import gather_work


def human(text):
    return Said(turns.HUMAN, text)


def agent(text):
    return Said(turns.AGENT, text)


def ran(ident, command, said, *, failed=False):
    return Call(ident, "Bash", turns.RUN, text=command), Result(ident, said, failed=failed)


def work(*told):
    return gather_work([Turn(n + 1, tuple(steps), cwd="/w", session="s") for n, steps in enumerate(told)])


def text_of(*told, budget=2000):
    return brief(work(*told), budget=budget, source="compact")


def findings(*said):
    return [one.text for one in work((human("go"), *map(agent, said))).findings]


@pytest.mark.parametrize(
    "step",
    [
        "Now update the repository to serialize the plan data.",
        "Now I have the full context of the parser.",
        "Now remove the `chunkArray` helper and the batch loop.",
        "Next, add the field to the two call sites.",
        "Run tests once more to confirm everything still passes.",
        "I think I see the issue now in the reader.",
        "## New Tests Added (289 lines) today",
        "**What Was Installed & Configured Here**",
    ],
)
def test_steps_and_headings_are_no_findings(step):
    """What was about to be done is over, and a heading says nothing without what stands below it."""
    assert findings(step, "The lexer drops the last token of a line.") == ["The lexer drops the last token of a line."]


@pytest.mark.parametrize(
    "kept",
    [
        "CONFIRMED BUG - `claude.go:46` looks in the wrong directory",
        "Now the validators live in `checkpoint`, because `session` imports it.",
        "Run the tests with `go test ./strategy -run TestOrphaned`.",
    ],
)
def test_what_only_looks_like_one_is_kept(kept):
    """A heading that names the place, a result that begins with now, a command to run."""
    assert findings(f"### {kept}" if kept.startswith("CONFIRMED") else kept) == [kept]


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("The mock returns nothing for `post`.", "I think the mock returns nothing for `post`."),
        ("The `id` object has a `record_id` property.", "Good, the `id` object has a `record_id` field."),
        ("The `time` field is set at the start.", "The `time` import is now unused."),
        ("Old sessions won't be read in the new pipeline.", "They won't be read in the new pipeline."),
    ],
)
def test_guesses_confirmations_and_pointers_are_worth_less(more, less):
    """A guess may have been wrong, a confirmed guess was said before, and `they` stands for what another sentence names."""
    found = work((human("go"), agent(more), agent(less), agent("All of it is in place by now."))).findings
    assert found[0].worth > found[1].worth


def test_a_greeting_is_not_cut_through_a_flag():
    """The words behind `I see` go on up to a stop, not up to the first dash."""
    assert findings("I can see that init.go has a `--wizard` flag that calls a missing function.") == []
    assert findings("I see. The init command has a `--wizard` flag.") == ["The init command has a `--wizard` flag."]


def test_broken_lines_are_joined_and_code_stays_apart():
    """A message that was wrapped to a width: no sentence ends in the middle. Lists and fences are no continuation."""
    wrapped = "Rejected a `bool` fallback stub for `include_warnings` because no\nIn-repo caller passes a variable.\n- a list\n- of two"
    assert unwrap_lines(wrapped).splitlines() == [
        "Rejected a `bool` fallback stub for `include_warnings` because no In-repo caller passes a variable.",
        "- a list",
        "- of two",
    ]
    fenced = "Everybody must clone the repository again after this\n```bash\necho again\n```\nThen it works."
    assert unwrap_lines(fenced) == fenced


@pytest.mark.parametrize(
    ("command", "looks"),
    [
        ("ls -ld logs transcripts", True),
        ("git -C /srv/x log --oneline | head -5", True),
        ("cd src && grep -rn token . | sort | uniq -c", True),
        ("git fsck --full; git remote -v", True),
        ("git commit -m x", False),
        ("sed -i s/a/b/ x.py", False),
        ("cat a > b", False),
        ("grep x a 2>/dev/null", True),
        ("ls && make", False),
    ],
)
def test_commands_that_only_look(command, looks):
    """Every part of them: one that writes or runs something is more."""
    assert only_looks(command) is looks


def test_a_look_that_found_nothing_is_no_open_failure():
    """That something is not there, the agent has seen."""
    told = text_of(
        (
            human("clean the history"),
            *ran("1", "which bfg", "bfg not found", failed=True),
            *ran("2", "git check-ignore -v logs", "", failed=True),
            *ran("3", "bfg --strip-blobs", "Error: cannot open the pack", failed=True),
        ),
    )
    assert "cannot open the pack" in told
    assert "which bfg" not in told
    assert "check-ignore" not in told.partition("## Failed")[2]


def test_a_commit_that_went_through_another_way_is_told():
    """The hook that stopped it, and that it was passed by: a successor meets that hook again."""
    told = text_of(
        (
            human("commit it"),
            *ran(
                "1",
                'git add a.ts && git commit -m "Fix"',
                "AssertionError: expected undefined to be defined",
                failed=True,
            ),
            *ran("2", 'git commit --no-verify -m "Fix"', "[main 1f3a9c2] Fix"),
        )
    )
    assert "expected undefined to be defined (then `git commit --no-verify" in told


def test_a_test_that_passes_when_called_otherwise_is_not_open():
    """The same name, from another directory."""
    told = text_of(
        (
            human("move the ids"),
            *ran("1", "go test ./session -run TestStableID", "session_test.go:4:2: undefined: id", failed=True),
            *ran("2", "cd session && go test -v -run TestStableID", "ok  session 0.4s"),
        )
    )
    assert "(then `go test -v -run TestStableID` worked)" in told
    assert "(open)" not in told


def test_a_refusal_by_a_hook_comes_with_its_reason():
    """The first line only announces it."""
    told = text_of(
        (
            human("remove it"),
            *ran(
                "1",
                "rm -f x.js",
                "Bash operation blocked by hook:\n- pre_tool_use.py: BLOCKED: Dangerous rm command",
                failed=True,
            ),
        )
    )
    assert "BLOCKED: Dangerous rm command" in told


def test_an_older_run_that_went_badly_is_not_told_beside_a_newer_one():
    """Two outcomes of the same check contradict each other."""
    told = text_of(
        (
            human("make the tests pass"),
            *ran(
                "1",
                "npm run test:offline | grep -E 'FAIL|PASS'",
                "\u00d7 regression.test.ts > should create the record",
            ),
            *ran("2", "npm run test:offline", "Tests 13 passed (13)"),
        )
    )
    assert "Tests 13 passed (13)" in told
    assert "should create the record" not in told.partition("## Commands")[2]


def test_a_line_that_was_only_aligned_anew_is_no_change():
    """The field that came is the change."""
    pairs = (
        ("\tPath string // where it is", "\tPath       string // where it is\n\tWorktreeID string // whose it is"),
    )
    steps = Call("1", "Edit", turns.EDIT, path="/w/state.go", pairs=pairs), Result("1", "ok")
    told = text_of((human("add the id"), *steps))
    assert "+ `WorktreeID string // whose it is`" in told


def test_lists_of_names_do_not_fill_the_room():
    """A short session gives a short brief, with its prompts and last words whole, and not a list of all that was seen."""
    source = "\n".join(f"func computeLaneNumber{n}(laneIndex{n} int) sessionLane{n} {{" for n in range(400))
    seen = [
        step
        for n in range(8)
        for step in (Call(f"{n}", "Read", turns.READ, path=f"/w/list/view{n}.go"), Result(f"{n}", source))
    ]
    prompt = (
        "Remove the vertical session line. " + "It takes three columns of the list, and nobody reads it there. " * 20
    )
    told = text_of((human(prompt), *seen, agent("The lanes are drawn in computeLaneNumber7 of view7.go.")))
    assert len(told.partition("## Names")[2].partition("##")[0]) < 1000
    assert prompt.strip() in told


def test_a_reply_is_told_with_what_it_decides():
    """Under its turn, with the option or the proposal."""
    told = text_of(
        (human("keep the ids apart"), agent("1. **`session/` package**, which owns the files\n2. A new package")),
        (
            human("1"),
            agent("Moved. Shall the validators move to `checkpoint` too, so that nothing is imported in a circle?"),
        ),
        (human("yes please"), agent("Done.")),
        (human("now run the tests"),),
    )
    assert "- t2 “1”, that is “`session/` package, which owns the files”" in told
    assert (
        "- t3 “yes please”, to “Shall the validators move to `checkpoint` too, so that nothing is imported in a circle?”"
        in told
    )


def test_thinking_and_the_host_s_words_are_not_told():
    """A model may think aloud in its words, and an agent adds its own to what a subagent said."""
    told = text_of(
        (
            human("look for helpers"),
            Call("1", "Task", turns.DELEGATE, text="look"),
            Result(
                "1",
                "`OpenRepository` is used in nine places because every strategy opens it.\nagentId: a3bb68d (for resuming to continue this agent's work)",
            ),
            agent("<thinking>\nThe tools fail, so I use the shell.\n</thinking>\n\nNine helpers are there already."),
        )
    )
    assert "“Nine helpers are there already.”" in told
    assert "used in nine places" in told
    assert "agentId" not in told
