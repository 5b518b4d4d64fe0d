"""The process of a job has restricted access to files and network. Tests run in a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_TRIES = """
import ctypes, json, os, socket, sys
from pathlib import Path
from accord.doors.serving.confinement import Fence, Limits, confine, limit

upload, own, secret = map(Path, sys.argv[1:4])
os.chdir(upload)
if sys.argv[4] == "kernel":  # without the audit hook of Python, to test access by other libraries
    import accord.doors.serving.confinement as confinement
    confinement._audited = lambda fence: None
held = confine(Fence.around([upload], [own]))
libc = ctypes.CDLL(None)

def tried(what):
    try:
        return str(what())
    except OSError as error:
        return type(error).__name__

def opened(path, mode):
    file = libc.open(str(path).encode(), mode, 0o600)
    return "open" if file >= 0 else "refused"

def connected():
    with socket.socket() as one:
        one.connect(("127.0.0.1", int(sys.argv[5])))
    return "connected"

print(json.dumps({
    "held": held,
    "reads its upload": tried(lambda: (upload / "a.csv").read_text()),
    "reads another file": tried(lambda: secret.read_text()),
    "reads another file by way of its folder": tried(lambda: (upload / ".." / "secret.txt").read_text()),
    "reads another file by a link": tried(lambda: (upload / "link").read_text()),
    "lists another folder": tried(lambda: os.listdir(secret.parent)),
    "writes its folder": tried(lambda: (own / "b.csv").write_text("b")),
    "writes its upload": tried(lambda: (upload / "b.csv").write_text("b")),
    "removes an upload": tried(lambda: (upload / "a.csv").unlink()),
    "moves an upload": tried(lambda: (upload / "a.csv").rename(own / "a.csv")),
    "makes a folder elsewhere": tried(lambda: (secret.parent / "new").mkdir()),
    "removes in its own folder": tried(lambda: (own / "b.csv").unlink()),
    "asks the network": tried(connected),
    "other languages read its upload": opened(upload / "a.csv", os.O_RDONLY),
    "other languages read another file": opened(secret, os.O_RDONLY),
    "other languages write elsewhere": opened(secret.parent / "new.txt", os.O_WRONLY | os.O_CREAT),
}))
"""


def tried(tmp_path: Path, fence: str) -> dict[str, Any]:
    upload, own = tmp_path / "upload", tmp_path / "own"
    upload.mkdir()
    own.mkdir()
    (upload / "a.csv").write_text("a")
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    (upload / "link").symlink_to(secret)
    with subprocess.Popen(
        [sys.executable, "-c", "import socket; s = socket.create_server(('127.0.0.1', 0)); "
         "print(s.getsockname()[1], flush=True); s.accept()"], stdout=subprocess.PIPE, text=True,
    ) as listening:  # fmt: skip
        assert listening.stdout is not None
        port = listening.stdout.readline().strip()
        ran = subprocess.run(  # noqa: S603 - our own code
            [sys.executable, "-c", _TRIES, str(upload), str(own), str(secret), fence, port],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        listening.kill()
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    assert (upload / "a.csv").read_text() == "a"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["own", "secret.txt", "upload"]
    return found


ALLOWED = {"reads its upload": "a", "writes its folder": "1", "removes in its own folder": "None"}


def test_audit_hook_confines_python_on_every_system(tmp_path: Path) -> None:
    found = tried(tmp_path, "both")
    for what, outcome in found.items():
        if what != "held" and not what.startswith("other languages"):
            assert outcome == ALLOWED.get(what, "PermissionError"), what


def test_landlock_confines_other_libraries(tmp_path: Path) -> None:
    found = tried(tmp_path, "kernel")
    if not found.pop("held"):
        pytest.skip("this kernel has no Landlock")
    allowed = {**ALLOWED, "other languages read its upload": "open"}
    for what, outcome in found.items():
        assert outcome == allowed.get(what, "refused" if what.startswith("other") else "PermissionError"), what
