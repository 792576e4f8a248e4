"""A stand-in for `tapehead.system.windows_api` on Linux, with the semantics of Windows as far as what is above can tell.

A lock belongs to one handle, and a second handle of the same process does not get it either (OFD locks); no child inherits it, because no
descriptor is inheritable. What is locked is one byte, and the stand-in refuses to lock where data is: there Windows would let nobody read.
"""

import array
import ctypes
import fcntl
import os
import struct
import termios

QUIETLY = {"start_new_session": True}
_OFD_SETLK = 37
_CLOSED = os.O_CLOEXEC
_NO_LINK = os.O_NOFOLLOW
_AT_ONCE = os.O_NONBLOCK


def open_file(path, flags, *, follow):
    if os.path.isdir(path):
        raise IsADirectoryError(21, "a directory", path)
    return os.open(path, flags | _CLOSED | _AT_ONCE | (0 if follow else _NO_LINK), 0o600)


def lock_byte(descriptor, offset):
    assert offset > os.fstat(descriptor).st_size, "what is locked nobody else could read"
    wanted = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, offset, 1, 0)
    try:
        fcntl.fcntl(descriptor, _OFD_SETLK, wanted)
    except (BlockingIOError, PermissionError):
        return False
    return True


def has_come(descriptor):
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return bool(count[0]) or _has_ended(descriptor)


def _has_ended(descriptor):
    import select

    poll = select.poll()
    poll.register(descriptor, 0)
    return any(what & select.POLLHUP for _, what in poll.poll(0))


def processes():
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (fields := _fields(int(name))):
            found[int(name)] = (int(fields[1]), fields[-1] + ".exe")
    return found


def find_start(pid):
    fields = _fields(pid)
    return fields[19] if fields and fields[0] not in "ZX" else None


def _fields(pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return None
    return [*text[text.rindex(")") + 2 :].split(), text[text.index("(") + 1 : text.rindex(")")]]


def lower_priority():
    pass


def raise_in(thread, error):
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error) if error else None)


def keys():
    return b""
