"""`tapehead replay`."""

import json

STATE = "sessions/one.json"


def garble(repository, **changes):
    path = f"{repository.store}/{STATE}"
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**document, **changes}, file)


def test_a_tape_gives_its_state_again(repository):
    """Exit 0, and a count."""
    repository.session()
    result = repository.run("replay")
    assert (result.exit_code, result.stdout) == (0, "1 session verified, 0 mismatches\n")


def test_a_difference_is_shown_and_is_exit_1(repository):
    """A state that somebody changed is not what the tape gives."""
    repository.session()
    garble(repository, turn_number=7)
    result = repository.run("replay", "--session", "one")
    assert result.exit_code == 1
    assert "turn_number: saved 7, replayed 1" in result.stdout
    assert json.loads(repository.run("replay", "--json").stdout)["one"]["turn_number"] == {"saved": 7, "replayed": 1}


def test_what_a_newer_version_added_is_no_difference(repository):
    """Unknown fields are not ours to judge."""
    repository.session()
    garble(repository, from_the_future=1)
    assert repository.run("replay").exit_code == 0


def test_an_unreadable_state_differs_as_a_whole(repository):
    """Nothing can be compared, and that is said."""
    repository.session()
    garble(repository, turn_number="many")
    result = repository.run("replay")
    assert result.exit_code == 1
    assert "all of it" in result.stdout


def test_lines_that_are_not_read_yet_are_no_difference(repository):
    """Only the part of the tape that the state has read is compared."""
    repository.session()
    repository.hook("UserPromptSubmit", prompt="more")
    assert repository.run("replay").exit_code == 0


def test_a_tape_without_a_state_is_no_difference(repository):
    """Nothing was saved yet: nothing can be wrong."""
    repository.hook("UserPromptSubmit", prompt="more")
    assert repository.run("replay").exit_code == 0
