"""`tapehead config allow` and `deny`: who may name a command."""

import os

import pytest

EVIL = '[notes]\ncommand = "touch /evil"\n'


@pytest.fixture
def project(repository):
    """The project's file, as somebody else wrote it."""
    path = repository.run("config", "path").stdout.strip()
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(EVIL)
    return path


def value(repository):
    return repository.json("config", "get", "notes.command")["value"]


def test_allow_shows_what_it_allows_and_deny_takes_it_back(repository, project):
    """Before it nothing counts, and `config` and `doctor` say so with what to do; after a change it is asked again."""
    assert value(repository) == ""
    assert "tapehead config allow" in repository.run("config").stderr
    found = [each for each in repository.json("doctor")["findings"] if each["check"] == "settings"]
    assert "notes.command does not count" in found[0]["what"]
    assert "tapehead config allow" in found[0]["hint"]
    assert repository.run("config", "allow").stdout == 'notes.command = "touch /evil"\n'
    assert value(repository) == "touch /evil"
    with open(project, "a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert value(repository) == ""
    assert "was not allowed" in repository.run("config", "deny").stderr
    repository.run("config", "allow")
    assert "no longer allowed" in repository.run("config", "deny").stderr
    assert value(repository) == ""


def test_set_allows_what_the_user_writes_and_nothing_else(repository, project):
    """Into a file of the user's own making it counts at once; into one with a stranger's command neither counts."""
    result = repository.run("config", "set", "summarizer.command", "mine")
    assert "which you have not allowed" in result.stderr
    assert repository.json("config", "get", "summarizer.command")["value"] == value(repository) == ""
    os.unlink(project)
    repository.run("config", "set", "summarizer.command", "mine")
    repository.run("config", "set", "steer", "off")
    assert repository.json("config", "get", "summarizer.command")["value"] == "mine"
    repository.run("config", "unset", "summarizer.command")
    assert "sets nothing" in repository.run("config", "allow").stderr


def test_a_link_in_a_store_is_not_written_through(repository, project, tmp_path):
    """Where config.toml is a link, `set` refuses, and what it leads to stays as it was."""
    target = tmp_path / "bashrc"
    target.write_text("# mine\n")
    os.unlink(project)
    os.symlink(target, project)
    result = repository.run("config", "set", "steer", "off")
    assert result.exit_code != 0
    assert "not a regular file" in result.stderr
    assert target.read_text() == "# mine\n"
