"""Start and watch workers, replace those that hang or die, and save the counts of a run."""

from __future__ import annotations

import hashlib
import json
import math
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from .cases import Case
from .mix import FAMILIES, case
from .trying import OVER_MEMORY
from .working import AT, MEMORY

SECONDS = 20.0  # processor time of one input
WAITING = 300.0  # seconds for an input that waits
_STARTING = 600.0  # seconds until a worker has imported all modules
_LAST = 10**12
_LOOK = 0.1  # seconds between checks, short enough to notice an input that fills the memory
_HANG = "hang"
_SLOWEST = 12  # listed inputs
_ROOT = Path(__file__).resolve().parents[2]
_QUIET = {
    "POLARS_MAX_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MPLBACKEND": "agg",
    "MALLOC_ARENA_MAX": "2",
    "XDG_CACHE_HOME": str(_ROOT / ".fuzz" / "cache"),  # compile only once
}
_NEW: dict[str, Any] = {
    "inputs": 0, "next": 0, "seconds": 0.0, "families": {}, "outcomes": {}, "boundary": {}, "failures": {},
    "hangs": 0, "slow_once": 0, "over_memory": 0, "died": 0, "tracebacks": 0, "broken": 0, "slowest": [],
    "largest": [0.0, 0],
}  # fmt: skip


class _Worker:
    """A process that runs every step-th input from a number on."""

    def __init__(self, seed: int, first: int, step: int) -> None:
        self.step, self.next = step, first
        with tempfile.NamedTemporaryFile(prefix="accord-fuzz-board-", delete=False) as file:
            file.write(AT.pack(-1, time.monotonic(), 0.0))
            self.board = Path(file.name)
        words = [sys.executable, "-m", "tests.fuzzing.working", *map(str, (seed, first, step, _LAST)), str(self.board)]
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=_ROOT, env={**os.environ, **_QUIET}
        )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self.lines = b""

    def at(self) -> tuple[int, str]:
        """Return the number of the current input, and whether it exceeds the limit of time or memory."""
        number, since, before = AT.unpack(self.board.read_bytes())
        waited = time.monotonic() - since
        seconds, memory = self._taken()
        if number >= 0 and memory > MEMORY:
            return number, OVER_MEMORY
        if number < 0 or waited < SECONDS:
            return number, _HANG if number < 0 and waited > _STARTING else ""
        return number, _HANG if waited > WAITING or seconds - before > SECONDS else ""

    def _taken(self) -> tuple[float, int]:
        """Return the processor time in seconds and the memory in bytes."""
        try:
            stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii", errors="replace")
        except OSError:  # the process ended, or the system has no /proc: use the clock
            return math.inf, 0
        after_the_name = stat.rpartition(")")[2].split()
        ticks = int(after_the_name[11]) + int(after_the_name[12])
        return ticks / os.sysconf("SC_CLK_TCK"), int(after_the_name[21]) * os.sysconf("SC_PAGE_SIZE")

    def read(self) -> list[dict[str, Any]]:
        """Return the new reports of the worker."""
        assert self.process.stdout is not None
        with suppress(BlockingIOError):
            while chunk := os.read(self.process.stdout.fileno(), 1 << 16):
                self.lines += chunk
        *whole, self.lines = self.lines.split(b"\n")
        return [json.loads(line) for line in whole]

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.board.unlink(missing_ok=True)


class Fuzzing:
    """A run. Its state is in a folder, so that it can continue."""

    def __init__(self, folder: Path, seed: int, jobs: int) -> None:
        self.folder, self.seed, self.jobs = folder, seed, jobs
        (folder / "found").mkdir(parents=True, exist_ok=True)
        self._file = folder / "state.json"
        self.state = {
            **json.loads(json.dumps(_NEW)),
            **(json.loads(self._file.read_text()) if self._file.exists() else {}),
        }
        self._done: set[int] = set()  # inputs after `next` that are finished
        self._since = 0

    def go(self, seconds: float, most: int | None = None) -> None:
        began = saved = time.monotonic()
        earlier = self.state["seconds"]
        workers = [self._worker(k) for k in range(self.jobs)]
        try:
            while time.monotonic() - began < seconds and (most is None or self.state["inputs"] < most):
                self._listen(workers)
                self._watch(workers)
                self.state["seconds"] = earlier + time.monotonic() - began
                if time.monotonic() - saved > 20:
                    self._save()
                    saved = time.monotonic()
        finally:
            for worker in workers:
                worker.stop()
            self.state["seconds"] = earlier + time.monotonic() - began
            self._save()

    def _worker(self, k: int) -> _Worker:
        return _Worker(self.seed, self.state["next"] + k, self.jobs)

    def _listen(self, workers: list[_Worker]) -> None:
        with selectors.DefaultSelector() as ready:
            for worker in workers:
                assert worker.process.stdout is not None
                ready.register(worker.process.stdout, selectors.EVENT_READ, worker)
            for key, _ in ready.select(timeout=_LOOK):
                for report in key.data.read():
                    self._count(key.data, report)

    def _watch(self, workers: list[_Worker]) -> None:
        for k, worker in enumerate(workers):
            number, too_much = worker.at()
            dead = worker.process.poll()
            if dead is None and not too_much:
                continue
            if dead is None and number >= 0:
                worker.process.kill()
                worker.process.wait()
            for report in worker.read():  # earlier reports
                self._count(worker, report)
            worker.stop()
            if number < 0:
                raise RuntimeError("a worker did not start")
            if number < worker.next:  # the input finished, or the worker ended as planned
                workers[k] = _Worker(self.seed, worker.next, worker.step)
                continue
            self._lost(worker, number, too_much if dead is None else "", dead)
            workers[k] = _Worker(self.seed, worker.next, worker.step)

    def _lost(self, worker: _Worker, number: int, too_much: str, dead: int | None) -> None:
        """Count an input that ended its worker. Run it once more, because the machine may have been busy."""
        made = case(self.seed, number)
        name = too_much or f"died ({dead})"
        alone = self._alone(number) if too_much else None
        if alone is not None:
            self.state["slow_once"] += too_much == _HANG
            self._count(worker, alone | {"alone": True})
            return
        report = {"n": number, "family": made.family, "answer": name, "s": SECONDS if too_much == _HANG else 0.0}
        report |= {"alone": True}
        self._count(worker, report | {"failure": name, "detail": "", "case": made.to_json()})

    def _alone(self, number: int) -> dict[str, Any] | None:
        """Return the report of a new process for an input, or None if it exceeds a limit."""
        alone = _Worker(self.seed, number, _LAST)
        try:
            while True:
                ended = alone.process.poll() is not None
                _, too_much = alone.at()
                report = alone.read()
                if report:
                    return report[0]
                if ended or too_much:
                    return None
                time.sleep(_LOOK)
        finally:
            alone.stop()

    def _count(self, worker: _Worker, report: dict[str, Any]) -> None:
        state, number = self.state, report["n"]
        if report.get("failure") == OVER_MEMORY and not report.get("alone"):  # earlier inputs may have used the memory
            report = (self._alone(number) or report) | {"alone": True}
        worker.next = number + worker.step
        self._done.add(number)
        while state["next"] in self._done:
            self._done.discard(state["next"])
            state["next"] += 1
        state["inputs"] += 1
        if report["s"] > 1:
            state["slowest"] = sorted([*state["slowest"], [report["s"], number, report["family"]]], reverse=True)[
                :_SLOWEST
            ]
        state["largest"] = max(state["largest"], [report.get("gb", 0.0), number])
        family = state["families"].setdefault(report["family"], [0, 0.0, 0])
        family[0] += 1
        family[1] += report["s"]
        family[2] += report["answer"].startswith(("refused", "boundary"))
        state["outcomes"][report["answer"]] = state["outcomes"].get(report["answer"], 0) + 1
        if report["answer"].startswith("boundary"):
            state["boundary"].setdefault(report["answer"], number)  # for --show
        if "failure" in report:
            self._keep(report)

    def _keep(self, report: dict[str, Any]) -> None:
        name = report["failure"]
        kind = (
            "hangs"
            if name == _HANG
            else "over_memory"
            if name == OVER_MEMORY
            else "died"
            if name.startswith("died")
            else None
        )
        kind = kind or ("tracebacks" if report["answer"] == "failed" else "broken")
        self.state[kind] += 1
        first = name not in self.state["failures"]
        self.state["failures"].setdefault(name, [0, report["n"]])[0] += 1
        if first or self.state["failures"][name][0] <= 3:
            mark = hashlib.sha256(f"{name}{report['n']}".encode()).hexdigest()[:8]
            whole = {
                "failure": name,
                "number": report["n"],
                "detail": report["detail"],
                "case": json.loads(report["case"]),
            }
            (self.folder / "found" / f"{mark}.json").write_text(json.dumps(whole, indent=1), encoding="utf-8")
        if first:
            sys.stdout.write(f"{report['n']}: {name}\n")
            sys.stdout.flush()

    def _save(self) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_text(json.dumps(self.state, indent=1, ensure_ascii=False), encoding="utf-8")
        fresh.replace(self._file)

    def summary(self) -> str:
        """Return the counts of the run, including earlier sessions."""
        state = self.state
        lines = [
            f"{state['inputs']:,} inputs in {state['seconds'] / 60:,.0f} minutes "
            f"({state['inputs'] / max(state['seconds'], 1e-9):,.0f} a second), "
            f"{len(state['outcomes']):,} distinct outcomes",
            f"tracebacks {state['tracebacks']:,}, broken promises {state['broken']:,}, "
            f"hangs over {SECONDS:.0f} s {state['hangs']:,}, "
            f"over 4 GB {state['over_memory']:,}, died {state['died']:,}; "
            f"slow once, in time when tried again {state['slow_once']:,}; "
            f"the slowest took {max([0.0, *(s for s, _, _ in state['slowest'])]):.1f} s, "
            f"the largest {state['largest'][0]:.1f} GB (input {state['largest'][1]})",
        ]
        for family in FAMILIES:
            many, spent, refused = state["families"].get(family, (0, 0.0, 0))
            each, share = 1000 * spent / max(many, 1), 100 * refused / max(many, 1)
            lines.append(f"  {family:10} {many:10,} inputs  {each:8.1f} ms each  {share:3.0f}% refused")
        sorts = Counter({text.partition(":")[0].partition(" ")[0]: 0 for text in state["outcomes"]})
        for text, many in state["outcomes"].items():
            sorts[text.partition(":")[0].partition(" ")[0]] += many
        lines.append("  " + ", ".join(f"{text} {many:,}" for text, many in sorts.most_common()))
        lines += [
            f"  found: {name}, {many} times, first by input {first}"
            for name, (many, first) in state["failures"].items()
        ]
        lines.append(f"  to go on: make fuzz SEED={self.seed}")
        return "\n".join(lines) + "\n"


__all__ = ["Case", "Fuzzing"]
