"""Artstein & Poesio 2008, Inter-Coder Agreement for Computational Linguistics: the printed numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from accord.answers.marginals import marginals
from accord.measures.distances import as_set
from accord.measures.distances.sets import Passonneau

from ..refusals import raises

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
    # The printed formula for π lacks the squares; the value 0.4014 has them.
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
    # The text has 98% for the first case; its table has 48 of 50.
    score = accord.score(table, "k")
    assert score.observed == pytest.approx(observed)
    assert score.expected == pytest.approx(expected, abs=5e-3)


@pytest.mark.parametrize(
    ("first", "second", "table"),
    [
        # One boundary inside, at neighbouring places.
        ([24, 25], [25, 24], TABLE_8_1),
        # 17 inside, of which 3 are at neighbouring places: 14 + 2 agree, 28 places have none.
        ([2] * 14 + [1, 4, 4, 12], [2] * 14 + [2, 4, 4, 11], TABLE_8_2),
    ],
)
def test_table_8_includes_the_ends_of_the_text(first: list[int], second: list[int], table: accord.Ratings) -> None:
    """Its 50 places are the 48 inside 49 utterances, and both ends ("obviously agree on initial and final")."""
    data = accord.Segmentations.from_masses({"A": first, "B": second})
    for name in ("pi", "kappa", "alpha"):
        wanted = accord.score(table, name)
        found = accord.score(data, f"{name}_boundaries(ends=true)")
        assert (found.value, found.observed, found.expected, found.n) == (
            pytest.approx(wanted.value), pytest.approx(wanted.observed), pytest.approx(wanted.expected), 50,
        )  # fmt: skip
    printed = {3: 0.65, 19: 0.75}[len(first) + 1]
    assert accord.pi_boundaries(data, ends=True).value == pytest.approx(printed, abs=5e-3)


def test_ends_of_the_text_are_not_places_by_default() -> None:
    data = accord.Segmentations.from_masses({"A": [24, 25], "B": [25, 24]})
    assert accord.pi_boundaries(data).value == pytest.approx(-1 / 47)
    assert "document: ends" in accord.pi_boundaries(data, ends=True).parts["item"]
    assert accord.pi_boundaries(data).n == 48
    with raises("measure-option"):
        accord.pi_boundaries(data, ends="yes")
    typed = {"A": {3: ["x"]}, "B": {4: ["y"]}}
    with raises("measure-option"):
        accord.pi_boundaries(accord.Segmentations.from_boundaries(typed, 9), ends=True)


def test_section_4_1_1_five_chance_agreements() -> None:
    """Table 4 has 100 · 0.16 · 0.10 chance agreements on checks."""
    found = marginals(TABLE_4)
    assert found.pairs[0].chance_agreements == pytest.approx((23.92, 14.08, 1.6))
    notes = found.tables()[0].notes
    assert "rare categories, with fewer than 5 expected agreements of two annotators: CHCK (1.6)" in notes
    assert not any("expected agreements" in note for note in marginals(TABLE_1).tables()[0].notes)


def test_section_4_5_extended_senses() -> None:
    found = Passonneau().matrix([as_set(label) for label in ("WN1|LABEL", "WN3|LABEL", "LABEL")])
    assert found[0].tolist() == pytest.approx([0, 2 / 3, 1 / 3])


def test_section_4_5_extended_senses_from_a_hierarchy(tmp_path: Path) -> None:
    """The same distances with groups from a file: WN1 and WN3 2/3, a sense and its group 1/3."""
    tree = tmp_path / "call.csv"
    tree.write_text("label,parent\nWN1,LABEL\nWN3,LABEL\nWN2,\n")
    data = accord.read({"item": [1, 2, 3], "A": ["WN1", "WN1", "WN2"], "B": ["WN3", "LABEL", "WN2"]})
    spec = f'alpha(distance=extended_senses("{tree}"))'
    scores = accord.score(data, spec, interval="none").parts["item"]
    assert [1 - scores[name].value for name in "123"] == pytest.approx([2 / 3, 1 / 3, 0])


def test_section_2_6_1_alpha_and_pi() -> None:
    """1 − α = (1 − π)(ic − 1)/ic for two complete annotators."""
    pi, alpha = accord.pi(TABLE_4).value, accord.alpha(TABLE_4).value
    assert 1 - alpha == pytest.approx((1 - pi) * 199 / 200)
