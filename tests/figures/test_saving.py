"""Figures give the same bytes every time, are written completely or not at all, and escape hostile labels."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import pytest
from lxml import etree
from matplotlib.figure import Figure as Canvas

from accord.core.figures.figure import ONE, TWO, as_bytes, as_svg, inches, save_figure
from accord.core.figures.style import label, shorten_label

from ..cases import for_each
from ..refusals import raises
from .samples import EVERY

STRANGE = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "$x^2$ \\frac{", "漢字", "🙂 👩‍👩‍👧",
    "שלום", "العربية",
    "\x1b[31mred\x07", "tab\tline\nend", "x" * 10_000, "", " ", "_a^b%&#{}~", "\u202eevil", "\ud800", "नमस्ते",
    "a" * 90, "=1+1",
)  # fmt: skip


NAMES = pytest.mark.parametrize("name", EVERY)


@NAMES
def test_svg_has_the_same_bytes_every_time(name: str) -> None:
    assert as_bytes(EVERY[name], "svg", ONE) == as_bytes(EVERY[name], "svg", ONE)


def test_png_and_pdf_have_the_same_bytes_every_time() -> None:
    assert as_bytes(EVERY["forest"], "png") == as_bytes(EVERY["forest"], "png")
    found = as_bytes(EVERY["forest"], "pdf")
    assert found == as_bytes(EVERY["forest"], "pdf")
    assert found.startswith(b"%PDF")
    assert b"CreationDate" not in found


@NAMES
def test_svg_element_is_valid_accessible_and_self_contained(name: str) -> None:
    figure = EVERY[name]
    svg = as_svg(figure)
    root = etree.fromstring(svg.encode())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("role") == "img"
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert {one.text for one in root.iter("{*}title")} == {figure.title or None}
    assert {one.text for one in root.iter("{*}desc")} == {figure.caption}
    assert set(root.get("aria-labelledby", "").split()) <= set(ids)
    for found in re.findall(r'(?:url\(#|href="#)([^)"]*)', svg):
        assert found in ids
    outside = [url for url in re.findall(r"https?://[^\"' ]*", svg) if not url.startswith("http://www.w3.org/")]
    assert not outside
    assert "<style" not in svg
    assert ' style="' not in svg
    assert "<image" not in svg or name == "pairs"
    assert "currentColor" in svg  # text has the colour of the page, light or dark
    assert "#010203" not in svg
    assert "#fdfefc" not in svg.lower()


def test_svg_elements_of_one_page_do_not_share_ids() -> None:
    one, other = as_svg(EVERY["forest"]), as_svg(EVERY["pairs"])
    assert not set(re.findall(r'id="([^"]*)"', one)) & set(re.findall(r'id="([^"]*)"', other))
    assert 'id="mine-title"' in as_svg(EVERY["forest"], prefix="mine-")
    assert "var(--bg, #14171c)" in as_svg(EVERY["confusion"], dark=True)


@pytest.mark.parametrize("texts", [STRANGE[k : k + 3] for k in range(0, 18, 3)])
def test_strange_labels_are_harmless(texts: tuple[str, str, str]) -> None:
    """Labels cause no warning and no markup. SVG keeps their characters."""
    first, second, third = texts
    named = replace(EVERY["confusion"], title=first, categories=texts, rows=second, columns=third)
    marks = tuple(replace(mark, label=texts[k % 3]) for k, mark in enumerate(EVERY["timeline"].marks))
    units = replace(EVERY["alignment"], title=first, marks=marks, categories=texts, text=" ".join(texts)[:300])
    words = replace(EVERY["differences"], annotators=(first, second), title=third)
    as_bytes(named, "pdf", ONE)
    as_bytes(named, "png", ONE)
    as_bytes(units, "png", ONE)
    for figure in (named, units, words):
        page = as_svg(figure)
        root = etree.fromstring(page.encode())
        assert {etree.QName(one).localname for one in root.iter()} <= {
            "svg", "title", "desc", "defs", "g", "path", "text", "tspan", "use", "clipPath", "rect", "pattern",
        }  # fmt: skip
        assert "\x1b" not in page
    for text in texts:
        assert text in as_svg(named) or text not in {"漢字", "שלום", "العربية"}


def test_long_labels_are_shortened() -> None:
    assert shorten_label("abcdefghij", 7) == "abcd…ij"
    assert len(label("x" * 100)) == 28
    assert label("漢字", 5) in {"漢字", "□□"}
    assert label("a\nb\x00") == "a\\nb�"


def test_drawing_and_refused_saving_change_no_state(tmp_path: Path) -> None:
    """Matplotlib settings stay unchanged, and a refused path creates no file."""
    before = dict(mpl.rcParams)
    canvas = Canvas()
    ax = canvas.subplots()
    for figure in EVERY.values():
        figure.plot()
    EVERY["forest"].plot(ax)
    assert dict(mpl.rcParams) == before
    with raises("option-value"):
        save_figure(EVERY["forest"], tmp_path / "x.gif")
    with raises("output-not-writable"):
        save_figure(EVERY["forest"], tmp_path / "nowhere" / "x.png")
    assert not list(tmp_path.iterdir())
    with raises("unknown-name"):
        inches("three")


@NAMES
def test_figures_draw_on_given_axes(name: str) -> None:
    figure = EVERY[name]
    down, across = figure.grid
    canvas = Canvas(figsize=(8, 8))
    axes = canvas.subplots(down, across)
    assert figure.plot(axes) is axes
    canvas.savefig("/dev/null", format="png")
    canvas.savefig("/dev/null", format="svg")


def test_labels_are_not_parsed_as_formulas_on_given_axes() -> None:
    figure = replace(EVERY["confusion"], categories=("$\\frac{$", "b", "c"), title="$\\frac{$")
    canvas = Canvas()
    figure.plot(canvas.subplots())
    canvas.savefig("/dev/null", format="png")


def test_plot_refuses_values_that_are_not_axes() -> None:
    with raises("option-value"):
        EVERY["forest"].plot("x.svg")
    with raises("option-value"):
        EVERY["forest"].plot(7)
    with raises("option-value"):
        EVERY["influence"].plot(Canvas().subplots())


@NAMES
@for_each("width", [ONE, TWO])
def test_sizes_fit_a_page(name: str, width: float) -> None:
    wide, high = EVERY[name].size(width)
    assert wide == width
    assert 0.5 < high <= 10


def test_missing_fonts_cause_no_warning() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        as_bytes(replace(EVERY["forest"], title="漢字 🙂"), "png")
        as_bytes(replace(EVERY["forest"], title="漢字 🙂"), "svg")
    assert not caught
