"""The running notes of a session."""
