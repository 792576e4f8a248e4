"""Where a setting comes from, and what becomes of a wrong one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.settings.key_lines import line_of
from tapehead.settings.loading import DEFAULTS, load
from tapehead.settings.setting_list import SETTINGS


@pytest.fixture
def files(tmp_path):
    """The two directories, with a config.toml in each that is asked for."""

    def made(project=None, user=None):
        for name, text in (("project", project), ("user", user)):
            (tmp_path / name).mkdir()
            if text is not None:
                (tmp_path / name / "config.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(tmp_path / "project"), str(tmp_path / "user")

    return made


def test_without_anything_the_defaults_hold(files):
    """Every setting has its default, comes from nowhere, and nobody complains."""
    found = load(*files(), {})
    assert {name: found.value(name) for name in SETTINGS} == {name: DEFAULTS.value(name) for name in SETTINGS}
    assert not any(found.origin(name) for name in SETTINGS)
    assert found.complaints == ()


def test_without_a_home_the_defaults_hold():
    """Empty names stand for directories that there are not; the working directory is not looked into."""
    with open("config.toml", "w", encoding="utf-8") as file:
        file.write("steer = false")
    assert load("", "", {}).flag("steer") is True


def test_the_environment_goes_before_the_project_before_the_user(files):
    """The first that says something counts, and the origin names it."""
    project, user = files('[restore]\nbudget = 2\n[baton]\nttl = "2m"', '[baton]\nttl = "3m"\n[memory]\nlimit = 3')
    found = load(project, user, {"TAPEHEAD_RESTORE_BUDGET": "1"})
    assert (found.number("restore.budget"), found.origin("restore.budget")) == (1, "TAPEHEAD_RESTORE_BUDGET")
    assert (found.seconds("baton.ttl"), found.origin("baton.ttl")) == (120.0, f"{project}/config.toml:4")
    assert (found.number("memory.limit"), found.origin("memory.limit")) == (3, f"{user}/config.toml:4")


def test_a_variable_may_say_the_opposite(files):
    """`TAPEHEAD_DISABLE_AUTO_HANDOFF=1` turns handoff.auto off, and 0 leaves it on."""
    where = files()
    assert load(*where, {"TAPEHEAD_DISABLE_AUTO_HANDOFF": "1"}).flag("handoff.auto") is False
    assert load(*where, {"TAPEHEAD_DISABLE_AUTO_HANDOFF": "0"}).flag("handoff.auto") is True
    assert load(*where, {"TAPEHEAD_DISABLE_AUTO_HANDOFF": " "}).origin("handoff.auto") == ""


def test_a_wrong_value_gives_way_to_the_next_source(files):
    """It is named with its file, its line and what is allowed; the user's own value serves, or the default."""
    project, user = files("# mine\n[restore]\nbudget = 'much'\n\n[window]\nerror = -1", "[restore]\nbudget = 5")
    found = load(project, user, {"TAPEHEAD_STEER": "perhaps"})
    assert found.number("restore.budget") == 5
    assert found.number("window.error") == 20_000
    assert found.flag("steer") is True
    assert [(wrong.where, wrong.what, wrong.hint) for wrong in found.complaints] == [
        (f"{project}/config.toml:3", "restore.budget cannot be 'much'", "allowed: a whole number from 1 on"),
        (f"{project}/config.toml:6", "window.error cannot be -1", "allowed: a whole number from 0 on"),
        ("TAPEHEAD_STEER", "'perhaps' is not a valid value", "allowed: true or false"),
    ]


def test_an_unknown_name_is_named(files):
    """With its line; a table where a value belongs is a wrong value."""
    project, user = files("[restore]\nbuget = 1\n[steer]\nx = 1\n[nothing.at.all]\nhere = 'x'")
    found = load(project, user, {})
    assert [(wrong.line, wrong.what) for wrong in found.complaints] == [
        (2, "no setting named restore.buget"),
        (3, "steer cannot be {'x': 1}"),
        (6, "no setting named nothing.at.all.here"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (b"steer = false\nbaton = =", 2, "not readable as TOML"),
        (b"steer = false\n# \xff", 2, "not UTF-8"),
        (b"x = " + b"[" * 50_000, 0, "nested too deeply"),
        (b"#" * (1 << 20) + b"#", 0, "larger than"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_complaint(files, text, line, what):
    """Nothing of it counts, and everything goes on."""
    project, user = files(text)
    found = load(project, user, {})
    assert found.flag("steer") is True
    (wrong,) = found.complaints
    assert what in wrong.what
    assert wrong.line in {line, 1}


def test_what_is_no_plain_file_is_not_opened(files):
    """A pipe in its place would let a hook wait for ever; a directory is a complaint too."""
    project, user = files()
    os.mkfifo(os.path.join(project, "config.toml"))
    os.mkdir(os.path.join(user, "config.toml"))
    found = load(project, user, {})
    assert [wrong.what.partition(":")[2] for wrong in found.complaints] == [
        " not a regular file; nothing of it counts",
        " not a regular file; nothing of it counts",
    ]


def test_a_value_is_asked_for_by_its_kind():
    """To ask for another is a mistake in the program, and said so."""
    assert DEFAULTS.text("restore.on_clear") == "full"
    for ask in (DEFAULTS.number, DEFAULTS.flag, DEFAULTS.seconds, DEFAULTS.texts):
        with pytest.raises(TypeError, match=r"restore\.on_clear is a choice"):
            ask("restore.on_clear")
    with pytest.raises(TypeError):
        DEFAULTS.text("steer")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('baton.ttl = "1h"', 1),
        ('\n[baton]\n# ttl = "2h"\nttl = "1h"', 4),
        ('[ "baton" ] # here\n"ttl" = "1h"', 2),
        ('baton = { ttl = "1h" }', 1),
        ("[memory]\nlimit = 1\n[baton]\n\n", 3),
        ("[memory]\nlimit = 1", 0),
    ],
)
def test_the_line_of_a_setting(text, line):
    """However it is written; where only what holds it can be found, that one's line."""
    assert line_of(text, "baton.ttl") == line


@given(text=st.text(), raw=st.binary())
def test_no_file_and_no_environment_breaks_a_hook(tmp_path_factory, text, raw):
    """Whatever they hold, load answers."""
    where = tmp_path_factory.mktemp("any")
    (where / "config.toml").write_bytes(raw)
    found = load(str(where), "", {row.variable: text for row in SETTINGS.values()})
    assert {name for name in SETTINGS if found.value(name) is not None} == set(SETTINGS)


@pytest.mark.parametrize("text", [None, "[baton]\nttl = 90\n[restore] # mine\nbudget = 1_000 # less\n"])
def test_without_a_file_or_with_a_plain_one_nothing_heavy_is_loaded(files, text):
    """Neither tomllib nor typing, which it needs, nor re."""
    project, _ = files(text)
    program = (
        f"import sys; from tapehead.settings.loading import load; load({project!r}, '/nowhere', {{}}).number('restore.budget');"
        "print(*sys.modules)"
    )
    # Whoever measures coverage loads more into every process.
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run([sys.executable, "-I", "-c", program], env=env, capture_output=True, text=True, check=True)
    assert not {"tomllib", "_typing", "re", "json", "datetime"} & set(done.stdout.split())


def test_a_setting_of_a_former_version_counts_and_says_its_new_name(tmp_path):
    """With the word that stands for the old one; a new line beside it goes first."""
    (tmp_path / "config.toml").write_text('[inherit]\nfar = "none"\nnear = "pointer"\n')
    found = load("", str(tmp_path), {})
    assert (found.text("restore.on_start"), found.text("restore.on_clear")) == ("off", "pointer")
    assert [one.hint for one in found.complaints] == [
        'write restore.on_start = "off"',
        'write restore.on_clear = "pointer"',
    ]
    (tmp_path / "config.toml").write_text('[restore]\non_start = "full"\n[inherit]\nfar = "none"\n')
    assert load("", str(tmp_path), {}).text("restore.on_start") == "full"
    (tmp_path / "config.toml").write_text("[inherit]\nfar = 3\n")
    found = load("", str(tmp_path), {})
    assert (found.text("restore.on_start"), len(found.complaints)) == ("pointer", 1)
