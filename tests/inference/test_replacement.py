"""The alternative annotator test: by hand, on labels, numbers, sets and units. Golden values: tests/golden."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import accord
from accord.answers.alternative_test import epsilon_of, make_likeness
from accord.core.context import Run

from ..refusals import raises


def labels(*rows: str) -> dict[str, list[str]]:
    """Columns Ana, Ben, Cy and a model m."""
    names = ("Ana", "Ben", "Cy", "m")
    return {"item": [str(k) for k in range(len(rows))], **{n: [row[k] for row in rows] for k, n in enumerate(names)}}


ROWS = ("xxxx", "xxyx", "xyxy", "yyxy", "xxxy", "yyyx", "xyyy", "yxyx")


def test_replacement_by_hand() -> None:
    found = accord.replace(labels(*ROWS), "m", least_items=5, epsilon=0.1)
    one = found.models[0]
    for person, others in (("Ana", (1, 2)), ("Ben", (0, 2)), ("Cy", (0, 1))):
        k = ("Ana", "Ben", "Cy").index(person)
        wins, ahead = [], []
        for row in ROWS:
            model, own = (np.mean([row[j] == row[at] for j in others]) for at in (3, k))
            wins.append(model >= own)
            ahead.append(float(own >= model) - float(model >= own))
        human = next(h for h in one.humans if h.annotator == person)
        assert human.advantage == pytest.approx(np.mean(wins))
        assert human.p == pytest.approx(stats.ttest_1samp(ahead, 0.1, alternative="less").pvalue)
    assert found.to_dict()["models"][0]["winning_rate"] == one.winning_rate


def test_comparison_with_two_people_is_noted() -> None:
    three = accord.replace(labels(*ROWS), "m", least_items=5)
    two = accord.replace(labels(*ROWS), "m", people=["Ana", "Ben"], least_items=5)
    assert len(three.tables()[0].notes) == 2
    assert two.tables()[0].notes[2:] == (
        "m was compared with only 2 people; the authors of the test require at least 3",
    )


def test_likeness_of_numbers_is_negative_rmse() -> None:
    rows = [[1, 2, 4, 2], [3, 3, 5, 1], [2, 2, 2, 5], [4, 5, 4, 4]]
    data = accord.Ratings.from_rows(rows, annotators=("Ana", "Ben", "Cy", "m"))
    like = make_likeness(data, ("Ana", "Ben", "Cy"), ("m",), "neg_rmse", Run())
    _, model, own = like.against_others("Ana", "m", 2)
    for k, row in enumerate(rows):
        assert model[k] == pytest.approx(-math.sqrt(((row[3] - row[1]) ** 2 + (row[3] - row[2]) ** 2) / 2))
        assert own[k] == pytest.approx(-math.sqrt(((row[0] - row[1]) ** 2 + (row[0] - row[2]) ** 2) / 2))


def test_replacement_of_sets_uses_their_overlap() -> None:
    data = accord.read({"item": ["1"] * 4, "annotator": list("abcm"), "label": ["p|q", "p", "q|r", "p|q"]}, sets="|")
    like = make_likeness(data, ("a", "b", "c"), ("m",), None, Run())
    _, model, own = like.against_others("c", "m", 2)
    assert (model[0], own[0]) == (pytest.approx((1 + 1 / 2) / 2), pytest.approx((1 / 3 + 0) / 2))


@pytest.mark.slow
def test_likeness_of_units_is_disorder() -> None:
    people = (("Ana", 0), ("Ben", 0), ("m", 0), ("far", 4))
    rows = [(f"d{d}", who, 10 * k + s, 10 * k + 6 + s, "x") for d in range(4) for who, s in people for k in range(3)]
    data = accord.read({n: [r[k] for r in rows] for k, n in enumerate(("doc", "annotator", "start", "end", "label"))})
    found = accord.replace(data, ["m", "far"], least_items=4)
    good, bad = found.models
    assert (good.advantage, bad.advantage) == (1.0, 0.0)
    assert found.score == "gamma"


def test_epsilon_has_names() -> None:
    assert [epsilon_of(name) for name in ("experts", "skilled", "crowd", "0.3")] == [0.2, 0.15, 0.1, 0.3]
    with raises("unknown-name", '"experts"'):
        epsilon_of("expert")
    with raises("option-value"):
        epsilon_of(2.0)


def test_bad_input_is_refused() -> None:
    with raises("unknown-name", '"m"'):
        accord.replace(labels(*ROWS), "mm")
    with raises("nothing-shared"):
        accord.replace(labels(*ROWS), ["m", "Ben", "Cy"])
    with raises("nothing-shared"):
        accord.replace(labels(*ROWS), "m", least_items=30)
    with raises("option-conflict"):
        accord.replace(labels(*ROWS), "m", people=["m", "Ana"])


def test_chains_are_refused() -> None:
    columns = {"doc": ["d"] * 3, "annotator": ["Ana", "Ben", "m"], "start": [0] * 3, "end": [4] * 3, "chain": ["1"] * 3}
    with raises("measure-for-other-data"):
        accord.replace(accord.read(columns), "m")
