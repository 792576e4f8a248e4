"""What makes a hook start fast: stand-ins for attrs and typing, which take longer to load than a hook may run."""
