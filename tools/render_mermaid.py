"""Lets the real Mermaid draw docs/diagrams/*.mmd in a headless browser, as PNGs to look at: `make render-diagrams`.

Exit 1 where Mermaid reports an error, 0 and a word of explanation where there is no browser or no npm to ask.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "mermaid"
VERSION = "11.17.2"  # exact: a picture that changes should do so because of us
SCRIPT = CACHE / "node_modules" / "mermaid" / "dist" / "mermaid.min.js"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--virtual-time-budget=30000",
]
PAGE = """<!doctype html><meta charset="utf-8"><body style="margin:16px;background:#fff">
<pre class="mermaid">{source}</pre><script src="{script}"></script><script>
mermaid.initialize({{startOnLoad: false}});
mermaid.run().then(() => {{
  const svg = document.querySelector("svg"), box = svg.viewBox.baseVal;
  svg.style.maxWidth = "none"; svg.setAttribute("width", box.width); svg.setAttribute("height", box.height);
  document.body.dataset.size = Math.ceil(box.width) + "x" + Math.ceil(box.height);
}}).catch(error => {{ document.body.dataset.error = error.message || String(error); }});
</script>"""


def missing() -> str | None:
    """What this machine lacks, if anything."""
    if not any(map(shutil.which, BROWSERS)):
        return f"no browser here (looked for {', '.join(BROWSERS)})"
    if not SCRIPT.exists() and not shutil.which("npm"):
        return "no npm here to install mermaid with"
    return None


def install() -> None:
    """Put the mermaid package into the cache, once."""
    if not SCRIPT.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(CACHE)]
        subprocess.run(["npm", "install", *flags, f"mermaid@{VERSION}"], check=True, cwd=CACHE)  # noqa: S603, S607 - npm of the PATH, as make finds its tools


def browse(page: Path, *flags: str) -> str:
    """What a fresh browser has to say about a page."""
    browser = next(filter(None, map(shutil.which, BROWSERS)))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, *FLAGS, f"--user-data-dir={profile}", *flags, page.as_uri()]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout  # noqa: S603 - our own page


def render(source: Path) -> str:
    """Draw one file, and say how it went: first to learn the size or the error, then for the picture."""
    page, picture = CACHE / f"{source.stem}.html", CACHE / f"{source.stem}.png"
    page.write_text(
        PAGE.format(source=html.escape(source.read_text(encoding="utf-8")), script=SCRIPT.as_uri()), encoding="utf-8"
    )
    seen = browse(page, "--dump-dom")
    size = re.search(r'data-size="(\d+)x(\d+)"', seen)
    if size is None:
        error = re.search(r'data-error="([^"]*)"', seen)
        raise ValueError(html.unescape(error[1]) if error else "the page never finished drawing")
    width, height = (int(side) for side in size.groups())
    browse(page, f"--window-size={width + 40},{height + 60}", f"--screenshot={picture}")
    return f"{source.relative_to(ROOT)}: {width}x{height}, {picture.relative_to(ROOT)}"


def main() -> int:
    """Draw them all."""
    lack = missing()
    if lack:
        print(f"skipped: {lack}")
        return 0
    install()
    failed = 0
    for source in sorted((ROOT / "docs" / "diagrams").glob("*.mmd")):
        try:
            print(render(source))
        except ValueError as error:
            failed = 1
            print(f"error: Mermaid cannot draw {source.relative_to(ROOT)}: {error}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
