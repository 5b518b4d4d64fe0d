"""Fixtures of all tests; markers for tests that need something, and a count of those that were skipped without it."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from accord.core.errors import Interface

from . import hypothesis_profiles
from .command_line import cli, table
from .needs import CORPORA, NO_CORPORA

__all__ = ["cli", "hypothesis_profiles", "table"]  # fixtures of all tests, and the same examples in every run
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
DATA = Path(__file__).resolve().parent / "data"


def golden_cases(name: str) -> Any:
    """The content of a golden file: tests/data/golden/README.md names their sources."""
    return json.loads((DATA / "golden" / name).read_text(encoding="utf-8"))


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
    monkeypatch.setattr(
        Interface, "command_line", request.node.path.name not in {"test_docs.py", "test_python_words.py"}
    )


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
    return golden_cases


@pytest.fixture(scope="session")
def corpora() -> Path:
    return CORPORA


@pytest.fixture
def garden() -> Path:
    return EXAMPLES / "garden"


@pytest.hookimpl(tryfirst=True)  # before -m selects by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "corpora" in getattr(item, "fixturenames", ()):
            item.add_marker("corpora")
        if item.get_closest_marker("corpora") and not CORPORA.exists():
            item.add_marker(pytest.mark.skip(reason=NO_CORPORA))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Counts the tests that were skipped because this machine lacks something: their reasons begin with "needs"."""
    reasons = (str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []))
    needed = Counter(reason.partition("needs ")[2] for reason in reasons if "needs " in reason)
    for what, tests in needed.most_common():
        terminalreporter.write_line(f"{tests} {'test needs' if tests == 1 else 'tests need'} {what}: skipped")
