"""Distances take their range from the compared labels: α ignores items with one label."""

from __future__ import annotations

from typing import Any

import pytest

import accord

ROWS: list[list[Any]] = [[0, 1], [1, 1], [3, 3], [0, 0]]
ALONE: list[list[Any]] = [*ROWS, [23, None]]
# Period 4: d(0, 1) = d(0, 3) = 1/2 and d(1, 3) = 1. D_o = 1/8; of 28 pairs of labels, 9 · 1/2 + 6 · 1 + 6 · 1/2.
CIRCULAR = 1 - (1 / 8) / (13.5 / 28)
# Poles 0 and 3: d(0, 1) = 1/(1 · 5), d(0, 3) = 9/(3 · 3), d(1, 3) = 4/(4 · 2).
BIPOLAR = 1 - (1 / 5 / 4) / ((9 / 5 + 6 + 6 / 2) / 28)


@pytest.mark.parametrize(("name", "value"), [("circular", CIRCULAR), ("bipolar", BIPOLAR)])
def test_label_of_an_item_with_one_label_does_not_change_alpha(name: str, value: float) -> None:
    for rows in (ROWS, ALONE):
        score = accord.alpha(rows, distance=name)
        assert score.measure == f"alpha(distance={name})"
        assert score.details["distance"] == name
        assert score.value == pytest.approx(value)
    assert accord.percent(ALONE, distance=name).value == pytest.approx(accord.percent(ROWS, distance=name).value)


def test_weights_and_declared_categories() -> None:
    assert accord.alpha(ALONE, weights="circular").value == pytest.approx(CIRCULAR)
    declared = accord.Ratings.from_rows(ROWS, categories=list(range(24)))
    by_hour = accord.alpha(ROWS, distance="circular(24)")
    assert accord.alpha(declared, distance="circular").value == pytest.approx(by_hour.value)
    assert by_hour.value != pytest.approx(CIRCULAR)


@pytest.mark.parametrize("name", ["pi", "kappa", "s", "ac"])
def test_coefficients_that_use_all_labels_by_chance_keep_their_range(name: str) -> None:
    """Their expected agreement counts the 23, which would equal the 3 with period 4."""
    found = accord.score(ALONE, f"{name}(weights=circular)", interval="none")
    assert found.value == pytest.approx(accord.score(ALONE, f"{name}(weights=circular(24))", interval="none").value)


def test_resampling_keeps_the_period() -> None:
    alone, plain = (accord.alpha(rows, distance="circular", interval="jackknife") for rows in (ALONE, ROWS))
    assert alone.se == pytest.approx(accord.alpha(ALONE, distance="circular(4)", interval="jackknife").se)
    assert plain.se == pytest.approx(accord.alpha(ROWS, distance="circular(4)", interval="jackknife").se)


def test_length_that_only_one_annotator_marked_does_not_change_cu_alpha() -> None:
    columns = ("annotator", "start", "end", "label")
    rows = [
        (who, 10 * k, 10 * k + 5, label) for k, row in enumerate(ROWS) for who, label in zip("AB", row, strict=True)
    ]
    more = [*rows, ("A", 90, 95, 23)]
    plain, longer = (
        accord.cu_alpha({name: [row[k] for row in some] for k, name in enumerate(columns)}, distance="circular",
                        extents=(0, 100), interval="none").value
        for some in (rows, more)
    )  # fmt: skip
    assert longer == pytest.approx(plain)
