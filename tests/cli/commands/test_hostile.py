"""No command prints a control character that came from a record, a name, a subject or a remote: in a pipe, on a terminal, as JSON."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

import scenes
from record import Record
from tapehead.agents.claude.statusline import Seen
from tapehead.cli.app import app
from tapehead.cli.monitor.screen import _console
from tapehead.cli.output import run
from tapehead.cli.server.tools import TOOLS, call_tool
from tapehead.cli.streams import guard_for_a_while
from tapehead.engine import git_hook, statusline, worker
from tapehead.engine.current_phase import Standing
from tapehead.git import hooks_install
from tapehead.text.plain import escape_json

TAPEHEAD = os.path.join(os.path.dirname(sys.executable), "tapehead")

FAKED = "FAKED"
"""What a value says in a line of its own, to pass for one of ours."""
EVIL = f"\x1b]0;owned\x07\x1b[31mred\x1b[2J\x9b31m\x8f\x07\x08\x7f\r\u202eoverride\u2066\u206e\u200b[bold]markup[/bold]\u2028\n{FAKED} line\n"
NAME = "evil\x1b[31m\u202e\x9b7m\n" + FAKED + ".txt"
BRANCH = "b\u009b31m\u202e\u0085"
SGR = re.compile(r"\x1b\[[0-9;]*m")
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
COMMANDS = {
    "status": [(), ("--every",), ("--wide",), ("--json",)],
    "monitor": [("--once",), ("--json",)],
    "cost": [(), ("T",), ("T", "--by", "project"), ("T", "--by", "model", "--csv")],
    "context": [()],
    "statusline": [],
    "log": [(), ("--raw",), ("--json",), ("--injections",)],
    "report": [("--out", "-"), ("--all", "--out", "-"), ("--transcript", "T", "--out", "-"), (EVIL,)],
    "export": [(), ("--json",), ("--transcript", "T"), (EVIL,)],
    "doctor": [(), ("--json",)],
    "mermaid": [()],
    "brief": [(), ("--full",), ("--full", "--json"), ("--transcript", "T"), ("--session", EVIL)],
    "notes": [(), ("--json",)],
    "losses": [(), ("--json",)],
    "handoff": [("--memo", EVIL), ("--session", EVIL), ("--remote", "r" + BRANCH)],
    "resume": [("--list",), (), ("--from", "r" + BRANCH)],
    "search": [("door",), ("door", "--json"), (EVIL,), ("evil",)],
    "detail": [("turn 1",), ("turn 1", "--json"), (EVIL,)],
    "fix": [(EVIL,), ("--json", EVIL)],
    "why": [(NAME,), (NAME, "--json")],
    "mcp": [],  # its tools: below
    "web": [(EVIL,), ("--port", EVIL)],  # its pages: tests/cli/web
    "watch": [(EVIL,), ("--for", EVIL), ("--for", "0s"), ("--for", "0s", "--json")],
    "bench recall": [("T",)],
    "import": [("T",), ("--here",), (NAME,)],
    "blame": [(NAME,), (NAME, "--json"), (EVIL,)],
    "explain": [(), ("--json",), (f"{NAME}:1",), ("HEAD", "--brief"), (EVIL,)],
    "rewind": [("--list",), ("--json",), (), ("--to", EVIL), (EVIL,)],
    "sync": [("r" + BRANCH,), (EVIL,)],
    "save": [("--focus", EVIL, "--note", EVIL), (), ("--json",)],
    "remember": [(EVIL,), ("--name", EVIL, EVIL)],
    "memories": [(), ("--json",), ("proposals",), ("show", "evil")],
    "forget": [(EVIL,), ("evil",)],
    "forget-session": [(EVIL,)],
    "archive": [("--list",), (), ("--json",)],
    "restore-transcript": [(EVIL,)],
    "trim": [(), (EVIL,), ("--json",)],
    "thread": [()],
    "thread add": [(EVIL,)],
    "thread list": [()],
    "thread done": [(EVIL,), ("1",)],
    "adr": [()],
    "adr new": [(EVIL, "--tldr", EVIL)],
    "adr list": [()],
    "adr show": [("1",), (EVIL,)],
    "install": [("--dry-run",), ("--agent", EVIL)],
    "uninstall": [("--dry-run",)],
    "config": [(), ("get", EVIL), ("list",), ("set", "notes.command", EVIL)],
    "completion": [("bash",)],
    "demo": [],
    "replay": [(), ("--json",)],
    "bench continuity": [("T",)],
    "bench notes": [("T",)],
    "bench tokens": [("T",)],
    "gc": [()],
    "off": [(), ("--for", "1h"), ("--json",)],
    "on": [(), ("--json",)],
    "hook": [],
    EVIL: [()],
}
"""Every command with what is asked of it; those that have none speak to agents, or only of themselves."""
WITH_A_BAR = ("import", "bench", "sync")
BAR = re.compile(r"\r|\x1b\[(?:\?25[hl]|2K|1A)")
"""What a bar of progress is drawn with, on stderr, where that is a terminal."""
ONE_LINE = ("status", "log", "memories", "thread list", "adr list", "resume", "rewind", "blame", "monitor", "replay")
"""Commands that list: a line of theirs is a line of ours, whatever a name or a text says."""


class Terminal(io.TextIOWrapper):
    def isatty(self):
        return True


def said(words, *, terminal=False):
    """What a command prints, on both streams."""
    made = [
        (Terminal if terminal else io.TextIOWrapper)(io.BytesIO(), "utf-8", "surrogatepass", "\n") for _ in range(2)
    ]
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = made
    try:
        run(app, words, prog_name="tapehead")
    except SystemExit:
        pass
    finally:
        sys.stdout, sys.stderr = before
    for stream in made:
        stream.flush()
    return [stream.buffer.getvalue().decode("utf-8", "surrogatepass") for stream in made]


@pytest.fixture
def hostile(repository, monkeypatch):
    """A repository in which everything that can have a name has a bad one."""
    monkeypatch.setattr(git_hook, "_work", lambda *_: None)
    monkeypatch.setattr(worker, "PATIENCE", ())
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    root = Path(repository.root)
    (root / NAME).write_text(EVIL)
    scenes.git(root, "add", "-A")
    scenes.git(root, "-c", f"user.name={BRANCH}", "commit", "-qm", EVIL)
    scenes.git(root, "checkout", "-qb", BRANCH)
    scenes.git(root, "config", f"remote.r{BRANCH}.url", "/nowhere/" + BRANCH)
    record = Record(cwd=EVIL).prompt(f"open the door {EVIL}").reply(EVIL, model=EVIL)
    record.call("Bash", EVIL, command=f"make {EVIL}").call(
        "Edit", EVIL, file_path=NAME, old_string=EVIL, new_string="x"
    )
    record.line("summary", summary=EVIL).line("attachment", attachment={"type": "hook_success", "content": EVIL})
    record.compacted(EVIL).prompt(f"never {EVIL}").reply(f"I decided to use it, because {EVIL}")
    path = record.write(root.parent)
    repository.hook("SessionStart", source="startup", transcript_path=path, model=EVIL)
    for turn in range(2):
        repository.hook("UserPromptSubmit", prompt=f"{turn} {EVIL}", transcript_path=path)
        repository.engine.settle("one")
        (root / NAME).write_text(f"{EVIL} {turn}\n")
        repository.hook("Stop", last_assistant_message=EVIL, transcript_path=path)
        worker.work(repository.engine, "one")
    commit(repository, f"subject {EVIL}")
    repository.hook("PreCompact", trigger=EVIL, custom_instructions=EVIL)
    repository.hook("StopFailure", error=EVIL)
    repository.hook("SessionStart", source=EVIL)
    repository.hook("Nonsense" + EVIL)
    repository.engine.failed("one", EVIL, ValueError(EVIL))
    repository.engine.settle("one")
    with open(repository.tape(), "a", encoding="utf-8") as tape:
        tape.write(json.dumps({"torn": EVIL}) + "\n" + '{"torn": "\x9b31m\x1b[2J\n')
    Path(repository.layout.root, "config.toml").write_text(f"[a]\n{json.dumps(EVIL)} = {json.dumps('x' + BRANCH)}\n")
    repository.transcript = path
    return repository


def commit(repository, message):
    """Commits with git's hooks, as git runs them."""
    file = Path(repository.root, ".git", "MSG")
    file.write_text(message + "\n")
    git_hook.run(["prepare-commit-msg", str(file), "message"], os.environ)
    scenes.git(repository.root, "add", "-A")
    scenes.git(repository.root, "commit", "-q", "-F", str(file))
    git_hook.run(["post-commit"], os.environ)
    repository.engine.settle("one")


def every_command(group=app, prefix=()):
    """The names of all commands, those of groups with their group's."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group) and not found.invoke_without_command:
            yield from every_command(found, (*prefix, name))
        else:
            yield " ".join((*prefix, name))


def test_every_command_is_tried():
    """A new command has a row here."""
    assert {*every_command()} <= COMMANDS.keys()


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
def test_no_control_characters(hostile, terminal):
    """Line breaks, tabs and our own colours are all that a terminal can obey."""
    bad = []
    for name, asked in COMMANDS.items():
        for words in asked:
            given = [hostile.transcript if word == "T" else word for word in words]
            out, err = said([*(name.split() if name != EVIL else [name]), *given], terminal=terminal)
            talk = BAR.sub("", err) if name.startswith(WITH_A_BAR) else err
            bad += [(name, words, why, out, err) for why in complaints(out + talk, terminal=terminal)]
            if "--json" in words and out:
                json.loads(out)
            elif name in ONE_LINE and re.search(rf"^{FAKED}", out, re.MULTILINE):
                bad.append((name, words, "a line of its own", out))
    assert not bad


def test_a_real_terminal(hostile):
    """The same of a process of its own, where tracebacks would go past us."""
    for words in (["log"], ["explain"], ["brief", "--transcript", hostile.transcript], ["sync", "r" + BRANCH]):
        master, slave = os.openpty()
        process = subprocess.Popen([TAPEHEAD, *words], stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        printed = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while chunk := os.read(master, 1 << 16):
                printed += chunk
        os.close(master)
        process.wait()
        text = printed.decode().replace("\r\n", "\n")
        assert text
        assert not [*complaints(text, terminal=True)], (words, text)


def test_the_status_line_and_the_monitor(hostile):
    """What is drawn beside an agent is as clean."""
    screen = _console()
    with screen.capture() as caught:
        screen.print(Text(EVIL, style="red"), soft_wrap=True)
    assert not [*complaints(caught.get().replace("\x1b[31m", "", 1), terminal=True)]
    look = statusline.Look(Seen("one", EVIL), Standing(EVIL, None), None)
    assert not [*complaints(statusline.line(look, {}, 0), terminal=True)]


GIVEN = {
    "prepare-commit-msg": ("MSG", "message"),
    "commit-msg": ("MSG",),
    "post-commit": (),
    "post-rewrite": ("rebase",),
    "post-checkout": ("0" * 40, "0" * 40, "1"),
    "pre-push": ("r" + BRANCH, "/nowhere/" + BRANCH),
    "post-merge": ("0",),
    EVIL.replace("\0", ""): (EVIL,),
}
"""What git gives its hooks, and one that does not exist."""


def test_git_s_hooks_print_nothing(hostile):
    """Whoever put the call into a hook by hand sees no word of it on either stream; what it adds to a message is plain."""
    assert {*hooks_install.NAMES} <= {*GIVEN}
    message = Path(hostile.root, "MSG")
    for name, asked in GIVEN.items():
        before = f"subject {EVIL}\n"
        message.write_bytes(before.encode())
        words = [str(message) if word == "MSG" else word for word in asked]
        done = subprocess.run(
            [TAPEHEAD, "hook", "git", name, *words], cwd=hostile.root, capture_output=True, check=False, input=b"a b\n"
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), name
        after = message.read_bytes().decode()
        assert not UNSEEN.search(after.replace(before.rstrip("\n"), "")), name


def test_a_traceback_passes_the_door(capfd):
    """An error of ours may quote what others wrote."""
    with guard_for_a_while():
        sys.excepthook(ValueError, ValueError(EVIL), None)
    assert not [*complaints(capfd.readouterr().err, terminal=False)]


@given(st.text(st.characters(), max_size=40))
def test_escaped_json_is_the_same_json(text):
    """Programs get every letter, and a terminal none that it obeys."""
    document = escape_json(json.dumps({text: [text]}, ensure_ascii=False))
    assert json.loads(document) == {text: [text]}
    assert not UNSEEN.search(document)


def complaints(printed, *, terminal):
    """What is wrong with what was printed."""
    if UNSEEN.search(SGR.sub("", printed) if terminal else printed) or "\x1b[31mred" in printed:
        yield "control characters"


def test_the_servers_tools(hostile):
    """What a tool answers goes to a model."""
    for tool in TOOLS:
        for word in ("door", "turn 1", NAME, EVIL):
            needed = {name: word for name, each in tool.arguments.items() if each.required and each.type == "string"}
            [answer] = call_tool(tool.name, needed)["content"]
            assert not [*complaints(answer["text"], terminal=False)], (tool.name, word, answer)
