"""A pytest plugin: from here on there is no POSIX, and tapehead runs on what it has for Windows. `pytest -p without_posix`."""

import _signal
import ctypes  # noqa: F401 - loaded while it can be, as everything below
import getpass  # noqa: F401
import multiprocessing.popen_fork  # noqa: F401
import os
import shutil
import signal
import subprocess
import sys
import tempfile  # noqa: F401
import types

import stand_in
from names import MODULES, OS, SIGNAL

assert "tapehead" not in sys.modules
sys.modules["tapehead.system.windows_api"] = stand_in
subprocess._USE_POSIX_SPAWN = False
subprocess.os = types.ModuleType("os")  # it is Linux's own, and needs what it was written with
subprocess.os.__dict__.update(os.__dict__)
shutil._USE_CP_SENDFILE = False  # as it decides for itself where there is no sendfile
for _name in MODULES:
    sys.modules[_name] = None
for _name in OS:
    if hasattr(os, _name):
        delattr(os, _name)
for _module in (signal, _signal):
    for _name in ("alarm", "setitimer", "SIGALRM"):
        delattr(_module, _name)
assert SIGNAL
