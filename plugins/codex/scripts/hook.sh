#!/bin/sh
# One hook event of Codex, handed to tapehead. $1 is the event. Whatever happens, the host sees exit code 0.
#
# TAPEHEAD_VIA tells tapehead which way the event came: where its hooks are in the settings too, the host runs both, and tapehead
# writes the event once.

found=$(command -v tapehead 2>/dev/null) || found="$HOME/.local/bin/tapehead"
script=${XDG_STATE_HOME:-$HOME/.local/state}/tapehead/hook.sh # the first session has none: the worker puts it there
if [ -x "$found" ]; then
    export TAPEHEAD_VIA=plugin
    if [ -f "$script" ]; then
        sh "$script" "$found" hook codex
    else
        "$found" hook codex
    fi
    exit 0
fi

payload=$(cat) # all of it: a host that is still writing must not meet a closed pipe
[ "$1" = SessionStart ] || exit 0
case $payload in
*'"source":"compact"'* | *'"source":"clear"'*) exit 0 ;; # said when this client started
esac
printf '%s\n' '{"systemMessage":"tapehead: the plugin is here, but the program is not, so nothing is recorded. Install it with `uv tool install .` or `pipx install .` in a clone of tapehead, then start a new session."}'
exit 0
