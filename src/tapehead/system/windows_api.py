"""The calls of Windows itself, through ctypes and msvcrt: each does one thing and decides nothing. Loaded on Windows alone.

Tests on other systems put a stand-in for this module (tests/system/stand_in.py), and run everything above it as it is.
"""

from __future__ import annotations

import ctypes
import errno
import importlib
import os
from typing import Any

_msvcrt: Any = importlib.import_module("msvcrt")  # no such module for a type checker on another system
_kernel32: Any = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined]  # as above
_kernel32.CreateFileW.restype = _kernel32.OpenProcess.restype = ctypes.c_void_p
_kernel32.CreateToolhelp32Snapshot.restype = _kernel32.GetCurrentProcess.restype = ctypes.c_void_p

QUIETLY: dict[str, Any] = {"creationflags": 0x0800_0000 | 0x0000_0200}
"""For subprocess: CREATE_NO_WINDOW, CREATE_NEW_PROCESS_GROUP."""
_READ, _WRITE, _APPEND = 0x8000_0000, 0x4000_0000, 0x0000_0004 | 0x0010_0000
_SHARED = 0x1 | 0x2 | 0x4
_NO_HANDLE = ctypes.c_void_p(-1).value
_NOT_THE_TARGET = 0x0020_0000
_DISPOSITIONS = {0: 3, os.O_CREAT: 4, os.O_TRUNC: 5, os.O_CREAT | os.O_TRUNC: 2}
_CREATE_NEW = 1
_QUERY, _STILL_ACTIVE, _NO_SUCH_PROCESS = 0x1000, 259, 87
_EXCLUSIVELY_AT_ONCE = 0x2 | 0x1
_LOCKED_ALREADY = (33, 997)
"""ERROR_LOCK_VIOLATION, ERROR_IO_PENDING."""


def open_file(path: str, flags: int, *, follow: bool) -> int:
    """CreateFileW as `os.open` means it. Others may read, write, rename and remove the file meanwhile."""
    access = {os.O_RDONLY: _READ, os.O_WRONLY: _WRITE, os.O_RDWR: _READ | _WRITE}[flags & (os.O_WRONLY | os.O_RDWR)]
    if flags & os.O_APPEND:
        access = (
            access & ~_WRITE | _APPEND
        )  # without the right to write elsewhere, the system itself appends in one step
    how = _CREATE_NEW if flags & os.O_EXCL else _DISPOSITIONS[flags & (os.O_CREAT | os.O_TRUNC)]
    attributes = 0x80 | (0 if follow else _NOT_THE_TARGET)
    handle = _kernel32.CreateFileW(path, ctypes.c_ulong(access), _SHARED, None, how, attributes, None)
    if handle == _NO_HANDLE:
        code = ctypes.get_last_error()  # type: ignore[attr-defined]  # as above
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, "a directory", path)
        raise OSError(None, ctypes.FormatError(code), path, code)  # type: ignore[attr-defined]  # as above
    kept = os.O_APPEND | os.O_RDONLY | os.O_WRONLY | os.O_RDWR
    return int(_msvcrt.open_osfhandle(handle, flags & kept | getattr(os, "O_NOINHERIT", 0)))


class _Overlapped(ctypes.Structure):
    """OVERLAPPED: where in a file."""

    _fields_ = [
        ("internal", ctypes.c_void_p), ("internal_high", ctypes.c_void_p), ("offset", ctypes.c_ulong),
        ("offset_high", ctypes.c_ulong), ("event", ctypes.c_void_p),
    ]  # fmt: skip


def lock_byte(descriptor: int, offset: int) -> bool:
    """Locks one byte of a file for this handle; False where another has it. What msvcrt.locking does, with its error told apart."""
    handle, where = ctypes.c_void_p(_msvcrt.get_osfhandle(descriptor)), _Overlapped(offset=offset)
    if _kernel32.LockFileEx(handle, _EXCLUSIVELY_AT_ONCE, 0, 1, 0, ctypes.byref(where)):
        return True
    code = ctypes.get_last_error()  # type: ignore[attr-defined]  # as above
    if code in _LOCKED_ALREADY:
        return False
    raise OSError(None, ctypes.FormatError(code), None, code)  # type: ignore[attr-defined]  # as above


def has_come(descriptor: int) -> bool:
    """Whether a pipe has something to read, or nobody writes into it any more."""
    count = ctypes.c_ulong()
    handle = ctypes.c_void_p(_msvcrt.get_osfhandle(descriptor))
    if _kernel32.PeekNamedPipe(handle, None, 0, None, ctypes.byref(count), None):
        return bool(count.value)
    return True


class _Entry(ctypes.Structure):
    """PROCESSENTRY32W."""

    _fields_ = [
        ("size", ctypes.c_ulong), ("usage", ctypes.c_ulong), ("pid", ctypes.c_ulong), ("heap", ctypes.c_void_p),
        ("module", ctypes.c_ulong), ("threads", ctypes.c_ulong), ("parent", ctypes.c_ulong), ("priority", ctypes.c_long),
        ("flags", ctypes.c_ulong), ("name", ctypes.c_wchar * 260),
    ]  # fmt: skip


def processes() -> dict[int, tuple[int, str]]:
    """Parent and program of every process."""
    found: dict[int, tuple[int, str]] = {}
    snapshot = ctypes.c_void_p(_kernel32.CreateToolhelp32Snapshot(2, 0))
    entry = _Entry(size=ctypes.sizeof(_Entry))
    more = _kernel32.Process32FirstW(snapshot, ctypes.byref(entry))
    while more:
        found[entry.pid] = (entry.parent, entry.name)
        more = _kernel32.Process32NextW(snapshot, ctypes.byref(entry))
    _kernel32.CloseHandle(snapshot)
    return found


def find_start(pid: int) -> str | None:
    """When a process started, as Windows counts; empty where it is not told, None where there is no such process."""
    handle = _kernel32.OpenProcess(_QUERY, 0, pid)
    if not handle:
        return None if ctypes.get_last_error() == _NO_SUCH_PROCESS else ""  # type: ignore[attr-defined]  # as above
    handle = ctypes.c_void_p(handle)
    code, times = ctypes.c_ulong(), [ctypes.c_ulonglong() for _ in range(4)]
    alive = not _kernel32.GetExitCodeProcess(handle, ctypes.byref(code)) or code.value == _STILL_ACTIVE
    known = _kernel32.GetProcessTimes(handle, *(ctypes.byref(one) for one in times))
    _kernel32.CloseHandle(handle)
    if not alive:
        return None
    return str(times[0].value) if known else ""


def lower_priority() -> None:
    """BELOW_NORMAL_PRIORITY_CLASS for this process."""
    _kernel32.SetPriorityClass(ctypes.c_void_p(_kernel32.GetCurrentProcess()), 0x4000)


def raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raises an exception in another thread at its next step; None takes back one that was not raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error) if error else None)


def keys() -> bytes:
    """The keys that were pressed in the console and not read yet."""
    pressed = ""
    while _msvcrt.kbhit():
        pressed += _msvcrt.getwch()
    return pressed.encode("utf-8", "replace")
