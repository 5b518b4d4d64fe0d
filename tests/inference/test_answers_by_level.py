"""Influence, annotators, replacement and plots at each level of measurement, by hand and by changes of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord

RNG = np.random.default_rng(7)
TRUE = RNG.integers(0, 50, size=40)
POINTS = np.stack([TRUE + RNG.integers(-3, 4, size=40) for _ in range(4)], axis=1)


def ratings(rows: Any, names: list[str] | None = None) -> accord.Ratings:
    return accord.Ratings.from_rows(rows, items=names or [f"i{k}" for k in range(len(rows))])


# -- influence ---------------------------------------------------------------------------------------------------------


def test_numbers_have_no_categories_to_leave_out() -> None:
    found = accord.influence(ratings(POINTS))
    assert found.categories == ()
    assert any(note.startswith("no category is left out because the labels are numbers") for note in found.notes)
    assert found.score.measure == "alpha(distance=interval)"


@pytest.mark.parametrize(("level", "many"), [("ordinal", 3), ("nominal", 3), ("interval", 0), ("ratio", 0)])
def test_grades_are_categories_and_amounts_are_not(level: str, many: int) -> None:
    rows = {"A": [1, 2, 3, 1, 2], "B": [1, 2, 3, 2, 2], "C": [1, 3, 3, 1, 2]}
    assert len(accord.influence(rows, by="category", measurement=level).categories) == many


def test_influence_on_numbers_does_not_depend_on_a_constant_or_on_the_order_of_rows() -> None:
    def changes(data: accord.Ratings) -> list[tuple[str, float]]:
        found = accord.influence(data, by=["annotator", "item"])
        return sorted((left.name, left.without) for left in (*found.annotators, *found.units))

    plain = changes(ratings(POINTS))
    order = RNG.permutation(40)
    moved = changes(ratings((POINTS + 1000)[order], [f"i{k}" for k in order]))
    assert [name for name, _ in moved] == [name for name, _ in plain]
    assert [value for _, value in moved] == pytest.approx([value for _, value in plain])


def test_annotator_with_an_offset_has_a_different_distribution_of_numbers() -> None:
    rows = np.stack([TRUE[:30], TRUE[:30], TRUE[:30] + 9], axis=1)
    found = accord.influence(ratings(rows).with_level(None), by="annotator")
    assert found.annotators[0].name == "A3"
    assert found.annotators[0].verdict == "gives a different distribution of numbers"
    assert "due to a different distribution of the numbers" in " ".join(found.tables()[0].notes)


# -- annotators --------------------------------------------------------------------------------------------------------


def test_offset_of_numbers_by_hand() -> None:
    """Against the mean of the others, A is at -1, -2, 0, B at -1, 1, -3, and C at 2, 1, 3."""
    rows = {"item": [1, 2, 3], "A": [10, 20.5, 30], "B": [10, 22.5, 28], "C": [12, 22.5, 32]}
    found = {one.name: one.offset for one in accord.annotators(rows).each}
    a, b, c = (found[name] for name in "ABC")
    assert a is not None
    assert b is not None
    assert c is not None
    assert (a.mean, b.mean, c.mean) == pytest.approx((-1, -1, 2))
    assert a.sd == pytest.approx(1)
    assert a.distance == pytest.approx(np.sqrt(5 / 3))
    # t = -1 / (1/√3) with two degrees of freedom: p = 0.225; C has the smallest p, 0.074, times three.
    assert c.p == pytest.approx(0.0742 * 3, abs=1e-3)
    assert a.interval is not None
    assert a.interval.low == pytest.approx(-1 - 4.303 / np.sqrt(3), abs=1e-3)


def test_annotators_of_numbers_are_sorted_by_distance_without_models() -> None:
    rows = np.stack([TRUE, TRUE + 1, TRUE + 1, TRUE + 20], axis=1)
    found = accord.annotators(ratings(rows).with_level(None))
    assert [one.name for one in found.each][-1] == "A4"
    assert all(one.model_accuracy is None and one.bias is None for one in found.each)
    assert found.tables()[0].columns == ("annotator", "labels", "compared", "distance", "correlation", "")
    assert any("treat numbers as names" in note for note in found.notes)
    assert found.at_random == ()  # A1 and A4 never give the most frequent number of the others
    assert accord.annotators(ratings(rows), fit=True).each[0].model_accuracy is not None


def test_random_numbers_are_found_by_their_correlation() -> None:
    rng = np.random.default_rng(3)
    rows = np.stack([TRUE, TRUE + 1, TRUE, rng.permutation(TRUE)], axis=1)
    found = accord.annotators(ratings(rows))
    assert found.at_random == ("A4",)
    assert "correlation with the mean of the others" in found.each[-1].at_random


def test_ordered_words_have_offsets_in_ranks() -> None:
    rows = {"item": [1, 2, 3, 4], "A": ["low", "low", "medium", "low"], "B": ["medium", "medium", "high", "low"]}
    found = accord.annotators(rows)
    offsets = {one.name: one.offset.mean for one in found.each if one.offset}
    assert offsets == pytest.approx({"A": -0.75, "B": 0.75})
    assert all(one.bias is None for one in found.each)
    assert "ranks of the labels" in " ".join(note for table in found.tables() for note in table.notes)


def test_offsets_do_not_depend_on_a_constant() -> None:
    def means(rows: Any) -> list[float]:
        each = sorted(accord.annotators(ratings(rows)).each, key=lambda one: one.name)
        return [value for one in each if one.offset for value in (one.offset.mean, one.offset.sd, one.offset.distance)]

    assert means(POINTS + 1e6) == pytest.approx(means(POINTS), abs=1e-6)


# -- plots -------------------------------------------------------------------------------------------------------------

TWO = {"item": [1, 2, 3, 4], "Ana": [14, 2, 30.5, 7], "Ben": [15, 50, 30.5, 7]}


def test_scatter_has_a_point_per_item_and_counts_equal_points() -> None:
    found = accord.plot({"item": range(5), "Ana": [1.5, 2, 7, 7, 9], "Ben": [2, 2, 7, 7, 9]})
    assert found.sort == "scatter"
    assert found.picture.table().columns == ("Ana", "Ben", "items")
    assert found.picture.table().rows == ((1.5, 2, 1), (2, 2, 1), (7, 7, 2), (9, 9, 1))


def test_scatter_of_many_compares_with_the_mean_of_the_others() -> None:
    found = accord.plot({"item": [1, 2], "A": [1, 2.5], "B": [2, 4], "C": [6, None]})
    assert found.picture.table().rows == (
        ("A", 4, 1, 1), ("A", 4, 2.5, 1), ("B", 2.5, 4, 1), ("B", 3.5, 2, 1), ("C", 1.5, 6, 1)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "level", "kind"),
    [
        ({"A": list("xyz"), "B": list("xyx")}, None, "confusion"),
        ({"A": ["low", "high", "medium"], "B": ["low", "high", "high"]}, None, "confusion"),
        ({"A": [1, 2, 3], "B": [1, 2, 2]}, None, "confusion"),
        ({"A": [1, 2, 3], "B": [1, 2, 2]}, "interval", "scatter"),
        (TWO, None, "scatter"),
        ({"item": range(20), "A": range(20), "B": range(20)}, "ordinal", "scatter"),
        ({"item": range(20), "A": range(20), "B": [*range(1, 20), 0]}, "nominal", "confused"),
    ],
)
def test_default_figure_follows_the_level(rows: dict[str, Any], level: str | None, kind: str) -> None:
    assert accord.plot(rows, **({} if level is None else {"measurement": level})).sort == kind


def test_confusion_of_numbers_is_drawn_on_request() -> None:
    assert accord.plot(TWO, kind="confusion").sort == "confusion"


def test_confusion_is_in_the_order_of_the_scale() -> None:
    found: Any = accord.plot({"A": ["low", "high", "medium"], "B": ["low", "high", "high"]})
    assert found.picture.categories == ("low", "medium", "high")


def test_score_of_numbers_has_a_scatter_plot_first() -> None:
    assert next(iter(accord.alpha(TWO).drawings())) == "scatter"
    assert "scatter" not in accord.alpha({"A": list("xyz"), "B": list("xyx")}).drawings()


def test_many_different_points_are_drawn_on_a_grid() -> None:
    rng = np.random.default_rng(2)
    points = rng.random((2_000, 2))
    figure: Any = accord.alpha(accord.Ratings.from_rows(points)).figure("scatter")
    assert len(figure.table().rows) == 2_000
    drawn = figure._drawn(figure.series[0][1])
    assert len(drawn) <= 61**2
    assert sum(drawn.values()) == 2_000
    assert "rounded to a grid" in figure.caption


# -- replacement -------------------------------------------------------------------------------------------------------


def test_grades_and_numbers_are_compared_by_their_distance() -> None:
    words = ["low", "medium", "high"]
    people = {name: [words[(k + (k % 5 == g)) % 3] for k in range(30)] for g, name in enumerate("ABm")}
    grades = accord.replace({"item": range(30), **people}, "m")
    assert grades.score == "neg_rmse"
    assert grades.facts()[0].startswith("alternative annotator test by neg_rmse (ordinal)")
    numbers = {name: [words.index(label) for label in given] for name, given in people.items()}
    same = accord.replace({"item": range(30), **numbers}, "m")
    assert [h.advantage for h in same.models[0].humans] == [h.advantage for h in grades.models[0].humans]
    assert any("ordinal is assumed" in fact for fact in same.facts())
    assert accord.replace({"item": range(30), **numbers}, "m", measurement="nominal").score == "accuracy"
    moved = {name: [1000 + number for number in given] for name, given in numbers.items()}
    amounts = accord.replace({"item": range(30), **moved}, "m", measurement="interval")
    assert [h.advantage for h in amounts.models[0].humans] == [h.advantage for h in grades.models[0].humans]
    assert amounts.shares == ()
    assert amounts.own == ()


# -- simulations -------------------------------------------------------------------------------------------------------


def test_meaning_and_simulated_data_keep_the_level() -> None:
    grades = accord.read({"A": [1, 2, 3, 4, 5, 3] * 5, "B": [1, 2, 3, 4, 5, 4] * 5}, measurement="interval")
    found = accord.meaning(grades, sets=4, step=0.5)
    assert found.value == pytest.approx(accord.alpha(grades, distance="interval").value)
    assert (found.measure, found.level, found.reference) == ("alpha(distance=interval)", "interval", "median labels")
    assert "replaces a label by one drawn at random, near or far" in found.in_words()
    assert str(accord.shuffle(grades, "category", magnitude=0.1, reference="A").measurement) == "interval"
    curves = accord.xray(grades, "category", "alpha", reference="A", sets=2, step=0.5)
    assert {row[1] for row in curves.flat().rows} == {"alpha(distance=interval)"}
    assert accord.meaning(grades, "alpha(distance=nominal)", sets=4, step=0.5).value < found.value


# -- repetitions and plans ---------------------------------------------------------------------------------------------


def test_least_stable_numbers_have_the_largest_distance() -> None:
    rows = {"item": [1, 2, 3, 1, 2, 3], "annotator": ["Ana"] * 6, "label": [14.5, 2, 7, 15.5, 50, 7]}
    found = accord.intra(rows)
    assert [(one.item, one.distance) for one in found.unstable] == [("2", 48**2), ("1", 1)]
    assert found.score.measure == "alpha(distance=interval)"
    assert "a small change of a number counts" in " ".join(found.tables()[0].notes)


def test_size_from_a_pilot_names_the_measure_and_the_assumed_level() -> None:
    pilot = {"item": range(30), "A": [1, 2, 3, 4, 5, 3] * 5, "B": [1, 2, 3, 4, 4, 4] * 5}
    found = accord.plan(pilot, width=0.2, simulations=0)
    assert found.basis == "pilot of 30 items by alpha(distance=ordinal)"
    assert any("ordinal is assumed" in note for note in found.notes)
