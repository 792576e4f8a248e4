"""A saved state against its tape."""

from __future__ import annotations

import json
import os

import scenes
from tapehead.engine.replay import differences
from world import World


def test_what_a_newer_version_added_inside_an_object_is_no_difference(tmp_path, monkeypatch):
    """It is kept, and it is not ours to judge; a number of our own that is wrong is."""
    monkeypatch.setattr("tapehead.engine.hook._work", lambda *_: None)  # a worker would write the state anew
    world = World(scenes.repository(tmp_path / "repo"))
    world.session("one")
    path = os.path.join(world.layout.sessions, "one.json")
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    document["token_usage"]["of_the_future"] = {"x": [1]}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    assert differences(world.engine, "one") == {}
    document["token_usage"]["input"] += 1
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    assert list(differences(world.engine, "one")) == ["token_usage"]
