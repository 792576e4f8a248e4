"""The Markdown files of a store that a user may edit too: how they are read, merged and written."""
