"""Where Codex keeps its rollouts, and whose they are: `sessions/YYYY/MM/DD/rollout-<time>-<thread id>.jsonl`, packed when old."""

from __future__ import annotations

import glob
import os.path
import re

from tapehead.agents.codex.doing import word
from tapehead.agents.codex.rollout import belongs
from tapehead.transcript.entries import entry_of
from tapehead.transcript.packed import plain_name

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any
