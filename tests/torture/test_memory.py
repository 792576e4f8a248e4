"""Ten processes at once on one memory, killed at random; disks that are full or read-only; logs that a killed writer left."""

import os
import resource
import shutil
import signal
import subprocess
import sys

import pytest
from arena import PATIENCE, TAPEHEAD, git
from crowded_memory import Crowd, content, is_sound
from test_disks import mounts

from record import BEGINS, Record
from tapehead.store.paths import Layout

SESSION = "00000007-1111-4222-8333-444444444444"


def _elsewhere(arena):
    """Another repository, for a memory that is made in one go."""
    work = os.path.join(arena.base, "elsewhere")
    os.makedirs(work)
    git(work, "init", "-q", "-b", "main", "--template=")
    return work, Layout(os.path.join(work, ".git", "tapehead")).memory


def _holds(arena, crowd):
    crowd.end()
    work, memory = _elsewhere(arena)
    crowd.arrived(work)
    assert content(arena.layout.memory) == content(memory)
    is_sound(arena.layout.memory)


def test_a_crowd_on_one_memory_loses_and_doubles_nothing(arena):
    """Ten processes take in, search and hand over at once, every second is killed; after one quiet look all is as if made in one go."""
    crowd = Crowd(arena, 0)
    crowd.rage(2)
    _holds(arena, crowd)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_crowds_on_one_memory_lose_and_double_nothing(arena, seed):
    """The same with hundreds of kills."""
    crowd = Crowd(arena, seed)
    crowd.rage(15)
    assert crowd.killed > 20
    _holds(arena, crowd)


def _record(turns=40):
    record = Record(SESSION, begins=BEGINS)
    for number in range(turns):
        record.turn(f"ask {number}", f"harbour{number}").call("Bash", os.urandom(3_000).hex(), command="x")
    return record


@pytest.fixture
def records(arena):
    directory = os.path.join(arena.base, "transcripts")
    os.makedirs(directory)
    path = os.path.join(directory, f"{SESSION}.jsonl")
    with open(path, "wb") as file:
        file.write(_record().bytes())
    os.utime(path, (0, 0))
    return directory


def _run(arena, *words, **options):
    done = subprocess.run(
        [TAPEHEAD, *words],
        cwd=arena.work,
        env=arena.env,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        **options,
    )
    assert "Traceback" not in done.stderr
    return done


def _whole(arena, records):
    assert _run(arena, "import", records, "--here").returncode == 0
    work, memory = _elsewhere(arena)
    subprocess.run([TAPEHEAD, "import", records, "--here"], cwd=work, env=arena.env, check=True, capture_output=True)
    assert content(arena.layout.memory) == content(memory)
    is_sound(arena.layout.memory)


@pytest.mark.parametrize("limit", [0, 60_000, 400_000])
def test_files_that_may_not_grow(arena, records, limit):
    """A quota in the middle of an import: it is said, what was written is sound, and the next import brings the rest."""
    quota = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # noqa: E731 - it runs in the child
    done = _run(arena, "import", records, "--here", preexec_fn=quota)
    if done.returncode:
        assert "error: " in done.stderr
        assert "memory.db" in done.stderr or "too large" in done.stderr.lower()
    if os.path.exists(arena.layout.memory) and os.path.getsize(arena.layout.memory):
        is_sound(arena.layout.memory)
    _whole(arena, records)


def _mounted(arena, lines, *words):
    """Runs a command where these mounts are made, which nobody else sees."""
    script = "\n".join((*lines, 'exec "$@"'))
    done = subprocess.run(
        ["unshare", "-m", "sh", "-e", "-c", script, "sh", *words],
        cwd=arena.work,
        env=arena.env,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


@mounts
@pytest.mark.parametrize("size", ["16k", "100k", "300k"])
def test_a_full_disk(arena, records, size):
    """It is said, in words for a user, and with what to do; nothing hangs."""
    os.makedirs(arena.root)
    lines = (f'mount -t tmpfs -o size={size} none "{arena.root}"',)
    done = _mounted(arena, lines, TAPEHEAD, "import", records, "--here")
    assert done.returncode == 1
    assert "error: " in done.stderr
    assert "memory.db" in done.stderr or "space" in done.stderr


@mounts
def test_a_full_disk_in_the_middle(arena, records):
    """What fits is kept; once there is room the rest comes, nothing twice."""
    os.makedirs(arena.root)
    kept = os.path.join(arena.base, "kept")
    os.makedirs(kept)
    lines = (
        f'mount -t tmpfs -o size=250k none "{arena.root}"',
        f'"{TAPEHEAD}" import "{records}" --here || :',
        f'cp "{arena.root}"/memory.db* "{kept}"/',
    )
    assert _mounted(arena, lines, "true").returncode == 0
    for name in os.listdir(kept):
        shutil.copy(os.path.join(kept, name), arena.root)
    _whole(arena, records)


@mounts
def test_a_memory_that_may_only_be_read(arena, records):
    """A search finds what is there; an import says that it cannot write."""
    assert _run(arena, "import", records, "--here").returncode == 0
    lines = (f'mount --bind "{arena.root}" "{arena.root}"', f'mount -o remount,ro,bind "{arena.root}"')
    found = _mounted(arena, lines, TAPEHEAD, "search", "harbour7")
    assert (found.returncode, "harbour7" in found.stdout) == (0, True)
    with open(os.path.join(records, f"{SESSION}.jsonl"), "ab") as file:
        file.write(_record(60).bytes()[os.path.getsize(file.name) :])
    done = _mounted(arena, lines, TAPEHEAD, "import", records, "--here")
    assert done.returncode == 1
    assert "memory.db cannot be used" in done.stderr


KILLED = """
import os, signal, sys
from tapehead.history.database import Database
from tapehead.history.entry_making import Entries
from tapehead.history.writing import Keeper, prepare
from tapehead.agents.claude.steps import follow
database = Database(sys.argv[1])
keeper, entries = Keeper(database), Entries()
for number, batch in enumerate(follow(sys.argv[2], final=True, at_once=40)):
    if number == 2 and sys.argv[3] == "within":
        database.connection.execute("BEGIN IMMEDIATE")
        database.connection.execute("INSERT INTO lineage VALUES ('half', 'done', 1, '')")
        break
    keeper.take(sys.argv[4], "claude", sys.argv[2], prepare(batch, entries))
    if number == 2:
        break
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("where", ["within", "between"])
def test_a_log_that_a_killed_writer_left(arena, records, where):
    """What was written is found by the next one, what was not is not there, and the rest comes with the next import."""
    path = os.path.join(records, f"{SESSION}.jsonl")
    words = [sys.executable, "-c", KILLED, arena.layout.memory, os.path.realpath(path), where, SESSION]
    assert subprocess.run(words, env=arena.env, check=False).returncode == -signal.SIGKILL
    assert os.path.getsize(f"{arena.layout.memory}-wal") > 0
    found = _run(arena, "search", "harbour1", "--json")
    assert (found.returncode, '"harbour1"' in found.stdout) == (0, True)
    is_sound(arena.layout.memory)
    assert "half" not in str(content(arena.layout.memory))
    _whole(arena, records)


@mounts
def test_a_log_that_cannot_be_read(arena, records):
    """A killed writer's log on a disk that may only be read: it is said, rather than half of the memory shown."""
    path = os.path.join(records, f"{SESSION}.jsonl")
    words = [sys.executable, "-c", KILLED, arena.layout.memory, os.path.realpath(path), "between", SESSION]
    subprocess.run(words, env=arena.env, check=False)
    os.remove(f"{arena.layout.memory}-shm")
    lines = (f'mount --bind "{arena.root}" "{arena.root}"', f'mount -o remount,ro,bind "{arena.root}"')
    done = _mounted(arena, lines, TAPEHEAD, "search", "harbour1")
    assert (done.returncode, "memory.db cannot be used" in done.stderr) == (1, True)


def test_an_import_that_is_killed_again_and_again(arena, records):
    """With processes that read ahead: each time some of it is there, at last all of it, and none of the processes is left."""
    big = _record(120).bytes()
    for number in range(3):
        with open(os.path.join(records, f"0000000{number}-1111-4222-8333-444444444444.jsonl"), "wb") as file:
            file.write(big.replace(b"00000007", b"%08d" % number) * 1)
    script = "import tapehead.cli.transcript_import as i, sys; i._FEW_BYTES = 0; i.Importer.__init__.__defaults__ = (2, 0); sys.argv[1:] = {}; from tapehead.cli.main import main; main()"
    program = script.format(["import", records, "--here"])
    for number in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=arena.work,
            env=arena.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            process.wait(timeout=0.15 + 0.08 * number)
        except subprocess.TimeoutExpired:
            process.kill()
        _, err = process.communicate(timeout=PATIENCE)
        assert b"Traceback" not in err
    _whole(arena, records)
