"""Measure the search on questions about coding sessions: whether the turn that answers is among the first hits.

    python benchmarks/recall/measure.py DIRECTORY

DIRECTORY holds the transcripts that sources.tsv names (from public repositories, each under its own licence; they are not kept here).
They are imported into a temporary repository, and every question of questions.tsv is asked as it stands. Prints the share of questions
whose turn is the first hit, and among the first five and ten; exits with 1 where fewer than 80 % are among the first five.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tapehead.history.ask import History
from tapehead.history.database import Database
from tapehead.history.filters import Wanted

HERE = Path(__file__).parent
TAPEHEAD = str(Path(sys.executable).with_name("tapehead"))
FLOOR = 0.80


def imported(transcripts: Path, place: Path) -> Path:
    """Import the transcripts into a repository of their own; its database."""
    env = {"PATH": os.environ["PATH"], "HOME": str(place), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", str(place / "repository")], check=True, env=env)
    subprocess.run([TAPEHEAD, "import", "--here", str(transcripts)], check=True, env=env, cwd=place / "repository")
    return place / "repository" / ".git" / "tapehead" / "memory.db"


def questions() -> list[tuple[set[str], str]]:
    """What is asked, and the pointers any of which answers it."""
    rows = (line.split("\t") for line in (HERE / "questions.tsv").read_text().splitlines()[1:])
    return [(set(answers.split()), question) for answers, question in rows]


def ranks(database: Path) -> list[int]:
    """The place of the first turn that answers, for each question; 99 where there is none."""
    found = []
    with Database(str(database)) as opened:
        for answers, question in questions():
            hits = History(opened).ask(Wanted(question, limit=20))
            turns = list(dict.fromkeys(f"{one.hit.session[:8]}/{one.hit.turn}" for one in hits))
            found.append(next((place for place, turn in enumerate(turns) if turn in answers), 99))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("transcripts", type=Path)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        database = imported(args.transcripts, Path(place))
        began = time.process_time()
        places = ranks(database)
        seconds = time.process_time() - began
    told = {f"hit@{most}": sum(place < most for place in places) / len(places) for most in (1, 5, 10)}
    told |= {"questions": len(places), "milliseconds": 1000 * seconds / len(places)}
    print(json.dumps(told) if args.json else "  ".join(f"{name} {value:.3g}" for name, value in told.items()))
    sys.exit(told["hit@5"] < FLOOR)


if __name__ == "__main__":
    main()
