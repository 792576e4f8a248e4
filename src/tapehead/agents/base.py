"""What an agent is: the contract that every folder in here keeps. Only type checkers and tests load this; no hook does.

An agent `x` is a folder `agents/x/` with a module for each Protocol: `hooks` (light), `setup`, `transcript` (a Reader), `steps` (a
Follower), `places` (Places) and `delivery` (Deliveries). The last four are described where they are looked up: agents/readers.py; an agent
whose record nobody can read has none of them, and the tape alone speaks for it. The
suite in tests/agents/contract holds every agent to all of it, from recorded payloads and files. docs/adding-an-agent.md shows the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.claude import hooks as claude_hooks
    from tapehead.agents.claude import setup as claude_setup
    from tapehead.agents.clients import Compatibility
    from tapehead.agents.codex import hooks as codex_hooks
    from tapehead.agents.codex import setup as codex_setup
    from tapehead.agents.copilot import hooks as copilot_hooks
    from tapehead.agents.copilot import setup as copilot_setup
    from tapehead.agents.cursor import hooks as cursor_hooks
    from tapehead.agents.cursor import setup as cursor_setup
    from tapehead.agents.droid import hooks as droid_hooks
    from tapehead.agents.droid import setup as droid_setup
    from tapehead.agents.gemini import hooks as gemini_hooks
    from tapehead.agents.gemini import setup as gemini_setup
    from tapehead.agents.hook_entries import InstalledHook
    from tapehead.agents.hook_event import Heard
    from tapehead.agents.kiro import hooks as kiro_hooks
    from tapehead.agents.kiro import setup as kiro_setup
    from tapehead.agents.opencode import hooks as opencode_hooks
    from tapehead.agents.opencode import setup as opencode_setup
    from tapehead.agents.qwen import hooks as qwen_hooks
    from tapehead.agents.qwen import setup as qwen_setup


class Teller(Protocol):
    """Who tells of a session: an agent's hooks, or its transcript alone (engine/record_watch.py)."""

    def untold(self, found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:
        """What happened before this without a hook, by the agent's own record; the end of the tape says up to where that was read."""

    def directory(self, payload: object, env: Mapping[str, str]) -> str:
        """Where the session belongs; nothing where nobody says."""


class Hooks(Teller, Protocol):
    """What a hook needs: payloads in, the machine's words out, and back. Standard library only, and little of that."""

    HOST: str
    """The word by which the agent goes everywhere: in commands, on tapes, in states."""
    HOOKS: tuple[str, ...]
    """The hooks that `install` registers, by the agent's own names."""
    LIMIT: int
    """How much one value may hold before the agent cuts it, as `size` counts."""
    STARTS_TWICE: bool
    """Whether one start may be said twice, both of which reach the model."""
    ONE_OFF: tuple[str, ...]
    """Words on its command line that say: one prompt, and out."""

    def heard(self, payload: object, env: Mapping[str, str]) -> Heard:
        """What a payload says. Raises NotOurs for one that this agent did not send; nothing else, whatever comes."""

    def host_pid(self, env: Mapping[str, str]) -> str:
        """The agent's process, where the agent names it; else the process above the hook is taken."""

    def carries_context(self, hook: str) -> bool:
        """Whether what is printed now reaches the model."""

    def carries_steer(self, hook: str) -> bool:
        """Whether what is printed now reaches the summariser."""

    def size(self, text: str) -> int:
        """How much of LIMIT a text takes."""

    def reply(self, hook: str, context: str, steer: str, person: str) -> str:
        """What to print so that the agent takes it as meant: nothing at all where there is nothing to say."""


class Entries(Protocol):
    """Our hooks in the text of a file: entries among others (agents/hook_entries.py), or a file of our own (agents/own_file.py)."""

    @property
    def events(self) -> tuple[str, ...]:
        """The hooks that are asked for."""

    def is_ours(self, command: str) -> bool:
        """Whether a command line runs our hook."""

    def hooks_of_ours(self, text: str) -> tuple[InstalledHook, ...]:
        """Our entries, in the order of the file."""

    def with_hooks(self, text: str | None, command: str) -> str:
        """The text with exactly one entry of ours for each event, all with this command."""

    def without_hooks(self, text: str, before: str | None = None) -> str:
        """The text without our entries; what stood there `before` they came stays."""


class Setup(Protocol):
    """What `install`, `uninstall` and `doctor` need."""

    NAME: str
    """What people call the agent."""
    PROGRAM: str
    """What they type."""
    SCOPES: tuple[str, ...]
    """Whose settings our hooks can stand in; the first is the usual one."""

    @property
    def ENTRIES(self) -> Entries:  # noqa: N802 - a constant of a module, which nobody sets
        """Our hooks in the text of its settings."""

    @property
    def COMPATIBILITY(self) -> Compatibility | None:  # noqa: N802 - as above
        """Which clients reject a file for an event in it; None where an unknown event is passed over, or the file is ours alone."""

    def own_directory(self, home: str, env: Mapping[str, str]) -> str:
        """The directory in their home that is there where the agent is."""

    def settings_path(self, scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:
        """The settings file of a scope."""

    def command_for(self, scope: str, executable: str, script: str) -> str:
        """The command line that our hooks run, through the script (agents/hook_command.py). It never changes with our version."""

    def to_do(self, path: str) -> str:
        """What the user has to do after an install before the hooks run; nothing where they just run."""

    def complaints(
        self, path: str, text: str, *, home: str, env: Mapping[str, str], project: str
    ) -> list[tuple[str, str]]:
        """Why hooks that stand in a settings file do not run all the same, each with what to do about it."""


if TYPE_CHECKING:
    # mypy reads here that each keeps the contract.
    _HOOKS: tuple[Hooks, ...] = (
        claude_hooks,
        codex_hooks,
        gemini_hooks,
        copilot_hooks,
        opencode_hooks,
        cursor_hooks,
        kiro_hooks,
        droid_hooks,
        qwen_hooks,
    )
    _SETUPS: tuple[Setup, ...] = (
        claude_setup,
        codex_setup,
        gemini_setup,
        copilot_setup,
        opencode_setup,
        cursor_setup,
        kiro_setup,
        droid_setup,
        qwen_setup,
    )
