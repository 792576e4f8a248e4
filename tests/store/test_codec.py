"""Two doors between a State and JSON, and one truth: what holds of cattrs holds of the light one."""

from __future__ import annotations

import json
from datetime import UTC, timedelta, timezone

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tapehead.statemachine.vocabulary import Phase
from tapehead.store import codec, codec_light
from tapehead.store.state import Failure, PromptAttribution, State, TokenUsage, Waiting

INNER = (TokenUsage, Failure, PromptAttribution, Waiting)
FIELDS = {field.name for field in attrs.fields(State)} - {"unknown"}
ALL_FIELDS = FIELDS | {field.name for cls in INNER for field in attrs.fields(cls)} - {"unknown"}

zones = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), timezone(-timedelta(hours=9))])
times = st.datetimes(timezones=zones)
texts = st.text(max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
strangers = st.dictionaries(texts.filter(lambda name: name not in ALL_FIELDS), values, max_size=3)

BY_KIND = {
    "str": texts,
    "int": st.integers(),
    "bool": st.booleans(),
    "int | None": st.none() | st.integers(),
    "datetime | None": st.none() | times,
    "Phase": st.sampled_from(Phase),
    "tuple[str, ...]": st.lists(texts, max_size=3).map(tuple),
    "tuple[int, ...]": st.lists(st.integers(), max_size=3).map(tuple),
    "tuple[str, ...] | None": st.none() | st.lists(texts, max_size=3).map(tuple),
    "dict[str, int]": st.dictionaries(texts, st.integers(), max_size=3),
    "dict[str, Any]": strangers,
}


def made(cls):
    """Any value of a class, from its annotations."""
    return st.builds(cls, **{name: BY_KIND[kind] for name, kind in cls.__annotations__.items()})


for inner in INNER:
    BY_KIND[inner.__name__] = made(inner)
BY_KIND["dict[str, Failure]"] = st.dictionaries(texts, BY_KIND["Failure"], max_size=2)
BY_KIND["Waiting | None"] = st.none() | BY_KIND["Waiting"]
BY_KIND["PromptAttribution | None"] = st.none() | BY_KIND["PromptAttribution"]
BY_KIND["tuple[PromptAttribution, ...]"] = st.lists(BY_KIND["PromptAttribution"], max_size=2).map(tuple)
states = made(State)


@given(states)
def test_a_state_passes_either_door_unchanged(state):
    """Written by one and read by the other, through real JSON, every state is the same state."""
    written = codec.unstructure(state)
    assert codec_light.unstructure(state) == written
    document = json.loads(json.dumps(written))
    assert document == written
    assert codec.structure(document) == codec_light.structure(document) == state


def outcome(door, document):
    """The state that a door makes of a document, or that it refuses."""
    try:
        return door(document)
    except Exception:  # noqa: BLE001 - that it fails is what is compared
        return None


@given(states, st.data())
def test_the_doors_agree_on_damaged_documents(state, data):
    """With some fields replaced by anything at all, or missing, both doors refuse, or both give the same state."""
    document = codec.unstructure(state)
    for name in data.draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=3, unique=True)):
        document[name] = data.draw(values)
    for name in data.draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=2, unique=True)):
        document.pop(name)
    assert outcome(codec.structure, document) == outcome(codec_light.structure, document)


@given(st.sampled_from(sorted(FIELDS)), values)
@example("token_usage", [])
@example("token_usage", "")
@example("token_usage", {"input": True})
@example("failures", [["capture", {}]])
@example("prompt_attributions", {})
@example("phase", [])
def test_the_doors_agree_on_each_field(name, value):
    """Whatever stands in a single field, both doors say the same of it."""
    document = {"session_id": "s", name: value}
    assert outcome(codec.structure, document) == outcome(codec_light.structure, document)


@given(
    st.sampled_from(["token_usage", "pending_prompt_attribution"]),
    st.dictionaries(texts, values, max_size=3),
    st.data(),
)
def test_the_doors_agree_inside_an_object(name, inner, data):
    """The same for the objects within a state."""
    fields = sorted(field.name for cls in (TokenUsage, PromptAttribution) for field in attrs.fields(cls))
    inner[data.draw(st.sampled_from(fields))] = data.draw(values)
    document = {"session_id": "s", name: inner}
    assert outcome(codec.structure, document) == outcome(codec_light.structure, document)


@given(strangers)
def test_fields_of_a_newer_version_survive(strange):
    """What this version does not know is there again after a load and a save, through either door."""
    document = {**codec.unstructure(State("s")), **strange}
    for door in (codec, codec_light):
        assert door.unstructure(door.structure(document)) == document


@given(strangers)
def test_nested_fields_of_a_newer_version_survive(strange):
    """Also those inside the objects of a state."""
    state = State("s", waiting=Waiting(), failures={"capture": Failure()}, prompt_attributions=(PromptAttribution(),))
    document = codec.unstructure(state)
    for inner in (document["waiting"], document["failures"]["capture"], document["token_usage"]):
        inner.update(strange)
    document["prompt_attributions"][0].update(strange)
    for door in (codec, codec_light):
        assert door.unstructure(door.structure(document)) == document


def test_a_field_called_unknown_is_not_ours():
    """The place for strangers is itself no field of the file: one by that name is a stranger like any other."""
    for door in (codec, codec_light):
        state = door.structure({"session_id": "s", "unknown": 3})
        assert state.unknown == {"unknown": 3}
        assert door.unstructure(state)["unknown"] == 3


@pytest.mark.parametrize("door", [codec, codec_light])
@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("turn_number", True),
        ("turn_number", "1"),
        ("turn_number", 1.0),
        ("fully_condensed", 1),
        ("model", None),
        ("model", 4),
        ("files_touched", "letters"),
        ("files_touched", {"a": 1}),
        ("started_at", "2027-01-15T08:00:00"),
        ("started_at", "yesterday"),
        ("started_at", 1),
        ("phase", "asleep"),
        ("token_usage", []),
        ("token_usage", None),
        ("failures", []),
    ],
)
def test_nothing_is_guessed(door, field, wrong):
    """A number is not a text, true is not 1, a text is not a list, and a time has its zone: each is refused."""
    with pytest.raises(Exception, match=r".+"):
        door.structure({"session_id": "s", field: wrong})


def test_a_complaint_names_the_field():
    """A user is told which field is wrong and what was found there, and nothing where nothing is wrong."""
    assert "turn_number" in codec.complaint({"session_id": "s", "turn_number": "many"})
    assert "session_id" in codec.complaint({})
    assert codec.complaint({"session_id": "s"}) == ""
    assert codec.complaint([]) != ""
