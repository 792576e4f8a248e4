"""The command that agents run: it ends with 0 and says nothing harmful, whatever is broken, and loses no payload that can be kept."""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tapehead
from tapehead.agents import hook_command
from tapehead.engine import spool

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


def spooled(script):
    """What is in the spool: the payload of each file, and what it came with."""
    folder = spool.folder_in(os.path.dirname(script))
    return [spool.read(entry) for entry in spool.entries(folder)] if os.path.isdir(folder) else []


@pytest.mark.parametrize("shell", SHELLS)
def test_what_the_program_says_is_said(script, tmp_path, shell):
    """It gets the payload and its words, and its answer is the agent's."""
    command = hook_command.make_guarded_command(script, program(tmp_path, '#!/bin/sh\necho "$*"; cat'), "claude")
    folder = spool.folder_in(os.path.dirname(script)).encode()
    assert run(command, shell) == (0, b"hook claude guarded %b\n%b\n" % (folder, PAYLOAD), b"")
    assert spooled(script) == []


LAUNCHERS = {
    "of an installer": ("#!{python}\n# -*- coding: utf-8 -*-\nimport re\nimport sys\n", True),
    "of another installer": ("#!{python}\nimport sys\n", True),
    "with words for Python": ("#!{python} -E\n", False),
    "by way of env": ("#!/usr/bin/env -S {python}\n", False),
    "with much before it": ("#!{python}\n" + "import sys\n" * 12, False),
}


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_a_program_that_an_installer_wrote_is_not_run_itself(script, tmp_path, launcher):
    """Its Python is started with our import, and gets the same words; of any other program nothing is known, so it runs."""
    head, is_known = LAUNCHERS[launcher]
    python = tmp_path / "python3"
    python.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    python.chmod(0o700)
    text = head.format(python=python) + "from tapehead.cli.main import main\nmain()\n"
    given = program(tmp_path, text)
    folder = spool.folder_in(os.path.dirname(script))
    said = run(hook_command.make_guarded_command(script, given, "claude"))[1].decode()
    begins = (
        "-P|-c|from tapehead.cli.main import main; main()|" if is_known else f"{'-E|' if '-E' in head else ''}{given}|"
    )
    assert said == f"{begins}hook|claude|guarded|{folder}|"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_program_was_removed(script, tmp_path, shell):
    """Nothing is said, nothing is kept: the user does not want it any more. A large payload meets no closed pipe."""
    command = hook_command.make_guarded_command(script, str(tmp_path / "gone" / "tapehead"), "claude")
    assert run(command, shell, b"x" * 1_000_000) == (0, b"", b"")
    assert spooled(script) == []


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_was_removed(tmp_path, shell):
    """The agent goes on."""
    command = hook_command.make_guarded_command(str(tmp_path / "hook.sh"), sys.executable, "claude")
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
    command = hook_command.make_guarded_command(script, program(tmp_path, text), "claude")
    assert run(command, CLAUDE_PROJECT_DIR="/my project", CLAUDE_PID="7", PWD=os.getcwd()) == (0, b"", b"")
    [kept] = spooled(script)
    assert kept.raw == PAYLOAD
    assert kept.said == {"cwd": os.getcwd(), "tried": "yes", "host": "", "leader": ""}
    assert {name: value for name, value in kept.around.items() if value} == {
        "CLAUDE_PROJECT_DIR": "/my project", "CLAUDE_PID": "7",
    }  # fmt: skip
    folder = spool.folder_in(os.path.dirname(script))
    assert os.stat(folder).st_mode & 0o777 == 0o700
    assert {os.stat(os.path.join(folder, name)).st_mode & 0o777 for name in os.listdir(folder)} == {0o600}


def test_a_program_that_is_broken_for_long_fills_no_disk(script, tmp_path):
    """There is an end to what is kept."""
    folder = Path(spool.folder_in(os.path.dirname(script)))
    folder.mkdir()
    for number in range(1001):
        (folder / f"{100_000 + number}.1.claude").touch()
    command = hook_command.make_guarded_command(script, program(tmp_path, "#!/bin/sh\nexit 1\n"), "claude")
    assert run(command) == (0, b"", b"")
    assert len(list(folder.iterdir())) == 1001


@pytest.mark.parametrize("limit", [4, 5, 6, 8, 10, 11, 12, 16, 24])
def test_no_file_descriptors(script, limit):
    """However few are left, the agent sees 0 and no word on stdout: of the real program too."""
    real = os.path.join(os.path.dirname(sys.executable), "tapehead")
    command = hook_command.make_guarded_command(script, real, "claude")
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
        ["sh", "-c", line, "sh", hook_command.make_shared_command("claude")],
        input=PAYLOAD,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "PATH": path},
    )
    assert (done.returncode, done.stdout) == (0, b"")


INNER = [shell for shell in ("dash", "busybox", "bash") if shutil.which(shell)]
"""What `sh` may be on somebody's machine."""


@pytest.fixture(params=INNER)
def path_with_sh(request, tmp_path):
    """A PATH whose `sh` is this one, for the command and for the script in it."""
    folder = tmp_path / "shell"
    folder.mkdir()
    (folder / "sh").symlink_to(shutil.which(request.param))
    return os.pathsep.join((str(folder), os.environ["PATH"]))


@pytest.fixture
def environment(tmp_path):
    """An environment of its own with the real program in it, as an installer makes one."""
    root = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root)], check=True)
    [packages] = root.glob("lib/python3*/site-packages")
    package = Path(tapehead.__file__).parent
    shutil.copytree(package, packages / "tapehead", ignore=shutil.ignore_patterns("__pycache__"))
    script = root / "bin" / "tapehead"
    script.write_text(f"#!{root}/bin/python\nfrom tapehead.cli.main import main\nmain()\n")
    script.chmod(0o700)
    return root


def _unreadable(root):
    """What root may read all the same is a folder in place of the file: Python cannot load it either."""
    [hook] = root.glob("lib/python3*/site-packages/tapehead/engine/hook.py")
    hook.unlink()
    hook.mkdir()


def _torn(root):
    [main] = root.glob("lib/python3*/site-packages/tapehead/cli/main.py")
    main.write_bytes(main.read_bytes()[:-700] + b"\0\xff(")


DAMAGE = {
    "all is well": lambda root: None,
    "the packages are gone": lambda root: [shutil.rmtree(found) for found in root.glob("lib/python3*/site-packages")],
    "no file of the program can be loaded": _unreadable,
    "a file of it is torn": _torn,
    "its Python is gone": lambda root: [found.unlink() for found in root.glob("bin/python*")],
    "all of it is gone": shutil.rmtree,
    "a folder is in its place": lambda root: [
        (root / "bin" / "tapehead").unlink(),
        (root / "bin" / "tapehead").mkdir(),
    ],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_real_program_that_was_damaged(script, tmp_path, environment, path_with_sh, damage):
    """The agent sees 0 and nothing on either stream; what came is on a tape, or kept, where there is a program to come back."""
    DAMAGE[damage](environment)
    command = hook_command.make_guarded_command(script, str(environment / "bin" / "tapehead"), "claude")
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    (work / ".git" / "objects").mkdir(parents=True)
    payload = PAYLOAD[:-1] + f',"cwd":"{work}"}}'.encode()
    done = subprocess.run(
        ["sh", "-c", command], input=payload, capture_output=True, check=False, timeout=120, cwd=work,
        env={"PATH": path_with_sh, "HOME": str(home)},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    recorded = [*home.rglob("*.tape"), *work.rglob("*.tape")]
    assert bool(recorded) == (damage == "all is well")
    is_kept = damage not in ("all is well", "all of it is gone")
    assert [kept.raw for kept in spooled(script)] == [payload] * is_kept


@pytest.mark.parametrize("limit", ["-n 4", "-n 7", "-n 12", "-v 20000", "-f 0"])
def test_a_real_program_at_its_limits(script, environment, path_with_sh, limit):
    """Too few descriptors, no memory, files that may not grow: 0, and no word."""
    command = hook_command.make_guarded_command(script, str(environment / "bin" / "tapehead"), "claude")
    done = subprocess.run(
        ["dash" if shutil.which("dash") else "sh", "-c", f'ulimit {limit}; exec sh -c "$1"', "sh", command],
        input=PAYLOAD, capture_output=True, check=False, timeout=120, env={"PATH": path_with_sh, "HOME": str(environment)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b""), done.stderr


def test_debugging(script, tmp_path):
    """Whoever debugs sees what the program says on stderr; nobody else does."""
    command = hook_command.make_guarded_command(script, program(tmp_path, "#!/bin/sh\necho no >&2\n"), "claude")
    assert run(command) == (0, b"", b"")
    assert run(command, TAPEHEAD_DEBUG="1") == (0, b"", b"no\n")


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shell != "bash"])  # which tries again for half a minute
@pytest.mark.parametrize(
    "command",
    [
        hook_command.make_guarded_command("/s/hook.sh", "/b/tapehead", "claude"),
        hook_command.make_shared_command("claude"),
    ],
)
def test_no_more_processes(shell, command):
    """A user at the limit of processes: a shell that cannot start one ends with 2, by which an agent would refuse the prompt."""
    words = [shell, *(["sh"] if shell == "busybox" else []), "-c", command.replace("tapehead", "/bin/true")]
    as_nobody = {"user": 65534} if os.geteuid() == 0 else {}
    done = subprocess.run(
        words, input=PAYLOAD, capture_output=True, check=False, timeout=120, cwd="/", **as_nobody,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1, 1)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"")


def test_which_files_a_command_names(script):
    """The script and the program; of the older form the program; nothing where the shell finds it or cannot read it."""
    assert hook_command.parts_of(hook_command.make_guarded_command(script, "/a b/tapehead", "codex")) == (
        script,
        "/a b/tapehead",
    )
    assert hook_command.parts_of("'/a b/tapehead' hook codex") == ("/a b/tapehead",)
    assert hook_command.parts_of(hook_command.make_shared_command("codex")) == ()
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
