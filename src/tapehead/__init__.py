"""Your coding agent keeps its context across compaction, /clear and crashes."""

from tapehead.startup import stand_ins

__version__ = "0.2.0"

stand_ins.install()  # before any other module of ours is loaded: a hook must not wait for typing and attrs
