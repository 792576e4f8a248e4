"""Payloads in, events and facts out; text in, what the host reads out: the same for every agent."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import EACH, HEARD, PAYLOADS, env, payload, whose

from tapehead.agents.hook_event import NotOurs
from tapehead.agents.registry import AGENTS, HOSTS
from tapehead.agents.setups import setup_of
from tapehead.statemachine.vocabulary import Event, Fact

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
hosts = pytest.mark.parametrize("host", HOSTS)
UNSAID = {"copilot": {Event.SESSION_START}, "kiro": {Event.COMPACTION, Event.SESSION_STOP}}
"""What an agent does not say, or not in time: its record tells (`untold`), or the process that is gone."""
CLEARING = ("claude", "codex", "gemini", "droid", "qwen")
"""The agents that say when the user began anew; elsewhere the new session is known by its process."""


def _nested(hook, context, person):
    said = {"systemMessage": person} if person else {}
    return said | ({"hookSpecificOutput": {"hookEventName": hook, "additionalContext": context}} if context else {})


SAID = {
    "copilot": lambda _hook, context, _person: {"additionalContext": context} if context else None,
    "cursor": lambda _hook, context, _person: {"additional_context": context} if context else None,
    "kiro": lambda _hook, context, _person: context or None,
    "opencode": lambda _hook, context, person: {"person": person} | ({"context": context} if context else {}),
}
"""What an agent reads as meant, where it is not as with most: by the hook, the words for the model, and those for the user."""

PLAIN = ("kiro",)
"""The agents that take plain words."""


@pytest.mark.parametrize(("host", "kind"), EACH)
def test_what_is_heard(host, kind):
    """Of every payload that the real client was seen to send: the event or the note, the facts, the fields."""
    sent = payload(host, kind)
    found = AGENTS[host].heard(sent, env(host, kind))
    expected = HEARD[host][kind]
    assert (found.host, found.session_id, found.hook) == (host, whose(host, sent), sent["hook_event_name"])
    assert ((found.event.value if found.event else None), found.note, found.facts) == (
        expected["event"],
        expected["note"],
        expected["facts"],
    )
    is_named = sent.get("transcript_path") and not expected.get("names_another_record")
    told = {"transcript_path": sent["transcript_path"]} if is_named else {}
    assert found.data == {**told, **expected["data"]}


@hosts
def test_the_whole_machine_is_fed(host):
    """From what is recorded come a start, a turn, a compaction and an end, and the facts that tell them apart."""
    told = HEARD[host].values()
    wanted = {Event.SESSION_START, Event.TURN_START, Event.TURN_END, Event.COMPACTION, Event.SESSION_STOP}
    assert {event.value for event in wanted - UNSAID.get(host, set())} <= {each["event"] for each in told}
    assert (Fact.CLEARED.value in {fact for each in told for fact in each["facts"]}) == (host in CLEARING)


@hosts
def test_what_is_installed_is_what_is_understood(host):
    """No hook is asked for that nobody reads, and none is read in vain."""
    assert sorted(AGENTS[host].HOOKS) == sorted(setup_of(host).ENTRIES.events)
    assert host == AGENTS[host].HOST


@pytest.mark.parametrize(("host", "kind"), EACH)
def test_nobody_elses(host, kind):
    """A payload that reaches another agent's hook is known as not its own: several read each other's settings."""
    for other in set(HOSTS) - {host}:
        with pytest.raises(NotOurs, match="sent by"):
            AGENTS[other].heard(payload(host, kind), env(host, kind))


@given(st.sampled_from(EACH), st.data())
def test_mutations(one, data):
    """Whatever is missing or strange in a payload: it is heard as the session's own, or refused; nothing else."""
    host, kind = one
    sent = payload(host, kind)
    for name in data.draw(st.lists(st.sampled_from(sorted(sent)), max_size=4)):
        sent[name] = data.draw(junk)
    for name in data.draw(st.lists(st.sampled_from(sorted(sent)), max_size=3)):
        sent.pop(name, None)
    try:
        found = AGENTS[host].heard(sent, env(host, kind))
    except NotOurs:
        return
    assert found.session_id == whose(host, sent) or (host == "kiro" and found.session_id.startswith("kiro-"))
    assert found.event or found.note
    json.dumps(found.data)
    assert AGENTS[host].directory(sent, env(host, kind)) in ("", "/home/me/project", sent.get("cwd"))


@hosts
@given(junk)
def test_junk(host, sent):
    """What is no payload at all is refused."""
    with pytest.raises(NotOurs):
        AGENTS[host].heard(sent, {})
    assert not AGENTS[host].directory(sent, {})


@hosts
def test_where_it_belongs(host):
    """In the project, as a whole path; a path that cannot be one is none."""
    kind = next(iter(PAYLOADS[host]))
    assert AGENTS[host].directory(payload(host, kind), env(host, kind)) == "/home/me/project"
    for odd in ("", "relative", "/a\0b", "/" + "x" * 5000, None, 3, "/\ud800"):
        assert AGENTS[host].directory({"cwd": odd}, {}) == ""


@hosts
def test_what_is_printed(host):
    """Text for the model in JSON, under the hook's own name, where that hook carries it; and for the user beside it."""
    agent = AGENTS[host]
    for hook in agent.HOOKS:
        printed = agent.reply(hook, "so far <x>", "", "mind")
        if agent.carries_context(hook):
            expected = SAID.get(host, _nested)
            read = (lambda said: said or None) if host in PLAIN else (lambda said: json.loads(said or "null"))
            assert read(printed) == expected(hook, "so far <x>", "mind")
            assert read(agent.reply(hook, "", "", "mind")) == expected(hook, "", "mind")
        else:
            assert "so far" not in printed
    assert any(map(agent.carries_context, agent.HOOKS))


@hosts
def test_silence(host):
    """Where there is nothing to say, nothing is printed: not even an empty object."""
    assert {AGENTS[host].reply(hook, "", "", "") for hook in AGENTS[host].HOOKS} == {""}


@hosts
def test_the_summariser(host):
    """It is told something only where it listens, and then in plain words."""
    agent = AGENTS[host]
    for hook in agent.HOOKS:
        assert agent.reply(hook, "", "keep x", "") == ("keep x" if agent.carries_steer(hook) else "")


@hosts
@given(st.text(max_size=60))
def test_sizes(host, text):
    """What counts against the limit is never less than the letters, so a text that fits is not cut."""
    assert AGENTS[host].size(text) >= len(text)
    assert AGENTS[host].LIMIT >= 2_000


@hosts
def test_every_event_is_known_without_a_record(host):
    """A hook that finds no transcript and no tape still says what happened."""
    kind = next(kind for kind, told in HEARD[host].items() if told["event"] == "turn_end")
    found = AGENTS[host].heard(payload(host, kind), env(host, kind))
    assert AGENTS[host].untold(found, lambda: b"") == []
