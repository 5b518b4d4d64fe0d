"""Artstein & Poesio 2008, Inter-Coder Agreement for Computational Linguistics: the numbers that are printed."""

from __future__ import annotations

import pytest

import accord
from accord.distances import as_set, distance
from accord.inference.marginals import marginals

# Table 1; rows are coder B, columns coder A.
TABLE_1 = accord.Ratings.from_confusion([[20, 20], [10, 50]], ["STAT", "IREQ"], ("B", "A"))
# Table 4.
TABLE_4 = accord.Ratings.from_confusion([[46, 6, 0], [0, 32, 0], [0, 6, 10]], ["STAT", "IREQ", "CHCK"], ("B", "A"))
# Table 6: a check question lies between a statement and an information request.
CHECKS = {("STAT", "IREQ"): 1, ("STAT", "CHCK"): 0.5, ("IREQ", "CHCK"): 0.5}
# Table 8, 4.3.1.
TABLE_8_1 = accord.Ratings.from_confusion([[2, 1], [1, 46]], ["BOUNDARY", "NO BOUNDARY"], ("B", "A"))
TABLE_8_2 = accord.Ratings.from_confusion([[16, 3], [3, 28]], ["BOUNDARY", "NO BOUNDARY"], ("B", "A"))


def test_table_1_observed_agreement() -> None:
    assert accord.percent(TABLE_1).value == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("measure", "expected", "value"), [("s", 0.5, 0.4), ("pi", 0.545, 0.341), ("kappa", 0.54, 0.348)]
)
def test_table_2(measure: str, expected: float, value: float) -> None:
    score = accord.score(TABLE_1, measure)
    assert score.expected == pytest.approx(expected, abs=5e-5)
    assert score.value == pytest.approx(value, abs=5e-4)


@pytest.mark.parametrize(
    ("measure", "expected", "value"),
    # The formula printed for π lacks its squares; its value 0.4014 has them.
    [("s", 0.3333, 0.82), ("pi", 0.4014, 0.7995), ("kappa", 0.396, 0.8013)],
)
def test_table_5(measure: str, expected: float, value: float) -> None:
    score = accord.score(TABLE_4, measure)
    assert score.observed == pytest.approx(0.88)
    assert score.expected == pytest.approx(expected, abs=5e-5)
    assert score.value == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize(("measure", "expected", "value"), [("alpha", 0.4879, 0.8156), ("kappa", 0.49, 0.8163)])
def test_table_6_weighted(measure: str, expected: float, value: float) -> None:
    score = accord.score(TABLE_4, type(accord.measure(measure))(distance=CHECKS))
    assert score.details["observed_disagreement"] == pytest.approx(0.09)
    assert score.details["expected_disagreement"] == pytest.approx(expected, abs=5e-5)
    assert score.value == pytest.approx(value, abs=5e-5)


def test_section_3_1_bias_is_the_difference_of_the_expected_agreements() -> None:
    for table, b in ((TABLE_1, 0.005), (TABLE_4, 0.0054)):
        pi, kappa = accord.pi(table), accord.kappa(table)
        assert pi.expected is not None
        assert kappa.expected is not None
        assert marginals(table).bias == pytest.approx(pi.expected - kappa.expected)
        assert marginals(table).bias == pytest.approx(b)


@pytest.mark.parametrize(("table", "observed", "expected"), [(TABLE_8_1, 0.96, 0.89), (TABLE_8_2, 0.88, 0.53)])
def test_table_8_prevalence(table: accord.Ratings, observed: float, expected: float) -> None:
    # The text says 98% for the first case; its table has 48 of 50.
    score = accord.score(table, "k")
    assert score.observed == pytest.approx(observed)
    assert score.expected == pytest.approx(expected, abs=5e-3)


def test_section_4_5_extended_senses() -> None:
    passonneau = distance("passonneau")
    assert passonneau.between(as_set("WN1|LABEL"), as_set("WN3|LABEL")) == pytest.approx(2 / 3)  # type: ignore[attr-defined]
    assert passonneau.between(as_set("WN1|LABEL"), as_set("LABEL")) == pytest.approx(1 / 3)  # type: ignore[attr-defined]


def test_section_2_6_1_alpha_and_pi() -> None:
    """1 − α = (1 − π)(ic − 1)/ic for two complete annotators."""
    pi, alpha = accord.pi(TABLE_4).value, accord.alpha(TABLE_4).value
    assert 1 - alpha == pytest.approx((1 - pi) * 199 / 200)
