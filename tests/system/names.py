"""The names that only POSIX has, and that nobody but tapehead.system may use."""

MODULES = ("fcntl", "pwd", "grp", "termios", "resource", "tty", "pty", "syslog", "nis", "crypt")
OS = (
    "fork", "forkpty", "posix_spawn", "posix_spawnp", "getuid", "geteuid", "getgid", "getegid", "getgroups", "setuid", "setgid",
    "setsid", "getsid", "getpgid", "getpgrp", "setpgid", "killpg", "nice", "getpriority", "setpriority", "pread", "pwrite", "preadv",
    "pwritev", "fchmod", "fchown", "chown", "lchown", "lchmod", "mkfifo", "mknod", "statvfs", "fstatvfs", "uname", "sysconf",
    "ttyname", "ctermid", "openpty", "memfd_create", "sched_yield", "sched_getaffinity", "sendfile", "fdatasync", "sync",
    "set_blocking", "get_blocking", "register_at_fork", "wait", "wait3", "wait4", "waitid", "O_NOFOLLOW", "O_NONBLOCK",
    "O_DIRECTORY", "O_NOCTTY", "O_CLOEXEC", "O_SYNC", "WNOHANG", "getloadavg", "chroot", "pipe2", "fchdir", "major", "minor",
)  # fmt: skip
SIGNAL = (
    "alarm",
    "setitimer",
    "getitimer",
    "pause",
    "SIGALRM",
    "SIGKILL",
    "SIGTSTP",
    "SIGWINCH",
    "SIGHUP",
    "SIGUSR1",
    "sigwait",
)
DANGEROUS = ("kill", "waitpid")
"""Windows has these too, and they mean something else there: os.kill(pid, 0) ends the process."""
