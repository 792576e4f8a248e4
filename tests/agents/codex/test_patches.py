"""Patches, file by file."""

import rollouts
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.codex import patches
from tapehead.transcript import turns


def test_each_file_of_a_patch_is_a_change():
    """What is edited as (old, new) with the lines that say where, what is written whole, what is deleted."""
    edited, added, deleted = patches.changes(rollouts.PATCH)
    pairs = (("def open_door():\n    return False", "def open_door():\n    return True"),)
    assert edited == {"kind": turns.EDIT, "path": "src/door.py", "pairs": pairs, "note": ""}
    assert added == {
        "kind": turns.WRITE,
        "path": "tests/test_door.py",
        "text": "def test_door():\n    assert open_door()",
    }
    assert deleted == {"kind": turns.EDIT, "path": "old.txt", "note": patches.DELETED}


def test_a_moved_file_is_known_by_its_new_name():
    """The old one is in the note; several hunks are several pairs."""
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y\n@@ class C\n z\n+w\n*** End of File\n*** End Patch"
    (moved,) = patches.changes(patch)
    assert (moved["path"], moved["note"]) == ("b.py", "moved from a.py")
    assert moved["pairs"] == (("x", "y"), ("z", "z\nw"))


def test_what_the_host_noted_of_a_patch_tells_the_same():
    """Where the patch itself could not be read: a diff for each path."""
    noted = {
        "/w/a.py": {"type": "update", "unified_diff": "@@ -1,2 +1,2 @@\n k\n-x\n+y\n", "move_path": None},
        "/w/b.py": {"type": "add", "content": "new\n"},
        "/w/c.py": {"type": "delete", "content": "old\n"},
        "/w/d.py": "damaged",
    }
    edited, added, deleted = patches.read_recorded(noted)
    assert edited == {"kind": turns.EDIT, "path": "/w/a.py", "pairs": (("k\nx", "k\ny"),), "note": ""}
    assert added == {"kind": turns.WRITE, "path": "/w/b.py", "text": "new\n"}
    assert deleted == {"kind": turns.EDIT, "path": "/w/c.py", "note": patches.DELETED}


@given(
    st.lists(st.sampled_from([*rollouts.PATCH.splitlines(), "*** Move to: ", "", "@@", "+", "*** Add File: "])).map(
        "\n".join
    )
)
def test_no_patch_is_too_damaged(patch):
    """Lines in any order: every change has a path and a kind."""
    for change in patches.changes(patch):
        assert change["kind"] in (turns.EDIT, turns.WRITE)
        assert isinstance(change["path"], str)
