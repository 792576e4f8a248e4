"""Cursor's records for the memory: every step with its place, from where the last reading stopped."""

from tapehead.agents.cursor.transcript import LINES

follow = LINES.follow
