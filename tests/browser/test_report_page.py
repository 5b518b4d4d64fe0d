"""The report in a browser sends no requests, runs no foreign scripts, and is accessible."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.answers.reporting.page import render_page, render_pages
from accord.answers.reporting.reports import Report

pytestmark = pytest.mark.slow

GARDEN = Path(__file__).parents[2] / "examples" / "garden"
ALERT = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:alert(1)", "</script><b>", "أهلا🙂")


@cache
def report_of(name: str) -> Report:
    if name != "nasty":
        return accord.report(GARDEN / name, None, {"spans.csv": "gamma"}.get(name), jobs=1)
    rows = [[ALERT[(k + (k % 4 == g)) % 5] for g in range(3)] for k in range(30)]
    return accord.report(accord.Ratings.from_rows(rows, annotators=ALERT[:3]), None, "alpha", title=ALERT[0], jobs=1)


@cache
def content(name: str) -> str:
    return render_page(report_of(name))


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(name: str) -> Path:
        path = tmp_path / "report.html"
        path.write_text(content(name), encoding="utf-8")
        return path

    return write


NAMES = pytest.mark.parametrize("name", ["spans.csv", "sentences.csv", "nasty"])
THEMES = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


def look_at_all(render_page: Any) -> None:
    """Scroll through the page to load all views."""
    render_page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    render_page.evaluate(
        "async () => { for (let y = 0; y < document.body.scrollHeight; y += 600) {"
        " scrollTo({top: y, behavior: 'instant'}); await new Promise(done => setTimeout(done, 40)); } }"
    )
    render_page.evaluate(
        "async () => { for (const one of document.querySelectorAll('.av-view')) {"
        " one.scrollIntoView({behavior: 'instant'}); await new Promise(done => setTimeout(done, 40)); } }"
    )
    render_page.wait_for_function(
        "() => [...document.querySelectorAll('.av-view')].every(one => one.querySelector('.av-live.av-ready'))"
    )


@NAMES
@THEMES
def test_report_sends_no_requests_and_has_no_errors(visit: Any, written: Any, name: str, dark: bool) -> None:
    seen = visit(written(name), dark=dark)
    dialogs: list[str] = []
    seen.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    look_at_all(seen.page)
    assert (seen.requests, seen.errors, dialogs) == ([], [], [])


@NAMES
@THEMES
def test_report_is_accessible(visit: Any, written: Any, name: str, dark: bool) -> None:
    seen = visit(written(name), dark=dark)
    look_at_all(seen.page)
    assert seen.complaints() == []


@pytest.mark.parametrize("width", [400, 800, 1400])
def test_report_fits_the_window(visit: Any, written: Any, width: int) -> None:
    seen = visit(written("spans.csv"), width=width)
    look_at_all(seen.page)
    assert seen.page.evaluate("document.documentElement.scrollWidth") == width


def test_table_of_several_variables_does_not_break_rows_or_words(visit: Any, tmp_path: Path) -> None:
    """Row names are as high as their row, and column headers are not split."""
    rows = [
        {"item": k, "annotator": who, "stance": (k * n) % 3, "tone": (k + n) % 2}
        for k in range(20)
        for n, who in enumerate("ABC", 1)
    ]
    path = tmp_path / "report.html"
    path.write_text(render_page(accord.report(rows, None, "alpha", jobs=1)), encoding="utf-8")
    seen = visit(path)
    table = seen.page.locator("table", has=seen.page.locator("thead", has_text="in words"))
    cells = table.locator("tbody tr").first.locator("th, td")
    assert len({cell.bounding_box()["height"] for cell in cells.all()}) == 1
    high = {name: table.locator(f"thead bdi:text-is('{name}')").bounding_box()["height"] for name in ("measure", "n")}
    assert high["measure"] == high["n"]  # one line


def test_report_works_without_scripts(visit: Any, written: Any) -> None:
    seen = visit(written("spans.csv"), scripts=False)
    assert not seen.page.locator(".toggle").is_visible()
    assert seen.page.locator("h2.headline").is_visible()
    assert seen.page.locator("#documents .av-static").first.is_visible()
    fold = seen.page.locator("#disagreement details.fold").first
    assert not fold.locator("table").is_visible()
    fold.locator("summary").click()
    assert fold.locator("table").is_visible()
    seen.page.locator("nav a", has_text="Annotators").click()
    assert seen.page.url.endswith("#annotators")


def test_report_theme_is_remembered(visit: Any, written: Any) -> None:
    seen = visit(written("spans.csv"))
    paper = "getComputedStyle(document.body).backgroundColor"
    light = seen.page.evaluate(paper)
    seen.page.get_by_role("button", name="Dark", exact=True).click()
    dark = seen.page.evaluate(paper)
    assert light == "rgb(255, 255, 255)"
    assert dark == "rgb(20, 23, 27)"
    seen.page.reload()
    assert seen.page.evaluate(paper) == dark
    seen.page.get_by_role("button", name="Light", exact=True).click()
    assert seen.page.evaluate(paper) == light


@THEMES
def test_printed_report_is_unfolded_and_light(visit: Any, written: Any, dark: bool) -> None:
    seen = visit(written("spans.csv"), dark=dark)
    seen.page.emulate_media(media="print", color_scheme="dark" if dark else "light")
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert seen.page.locator("details:not([open])").count() == 0
    assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for hidden in (".toggle", "nav.contents", ".skip"):
        assert not seen.page.locator(hidden).is_visible()
    assert seen.page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
    seen.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert seen.page.locator("details:not([open])").count() > 0


def test_report_can_be_used_by_keyboard(visit: Any, written: Any) -> None:
    seen = visit(written("spans.csv"))
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.className") == "skip"
    seen.page.keyboard.press("Enter")
    assert seen.page.url.endswith("#main")
    seen.page.locator("#scores details.fold > summary").first.focus()
    seen.page.keyboard.press("Enter")
    assert seen.page.locator("#scores details.fold").first.get_attribute("open") is not None


def test_links_of_the_first_screen_lead_to_their_sections(visit: Any, written: Any) -> None:
    seen = visit(written("spans.csv"))
    links = seen.page.locator(".steps a")
    assert links.count() == 2
    top = "document.getElementById(location.hash.slice(1)).getBoundingClientRect().top"
    for k in range(2):
        links.nth(k).click()
        seen.page.wait_for_function(f"() => {top} > -5 && {top} < 300", timeout=10_000)  # scrolling takes time


def test_report_folder_works_from_disk(visit: Any, tmp_path: Path) -> None:
    for name, text in render_pages(report_of("spans.csv")).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    seen = visit(tmp_path / "index.html")
    seen.page.locator("ol.documents a").first.click()
    seen.page.wait_for_selector(".av-live.av-ready")
    assert seen.page.locator("h2").first.text_content() == "notice"
    seen.page.get_by_role("link", name="Next").click()
    seen.page.wait_for_selector(".av-live.av-ready")
    assert seen.page.locator("h2").first.text_content() == "minutes"
    assert (seen.requests, seen.errors) == ([], [])
    assert seen.complaints() == []  # axe-core itself may not read the style sheet under this policy


ODD = ("__proto__", "constructor", "toString", ALERT[0], "Case", "case", "\x7f\x85\ufffe", "\u202egnol", "x" * 10_000)


def test_names_with_special_characters_are_shown(visit: Any, tmp_path: Path) -> None:
    rows = [
        {"doc": doc, "annotator": who, "start": 10 * k + g, "end": 10 * k + 7,
         "label": ODD[(k + d + (k == g)) % len(ODD)]}
        for d, doc in enumerate(ODD) for g, who in enumerate(ODD[:3]) for k in range(3)
    ]  # fmt: skip
    path = tmp_path / "report.html"
    path.write_text(render_page(accord.report(rows, None, "f1", jobs=1)), encoding="utf-8")
    seen = visit(path, width=400)
    dialogs: list[str] = []
    seen.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    look_at_all(seen.page)
    assert (seen.requests, seen.errors, dialogs) == ([], [], [])
    assert seen.page.evaluate("document.documentElement.scrollWidth") == 400
    assert seen.complaints() == []
