"""What Gemini's tools said: the words without the agent's own around them, and whether it went well."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.entries import dicts, entry_of, within, word

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

IMAGE = "[image]"
_FAILED = ("error", "cancelled")
_AROUND = re.compile(r"\A<untrusted_context>\n?(.*?)\n?</untrusted_context>\s*\Z", re.DOTALL)
_LABELS = r"(?:Command|Directory|Stdout|Stderr|Output|Error|Exit Code|Signal|Background PIDs|Process Group PGID)"
_LABELLED = re.compile(rf"^({_LABELS}): (.*?)(?=^{_LABELS}: |\Z)", re.DOTALL | re.MULTILINE)
_SAYS_NOTHING = ("(empty)", "(none)", "")
_SHELL = "run_shell_command"


def result(record: dict[str, Any]) -> turns.Result | None:
    """Tell what came back for a call; None where nothing has yet."""
    status = word(record, "status")
    found = list(responses(record.get("result")))
    if not found and status not in _FAILED:
        return None
    text, failed = "\n".join(text for _, text, _ in found), any(failed for _, _, failed in found)
    code = ""
    if word(record, "name") == _SHELL:
        text, code = _ran(text)
    text = _answers(text, within(record, "args")) if word(record, "name") == "ask_user" else text
    before = word(within(record, "resultDisplay"), "originalContent")
    return turns.Result(word(record, "id"), text, failed or status in _FAILED or code not in ("", "0"), before)


def responses(parts: Any) -> Iterator[tuple[str, str, bool]]:
    """Give what is in the parts of an answer, each with the call's id, and whether it is an error."""
    for part in parts if isinstance(parts, list) else [parts]:
        answer = within(part, "functionResponse")
        if answer:
            response = within(answer, "response")
            text = word(response, "output") or word(response, "error") or _as_json(response)
            yield word(answer, "id"), _bare(text), bool(response.get("error"))
        elif isinstance(part, str) or word(part, "text"):
            yield "", _bare(part if isinstance(part, str) else word(part, "text")), False
        elif within(part, "inlineData") or within(part, "fileData"):
            yield "", IMAGE, False


def _as_json(response: dict[str, Any]) -> str:
    try:
        return json.dumps(response, ensure_ascii=False) if response else ""
    except RecursionError:
        return ""


def _bare(text: str) -> str:
    around = _AROUND.match(text)
    return around[1] if around else text


def _ran(text: str) -> tuple[str, str]:
    """Take what the shell said apart: what was printed, and the exit code."""
    told = {label: said.strip("\n") for label, said in _LABELLED.findall(text)}
    code = told.get("Exit Code", "").strip()
    if "Output" not in told and "Stdout" not in told:
        return text, code
    printed = (told.get(label, "") for label in ("Stdout", "Output", "Stderr", "Error"))
    said = "\n".join(one for one in printed if one.strip() not in _SAYS_NOTHING)
    return (
        f"Exit code {code}\n{said}" if code.lstrip("-").isdigit() and code != "0" else said
    ), code if code != "(none)" else ""


def _answers(text: str, arguments: dict[str, Any]) -> str:
    """Give the user's answers, each with its question."""
    answers = within(entry_of(text.encode(errors="replace")), "answers")
    asked = [word(one, "question") for one in dicts(arguments, "questions")]
    told = [
        (asked[int(n)] if n.isdecimal() and int(n) < len(asked) else n, answer)
        for n, answer in answers.items()
        if len(n) < _LONGEST
    ]
    return "\n".join(f'"{question}"="{answer}"' for question, answer in told) or text


_LONGEST = 10
