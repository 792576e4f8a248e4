"""Prompts without what was pasted into them."""

from tapehead.text.pastes import without_pastes


def test_a_few_lines_of_code_are_part_of_what_is_said():
    """A command to verify with stays in the prompt."""
    prompt = "Verify it:\n```bash\nmise run fmt\nmise run test:ci\n```\nThen stop."
    assert without_pastes(prompt) == "Verify it:\n`mise run fmt`\n`mise run test:ci`\nThen stop."


def test_long_code_and_logs_are_a_remark():
    """What a machine wrote, and a block of many lines, are counted and left out."""
    block = "```\n" + "\n".join(f"line {n}" for n in range(9)) + "\n```"
    assert without_pastes(f"See:\n{block}\nfix it") == "See:\n[pasted: 11 lines]\nfix it"
    log = "\n".join(f"2026-01-01T10:00:0{n} INFO x" for n in range(2))
    assert without_pastes(f"It says\n{log}\nwhy?") == "It says\n[pasted: 2 lines]\nwhy?"
