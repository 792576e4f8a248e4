"""Which words of a `user` message are the user's own."""

import pytest

from tapehead.agents.codex import prompts


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /home/me/project\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
        "<user_instructions>\n\nx\n\n</user_instructions>",
        "  <environment_context>\n</environment_context>",
        "<ENVIRONMENT_CONTEXT>x</ENVIRONMENT_CONTEXT>",
        "<subagent_notification>\n{}\n</subagent_notification>",
        "<skill>\n<name>a</name>\n</skill>",
        "<user_action>\n<context>review</context>\n</user_action>",
        "<external_ide>x</external_ide>",
        "Warning: apply_patch was requested via exec_command",
    ],
)
def test_what_the_host_says_in_the_persons_name_is_not_theirs(text):
    """In versions that do not say what a text is, it is known by how it begins."""
    assert prompts.whose(text) == prompts.HOST


@pytest.mark.parametrize(
    ("text", "kind", "who"),
    [
        ("<environment_context> is what I mean", "user.text", prompts.PERSON),
        ("remember the milk", "agents_md.instructions", prompts.HOST),
        ("remember the milk", "hooks.additional_context", prompts.HOOK),
        ("remember the milk", "unknown", prompts.PERSON),
        ("<environment_context>x", "unknown", prompts.HOST),
        ('<hook_prompt hook_run_id="stop:1">go on</hook_prompt>', "", prompts.HOOK),
        ("<turn_aborted>\n</turn_aborted>", "", prompts.ABORTED),
        ("why is <environment_context> there?", "", prompts.PERSON),
    ],
)
def test_where_the_host_says_what_a_text_is_that_counts(text, kind, who):
    """Newer versions write it beside the text; only `unknown` leaves it to us."""
    assert prompts.whose(text, kind) == who


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  fix it\n", "fix it"),
        ("# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nfix it\n", "fix it"),
        (
            "# Files mentioned by the user:\n\n## My request for Codex:\n\n",
            "# Files mentioned by the user:\n\n## My request for Codex:",
        ),
        (
            "<user_shell_command>\n<command>\nls -l\n</command>\n<result>\nx\n</result>\n</user_shell_command>",
            "! ls -l",
        ),
        ("<image name=[Image #1]>", ""),
        ("</image>", ""),
    ],
)
def test_a_persons_words_come_without_what_was_put_around_them(text, words):
    """Where nothing else is left, what an editor attached is what was asked."""
    assert prompts.own_words(text) == words
