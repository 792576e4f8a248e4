from __future__ import annotations

import pytest

from tapehead.statemachine.vocabulary import Phase
from tapehead.store import codec_light, upgrades
from tapehead.store.state import SCHEMA_VERSION


def test_every_older_version_has_one_function():
    """From each version before today's there is exactly one step to the next."""
    assert sorted(upgrades.UPGRADES) == list(range(SCHEMA_VERSION))


@pytest.mark.parametrize("version", range(SCHEMA_VERSION))
def test_what_an_older_version_wrote_says_so(version):
    """Its shape is today's, and its version is not: the next settle makes it again from the tape, with what that version did not know."""
    state = codec_light.structure(upgrades.upgrade({"session_id": "s", "schema_version": version, "step_count": 4}))
    assert state.step_count == 4
    assert state.schema_version < SCHEMA_VERSION


def test_an_unversioned_file_is_renamed():
    """A file of the family without a version keeps its values under today's names, and what is unknown stays."""
    old = {"session_id": "s", "last_interaction_time": None, "checkpoint_count": 4, "tty": "/dev/pts/1", "more": 1}
    state = codec_light.structure(upgrades.upgrade(old))
    assert (state.step_count, state.terminal, state.unknown) == (4, "/dev/pts/1", {"more": 1})
    assert old["tty"] == "/dev/pts/1"


def test_a_newer_version_passes_as_it_is():
    """What a newer program wrote is read as far as it is known, and its version is kept."""
    newer = {"session_id": "s", "schema_version": SCHEMA_VERSION + 5, "brand_new": {"deep": [1]}}
    state = codec_light.structure(upgrades.upgrade(newer))
    document = codec_light.unstructure(state)
    assert document["schema_version"] == SCHEMA_VERSION + 5
    assert document["brand_new"] == {"deep": [1]}


@pytest.mark.parametrize("phase", Phase)
def test_known_phases_are_read(phase):
    """Each word that we write, we read."""
    document = {"session_id": "s", "schema_version": 1, "phase": phase.value, "phase_before": phase.value}
    state = codec_light.structure(upgrades.upgrade(document))
    assert (state.phase, state.phase_before, state.phase_as_found) == (phase, phase, "")


def test_an_unknown_phase_is_idle_and_keeps_its_word():
    """A phase of tomorrow is read as idle, and its word is kept for doctor; so is the phase before it read as idle."""
    document = {"session_id": "s", "schema_version": 2, "phase": "dreaming", "phase_before": "dozing"}
    state = codec_light.structure(upgrades.upgrade(document))
    assert (state.phase, state.phase_before, state.phase_as_found) == (Phase.IDLE, Phase.IDLE, "dreaming")
    assert codec_light.unstructure(state)["phase_as_found"] == "dreaming"


def test_no_phase_is_idle():
    """A file without one is read as idle, and there is no word to keep."""
    state = codec_light.structure(upgrades.upgrade({"session_id": "s"}))
    assert (state.phase, state.phase_as_found) == (Phase.IDLE, "")


@pytest.mark.parametrize("version", [-1, "1", 1.0, True, None, []])
def test_a_version_that_never_was_is_refused(version):
    """A version is a whole number from 0 on."""
    with pytest.raises(ValueError, match="no version"):
        upgrades.upgrade({"session_id": "s", "schema_version": version})
