"""The viewer in a browser: filters, keys, search, zoom and links to items, without requests or errors."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.views import DocumentView, script, style, views_of
from accord.answers.views.spans import Spans
from accord.data.model.texts import Texts

pytestmark = pytest.mark.slow

HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "שלום עולם", "🙂👩‍👩‍👧", "x" * 10_000)
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
TEXT = "The 🙂 cat sat (on-the) mat. A dog ran."
UNITS = [("d", "Ana", 6, 9, "PET"), ("d", "Ben", 6, 9, "PET"), ("d", "Ana", 14, 26, "PLACE"),
         ("d", "Ben", 22, 26, "PLACE"), ("d", "Ana", 30, 33, "PET"), ("d", "Ben", 30, 33, "WILD"),
         ("d", "Ana", 34, 37, "ACT")]  # fmt: skip
Shown = Callable[..., Any]


def page(views: list[DocumentView]) -> str:
    sections = "\n".join(view.section(f"doc-{k}", 2) for k, view in enumerate(views))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>views</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>:root {{ color-scheme: light dark; }} '
        f"{style()}</style></head><body><main><h1>Views</h1>{sections}</main><script>{script()}</script></body></html>"
    )


@pytest.fixture
def shown(visit: Any, tmp_path: Path) -> Shown:
    """`shown(view, …)` opens a page with views, ready to use."""

    def opened(*views: DocumentView, scripts: bool = True, **options: Any) -> Any:
        path = tmp_path / "page.html"
        path.write_text(page(list(views)), encoding="utf-8")
        seen = visit(path, scripts=scripts, **options)
        if scripts:
            seen.page.wait_for_selector(".av-ready")
        return seen

    return opened


def units(rows: Any = UNITS, text: str | None = TEXT) -> DocumentView:
    columns = ("doc", "annotator", "start", "end", "label")
    data: Any = accord.read([dict(zip(columns, row, strict=True)) for row in rows])
    return views_of(data if text is None else replace(data, texts={"d": text})).each[0]


def items(**options: Any) -> DocumentView:
    labels = {"i1": "xxy", "i2": "xyy", "i3": "xxx", "i4": "yzy"}
    rows = [
        {"item": i, "annotator": a, "label": lab, "text": f"what {i} says"}
        for i, given in labels.items()
        for a, lab in zip(("Ana", "Ben", "Cem"), given, strict=True)
    ]
    return views_of(accord.read(rows, keep=["text"]), **options).each[0]


def texts() -> DocumentView:
    return views_of(Texts.of_words({"Ana": "The cat sat on the mat .", "Ben": "The cats sat on mat ."})).each[0]


def segments() -> DocumentView:
    return views_of(accord.Segmentations.from_masses({"Ana": [3, 5, 2], "Ben": [4, 4, 2], "Cem": [3, 7]})).each[0]


def chains() -> DocumentView:
    rows = [("Ana", 6, 9, 1), ("Ana", 30, 33, 2), ("Ben", 6, 9, 1), ("Ben", 30, 33, 1)]
    columns = ("annotator", "start", "end", "chain")
    data: Any = accord.read([{"doc": "d", **dict(zip(columns, row, strict=True))} for row in rows])
    return views_of(replace(data, mentions=replace(data.mentions, texts={"d": TEXT}))).each[0]


KINDS: dict[str, Callable[[], DocumentView]] = {
    "units": units,
    "items": items,
    "texts": texts,
    "segmentations": segments,
    "chains": chains,
}


def becomes(page: Any, look: Callable[[], Any], wanted: Any) -> None:
    """Wait until a value is drawn, which takes until the next frame."""
    for _ in range(100):
        if look() == wanted:
            return
        page.wait_for_timeout(30)
    assert look() == wanted


def announced(page: Any) -> str:
    return str(page.locator("[aria-live]").first.text_content())


# -- all views -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dark", [False, True])
def test_viewer_is_accessible_without_errors_or_requests(shown: Shown, kind: str, dark: bool) -> None:
    seen = shown(KINDS[kind](), dark=dark)
    seen.page.locator(".av-scroller, .av-passages, .av-cell:enabled").first.focus()
    seen.page.keyboard.press("n")
    seen.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert (seen.requests, seen.errors, seen.complaints()) == ([], [], [])


@pytest.mark.parametrize("kind", KINDS)
def test_narrow_viewer_does_not_scroll_sideways(shown: Shown, kind: str) -> None:
    seen = shown(KINDS[kind](), width=380)
    assert seen.page.evaluate("document.documentElement.scrollWidth <= 380")


@pytest.mark.parametrize("kind", KINDS)
def test_viewer_without_scripts_shows_the_same_content(shown: Shown, kind: str) -> None:
    seen = shown(KINDS[kind](), scripts=False)
    assert seen.page.locator(".av-static").is_visible()
    assert seen.page.locator(".av-static table").first.is_visible()


def test_printed_viewer_is_the_plain_document(shown: Shown) -> None:
    page = shown(units()).page
    assert not page.locator(".av-static").is_visible()
    page.emulate_media(media="print")
    assert page.locator(".av-static").is_visible()
    assert not page.locator(".av-live").is_visible()


@pytest.mark.parametrize("label", HOSTILE)
def test_viewer_shows_hostile_names_and_texts_and_runs_none(shown: Shown, label: str) -> None:
    lanes = units([("d", label, 0, 3, label), ("d", "Ben", 0, 4, "b")], text=f"{label} and more")
    table = views_of(
        accord.read(
            [
                {"item": label, "annotator": a, "label": lab, label: label}
                for a, lab in (("A", label), (label[:50], "b"))
            ],
            keep=[label],
        )
    ).each[0]
    pair = views_of(Texts.of_words({label: f"{label} x", "Ben": "x"})).each[0]
    seen = shown(lanes, table, pair)
    page = seen.page
    page.evaluate("() => { window.alert = () => { window.ran = true; }; }")
    for section in page.locator(".av-view").all():
        section.scroll_into_view_if_needed()
        section.locator(".av-ready").wait_for()
        section.locator(".av-scroller, .av-passages, .av-cell:enabled").first.focus()
        page.keyboard.press("n")
        section.locator(".av-search").fill(label[:20])
        assert label[:15] in section.inner_text()
    page.locator(".av-bar").first.hover()
    assert page.evaluate("window.ran") is None
    becomes(page, page.locator(".av-live img, .av-live script").count, 0)
    assert (seen.requests, seen.errors) == ([], [])


# -- lanes -----------------------------------------------------------------------------------------------------------


def test_keys_move_between_disagreements(shown: Shown) -> None:
    page = shown(units()).page
    lanes = page.locator(".av-scroller")
    lanes.focus()
    page.keyboard.press("n")
    assert announced(page).startswith(
        "1 of 3 disagreements: boundaries; (on-the) mat; Ana PLACE 14–26; Ben PLACE 22–26"
    )
    assert lanes.evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"
    page.keyboard.press("ArrowRight")
    assert announced(page).startswith("2 of 3 disagreements: label; dog; Ana PET 30–33; Ben WILD 30–33")
    becomes(page, page.locator(".av-bar.av-chosen").count, 2)
    page.keyboard.press("End")
    assert "3 of 3 disagreements: missing; ran; Ana ACT 34–37; Ben missing; disorder 1" in announced(page)
    becomes(page, page.locator(".av-ghost.av-chosen").count, 1)
    page.keyboard.press("n")
    assert announced(page).startswith("1 of 3")
    page.keyboard.press("p")
    assert announced(page).startswith("3 of 3")
    page.keyboard.press("Escape")
    becomes(page, page.locator(".av-chosen").count, 0)


def test_hovering_shows_cost_and_reason(shown: Shown) -> None:
    page = shown(units()).page
    page.locator(".av-bar", has_text="WILD").hover()
    tip = page.locator(".av-tip").inner_text()
    assert "label · disorder 1 = category 1" in tip
    assert "dog" in tip
    assert "WILD" in tip
    page.mouse.move(1, 1)
    page.wait_for_function("document.querySelector('.av-tip').hidden")


def test_filters_select_what_is_shown(shown: Shown) -> None:
    page = shown(units()).page

    def bars() -> list[str]:
        return sorted(page.locator(".av-bar").all_inner_texts())

    count = page.locator(".av-count").first
    becomes(page, bars, ["ACT", "PET", "PET", "PET", "PLACE", "PLACE", "WILD"])
    page.get_by_role("checkbox", name="missing", exact=True).uncheck()
    assert count.inner_text() == "2 disagreements"
    becomes(page, lambda: "ACT" in bars(), False)
    page.get_by_role("checkbox", name="agreement", exact=True).uncheck()
    becomes(page, bars, ["PET", "PLACE", "PLACE", "WILD"])
    page.get_by_role("checkbox", name="PLACE", exact=True).uncheck()
    becomes(page, lambda: (bars(), count.inner_text()), (["PET", "WILD"], "1 disagreement"))
    page.get_by_role("button", name="none").click()
    becomes(page, bars, [])
    page.get_by_role("button", name="all", exact=False).first.click()
    page.get_by_role("checkbox", name="agreement", exact=True).check()
    page.get_by_role("checkbox", name="missing", exact=True).check()
    page.get_by_role("checkbox", name="Ben", exact=True).uncheck()
    becomes(page, bars, ["ACT", "PET", "PET", "PLACE"])
    assert count.inner_text() == "0 disagreements"  # one annotator cannot disagree


def test_search_in_text_and_labels(shown: Shown) -> None:
    page = shown(units()).page
    search, found = page.locator(".av-search"), page.locator(".av-set .av-count[role=status]")
    search.fill("(on-")
    assert found.inner_text() == "1 of 1 found"
    becomes(page, page.locator(".av-found.av-now").count, 1)
    search.fill("pet")
    assert found.inner_text() == "1 of 3 found"
    search.press("Enter")
    assert found.inner_text() == "2 of 3 found"
    search.fill("\\")
    assert found.inner_text() == "0 found"


def test_zoom_and_fit_change_the_scale(shown: Shown) -> None:
    page = shown(units(text=None)).page

    def wide() -> float:
        return float(page.evaluate("document.querySelector('.av-room').clientWidth"))

    fitted = wide()
    page.get_by_role("button", name="zoom in").click()
    once = wide()
    assert once > fitted * 1.5
    page.locator(".av-scroller").focus()
    page.keyboard.press("+")
    assert wide() > once
    page.keyboard.press("-")
    assert wide() == pytest.approx(once, rel=0.01)
    page.locator(".av-canvas").hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.wait_for_function(f"document.querySelector('.av-room').clientWidth > {once}")
    page.keyboard.press("0")
    assert wide() == fitted


def test_texts_have_a_timeline(shown: Shown) -> None:
    page = shown(units()).page
    page.get_by_label("timeline").check()
    page.locator(".av-scroller").focus()
    page.keyboard.press("n")
    assert page.locator(".av-canvas").is_visible()
    assert announced(page).startswith("1 of 3")


def test_click_on_the_canvas_selects_a_unit(shown: Shown) -> None:
    page = shown(units(text=None)).page
    box = page.locator(".av-canvas").bounding_box()
    scale = (box["width"] - 16) / (37 - 6)
    page.mouse.click(box["x"] + 8 + (31.5 - 6) * scale, box["y"] + 24 + 16 + 9)  # Ana's third unit
    assert "Ben WILD 30–33" in announced(page)


def test_list_entries_lead_to_their_positions(shown: Shown) -> None:
    page = shown(units()).page
    page.get_by_text("List of disagreements").click()
    lines = page.locator(".av-listed button")
    costs = [float(line.rsplit(" ", 1)[1]) for line in lines.all_inner_texts()]
    assert costs == sorted(costs, reverse=True)
    lines.first.click()
    becomes(page, lambda: page.locator(".av-chosen").count() > 0, True)
    assert page.evaluate("document.activeElement.classList.contains('av-scroller')")


def test_selected_chain_is_highlighted_everywhere(shown: Shown) -> None:
    page = shown(chains()).page
    page.locator(".av-chip").first.click()
    becomes(page, page.locator(".av-bar:not(.av-dim)").count, 3)
    becomes(page, page.locator(".av-chip[aria-pressed=true]").count, 1)
    page.locator(".av-bar.av-dim").first.click()
    becomes(page, page.locator(".av-bar:not(.av-dim)").count, 1)


def test_document_without_units_is_shown(shown: Shown) -> None:
    seen = shown(views_of(accord.Segmentations.from_masses({"A": [10], "B": [10]})).each[0])
    seen.page.locator(".av-scroller").focus()
    seen.page.keyboard.press("n")
    assert announced(seen.page) == "no disagreement is shown"
    assert seen.errors == []


# -- items and texts -------------------------------------------------------------------------------------------------


def test_cell_of_a_matrix_lists_its_items(shown: Shown) -> None:
    page = shown(items()).page

    def rows() -> list[str]:
        return list(page.locator("[aria-label=items] tbody th").all_inner_texts())

    assert rows() == ["i1", "i2", "i4"]
    page.locator("[data-cell='0,1']").focus()
    page.keyboard.press("Enter")
    assert rows() == ["i1", "i2"]
    assert "what i1 says" in page.locator("[aria-label=items]").inner_text()
    page.get_by_label("annotators", exact=True).select_option(label="Ana × Cem")
    assert rows() == ["i1", "i2", "i4"]
    cell = page.locator("[data-cell='0,1']")
    assert cell.inner_text() == "2"
    cell.click()
    assert rows() == ["i1", "i2"]
    page.locator("[data-cell='1,1']").click()  # both gave y
    assert rows() == ["i4"]
    page.get_by_role("button", name="all items").click()
    page.get_by_label("only where").uncheck()
    page.locator(".av-search").fill("i3 says")
    assert rows() == ["i3"]


def test_items_left_out_of_the_page_are_counted(shown: Shown) -> None:
    rows = [*[["x", "y", "y"]] * 20, ["x", "x", "x"]]
    page = shown(views_of(accord.Ratings.from_rows(rows), most=2).each[0]).page
    assert page.locator(".av-count").first.inner_text() == "5 items; this page has 6 of 21"


def test_next_difference_of_texts_is_selected(shown: Shown) -> None:
    page = shown(texts()).page
    page.locator(".av-passages").focus()
    page.keyboard.press("n")
    assert announced(page).startswith("1 of 2 differences: text; Ana: cat; Ben: cats")
    assert page.locator(".av-diff.av-chosen b").inner_text() == "s"
    page.keyboard.press("n")
    assert announced(page).startswith("2 of 2 differences: missing; Ana: the; Ben: missing")
    becomes(page, page.locator(".av-absent.av-chosen").count, 1)
    page.get_by_label("missing").uncheck()
    page.wait_for_function("document.querySelector('.av-count').textContent === '1 difference'")


# -- large documents -------------------------------------------------------------------------------------------------


def large(text: bool = False) -> Spans:
    """Return a view with five annotators and 20,000 units each."""
    rng = np.random.default_rng(0)
    n, lanes = 20_000, 5
    start = np.tile(np.sort(rng.integers(0, 2_000_000, n)), lanes) + rng.integers(0, 3, n * lanes)
    label = np.where(rng.random(n * lanes) < 0.1, rng.integers(0, 8, n * lanes), np.tile(np.arange(n) % 8, lanes))
    group = np.tile(np.arange(n), lanes)
    alone = np.flatnonzero(rng.random(n * lanes) < 0.05)
    group[alone] = n + np.arange(len(alone))
    cost = rng.random(n + len(alone))
    end = start + np.tile(rng.integers(5, 120, n), lanes)
    return Spans.of(
        "large",
        [f"annotator {k}" for k in range(lanes)],
        (np.repeat(np.arange(lanes), n), start.astype(float), end.astype(float), label),
        [f"category {k}" for k in range(8)],
        (group, np.arange(n * lanes), cost, {"position": cost}),
        (0.0, 2_000_200.0),
        text="some words " * 181_837 if text else None,
    )


# Equal rounds of steps. A slow step is slow in every round; a step that waited for other programs is not.
LONG_STEPS = """async () => {
  const seen = [];
  new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({type: 'longtask'});
  const lanes = document.querySelector('.av-scroller');
  const pause = (time) => new Promise((go) => setTimeout(go, time));
  const frame = () => new Promise(requestAnimationFrame);
  const key = (name) => lanes.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true}));
  const steps = [
    ...Array(8).fill(() => key('+')),
    ...Array(40).fill(() => { lanes.scrollLeft += 700; lanes.scrollTop += 300; }),
    ...Array(20).fill(() => key('n')),
    () => key('0'),
  ];
  let long = steps.map((_, k) => k);
  for (let round = 0; round < 8 && long.length; round += 1) {
    ['Escape', '0'].forEach(key);
    lanes.scrollTo(0, 0);
    await pause(200);
    seen.length = 0;
    const begins = [];
    for (const step of steps) { begins.push(performance.now()); step(); await frame(); await frame(); }
    await pause(200);
    const slow = new Set(seen.map((task) => begins.findLastIndex((begin) => begin <= task.startTime + task.duration)));
    long = long.filter((k) => slow.has(k));
  }
  return long;
}"""


MOUNTED = """async () => {
  const seen = [];
  new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({type: 'longtask'});
  const data = JSON.parse(document.querySelector('.av-data').textContent);
  const rounds = [];
  do {
    seen.length = 0;
    const section = document.createElement('section');
    section.className = 'av-view';
    document.querySelector('h1').after(section);
    await accordViewer.mount(section, data);
    await new Promise((go) => setTimeout(go, 200));
    section.remove();
    rounds.push(seen.map((task) => Math.round(task.duration)));
  } while (seen.length && rounds.length < 8);
  return rounds;
}"""


def _skip_on_busy_machine() -> None:
    """Skip timing if several processes wait for each core, because every browser step is then slow."""
    waiting, cores = os.getloadavg()[0], os.cpu_count() or 1
    if waiting > 3 * cores:
        pytest.skip(f"the machine is too busy to time a browser: a load of {waiting:.0f} on {cores} cores")


@pytest.mark.parametrize("text", [False, True])
def test_large_continuum_is_mounted_without_a_long_task(shown: Shown, text: bool) -> None:
    _skip_on_busy_machine()
    rounds = shown(large(text)).page.evaluate(MOUNTED)
    assert [] in rounds, rounds


@pytest.mark.parametrize("text", [False, True])
def test_large_continuum_scrolls_without_a_long_task(shown: Shown, text: bool) -> None:
    _skip_on_busy_machine()
    page = shown(large(text)).page
    assert page.evaluate(LONG_STEPS) == []
    if text:
        assert page.locator(".av-line").count() < 60  # of about 25,000: the lines in view and a few more
    else:
        becomes(page, page.locator(".av-scroller *").count, 2)  # the canvas and the scroll area
