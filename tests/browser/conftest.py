"""Pages in Chromium. Without Chromium, these tests are skipped and counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ..needs import CHROMIUM

AXE = Path(__file__).parent / "axe" / "axe.min.js"
_WIDE, _HIGH = 1280, 900


@dataclass
class Watched:
    """A page with its external requests and its errors."""

    page: Any
    requests: list[str] = field(default_factory=list)  # outside the folder of the file
    errors: list[str] = field(default_factory=list)  # console errors and warnings, and uncaught errors

    def complaints(self) -> list[str]:
        """Return the accessibility violations that axe-core finds."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("async () => (await axe.run()).violations")
        return [f"{one['id']}: {one['help']}: {[node['html'][:200] for node in one['nodes'][:3]]}" for one in found]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if CHROMIUM.path is None:
        pytest.skip(CHROMIUM.reason)
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM.path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any) -> Iterator[Any]:
    """`visit(path, scripts=True, dark=False, width=1280)` opens a file and records its requests and errors."""
    contexts = []

    def opened(path: Path, *, scripts: bool = True, dark: bool = False, width: int = _WIDE) -> Watched:
        context = chromium.new_context(
            java_script_enabled=scripts,
            color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": _HIGH},
        )
        contexts.append(context)
        watched = Watched(context.new_page())
        here = path.resolve().parent.as_uri()
        watched.page.on(
            "request", lambda r: None if r.url.startswith((here, "data:", "blob:")) else watched.requests.append(r.url)
        )
        watched.page.on("console", lambda m: watched.errors.append(m.text) if m.type in {"error", "warning"} else None)
        watched.page.on("pageerror", lambda e: watched.errors.append(str(e)))
        watched.page.goto(path.resolve().as_uri())
        return watched

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One server for all tests. Users do not see data of other users."""
    pytest.importorskip("uvicorn", reason="accord[page] is not installed")
    from tests.serving.served import Served

    found = Served.start(tmp_path_factory.mktemp("page"), "--workers", "2")
    yield found
    found.stop()


@pytest.fixture
def visitor(chromium: Any, served: Any) -> Iterator[Any]:
    """`visitor(dark=False, width=1280, language="en")` opens the page with a separate session."""
    from tests.browser.visitor import Visitor

    contexts = []

    def arrived(*, dark: bool = False, width: int = _WIDE, language: str = "en", at: Any = None) -> Visitor:
        context = chromium.new_context(
            color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": _HIGH},
            locale=language,
            accept_downloads=True,
        )
        contexts.append(context)
        made = Visitor(context, context.new_page(), at or served)
        made.watch()
        made.open()
        return made

    yield arrived
    for context in contexts:
        context.close()
