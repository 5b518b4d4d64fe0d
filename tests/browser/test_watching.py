"""The fixture `visit` detects requests, errors and accessibility violations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

GOOD = "<!doctype html><html lang=en><title>t</title><main><h1>Fine</h1></main>"


def test_plain_page_has_no_requests_or_errors(visit: Any, tmp_path: Path) -> None:
    (tmp_path / "good.html").write_text(GOOD)
    seen = visit(tmp_path / "good.html")
    assert (seen.requests, seen.errors, seen.complaints()) == ([], [], [])


def test_requests_errors_and_barriers_are_detected(visit: Any, tmp_path: Path) -> None:
    bad = "<!doctype html><html><title>t</title><img src=http://127.0.0.1:9/x.png><script>throw Error('lost')</script>"
    (tmp_path / "bad.html").write_text(bad)
    seen = visit(tmp_path / "bad.html")
    assert seen.requests == ["http://127.0.0.1:9/x.png"]
    assert any("lost" in error for error in seen.errors)
    assert any(found.startswith("image-alt") for found in seen.complaints())


def test_scripts_can_be_disabled(visit: Any, tmp_path: Path) -> None:
    (tmp_path / "plain.html").write_text(f"{GOOD}<script>document.title = 'ran'</script>")
    assert visit(tmp_path / "plain.html", scripts=False).page.title() == "t"
