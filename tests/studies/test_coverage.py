"""Intervals cover the true value at about their nominal level. `make papers` writes the table in docs/coverage.md."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from accord.core.context import Run
from studies.candidates import CANDIDATES
from studies.coverage import ENOUGH, LEVEL, SIZES, STUDIES, Study, covered, main, page, rare

pytestmark = pytest.mark.slow

SMALL = {"alpha": 50_000, "kappa": 50_000, "gamma": 1_000, "u_alpha": 4_000, "text_gamma": 300}


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.spec)
def test_intervals_cover_the_true_value(study: Study) -> None:
    """With 30 documents, coverage is at least 95% minus 3 standard errors, and no interval is wider than 0.5."""
    corpora = 30 if study.spec in {"gamma", "text_gamma"} else 60
    found = covered(replace(study, large=SMALL[study.spec]), (30,), corpora, Run(5))
    for one in found:
        assert one.covered >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / corpora), one
        assert 0 < one.width < 0.5, one
    assert [one.method for one in found] == ["default" if study.noun == "items" else "bootstrap", "jackknife"]


def test_number_of_workers_does_not_change_values() -> None:
    study = replace(STUDIES[3], large=200)
    assert covered(study, (10,), 12, Run(1, jobs=1)) == covered(study, (10,), 12, Run(1, jobs=2))


def test_page_names_intervals_that_are_too_short(tmp_path: Path) -> None:
    study = replace(STUDIES[0], large=1_000)
    [found, _] = covered(study, (10,), 10, Run(1))
    printed = page([replace(found, covered=0.85)])
    assert "**0.850**" in printed
    assert "alpha, `default`, 10 items: 0.850 instead of 0.95" in printed
    assert "None: all shares are at 90% or above" in page([replace(found, covered=0.95)])
    with pytest.raises(SystemExit):
        main([str(tmp_path / "page.md"), "--corpora", "many"])


def test_stored_page_reports_enough_coverage_from_30_documents() -> None:
    """Coverage is below 90% only with few documents, for which accord prints a note."""
    text = (Path(__file__).parents[2] / "docs" / "coverage.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| `(\w+)` \| [\d.]+ \| (.+?) \| [\d.]+ \|$", text, re.MULTILINE)
    assert {spec for spec, _, _ in rows} == {study.spec for study in STUDIES}
    for spec, method, cells in rows:
        shares = dict(zip(SIZES, (float(cell.strip("* ")) for cell in cells.split("|")), strict=True))
        assert all(share >= ENOUGH for size, share in shares.items() if size >= 30), (spec, method)


def test_default_interval_covers_the_true_value_of_rare_categories() -> None:
    """With shares of 95% and 5% and 50 items, the linearised interval covers about 2/3 and can have zero width."""
    cells = rare(60, Run(2, jobs=1), shares=((0.95, 0.05),), sizes=(50,))
    assert {cell.annotators for cell in cells} == {2, 5}
    for cell in cells:
        if cell.method == "default":
            assert cell.covered >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / cell.corpora), cell
            assert cell.empty == 0, cell
        else:
            assert cell.covered < 0.85, cell
            assert cell.empty > 0, cell


def test_stored_page_reports_enough_coverage_of_rare_categories() -> None:
    text = (Path(__file__).parents[2] / "docs" / "coverage.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:kappa|alpha) \| [25] \| \S+ \| `default` \| (.+) \| (\d+)% \|$", text, re.MULTILINE)
    assert len(rows) == 16
    for cells, flat in rows:
        assert all(float(cell.strip("* ")) >= LEVEL - 0.03 for cell in cells.split("|")), cells
        assert flat == "0"


def test_stored_page_contains_candidates_and_difference_tests() -> None:
    """The default interval is never too short, and all rejection rates are at most 8%."""
    text = (Path(__file__).parents[2] / "docs" / "coverage.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (.+?) \| (.*) \| (\d+) of \d+ \| ([\d.]+) \|$", text, re.MULTILINE)
    assert [name for name, *_ in found] == list(CANDIDATES)
    below = {name: int(short) for name, _, short, _ in found}
    assert below["`default`: linearised, or `added` below ten carriers"] == 0
    assert below["`linearised`"] > 50
    rejected = re.findall(r"^\| (?:un)?paired \| [25] \| .+? \| `default` \| (.+) \|$", text, re.MULTILINE)
    assert len(rejected) == 18
    shares = [float(cell.strip("* ")) for cells in rejected for cell in cells.split("|")]
    assert max(shares) <= 0.08
