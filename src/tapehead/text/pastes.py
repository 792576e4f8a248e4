"""What was pasted into a prompt: logs, traces, code. The user's own sentences are kept whole, what is pasted is only named."""

from __future__ import annotations

import re

_MACHINE = re.compile(
    r"^\s*(?:"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d|\[?\d\d:\d\d:\d\d|"  # a log's time
    r"at .+:\d+.*$|at .+\)\s*$|at [\w.$<>]+\s*$|\S+ @ \S+:\d+|File \".+\", line \d+|Traceback |\.\.\. \d+ more|"  # a trace
    r"[{}\[\]()<>;]+\s*$|[{\[]\"|</?[a-zA-Z][^>]*>\s*$|"  # data and markup
    r"(?:[+-]{3}|@@|diff --git|index [0-9a-f]{7})\s?|"  # a diff
    r"[$\u276f\u23fa\u23bf\u2502\u251c\u2514>%]\s|"  # a terminal
    r"\S+:\d+:\d+[: ]|\s*\d+ [|│→]"  # a compiler
    r")"
)
_FENCE = "```"
_FEW, _DENSE = 2, 160


def without_pastes(prompt: str) -> str:
    """The prompt with every run of pasted lines as one short remark; one that is all paste stays as it is."""
    if "\n" not in prompt:
        return prompt
    kept: list[str] = []
    pasted: list[str] = []
    inside = False
    for line in prompt.splitlines():
        fence = line.strip().startswith(_FENCE)
        inside ^= fence
        if inside or fence or _is_machine(line):
            pasted.append(line)
            continue
        kept += _remark(pasted)
        pasted = []
        kept.append(line)
    kept += _remark(pasted)
    said = "\n".join(kept)
    return said if any(c.isalpha() for line in kept if not line.startswith("[pasted") for c in line) else prompt


def _is_machine(line: str) -> bool:
    """Whether a machine wrote a line: it begins as logs and traces do, or is long with hardly a word in it."""
    if _MACHINE.match(line):
        return True
    if len(line) < _DENSE:
        return False
    words = line.split()
    plain = sum(word.isalpha() for word in words)
    return plain * _FEW < len(words)


def _remark(pasted: list[str]) -> list[str]:
    """What stands for a run of pasted lines. A few lines of code are part of what is said: a command to run, a signature."""
    told = [line for line in pasted if line.strip() and not line.strip().startswith(_FENCE)]
    fenced = pasted[:1] and pasted[0].strip().startswith(_FENCE)
    if fenced and len(told) <= _A_FEW_LINES and not any(_is_machine(line) for line in told):
        return [f"`{line.strip()}`" for line in told]
    lines = sum(bool(line.strip()) for line in pasted)
    return [f"[pasted: {lines} line{'' if lines == 1 else 's'}]"] if lines else []


_A_FEW_LINES = 3
