"""Any agent without hooks whose transcript has a plain form: a message on each line, as JSON. docs/agents.md says which fields are read."""
