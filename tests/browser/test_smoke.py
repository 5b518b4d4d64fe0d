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


def test_every_option_can_be_set_on_the_page(visitor: Any, garden: Path) -> None:
    """What is set behind "More options" stands in the command line that the page shows."""
    table, seen = garden / "sentences.csv", visitor()
    page = seen.page
    seen.drop({table.name: table.read_text(encoding="utf-8")})
    seen.understood()
    seen.go("plan")
    more = page.locator("[data-options=plan]")
    shown = {one.get_attribute("data-option") for one in page.locator("main form [data-option]").all()}
    declared = seen.fetched("/api/about")["commands"]["plan"]["properties"]
    assert shown == set(declared) - {"paths", "reading"}
    more.locator("summary").click()
    more.locator("[data-option=simulations] input").fill("0")
    page.locator("main form button.main").click()
    page.wait_for_selector(".printed")
    page.locator("main details.fold", has=page.locator(".code")).locator("summary").click()
    assert page.locator(".code").first.inner_text().startswith("accord plan sentences.csv --width 0.1 --simulations 0")
    assert (seen.requests, seen.errors) == ([], [])
