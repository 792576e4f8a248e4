"""OpenCode's conversations for the memory: every step with its place, from where the last reading stopped."""

from tapehead.agents.opencode.transcript import LINES

follow = LINES.follow
