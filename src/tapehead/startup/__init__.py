"""What makes a hook start fast. Every other module is ordinary Python: it imports typing and attrs like any program."""
