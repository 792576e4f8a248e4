"""How much of what a session needs after a compaction a brief holds: what `tapehead bench` measures."""
