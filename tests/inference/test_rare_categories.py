"""Where a category is rare: intervals that are never a point, and what is said about the data."""

from __future__ import annotations

import pytest

import accord

SPECS = ("percent", "s", "pi", "kappa", "alpha", "ac")


def table(*counts: int) -> accord.Ratings:
    a, b, c, d = counts
    return accord.read([[a, b], [c, d]], layout="confusion", categories=["no", "yes"])


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("counts", [(48, 0, 0, 2), (49, 1, 0, 0), (47, 2, 1, 0), (50, 0, 0, 50)])
def test_no_interval_of_data_that_vary_is_a_point(spec: str, counts: tuple[int, ...]) -> None:
    score = accord.score(table(*counts), spec)
    assert score.interval is not None
    assert score.interval.method == "added"
    assert score.interval.low < score.interval.high
    assert score.interval.low <= score.value <= score.interval.high
    assert "| added 0.95 |" in score.signature


def test_by_name_the_linearised_one_is_what_it_was() -> None:
    score = accord.kappa(table(48, 0, 0, 2), interval="linearised")
    assert score.interval is not None
    assert (score.interval.low, score.interval.high, score.interval.method) == (1.0, 1.0, "linearised")


def test_value_and_error_are_those_of_the_data() -> None:
    data = table(45, 2, 1, 2)
    default, plain = accord.kappa(data), accord.kappa(data, interval="linearised")
    assert (default.value, default.se) == (plain.value, plain.se)
    assert default.p == accord.kappa(data, interval="fleiss_cohen_everitt").p  # of no agreement, by its own error
    assert default.details["added"]["items"] == 2


@pytest.mark.parametrize("spec", SPECS)
def test_where_labels_are_enough_the_default_is_linearised(spec: str) -> None:
    data = table(60, 10, 10, 20)
    default, plain = accord.score(data, spec), accord.score(data, spec, interval="linearised")
    assert default.interval == plain.interval


def test_two_items_are_added_in_equal_parts() -> None:
    """Half an item in each cell of two annotators and two categories: π of the table with 0.5 added, doubled."""
    wider = accord.pi(table(97, 1, 1, 5), interval="none").value
    assert accord.pi(table(48, 0, 0, 2)).details["added"]["value"] == pytest.approx(wider, abs=1e-12)


def test_what_is_too_few_is_said() -> None:
    assert 'the category "yes" has 3 labels' in accord.kappa(table(47, 2, 1, 0)).details["interval"]
    assert "no two labels of an item differ in 100 items" in accord.kappa(table(50, 0, 0, 50)).details["interval"]
    assert '12 labels other than "no"' in accord.kappa(table(89, 5, 5, 1)).details["interval"]


def test_missing_labels_and_many_annotators() -> None:
    rows = [["no", "no", "no", None]] * 20 + [["no", None, "yes", "yes"], [None, "yes", "yes", None]]
    for spec in SPECS:
        score = accord.score(rows, spec)
        assert score.interval is not None
        assert score.interval.low < score.interval.high


def test_prevalence_is_said_beside_kappa() -> None:
    kappa = accord.kappa(table(89, 8, 2, 1))
    facts = kappa.details["prevalence"]
    assert facts["agreement"]["yes"] == pytest.approx(2 / 12)
    assert facts["kappa_max"] == pytest.approx(accord.marginals(table(89, 8, 2, 1)).pairs[0].kappa_max)
    assert any('94% of the labels are "no"' in note for note in kappa.notes())
    assert "prevalence" not in accord.ac(table(89, 8, 2, 1)).details
    assert "prevalence" not in accord.kappa(table(60, 10, 10, 20)).details


def test_check_says_when_kappa_is_far_lower() -> None:
    [found] = accord.check(table(89, 5, 5, 1), {"ac": 0.8})
    assert found.passed
    assert "but kappa on the same data is 0.1135" in found.reason
    [even] = accord.check(table(48, 2, 2, 48), {"ac": 0.8})
    assert "kappa" not in even.reason
