"""Steps are actions. A person is named only for more than chance and selection explain; a crowd gets a rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.annotators import annotators
from accord.answers.disagreements import disagreements
from accord.answers.influence import influence
from accord.answers.reporting.assessment import Assessment
from accord.answers.reporting.findings import Findings, find_outlier, is_crowd
from accord.answers.reporting.leaning import strongest_leaning, two_sided
from accord.answers.reporting.sentences import GivenName, sentence_as_text
from accord.answers.reporting.steps import next_steps
from accord.answers.scoring import score_each
from accord.core.context import Run
from accord.core.result import Scores
from accord.data.model.measurement import Measurement
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings

IMPERATIVES = ("Agree", "Calibrate", "Clarify", "Discuss", "Filter", "Require", "Resolve", "Review")
Rows = Sequence[Sequence[Any]]


def report(rows: Rows | accord.Ratings, spec: str = "alpha", people: Sequence[str] | None = None) -> Assessment:
    data = rows if isinstance(rows, accord.Ratings) else accord.Ratings.from_rows(rows, annotators=people)
    return accord.report(data, None, spec, jobs=1).parts[0].verdict


def titles(verdict: Assessment) -> list[str]:
    return [sentence_as_text(step.title) for step in verdict.steps]


def words(verdict: Assessment) -> str:
    return "\n".join(verdict.lines())


def steps_of(rows: Rows, spec: str) -> tuple[Any, ...]:
    """The steps without the other parts of a report."""
    data, by = accord.Ratings.from_rows(rows), measure(spec)
    scores = Scores(score_each(data, (by,), Settings("none"), Run(0)))
    around: dict[str, Any] = {"seed": 0, "progress": None, "jobs": 1}
    left_out = influence(data, by, by="annotator", **around)
    outlier = find_outlier(data, by, left_out, level=0.95, **around)
    each = annotators(data, fit=False)
    return next_steps(Findings("x", data, by, scores, left_out, disagreements(data), each, outlier=outlier))


# -- nobody is named by chance -------------------------------------------------------------------------------------


def equal_annotators(kind: str, people: int, rng: np.random.Generator) -> Rows:
    """Annotators who make the same errors with the same probability."""
    n = 40
    if kind == "numbers":
        return np.round(rng.normal(50, 10, (n, 1)) + rng.normal(0, 5, (n, people))).tolist()  # type: ignore[no-any-return]
    truth = rng.integers(3, size=(n, 1)) if kind == "common" else (rng.random((n, 1)) < 0.15).astype(int)
    wrong = rng.random((n, people)) < (0.25 if kind == "common" else 0.08)
    other = rng.integers(3, size=(n, people)) if kind == "common" else 1 - truth
    return [[f"c{label}" for label in row] for row in np.where(wrong, other, truth).tolist()]


@pytest.mark.parametrize("people", [3, 5, 10])
def test_equal_annotators_are_rarely_named(people: int) -> None:
    """At most 8% of corpora; 200 corpora of each of 27 settings had at most 4.5%."""
    named = 0
    kinds, corpora = ("common", "rare", "numbers"), 8
    for k, kind in product(range(corpora), kinds):
        rng = np.random.default_rng([people, k, kinds.index(kind)])
        steps = steps_of(
            equal_annotators(kind, people, rng), "alpha(distance=interval)" if kind == "numbers" else "alpha"
        )
        named += any(step.what == "annotator" for step in steps)
    assert named <= 0.08 * corpora * len(kinds)


@cache
def one_careless() -> tuple[tuple[str, ...], ...]:
    rng = np.random.default_rng(1)
    truth, wrong = rng.integers(3, size=80), [0.05, 0.05, 0.7, 0.05]
    return tuple(tuple("abc"[rng.integers(3) if rng.random() < share else t] for share in wrong) for t in truth)


def test_careless_annotator_is_named_with_a_corrected_interval() -> None:
    verdict = report(one_careless(), people=("Ana", "Ben", "Eve", "Dai"))
    assert titles(verdict)[0] == "Review the annotations of Eve"
    said = sentence_as_text(verdict.steps[0].said)
    assert "corrected for the selection among 4 annotators" in said
    plain = influence(accord.Ratings.from_rows(one_careless()), "alpha", by="annotator").annotators[0].interval
    _, _, _, low, high = (float(number) for number in verdict.steps[0].to_dict()["said"]["numbers"])
    assert plain is not None
    assert low < plain.low
    assert high > plain.high


def test_few_documents_name_nobody() -> None:
    """Each of 3 documents differs in one direction by chance in 1 of 8 cases."""
    rows = [
        {"doc": d, "annotator": who, "start": 10 * k + (2 if who == "C" else 0), "end": 10 * k + 8, "label": "x"}
        for d in "abc" for who in "ABC" for k in range(9)
    ]  # fmt: skip
    verdict = accord.report(rows, None, "f1", jobs=1).parts[0].verdict
    assert all(step.what != "annotator" for step in verdict.steps)


def test_constant_offset_is_named_and_tested() -> None:
    rng = np.random.default_rng(4)
    rows = np.round(rng.normal(50, 10, (40, 1)) + rng.normal(0, 3, (40, 3)) + [0, 0, 6]).tolist()
    verdict = report(rows, "alpha(distance=interval)", ("Ana", "Ben", "Eve"))
    assert titles(verdict)[0] == "Calibrate the scale of Eve with the others"
    assert "categor" not in words(verdict)


def test_two_annotators_are_not_blamed() -> None:
    rows = [["x", "x"]] * 20 + [["y", "y"]] * 20 + [["x", "y"]] * 20
    verdict = report(rows, people=("Ana", "Ben"))
    assert titles(verdict)[0] == "Agree on when to use x"
    assert "(p < 0.001)" in words(verdict)
    assert not titles(report([["x", "x"], ["x", "y"], ["y", "y"], ["y", "y"]]))[0].startswith("Agree")


def test_leaning_of_two_annotators_is_mcnemars_exact_test() -> None:
    rows = [{"A": "x", "B": "y"}] * 9 + [{"A": "y", "B": "x"}] * 2 + [{"A": "x", "B": "x"}] * 30
    found = strongest_leaning(rows)
    assert found is not None
    assert found.p == pytest.approx(2 * sum(math.comb(11, k) for k in range(3)) / 2**11)
    assert (found.own, found.others) == (pytest.approx(39 / 41), pytest.approx(32 / 41))


def test_two_sided_p_equals_the_sum_over_all_outcomes() -> None:
    chances = (0.2, 0.5, 0.7, 0.25)
    mass = [0.0] * 5
    for outcome in product((0, 1), repeat=4):
        mass[sum(outcome)] += math.prod(c if x else 1 - c for c, x in zip(chances, outcome, strict=True))
    for k in range(5):
        assert two_sided(k, chances) == pytest.approx(min(1.0, 2 * min(sum(mass[: k + 1]), sum(mass[k:]))))
    assert two_sided(560, [0.5] * 1_001) == pytest.approx(two_sided(560, [0.5] * 1_000 + [1e-12]), rel=0.2)


# -- crowds --------------------------------------------------------------------------------------------------------


def crowd(people: int, random_ones: int) -> list[list[str]]:
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=60)

    def given(t: int, g: int) -> str:
        return "xy"[rng.integers(2) if g < random_ones else t ^ int(rng.random() < 0.1)]

    return [[given(int(t), g) for g in range(people)] for t in truth]


def test_crowd_gets_a_rule_and_no_names() -> None:
    people = [f"worker-{k}" for k in range(20)]
    verdict = report(crowd(20, 6), people=people)
    assert titles(verdict)[0] == "Filter annotators by a rule"
    assert "It applies to" in words(verdict)
    for step in verdict.steps:
        assert not {piece.text for piece in (*step.title, *step.said) if isinstance(piece, GivenName)} & set(people)
    assert not any(name in words(verdict) for name in people)


def test_team_of_many_parts_is_a_crowd() -> None:
    each = [[("ab"[i % 2] if g in {i % 8, (i + 1) % 8} else None) for g in range(8)] for i in range(200)]
    assert not is_crowd(accord.Ratings.from_rows(each))  # a quarter of the items each
    small = [[("ab"[i % 2] if g in {i % 12, (i + 1) % 12} else None) for g in range(12)] for i in range(200)]
    assert is_crowd(accord.Ratings.from_rows(small))
    assert is_crowd(accord.Ratings.from_rows(crowd(16, 0)))
    assert not is_crowd(accord.Ratings.from_rows(crowd(15, 0)))


# -- labels --------------------------------------------------------------------------------------------------------


def test_two_categories_have_no_shares() -> None:
    """With two categories, each has half of the disagreement."""
    rows = [["x", "x", "x"]] * 20 + [["y", "y", "y"]] * 15 + [["x", "y", "y"], ["y", "x", "x"], ["x", "x", "y"]] * 2
    verdict = report(rows)
    assert titles(verdict)[0] == "Clarify the boundary between x and y"
    assert "Annotators chose both for 6 of 41 items." in words(verdict)
    assert not any("%" in sentence_as_text(step.said) for step in verdict.steps)


def test_pair_that_explains_a_category_is_named() -> None:
    rows = [["y", "z"]] * 10 + [["y", "y"]] * 10 + [["z", "z"]] * 10 + [["x", "y"], ["x", "y"]] + [["w", "w"]] * 20
    assert "Clarify the boundary between y and z" in titles(report(rows))
    assert "Annotators chose both for 10 of 52 items, of 12 with a disagreement." in words(report(rows))


def test_category_confused_with_several_is_named_with_counts() -> None:
    rows = [["y", "z"]] * 5 + [["y", "w"]] * 5 + [["y", "x"]] * 4 + [[c, c] for c in "xyzw"] * 8 + [["z", "w"]]
    verdict = report(rows)
    assert "Clarify the guidelines for category y" in titles(verdict)
    assert "14 of 15 pairs of different labels contain this category." in words(verdict)


def test_equal_categories_are_not_singled_out() -> None:
    """With three equal categories, each is in two thirds of the disagreements."""
    rows = [["x", "y"], ["y", "z"], ["z", "x"]] * 5 + [[c, c] for c in "xyz"] * 10
    assert not any(title.startswith("Clarify the guidelines") for title in titles(report(rows)))


@pytest.mark.parametrize(
    ("level", "categories", "advised"),
    [("nominal", 3, True), ("ordinal", 3, True), ("interval", 3, False), ("ratio", 3, False), ("circular", 3, False),
     ("nominal", 13, False), ("", 3, True), ("", 13, False)],
)  # fmt: skip
def test_categories_are_advised_on_by_the_level_of_measurement(level: str, categories: int, advised: bool) -> None:
    rows = [[str(k % categories), str((k + (k % 3 == 0)) % categories)] for k in range(60)]
    ratings = accord.Ratings.from_rows(rows)
    verdict = report(
        ratings.with_level(
            Measurement(level, "stated", "stated", 3.0 if level == "circular" else None) if level else None
        )
    )
    assert any(step.what in {"category", "boundary"} for step in verdict.steps) == advised


def test_items_with_the_largest_spread_are_named() -> None:
    rows = [[10 + k, 10 + k, 11 + k] for k in range(20)] + [[1, 30, 12]]
    verdict = report(rows, "alpha(distance=interval)")
    assert titles(verdict)[-1].startswith("Resolve the largest differences, on 21")
    assert "On 21, the numbers range from 1 to 30" in words(verdict)


# -- all steps -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["alpha", "icc"])
def test_steps_are_imperatives(spec: str) -> None:
    rng = np.random.default_rng(5)
    for people in (2, 3, 16):
        rows = np.round(rng.normal(5, 3, (20, 1)) + rng.normal(0, 3, (20, people))).tolist()
        for title in titles(report(rows, spec)):
            assert title.startswith(IMPERATIVES), title


def test_observations_are_facts() -> None:
    rng = np.random.default_rng(6)
    rows = equal_annotators("common", 3, rng)
    verdict = report(rows)
    assert "Leaving out any one annotator" in words(verdict)
    assert not any("Leaving out" in sentence_as_text(step.said) for step in verdict.steps)


def test_share_of_the_commonest_label_counts_rows_as_often_as_they_occur() -> None:
    rows = [{"x": "a", "a": 970, "b": 10}, {"x": "b", "a": 10, "b": 10}]
    found = accord.report(rows, None, "alpha", layout="confusion", jobs=1).parts[0].verdict
    assert "98% of the labels are a" in words(found)
    assert "fewer than 10 times" not in words(found)
