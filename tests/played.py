"""Histories played through hooks, tapes and transcripts: a human, two agents with their tool calls, a server; the oracle of whose.py knows who typed what.

Time is the story's own: ten seconds a step. Files, transcripts, tapes and git's commits have their times from it.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from tapehead.actions.rewrites import follow
from tapehead.cli.app import app
from tapehead.engine import git_hook
from tapehead.engine.engine import Engine
from tapehead.statemachine.vocabulary import Event
from tapehead.store import starts, tape
from tapehead.store.paths import Layout
from whose import HUMAN, OPS, Story

SECOND = 1_000_000_000
STEP = 10 * SECOND
LONG_AGO = 20_000 * SECOND
NEVER_MIND = "[Request interrupted by user]"
COMMON = ("switch", "switch", "edit", "edit", "edit", "create", "commit", "commit")
ADDED = ("server_merge", "split", "stash_conflict", "formatter", "interrupt", "overlap", "types_in_turn")
PLAYED = (*dict.fromkeys(name for name in OPS if name not in {"rewind", *COMMON}), *ADDED)
"""The operations of the table in docs/checkpoints.md."""


class Played(Story):
    """Told as the hooks and Claude Code's transcripts tell it, and settled as the worker does."""

    def __init__(self, directory):
        self.now = time.time_ns() - LONG_AGO
        self.calls, self.inside = 0, ""
        super().__init__(directory, agents=("one", "two"))
        self.layout = Layout(str(self.repo / ".git" / "tapehead"))
        self.engine = Engine(self.layout, lambda: self.now)
        self.unended = set()
        for agent in self.agents:
            starts.note(self.layout, "main", {"session": agent, "at": tape.instant(self.now)})
            self.hear(agent, Event.SESSION_START)
            self.begins(agent)
            self.ends(agent)

    def git(self, *words, check=True, **env):
        at = f"{self.now // SECOND} +0000"
        return super().git(*words, check=check, GIT_COMMITTER_DATE=at, GIT_AUTHOR_DATE=at, **env)

    def line(self, who):
        """One that a formatter can break."""
        self.count += 1
        n = self.count
        self.typed[text := f"value_{n} = compute_{n}(first_{n}, second_{n})"] = who
        return text + "\n"

    def who(self, line):
        return self.typed.get(line.strip())

    # -- what is heard of it ----------------------------------------------------------------------------------------

    def transcript(self, agent):
        return self.repo.parent / f"{agent}.jsonl"

    def say(self, agent, who, content, at=None, **more):
        when = datetime.fromtimestamp((at or self.now) / SECOND, UTC).isoformat()
        entry = {"type": who, "timestamp": when, "message": {"role": who, "content": content}, **more}
        with self.transcript(agent).open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def hear(self, agent, event, **data):
        self.now += 1
        line = {"id": tape.stamp(self.now, os.getpid()), "at": tape.instant(self.now), "host": "claude"}
        where = {"worktree": str(self.repo), "transcript_path": str(self.transcript(agent)), **data}
        self.engine.store.append(agent, {**line, "event": event.value, "facts": [], "data": where})
        self.engine.settle(agent)

    def begins(self, agent):
        self.say(agent, "user", f"prompt {self.count}")
        self.hear(agent, Event.TURN_START, prompt=f"prompt {self.count}")
        self.unended.discard(agent)
        self.pass_time()

    def ends(self, agent):
        self.say(agent, "assistant", [{"type": "text", "text": "done"}])
        self.hear(agent, Event.TURN_END)

    def message(self, text, amends):
        file = self.repo / ".git" / "MSG"
        file.write_text(text + "\n")
        git_hook.run(["prepare-commit-msg", str(file), "message"], {**os.environ, "GIT_EDITOR": ":"})
        return ("-F", str(file))

    def made(self):
        git_hook.run(["post-commit"], os.environ)
        self.settle()

    def rewritten(self, pairs):
        line = {"at": tape.instant(self.now), "worktree": str(self.repo), "pairs": pairs}
        tape.append(self.layout.rewrites, line)
        self.settle()

    def settle(self):
        for agent in self.agents:
            self.engine.settle(agent)
        if os.path.exists(self.layout.rewrites):
            follow(self.layout)

    # -- what people and agents do ----------------------------------------------------------------------------------

    def does(self, name, n):
        """One step. What an agent does with files or git is a call of a tool, from a second before it to a second after."""
        self.pass_time()
        inside = self.working if name not in {"switch", "interrupt", "overlap", "types_in_turn"} else ""
        as_edit = name in {"edit", "create"} and n % 4
        if inside and not as_edit:
            self.begin_call(inside, "Bash", {"command": f"{name} {n}"})
        before, begun = {path: path.read_bytes() for path in self.tracked()}, self.now
        times = {path: path.stat().st_mtime_ns for path in before}
        self.now += SECOND if inside else 0
        getattr(self, name)(n)
        for path, content in before.items():
            if path.exists() and path.read_bytes() == content:
                os.utime(path, ns=(times[path], times[path]))  # nobody writes a file as it is
        self.set_times()
        self.now += SECOND if inside else 0
        if inside and as_edit:
            given = self.edited(before)
            self.begin_call(inside, "Write" if "content" in given else "Edit", given, begun)
        if inside:
            self.end_call(inside, self.result_of(given, before) if as_edit else None)

    def edited(self, before):
        """What an Edit or a Write says of the change."""
        for path in self.tracked():
            if path.read_bytes() != before.get(path):
                return (
                    {"file_path": str(path), "content": path.read_text()}
                    if path not in before
                    else _edit(path, before[path])
                )
        return {"file_path": str(self.repo / "a.txt"), "old_string": "", "new_string": ""}

    def begin_call(self, agent, name, given, at=None):
        self.calls += 1
        self.say(agent, "assistant", [{"type": "tool_use", "id": f"t{self.calls}", "name": name, "input": given}], at)

    def end_call(self, agent, result=None):
        told = {"toolUseResult": result} if result else {}
        done = {"type": "tool_result", "tool_use_id": f"t{self.calls}", "content": "done"}
        self.say(agent, "user", [done], **told)

    def result_of(self, given, before):
        """As Claude Code tells of an edit: what the file held before."""
        path = Path(given["file_path"])
        held = before[path].decode() if path in before else None
        return {"filePath": str(path), "originalFile": held, **({"type": "create"} if held is None else {})}

    def pass_time(self):
        self.now += STEP

    def set_times(self):
        """What was written just now was written at the story's time."""
        for path in self.tracked():
            if path.stat().st_mtime_ns > self.now:
                os.utime(path, ns=(self.now, self.now))
        self.git("update-index", "-q", "--refresh", check=False)

    def write_as(self, who, n):
        """An edit by somebody else than the one at work."""
        before, self.working = self.working, who
        self.edit(n)
        self.working = before

    def at_work(self, n):
        """Somebody works, and has done something."""
        if not self.working:
            self.switch(n)
        self.does("edit", n | 1)

    def types_in_turn(self, n):
        """The human types while an agent works, between its calls."""
        self.at_work(n)
        self.pass_time()
        self.write_as(HUMAN, n // 2)

    def interrupt(self, n):
        """Escape: no hook tells of it. What comes next is the human's."""
        self.at_work(n)
        self.pass_time()
        self.say(self.working, "user", [{"type": "text", "text": NEVER_MIND}])
        self.unended.add(self.working)
        self.working = HUMAN
        self.does("edit", n // 3)

    def overlap(self, n):
        """The other agent has a turn of its own while one works, in the same files."""
        self.at_work(n)
        one, other = self.working, next(agent for agent in self.agents if agent != self.working)
        if other in self.unended:
            return
        self.begins(other)
        for agent, seed in ((other, n), (one, n // 2 + 7), (other, n // 3 + 11)):
            self.working = agent
            self.does("edit", seed - (seed % 4 == 0))
        self.pass_time()
        self.ends(other)
        self.working = one

    def formatter(self, n):
        """Calls are broken into several lines: nobody wrote anything."""
        files = self.tracked()
        path = files[n % len(files)]
        found = []
        for row, text in enumerate(path.read_text().splitlines()):
            owner = self.who(text)
            if owner is None or not text.endswith(")") or (row + n) % 2:
                found.append(text)
                continue
            head, _, inner = text.partition("(")
            parts = [f"{head}(", *(f"    {part.strip()}," for part in inner.rstrip(")").split(",")), ")"]
            self.typed |= {part.strip(): owner for part in parts[:-1]}
            found += parts
        path.write_text("".join(f"{text}\n" for text in found))

    def split(self, n):
        """A commit becomes several in an interactive rebase, one for each file."""
        commits = self.own_commits()
        if not commits or self.git("status", "--porcelain"):
            return
        chosen = commits[n % len(commits)]
        heard = self.repo / ".git" / "heard"
        heard.write_text("")
        hook = self.repo / ".git" / "hooks" / "post-rewrite"
        hook.write_text(f"#!/bin/sh\ncat >> '{heard}'\n")
        hook.chmod(0o755)
        words = ("rebase", "-q", "-i", f"{chosen}^")
        self.git(*words, check=False, GIT_SEQUENCE_EDITOR="sed -i '1s/^pick/edit/'", GIT_EDITOR="true")
        if self.git("reset", "-q", "HEAD^", check=False) == 0:
            for name in self.git("ls-files", "-m", "-d", "-o", "--exclude-standard").splitlines():
                self.git("add", "--", name)
                self._commit(f"part of {name}")
        failed = self.git("rebase", "--continue", check=False, GIT_EDITOR="true")
        hook.unlink()
        if failed:
            self.git("rebase", "--abort", check=False)
        elif pairs := [row.split()[:2] for row in heard.read_text().splitlines()]:
            self.rewritten(pairs)

    def stash_conflict(self, n):
        """What is stashed comes back to lines that were committed otherwise meanwhile."""
        if self.git("stash", "list") or not self.git("diff", "--name-only"):
            return
        name = self.git("diff", "--name-only").splitlines()[0]
        place = int(self.git("diff", "-U0", "--", name).partition("@@ -")[2].split(",")[0].split(" ")[0] or 1)
        self.git("stash", "push", "-q")
        path = self.repo / name
        if not path.exists():
            return
        lines = path.read_text().splitlines(keepends=True)
        lines[max(0, place - 1) : place] = [self.line(self.working)]
        path.write_text("".join(lines))
        self.set_times()
        if n % 2:
            self.git("add", "-A")
            self._commit(f"meanwhile {n}")
        if self.git("stash", "pop", "-q", check=False):
            self._solve()

    def server_merge(self, n):
        """A server merges what was a branch, on top of another's commit; the clone is put to what it made."""
        commits = self.own_commits()
        if not commits or self.git("status", "--porcelain"):
            return
        since, tip = commits[n % len(commits)] + "^", self.head()
        onto = self._from_elsewhere(since) if n % 2 else self.git("rev-parse", since)
        there = self.repo.parent / f"server{self.count}-{n}"
        self.git("worktree", "add", "-q", "--detach", str(there), onto)
        done = getattr(self, ("_merged", "_squashed", "_rebased", "_squashed_by_title")[n // 2 % 4])(there, since, tip)
        made = self.git("-C", str(there), "rev-parse", "HEAD")
        self.git("worktree", "remove", "--force", str(there))
        if done:
            self.git("reset", "-q", "--hard", made)

    def _merged(self, there, since, tip):
        return (
            self.git("-C", str(there), "merge", "-q", "--no-ff", "-m", "Merge pull request #1", tip, check=False) == 0
        )

    def _squashed(self, there, since, tip):
        said = self.git("log", "--reverse", "--format=* %B", f"{since}..{tip}")
        return self._squash_into(there, tip, f"Feature (#1)\n\n{said}")

    def _squashed_by_title(self, there, since, tip):
        return self._squash_into(there, tip, "Feature")

    def _squash_into(self, there, tip, message):
        if self.git("-C", str(there), "merge", "-q", "--squash", tip, check=False):
            return False
        return self.git("-C", str(there), "commit", "-q", "-m", message, check=False) == 0

    def _rebased(self, there, since, tip):
        return self.git("-C", str(there), "cherry-pick", f"{since}..{tip}", check=False) == 0

    # -- what is said in the end ------------------------------------------------------------------------------------

    def answers(self):
        """Of every line, committed or not: who is said to have written it, and who did. Not known is `?`."""
        found = []
        for path in self.tracked():
            if not path.stat().st_size:
                continue
            done = CliRunner().invoke(app, ["blame", path.name, "--json"])
            assert done.exit_code == 0, done.stderr
            for line in json.loads(done.stdout)["lines"]:
                if (true := self.who(line["text"])) is not None:
                    said = "?" if line["who"] == "not known" else line["session"]
                    found.append((said, true, line["text"], path.name))
        return found


def _edit(path, before):
    """The lines that are new, as an Edit has them."""
    old = before.decode().splitlines()
    new = [line for line in path.read_text().splitlines() if line not in old]
    return {"file_path": str(path), "old_string": old[0] if old else "", "new_string": "\n".join(new)}


def steps_of(operation, number, seed=0):
    """A history with much of one operation."""
    chance = random.Random(f"{operation} {seed} {number}")
    pool = (*COMMON, *(operation,) * 4)
    return [(chance.choice(pool), chance.randrange(200)) for _ in range(chance.randrange(10, 24))]


@contextmanager
def played(steps):
    """The story after a history, from within its repository."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="whose") as directory:
        patch.setattr(git_hook, "_work", lambda *_: None)  # it is settled here
        story = Played(directory)
        patch.chdir(story.repo)
        for name, n in steps:
            story.does(name, n)
        yield story


def play(steps):
    """The answers after a history."""
    with played(steps) as story:
        return story.answers()


def measure(operation, numbers, seed=0):
    """How many lines are rightly said to be an agent's, are said to be, and are; and how many are said to be not known."""
    counts = Counter()
    for number in numbers:
        for said, true, *_ in play(steps_of(operation, number, seed)):
            counts["right"] += said == true != HUMAN
            counts["said"] += said not in {HUMAN, "?"}
            counts["true"] += true != HUMAN
            counts["lines"] += 1
            counts["unknown"] += said == "?"
    return counts
