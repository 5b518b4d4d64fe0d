"""Fixtures of all tests, markers for tests with requirements, and a count of skipped tests."""

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

__all__ = ["cli", "hypothesis_profiles", "table"]  # fixtures, and the Hypothesis profile
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
DATA = Path(__file__).resolve().parent / "data"


def golden_cases(name: str) -> Any:
    """Return the content of a golden file. tests/data/golden/README.md names the sources."""
    return json.loads((DATA / "golden" / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session", autouse=True)
def register(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the register of written files in a temporary folder, not in the cache of the user."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder / "accord" / "written"


@pytest.fixture(scope="session", autouse=True)
def compiled() -> Iterator[None]:
    """Test compiled code even for small data. test_compiled.py compares it with Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.core.compiled._PAYS", 0)
        yield


@pytest.fixture(autouse=True)
def typed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect messages of the command line. contract/test_python_words.py tests those of Python."""
    monkeypatch.setattr(
        Interface, "command_line", request.node.path.name not in {"test_docs.py", "test_python_words.py"}
    )


def pytest_configure() -> None:
    """Restore the handlers of SIGINT and SIGHUP, which background shells and nohup ignore."""
    usual = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL}
    for name, handler in usual.items():
        if signal.getsignal(number := getattr(signal, name, signal.SIGINT)) is signal.SIG_IGN:
            signal.signal(number, handler)


_SIGNALS = [number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """Restore signal handlers after each test, so that a later signal does not end the process."""
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
    """Count skipped tests by requirement. Their reasons begin with "needs"."""
    reasons = (str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []))
    needed = Counter(reason.partition("needs ")[2] for reason in reasons if "needs " in reason)
    for what, tests in needed.most_common():
        terminalreporter.write_line(f"{tests} {'test needs' if tests == 1 else 'tests need'} {what}: skipped")
