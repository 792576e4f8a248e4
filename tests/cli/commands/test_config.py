"""`tapehead config`."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys

import pytest

from tapehead.settings.setting_list import SETTINGS

TAPEHEAD = [sys.executable, "-c", "from tapehead.cli.main import main; main()"]


@pytest.fixture
def own(repository, monkeypatch):
    """The user's own file."""
    monkeypatch.delenv("XDG_CONFIG_HOME")
    return os.path.join(repository.home, ".config", "tapehead", "config.toml")


def written(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def test_it_lists_every_setting_with_where_it_comes_from(repository, own, monkeypatch):
    """Name, value, origin; the same as data."""
    repository.run("config", "set", "baton.ttl", "30m")
    monkeypatch.setenv("TAPEHEAD_STEER", "0")
    rows = {line.split()[0]: line.split()[1:3] for line in repository.run("config").stdout.splitlines()}
    assert rows.keys() - {"setting"} == SETTINGS.keys()
    assert rows["baton.ttl"] == ["30m", f"{repository.store}/config.toml:2"]
    assert rows["steer"] == ["false", "TAPEHEAD_STEER"]
    assert rows["restore.budget"] == ["2000", "default"]
    data = {row["name"]: row for row in repository.json("config", "list")}
    assert data == {row["name"]: row for row in repository.json("config")}
    assert data["baton.ttl"]["value"] == 1800.0
    assert data["restore.budget"]["origin"] is None


def test_get_prints_the_value_alone(repository):
    """For scripts."""
    assert repository.run("config", "get", "restore.budget").stdout == "2000\n"
    assert repository.run("config", "get", "baton.ttl").stdout == "1h\n"
    assert repository.json("config", "get", "restore.on_start")["value"] == "pointer"


def test_set_writes_the_project_or_the_user(repository, own):
    """The project's file is in its store and goes before the user's own; both are for their owner alone."""
    assert repository.run("config", "set", "--user", "restore.budget", "500").stdout == "restore.budget = 500\n"
    assert repository.run("config", "set", "restore.budget", "600").stdout == "restore.budget = 600\n"
    assert written(own) == "[restore]\nbudget = 500\n"
    project = os.path.join(repository.store, "config.toml")
    assert written(project) == "[restore]\nbudget = 600\n"
    assert {stat.S_IMODE(os.stat(path).st_mode) for path in (own, project)} == {0o600}
    assert repository.run("config", "unset", "restore.budget").stdout == "restore.budget = 500\n"
    assert repository.run("config", "path", "--user").stdout == own + "\n"
    assert repository.json("config", "path") == {"path": project, "exists": True}


def test_set_follows_a_link_and_keeps_the_rest(repository, own, tmp_path):
    """A file that lives elsewhere (dotfiles) is changed there, and its comments and mode stay."""
    target = tmp_path / "dotfiles.toml"
    target.write_text("# mine\nsteer = true # for now\n", encoding="utf-8")
    target.chmod(0o644)
    os.makedirs(os.path.dirname(own))
    os.symlink(target, own)
    assert repository.run("config", "set", "--user", "steer", "off").exit_code == 0
    assert os.path.islink(own)
    assert written(target) == "# mine\nsteer = false # for now\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o644


def test_it_says_so_where_the_environment_goes_first(repository, monkeypatch):
    """What was written does not hold, then."""
    monkeypatch.setenv("TAPEHEAD_STEER", "1")
    result = repository.run("config", "set", "steer", "false")
    assert result.stdout == "steer = true\n"
    assert "TAPEHEAD_STEER is set in the environment" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["get", "restore.buget"], "did you mean restore.budget?"),
        (["get", "zzz"], "`tapehead config` lists them"),
        (["set", "restore.budget", "many"], "allowed: a whole number from 1 on"),
        (["set", "restore.on_start", "all"], 'allowed: "full" or "pointer" or "off"'),
    ],
)
def test_a_mistake_is_named_with_what_to_do(repository, words, said):
    """Exit code 1, and nothing is written."""
    done = subprocess.run([*TAPEHEAD, "config", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert said in done.stderr
    assert not os.path.exists(os.path.join(repository.store, "config.toml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [("= 1", "correct the file first"), ("baton = 1", "change it by hand"), (b"\xff", "not UTF-8")],
)
def test_a_file_that_cannot_be_changed_is_left_alone(repository, text, said):
    """And said so."""
    path = os.path.join(repository.store, "config.toml")
    os.makedirs(repository.store)
    raw = text if isinstance(text, bytes) else text.encode()
    with open(path, "wb") as file:
        file.write(raw)
    done = subprocess.run([*TAPEHEAD, "config", "set", "baton.ttl", "2h"], capture_output=True, text=True, check=False)
    assert (done.returncode, said in done.stderr) == (1, True), done.stderr
    with open(path, "rb") as file:
        assert file.read() == raw


def test_names_are_completed(repository):
    """With the tab key."""
    env = {
        **os.environ,
        "_TAPEHEAD_COMPLETE": "bash_complete",
        "COMP_WORDS": "tapehead config get win",
        "COMP_CWORD": "3",
    }
    done = subprocess.run([*TAPEHEAD], env=env, capture_output=True, text=True, check=False)
    assert "window.reserve" in done.stdout
    assert "baton.ttl" not in done.stdout


def test_doctor_names_what_is_wrong_with_file_and_line(repository):
    """A warning each, with what is allowed."""
    os.makedirs(repository.store, 0o700)
    with open(os.path.join(repository.store, "config.toml"), "w", encoding="utf-8") as file:
        file.write("[baton]\nttl = 'soon'\nlife = 9\n")
    found = [
        each
        for each in json.loads(repository.run("doctor", "--json").stdout)["findings"]
        if each["check"] == "settings"
    ]
    path = os.path.join(repository.store, "config.toml")
    assert [each["what"] for each in found] == [
        f"{path}:2: baton.ttl cannot be 'soon'",
        f"{path}:3: no setting named baton.life",
    ]
    assert "such as" in found[0]["hint"]
    assert "soon" in repository.run("config").stderr


def test_a_list_is_taken_as_a_file_has_it(repository):
    """The form that the docs and the hint give is the form that is understood; what is neither is refused."""
    assert repository.run("config", "set", "checkpoints.mask", '["a b", "c"]').exit_code == 0
    assert repository.json("config", "get", "checkpoints.mask")["value"] == ["a b", "c"]
    assert repository.run("config", "set", "checkpoints.mask", "one,two").exit_code == 0
    assert repository.json("config", "get", "checkpoints.mask")["value"] == ["one", "two"]
    result = repository.run("config", "set", "checkpoints.mask", "[a, b]")
    assert result.exit_code == 1
    assert 'such as ["one", "two"]' in result.stderr


def test_a_duration_is_shown_as_people_write_it(repository):
    """What was set is what is shown; data has seconds for value and default alike."""
    for written in ("30m", "1h30m", "90s", "1.5s", "2d", "0s", "250ms"):
        assert repository.run("config", "set", "baton.ttl", written).stdout == f"baton.ttl = {written}\n"
    row = repository.json("config", "get", "baton.ttl")
    assert (row["value"], row["default"]) == (0.25, 3600.0)


@pytest.mark.parametrize("words", [("restore.budget", "-1"), ("--user", "restore.budget", "-1")])
def test_a_negative_number_is_a_value_and_no_option(repository, own, words):
    """It is refused for what it is, with what is allowed."""
    result = repository.run("config", "set", *words)
    assert "restore.budget can't be '-1'" in result.stderr
    assert "from 1 on" in result.stderr
    assert "No such option" in repository.run("config", "set", "restore.budget", "--usr").stderr


def test_a_value_that_another_level_goes_before_is_said(repository):
    """What was set in the user's own file does not hold where the project's says otherwise."""
    assert "overrides" not in repository.run("config", "set", "baton.ttl", "10m", "--user").stderr
    repository.run("config", "set", "baton.ttl", "20m")
    result = repository.run("config", "set", "baton.ttl", "30m", "--user")
    assert result.stdout == "baton.ttl = 20m\n"
    assert "overrides it here" in result.stderr
    assert "overrides" not in repository.run("config", "set", "baton.ttl", "40m").stderr


def test_a_setting_of_a_former_version(repository):
    """Whoever sets it by its old name is told the new one."""
    told = repository.run("config", "set", "inherit.far", "none")
    assert told.exit_code != 0
    assert "restore.on_start" in f"{told.output} {told.exception!r}"
