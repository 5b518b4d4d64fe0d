"""kill -9 at random moments: `python -m tests.faults.killing [KILLS] [SEED]`; `make faults` runs it with 200.

An x-ray is killed so often with `--resume`: until it gets to its end, and is then begun anew; then as often with
`--checkpoint`. Its bytes are those of a run that nobody disturbed, each time.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_REFERENCE = "item,annotator,label\n" + "".join(f"{k},gold,{'xyz'[k % 3]}\n" for k in range(60))
_PLAN = ("-m", "alpha", "-m", "kappa", "--error", "category", "--sets", "40", "--step", "0.02", "--seed", "3")
_WAYS = {"resume": ("--resume",), "checkpoint": ("--checkpoint", "kept")}
_EVERY = 10  # kills, after which it is said how far it is


def _begun(folder: Path, out: Path, jobs: int, way: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
    how = ["-o", str(out), *way, "--jobs", str(jobs)]
    words = [sys.executable, "-m", "accord", "xray", "gold.csv", *_PLAN, *how]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "XDG_CACHE_HOME": str(folder / "cache")}
    return subprocess.Popen(  # noqa: S603
        words, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def _finished(run: subprocess.Popen[bytes]) -> None:
    _, said = run.communicate(timeout=300)
    assert run.returncode == 0, said.decode()


def killed(kills: int, seed: int, folder: Path, way: str) -> dict[str, int]:
    """How often it was killed, got to its end, and was killed when something of it was kept."""
    rng = random.Random(seed)  # noqa: S311
    (folder / "gold.csv").write_text(_REFERENCE)
    began = time.monotonic()
    _finished(_begun(folder, folder / "whole.csv", 1))
    longest = time.monotonic() - began
    wanted = (folder / "whole.csv").read_bytes()
    out, journal, kept = folder / "curves.csv", folder / "curves.csv.journal", folder / "kept"
    told = {"kills": 0, "with something kept": 0, "ends": 0}
    while told["kills"] < kills or out.exists() or journal.exists():
        run = _begun(folder, out, rng.choice((1, 2)), _WAYS[way])
        if told["kills"] < kills:
            try:
                run.wait(rng.uniform(0, 1.1 * longest))
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                run.communicate()
                told["kills"] += 1
                told["with something kept"] += any((kept if way == "checkpoint" else journal).glob("*/*"))
                assert not out.exists() or out.read_bytes() == wanted  # there whole, or not at all
                if told["kills"] % _EVERY == 0:
                    print(told, flush=True)  # noqa: T201
                continue
        _finished(run)
        assert out.read_bytes() == wanted, f"other bytes after {told}"
        assert not journal.exists()
        told["ends"] += 1
        out.unlink()
        shutil.rmtree(kept, ignore_errors=True)
    return told


if __name__ == "__main__":
    many, start = map(int, [*sys.argv[1:3], *("200", "0")[len(sys.argv[1:3]) :]])
    for each in _WAYS:
        with tempfile.TemporaryDirectory() as made:
            print(each, killed(many, start, Path(made), each))  # noqa: T201
