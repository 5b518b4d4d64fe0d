"""Timing and peak memory of a piece of work, each in a process of its own; and the line that tells them."""

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
    megabytes: float  # peak, above what was in memory before
    value: float
    processor: float = 0.0  # seconds of this process: what others do on the machine hardly changes them


def say(what: str, got: str, wanted: str, ok: bool) -> None:
    print(f"{'ok  ' if ok else 'MISS'}  {what:<62} {got:<42} wanted {wanted}", flush=True)


def tell(what: str, got: str = "") -> None:
    """Worth knowing, and nothing was wanted."""
    print(f"      {what:<62} {got}".rstrip(), flush=True)


RATIOS: dict[str, tuple[float, str]] = {}  # what was measured: the higher, the worse; and the kind of it


def note(name: str, ratio: float, kind: str = "time") -> None:
    """What accord costs, as a multiple of a peer or of the bare cost in the same run; or an exponent of growth."""
    RATIOS[name] = ratio, kind


def peak() -> float:
    """Peak resident memory of this process so far, in MB."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def alone(function: str, *arguments: object) -> Cost:
    """Runs benchmarks.work:function in a fresh process; the work itself measures its time."""
    return alone_each(function, *arguments)[-1]


def best(function: str, *arguments: object) -> Cost:
    """Of three, the one that took the processor least: of work that is over so soon that others disturb it much."""
    return min((alone(function, *arguments) for _ in range(3)), key=lambda cost: cost.processor)


def alone_each(function: str, *arguments: object) -> list[Cost]:
    """The same for work that is done in several pieces, one after the other."""
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
    """The same for what takes hundredths of a second, the second time: to get memory may take as long as the work."""
    first, again = timed(work), timed(work)
    return replace(again, megabytes=first.megabytes)


def command(*asked: object, environment: Mapping[str, str] | None = None, patience: float | None = None) -> Cost:
    """A command: seconds of the clock and of the processor, and the peak memory of its largest process."""
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
    """Seconds of the processor that a command takes."""
    return command(*asked).processor


def shell(*command: object) -> tuple[float, str]:
    """Seconds from start to end, and what was printed."""
    begin = time.perf_counter()
    out = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if out.returncode:
        raise RuntimeError(out.stderr)
    return time.perf_counter() - begin, out.stdout
