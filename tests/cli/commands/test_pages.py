"""The pages for users, held against the program: what they tell to type runs, what they quote is said, where they point is something."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tapehead.engine import git_hook
from transcript_script import Script

ROOT = Path(__file__).parents[3]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("plugin/*.md")])
RUNS = "<!-- a test runs these lines -->\n```console\n"


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _nobody_works_behind_us(monkeypatch):
    monkeypatch.setattr(git_hook, "_work", lambda *_: None)


def test_the_quickstart_can_be_typed_word_for_word(repository, monkeypatch):
    """Each line that is to be typed ends well and says what the page says it does, with a session in between."""
    monkeypatch.setenv("PATH", f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}")
    blocks = [part.partition("```")[0].splitlines() for part in text_of("docs/quickstart.md").split(RUNS)[1:]]
    assert len(blocks) == 6
    said = typed(repository, blocks[0])
    assert '+  "hooks": {' in said["tapehead install --dry-run"]
    assert "No problems found" in said["tapehead doctor"]
    script = worked(repository)
    said = typed(repository, blocks[1])
    assert "IDLE" in said["tapehead status"]
    assert "Never change the grammar." in said["tapehead brief"]
    compacted(repository, script)
    said = typed(repository, blocks[2])
    assert "Compaction 1" in said["tapehead losses"]
    assert "tokens" in said["tapehead log --injections"]
    said = typed(repository, blocks[3])
    assert "continues one" in said['tapehead handoff --memo "Next: the error messages of the parser"']
    assert "one" in said["tapehead resume"]
    assert "parser" in typed(repository, blocks[4])["tapehead search parser"]
    said = typed(repository, blocks[5])
    assert "hooks removed from" in said["tapehead uninstall"]


def typed(repository, lines):
    """What each line prints; it must end with 0."""
    said = {}
    for line in lines:
        words = line.removeprefix("$ ")
        done = subprocess.run(["sh", "-c", words], cwd=repository.root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        said[words] = done.stdout
    return said


def worked(repository):
    """A turn of work on a parser, in a transcript and through the hooks."""
    script = Script("one", repository.root)
    script.human("Fix the parser. Never change the grammar.").agent("The parser reads commas now.")
    path = script.write(Path(repository.home) / "one.jsonl")
    repository.hook("SessionStart", source="startup", transcript_path=path)
    repository.hook("UserPromptSubmit", prompt="Fix the parser. Never change the grammar.", transcript_path=path)
    repository.hook("Stop", last_assistant_message="The parser reads commas now.", transcript_path=path)
    repository.engine.settle("one")
    return script


def compacted(repository, script):
    path = str(Path(repository.home) / "one.jsonl")
    repository.hook("PreCompact", trigger="manual", transcript_path=path)
    script.compacts("The user asked for a fix of the parser.").write(path)
    repository.hook("SessionStart", source="compact", transcript_path=path)
    repository.engine.settle("one")


def test_what_troubleshooting_quotes_is_what_the_program_says():
    """Every message that the page quotes stands in the program, part by part where it has a gap."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    quoted = re.findall(r"“([^”]+)”|\"([^\"]+)\"", text_of("docs/troubleshooting.md"))
    parts = [part.strip() for pair in quoted for part in "".join(pair).split("…")]
    assert len(parts) > 20
    assert [part for part in parts if part and part not in source] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    """Files that are named are there, and so are the headings in them."""
    text = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, heading = target.partition("#")
        found = (page.parent / name).resolve() if name else page
        assert found.exists(), f"{page.name}: {target}"
        assert not heading or heading in headings(found), f"{page.name}: {target}"


def headings(page):
    """As GitHub names them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_is_named_is_there(page):
    """Whoever follows a walk through the program finds each file of it."""
    named = set(re.findall(r"`((?:\w+/)+\w+\.(?:py|sh))`", page.read_text(encoding="utf-8")))
    places = [ROOT / "src/tapehead", ROOT, ROOT / "tests/realclient", ROOT / "plugin"]
    assert [path for path in sorted(named) if not any((place / path).exists() for place in places)] == []


def test_the_architecture_names_files():
    """So that the test above has something to find."""
    assert len(re.findall(r"`(?:\w+/)+\w+\.py`", text_of("docs/architecture.md"))) > 30
