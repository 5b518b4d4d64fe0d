"""Rare categories: intervals are never a point, and notes report few labels."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import accord

from ..cases import for_each
from ..command_line import Cli
from .studies import ratings, units

SPECS = ("percent", "s", "pi", "kappa", "alpha", "ac")


def table(*counts: int) -> accord.Ratings:
    a, b, c, d = counts
    return accord.read([[a, b], [c, d]], layout="confusion", categories=["no", "yes"])


@pytest.mark.parametrize("spec", SPECS)
@for_each("counts", [(48, 0, 0, 2), (49, 1, 0, 0), (47, 2, 1, 0), (50, 0, 0, 50)])
def test_interval_of_varying_data_is_never_a_point(spec: str, counts: tuple[int, ...]) -> None:
    score = accord.score(table(*counts), spec)
    assert score.interval is not None
    assert score.interval.method == "added"
    assert score.interval.low < score.interval.high
    assert score.interval.low <= score.value <= score.interval.high
    assert "| added 0.95 |" in score.signature


def test_linearised_interval_chosen_by_name_is_unchanged() -> None:
    score = accord.kappa(table(48, 0, 0, 2), interval="linearised")
    assert score.interval is not None
    assert (score.interval.low, score.interval.high, score.interval.method) == (1.0, 1.0, "linearised")


def test_added_items_do_not_change_value_and_error() -> None:
    data = table(45, 2, 1, 2)
    default, plain = accord.kappa(data), accord.kappa(data, interval="linearised")
    assert (default.value, default.se) == (plain.value, plain.se)
    assert default.p == accord.kappa(data, interval="fleiss_cohen_everitt").p  # p of no agreement has its own error
    assert default.details["added"]["items"] == 2


@pytest.mark.parametrize("spec", SPECS)
def test_default_is_linearised_with_enough_labels(spec: str) -> None:
    data = table(60, 10, 10, 20)
    default, plain = accord.score(data, spec), accord.score(data, spec, interval="linearised")
    assert default.interval == plain.interval


def test_two_items_are_added_in_equal_parts() -> None:
    """Half an item in each cell of two annotators and two categories: π of the table with 0.5 added, doubled."""
    wider = accord.pi(table(97, 1, 1, 5), interval="none").value
    assert accord.pi(table(48, 0, 0, 2)).details["added"]["value"] == pytest.approx(wider, abs=1e-12)


def test_note_names_the_category_with_too_few_labels() -> None:
    assert 'category "yes" has only 3 labels' in accord.kappa(table(47, 2, 1, 0)).details["interval"]
    assert "annotators agree on all 100 items" in accord.kappa(table(50, 0, 0, 50)).details["interval"]
    assert 'only 12 labels other than "no"' in accord.kappa(table(89, 5, 5, 1)).details["interval"]


def test_added_interval_works_with_missing_labels() -> None:
    rows = [["no", "no", "no", None]] * 20 + [["no", None, "yes", "yes"], [None, "yes", "yes", None]]
    for spec in SPECS:
        score = accord.score(rows, spec)
        assert score.interval is not None
        assert score.interval.low < score.interval.high


def test_kappa_reports_prevalence() -> None:
    kappa = accord.kappa(table(89, 8, 2, 1))
    facts = kappa.details["prevalence"]
    assert facts["agreement"]["yes"] == pytest.approx(2 / 12)
    assert facts["kappa_max"] == pytest.approx(accord.marginals(table(89, 8, 2, 1)).pairs[0].kappa_max)
    assert any('94% of the labels are "no"' in note for note in kappa.notes())
    assert "prevalence" not in accord.ac(table(89, 8, 2, 1)).details
    assert "prevalence" not in accord.kappa(table(60, 10, 10, 20)).details


def test_check_reports_much_lower_kappa() -> None:
    [found] = accord.check(table(89, 5, 5, 1), {"ac": 0.8})
    assert found.passed
    assert "but kappa on the same data is 0.1135" in found.reason
    [even] = accord.check(table(48, 2, 2, 48), {"ac": 0.8})
    assert "kappa" not in even.reason


def test_degrees_of_freedom_follow_items_with_disagreement() -> None:
    """Four of 2,000 items have disagreement: degrees of freedom follow these four, not 2,000."""
    score = accord.pi(table(1000, 2, 2, 996))
    facts = score.details["added"]
    assert score.interval is not None
    assert score.interval.method == "added"
    assert 4 < score.details["carriers"] < 7  # including the two added items
    assert facts["df"] == pytest.approx(score.details["carriers"] + 1)
    half = stats.t.ppf(0.975, facts["df"]) * facts["se"]
    assert score.interval.low == pytest.approx(facts["value"] - half, rel=1e-9)
    plain = accord.pi(table(1000, 2, 2, 996), interval="linearised").interval
    assert plain is not None
    assert score.interval.low < plain.low


def test_interval_distance_reduces_degrees_of_freedom_instead_of_adding_items() -> None:
    """One outlier of fifty items has most of the disagreement. A note reports this; no items are added."""
    rows = [[k % 7, k % 7 + (k % 3 == 0)] for k in range(49)] + [[0, 60]]
    score = accord.alpha(accord.Ratings.from_rows(rows), distance="interval")
    assert score.interval is not None
    assert score.interval.method == "carried"
    assert score.details["df"] == pytest.approx(score.details["carriers"] + 1)
    assert score.details["carriers"] < 2
    assert score.details["interval"].startswith("disagreement is concentrated in about 1 of 50 items")


def test_coverage_note_is_given_for_level_095_only() -> None:
    assert "covered the true value in 93% to 100% of runs" in accord.kappa(table(89, 5, 5, 1)).details["coverage"]
    assert "coverage" not in accord.kappa(table(89, 5, 5, 1), level=0.9).details


def test_posterior_of_percent_agreement_is_a_beta_distribution() -> None:
    """The prior adds two items in four equal parts: one agreement, one disagreement."""
    score = accord.percent(table(89, 5, 5, 1), interval="dirichlet", replicates=20_000)
    assert score.interval is not None
    exact = stats.beta.ppf([0.025, 0.975], 90 + 1, 10 + 1)
    assert [score.interval.low, score.interval.high] == pytest.approx(exact, abs=0.003)
    assert score.interval == accord.percent(table(89, 5, 5, 1), interval="dirichlet", replicates=20_000).interval
    three = accord.kappa(ratings(1), interval="dirichlet", replicates=200)
    assert three.interval is not None
    assert three.interval.low < three.value < three.interval.high
    assert "dirichlet 0.95 200 replicates" in three.signature


def test_few_labels_give_a_warning_at_the_line_of_the_caller() -> None:
    with pytest.warns(accord.FewLabelsWarning, match='kappa: only 12 labels other than "no"') as seen:
        accord.kappa(table(89, 5, 5, 1))
    assert [one.filename for one in seen] == [__file__]
    with pytest.warns(accord.FewLabelsWarning, match="annotators agree on all 100 items"):
        accord.score(table(50, 0, 0, 50), ["pi"])
    with pytest.warns(accord.AccordWarning, match="only 12 documents: the interval may be too short"):
        accord.f1(units(1, docs=12))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        accord.kappa(table(60, 10, 10, 20))
        accord.kappa(table(89, 5, 5, 1), interval="none")


def test_command_line_prints_the_note_once(cli: Cli, tmp_path: pytest.TempPathFactory) -> None:
    rows = ["no,no"] * 89 + ["no,yes"] * 5 + ["yes,no"] * 5 + ["yes,yes"]
    path = tmp_path / "few.csv"  # type: ignore[operator]
    path.write_text("Ana,Ben\n" + "\n".join(rows) + "\n", encoding="utf-8")
    shown = cli("score", str(path), "-m", "kappa")
    assert shown.out.count("the interval is widened") == 1
    assert "Warning" not in shown.out + shown.err


def test_difference_that_depends_on_few_items_is_reported() -> None:
    """The linearised test ignores disagreements that the sample lacks; added items account for them."""
    rng = np.random.default_rng(1)
    a, b = table(93, 4, 3, 0), table(94, 0, 0, 6)
    plain = accord.compare(a, b, "alpha", paired=False, method="linearised")
    with pytest.warns(accord.FewLabelsWarning, match="The difference depends on about"):
        found = accord.compare(a, b, "alpha", paired=False)
    assert found.difference == plain.difference
    assert "after 2 added items each" in found.method
    assert found.p is not None
    assert plain.p is not None
    assert found.p > plain.p
    assert found.interval.low < plain.interval.low < plain.interval.high < found.interval.high
    assert "(in simulations, such intervals contain the true difference in 92 to 100 of 100 cases)" in found.sentence
    many = [accord.Ratings.from_rows(rng.integers(0, 2, (200, 2))) for _ in range(2)]
    both = [accord.compare(*many, "alpha", method=method) for method in ("default", "linearised")]
    assert both[0].p == both[1].p
    assert not both[0].few


def test_difference_that_depends_on_few_documents_is_reported() -> None:
    found = accord.compare(units(1, docs=4), units(2, docs=4), "f1", replicates=200)
    assert "The difference depends on about" in found.sentence
    many = accord.compare(units(1, docs=40, length=60), units(2, docs=40, length=60), "f1", replicates=200)
    assert "depends on about" not in many.sentence
