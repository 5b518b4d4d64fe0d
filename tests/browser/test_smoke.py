"""The page of `accord serve` in a browser, once from a table to its report; longer walks are slow tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command_line import Cli


def test_page_reports_on_an_uploaded_table(visitor: Any, cli: Cli, garden: Path) -> None:
    """The first number of the report is that of the command line, and nothing left the machine."""
    table, seen = garden / "sentences.csv", visitor()
    page = seen.page
    seen.drop({table.name: table.read_text(encoding="utf-8")})
    assert "Ana" in seen.understood()
    page.locator("main button.main", has_not=page.locator("form")).first.click()
    page.wait_for_selector(".advice, .answered")
    page.locator("main form > .go button.main").click()
    page.wait_for_selector("iframe")
    frame = page.frame_locator("iframe")
    frame.locator("h2.headline").wait_for()
    shown = json.loads(frame.locator("#accord-report").text_content())["variables"][0]["scores"][0]
    (score,) = json.loads(cli("score", table, "-m", shown["measure"], "--json").out)["scores"]
    assert (shown["value"], shown["interval"]) == (score["value"], score["interval"])
    assert (seen.requests, seen.errors) == ([], [])
