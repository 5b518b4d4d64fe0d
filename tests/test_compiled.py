"""The cache of compiled code: damage never changes a result and gives one warning."""

from __future__ import annotations

import errno
import importlib.util
import math
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

import accord
from accord.core import compiled, machine_code
from accord.core.errors import AccordWarning, CacheWarning
from accord.doors.rendering import render

from .command_line import Cli

KERNEL = "from accord.core.compiled import compiled\n\n\n@compiled\ndef twice(x):\n    return x + x\n"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """Return a function that loads a kernel as in a new process, with its cache in the folder of the test."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    source = tmp_path / "doubling.py"
    source.write_text(KERNEL, encoding="utf-8")

    def made() -> Any:
        monkeypatch.setattr(machine_code, "_noted", [])
        spec = importlib.util.spec_from_file_location("doubling", source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "doubling", module)
        spec.loader.exec_module(module)
        return module.twice

    return made


def _loaded(kernel: Any) -> int:
    return sum(kernel.machine.stats.cache_hits.values())


def test_compiled_code_is_cached(kept: Callable[[], Any]) -> None:
    assert kept()(2) == 4
    second = kept()
    assert second(2) == 4
    assert _loaded(second) == 1


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "damaged",
    [
        lambda content: content[: len(content) // 2],
        lambda _: b"",
        lambda _: b"garbage",
        lambda content: content[:-900] + bytes([content[-900] ^ 1]) + content[-899:],
        lambda content: content[:-1],
        lambda _: pickle.dumps({"what": "is this"}),
    ],
)
def test_damaged_cache_files_are_written_again(
    kept: Callable[[], Any], tmp_path: Path, suffix: str, damaged: Callable[[bytes], bytes]
) -> None:
    kept()(2)
    (file,) = tmp_path.glob(f"cache/**/*.{suffix}")
    content = file.read_bytes()
    file.write_bytes(damaged(content))
    kernel = kept()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert kernel(2) == 4
        assert kernel(2.5) == 5
    assert [w.category for w in caught if "compiles again" in str(w.message)] in ([CacheWarning], [])
    assert issubclass(CacheWarning, AccordWarning)
    assert len(caught) == 1 or suffix == "nbi"  # Numba ignores an index of another version
    again = kept()
    assert again(2) == 4
    assert _loaded(again) == 1


def test_full_disk_gives_a_warning(kept: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(machine_code._CheckedFiles, "_open_for_write", full)
    kernel = kept()
    with pytest.warns(CacheWarning, match=r"cannot be written \(No space left on device\); accord compiles again"):
        assert kernel(2) == 4


def test_missing_cache_folder_gives_a_warning(kept: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object) -> None:
        raise RuntimeError("no locator available")

    monkeypatch.setattr(machine_code._caching.FunctionCache, "__init__", nowhere)
    kernel = kept()
    with pytest.warns(CacheWarning, match="cannot be cached, because no cache folder is writable"):
        assert kernel(2) == 4


def test_folder_in_place_of_a_cache_file_gives_a_warning(kept: Callable[[], Any], tmp_path: Path) -> None:
    kept()(2)
    (index,) = tmp_path.glob("cache/**/*.nbi")
    index.unlink()
    index.mkdir()
    kernel = kept()
    with pytest.warns(CacheWarning, match="is damaged"):
        assert kernel(2) == 4


def test_damaged_machine_code_is_reported_on_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def formats() -> None:
        machine_code._note("compiled code in somewhere is damaged")

    monkeypatch.setattr(machine_code, "_noted", [])
    monkeypatch.setattr("accord.doors.cli.listings.formats", formats)
    assert cli("formats").err == (
        "accord: compiled code in somewhere is damaged; accord compiles again, which takes some seconds\n"
    )


def test_small_tasks_run_in_python_unless_compiled_code_is_cached(
    kept: Callable[[], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "_PAYS", 100)
    kernel = kept()
    assert kernel.for_work(10)(2) == 4
    assert not list(tmp_path.glob("cache/**/*.nbi"))
    assert kernel.for_work(10**9)(2) == 4
    assert list(tmp_path.glob("cache/**/*.nbi"))
    again = kept()
    assert again.for_work(10) is again  # loading cached code is fast


TEXTS = [
    {"doc": "d", "annotator": "Ana", "text": "Once upon a time a king lived in a castle ."},
    {"doc": "d", "annotator": "Ben", "text": "Once apon time a king lived inn the cas tle ."},
]
MASSES = accord.Segmentations.from_masses({"Ana": [3, 5, 4, 8, 10], "Ben": [3, 6, 6, 6, 9], "Eva": [4, 4, 4, 15, 3]})
SENTENCES = Path(__file__).resolve().parents[1] / "examples" / "garden" / "sentences.csv"
SEGMENTED = ["pk", "window_diff", "ghd", "boundary_similarity", "pi_star"]
ASKED: dict[str, Callable[[], Any]] = {
    "texts": lambda: accord.score(TEXTS, "text_gamma(precision=0.3)"),
    "segmentations": lambda: accord.score(MASSES, SEGMENTED),
    "Dawid–Skene": lambda: accord.gold(SENTENCES, method="dawid_skene"),
    "MACE": lambda: accord.gold(SENTENCES, method="mace"),
    "annotators": lambda: accord.annotators(SENTENCES),
}


@pytest.mark.slow
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_machine_code_and_python_give_the_same_digits(ask: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    machine = render(ask(), "json")
    monkeypatch.setattr(compiled, "_PAYS", math.inf)
    monkeypatch.setattr(compiled.Kernel, "_is_cached", False)
    monkeypatch.setattr(compiled.Kernel, "machine", None)  # calling it would fail
    assert render(ask(), "json") == machine


def test_interruption_during_compilation_is_raised_immediately() -> None:
    """LLVM would lose the signal or delay it until the end of compilation."""
    release, over = threading.Event(), threading.Event()

    def compile_for(_signature: object) -> None:
        signal.raise_signal(signal.SIGINT)  # for this thread; a timer could interrupt later tests
        release.wait(60)
        over.set()

    with pytest.raises(KeyboardInterrupt):
        machine_code._in_thread(compile_for)("types")
    assert not over.is_set()
    release.set()
    assert over.wait(60)


@pytest.mark.parametrize("came", [KeyboardInterrupt, SystemExit(143)])
def test_interruption_of_machine_code_is_not_wrapped(
    kept: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, came: BaseException
) -> None:
    """Numba wraps the exception twice in SystemError, which would print a traceback."""

    def machine(_x: int) -> None:
        try:
            try:
                raise came
            except BaseException as error:
                raise SystemError("returned a result with an exception set") from error
        except SystemError as error:
            raise SystemError("returned a result with an exception set") from error

    kernel = kept()
    monkeypatch.setattr(kernel, "machine", machine)
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        kernel(2)


def test_compiler_error_reaches_the_caller() -> None:
    def compile_for(_signature: object) -> None:
        raise TypeError("no such types")

    with pytest.raises(TypeError, match="no such types"):
        machine_code._in_thread(compile_for)("types")
