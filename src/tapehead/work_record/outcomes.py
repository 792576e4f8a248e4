"""What a command's output says came of it: which test failed where and why, or how much passed."""

from __future__ import annotations

import re

from tapehead.work_record.sentences import flat

_LOOKED_AT = 8_000
_A_LINE = 200
_A_LONG_LINE = 1_000
"""Characters of a line that are looked at: one of thousands is data."""
_SAYS = re.compile(r"\w{2}")
_NOISE = re.compile(
    r"^(?:Exit code \d+|Error:?|FAIL|ok|PASS|# \S+|=+|-+|\[\w[\w:.-]*\] \$ .*|\[no output\]|\(Bash completed with no output\))$"
)
_DATA = re.compile(r"[\w}\]\"],\"\w+\":")
"""Fields of a JSON object: what a program reads."""
_CACHED = re.compile(r"\s*\(cached\)|\s*\[no test(?:s to run| files)\]")

_TEST = re.compile(
    r"^\s*(?:--- FAIL: .+|FAILED [\w./-]+(?:::.+)?|[\u2717\u2715\u00d7] .+|\u25cf .+ \u203a .+|not ok \d+.*|thread '.+' panicked at .+)",
    re.MULTILINE,
)
_PLACE = re.compile(r"(?<=[\w./-])\.\w{1,5}:\d+(?::\d+)?:? (.*)")
_SAYS_WHY = re.compile(r"error|undefined|cannot|expected|got |want |declared|unused|not |assert|fail", re.IGNORECASE)
_MESSAGE = re.compile(
    r"^\s*(?:E  +.+|\w*(?:Error|Exception): .+|error(?:\[\w+\])?: .+|fatal: .+|panic: .+|ERROR:? .+)", re.MULTILINE
)
_OF_THE_SYSTEM = re.compile(r": command not found|parse error|[Pp]ermission denied|[Nn]o such file")
_ALSO = re.compile(r"\b(?:refused|denied|rejected|[Cc]ould(?:n't| not)|[Uu]nable to|not permitted|timed out)\b")
"""What a line says that gives the reason of a failure without the form of one."""
_COUNTS = re.compile(
    r"^.*?\b(?:\d+ (?:passed|failed|tests? passed|pass|fail|failures?|errors?|issues?|problems?|warnings?)|"
    r"Tests?:\s+\d+|test result: \w+|Found \d+|All checks passed|All \d+ tests|no issues found|Success:|\d+ files? changed).*$",
    re.MULTILINE,
)
_GO_OK = re.compile(r"^ok\s+\S+", re.MULTILINE)


def outcome_of(said: str, *, failed: bool) -> str:
    """The line or two that tell most; nothing where the output says nothing."""
    text = said[:_LOOKED_AT] if len(said) <= _LOOKED_AT else f"{said[: _LOOKED_AT // 2]}\n{said[-_LOOKED_AT // 2 :]}"
    if len(text) > _A_LONG_LINE:
        text = "\n".join([line[:_A_LONG_LINE] for line in text.split("\n")])
    count = _last(_COUNTS, text)
    if failed:
        what = _failure(text, also=True)
        return _shown(
            "; ".join(part for part in dict.fromkeys((what, count if what != count else "")) if part)
        ) or _shown(_first(text))
    if count:
        return _shown(count)
    packages = len(_GO_OK.findall(text))
    if packages > 1:
        return f"ok, {packages} packages"
    return _shown(_failure(text) or _last_line(text))


def _failure(text: str, *, also: bool = False) -> str:
    """What failed: the surest form that stands in the text, and a place with its message beside a bare test name."""
    found: list[str] = []
    for look in (_test, _place, _message):  # from the surest to the vaguest
        if line := look(text):
            found.append(line[: _A_LINE // 2 if found else _A_LINE])
        if len(found) == 2:  # noqa: PLR2004  which, and where or why
            break
    if also and len(found) == 1 and (reason := _ALSO.search(text)):
        line = flat(_line_at(text, reason.end()))[: _A_LINE // 2]
        found += [line] if line not in found[0] else []
    return "; ".join(dict.fromkeys(found))


def _test(text: str) -> str:
    match = _TEST.search(text)
    return _with_what_follows(text, match.end()) if match else ""


def _place(text: str) -> str:
    """The first line that names a place in a file and says what is wrong there."""
    match = next((one for one in _PLACE.finditer(text) if _SAYS_WHY.search(one[1])), None)
    return _with_what_follows(text, match.end()) if match else ""


def _message(text: str) -> str:
    """The first line that is a message by its form or by its words."""
    told = [match.end() for match in (_MESSAGE.search(text), _OF_THE_SYSTEM.search(text)) if match]
    return _with_what_follows(text, min(told)) if told else ""


def _line_at(text: str, place: int) -> str:
    """The whole line in which something ends."""
    stop = text.find("\n", place)
    return text[text.rfind("\n", 0, place) + 1 : stop if stop >= 0 else len(text)]


def _with_what_follows(text: str, place: int) -> str:
    """The line in which something ends, with the next one where it only announces it."""
    line = flat(_line_at(text, place))
    stop = text.find("\n", place)
    after = text[stop:].lstrip("\n").partition("\n")[0] if stop >= 0 and line.endswith(":") else ""
    return f"{line} {flat(after)}" if after else line


def _last(pattern: re.Pattern[str], text: str) -> str:
    match = None
    for match in pattern.finditer(text):  # noqa: B007  the last one is wanted
        pass
    return flat(match[0]) if match else ""


def _first(text: str) -> str:
    """The first line that tells something, with the next one where it only announces it."""
    lines = (line for line in map(str.strip, text.splitlines()) if _SAYS.search(line) and not _NOISE.match(line))
    first = next(lines, "")
    return f"{first} {next(lines, '')}".strip() if first.endswith(":") else first


def _last_line(text: str) -> str:
    lines = (line for line in map(str.strip, reversed(text.splitlines())) if _SAYS.search(line) and line[0] not in "{[")
    return next((line for line in lines if not _NOISE.match(line)), "")


def _shown(line: str) -> str:
    if len(_DATA.findall(line[:_A_LONG_LINE])) > 1:
        return ""
    return _CACHED.sub("", flat(line)).strip("= -")[:_A_LINE]
