"""`make realclient-matrix`: one short life in each client and version, and what was seen of it, as the table in docs/agents.md.

A life is one prompt that fills the window, and one more in the same session. Nothing is asserted: a cell says what the tape and the requests
show. With the names of clients behind it, only their rows are made anew: `python tests/realclient/rig/matrix.py . codex claude`.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rig.client import CODEX, COPILOT, DROID, GEMINI, OPENCODE, QWEN, Client, claude_of
from rig.codex import CodexPlace
from rig.copilot import CopilotPlace
from rig.droid import DroidPlace
from rig.evidence import Evidence, times
from rig.gemini import GeminiPlace
from rig.opencode import OpenCodePlace
from rig.place import Place, of_client
from rig.qwen import QwenPlace

_BRIEF = "tapehead: where this session stood"
_LONGER = "timeout 8 tail -f /dev/null"
"""One more command in the same turn, for clients that do not wait for what a hook says (only `completions_standin` orders it)."""
COLUMNS = ("start", "prompt", "compaction", "brief", "resume", "end")
PAGE = Path("docs", "agents.md")
_BEGIN, _END = "<!-- matrix -->\n", "<!-- /matrix -->"


def _newest(client: Client, version: str, native: str = "") -> Client:
    folder = f"{client.name}-{version}"
    return replace(
        client, version=version, folder=folder, native=native or client.native, variable=f"NONE_{client.name}"
    )


_CLAUDES = tuple(map(claude_of, ("2.1.327", "2.1.76", "2.0.77", "1.0.128")))
ROWS: tuple[tuple[Client, type[Place], int, tuple[str, ...]], ...] = (
    *((client, of_client(client), 985_000, ("--continue",)) for client in _CLAUDES),
    (_newest(CODEX, "0.169.0"), CodexPlace, 260_000, ("resume", "--last")),
    (GEMINI, GeminiPlace, 600_000, ("-r", "latest")),
    (COPILOT, CopilotPlace, 63_000, ("--continue",)),
    (OPENCODE, OpenCodePlace, 60_000, ("--continue",)),
    (_newest(replace(DROID, package="@factory/cli-linux-x64"), "0.225.2"), DroidPlace, 900_000, ()),
    (QWEN, QwenPlace, 172_000, ("--continue",)),
)
"""Which client, its world, how many tokens fill its window, and what goes on with the last session; nothing where that wants a login."""


def lived(client: Client, kind: type[Place], tokens: int, again: tuple[str, ...]) -> dict[str, str]:
    """What is seen of one life."""
    root = os.path.realpath(tempfile.mkdtemp(prefix="matrix-"))
    place = kind(root, client.find(os.getcwd()))
    place.SECONDS = 600  # nothing is timed here, and the machine may be busy
    place.start()
    try:
        place.install()
        first = place.print_mode(f"the number is 4711 {{claim {tokens}}} {{run echo '[run {_LONGER}]'}}")
        second = place.print_mode("which number was it?", *again) if again else first
        place.tapehead("status")
        return _seen(Evidence(place), again, (first.returncode, second.returncode))
    finally:
        place.stop()
        shutil.rmtree(root, ignore_errors=True)


def _seen(seen: Evidence, again: tuple[str, ...], ended: tuple[int, int]) -> dict[str, str]:
    names = os.listdir(seen.sessions_dir) if os.path.isdir(seen.sessions_dir) else []
    tapes = [name.removesuffix(".tape") for name in names if name.endswith(".tape")]
    for tape in tapes:
        with suppress(AssertionError):
            seen.state(tape)
    moves = [move.split(" -> ") for tape in tapes for move in seen.path(tape)]
    events = [event for event, _ in moves]
    hooks = [each.partition("(")[0] for each in seen.order()]
    told = any(times(request, _BRIEF) for request in seen.requests())
    return {
        "start": _said("session_start" in events, "SessionStart" in hooks),
        "prompt": _said("turn_start" in events, bool({"UserPromptSubmit", "BeforeAgent"} & {*hooks})),
        "compaction": _said("compacted" in events or "compaction" in events, "PreCompact" in hooks),
        "brief": "in the request" if told else "not seen",
        "resume": _resumed(events, len(tapes)) if again else "wants a login",
        "end": _said("session_stop" in events, "SessionEnd" in hooks, "process_lost" in events),
        "exit": "" if ended == (0, 0) else f"exit codes {ended}",
    }


def _said(recorded: bool, by_hook: bool, by_process: bool = False) -> str:  # noqa: FBT001, FBT002 - three facts
    if not recorded:
        return "the process is found gone" if by_process else "not seen"
    return "hook" if by_hook else "transcript"


def _resumed(events: list[str], sessions: int) -> str:
    if sessions > 1:
        return "as a new session"
    return "same session" if events.count("turn_start") > 1 else "not seen"


def row(client: Client, cells: dict[str, str]) -> str:
    more = f" ({cells['exit']})" if cells["exit"] else ""
    return f"| {client.name} {client.version}{more} | " + " | ".join(cells[name] for name in COLUMNS) + " |"


def main() -> None:
    os.chdir(sys.argv[1])
    wanted = sys.argv[2:]
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(_BEGIN)
    known = dict(_rows(rest.split(_END)[0]))
    for client, kind, tokens, again in ROWS:
        name = f"{client.name} {client.version}"
        if wanted and client.name not in wanted and name.replace(" ", "-") not in wanted:
            continue
        client.install(".")
        if why := client.why_not("."):
            known[name] = f"| {name} | not run: {why} |" + " |" * (len(COLUMNS) - 1)
        else:
            known[name] = row(client, lived(client, kind, tokens, again))
        sys.stdout.write(known[name] + "\n")
        sys.stdout.flush()
        head = f"| client | {' | '.join(COLUMNS)} |\n|{' --- |' * (len(COLUMNS) + 1)}\n"
        order = [f"{each[0].name} {each[0].version}" for each in ROWS]
        rows = "".join(known[each] + "\n" for each in order if each in known)
        PAGE.write_text(f"{before}{_BEGIN}{head}{rows}{_END}{rest.split(_END)[1]}", encoding="utf-8")


def _rows(table: str) -> list[tuple[str, str]]:
    return [(found[1], line) for line in table.splitlines() if (found := re.match(r"\| (\S+ [\d.]+)", line))]


if __name__ == "__main__":
    main()
