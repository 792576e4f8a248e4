"""Pieces of work that are to survive a fault at each of their file-system calls, and what must hold after each."""

from __future__ import annotations

import json
import os
import signal
import time

from tapehead.brief import capture_file
from tapehead.engine import spool, spool_intake, worker
from tapehead.engine.hook import run
from tapehead.engine.store_location import state_home
from tapehead.statemachine.vocabulary import Phase
from tapehead.store import batons, captures, lock, tape

os.posix_spawn = lambda *words, **named: 0  # the detached settle has a scenario of its own; here nobody is let loose

KILLED = signal.SIGKILL
NOBODY = 2**22 + 1
"""A process id that Linux never gives away."""


class Scenario:
    """A store with a history: a session `old` that was compacted once, settled up to there."""

    def __init__(self, arena) -> None:
        self.arena = arena
        self.ids: list[str] = []
        os.environ.clear()
        os.environ.update(arena.env)
        os.chdir(arena.work)  # a payload that nobody can read belongs to the store of the working directory
        self.append("old", "session_start", source="startup", worktree=arena.work)
        self.append("old", "turn_start", prompt="first")
        self.append("old", "compaction", trigger="auto")
        arena.engine.settle("old")

    def append(self, session: str, event: str, *facts: str, **data: object) -> None:
        now = time.time_ns()
        name = tape.stamp(now, os.getpid())
        line = {"id": name, "at": tape.instant(now), "host": "claude", "event": event, "facts": list(facts)}
        tape.append(self.arena.layout.tape(session), line | {"data": data})
        if session == "old":
            self.ids.append(name)

    def work(self) -> None:
        raise NotImplementedError

    def holds(self, kind: str, status: int) -> None:
        """In every case: nobody raised what is not the fault, and what is left over is no more than a kill explains."""
        dead = os.WIFSIGNALED(status)
        assert dead == (kind in ("kill", "torn")), f"status {status}"
        assert dead or os.WEXITSTATUS(status) in (0, 3), f"status {status}"
        assert len(self.arena.scratch()) <= dead, self.arena.scratch()

    def old_is_settled(self) -> object:
        state = self.arena.settled("old")
        mine = [line.id for line in self.arena.lines("old") if line.event and line.host == "claude"]
        assert mine[: len(self.ids)] == self.ids
        return state


class Settle(Scenario):
    """The detached settle of a session that was compacted again and cleared: captures, a summary, a baton."""

    def __init__(self, arena) -> None:
        super().__init__(arena)
        self.append("old", "compacted", summary="what the host kept", trigger="auto")
        self.append("old", "session_start", "after_compaction", source="compact")
        self.append("old", "turn_start", prompt="second")
        self.append("old", "compaction", trigger="manual")
        self.append("old", "session_stop", "cleared", reason="clear")

    def work(self) -> None:
        held = lock.take(self.arena.layout.worker("old"), 0)
        worker.main(self.arena.root, "old", str(held))

    def holds(self, kind: str, status: int) -> None:
        super().holds(kind, status)
        self.arena.sound("old")
        self.arena.engine.settle("old")
        state = self.old_is_settled()
        assert state.phase is Phase.HALTED
        assert state.turn_number == 2
        if not state.failures:
            self._all_was_done(state)

    def _all_was_done(self, state) -> None:
        found = capture_file.read(captures.read(self.arena.layout, "old"))
        assert found.matter["line"] == self.ids[-2]
        assert len(os.listdir(os.path.join(self.arena.layout.captures("old"), "archive"))) == 2
        assert captures.summary(self.arena.layout, "old", 1) == "what the host kept"
        lying = batons.names(self.arena.layout, "main")
        assert [batons.look(self.arena.layout, name)["session"] for name in lying] == ["old"]


class Hook(Scenario):
    """A hook with one payload."""

    hook = ""
    session = "old"

    def work(self) -> None:
        reading, writing = os.pipe()
        os.write(writing, self.raw())
        os.close(writing)
        said = run("claude", reading, os.environ)
        assert said == "" or self.hook in ("SessionStart", "PreCompact")

    def raw(self) -> bytes:
        return self.arena.payload(self.session, self.hook, transcript_path="/mine", prompt="mine", source="clear")

    def holds(self, kind: str, status: int) -> None:
        super().holds(kind, status)
        self.arena.sound("old")
        copies = self._copies()
        assert copies <= 1
        if kind == "error" and os.WEXITSTATUS(status) == 0 and not self._strays():
            assert copies == 1, "nothing kept it from being recorded"
        self.append("old", "turn_end", reply="next")
        self.arena.engine.settle("old")
        self.old_is_settled()

    def _copies(self) -> int:
        return sum(b'"/mine"' in line for path in _tapes(self.arena.base) for line in _lines(path))

    def _strays(self) -> bool:
        return any("strays" in path for path in _tapes(self.arena.base))

    def old_is_settled(self) -> object:
        self.ids = [name for name in self.ids if name]
        state = self.arena.settled("old")
        mine = [line.id for line in self.arena.lines("old") if line.event and line.host == "claude"]
        assert [name for name in mine if name in self.ids] == self.ids
        return state


class Prompt(Hook):
    """The lightest one."""

    hook = "UserPromptSubmit"


class Stop(Hook):
    """One that starts the detached settle."""

    hook = "Stop"


class Compaction(Hook):
    """One that speaks: it captures while the agent waits."""

    hook = "PreCompact"


class Start(Hook):
    """A start after `/clear`, with a baton to take, beside a session whose process is gone and whose lines are unread."""

    hook = "SessionStart"
    session = "new"

    def __init__(self, arena) -> None:
        super().__init__(arena)
        gone = {"pid": NOBODY, "pid_started": "1", "worktree": arena.work}
        self.append("lost", "session_start", source="startup", **gone)
        self.append("lost", "turn_start", prompt="never ended")
        tape.append(arena.layout.place("main"), {"session": "old", "at": "x"})
        tape.append(arena.layout.place("main"), {"session": "lost", "at": "x"})
        self.append("old", "session_start", "after_compaction", source="compact")
        self.append("old", "turn_start", prompt="second")
        self.append("old", "session_stop", "cleared", reason="clear")
        arena.engine.settle("old")

    def holds(self, kind: str, status: int) -> None:
        super().holds(kind, status)
        said = self._again("SessionStart")
        self._again("UserPromptSubmit")
        self.arena.engine.settle("new")
        state = self.arena.settled("new")
        assert state.phase is Phase.ACTIVE
        assert self.arena.settled("lost").phase is Phase.HALTED
        assert batons.names(self.arena.layout, "main") == [], "the baton was not used up"
        assert state.predecessor == "old"
        assert "second" in json.loads(said)["hookSpecificOutput"]["additionalContext"]

    def _again(self, hook: str) -> str:
        reading, writing = os.pipe()
        os.write(writing, self.arena.payload("new", hook, source="clear", prompt="go on"))
        os.close(writing)
        try:
            return run("claude", reading, os.environ)
        finally:
            os.close(reading)


class Intake(Scenario):
    """A hook that takes in what the script left in the spool: three payloads, in order, and then its own."""

    def __init__(self, arena) -> None:
        super().__init__(arena)
        self.folder = spool.folder_in(state_home(os.environ))
        spool.make(self.folder)
        for number, hook in enumerate(("Stop", "Notification", "UserPromptSubmit")):
            raw = arena.payload("old", hook, transcript_path=f"/{number}", prompt="mine", last_assistant_message="r")
            with open(os.path.join(self.folder, f"{100_001 + number}.{NOBODY}.claude"), "wb") as file:
                file.write(b"\0".join([f"cwd={arena.work}".encode(), b"", raw, b"end %d" % NOBODY, b""]))

    def work(self) -> None:
        spool_intake.take_in(self.folder, os.environ, 10)

    def holds(self, kind: str, status: int) -> None:
        super().holds(kind, status)
        self.arena.sound("old")
        spool_intake.take_in(self.folder, os.environ, 10)
        assert spool.entries(self.folder) == []
        assert not os.path.exists(os.path.join(self.folder, "aside"))
        self.arena.engine.settle("old")
        self.old_is_settled()
        told = [[path for line in _lines(each) if (path := _told(line))] for each in _tapes(self.arena.base)]
        assert sorted(path for each in told for path in each) == ["/0", "/1", "/2"], (
            "in this store, or where it failed in that at home"
        )
        assert all(each == sorted(each) for each in told)


def _tapes(base: str) -> list[str]:
    return [os.path.join(where, name) for where, _, names in os.walk(base) for name in names if name.endswith(".tape")]


def _told(line: bytes) -> str:
    return json.loads(line).get("data", {}).get("transcript_path", "")


def _lines(path: str) -> list[bytes]:
    """The whole lines that can be read."""
    found = []
    for raw in tape.unread(path, 0)[0]:
        try:
            json.loads(raw)
        except ValueError:
            continue
        found.append(raw)
    return found


ALL = {"settle": Settle, "prompt": Prompt, "stop": Stop, "compaction": Compaction, "start": Start, "intake": Intake}
