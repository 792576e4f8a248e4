"""The commits that the agent made, as git told them, and whether the last one was pushed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.facts import Commit
from tapehead.work_record.sentences import flat, unwrap_lines

if TYPE_CHECKING:
    from tapehead.work_record.step_row import Conversation

_MADE = re.compile(r"^\[(\S+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$", re.MULTILINE)
_HERE = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?\n(.*?)\n\s*\1\b", re.DOTALL)
_GIVEN = re.compile(r" (?:-m|--message)[ =]?(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)')")
_SAYS = re.compile(r"\w{2}")
_SIGNED = re.compile(
    r"(?:co-authored-by|signed-off-by|assisted-by|reviewed-by|change-id)\b|\W*generated (?:with|by)\b", re.IGNORECASE
)
_PUSHED = re.compile(r"->|up-to-date|set up to track")


def commits(conversation: Conversation) -> tuple[Commit, ...]:
    """Oldest first. Only what git itself said counts: a command that was run is no commit that was made."""
    found: list[Commit] = []
    for act in conversation.acts:
        if act.call.kind == turns.RUN and "commit" in act.call.text and not act.failed:
            place = act.place
            another = bool(found) and "(root-commit)" in act.said  # a first commit is made once in a repository
            made = [] if another or _is_elsewhere(act.call.text, conversation.cwd) else _MADE.findall(act.said)
            for branch, ident, subject in made:
                # Of several commits in one call nobody can tell whose words are whose.
                message = message_in(act.call.text) if len(made) == 1 else ""
                found.append(Commit(ident, branch, subject, place.turn, place.at, message))
    return tuple(found)


def _is_elsewhere(command: str, cwd: str) -> bool:
    """Whether a command works in a repository made for a trial: what is committed there is no work of the session's."""
    if "mktemp" in command:
        return True
    went = _WENT.match(command)
    there = f"{went[1].rstrip('/')}/" if went and cwd else ""
    return there.startswith(_SCRATCH) and not f"{cwd}/".startswith(there)


_WENT = re.compile(r"\s*cd\s+[\"']?(/[^\s\"';&]+)")
_SCRATCH = ("/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/", "/var/tmp/")  # noqa: S108 - a record's words, not files of ours


def message_in(command: str) -> str:
    """What the message of a commit says below its subject: the reasons. Who signed or wrote it is left out."""
    whole = _HERE.search(command)
    told = whole[2] if whole else "\n\n".join(one[0] or one[1] for one in _GIVEN.findall(command))
    _, _, body = unwrap_lines(told).strip().partition("\n")
    lines = (flat(line) for line in body.splitlines())
    kept = [line for line in lines if _SAYS.search(line) and not _SIGNED.match(line)]
    return _joined(kept)


def _joined(lines: list[str]) -> str:
    text = ""
    for line in lines:
        bare = line.removeprefix("- ").removeprefix("* ")
        text += f"{'' if not text else ' ' if text[-1] in '.:;!?' else '; '}{bare}"
    return text


def pushed_at(conversation: Conversation) -> int:
    """The step of the last push that went well, the one before it where what was committed in one call came later; 0 where there was none."""
    pushes = [
        act.place.at - (act.call.text.rfind("git commit") > act.call.text.rfind("git push"))
        for act in conversation.acts
        if act.call.kind == turns.RUN and "git push" in act.call.text and not act.failed and _PUSHED.search(act.said)
    ]
    return pushes[-1] if pushes else 0
