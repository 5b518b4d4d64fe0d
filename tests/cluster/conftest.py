"""A test cluster whose processes can be killed."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from accord.core import clusters, parallel

ROOT = Path(__file__).resolve().parents[2]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}


@dataclass
class Farm:
    """The scheduler and the workers of a test cluster."""

    process: subprocess.Popen[str]
    folder: Path
    scheduler: dict[str, Any] = field(default_factory=dict)
    workers: dict[str, int] = field(default_factory=dict)  # address → process

    def start(self, **asked: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    @property
    def address(self) -> str:
        return str(self.scheduler["address"])

    def begin(self, port: int = 0) -> None:
        self.scheduler = self.start(port=port)
        self.workers = {}

    def work(self, number: int = 3) -> Farm:
        """Start plain workers until there are this many."""
        for place, pid in list(self.workers.items()):
            if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]:
                del self.workers[place]
        while len(self.workers) < number:
            self.hire()
        return self

    def hire(self, **how: Any) -> str:
        found = self.start(scheduler=self.address, folder=str(self.folder), **how)
        self.workers[found["address"]] = found["pid"]
        return str(found["address"])

    def kill(self, place: str | None = None) -> None:
        place = place or next(iter(self.workers))
        os.kill(self.workers.pop(place), signal.SIGKILL)


@pytest.fixture(scope="session")
def _farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    pytest.importorskip("distributed", reason="clusters need Dask: pip install 'accord[cluster]'")
    if not hasattr(os, "fork"):
        pytest.skip("processes cannot be forked here")
    command = [sys.executable, "-m", "tests.cluster.farm"]
    with subprocess.Popen(  # noqa: S603
        command, cwd=ROOT, env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        farm = Farm(process, tmp_path_factory.mktemp("farm"))
        farm.begin()
        yield farm
        assert process.stdin is not None
        process.stdin.close()
        process.wait(20)


@pytest.fixture
def farm(_farm: Farm, monkeypatch: pytest.MonkeyPatch) -> Iterator[Farm]:
    """A cluster of three workers. Computing on this machine fails."""
    monkeypatch.setattr(clusters, "_LOOK", 0.1)
    monkeypatch.setattr(parallel, "_on_this_machine", _not_here)
    yield _farm.work()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about sockets to killed workers
        gc.collect()


def _not_here(*_: Any) -> Any:
    raise AssertionError("this task must run on a worker")


def wait_until(true: Any, patience: float = 30.0) -> None:
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
