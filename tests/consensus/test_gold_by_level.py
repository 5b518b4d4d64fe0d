"""Gold standards, consensus and lists of disagreements at each level of measurement, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.gold.consensus import consensus

from ..refusals import raises

WORDS = {"Ana": ["low", "low", "high", "medium"], "Ben": ["low", "high", "high", "low"],
         "Cleo": ["high", "medium", "low", "high"], "Dai": ["medium", "high", "high", None]}  # fmt: skip
NUMBERS = {"Ana": [14, 2, 30.5, 7], "Ben": [15, 50, 30.5, 7], "Cleo": [14, 26, 30.5, 9]}


def labels(data: Any, **rest: Any) -> list[tuple[str, int, str]]:
    return [(row.label, row.support, row.tie) for row in accord.gold(data, **rest).rows]


def test_ordinal_labels_have_their_median_category() -> None:
    # Sorted: low low medium high, low medium high high, low high high high, low medium high.
    expected = [("", 2, "label"), ("", 2, "label"), ("high", 3, ""), ("medium", 1, "")]
    found = accord.gold({"item": [1, 2, 3, 4], **WORDS})
    assert [(row.label, row.support, row.tie) for row in found.rows] == expected
    assert found.summary() == "gold standard by median of the labels (ordinal): 4 items, 2 undecided"
    assert found.rows[0].alternatives == {"low": 0.5, "high": 0.25, "medium": 0.25}
    assert "2 items have two different labels in the middle and no median" in found.notes
    assert labels({"item": [1, 2, 3, 4], **WORDS}, method="vote")[0] == ("low", 2, "")  # the most frequent label


def test_numbers_have_their_median_which_may_lie_between_two() -> None:
    assert labels(NUMBERS) == [("14", 2, ""), ("26", 1, ""), ("30.5", 3, ""), ("7", 2, "")]
    two = {name: NUMBERS[name] for name in ("Ana", "Ben")}
    assert labels(two) == [("14.5", 0, ""), ("26", 0, ""), ("30.5", 2, ""), ("7", 2, "")]
    assert [label for label, *_ in labels(two, method="mean")] == ["14.5", "26", "30.5", "7"]
    assert "2 medians between the two middle numbers, which no annotator gave" in accord.gold(two).notes[0]


def test_mean_of_large_numbers_keeps_its_integer_part() -> None:
    assert labels({"item": [1, 2], "A": [1234567, 1], "B": [1234569, 2.5]}, method="mean")[0][0] == "1234568"


def test_assumed_level_is_used_and_stated() -> None:
    rows = {"item": [1, 2, 3], "A": [1, 2, 5], "B": [1, 3, 5], "C": [4, 4, 2]}
    found = accord.gold(rows)
    assert (found.method, found.level) == ("median", "ordinal")
    assert [row.label for row in found.rows] == ["1", "3", "5"]
    assert any("ordinal is assumed" in note and "--measurement ordinal" in note for note in found.notes)
    stated = accord.gold(rows, measurement="nominal")
    assert (stated.method, stated.notes) == ("vote", ())
    assert [row.label for row in stated.rows] == ["1", "", "5"]


def test_median_of_words_without_an_order_is_refused() -> None:
    with raises("measure-for-other-data", "categories"):
        accord.gold({"A": list("xyz"), "B": list("xyy")}, method="median")


def test_models_of_categories_say_that_they_ignore_the_order() -> None:
    found = accord.gold(NUMBERS, method="dawid_skene")
    assert "treats labels as names" in found.notes[0]
    assert "bias_and_noise" in found.notes[0]
    assert accord.gold({"A": list("xyx"), "B": list("xyy")}, method="dawid_skene").notes == ()


def test_gold_of_grades_keeps_the_level() -> None:
    made = accord.gold({"item": [1, 2, 3], "A": [1, 2, 5], "B": [1, 3, 5], "C": [4, 4, 2]}, measurement="interval")
    assert str(made.to_data().measurement) == "interval"


def test_consensus_is_the_lower_median_of_ordered_labels() -> None:
    grades = accord.read({"A": [1, 1, 5], "B": [1, 2, 4], "C": [5, 4, 1], "D": [4, 5, None]}, measurement="ordinal")
    agreed = consensus(grades)
    reference: Any = agreed.data
    assert [reference.categories[k] for k in reference.label] == [1, 2, 4]
    assert agreed.support.tolist() == [2, 1, 1]
    assert agreed.rates.wrong == pytest.approx(7 / 11)
    assert reference.measurement.level == "ordinal"
    assert consensus(accord.read({"A": [1, 1], "B": [1, 5], "C": [5, 5]}, measurement="nominal")).rates.wrong == 2 / 6


# -- disagreements -----------------------------------------------------------------------------------------------------


def test_disagreements_of_numbers_are_ordered_by_distance() -> None:
    """Three pairs differ on item 2, two on items 1 and 4; the squared differences decide."""
    found = accord.disagreements(NUMBERS)
    rows = found.found.disputed
    assert [(str(row.name), row.distance, row.range) for row in rows] == [
        ("2", 48**2 + 24**2 + 24**2, 48), ("4", 0 + 2 * 2**2, 2), ("1", 1 + 1, 1)
    ]  # fmt: skip
    near = accord.disagreements({"item": [1, 2, 3], "A": [14, 2, 33.5], "B": [15, 50, 33.5]})
    assert [str(row.name) for row in near.found.disputed] == ["2", "1"]
    assert near.tables()[0].columns[:2] == ("item", "range")


def test_disagreements_of_grades_are_ordered_by_mid_ranks() -> None:
    """Of ten labels, six are low, two medium, two high: the mid-ranks are 3, 7 and 9."""
    rows = {"A": ["low", "low", "low", "medium", "low"], "B": ["high", "low", "low", "high", "medium"]}
    found = accord.disagreements(rows).found.disputed
    assert [(str(row.name), row.distance, row.range) for row in found] == [("1", 36, 2), ("5", 16, 1), ("4", 4, 1)]


def test_disagreements_of_names_are_ordered_by_differing_pairs() -> None:
    found = accord.disagreements({"item": [1, 2], "A": list("xx"), "B": list("yy"), "C": list("yz")}).found
    assert [(str(row.name), row.cost, row.distance) for row in found.disputed] == [("2", 3, None), ("1", 2, None)]


def test_disagreements_of_sets_are_ordered_by_their_overlap() -> None:
    """MASI: a and a|b are 1/2 (Jaccard) times 1/3 (subset) apart; a and c are 1 apart."""
    found = accord.disagreements({"item": [1, 2], "A": ["a", "a"], "B": ["a|b", "c"]}, sets="|").found.disputed
    assert [(str(row.name), row.distance) for row in found] == [("2", 1), ("1", pytest.approx(1 / 6))]


def test_confused_pairs_are_listed_for_categories_only() -> None:
    few = {"A": list(range(1, 13)), "B": [2, *range(2, 13)]}
    many = {"A": list(range(1, 14)), "B": [2, *range(2, 14)]}
    assert accord.disagreements(few, measurement="interval").pairs == (("1", "2", 1),)
    assert accord.disagreements(many, measurement="interval").pairs == ()
    assert accord.disagreements(many, measurement="nominal").pairs == (("1", "2", 1),)
    assert not accord.disagreements(many, measurement="interval").drawings()


@pytest.mark.parametrize("add", [0, 1000, -3.25])
def test_order_of_disagreements_does_not_depend_on_a_constant_or_on_rows(add: float) -> None:
    rng = np.random.default_rng(4)
    rows = rng.integers(0, 53, size=(40, 3)).tolist()
    items = rng.permutation(40).tolist()

    def order(rows: list[list[float]], names: list[int]) -> list[tuple[str, float | None]]:
        data = accord.Ratings.from_rows(rows, items=[f"i{k}" for k in names])
        return [(str(row.name), row.range) for row in accord.disagreements(data.with_level(None)).found.disputed]

    plain = order(rows, list(range(40)))
    assert order([[x + add for x in rows[k]] for k in items], items) == plain
