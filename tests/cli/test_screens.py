"""What every command prints on a terminal of 80 and of 120 columns, as recorded in tests/cli/screens.

A change that is meant to be seen: `RECORD_SCREENS=1 .venv/bin/pytest tests/cli/test_screens.py` records them anew; look at the difference.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest
from rich.cells import cell_len

from record import Record
from tapehead.cli.app import app
from tapehead.engine import git_hook, hook
from tapehead.engine.engine import Engine
from tapehead.store import agent_figures
from tapehead.store.paths import Layout

SCREENS = Path(__file__).parent / "screens"
NOW = datetime(2026, 3, 4, 10, 50, tzinfo=UTC)
FIRST = "3f2a91bc-1111-4222-8333-444444444444"
SHORT = FIRST[:8]
SECOND = "b81d04e7-1111-4222-8333-444444444444"
PROMPT = (
    "Let the parser say in which line and column an error is, and keep the old messages for those who grep for them"
)
WORDS = {
    "monitor": ["--once"],
    "log": ["--session", SHORT],
    "losses": ["--session", SHORT],
    "brief": ["--session", SHORT],
    "notes": ["--session", SHORT, "--refresh"],
    "handoff": ["--memo", "Next: the messages"],
    "search": ["parser"],
    "detail": ["turn", "1", "--session", SHORT],
    "import": ["TRANSCRIPT"],
    "blame": ["parser.py"],
    "explain": ["HEAD"],
    "why": ["parser.py"],
    "fix": ["sqlite3.OperationalError: no such column: total"],
    "rewind": ["--session", SHORT],
    "remember": ["Run the tests with make"],
    "forget": ["nothing-like-it"],
    "forget-session": [SHORT, "--dry-run"],
    "restore-transcript": [SHORT],
    "trim": [SHORT],
    "thread": ["add", "limit the rate of the search"],
    "adr": ["new", "Use SQLite", "--tldr", "one file, no server"],
    "uninstall": ["--dry-run"],
    "config": ["get", "baton.ttl"],
    "export": [SHORT],
    "report": [SHORT],
    "completion": ["bash"],
    "install": ["--agent", "claude", "--no-git"],
    "mermaid": ["--session", SHORT],
}
"""What a command is called with; nothing otherwise."""
WRITTEN = "def parse():\n    line, column = 1, 1\n    return line, column\n"
ASIDE = {"statusline", "demo", "bench", "hook", "mcp", "watch", "web", "off", "on"}
"""These serve programs, or take their time: what they print is tested by themselves, and here only how wide their help is. `off` comes last."""
AGAIN = (
    ["log"],
    ["notes"],
    ["fix", "an error that nobody met"],
    ["cost", "--by", "model", "--all"],
    ["cost", "--by", "week", "--csv"],
    ["doctor", "--fix"],
    ["thread"],
    ["adr"],
    ["memories"],
    ["status", "--wide"],
    ["log", "--raw"],
    ["log", "--injections"],
    ["resume", "9"],
    ["config"],
    ["context"],
    ["install"],
    ["cost", "--by", "session"],
    ["brief"],
    ["archive", "--list"],
    ["off"],
    ["status", "--every"],
    ["on"],
)
AS_THEY_ARE = (
    "brief",
    "notes",
    "status --wide",
    "log --raw",
    "export",
    "cost --by week --csv",
    "completion",
    "mermaid",
    "uninstall",
    "install",
    "report",
)
"""These print a document, or are asked to print more than fits: the terminal breaks their lines."""
DRIVER = """
import json, os, sys
from datetime import datetime
now, calls = json.loads(sys.argv[1])
import time
moment = datetime.fromisoformat(now).timestamp()
time.time, time.time_ns = (lambda: moment), (lambda: round(moment * 1e9))
from tapehead.cli import bytecode, here, output
from tapehead.cli.app import app
class Fixed(datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.fromisoformat(now).astimezone(tz)
here.datetime = Fixed
bytecode.missing = lambda *_: ()
bytecode.compile_now = lambda *_: ()
sys.argv[0] = os.path.join(os.environ["HOME"], "bin", "tapehead")
for words in calls:
    print("$ tapehead", *words, flush=True)
    try:
        output.run(app, words, "tapehead")
    except SystemExit:
        pass
    sys.stdout.flush()
    sys.stderr.flush()
"""


class Store:
    """A repository with a session that was compacted and committed, and one that waits for an approval, at times that never change."""

    def __init__(self, directory, monkeypatch):
        self.root, self.home = os.path.join(directory, "shop"), os.path.join(directory, "home")
        os.makedirs(self.home)
        subprocess.run(["git", "init", "-q", "-b", "main", self.root], check=True)
        monkeypatch.setenv("HOME", self.home)
        monkeypatch.setenv("TZ", "UTC")
        for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
            monkeypatch.delenv(name)
        monkeypatch.setattr(hook, "_work", lambda *_: None)
        monkeypatch.setattr(git_hook, "_work", lambda *_: None)
        monkeypatch.chdir(self.root)
        self.at = NOW - timedelta(minutes=20)
        monkeypatch.setattr("time.time_ns", self.tick)
        self.engine = Engine(Layout(os.path.join(self.root, ".git", "tapehead")), self.tick)

    def tick(self):
        self.at += timedelta(milliseconds=1)
        return round(self.at.timestamp() * 1e9)

    def later(self, seconds=60):
        self.at += timedelta(seconds=seconds)

    def hook(self, name, session, **fields):
        payload = {"session_id": session, "cwd": self.root, "hook_event_name": name, **fields}
        reading, writing = os.pipe()
        os.write(writing, json.dumps(payload).encode())
        os.close(writing)
        hook.run("claude", reading, {"HOME": self.home, "CLAUDE_PID": str(os.getpid())})
        os.close(reading)
        self.later()

    def git(self, *words):
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), self.at.isoformat())
        command = ["git", "-C", self.root, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **dates}).stdout

    def fill(self, directory):
        Path(self.root, "parser.py").write_text("def parse():\n    return 1\n")
        self.git("add", ".")
        self.git("commit", "-qm", "A parser")
        self.git("init", "-q", "--bare", os.path.join(directory, "origin.git"))
        self.git("remote", "add", "origin", os.path.join(directory, "origin.git"))
        path = self.record()
        for name, fields in (
            ("SessionStart", {"source": "startup"}),
            ("UserPromptSubmit", {"prompt": PROMPT}),
            ("Stop", {"last_assistant_message": "It says line and column now."}),
            ("PreCompact", {"trigger": "auto"}),
            ("PostCompact", {"trigger": "auto", "compact_summary": "The parser was taught."}),
            ("SessionStart", {"source": "compact"}),
            ("UserPromptSubmit", {"prompt": "And the tests?"}),
            ("Stop", {"last_assistant_message": "They pass."}),
            ("SessionEnd", {"reason": "other"}),
        ):
            if name == "Stop" and "line" in fields["last_assistant_message"]:
                Path(self.root, "parser.py").write_text(WRITTEN)
            self.hook(name, FIRST, transcript_path=path, **fields)
            self.engine.settle(FIRST)
            if fields.get("last_assistant_message") == "They pass.":
                self.commit("Say where an error is")
        self.engine.append(FIRST, {"note": "receipt", "data": {"delivery": "delivered"}})
        self.hook("SessionStart", SECOND, source="startup")
        self.hook("UserPromptSubmit", SECOND, prompt=PROMPT)
        self.hook("PermissionRequest", SECOND, tool_name="Bash", tool_input={"command": "make deploy"})
        for session in (FIRST, SECOND):
            self.engine.settle(session)
        said = {"model": "claude-opus-5-5", "window": 200_000, "used": 90_000, "cost": 0.42}
        agent_figures.keep(self.engine.layout, SECOND, said, self.at.timestamp())
        return path

    def commit(self, message):
        file = os.path.join(self.root, ".git", "MSG")
        Path(file).write_text(message + "\n")
        self.git("add", "-A")
        git_hook.run(["prepare-commit-msg", file, "message"], os.environ)
        self.git("commit", "-q", "-F", file)
        git_hook.run(["post-commit"], os.environ)
        self.engine.settle(FIRST)

    def record(self):
        """The transcript of the first session, where its agent keeps it."""
        record = Record(FIRST, begins=self.at, step=5.0, cwd=self.root).turn(
            PROMPT, "Never change the old messages: so I add a second line."
        )
        record.call("Bash", "E   sqlite3.OperationalError: no such column: paid_at", failed=True, command="make test")
        record.call("Edit", "done", file_path=f"{self.root}/parser.py", old_string="return 1", new_string=WRITTEN)
        record.call("Bash", "4 passed", command="make test").reply(
            "It says line and column now. The column was named payed_at in the fixture."
        )
        record.compacted("The parser was taught to say where an error is.")
        record.turn("And the tests?", "They pass.")
        counts = {
            "input_tokens": 12,
            "output_tokens": 345,
            "cache_read_input_tokens": 67_890,
            "cache_creation_input_tokens": 2_400,
        }
        spent = {"id": "counted", "role": "assistant", "model": "claude-opus-4-5-20251101", "usage": counts}
        record.line("assistant", message={**spent, "content": [{"type": "text", "text": "Both of them."}]})
        path = str(record.write(Path(self.home, ".claude", "projects", re.sub(r"\W", "-", self.root))))
        os.utime(path, (self.at.timestamp(), self.at.timestamp()))
        return path


def calls():
    """Every command of the app, and a few once more with what the first call left."""
    context = click.Context(app)
    for name in app.list_commands(context):
        yield [name, "--help"] if name in ASIDE else [name, *WORDS.get(name, [])]
    yield from AGAIN


def _path(home):
    """A folder with git and no agent: what `doctor` finds is the same on every machine."""
    folder = os.path.join(home, "bin")
    os.makedirs(folder, exist_ok=True)
    for name in ("git", "sh"):
        if not os.path.lexists(os.path.join(folder, name)):
            os.symlink(shutil.which(name), os.path.join(folder, name))
    return folder


def _without_size():
    """The environment without a width of its own, which would count before the terminal's."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}


def drawn(columns, store, transcript):
    """What a terminal of this width got, command by command."""
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    words = [[transcript if word == "TRANSCRIPT" else word for word in call] for call in calls()]
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVER, json.dumps([NOW.isoformat(), words])],
        cwd=store.root,
        env={**_without_size(), "TERM": "xterm", "NO_COLOR": "1", "PAGER": "cat", "PATH": _path(store.home)},
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    found = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while chunk := os.read(master, 1 << 16):
            found += chunk
    os.close(master)
    assert process.wait(60) == 0, found.decode()[-2000:]
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", found.decode()).replace("\r\n", "\n")
    lines = [line.rpartition("\r")[2].rstrip() for line in text.split("\n")]  # a bar draws over itself
    return "\n".join(line for line in lines if not "\u2800" <= line[:1] <= "\u28ff")  # and a spinner takes itself away


_DRAWN = {}


@pytest.fixture
def screen(monkeypatch):
    """What a terminal of a width shows; drawn once in a process."""

    def shown(columns):
        if columns not in _DRAWN:
            directory = tempfile.mkdtemp(prefix="tapehead-", dir="/tmp")
            try:
                store = Store(directory, monkeypatch)
                transcript = store.fill(directory)
                last = store.git("rev-parse", "HEAD").strip()
                _DRAWN[columns] = steady(drawn(columns, store, transcript), directory, last)
            finally:
                monkeypatch.undo()
                shutil.rmtree(directory)
        return _DRAWN[columns]

    return shown


def steady(text, directory, commit):
    """Without what is another each time, letter for letter. A commit's id depends on that of its checkpoint."""
    for letters in (40, 12, 10, 9, 8, 7):
        text = text.replace(commit[:letters], "c" * letters)
    text = re.sub(r"^.*Syncing with .*\n", "", text, flags=re.MULTILINE)  # a busy machine may need seconds for it
    text = text.replace(directory, "/tmp/tapehead-________")
    text = text.replace(re.sub(r"\W", "-", directory), "-tmp-tapehead-________")
    text = re.sub(r"(?<=[ \"'])/[^\s\"']*/bin/tapehead", "/venv/bin/tapehead", text)
    text = re.sub(r"\(\d+ checks\)", "(N checks)", text)
    text = re.sub(r"^[0-9a-f]{6} (?=note|warning|error)", "xxxxxx ", text, flags=re.MULTILINE)  # a mark is of its words
    text = re.sub(r"[\d.]+(?=(/[\d.]+)? kB)", "N", re.sub(r"(?<=process )\d+", "PID", text))
    return re.sub(r"\b(?=[0-9a-f]*\d)[0-9a-f]{10,40}\b", lambda found: "x" * len(found[0]), text)


def by_command(text):
    """What each command printed."""
    parts = re.split(r"^\$ tapehead ", text, flags=re.MULTILINE)[1:]
    told = {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}
    # The rest of the settings stands in docs/configuration.md, which is made from the same rows.
    return {
        words: text.partition("restore.on_compact")[0] if words == "config" else text for words, text in told.items()
    }


@pytest.mark.parametrize("columns", [80, 120])
def test_the_screens_are_as_recorded(screen, columns):
    """Every command of the app, over a prepared store; helps are in docs/cli.md."""
    recorded = SCREENS / f"{columns}.txt"
    told = by_command(screen(columns)).items()
    found = "".join(f"$ tapehead {words}\n{text}" for words, text in told if not words.endswith("--help"))
    if os.environ.get("RECORD_SCREENS"):
        recorded.write_text(found)
    assert found == recorded.read_text()


@pytest.mark.parametrize("columns", [80, 120])
def test_no_line_is_wider_than_the_screen(screen, columns):
    """But for documents, whose lines the terminal breaks."""
    for words, text in by_command(screen(columns)).items():
        if not words.startswith(AS_THEY_ARE):
            assert not [line for line in text.splitlines() if cell_len(line) > columns], words


def test_nothing_that_matters_is_cut_at_80(screen):
    """Ids, phases, ages and the beginning of the prompt are there, on one line each."""
    told = by_command(screen(80))
    for words in ("status", "resume"):
        assert re.search(r"^.*3f2a91bc .*ENDED .*\d+ min .*And the tests\?", told[words], re.MULTILINE), told[words]
        assert re.search(r"^.*b81d04e7 .*ACTIVE.*\d+ min .*Let the parser say", told[words], re.MULTILINE), told[words]
    log = " ".join(told[f"log --session {SHORT}"].split())
    assert f"10:31 prompt, turn 1: {PROMPT}" in log
    assert re.search(r"compacted, [\d,]+ tokens handed back, delivered", log)
