"""Timing and peak memory of a piece of work, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Cost:
    seconds: float
    megabytes: float  # peak, above what was in memory before
    value: float


def peak() -> float:
    """Peak resident memory of this process so far, in MB."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def alone(function: str, *arguments: object) -> Cost:
    """Runs benchmarks.work:function in a fresh process; the work itself measures its time."""
    command = [sys.executable, "-m", "benchmarks.work", function, *map(str, arguments)]
    out = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if out.returncode:
        raise RuntimeError(out.stderr)
    return Cost(**json.loads(out.stdout.splitlines()[-1]))


def timed(work: Callable[[], float]) -> Cost:
    before = peak()
    start = time.perf_counter()
    value = work()
    return Cost(time.perf_counter() - start, max(0.1, peak() - before), value)
