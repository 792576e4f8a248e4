"""Qwen Code's records for the memory: every step with its place, from where the last reading stopped."""

from tapehead.agents.qwen.transcript import LINES

follow = LINES.follow
