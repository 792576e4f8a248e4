"""A passing copy of the repository beside the user's, for those who only look: what is recorded in it goes with it."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def copy_side(path: str, common_dir: str) -> Iterator[str]:
    """Copy the refs and what is remembered beside them; the objects of both repositories are borrowed, by their whole paths."""
    with tempfile.TemporaryDirectory(prefix="tapehead-") as folder:
        copy = os.path.join(folder, os.path.basename(path))
        shutil.copytree(path, copy, ignore=_left_out(path), dirs_exist_ok=True)
        info = os.path.join(copy, "objects", "info")
        os.makedirs(info)
        borrowed = (os.path.abspath(os.path.join(each, "objects")) for each in (path, common_dir))
        with open(os.path.join(info, "alternates"), "w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(f"{each}\n" for each in borrowed)
        yield copy


def _left_out(path: str) -> Callable[[str, list[str]], set[str]]:
    """The objects, and the locks of others."""

    def ignored(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if name.endswith(".lock") or (name == "objects" and folder == path)}

    return ignored
