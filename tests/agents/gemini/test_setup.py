"""Whether Gemini runs our hooks: only in folders that the user trusts."""

import json

import pytest

from tapehead.agents.gemini import setup

TEXT = setup.ENTRIES.with_hooks(None, "/opt/bin/tapehead hook gemini")


@pytest.fixture
def told(tmp_path):
    project = tmp_path / "one" / "two"
    project.mkdir(parents=True)
    (tmp_path / ".gemini").mkdir()

    def complaints(rules, text=TEXT, **env):
        (tmp_path / ".gemini" / "trustedFolders.json").write_text(
            rules if isinstance(rules, str) else json.dumps(rules)
        )
        found = setup.complaints("settings.json", text, home=str(tmp_path), env=env, project=str(project))
        return [what for what, _hint in found]

    complaints.root = str(tmp_path)
    return complaints


def test_only_what_the_person_asked_for_means_a_compression():
    """The hook before one is asked for with a matcher: it would come before every answer."""
    groups = json.loads(TEXT)["hooks"]
    assert {event: group[0].get("matcher") for event, group in groups.items() if "matcher" in group[0]} == {
        "PreCompress": "manual"
    }
    assert {group[0]["hooks"][0]["timeout"] for group in groups.values()} == {10_000}


@pytest.mark.parametrize(
    ("rules", "trusted"),
    [
        ({"one/two": "TRUST_FOLDER"}, True),
        ({"one": "TRUST_FOLDER"}, True),
        ({"one/other": "TRUST_PARENT"}, True),
        ({"one": "TRUST_FOLDER", "one/two": "DO_NOT_TRUST"}, False),
        ({"one/two": "DO_NOT_TRUST"}, False),
        ({"elsewhere": "TRUST_FOLDER"}, False),
        ({}, False),
    ],
)
def test_trusted_folders(told, rules, trusted):
    """The nearest rule decides."""
    found = told({f"{told.root}/{path}": rule for path, rule in rules.items()})
    assert (found == []) == trusted
    assert trusted or "is not a trusted folder, so Gemini runs no hook there" in found[0]


def test_other_ways(told):
    """By the environment; where folders are not asked about; and a file that cannot be read trusts nobody."""
    assert told({}, GEMINI_CLI_TRUST_WORKSPACE="true") == []
    off = TEXT.replace("{", '{"security": {"folderTrust": {"enabled": false}},', 1)
    assert told({}, off) == []
    assert told("not JSON")
    assert told("[]")


def test_hooks_that_are_switched_off(told):
    """All of them, by the user's own settings."""
    off = TEXT.replace("{", '{"hooksConfig": {"enabled": false},', 1)
    assert "hooksConfig.enabled is false" in told({told.root: "TRUST_FOLDER"}, off)[0]


def test_where(tmp_path):
    """GEMINI_CLI_HOME is where its home is."""
    path = setup.settings_path("user", home="/h", env={"GEMINI_CLI_HOME": "/g"}, project="/p")
    assert path == "/g/.gemini/settings.json"
    assert "folders that you trust" in setup.to_do(path)
