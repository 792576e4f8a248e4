"""Which lines an agent wrote: snapshots of the work tree, and what became of their lines."""
