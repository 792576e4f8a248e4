"""Your coding agent keeps its context across compaction, /clear and crashes."""

__version__ = "0.1.0"
