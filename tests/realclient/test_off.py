"""`tapehead off` with the real client: not in this repository, or not for a while."""

import os
import subprocess
from pathlib import Path

from rig.waiting import until


def words_in(place):
    """All that the store holds."""
    store = os.path.join(place.project, ".git", "tapehead")
    found = [os.path.join(folder, name) for folder, _, names in os.walk(store) for name in names]
    return b"".join(Path(path).read_bytes() for path in found)


def test_off_before_anything_and_on(bare, seen):
    """No session, no word to the model, no line in a commit that the agent makes; and after `on` all of it."""
    commit = "{run echo x > made && git add made && git commit -qm mine && git log -1 --format=%B}"
    bare.install()
    assert bare.tapehead("off").returncode == 0
    done = bare.print_mode(f"the parrot is blue {commit}")
    assert done.returncode == 0
    assert seen.order() == ["SessionStart(startup)", "UserPromptSubmit", "Stop", "SessionEnd(other)"], "hooks ran"
    assert b"parrot" not in words_in(bare)
    assert seen.told() == []
    message = subprocess.run(
        ["git", "log", "-1", "--format=%B"], cwd=bare.project, capture_output=True, text=True, check=True
    ).stdout
    assert "Tapehead-Checkpoint" not in message
    assert "tapehead is off since" in bare.tapehead("status").stdout
    assert bare.tapehead("on").returncode == 0
    bare.print_mode("the cow is green")
    [_, second] = seen.sessions()
    assert seen.state(second)["phase"] == "ended"
    assert b"cow is green" in words_in(bare)
    assert b"parrot" not in words_in(bare)


def test_a_pause_in_the_middle(place, seen, terminal):
    """One session: before, meanwhile, after. It ends as it ends, and what was said meanwhile is nowhere."""
    terminal.claude()
    terminal.enter("the first is apricots")
    seen.wait_for("Stop")
    [session] = seen.sessions()
    seen.state(session)
    until(lambda: "apricots" in place.tapehead("search", "apricots").stdout, "the worker is done")
    assert place.tapehead("off", "--for", "1h").returncode == 0
    archived = place.tapehead("archive", "--list", "--json").stdout
    terminal.enter("the second is bananas")
    seen.wait_for("Stop", "Stop")
    assert place.tapehead("on").returncode == 0
    terminal.enter("the third is cherries")
    seen.wait_for("Stop", "Stop", "Stop")
    terminal.leave()
    seen.wait_for("SessionEnd(prompt_input_exit)")
    assert seen.state(session)["phase"] == "ended"
    kept = words_in(place)
    assert (b"apricots" in kept, b"bananas" in kept, b"cherries" in kept) == (True, False, True)
    assert place.tapehead("archive", "--list", "--json").stdout == archived
    assert "bananas" not in place.tapehead("search", "second").stdout
    told = place.tapehead("log").stdout
    assert "what follows is not recorded" in told
    assert "tapehead on again" in told
    assert place.tapehead("replay").returncode == 0
