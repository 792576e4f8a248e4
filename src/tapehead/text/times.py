"""Times as they are told: whoever copies one out of a text means the same moment with it."""


def minute(time: str) -> str:
    """A transcript's time up to the minute, with its zone."""
    zone = (
        "Z" if time.endswith(("Z", "+00:00")) else time[-6:] if time[-6:-5] in ("+", "-") and ":" in time[-6:] else ""
    )
    return time[:16] + zone if len(time) > 16 else time  # noqa: PLR2004 - a day, an hour and a minute
