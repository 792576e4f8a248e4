"""Payloads that no agent ever sent, through the hook's own entry: exit 0, nothing on stderr, and on stdout nothing or what the agent reads.

Each one runs in a process of its own, which was forked from one that has loaded the program: thousands of starts of Python would take
an hour. It has a limit in memory and in time, and what it writes stays in the arena.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import sys
from pathlib import Path

import pytest
from arena import Arena
from mutations import Mutator

import tapehead.engine.engine
import tapehead.engine.hook
import tapehead.engine.reply
import tapehead.engine.start
from tapehead import system
from tapehead.agents.registry import AGENTS, HOSTS
from tapehead.cli import main

RECORDED = Path(__file__).parents[1] / "agents" / "contract" / "recorded"
SECONDS = 180
MEMORY = 1_500_000_000
"""Bytes of address space: one that reads a payload of a few megabytes has no use for more."""
TAKEN = {"claude": {"systemMessage", "hookSpecificOutput"}, "kiro": None}
"""The keys that an agent reads; with None, plain words."""
SWALLOWED = re.compile(rb"tapehead: [A-Z]\w*: .*")
"""An exception that got as far as the last door: with TAPEHEAD_DEBUG it is told there. Why a payload is no payload is told too."""
DECISIONS = ("decision", "continue", "permission", "stopReason", "block", "followup_message")
"""Words with which an agent is stopped or steered: none of them is ever ours."""


def payloads(host):
    recorded = json.loads((RECORDED / host / "payloads.json").read_text(encoding="utf-8"))
    return [(one["payload"], one["env"]) for one in recorded.values()]


class Fuzz:
    """One agent's hooks in an arena."""

    def __init__(self, base, host, seed):
        self.arena, self.host = Arena(base), host
        self.random = random.Random(f"{host} {seed}")
        self.sent = [self._placed(payload) for payload, _ in payloads(host)]
        self.envs = [env for _, env in payloads(host)]
        self.mutator = Mutator(self.sent, self.random)

    def _placed(self, payload):
        """As it was recorded, but here."""
        here = {"cwd": self.arena.work}
        roots = {"workspace_roots": [self.arena.work]} if "workspace_roots" in payload else {}
        return {**payload, **{key: value for key, value in here.items() if key in payload}, **roots}

    def raw(self):
        """A payload with something wrong in it: of the wrong kind, torn, nested, huge, twice, in another encoding."""
        how = self.random.random()
        if how < 0.06:
            payload = dict(self.random.choice(self.sent))
            payload[self.random.choice([*payload])] = self.random.choice(
                ("x" * 3_000_000, ["y"] * 200_000, "\u2028" * 9)
            )
            return json.dumps(payload).encode()
        if how < 0.12:
            coding = self.random.choice(("utf-16", "utf-32", "utf-8-sig", "latin-1", "utf-7"))
            return json.dumps(self.random.choice(self.sent), ensure_ascii=False).encode(coding, "replace")
        if how < 0.2:
            payload = dict(self.random.choice(self.sent))
            for key in self.random.sample([*payload], self.random.randint(1, len(payload))):
                del payload[key]
            return json.dumps(payload).encode()
        return self.mutator.line()

    def run(self, count):
        """So many of them, one after another."""
        for _ in range(count):
            raw = self.raw()
            debug = {"TAPEHEAD_DEBUG": "1"} if self.random.random() < 0.5 else {}
            code, out, err = self._hook(raw, debug)
            shown = SWALLOWED.findall(err) if debug else err
            assert (code, shown) in ((0, []), (0, b"")), (code, err[-500:], raw[:1_000], len(raw))
            self._is_readable(out, raw)

    def _is_readable(self, out, raw):
        if not out:
            return
        text = out.decode()
        steers = AGENTS[self.host].carries_steer("PreCompact") and b"PreCompact" in raw.replace(
            b"\0", b""
        )  # UTF-16 too
        if TAKEN.get(self.host, ()) is None or steers:
            return  # plain words, for the model or for its summariser
        said = json.loads(text)
        assert isinstance(said, dict), raw[:2_000]
        assert not {*said} & {*DECISIONS}, (said, raw[:2_000])
        assert {*said} <= TAKEN.get(self.host, {*said}), (said, raw[:2_000])

    def _hook(self, raw, more):
        paths = [os.path.join(self.arena.base, name) for name in ("in", "out", "err")]
        Path(paths[0]).write_bytes(raw)
        env = {
            name: self.arena.work if name.endswith("_DIR") else text
            for name, text in self.random.choice(self.envs).items()
        } | more
        child = os.fork()
        if child == 0:
            self._become_a_hook(paths, env)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        assert code != -signal.SIGALRM, ("it hangs", raw[:2_000])
        return code, *(Path(path).read_bytes() for path in paths[1:])

    def _become_a_hook(self, paths, env):
        """Never comes back: it is what the console script runs, with a clock and a limit."""
        try:
            flags = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for number, (path, how) in enumerate(zip(paths, flags, strict=True)):
                os.dup2(os.open(path, how, 0o600), number)
            sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, mode) for n, mode in enumerate("rww"))
            os.environ.clear()
            os.environ.update({**self.arena.env, **env})
            os.chdir(self.arena.work)
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            main.run_hook(self.host)
        finally:
            os._exit(99)


@pytest.fixture
def alone(monkeypatch):
    """Nobody is let loose by these hooks; what they left for a worker is folded at the end."""
    monkeypatch.setattr(system, "spawn_detached", lambda *_: None)


def walk(base, host, count, seed):
    """Through so many payloads; afterwards every tape replays, and nothing was written elsewhere."""
    fuzz = Fuzz(base, host, seed)
    fuzz.run(count)
    assert {*os.listdir(base)} <= {"home", "work", "in", "out", "err"}
    assert os.listdir(fuzz.arena.work) == [".git"]
    for session in fuzz.arena.engine.store.list():
        fuzz.arena.engine.settle(session)
        fuzz.arena.sound(session)


@pytest.mark.parametrize("host", HOSTS)
def test_mutated_payloads(tmp_path, alone, host):
    """A sample for each agent."""
    walk(str(tmp_path), host, 10, "short")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("host", HOSTS)
def test_ten_thousand_mutated_payloads(tmp_path, alone, host, part):
    """The same, ten thousand in all."""
    walk(str(tmp_path), host, 10_000 // 2 // len(HOSTS), part)


def test_the_hosts_are_all_of_them():
    """A new agent's payloads are mutated too."""
    assert {*HOSTS} == {*AGENTS} - {"git"}
    assert all(payloads(host) for host in HOSTS)
    assert tapehead.engine.engine
