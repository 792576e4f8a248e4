#!/bin/sh
# A command of tapehead for the slash commands. What goes wrong is said in words, for whoever reads the answer.

found=$(command -v tapehead 2>/dev/null) || found="$HOME/.local/bin/tapehead"
if [ ! -x "$found" ]; then
    echo 'tapehead is not installed: the plugin is here, but the program is not.'
    echo 'To install it: `uv tool install .` or `pipx install .` in a clone of tapehead. Then start a new session.'
    exit 0
fi

said=$("$found" "$@" 2>&1)
case $said in
*"No such command '$1'"*)
    echo "The installed tapehead has no command \`$1\`: it is older than this plugin."
    echo 'To upgrade it: `uv tool upgrade tapehead` or `pipx upgrade tapehead`.'
    ;;
*) printf '%s\n' "$said" ;;
esac
exit 0
