"""kill -9 at random moments: `python -m tests.faults.killing [KILLS] [SEED]`; `make faults` runs it with 200.

Kills `accord xray --resume` and restarts it until it finishes, then starts again, until KILLS is reached. Then the same
with `--checkpoint`. Each output must equal that of an undisturbed run.
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
_EVERY = 10  # kills between two progress lines


def _begun(folder: Path, out: Path, jobs: int, way: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
    how = ["-o", str(out), *way, "--jobs", str(jobs)]
    words = [sys.executable, "-m", "accord", "xray", "gold.csv", *_PLAN, *how]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "XDG_CACHE_HOME": str(folder / "cache")}
    return subprocess.Popen(  # noqa: S603
        words, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def _finished(run: subprocess.Popen[bytes]) -> None:
    _, err = run.communicate(timeout=300)
    assert run.returncode == 0, err.decode()


def killed(kills: int, seed: int, folder: Path, way: str) -> dict[str, int]:
    """Return the number of kills, of kills with saved results, and of finished runs."""
    rng = random.Random(seed)  # noqa: S311
    (folder / "gold.csv").write_text(_REFERENCE)
    began = time.monotonic()
    _finished(_begun(folder, folder / "whole.csv", 1))
    longest = time.monotonic() - began
    wanted = (folder / "whole.csv").read_bytes()
    out, journal, kept = folder / "curves.csv", folder / "curves.csv.journal", folder / "kept"
    counts = {"kills": 0, "with something kept": 0, "ends": 0}
    while counts["kills"] < kills or out.exists() or journal.exists():
        run = _begun(folder, out, rng.choice((1, 2)), _WAYS[way])
        if counts["kills"] < kills:
            try:
                run.wait(rng.uniform(0, 1.1 * longest))
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                run.communicate()
                counts["kills"] += 1
                counts["with something kept"] += any((kept if way == "checkpoint" else journal).glob("*/*"))
                assert not out.exists() or out.read_bytes() == wanted  # complete or missing
                if counts["kills"] % _EVERY == 0:
                    print(counts, flush=True)  # noqa: T201
                continue
        _finished(run)
        assert out.read_bytes() == wanted, f"other bytes after {counts}"
        assert not journal.exists()
        counts["ends"] += 1
        out.unlink()
        shutil.rmtree(kept, ignore_errors=True)
    return counts


if __name__ == "__main__":
    many, start = map(int, [*sys.argv[1:3], *("200", "0")[len(sys.argv[1:3]) :]])
    for each in _WAYS:
        with tempfile.TemporaryDirectory() as made:
            print(each, killed(many, start, Path(made), each))  # noqa: T201
