"""Plain records for the memory: every step with its place, from where the last reading stopped."""

from tapehead.agents.plain.transcript import LINES

follow = LINES.follow
