"""Pictures of the documentation: screenshots of reports, and figures.

`make pictures` runs this. Check the pictures before committing them.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import accord

ROOT = Path(__file__).resolve().parents[2]
UNDERSTAND = ROOT / "docs" / "understand"
WIDTH, HEIGHT = 1200, 800
_TABLE = re.compile(r"`(?P<name>[\w.]+\.csv)`:\n\n```csv\n(?P<rows>.*?)```", re.DOTALL)


def photographed(page: Path, picture: Path) -> None:
    """Take a screenshot of the top of a page."""
    browser = shutil.which("chromium")
    if browser is None:
        sys.exit("chromium is not installed (Debian: apt-get install chromium)")
    with sync_playwright() as driver:
        shown = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        view = shown.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        view.goto(page.as_uri())
        view.screenshot(path=str(picture))
        shown.close()


def aligned(page: Path, folder: Path, picture: Path) -> None:
    """Draw the best alignment of the units in the tables of a page."""
    for found in _TABLE.finditer(page.read_text(encoding="utf-8")):
        (folder / found["name"]).write_text(found["rows"], encoding="utf-8")
    accord.align(str(folder / "talk.csv")).save_plot(picture)


def xray(picture: Path) -> None:
    """Draw the same x-ray as the command on its page."""
    reference = accord.generate(units=30, categories=3, prevalence=[0.5, 0.3, 0.2])
    error, measures = "shift(overlap=false)", ["gamma", "u_alpha", "f1"]
    accord.xray(reference, error, measures, step=0.1, sets=8).save_plot(picture)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        for table, picture in (("spans", "report"), ("sentences", "report-of-sentences")):
            accord.report(f"examples/garden/{table}.csv", Path(made) / f"{picture}.html")
            photographed(Path(made) / f"{picture}.html", ROOT / f"docs/pictures/{picture}.png")
        aligned(UNDERSTAND / "how-gamma-aligns.md", Path(made), UNDERSTAND / "alignment.svg")
    xray(UNDERSTAND / "x-ray.svg")
