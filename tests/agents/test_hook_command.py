"""The command that agents run: it ends with 0 and says nothing harmful, whatever is broken, and loses no payload that can be kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tapehead.agents import hook_command

PAYLOAD = b'{"session_id":"one","hook_event_name":"Stop"}'
SHELLS = [shell for shell in ("sh", "bash", "dash", "busybox", "zsh", "fish") if shutil.which(shell)]


@pytest.fixture
def script(tmp_path):
    path = hook_command.script_in(str(tmp_path / "o'neil's state"))
    hook_command.write_script(path)
    return path


def program(tmp_path, text):
    path = tmp_path / "my bin" / "tapehead"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o700)
    return str(path)


def run(command, shell="sh", payload=PAYLOAD, **env):
    words = [shell, *(["sh"] if shell == "busybox" else []), "-c", command]
    done = subprocess.run(
        words, input=payload, capture_output=True, check=False, timeout=60, env={"PATH": os.environ["PATH"], **env}
    )
    return done.returncode, done.stdout, done.stderr


def unheard(script):
    folder = Path(hook_command.unheard_in(os.path.dirname(script)))
    return [path.read_bytes() for path in sorted(folder.iterdir())] if folder.exists() else []


@pytest.mark.parametrize("shell", SHELLS)
def test_what_the_program_says_is_said(script, tmp_path, shell):
    """It gets the payload and its words, and its answer is the agent's."""
    command = hook_command.guarded(script, program(tmp_path, '#!/bin/sh\necho "$*"; cat'), "claude")
    assert run(command, shell) == (0, b"hook claude\n" + PAYLOAD, b"")
    assert unheard(script) == []


@pytest.mark.parametrize("shell", SHELLS)
def test_the_program_was_removed(script, tmp_path, shell):
    """Nothing is said, nothing is kept: the user does not want it any more. A large payload meets no closed pipe."""
    command = hook_command.guarded(script, str(tmp_path / "gone" / "tapehead"), "claude")
    assert run(command, shell, b"x" * 1_000_000) == (0, b"", b"")
    assert unheard(script) == []


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_was_removed(tmp_path, shell):
    """The agent goes on."""
    command = hook_command.guarded(str(tmp_path / "hook.sh"), sys.executable, "claude")
    assert run(command, shell)[:2] == (0, b"")


BROKEN = {
    "no Python": "#!/nowhere/python\n",
    "an import error": f"#!{sys.executable}\nimport nowhere_to_be_found\n",
    "an I/O error at load": f"#!{sys.executable}\nraise OSError(5, 'Input/output error')\n",
    "exit 2, which refuses a prompt": "#!/bin/sh\nexit 2\n",
    "killed": "#!/bin/sh\nkill -9 $$\n",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_the_program_cannot_run(script, tmp_path, text):
    """The agent sees 0 and no word; the payload is kept for its eyes alone, with where it came from."""
    command = hook_command.guarded(script, program(tmp_path, text), "claude")
    assert run(command, CLAUDE_PROJECT_DIR="/my project", CLAUDE_PID="7", PWD=os.getcwd()) == (0, b"", b"")
    [kept] = unheard(script)
    head, payload = kept.split(b"\n\n", 1)
    assert payload == PAYLOAD
    assert head.decode().splitlines() == [
        "agent=claude", f"cwd={os.getcwd()}", "CLAUDE_PROJECT_DIR=/my project", "CLAUDE_PID=7",
    ]  # fmt: skip
    folder = hook_command.unheard_in(os.path.dirname(script))
    assert os.stat(folder).st_mode & 0o777 == 0o700
    assert {os.stat(os.path.join(folder, name)).st_mode & 0o777 for name in os.listdir(folder)} == {0o600}


def test_a_program_that_is_broken_for_long_fills_no_disk(script, tmp_path):
    """There is an end to what is kept."""
    folder = Path(hook_command.unheard_in(os.path.dirname(script)))
    folder.mkdir()
    for number in range(1000):
        (folder / str(number)).touch()
    command = hook_command.guarded(script, program(tmp_path, "#!/bin/sh\nexit 1\n"), "claude")
    assert run(command) == (0, b"", b"")
    assert len(list(folder.iterdir())) == 1000


@pytest.mark.parametrize("limit", [4, 5, 6, 8, 10, 11, 12, 16, 24])
def test_no_file_descriptors(script, limit):
    """However few are left, the agent sees 0 and no word on stdout: of the real program too."""
    real = os.path.join(os.path.dirname(sys.executable), "tapehead")
    command = hook_command.guarded(script, real, "claude")
    done = subprocess.run(
        ["sh", "-c", f'ulimit -n {limit}; exec sh -c "$1"', "sh", command],
        input=PAYLOAD,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("limit", [4, 6, 24])
def test_no_file_descriptors_at_a_teammates(limit):
    """The command of a shared file ends with 0 as well."""
    line = f'ulimit -n {limit}; exec sh -c "$1"'
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    done = subprocess.run(
        ["sh", "-c", line, "sh", hook_command.shared("claude")],
        input=PAYLOAD,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "PATH": path},
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_debugging(script, tmp_path):
    """Whoever debugs sees what the program says on stderr; nobody else does."""
    command = hook_command.guarded(script, program(tmp_path, "#!/bin/sh\necho no >&2\n"), "claude")
    assert run(command) == (0, b"", b"")
    assert run(command, TAPEHEAD_DEBUG="1") == (0, b"", b"no\n")


def test_which_files_a_command_names(script):
    """The script and the program; of the older form the program; nothing where the shell finds it or cannot read it."""
    assert hook_command.parts_of(hook_command.guarded(script, "/a b/tapehead", "codex")) == (script, "/a b/tapehead")
    assert hook_command.parts_of("'/a b/tapehead' hook codex") == ("/a b/tapehead",)
    assert hook_command.parts_of(hook_command.shared("codex")) == ()
    assert hook_command.parts_of("tapehead hook codex 'open") == ()
    assert not hook_command.is_guarded("/a/tapehead hook codex")


def test_the_script_is_written_once(script):
    """One of this version stays as it is; another is renewed."""
    inode = os.stat(script).st_ino
    hook_command.write_script(script)
    assert os.stat(script).st_ino == inode
    Path(script).write_text("echo old")
    assert not hook_command.is_current(script)
    hook_command.write_script(script)
    assert hook_command.is_current(script)
