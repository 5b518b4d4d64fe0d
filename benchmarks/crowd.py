"""Compare Dawid & Skene's model and MACE with crowd-kit, which runs in its own virtual environment.

Both run the same number of steps: the number that accord needs to converge. For MACE, crowd-kit runs one start of 50
steps, because all starts cost the same.
"""

from __future__ import annotations

import json
import subprocess

from benchmarks.measure import DATA, ROOT, alone, say, tell

PEER = ROOT / ".venv-crowd" / "bin" / "python"
LABELS, ANNOTATORS, CATEGORIES = 1_000_000, 1_000, 5
STARTS = {"dawid_skene": 1, "mace": 10}


def models() -> None:
    DATA.mkdir(exist_ok=True)
    for name, starts in STARTS.items():
        path = DATA / f"{name}.npz"
        ours = alone("crowd_model", name, LABELS, ANNOTATORS, CATEGORIES, path)
        steps = int(ours.value)  # of one start
        what = f"{name}, {LABELS:,} labels × {ANNOTATORS:,} annotators, {counted(starts, steps)}"
        if not PEER.exists():
            tell(what, f"{ours.seconds:.1f} s; crowd-kit: skipped, no {PEER.parents[1].name} (make bench creates it)")
            continue
        out = subprocess.run(
            [PEER, ROOT / "benchmarks" / "crowd_peer.py", name, path, str(steps)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if out.returncode:
            raise RuntimeError(out.stderr)
        theirs = json.loads(out.stdout.splitlines()[-1])
        assert theirs["same"] > 0.99, theirs["same"]
        faster = theirs["seconds"] * starts / ours.seconds
        got = f"{ours.seconds:.1f} s to {theirs['seconds'] * starts:.0f} s, {faster:.0f}×"
        say(what, got, "10×", faster >= 10)
        tell("  equal labels", f"{theirs['same']:.3%}")
        path.unlink()
    wide = alone("crowd_model", "dawid_skene", LABELS, ANNOTATORS, 10, DATA / "wide.npz")
    tell("dawid_skene, 10 categories, until convergence", f"{wide.seconds:.1f} s, {wide.value:.0f} steps")
    (DATA / "wide.npz").unlink()


def counted(starts: int, steps: int) -> str:
    return f"{steps} steps" if starts == 1 else f"{starts} × {steps} steps"
