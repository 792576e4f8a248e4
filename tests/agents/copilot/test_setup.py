"""What keeps Copilot from running hooks."""

import pytest

from tapehead.agents.copilot import setup


@pytest.mark.parametrize(
    ("settings", "said"),
    [(None, 0), ("{}", 0), ('{"disableAllHooks": true}', 1), ('{"disableAllHooks": false}', 0), ("[", 0)],
)
def test_the_switch(tmp_path, settings, said):
    """In the user's settings, wherever those are; a file that cannot be read says nothing of it."""
    if settings is not None:
        (tmp_path / "settings.json").write_text(settings)
    found = setup.complaints("", "", home="/nowhere", env={"COPILOT_HOME": str(tmp_path)}, project="/work")
    assert ["disableAllHooks" in what for what, _ in found] == [True] * said
    assert setup.to_do("") == ""
