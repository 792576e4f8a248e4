#!/bin/sh
# The MCP server of tapehead, for Gemini. Without the program there is no server, and the client says so.

found=$(command -v tapehead 2>/dev/null) || found="$HOME/.local/bin/tapehead"
if [ ! -x "$found" ]; then
    echo 'tapehead is not installed: `uv tool install .` or `pipx install .` in a clone of tapehead.' >&2
    exit 1
fi
TAPEHEAD_VIA=plugin exec "$found" mcp
