"""A cluster gives the values of one core, even if workers die. Other failures give an error of one line."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.core import clusters, fingerprints, parallel
from accord.core.context import Run, resources
from accord.core.errors import SpecError
from accord.data.io import large

from ..cli.test_interrupted import MESSAGE, Session
from ..command_line import Cli, refused
from ..refusals import raises
from .conftest import ENV, ROOT, Farm, wait_until
from .work import Work

# Sockets to killed workers stay open.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")]
TASKS = range(24)
ON_THIS_MACHINE = parallel._on_this_machine  # before the fixture replaces it
ALL = os.environ.get("ACCORD_CLUSTER") == "all"  # `make cluster`


def computed_here(folder: Path) -> list[list[float]]:
    return [Work(folder)(task) for task in TASKS]


def run_with_event(done: int, happens: Callable[[], Any]) -> Run:
    """Return a run that calls a function once, after this many tasks."""
    left = [happens]

    def watch(_: str, finished: int, total: int) -> None:
        if finished >= done and left:
            left.pop()()

    return Run(progress=watch)


def spread(farm: Farm, work: Work, run: Run | None = None) -> list[list[float]]:
    with accord.cluster(farm.address):
        return parallel.spread(work, TASKS, run or Run(), "trying")


COMMANDS = {
    "documents and chance": ("score", "spans.csv", "-m", "gamma"),
    "influence": ("influence", "spans.csv", "-m", "gamma", "--replicates", "100"),
    "xray": ("xray", "sentences.csv", "-m", "alpha", "--reference", "Ana", "--sets", "4", "--step", "0.25"),
    "meaning": ("meaning", "sentences.csv", "-m", "alpha", "--sets", "4", "--step", "0.5"),
}


@pytest.mark.parametrize("name", COMMANDS if ALL else ["documents and chance", "xray"])
def test_commands_print_the_same_bytes_on_a_cluster(
    name: str, farm: Farm, cli: Cli, garden: Path, monkeypatch: Any
) -> None:
    command, file, *rest = COMMANDS[name]
    found = cli(command, garden / file, *rest, "--csv", "--cluster", farm.address)
    monkeypatch.undo()
    here = cli(command, garden / file, *rest, "--csv", "--jobs", "1")
    assert (found.code, found.out) == (0, here.out), found.err
    assert "distributed" not in found.err


def test_workers_compute_batches_of_documents_and_the_bootstrap(farm: Farm, tmp_path: Path, monkeypatch: Any) -> None:
    """Small limits split these data into several batches."""
    rng = np.random.default_rng(1)
    start = np.repeat(np.arange(120) % 4, 3) * 30 + rng.integers(0, 9, 360)
    units = {
        "doc": np.repeat(np.arange(30), 12), "annotator": np.tile(list("abc"), 120), "start": start,
        "end": start + rng.integers(3, 20, 360), "label": rng.choice(["x", "y"], 360),
    }  # fmt: skip
    monkeypatch.setattr("accord.measures.alignment.best._UNITS_AT_ONCE", 50)
    monkeypatch.setattr("accord.measures.resampling._CELLS", 600)
    stages: list[tuple[str, int]] = []
    scores = lambda: accord.score(units, "gamma", seed=1, replicates=100, progress=lambda *at: stages.append(at[::2]))  # noqa: E731
    with accord.cluster(farm.address):
        there = scores()
    assert {("aligning documents", 8), ("bootstrap", 5)} <= set(stages)
    with monkeypatch.context() as again:
        again.setattr(parallel, "_on_this_machine", ON_THIS_MACHINE)
        assert scores() == there
        with accord.checkpoint(tmp_path / "kept"):
            assert scores() == there
        again.setattr(parallel, "_on_this_machine", lambda _, tasks, __: iter(() if not tasks else 1 / 0))
        with accord.checkpoint(tmp_path / "kept"):
            assert scores() == there  # all results are read from the checkpoint


def test_results_are_complete_if_a_worker_is_killed(farm: Farm, tmp_path: Path) -> None:
    work = Work(tmp_path, seconds=0.02)
    assert spread(farm, work, run_with_event(6, farm.kill)) == computed_here(tmp_path)
    assert len({line.split()[1] for line in work.lines("begun")}) == 3 + 1  # three workers and this process


def test_results_are_complete_if_all_workers_are_replaced(farm: Farm, tmp_path: Path) -> None:
    """The cluster sends the data and lost tasks to the new workers."""

    def replace_workers() -> None:
        for place in list(farm.workers):
            farm.kill(place)
        farm.work(2)

    assert spread(farm, Work(tmp_path, seconds=0.02), run_with_event(6, replace_workers)) == computed_here(tmp_path)


def test_results_are_complete_if_the_connection_is_cut(farm: Farm, tmp_path: Path) -> None:
    def cut() -> None:
        client = clients[0]
        client.loop.add_callback(client.scheduler_comm.comm.abort)

    clients: list[Any] = []
    with accord.cluster(farm.address):
        found = resources().cluster
        assert found is not None
        clients.append(found.client)
        assert parallel.spread(Work(tmp_path, seconds=0.02), TASKS, run_with_event(6, cut), "trying") == computed_here(
            tmp_path
        )


def test_results_are_complete_if_the_scheduler_restarts(farm: Farm, tmp_path: Path) -> None:
    """The scheduler restarts at its address with new workers."""

    def restart() -> None:
        os.kill(farm.scheduler["pid"], signal.SIGKILL)
        for place in list(farm.workers):
            farm.kill(place)
        farm.begin(port=int(farm.address.rpartition(":")[2]))
        farm.work()

    assert spread(farm, Work(tmp_path, seconds=0.02), run_with_event(6, restart)) == computed_here(tmp_path)


@pytest.mark.skipif(not ALL, reason="run by `make cluster`: it restarts workers many times")
def test_workers_with_too_little_memory_are_replaced_or_reported(farm: Farm, tmp_path: Path) -> None:
    """Other workers run the tasks. Without other workers, accord raises an error."""
    work = Work(tmp_path, seconds=0.5, megabytes=600)
    small = [farm.hire(memory=500 << 20) for _ in range(2)]
    assert spread(farm, work) == computed_here(tmp_path)
    assert len(work.lines("begun")) > 2 * len(TASKS)  # here, on other workers, and on workers without enough memory
    for place in [place for place in farm.workers if place not in small]:
        farm.kill(place)
    with raises("cluster") as caught:
        spread(farm, work)
    assert re.search(r"killed every worker|has no workers", str(caught.value))
    for place in small:
        farm.kill(place)


def test_data_are_sent_once_to_each_worker(farm: Farm, tmp_path: Path) -> None:
    """A second stage with the same data does not send them again."""
    work = Work(tmp_path, ballast=b"x" * 3_000_000)
    with accord.cluster(farm.address):
        for _ in range(2):
            parallel.spread(work, TASKS, Run(), "trying")
    assert len(work.lines("begun")) == 2 * len(TASKS)
    assert len(work.lines("unpacked")) == len(set(work.lines("unpacked"))) <= 3


def test_error_of_the_first_failed_task_is_raised(farm: Farm, tmp_path: Path) -> None:
    with raises("usage", "task 2"):
        spread(farm, Work(tmp_path, refused=(2, 5, 9)))


def test_worker_with_another_version_is_refused(farm: Farm, tmp_path: Path) -> None:
    place = farm.hire(version="0.0.1 (feed)")
    with raises("cluster", f"the worker {place} has accord 0.0.1 (feed)", fingerprints.build()) as caught:
        spread(farm, Work(tmp_path))
    assert isinstance(caught.value, SpecError)
    farm.kill(place)
    assert not (tmp_path / "begun").exists()  # nothing was computed
    late: list[str] = []  # a later worker is checked with its first task
    with raises("cluster", "has accord 0.0.1 (feed)"):
        spread(
            farm,
            Work(tmp_path, seconds=0.05),
            run_with_event(2, lambda: late.append(farm.hire(version="0.0.1 (feed)"))),
        )
    farm.kill(late[0])


def test_task_that_kills_every_worker_is_reported(farm: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_OFTEN", 0)
    with raises("cluster", "trying: ", "killed every worker", "memory"):
        spread(farm, Work(tmp_path, deadly=(3,)))


def test_cluster_without_workers_is_reported(farm: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_PATIENCE", 0.3)
    monkeypatch.setattr(clusters, "_ANSWER", 0.3)
    with raises("cluster") as caught:
        spread(
            farm,
            Work(tmp_path, seconds=0.05),
            run_with_event(3, lambda: [farm.kill(place) for place in list(farm.workers)]),
        )
    assert re.search(r"no worker accepts tasks|has no workers", str(caught.value))


def test_checkpoint_keeps_finished_tasks(farm: Farm, tmp_path: Path) -> None:
    work = Work(tmp_path)
    with accord.checkpoint(tmp_path / "kept"):
        assert spread(farm, work) == spread(farm, work)
    assert len(work.lines("begun")) == len(TASKS)


def test_workers_count_rows_of_parquet_files(farm: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several files contain labels of one item. Workers return only distinct rows."""
    pytest.importorskip("duckdb")
    rng = np.random.default_rng(1)
    rows = [(f"i{k % 400}", "ABC"[k // 400], str(rng.integers(3)) if k % 7 else "") for k in rng.permutation(1200)]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    for k in range(4):
        frame[k * 300 : (k + 1) * 300].write_parquet(tmp_path / f"{k}.parquet")
    here = accord.score(tmp_path, ["alpha", "kappa"]).to_dict()
    monkeypatch.setattr(large, "LARGE_ROWS", 0)
    came: list[Any] = []
    real = clusters.Cluster.results

    def watched(*given: Any) -> Any:
        for number, result in real(*given):
            came.append(result)
            yield number, result

    monkeypatch.setattr(clusters.Cluster, "results", watched)
    with accord.cluster(farm.address):
        data = accord.read(tmp_path)
        there = accord.score(data, ["alpha", "kappa"]).to_dict()
    assert [(one["value"], one["se"], one["interval"]) for one in there["scores"]] == [
        (one["value"], one["se"], one["interval"]) for one in here["scores"]
    ]
    assert len([one for one in came if isinstance(one, list)]) == 4  # files
    assert sum(len(one) for one in came if isinstance(one, np.ndarray)) <= 3 * 4**3  # distinct rows of three workers


@pytest.mark.parametrize("address", ["", "nothing", "tcp://127.0.0.1", "local:0", "local:9999", "http://a b:1"])
def test_invalid_cluster_address_is_one_line_error(address: str, cli: Cli, garden: Path) -> None:
    got = cli("score", garden / "spans.csv", "--cluster", address)
    assert got.code == 2
    assert "cluster" in got.err
    assert got.err.count("\n") == 1


def test_missing_scheduler_is_one_line_error(cli: Cli, garden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(clusters, "_ANSWER", 0.3)
    before = logging.getLogger("distributed").level
    got = cli("score", garden / "spans.csv", "--cluster", "tcp://127.0.0.1:9")
    assert got.code == 2
    refused(got, "[cluster]", '"tcp://127.0.0.1:9"')
    assert logging.getLogger("distributed").level == before


def test_missing_dask_is_reported_with_the_install_command(
    cli: Cli, garden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    got = cli("score", garden / "spans.csv", "--cluster", "local:2")
    assert got.code == 2
    assert "pip install 'accord[cluster]'" in got.err
    assert got.err.endswith("[missing-package]\n")


# -- a cluster on this machine ----------------------------------------------------------------------------------------


def _listening() -> set[tuple[str, int]]:
    """Return the listening sockets of this machine (address and port), as Linux lists them."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    there = [row[1].split(":") for row in rows if row[3] == "0A"]
    return {(".".join(str(b) for b in reversed(bytes.fromhex(host))), int(port, 16)) for host, port in there}


def _processes_of_group(leader: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[2]) == leader and words[0] != "Z":
            found.append(int(stat.parent.name))
    return found


_SCRIPT = """
import sys, time
import accord
from accord.core import parallel
from accord.core.context import Run
from tests.cluster.work import Work
from pathlib import Path

with accord.cluster("local:2"):
    parallel.spread(print, ["x" * 300_000], Run(), "talking")  # the output is not read and must not block
    print(parallel.spread(Work(Path(sys.argv[1]), seconds=float(sys.argv[2])), range(24), Run(), "trying"), flush=True)
"""


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system does not list its sockets")
@pytest.mark.parametrize("ends", ["well", "killed", "interrupted"] if ALL else ["killed"])
def test_local_cluster_accepts_only_local_connections_and_ends_with_its_script(ends: str, tmp_path: Path) -> None:
    """A script without a main guard starts the cluster. No process remains after it ends."""
    pytest.importorskip("distributed")
    before = _listening()
    seconds = "0.01" if ends == "well" else "1"
    command = [sys.executable, "-c", _SCRIPT, str(tmp_path), seconds]
    with subprocess.Popen(command, cwd=ROOT, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as script:  # noqa: S603
        wait_until(lambda: Work(tmp_path).lines("begun"), 60)
        workers = {int(line.split()[1]) for line in (tmp_path / "begun").read_text().splitlines()}
        group = os.getpgid(next(iter(workers)))
        assert group != os.getpgid(script.pid)
        assert {host for host, _ in _listening() - before} <= {"127.0.0.1"}
        if ends != "well":
            script.send_signal(signal.SIGKILL if ends == "killed" else signal.SIGINT)
        out, err = script.communicate(timeout=60)
    if ends == "well":
        assert (out.decode().strip(), err) == (str(computed_here(tmp_path)), b"")
    if ends == "interrupted":
        assert err.rstrip().endswith(b"KeyboardInterrupt")
        assert b"distributed -" not in err
    wait_until(lambda: not _processes_of_group(group))


@pytest.mark.skipif(not ALL, reason="run by `make cluster`: it starts a cluster")
def test_interrupted_command_ends_its_cluster(tmp_path: Path, garden: Path) -> None:
    pytest.importorskip("distributed")
    argv = ("meaning", str(garden / "spans.csv"), "-m", "gamma", "--sets", "40", "--step", "0.02")
    session = Session(tmp_path, (*argv, "--cluster", "local:2", "-o", "meaning.csv"))
    session.until("shuffling and scoring")
    hosts = [child for child in _children(session.process.pid) if b"core.clusters" in _command(child)]
    assert len(hosts) == 1
    assert session.interrupted() == MESSAGE
    assert not list(tmp_path.iterdir())
    wait_until(lambda: not _processes_of_group(hosts[0]))


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()
