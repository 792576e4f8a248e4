"""Prompts that the user took back leave no memory, no proposal and no task."""

import json

import pytest

from record import SESSION, Linked
from tapehead.agents.claude import transcript
from tapehead.memories.proposals import Rememberer
from tapehead.notes.gathering import gather_notes
from tapehead.notes.knowledge import Gathered
from tapehead.notes.rendering import sections
from tapehead.settings.loading import load
from tapehead.store.paths import Layout
from tapehead.store.state import State
from tapehead.work_record.work_record import gather_work

STANDS, GONE = "Always run the linter before a commit.", "Never use tabs in this project."
ASKED = "Remember that the harbour office closes in August."


class Remembering:
    """A session whose record grows, and what is taken from it for later ones."""

    def __init__(self, directory, how):
        self.directory = directory
        self.keeper = Rememberer(Layout(str(directory / "store")), load("", "", {"TAPEHEAD_REMEMBER_AUTO": how}))

    def look(self, record):
        path = record.write(self.directory)
        self.keeper.lately.clear()
        self.keeper.look_through(State(SESSION, agent="claude", transcript_path=str(path)))
        return self

    @property
    def proposed(self):
        return [one.words for one in self.keeper.proposals()]

    @property
    def remembered(self):
        return [memory.text for memory in self.keeper.shelf.memories()]


def talk(answered):
    """A prompt that stands; then two that will be taken back, answered before that or cancelled at once."""
    record = Linked().ask(STANDS).answer("I will.").ask(GONE)
    if answered:
        record.answer("No tabs.").ask(ASKED).answer("Noted.")
    return record


def taken_back(record):
    return record.ask("Fix the parser.", instead_of=GONE).answer("Fixed.")


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize("how", ["propose", "asked", "all"])
def test_no_proposal_and_no_memory_is_made_of_a_prompt_that_was_taken_back(tmp_path, how, answered):
    """Cancelled with Escape or left with /rewind, before anybody looked."""
    seen = Remembering(tmp_path, how).look(taken_back(talk(answered)))
    assert [*seen.proposed, *seen.remembered] == [STANDS]


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize("how", ["propose", "asked", "all"])
def test_what_was_proposed_or_saved_before_is_withdrawn(tmp_path, how, answered):
    """At the first look after the user took it back; what stands is untouched."""
    record = talk(answered)
    seen = Remembering(tmp_path, how).look(record)
    assert GONE in [*seen.proposed, *seen.remembered]
    seen.look(taken_back(record))
    assert [*seen.proposed, *seen.remembered] == [STANDS]


def test_what_the_user_accepted_or_wrote_on_stays(tmp_path):
    """A yes, or a hand that changed the text, counts more than the prompt that it came from."""
    record = talk(answered=True)
    seen = Remembering(tmp_path, "asked").look(record)
    seen.keeper.accept(next(one for one in seen.keeper.proposals() if one.words == GONE))
    [saved] = [memory for memory in seen.keeper.shelf.memories() if memory.said != GONE]
    seen.keeper.shelf.save(saved._replace(text=f"{saved.text}\n\nAnd in July."))
    seen.look(taken_back(record))
    assert sorted(text.partition("\n")[0] for text in seen.remembered) == sorted([GONE, saved.text])


def todo(record, *items):
    todos = [{"content": item, "status": "pending"} for item in items]
    return record.call("TodoWrite", "ok", todos=todos)


def listed():
    """A list in turn 1, another in turn 2, which is taken back."""
    record = Linked().ask("the first prompt")
    todo(record, "mend the sail").answer("One.").ask("never use tabs in it")
    todo(record, "burn the sail", "burn the mast").answer("Two.")
    return record.ask("fix the parser", instead_of="never use tabs in it").answer("Three.")


def tasks():
    """A task in turn 1, another in turn 2, which is taken back; the agent counts on."""
    record = (
        Linked().ask("the first prompt").call("TaskCreate", "Task #1 created", subject="mend the sail").answer("One.")
    )
    record.ask("never use tabs in it").call("TaskCreate", "Task #2 created", subject="burn the sail").answer("Two.")
    record.ask("fix the parser", instead_of="never use tabs in it").call(
        "TaskCreate", "Task #3 created", subject="caulk it"
    )
    return record.call("TaskUpdate", "ok", taskId="3", status="in_progress").answer("Three.")


@pytest.mark.parametrize(("made", "open_items"), [(listed, ["mend the sail"]), (tasks, ["mend the sail", "caulk it"])])
def test_a_task_list_is_as_it_was_before(tmp_path, made, open_items):
    """In the work record and in the notes, however the file was cut when they were kept; later tasks keep their numbers."""
    record = made()
    path = tmp_path / f"{SESSION}.jsonl"
    whole = b"\n".join(record.lines) + b"\n"
    path.write_bytes(whole)
    found = gather_work(transcript.read(str(path)).turns)
    statuses = ["pending", "in_progress"][: len(open_items)]
    assert [(fact.text, fact.note) for fact in found.todos if fact.holds] == [*zip(open_items, statuses, strict=True)]
    for end in range(len(record.lines) + 1):
        path.write_bytes(b"".join(line + b"\n" for line in record.lines[:end]))
        first = transcript.read(str(path))
        known = Gathered(**json.loads(json.dumps(gather_notes(Gathered(), first.turns)._asdict())))
        path.write_bytes(whole)
        known = gather_notes(known, transcript.read(str(path), first.offset).turns)
        shown = "\n".join(line for lines in sections(known).values() for line in lines)
        assert [
            item for item in ("mend the sail", "burn the sail", "burn the mast", "caulk it") if item in shown
        ] == open_items
        assert ("caulk it (in progress)" in shown) == (made is tasks), end
