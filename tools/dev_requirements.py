"""Prints the `dev` group of pyproject.toml, one requirement a line: pip learned `--group` only in 25.1."""

import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
print("\n".join(PROJECT["dependency-groups"]["dev"]))
