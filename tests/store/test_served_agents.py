"""Which agents have our server running."""

import os

from tapehead.store import served_agents
from tapehead.store.paths import Layout


def test_a_mark_counts_for_the_process_that_left_it(tmp_path):
    """Neither for another number, nor for a later process with the same one."""
    layout = Layout(str(tmp_path))
    os.mkdir(tmp_path / "places")
    served_agents.note(layout, 41, "900", lambda _pid, _started: False)
    assert served_agents.is_served(layout, 41, "900")
    assert not served_agents.is_served(layout, 41, "901")
    assert not served_agents.is_served(layout, 42, "900")
    assert not served_agents.is_served(layout, None, "")
    assert os.stat(layout.served(41)).st_mode & 0o777 == 0o600
    served_agents.forget(layout, 41)
    assert not served_agents.is_served(layout, 41, "900")
    served_agents.forget(layout, 41)


def test_marks_of_processes_that_are_gone_go(tmp_path):
    """A server that was killed took nothing away; other files there are left alone."""
    layout = Layout(str(tmp_path))
    os.mkdir(tmp_path / "places")
    (tmp_path / "places" / "main.tape").write_text("")
    served_agents.note(layout, 41, "900", lambda _pid, _started: False)
    served_agents.note(layout, 42, "950", lambda pid, started: (pid, started) == (41, "900"))
    assert sorted(os.listdir(tmp_path / "places")) == ["42.served", "main.tape"]


def test_where_there_is_no_store_none_is_made(tmp_path):
    """A server in a repository that tapehead was never used in leaves nothing."""
    served_agents.note(Layout(str(tmp_path / "none")), 41, "900", lambda _pid, _started: False)
    assert os.listdir(tmp_path) == []
