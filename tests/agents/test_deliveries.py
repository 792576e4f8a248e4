"""What the records of Codex and Gemini say that the model got."""

import chats
import rollouts

from tapehead.agents.codex import delivery as codex
from tapehead.agents.gemini import delivery as gemini

STORY = "tapehead: a -> b, List<int> & more"


def test_codex(tmp_path):
    """What hooks said, and no other word to the developer; where nothing says what a text is, any of them may be a hook's."""
    said = [
        rollouts.message("developer", "be brief", kinds=["permissions"]),
        rollouts.message("developer", STORY, kinds=["hooks.additional_context"]),
        rollouts.message("developer", "unmarked"),
        rollouts.person("the developer", kinds=["user.text"]),
    ]
    path = rollouts.written(tmp_path / rollouts.NAME, [*rollouts.paginated(), *said, b'{"role":"developer"', b"[]"])
    assert list(codex.received(path)) == ["the door is red", STORY, "unmarked"]


def test_gemini(tmp_path):
    """As it was before the agent escaped it, and as it stands; the user's words are none of it."""
    escaped = STORY.replace("<", "&lt;").replace(">", "&gt;")
    prompt = chats.message("user", "u9", [{"text": "go on"}, {"text": f"<hook_context>{escaped}</hook_context>"}])
    path = chats.written(
        tmp_path / chats.NAME, [*chats.lines(), prompt, chats.agent("m", "<hook_context>x</hook_context>")]
    )
    assert list(gemini.received(path)) == [STORY, escaped]
