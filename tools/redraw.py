"""Makes everything again that is generated and committed. `make redraw` runs it; tests/test_redraw.py compares.

To add something, add a line to GENERATED: the path, and the function that gives its new text from its present one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import cli_page
import configuration_page
import demo_excerpt
import example_transcript
import monitor_example
import plugin_forms
import state_page
from tapehead import __version__
from tapehead.agents.claude.compatibility import COMPATIBILITY
from tapehead.agents.claude.hooks import HOOKS
from tapehead.agents.claude.settings import TIMEOUT_SECONDS
from tapehead.agents.hook_command import of_plugin
from tapehead.diagrams import mermaid, rows_page

ROOT = Path(__file__).resolve().parent.parent
Redraw = Callable[[str], str]


def whole(make: Callable[[], str]) -> Redraw:
    """A file that is generated from its first byte to its last."""
    return lambda _: make()


def between_markers(**parts: Callable[[], str]) -> Redraw:
    """A file written by hand but for what stands between `<!-- redraw: NAME -->` and `<!-- /redraw -->`."""

    def redrawn(text: str) -> str:
        for name, make in parts.items():
            found = re.findall(rf"<!-- redraw: {name} -->\n.*?<!-- /redraw -->", text, re.DOTALL)
            if len(found) != 1:
                raise LookupError(f"there must be one `<!-- redraw: {name} -->` with its `<!-- /redraw -->`")
            text = text.replace(found[0], f"<!-- redraw: {name} -->\n{make()}<!-- /redraw -->")
        return text

    return redrawn


_FOR_ALL = COMPATIBILITY.events_of(HOOKS, COMPATIBILITY.assumed)


def plugin_hooks() -> str:
    """The hooks that every client knows: where it does not know one, it runs none of the file's."""
    return _hooks_file("Writes every move of a session on its tape", _FOR_ALL)


def newer_plugin_hooks() -> str:
    """The others, in a file of their own that an older client passes over."""
    newer = tuple(hook for hook in HOOKS if hook not in _FOR_ALL)
    return _hooks_file("Events that older clients do not know: they pass this file over", newer)


def _hooks_file(description: str, hooks: tuple[str, ...]) -> str:
    """Every hook of ours runs the plugin's script, by way of sh: an unpacked copy may have lost its mode bits."""

    def handler(hook: str) -> dict[str, object]:
        command = of_plugin("${CLAUDE_PLUGIN_ROOT}", hook)
        return {"type": "command", "command": command, "timeout": TIMEOUT_SECONDS}

    groups = {hook: [{"hooks": [handler(hook)]}] for hook in hooks}
    return json.dumps({"description": description, "hooks": groups}, indent=2) + "\n"


def with_version(manifest: str) -> str:
    """The plugin goes by the version of the program."""
    return re.sub(r'("version": ")[^"]*', rf"\g<1>{__version__}", manifest)


GENERATED: tuple[tuple[str, Redraw], ...] = (
    ("docs/diagrams/session.mmd", whole(mermaid.summary)),
    ("docs/diagrams/session-full.mmd", whole(mermaid.full)),
    ("docs/diagrams/table.md", whole(rows_page.table)),
    ("docs/cli.md", whole(cli_page.page)),
    ("docs/state-file.md", whole(state_page.page)),
    ("docs/configuration.md", whole(configuration_page.page)),
    (
        "README.md",
        between_markers(
            demo=demo_excerpt.excerpt,
            monitor=monitor_example.example,
            phases=demo_excerpt.phases,
        ),
    ),
    ("plugin/hooks/hooks.json", whole(plugin_hooks)),
    ("plugin/hooks/newer.json", whole(newer_plugin_hooks)),
    ("plugin/.claude-plugin/plugin.json", with_version),
    *((name, whole(made)) for name, made in plugin_forms.FORMS.items()),
    ("docs/continuity.md", between_markers(brief=example_transcript.example_brief)),
)


def redraw(root: Path = ROOT) -> list[str]:
    """Write what differs, and say which files those were."""
    changed = []
    for name, make in GENERATED:
        path = root / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        new = make(old)
        if new != old:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(new, encoding="utf-8")
            changed.append(name)
    return changed


if __name__ == "__main__":
    print("\n".join(f"redrawn: {name}" for name in redraw()) or "all that is generated is as the code makes it")
