"""Checkpoints: finished tasks are reused, outdated ones are not, and foreign folders are refused."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.core import parallel
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.fingerprints import Memo, fingerprint

from .cases import for_each
from .command_line import Cli
from .refusals import raises

CALLS: list[int] = []


@dataclass(frozen=True, eq=False)
class Data:
    labels: tuple[str, ...] = ("a", "b")
    numbers: Any = None
    names: frozenset[str] = frozenset("xyz")
    file: str = ""

    @cached_property
    def looked_at(self) -> int:
        return len(self.labels)

    @cached_property
    def memo(self) -> Memo:
        return Memo()


def squared(data: Data, task: int) -> tuple[int, str]:
    CALLS.append(task)
    if task == 40:
        raise DataError("usage", "refused")
    return task**2, "".join(data.labels)


def run(folder: Path, data: Data, tasks: range = range(6)) -> list[Any]:
    CALLS.clear()
    with accord.checkpoint(folder):
        return parallel.spread(partial(squared, data), tasks, Run(jobs=1), "trying")


def test_finished_tasks_are_reused_only_for_the_same_data(tmp_path: Path) -> None:
    kept, data = tmp_path / "kept", Data(numbers=np.arange(3.0))
    first = run(kept, data)
    assert CALLS == [0, 1, 2, 3, 4, 5]
    data.looked_at  # noqa: B018 - a cached property is not part of the data
    data.memo.once("x", lambda: 1)
    assert run(kept, data) == first
    assert not CALLS
    assert run(kept, data, range(8))[:6] == first
    assert CALLS == [6, 7]
    run(kept, replace(data, numbers=np.array([0.0, 1.0, 2.5])), range(2))
    assert CALLS == [0, 1]


def test_results_finished_before_an_error_are_kept(tmp_path: Path) -> None:
    with raises("usage"):
        run(tmp_path / "kept", Data(), range(38, 42))
    run(tmp_path / "kept", Data(), range(38, 40))
    assert not CALLS


def test_damaged_checkpoint_is_computed_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    first = run(kept, Data())
    files = sorted(path for path in kept.glob("*/*") if path.is_file())
    assert len(files) == 6
    files[0].write_bytes(b"")
    files[1].write_bytes(files[1].read_bytes()[:-1])
    content = bytearray(files[2].read_bytes())
    content[-3] ^= 1
    files[2].write_bytes(content)
    assert run(kept, Data()) == first
    assert len(CALLS) == 3


def test_workers_keep_finished_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_PATIENCE", -1.0)
    monkeypatch.setattr(parallel, "_WORTH_IT", -1.0)
    with accord.checkpoint(tmp_path / "kept"):
        found = parallel.spread(partial(pow, 3), range(20), Run(jobs=2), "trying")
    monkeypatch.setattr(parallel, "_on_this_machine", lambda *_: iter(()))
    with accord.checkpoint(tmp_path / "kept"):
        assert parallel.spread(partial(pow, 3), range(20), Run(jobs=2), "trying") == found


@for_each(
    "other",
    [
        Data(labels=("ab",)),
        Data(labels=("a", "c")),
        Data(numbers=0),
        Data(numbers=0.0),
        Data(numbers=np.zeros(1)),
        Data(numbers=np.zeros(1, dtype=np.float32)),
        Data(numbers=np.zeros((1, 1))),
        Data(numbers=np.array(["a", None], dtype=object)),
        Data(numbers=False),
        Data(numbers=b""),
        Data(numbers=""),
        Data(numbers={"a": 1, "b": 2}),
        Data(numbers={"b": 2, "a": 1}),
        Data(numbers=[1, 2]),
        Data(numbers=(1, 2)),
        Data(numbers=[[1], 2]),
        Data(numbers=range(2)),
        Data(numbers=Path("a")),
        Data(numbers=squared),
        Data(numbers=Data),
        Data(numbers=partial(squared, 1)),
        Data(names=frozenset("xy")),
    ],
)
def test_other_content_has_another_digest(other: Data) -> None:
    others = [data for data in _SEEN if data is not other]
    assert fingerprint(other) not in {fingerprint(data) for data in [*others, Data()]}
    _SEEN.append(other)


_SEEN: list[Data] = []


def test_digest_includes_the_content_of_named_files(tmp_path: Path) -> None:
    path = tmp_path / "matrix.csv"
    path.write_text("1")
    before = fingerprint(Data(file=str(path)))
    path.write_text("2")
    assert fingerprint(Data(file=str(path))) != before


def test_digest_of_a_user_function_includes_its_file(tmp_path: Path) -> None:
    import runpy

    path, found = tmp_path / "own.py", []
    for body in ("1", "2", "1"):
        path.write_text(f"def helper():\n    return {body}\ndef mine(data):\n    return helper()\n")
        found.append(fingerprint(runpy.run_path(str(path))["mine"]))
    assert found[0] == found[2] != found[1]


def test_digests_are_the_same_in_every_process() -> None:
    code = "import numpy as np; from accord.core.fingerprints import fingerprint; " + (
        "print(fingerprint({'a': frozenset('qwertz')}, np.arange(3), ('x', 1.5, None), fingerprint))"
    )
    command = [sys.executable, "-c", code]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    seeds = [{**env, "PYTHONHASHSEED": seed} for seed in ("1", "2")]
    found = {subprocess.run(command, env=one, capture_output=True, check=True).stdout for one in seeds}  # noqa: S603
    assert len(found) == 1


# -- the folder -------------------------------------------------------------------------------------------------------


def refused(folder: Path, match: str) -> None:
    with raises(match), accord.checkpoint(folder):
        pass


def test_other_runs_and_versions_are_refused(tmp_path: Path, cli: Cli, garden: Path) -> None:
    kept, score = (
        tmp_path / "kept",
        ("score", garden / "sentences.csv", "-m", "alpha", "--checkpoint", tmp_path / "kept"),
    )
    assert cli(*score).code == 0
    assert cli(*score).code == 0
    got = cli(*score, "--seed", "2")
    assert (got.code, "belongs to another run" in got.err) == (2, True)
    head = kept / "checkpoint.json"
    stored = json.loads(head.read_text())
    head.write_text(json.dumps({**stored, "NumPy": "1.0"}))
    got = cli(*score)
    assert (got.code, "was written with NumPy 1.0, but this is NumPy 2" in got.err) == (2, True)
    head.write_text("{")
    refused(kept, "saved-file-invalid")


def test_foreign_and_unsafe_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir(mode=0o700)
    (tmp_path / "full" / "letter.txt").write_text("dear")
    refused(tmp_path / "full", "output-exists")
    (tmp_path / "file").write_text("")
    refused(tmp_path / "file", "checkpoint")
    refused(tmp_path / "no" / "where", "checkpoint")
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    refused(tmp_path / "open", "unsafe-file")
    with raises("option-value"), accord.checkpoint(3):  # type: ignore[arg-type]
        pass


def test_reading_is_not_stored_in_a_checkpoint(tmp_path: Path, cli: Cli, garden: Path) -> None:
    """accord reads files again each time, because they can change."""
    kept = tmp_path / "kept"
    with accord.checkpoint(kept):
        parallel.spread(partial(squared, Data()), range(3), Run(jobs=1), "reading", here=True)
    assert [path.name for path in kept.iterdir()] == ["checkpoint.json"]


# -- kill -9 ----------------------------------------------------------------------------------------------------------

_CHILD = """
import sys, time
from functools import partial
from pathlib import Path
import accord
from accord.core import parallel
from accord.core.context import Run

def slow(log, task):
    with open(log, "a") as file:
        file.write(f"begun {task}\\n")
    time.sleep(0.01)
    return task ** 3

with accord.checkpoint(sys.argv[1]):
    print(sum(parallel.spread(partial(slow, sys.argv[2]), range(30), Run(jobs=1), "trying")))
"""


def test_killed_run_repeats_only_unfinished_tasks(tmp_path: Path) -> None:
    """Send SIGKILL at random times. tests.faults.killing does this with commands (`make faults`)."""
    log, env = tmp_path / "log", {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    log.write_text("")
    command = [sys.executable, "-c", _CHILD, str(tmp_path / "kept"), str(log)]
    chance, kills, out = random.Random(5), 0, b""  # noqa: S311
    for _ in range(30):
        begun = log.read_text().count("\n")
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603
            while log.read_text().count("\n") == begun and process.poll() is None:
                time.sleep(0.005)
            if kills < 3:
                time.sleep(chance.uniform(0.0, 0.15))
                process.send_signal(signal.SIGKILL)
            out, err = process.communicate(timeout=60)
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, err
        kills += 1
    assert out.decode().strip() == str(sum(k**3 for k in range(30)))
    assert kills
    assert len(log.read_text().splitlines()) <= 30 + kills


@pytest.mark.parametrize(
    ("file", "spec"),
    [
        ("sentences.csv", "alpha"),
        ("sentences.csv", "kappa"),
        ("spans.csv", "gamma"),
        ("spans.csv", "ku_alpha(category=PLANT,overlaps=pairs)"),
        ("chains.csv", "chain_alpha"),
    ],
)
def test_bootstrap_is_reused_for_data_read_again(
    file: str, spec: str, cli: Cli, tmp_path: Path, garden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Polars stores names in a new string cache each time. The digest must not depend on it."""
    monkeypatch.setattr("accord.measures.resampling._CELLS", 200)
    data, kept = garden / file, tmp_path / "kept"
    if file == "chains.csv":
        data = tmp_path / file
        rows = "d{d},A,0,3,x\nd{d},A,5,8,x\nd{d},A,9,12,y\nd{d},B,0,3,x\nd{d},B,5,8,{b}\nd{d},B,9,12,y\n"
        made = "".join(rows.format(d=d, b="xy"[d % 2]) for d in range(6))
        data.write_text("doc,annotator,start,end,chain\n" + made, encoding="utf-8")
    asked = ("score", data, "-m", spec, "--interval", "bootstrap", "--replicates", "100", "--json")
    first = cli(*asked, "--checkpoint", kept)
    assert first.code == 0, first.err
    files = sorted(path.name for path in kept.rglob("*") if path.is_file())
    assert len(files) > 2
    again = cli(*asked, "--checkpoint", kept)
    assert sorted(path.name for path in kept.rglob("*") if path.is_file()) == files
    assert again.out == first.out == cli(*asked).out
