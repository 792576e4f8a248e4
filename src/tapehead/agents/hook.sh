#!/bin/sh
# Runs one hook of a coding agent: sh hook.sh PROGRAM hook AGENT. Whatever happens, the agent sees exit code 0 and nothing harmful.
# `tapehead install` wrote this file, `tapehead uninstall` removes it.

[ "${TAPEHEAD_DEBUG:-}" ] || exec 2>/dev/null
if [ ! -x "$1" ]; then # tapehead was removed: take the payload, so that the agent meets no closed pipe, and say nothing
    cat >/dev/null
    exit 0
fi
"$@" guarded && exit 0

# The program is there and did not run: no Python, no memory, a disk that fails. What it has not read of the payload is kept;
# `tapehead doctor --fix` puts it on its tape.
umask 077
kept=${0%/*}/unheard
mkdir -p "$kept"
set -- "$3" "$kept"/*
if [ $# -le 1000 ]; then
    name=$kept/$(date +%s).$$.$1
    {
        printf 'agent=%s\ncwd=%s\nCLAUDE_PROJECT_DIR=%s\nCLAUDE_PID=%s\n\n' "$1" "$PWD" "${CLAUDE_PROJECT_DIR:-}" "${CLAUDE_PID:-}"
        cat
    } >"$name.new" && mv "$name.new" "$name"
fi
cat >/dev/null
exit 0
