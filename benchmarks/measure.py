"""Measure time and peak memory of tasks, each in a separate process, and print the results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "benchmarks" / "data"
ACCORD = Path(sys.executable).parent / "accord"


@dataclass(frozen=True)
class Cost:
    seconds: float
    megabytes: float  # peak above the memory before the task
    value: float
    processor: float = 0.0  # processor seconds, which other processes hardly change


def say(what: str, got: str, wanted: str, ok: bool) -> None:
    print(f"{'ok  ' if ok else 'MISS'}  {what:<62} {got:<42} wanted {wanted}", flush=True)


def tell(what: str, got: str = "") -> None:
    """Print a result without a target."""
    print(f"      {what:<62} {got}".rstrip(), flush=True)


RATIOS: dict[str, tuple[float, str]] = {}  # measured ratios (higher is worse) and their kinds


def note(name: str, ratio: float, kind: str = "time") -> None:
    """Record the cost of accord as a ratio to a peer or to a bare cost in the same run, or an exponent of growth."""
    RATIOS[name] = ratio, kind


def peak() -> float:
    """Return the peak resident memory of this process in MB."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def alone(function: str, *arguments: object) -> Cost:
    """Run a function of benchmarks.work in a new process. The function measures its own time."""
    return alone_each(function, *arguments)[-1]


def best(function: str, *arguments: object) -> Cost:
    """Return the run of three with the least processor time, for short tasks."""
    return min((alone(function, *arguments) for _ in range(3)), key=lambda cost: cost.processor)


def alone_each(function: str, *arguments: object) -> list[Cost]:
    """Run a function with several measured parts in a new process."""
    command = [sys.executable, "-m", "benchmarks.work", function, *map(str, arguments)]
    out = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if out.returncode:
        raise RuntimeError(out.stderr)
    return [Cost(**cost) for cost in json.loads(out.stdout.splitlines()[-1])]


def timed(work: Callable[[], float]) -> Cost:
    before = peak()
    start, used = time.perf_counter(), time.process_time()
    value = work()
    return Cost(time.perf_counter() - start, max(0.1, peak() - before), value, time.process_time() - used)


def warmed(work: Callable[[], float]) -> Cost:
    """Measure the second run of a very short task. In the first run, allocating memory may dominate."""
    first, again = timed(work), timed(work)
    return replace(again, megabytes=first.megabytes)


def command(*asked: object, environment: Mapping[str, str] | None = None, patience: float | None = None) -> Cost:
    """Run a command. Measure elapsed and processor seconds, and the peak memory of its largest process."""
    code = "import resource, subprocess, sys; said = subprocess.run(sys.argv[1:], capture_output=True, text=True); " \
           "used = resource.getrusage(resource.RUSAGE_CHILDREN); sys.stderr.write(said.stderr); " \
           "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024); sys.exit(said.returncode)"  # fmt: skip
    begin = time.perf_counter()
    try:
        out = subprocess.run(
            [sys.executable, "-c", code, *map(str, asked)], capture_output=True, text=True, check=False,
            env={**os.environ, **(environment or {})}, timeout=patience,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        raise RuntimeError(f"{' '.join(map(str, asked[1:3]))}: more than {late.timeout:.0f} s") from None
    if out.returncode:
        raise RuntimeError(out.stderr)
    used, megabytes = map(float, out.stdout.split())
    return Cost(time.perf_counter() - begin, megabytes, 0.0, used)


def processor(*asked: object) -> float:
    """Return the processor seconds of a command."""
    return command(*asked).processor


def shell(*command: object) -> tuple[float, str]:
    """Return the elapsed seconds and the output of a command."""
    begin = time.perf_counter()
    out = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if out.returncode:
        raise RuntimeError(out.stderr)
    return time.perf_counter() - begin, out.stdout
