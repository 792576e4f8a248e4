"""The repository beside the user's."""

import os
import subprocess
import sys

import pytest

from tapehead.git.side import Side

# One of many that need it at the same moment: it says that it is there, waits for the word, and makes it.
ONE = """
import sys
from tapehead.git.side import Side
side = Side(sys.argv[1], sys.argv[2])
print("here", flush=True)
sys.stdin.read()
side.ready()
"""


@pytest.fixture
def common(tmp_path):
    """The git directory of a repository without a commit."""
    subprocess.run(["git", "init", "--quiet", tmp_path / "project"], check=True)
    return str(tmp_path / "project" / ".git")


def test_many_who_need_it_at_once_all_get_it(common):
    """Eight processes that find it missing at the same moment: none of them fails, and it is whole."""
    path = os.path.join(common, "tapehead", "lines.git")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    crowd = [subprocess.Popen([sys.executable, "-c", ONE, path, common], **pipes) for _ in range(8)]
    for one in crowd:
        one.stdout.readline()
    for one in crowd:
        one.stdin.close()
    ended = [one.wait() for one in crowd]
    for one in crowd:
        one.stdout.close()
    assert ended == [0] * 8
    assert Side(path, common).git("fsck", "--strict") == b""


@pytest.mark.parametrize("left", ["config.lock", "HEAD.lock"])
def test_an_init_that_was_killed_is_done_again(common, left):
    """Git leaves its lock behind where it is killed, and will not go past it: the next one does."""
    side = Side(os.path.join(common, "tapehead", "lines.git"), common)
    os.makedirs(side.path)
    with open(os.path.join(side.path, left), "w", encoding="ascii"):
        pass
    side.ready()
    assert side.git("rev-parse", "--is-bare-repository") == b"true\n"
