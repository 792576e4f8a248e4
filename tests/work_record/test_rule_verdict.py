"""What becomes of a rule after later words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.work_record.rule_verdict import GONE, STANDS, TOUCHED, UNSURE, is_question, verdict

PAIRS = [
    ("Never use tabs.", "actually tabs are fine, use them", GONE),
    ("Do not touch legacy.py.", "forget what I said about legacy.py", GONE),
    ("Use double quotes.", "Use single quotes.", GONE),
    ("Use double quotes for strings.", "actually, use single quotes for strings", GONE),
    ("Don't touch legacy.py.", "You can touch legacy.py now.", GONE),
    ("Don't touch legacy.py", "ok, go ahead and edit legacy.py", GONE),
    ("Never push to main.", "you may push to main", GONE),
    ("Never commit without signing.", "unsigned commits are fine from now on, forget the signing rule", GONE),
    ("Always run the linter.", "Don't run the linter any more.", GONE),
    ("Always run the linter.", "no need to run the linter", GONE),
    ("Always use npm.", "Switch to pnpm.", GONE),
    ("Use npm for this project.", "use pnpm instead of npm", GONE),
    ("Use sqlite.", "let's go with postgresql instead", GONE),
    ("Keep lines below 100 letters.", "keep lines below 120 letters", GONE),
    ("Limit the retries to 3.", "Limit the retries to 5.", GONE),
    ("Set the timeout to 30 seconds.", "set the timeout to 60 seconds", GONE),
    ("Do not add dependencies.", "adding dependencies is ok after all", GONE),
    ("Never amend commits.", "I changed my mind about amending commits, do it", GONE),
    ("Avoid mocks in the tests.", "mocks are fine in the tests", GONE),
    ("Don't write comments.", "comments are allowed now", GONE),
    ("Answer in German.", "Answer in English from now on.", GONE),
    ("Don't use emojis.", "emojis are okay", GONE),
    ("Never rebase.", "you can rebase now", GONE),
    ("Always write tests first.", "forget about the tests first rule", GONE),
    ("Only use the standard library.", "scrap the standard library rule", GONE),
    ("Don't change the public API.", "Feel free to change the public API.", GONE),
    ("Stop asking for confirmation.", "ask for confirmation again", GONE),
    ("Use camelCase.", "Actually use snake_case.", GONE),
    ("Use pip.", "Use uv.", GONE),
    ("Make the replies short.", "make the replies detailed please", GONE),
    ("Use tabs.", "Use spaces instead.", GONE),
    ("No force pushes, never.", "a force push is okay now", GONE),
    ("Never use tabs.", "Scrap the no-tabs rule", GONE),
    ("Never use tabs.", "Tabs it is, then.", GONE),
    ("Do not touch legacy.py.", "legacy.py is no longer off limits", GONE),
    ("Do not touch legacy.py.", "The freeze on legacy.py is over.", GONE),
    ("Do not touch legacy.py.", "legacy.py is fair game now", GONE),
    ("Don't add new dependencies.", "Adding a dependency is no problem.", GONE),
    ("Don't add new dependencies.", "I take back what I said about dependencies", GONE),
    ("Don't add new dependencies.", "the dependency restriction is lifted", GONE),
    ("Don't use mocks in tests.", "My no-mocks rule was silly, ignore it.", GONE),
    ("Don't use emojis.", "bring back the emojis", GONE),
    ("Always use yarn.", "yarn is gone, it's npm now", GONE),
    ("Always use tabs.", "spaces, not tabs", GONE),
    ("Always use tabs.", "I changed my mind: spaces.", GONE),
    ("Never commit without asking me.", "you don't have to ask before committing any more", GONE),
    ("Never use tabs.", "tabs are back", GONE),
    ("Do not touch legacy.py.", "legacy.py is open for edits", GONE),
    ("Do not touch legacy.py.", "what I said on legacy.py no longer counts", GONE),
    ("Do not touch legacy.py.", "unfreeze legacy.py", GONE),
    ("Don't use mocks.", "I withdraw the mocks rule", GONE),
    # The words leave room: both are told.
    ("Always run the tests.", "tests can wait", UNSURE),
    ("Always run the tests.", "skip the tests", UNSURE),
    ("Always run the tests.", "don't bother with the tests", UNSURE),
    ("Don't push.", "push it", UNSURE),
    ("Never rebase.", "rebase it", UNSURE),
    ("Use yarn.", "drop yarn, take npm", UNSURE),
    ("Always use type hints.", "type hints are optional", UNSURE),
    ("Always use type hints.", "forget the type hints", UNSURE),
    ("Always sign commits.", "leave commits unsigned", UNSURE),
    ("Always run the tests.", "the tests are slow", TOUCHED),
    ("Never use tabs.", "fix the tabs component", TOUCHED),
    ("Never commit without asking me.", "just commit, no need to ask me", UNSURE),
    ("Always run the full test suite before committing.", "no need for the full test suite any more", UNSURE),
    ("Always run the full test suite before committing.", "Skip the test suite from now on", UNSURE),
    ("Must support Python 3.8.", "Python 3.8 support is not needed any longer", GONE),
    ("Must support Python 3.8.", "we dropped Python 3.8, 3.11 is the minimum", UNSURE),
    ("Do not touch legacy.py.", "update legacy.py to the new interface", UNSURE),
    ("Never push to main.", "push it to main just this once", UNSURE),
    ("Always run the whole test suite.", "don't run the whole suite this time", UNSURE),
    ("Don't use tabs.", "scratch that", UNSURE),
    ("Never deploy on Fridays.", "never mind", UNSURE),
    ("Don't add dependencies.", "forget what I said", UNSURE),
    ("Use double quotes.", "Use single quotes in the SQL files.", UNSURE),
    ("Never delete migrations.", "remove the old migrations", UNSURE),
    ("Don't commit to this branch.", "commit it to this branch", UNSURE),
    ("Never run the benchmarks.", "run the benchmarks", UNSURE),
    ("Do not edit generated.py.", "fix the typo in generated.py", UNSURE),
    ("Use npm.", "use yarn for the docs site", UNSURE),
    # Other words about the same are told beside it, and words about something else are not.
    ("Never use tabs.", "There are still tabs in main.c, remove them", TOUCHED),
    ("Do not touch legacy.py.", "The tests of legacy.py fail, look at the caller", TOUCHED),
    ("Always run the full test suite before committing.", "the test suite is slow, make it faster", TOUCHED),
    ("Never commit without asking me.", "ask me before you commit", TOUCHED),
    ("Never use tabs.", "Never use tabs.", STANDS),
    ("Never use tabs.", "fix the parser", STANDS),
    ("Never use tabs.", "why did you never use tabs?", STANDS),
    ("Never use tabs.", "are tabs fine here?", STANDS),
    ("Never use tabs.", "and never use semicolons", STANDS),
    ("Do not touch legacy.py.", "do not touch setup.py either", STANDS),
    ("Do not touch legacy.py.", "you can edit parser.py", STANDS),
    ("Do not touch legacy.py.", "legacy.py has 300 lines", TOUCHED),
    ("Always run the tests.", "the tests pass", TOUCHED),
    ("Always run the tests.", "always run the linter too", STANDS),
    ("Never push to main.", "merge main into my branch", TOUCHED),
    ("Never push to main.", "push the branch", TOUCHED),
    ("Use double quotes.", "use the new parser", STANDS),
    ("Use double quotes.", "please use double quotes everywhere", TOUCHED),
    ("Keep lines below 100 letters.", "there are 120 lines in it", TOUCHED),
    ("Don't add dependencies.", "forget about the typo in the README", STANDS),
    ("Don't add dependencies.", "thanks, that is fine", STANDS),
    ("Prefer composition over inheritance.", "ok, go on", STANDS),
    ("Never commit secrets.", "commit the parser", TOUCHED),
    ("Always sign commits.", "sign it and push", TOUCHED),
    ("Don't use emojis.", "don't worry about the emojis", TOUCHED),
    ("Never log passwords.", "never log tokens", TOUCHED),
    ("Never touch the database.", "drop the old column from the database model", UNSURE),
    ("Always run the tests.", "ignore the failing test for a moment", TOUCHED),
    ("Never rename the columns.", "undo the rename of the branch", UNSURE),
    ("add a comment to #91 so we don't forget", "ok let's move to #91, it has merge conflicts with main", UNSURE),
    (
        "there should be no user in the metadata",
        "this should be the same user who creates the commit in the other repository",
        TOUCHED,
    ),
]


@pytest.mark.parametrize(("rule", "later", "expected"), PAIRS)
def test_what_becomes_of_a_rule(rule, later, expected):
    """Taken back, it is gone; where the words leave room or touch it, both are told; other words leave it alone."""
    assert verdict(rule, later) == expected


def test_the_table_is_long_enough():
    """Sixty pairs, and some of each kind."""
    assert len(PAIRS) >= 60
    assert min(sum(pair[2] == kind for pair in PAIRS) for kind in (GONE, UNSURE, TOUCHED, STANDS)) >= 12


@pytest.mark.parametrize("later", ["light theme", "8080 it is", "numpy is okay", "we moved to pnpm"])
def test_words_that_name_nothing_of_it_are_about_the_last_rule(later):
    """A choice without a verb, and the tone of taking back: only right after it."""
    assert verdict("Always use the blue door.", later, near=True) == TOUCHED
    assert verdict("Always use the blue door.", later) == STANDS


@pytest.mark.parametrize(
    "later", ["continue", "ok, go on", "thanks, that is fine", "please continue", "1", "yes", "fix the parser"]
)
def test_going_on_touches_no_rule(later):
    """Nor does other work."""
    assert verdict("Never use tabs.", later, near=True) == STANDS


def test_a_request_in_the_form_of_a_question_is_none():
    """It takes back as any other."""
    assert is_question("are tabs fine here?")
    assert not is_question("Can you use tabs again?")
    assert verdict("Never use tabs.", "can you use tabs again?") in (UNSURE, GONE)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_words_get_an_answer(rule, later):
    """Nothing that somebody says makes it fail, and the same words again take nothing back."""
    assert verdict(rule, later) in (GONE, UNSURE, TOUCHED, STANDS)
    assert verdict(rule, rule) == STANDS
