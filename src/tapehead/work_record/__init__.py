"""What the work of a session consists of, extracted from its turns: rules, decisions, errors, files, commands. Pure."""
