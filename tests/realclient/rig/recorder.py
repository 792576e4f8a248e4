"""Somebody else's hook: writes each payload down as the host sent it. The order of events is checked against this.

python -I recorder.py FILE
"""

import json
import os
import sys
import time

payload = json.load(sys.stdin)
named = {name: value for name, value in os.environ.items() if name.startswith(("CLAUDE", "CODEX", "GEMINI", "QWEN"))}
env = {name: value for name, value in named.items() if not name.endswith("KEY")}
line = json.dumps({"at": time.time(), "payload": payload, "env": env}).encode() + b"\n"
descriptor = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
os.write(descriptor, line)
if "{hold}" in payload.get("prompt", ""):
    time.sleep(10)
