"""Puts the files back to how a turn left them, and undoes it."""
