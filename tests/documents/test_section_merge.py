"""Our sections, written again and again, and a user's edits in between."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tapehead.documents.section_merge import (
    Record,
    Standing,
    apart,
    by_the_user,
    join_sections,
    merge_sections,
    renew_sections,
    whole,
)

LINES = st.lists(st.sampled_from([f"- line {n}" for n in range(8)]), unique=True, max_size=6)
OWN = st.lists(st.sampled_from([f"- mine {n}" for n in range(6)]), unique=True, max_size=4).map(sorted)
TITLES = ("Task", "Worklog")
NEW = st.fixed_dictionaries(dict.fromkeys(TITLES, LINES))


def body(text, title="Task"):
    return Standing(text).body(title)


def test_a_new_file_has_the_sections_in_their_order():
    """One below the other, and what stood in the file before stays above them."""
    text, _ = merge_sections("# My own\n\nwords", Record(), {"Task": ["- a"], "Worklog": []})
    assert text == "# My own\n\nwords\n\n## Task\n\n- a\n\n## Worklog\n\n"


@given(NEW, NEW)
def test_without_a_person_it_says_what_is_known(first, second):
    """Whatever was written before, the sections hold the new lines and nothing else, and writing twice changes nothing."""
    text, record = merge_sections("", Record(), first)
    text, record = merge_sections(text, record, second)
    assert {title: body(text, title) for title in TITLES} == second
    assert merge_sections(text, record, second)[0] == text
    assert by_the_user(text, record, TITLES) == {}


def versions(*news):
    """As the notes are: whatever else is in a version, one line of it was in none before."""
    return [{"Task": new["Task"], "Worklog": [*new["Worklog"], f"- version {n}"]} for n, new in enumerate(news)]


@given(NEW, NEW, NEW, OWN, st.lists(st.integers(0, 99), min_size=4, max_size=4))
def test_what_a_person_writes_stays(first, second, third, own, places):
    """Wherever they put their lines, every one of them is there after two more versions, once, and known as theirs."""
    first, second, third = versions(first, second, third)
    text, record = merge_sections("", Record(), first)
    lines = text.split("\n")
    start, room = lines.index("## Task") + 1, lines.index("## Worklog") - lines.index("## Task")
    for shift, (place, line) in enumerate(zip(sorted(place % room for place in places), own, strict=False)):
        lines.insert(start + place + shift, line)
    text = "\n".join(lines)
    for new in (second, third):
        text, record = merge_sections(text, record, new)
        assert sorted(line for line in body(text) if line in own) == own
        assert [line for line in body(text) if line not in own and line] == new["Task"]
        assert sorted(by_the_user(text, record, TITLES).get("Task", [])) == own


@given(NEW, NEW, NEW, st.sets(st.integers(0, 7)))
def test_what_a_person_takes_out_does_not_come_back(first, second, third, numbers):
    """Not in the next version and not in the one after; everything else is there."""
    first, second, third = versions(first, second, third)
    text, record = merge_sections("", Record(), first)
    gone = [line for line in first["Task"] if int(line[-1]) in numbers]
    head, middle, tail = text.partition("## Worklog")
    text = "\n".join(line for line in head.split("\n") if line not in gone) + middle + tail
    for new in (second, third):
        text, record = merge_sections(text, record, new)
        assert body(text) == [line for line in new["Task"] if line not in gone]


def test_a_section_that_was_taken_out_stays_out():
    """With its heading gone, the user does not want it; the others are kept on."""
    text, record = merge_sections("", Record(), {"Task": ["- a"], "Worklog": ["- b"]})
    text = text.replace("## Task\n\n- a\n", "")
    text, record = merge_sections(text, record, {"Task": ["- c"], "Worklog": ["- d"]})
    assert (body(text), body(text, "Worklog")) == (None, ["- d"])


@given(NEW, NEW, NEW, st.booleans(), OWN)
def test_dying_between_the_record_and_the_file_costs_nothing(first, second, third, landed, own):
    """The record is written first. Whether the file followed or not, the next version is the same, with the user's lines in it."""
    text, record = merge_sections("", Record(), first)
    text = text.replace("## Task\n", "\n".join(["## Task", *own, ""]))
    after, record = merge_sections(text, record, second)
    text, _ = merge_sections(after if landed else text, record, third)
    assert [line for line in body(text) if line in own] == own
    ours = [line for line in body(text) if line.startswith("- line")]
    assert set(ours) <= set(third["Task"])
    if landed or set(second["Task"]) - set(first["Task"]):
        assert ours == third["Task"]


def test_windows_line_ends_and_other_headings_stay_as_they_are():
    """The file's own way of ending lines is kept; a heading that only begins like ours is the user's."""
    text, _ = merge_sections("## Task list of mine\r\n\r\n- x\r\n", Record(), {"Task": ["- a"]})
    assert text.count("\r\n") == text.count("\n")
    assert body(text, "Task list of mine") == ["- x"]
    assert body(text) == ["- a"]


@given(NEW, NEW, NEW, LINES)
def test_without_a_person_nothing_needs_merging(first, second, third, gone):
    """Where the file is as we left it, writing the new sections gives what merging them would have given."""
    first, second, third = versions(first, second, third)
    text, record = merge_sections("", Record(), first)
    taken_out = [line for line in gone if line not in first["Task"]]
    record = record._replace(dropped={"Task": taken_out, "Worklog": []})
    newest = {title: join_sections(lines) for title, lines in record.newest.items()}
    for new in (second, third):
        newest = renew_sections(whole(newest), newest, record.dropped, new)
        text, record = merge_sections(text, record, new)
        assert whole(newest).decode() == text
        assert apart(newest) == record.newest


@given(NEW, NEW, st.text("ab\n#- ", min_size=1), st.integers(0, 60))
def test_whatever_a_person_did_is_seen(first, second, words, place):
    """Any change at all, and the sections are merged."""
    text, record = merge_sections("", Record(), first)
    newest = {title: join_sections(lines) for title, lines in record.newest.items()}
    changed = text[:place] + words + text[place:]
    assert changed == text or renew_sections(changed.encode(), newest, {}, second) is None
