"""A session passed on to another machine."""
