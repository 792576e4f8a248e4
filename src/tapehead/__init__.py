"""The finite-state machine beside a coding agent that never loses the place."""

__version__ = "0.1.0"
