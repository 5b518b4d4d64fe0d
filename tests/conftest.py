"""What tests share: the worked cases and corpora that live beside the project, where they are there."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from accord.core.errors import Asker

from . import hypothesis_profiles
from .command_line import cli, table

__all__ = ["cli", "hypothesis_profiles", "table"]  # fixtures of all tests, and the same examples in every run
SHARED = Path(__file__).resolve().parents[2] / "shared"
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def golden_cases(name: str) -> Any:
    """The content of a golden file, or None where it is missing."""
    path = SHARED / "golden" / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


@pytest.fixture(scope="session", autouse=True)
def register(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What accord wrote is remembered for the tests alone, and not where its user keeps it."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder / "accord" / "written"


@pytest.fixture(scope="session", autouse=True)
def compiled() -> Iterator[None]:
    """Machine code is what tests look at, however little there is to do; test_compiled.py holds it against Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.core.compiled._PAYS", 0)
        yield


@pytest.fixture(autouse=True)
def typed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages are compared in the words of the command line; those of Python have contract/test_python_words.py."""
    monkeypatch.setattr(Asker, "types", request.node.path.name not in {"test_docs.py", "test_python_words.py"})


def pytest_configure() -> None:
    """Ctrl-C and a closed terminal are what some tests are about; shells in the background and nohup ignore them."""
    usual = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL}
    for name, handler in usual.items():
        if signal.getsignal(number := getattr(signal, name, signal.SIGINT)) is signal.SIG_IGN:
            signal.signal(number, handler)


_SIGNALS = [number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """What commands do with signals ends with their test: one that interrupts itself later would end the process."""
    before = [(number, signal.getsignal(number)) for number in _SIGNALS]
    yield
    for number, handler in before:
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Any]:
    def load(name: str) -> Any:
        cases = golden_cases(name)
        if cases is None:
            pytest.skip(f"../shared/golden/{name} is not there")
        return cases

    return load


@pytest.fixture(scope="session")
def corpora() -> Path:
    folder = SHARED / "corpora"
    if not folder.exists():
        pytest.skip("../shared/corpora is not there")
    return folder


@pytest.fixture
def garden() -> Path:
    return EXAMPLES / "garden"


# What compiles most comes first, on different workers (`--no-loadscope-reorder`): on a fresh machine the others then
# find machine code in the cache, instead of compiling the same at the same time.
FIRST = ("test_sequences.py", "test_generation.py", "test_against_naive.py", "test_what_does_not_matter.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: FIRST.index(item.path.name) if item.path.name in FIRST else len(FIRST))
