import os
import pwd
import tempfile

import scenes
from tapehead.engine import store_location


def test_the_real_home_is_out_of_reach(tmp_path):
    """Whatever asks for a home or a state directory is given one below the tests' own directory."""
    real = pwd.getpwuid(os.geteuid()).pw_dir
    home = os.path.expanduser("~")
    assert home != real
    for path in (home, os.environ["XDG_STATE_HOME"], store_location.state_home(os.environ)):
        assert path.startswith(tempfile.gettempdir())


def test_undoing_patches_does_not_open_the_door(monkeypatch):
    """A test that undoes its own patches stays away from home."""
    before = dict(os.environ)
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.undo()
    assert dict(os.environ) == before


def test_no_agent_leaks_in():
    """The machine that runs the tests may itself be inside an agent: no test hears of it."""
    ours = {name for name in os.environ if name.startswith(("TAPEHEAD_", "CLAUDE", "COPILOT_", "GEMINI_"))}
    assert not ours


def test_git_knows_who_commits(tmp_path):
    """A commit works without any configuration of the real user, and bears the tests' own name."""
    made = scenes.repository(tmp_path / "repo")
    assert scenes.git(made, "log", "-1", "--format=%an %ae") == "Author author@example.invalid"
    assert not scenes.git(made, "config", "--list", "--show-origin").count(os.path.join(os.sep, "etc"))
