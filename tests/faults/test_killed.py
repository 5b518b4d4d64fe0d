"""SIGKILL at each step of writing. killing.py sends it at random times of a long run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .failing import content_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="the system has no SIGKILL")]
_CHILD = """
import os, signal, sys
from pathlib import Path
from accord.core.writing import write_together
from tests.faults.failing import Disk

place, k = Path(sys.argv[1]), int(sys.argv[2])
new = {"a.csv": b"new" * 5000, "c.csv": b"new"} if place.name == "out" else {"": b"new" * 5000}
with Disk(place.parent, k, happens=lambda: os.kill(os.getpid(), signal.SIGKILL)).mounted() as disk:
    write_together(place, new)
print(len(disk.done))
"""


@pytest.mark.parametrize("name", ["out", "a.csv"])
def test_killing_during_a_write_leaves_the_old_or_the_new_file(tmp_path: Path, name: str) -> None:
    """The old file stays until the new one is complete."""
    place = tmp_path / "place" / name
    place.parent.mkdir()
    root = Path(__file__).resolve().parents[2]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *filter(None, sys.path)])}

    def run(k: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", _CHILD, str(place), str(k)]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=env, cwd=root)  # noqa: S603

    first = run(-1)
    new = content_of(place)
    assert first.returncode == 0, first.stderr
    steps = int(first.stdout)
    for k in range(steps) if os.environ.get("ACCORD_FAULTS") == "all" else (steps - 1,):
        if place.is_dir():
            (place / "c.csv").write_text("old")
        else:
            place.write_text("old")
        old = content_of(place)
        assert run(k).returncode == -signal.SIGKILL
        assert content_of(place) in (old, new)
