"""What is not worth remembering across sessions, because it can be read elsewhere, and goes stale here. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.memories import likeness

if TYPE_CHECKING:
    from collections.abc import Iterable

_PATH = r"(?:[\w.-]+/)+[\w.-]+|\b[\w-]+\.(?:py|ts|tsx|js|jsx|go|rs|java|kt|rb|c|h|cc|cpp|cs|php|swift|sh|sql|toml|yaml|yml)\b"
_ADDRESS = re.compile(r"\w+://\S+")
_CODE = re.compile(
    rf"^(?:the |our )?(?:(?:function|class|method|module|struct|table|endpoint|file|type|enum|interface|constant)s? )?[`\w.:/()-]+\s+"
    rf"(?:is|are|lives?|sits?) (?:now )?(?:defined|implemented|declared|located|in|at|inside|under)\b.*(?:{_PATH})|"
    rf"(?:{_PATH})[`]?\s+(?:defines|contains|implements|exports|imports|holds|handles|parses|calls)\b",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    r"\bcommits? [0-9a-f]{7,40}\b|"
    r"\b(?:was|were) (?:merged|committed|reverted|rebased|pushed|changed|added|removed) (?:in|by|on|yesterday|today)\b|"
    r"\b(?:merged|closed) (?:the )?(?:pr|pull request|mr|merge request) ?#?\d+",
    re.IGNORECASE,
)
_RECIPE = re.compile(
    r"\b(?:the (?:bug|fix|problem|error|crash|failure) (?:was|is caused by|came from|went away)|(?:i|we|it was) (?:fixed|solved|debugged)\b|"
    r"fixed (?:it |this |that |the )?(?:\w+ )?by (?:\w+ing)\b|to (?:fix|debug|reproduce|diagnose)(?: \w+){0,4},? (?:add|remove|run|change|restart|delete|set|attach|step|look)\b)",
    re.IGNORECASE,
)
_REASONS = (
    (_CODE, "the code says it, and changes"),
    (_HISTORY, "`git log` says it"),
    (_RECIPE, "the fix is in the code, and its commit tells why"),
)


def why_not(text: str, instructions: Iterable[str] = ()) -> str:
    """Why a text should not be remembered; nothing where it may."""
    if any(likeness.contained(text, line) for line in instructions):
        return "the project's own instructions (CLAUDE.md or AGENTS.md) say it already"
    bare = _ADDRESS.sub("", text)
    return next((reason for pattern, reason in _REASONS if pattern.search(bare)), "")
