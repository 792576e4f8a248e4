"""Where the files of a store lie, and what is made for them."""

import os

import pytest

from tapehead.store import paths


@pytest.mark.parametrize("below", ["sessions", "captures/one", "."])
def test_what_a_store_stands_in_is_never_made(tmp_path, below):
    """A project that was removed stays removed; inside an existing one the store and its folders are made, closed to others."""
    common_dir = tmp_path / "project" / ".git"
    directory = os.path.normpath(common_dir / paths.STORE / below)
    with pytest.raises(FileNotFoundError):
        paths.make_private(directory)
    assert not (tmp_path / "project").exists()
    common_dir.mkdir(parents=True)
    paths.make_private(directory)
    assert os.stat(directory).st_mode & 0o777 == 0o700
