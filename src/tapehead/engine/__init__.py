"""Takes a hook's payload, settles the session's tape, answers in time, and leaves the rest to a background worker."""
