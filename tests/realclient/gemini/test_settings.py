"""settings.json belongs to the user and to the client: we leave it as we found it."""


def _content(place):
    with open(place.settings, "rb") as file:
        return file.read()


def test_in_and_out(bare, seen):
    """Install, a session, uninstall: the file is byte for byte what it was."""
    before = _content(bare)
    bare.install()
    assert _content(bare) != before
    bare.print_mode("hello")
    [session] = seen.sessions()
    assert seen.path(session)[-1] == "session_stop -> ended", "the hooks were in it"
    assert bare.tapehead("uninstall").returncode == 0
    assert _content(bare) == before


def test_a_folder_that_is_not_trusted(bare):
    """No hook runs there, and doctor says why."""
    bare.install()
    assert "is not a trusted folder" not in bare.tapehead("doctor").stdout
    bare.trust("DO_NOT_TRUST")
    assert "is not a trusted folder, so Gemini runs no hook there" in " ".join(bare.tapehead("doctor").stdout.split())
