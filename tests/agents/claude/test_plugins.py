"""Whether the plugin is on."""

import json

import pytest

from tapehead.agents.claude import plugins


@pytest.mark.parametrize(
    ("files", "on"),
    [
        ([], False),
        ([{}], False),
        ([{"enabledPlugins": {"tapehead@anywhere": True}}], True),
        ([{"enabledPlugins": {"tapehead@anywhere": True}}, {"enabledPlugins": {"tapehead@anywhere": False}}], False),
        ([{"enabledPlugins": {"tapehead@anywhere": False}}, {"enabledPlugins": {"tapehead@anywhere": True}}], True),
        ([{"enabledPlugins": {"tapehead@a": True}}, {"enabledPlugins": {"tapehead@b": False}}], True),
        ([{"enabledPlugins": {"tapehead-x@a": True, "x@tapehead": True}}], False),
        ([{"enabledPlugins": {"tapehead@a": "yes"}}, {"enabledPlugins": ["tapehead@a"]}, ["x"], "not JSON"], False),
    ],
)
def test_on_or_off(tmp_path, files, on):
    """A later file overrules an earlier one, plugin by plugin; what has another shape says nothing."""
    paths = [tmp_path / "missing.json"]
    for number, content in enumerate(files):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_text("{" if content == "not JSON" else json.dumps(content))
    assert plugins.is_on(map(str, paths)) is on


def test_a_folder_in_its_place_says_nothing(tmp_path):
    """Whatever lies there, the question is answered."""
    assert not plugins.is_on([str(tmp_path)])
