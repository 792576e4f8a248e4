#!/bin/sh
# Runs one hook of a coding agent: sh hook.sh PROGRAM hook AGENT. Whatever happens, the agent sees exit code 0 and nothing harmful.
# `tapehead install` wrote this file, `tapehead uninstall` removes it. The worker replaces one of an older version: version 7
#
# A hook that has nothing to say is written into the spool, and a background process takes it in. The program runs here only where the agent
# may get words from it, or where the spool is not there. docs/architecture.md says why; engine/spool.py reads what is written here.

[ "${TAPEHEAD_DEBUG:-}" ] || exec 2>/dev/null
program=$1 agent=$3 spool=${0%/*}/spool host='' leader='' new='' many='' kept='' here=$PWD
if [ ! -x "$program" ] || [ "${TAPEHEAD_INTERNAL:-}" ]; then # it was removed, or runs the agent itself: the agent must not meet a closed pipe
    cat >/dev/null
    exit 0
fi
payload=$(cat)

# Sets `found` to the text value of a key; fails where it is not near the beginning. `%%` takes time in proportion to the payload, `#` to
# the square of what it removes.
value_of() {
    found=${payload%%"\"$1\":\""*}
    [ ${#found} -lt 1500 ] && [ ${#found} -lt ${#payload} ] || return 1
    found=${payload#"$found\"$1\":\""}
    found=${found%%\"*}
}

# Whether tapehead is off in the repository of a directory, until it is turned on (a pause has an end: the program looks at the clock). Then
# only the session's id is kept, so that nobody reads its transcript later (store/off_switch.py). A link leads where it points to, as git sees it.
is_off() {
    case $1 in /*) ;; *) return 1 ;; esac
    cd -P "$1" || return 1
    dir=${PWD%/}
    cd "$here"
    until [ -e "$dir/.git" ]; do
        [ "$dir" ] || return 1
        dir=${dir%/*}
    done
    store=$dir/.git
    if [ -f "$store" ]; then # a worktree or a submodule: the file names the directory
        read -r store <"$store"
        store=${store#gitdir: }
        case $store in /*) ;; *) store=$dir/$store ;; esac
        if read -r common <"$store/commondir"; then
            case $common in /*) store=$common ;; *) store=$store/$common ;; esac
        fi
    fi
    store=$store/tapehead
    [ -O "$store/off" ] && [ ! -L "$store/left-out" ] && read -r first <"$store/off" || return 1
    case $first in '{"until":0,'*) ;; *) return 1 ;; esac
    value_of session_id || return 1
    case $found in '' | [.-]* | *[!A-Za-z0-9._-]*) return 1 ;; esac
    [ -e "$store/left-out/$found" ] || (umask 077 && set -C && : >"$store/left-out/$found")
}

# Sets `new` to a name behind all that are in the spool, and `many` where it holds others.
number() {
    [ "$1" != "$spool/1*" ] || set -- # not whether the first is there: it may have been taken in since, and the others not
    [ $# = 0 ] || many=yes
    [ $# -le 1000 ] || return 1
    eval "new=\${$#:-}"
    new=${new##*/}
    new=${new%%.*}
    [ $# = 0 ] && new=100000
    new=$((new + 1)).$$.$agent
}

# Sets `host` to what the kernel says of the agent's process, and `leader` of the one that leads its terminal. Both may be gone later.
look_at_host() {
    case $agent in
    claude) pid=${CLAUDE_PID:-} ;;
    opencode) pid=${OPENCODE_PID:-} ;;
    *) pid= ;;
    esac
    [ "$pid" ] || pid=$PPID
    while read -r host <"/proc/$pid/stat"; do
        name=${host#*\(}
        case ${name%\)*} in
        sh | bash | dash | zsh | fish | ksh | timeout | env | nice) ;;
        *) break ;;
        esac
        set -- ${host##*\) }
        pid=$2
    done
    set -- ${host##*\) }
    [ "${4:-0}" = 0 ] || read -r leader <"/proc/$4/stat"
}

# Writes the payload and what it came with under a name that nobody else has. Without its last word it does not count.
keep() {
    (
        umask 077
        set -C
        printf '%s\0' "tried=$1" "cwd=$here" "host=$host" "leader=$leader" "HOME=${HOME:-}" "XDG_STATE_HOME=${XDG_STATE_HOME:-}" \
            "TAPEHEAD_VIA=${TAPEHEAD_VIA:-}" "CLAUDE_PROJECT_DIR=${CLAUDE_PROJECT_DIR:-}" "CLAUDE_PID=${CLAUDE_PID:-}" \
            "CLAUDE_CODE_SESSION_ID=${CLAUDE_CODE_SESSION_ID:-}" "CODEX_HOME=${CODEX_HOME:-}" "GEMINI_PROJECT_DIR=${GEMINI_PROJECT_DIR:-}" \
            "GEMINI_SESSION_ID=${GEMINI_SESSION_ID:-}" "COPILOT_CLI=${COPILOT_CLI:-}" "COPILOT_HOME=${COPILOT_HOME:-}" \
            "COPILOT_PROJECT_DIR=${COPILOT_PROJECT_DIR:-}" "OPENCODE_PID=${OPENCODE_PID:-}" "CURSOR_PROJECT_DIR=${CURSOR_PROJECT_DIR:-}" \
            "FACTORY_PROJECT_DIR=${FACTORY_PROJECT_DIR:-}" "QWEN_PROJECT_DIR=${QWEN_PROJECT_DIR:-}" \
            "QWEN_CODE_SESSION_ID=${QWEN_CODE_SESSION_ID:-}" "GIT_CEILING_DIRECTORIES=${GIT_CEILING_DIRECTORIES:-}" \
            "" "$payload" "end $$" >"$spool/$new"
    ) && kept=yes
}

# Starts the process that takes the spool in, unless one is at it: that one looks once more before it ends.
start() {
    read -r taker <"$spool/taker" && kill -0 "$taker" && return
    trap '' HUP
    "$program" hook spool "$spool" </dev/null >/dev/null 2>&1 &
    echo $! >"$spool/taker"
}

# Sets `python` to the interpreter of the program on stdin. What an installer wrote into the program beside our import takes up to half as long as
# a hook: it loads regular expressions to look at the program's name. Any other program is left to run itself.
find_python() {
    main='from tapehead.cli.main import main'
    read -r python || return 1
    case $python in '#!/'*python*) python=${python#??} ;; *) return 1 ;; esac
    for _ in 1 2 3 4 5 6 7 8 9; do
        read -r line || return 1
        [ "$line" != "$main" ] || break
    done
    [ "$line" = "$main" ] && [ -x "$python" ]
}

# Where the session belongs, as the program sees it (`directory` of each agent).
case $agent in
claude) found=${CLAUDE_PROJECT_DIR:-} ;;
gemini) found=${GEMINI_PROJECT_DIR:-} ;;
copilot) found=${COPILOT_PROJECT_DIR:-} ;;
droid) found=${FACTORY_PROJECT_DIR:-} ;;
qwen) found=${QWEN_PROJECT_DIR:-} ;;
*) found= ;;
esac
[ "$found" ] || value_of cwd || found=
case $found in *\\*) ;; *) is_off "$found" && exit 0 ;; esac

if [ -d "$spool" ] && [ ${#payload} -le 1000000 ] && value_of hook_event_name && number "$spool"/1*; then
    case $agent:$found in
    *:Stop | *:StopFailure | *:SessionEnd | *:PostCompact | *:Notification | *:PermissionRequest | gemini:AfterAgent | cursor:stop | cursor:sessionEnd)
        keep '' && start
        ;;
    *:SubagentStop) # nothing waits for it: the next one takes it in
        keep ''
        ;;
    claude:UserPromptSubmit | codex:UserPromptSubmit | opencode:UserPromptSubmit | qwen:UserPromptSubmit)
        if [ ! "$many" ] && value_of session_id && [ -e "$spool/quiet/$found" ]; then
            look_at_host
            keep '' && start
        fi
        ;;
    esac
    [ ! "$kept" ] || exit 0
fi

find_python <"$program" && shift && set -- "$python" -P -c "$main; main()" "$@"
printf '%s\n' "$payload" | "$@" guarded "$spool" && exit 0

# The program is there and did not run: no Python, no memory, a disk that fails. Whoever comes next takes the payload in.
[ -d "$spool" ] || (umask 077 && mkdir -p "$spool")
number "$spool"/1* && keep yes
exit 0
