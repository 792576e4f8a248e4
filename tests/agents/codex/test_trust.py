"""Whether Codex runs our hooks: what the user trusted, by the agent's own fingerprint."""

import json

import pytest

from tapehead.agents.codex import setup, trust
from tapehead.agents.hook_entries import InstalledHook

COMMAND = "/opt/bin/tapehead hook codex"
TEXT = setup.ENTRIES.with_hooks(None, COMMAND)


def config(tmp_path, text):
    path = tmp_path / "config.toml"
    path.write_text(text)
    return {"home": str(tmp_path), "env": {"CODEX_HOME": str(tmp_path)}, "project": "/home/me/project"}


def trusted(path, text=TEXT):
    """What the agent writes when the user trusts all."""
    words = {"SessionStart": "session_start", "UserPromptSubmit": "user_prompt_submit", "Stop": "stop"}
    words |= {"PreCompact": "pre_compact", "PostCompact": "post_compact", "SessionEnd": "session_end"}
    words |= {"PermissionRequest": "permission_request"}
    return "".join(
        f'[hooks.state."{path}:{words[hook.event]}:{hook.index}:{hook.handler}"]\n'
        f'trusted_hash = "{trust.fingerprint(text, hook)}"\n'
        for hook in setup.ENTRIES.hooks_of_ours(text)
    )


def test_the_fingerprint_is_the_hosts():
    """As Codex 0.166.0 wrote it into its own config.toml for these very hooks."""
    text = setup.ENTRIES.with_hooks(None, "/tmp/wt/bin/tapehead hook codex")
    found = {hook.event: trust.fingerprint(text, hook) for hook in setup.ENTRIES.hooks_of_ours(text)}
    canonical = b'{"event_name":"stop","hooks":[{"async":false,"command":"/tmp/wt/bin/tapehead hook codex","timeout":10,"type":"command"}]}'
    from hashlib import sha256

    assert found["Stop"] == "sha256:" + sha256(canonical).hexdigest()
    assert len(set(found.values())) == len(setup.EVENTS)


def test_defaults_are_filled_in():
    """What an entry leaves out is the agent's default, and an end is never given more than three seconds."""

    def of(event, **handler):
        text = json.dumps({"hooks": {event: [{"matcher": "x", "hooks": [{"command": COMMAND, **handler}]}]}})
        return trust.fingerprint(text, InstalledHook(event, COMMAND, 0))

    assert of("Stop") == of("Stop", timeout=600, **{"async": False})
    assert of("SessionEnd") == of("SessionEnd", timeout=1) != of("SessionEnd", timeout=3)
    assert of("SessionEnd", timeout=30) == of("SessionEnd", timeout=3)
    assert of("Stop", statusMessage="hm") != of("Stop")


def test_new_trusted_changed_and_off(tmp_path):
    """Each is said in its own words, with what to do; where all is trusted, nothing is."""
    path = str(tmp_path / "hooks.json")
    [(what, how)] = setup.complaints(path, TEXT, **config(tmp_path, ""))
    assert what.startswith("not trusted, so Codex does not run them: SessionStart, ")
    assert "Trust all and continue" in how
    assert setup.complaints(path, TEXT, **config(tmp_path, trusted(path))) == []
    changed = TEXT.replace('"timeout": 3', '"timeout": 2')
    [(what, _)] = setup.complaints(path, changed, **config(tmp_path, trusted(path)))
    assert what == "changed since they were trusted, so Codex does not run them: SessionEnd"
    off = trusted(path).replace("trusted_hash", "enabled = false\ntrusted_hash", 1)
    [(what, _)] = setup.complaints(path, TEXT, **config(tmp_path, off))
    assert what == "switched off in Codex: SessionStart"


def test_behind_another_tools_group(tmp_path):
    """Where an entry stands is part of what is trusted: one that moved is new."""
    path = str(tmp_path / "hooks.json")
    moved = json.loads(TEXT)
    moved["hooks"]["Stop"].insert(0, {"hooks": [{"type": "command", "command": "theirs"}]})
    [(what, _)] = setup.complaints(path, json.dumps(moved), **config(tmp_path, trusted(path)))
    assert what.endswith("run them: Stop")


@pytest.mark.parametrize(
    ("text", "words"),
    [("[", "config.toml can't be read"), ("[features]\nhooks = false\n", "switched off in config.toml")],
)
def test_a_config_that_says_nothing_of_trust(tmp_path, text, words):
    """One that cannot be read, and one that switches all hooks off."""
    [(what, _)] = setup.complaints("/x/hooks.json", TEXT, **config(tmp_path, text))
    assert words in what


def test_strange_shapes(tmp_path):
    """Tables where there should be none, and none where there should be one."""
    for text in ("hooks = 3", 'hooks.state = "x"', "features = []", 'hooks.state."a:b" = 1'):
        assert setup.complaints("/x/hooks.json", TEXT, **config(tmp_path, text))


def test_without_a_config(tmp_path):
    """Nothing is trusted yet."""
    assert setup.complaints("/x", TEXT, home=str(tmp_path), env={}, project="/home/me/project")
    assert setup.to_do("/x").startswith("Codex runs new hooks only after you trust them: ")
