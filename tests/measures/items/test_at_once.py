"""Batch computations equal single ones: without each annotator, by category, by pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import accord
from accord.core.context import Run
from accord.measures.items import crowds
from accord.measures.items.evidence import ItemEvidence, _distinct_columns

from ...cases import for_each

SPECS = (
    *("alpha", "kappa", "pi", "ac", "s", "percent", "kappa(weights=linear)", "alpha(distance=interval)"),
    *(f"{name}(distance=ordinal)" for name in ("alpha", "pi", "ac", "s", "percent", "kappa")),
)
SPARSE = (0.35, 0.7, 1.0)


def some(share: float, categories: int = 4) -> accord.Ratings:
    rng = np.random.default_rng(round(100 * share))
    shape = (40, 7)
    truth = rng.integers(1, categories + 1, shape[0])
    labels = np.where(rng.random(shape) < 0.6, truth[:, None], rng.integers(1, categories + 1, shape)).astype(float)
    labels[rng.random(shape) > share] = np.nan
    data = accord.read(labels)
    assert isinstance(data, accord.Ratings)
    return data


@pytest.mark.parametrize("share", SPARSE)
@pytest.mark.parametrize("spec", SPECS)
def test_values_without_each_annotator_equal_single_estimates(
    spec: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = accord.measure(spec)
    evidence = measure.observe(some(share), Run())
    alone = [measure.estimate(evidence.without(g)).value for g in range(7)]
    monkeypatch.setattr(crowds, "_LITTLE", 0)
    assert measure.without_each_annotator(evidence, Run()) == pytest.approx(alone, abs=1e-12)
    monkeypatch.setattr(crowds, "_CELLS_WITHOUT", 25)  # an annotator or two at a time
    assert measure.without_each_annotator(evidence, Run()) == pytest.approx(alone, abs=1e-12)


def test_leaving_out_annotators_until_one_category_is_left_is_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only Cat gave y: without Cat one category is left, and α is undefined."""
    rows = {
        "item": [1, 1, 1, 2, 2, 2, 3, 3, 3],
        "annotator": ["Ana", "Ben", "Cat"] * 3,
        "label": ["x", "x", "x", "x", "x", "x", "x", "x", "y"],
    }
    measure = accord.measure("alpha")
    evidence = measure.observe(accord.read(rows), Run())
    monkeypatch.setattr(crowds, "_LITTLE", 0)
    values = measure.without_each_annotator(evidence, Run())
    assert np.isnan(values).tolist() == [False, False, True]


@pytest.mark.parametrize("categories", [1, 3, 8, 64, 65, 200])
def test_distinct_columns_restore_all_columns(categories: int) -> None:
    rng = np.random.default_rng(categories)
    used = rng.random((categories, 5))[:, rng.integers(0, 5, 40)] < 0.5
    first, which = _distinct_columns(used)
    assert (used[:, first][:, which] == used).all()
    assert len(first) == len({tuple(column) for column in used.T.tolist()})


@pytest.mark.parametrize("share", [0.0, *SPARSE])
def test_items_with_the_same_labels_are_of_one_kind(share: float) -> None:
    """Items are of one kind if the same annotators gave the same labels. Some items have no label."""
    rng = np.random.default_rng(3)
    labels = rng.integers(1, 3, (60, 4)).astype(float)
    labels[rng.random(labels.shape) > max(share, 0.2)] = np.nan
    labels[0, :2] = 1
    data = accord.Ratings.from_rows(np.where(np.isnan(labels), None, labels).tolist())
    kind, first = accord.measure("alpha").observe(data, Run()).kinds
    rows = [tuple(row) for row in np.nan_to_num(labels).tolist()]
    assert [rows[at] for at in first[kind]] == rows
    assert len(set(rows)) == len(first) < 60
    assert first.tolist() == [rows.index(rows[at]) for at in first]


@for_each("share", SPARSE)
@pytest.mark.parametrize("spec", SPECS)
def test_value_by_category_is_category_against_the_rest(spec: str, share: float) -> None:
    data, plain = some(share), accord.measure(spec.partition("(")[0])
    parts = accord.score(data, spec, interval="none").parts["category"]
    for k, name in enumerate(data.categories.names):
        rows = data.against_rest(k)
        alone = plain.estimate(ItemEvidence(rows, rows, rows.weight, accord.measure("pi").metric))
        found = parts[name]
        assert (found.value, found.observed, found.expected) == pytest.approx(
            (alone.value, alone.observed, alone.expected), abs=1e-12, nan_ok=True
        )
        assert found.n == alone.n


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "ordinal" in spec])
def test_ordinal_value_of_a_pair_uses_ranks_of_the_pair(spec: str) -> None:
    data, measure = some(0.7), accord.measure(spec)
    parts = accord.score(data, spec, interval="none").parts["pair"]
    for pair in combinations(data.annotators, 2):
        both = data.only_annotators(pair)
        alone = measure.estimate(measure.observe(both.keep(both.sizes[both.item] > 1), Run()))
        found = parts[" – ".join(pair)]
        assert (found.value, found.observed, found.expected) == pytest.approx(
            (alone.value, alone.observed, alone.expected), abs=1e-12, nan_ok=True
        )


def test_missing_unconditional_interval_names_the_needed_annotator() -> None:
    rows = {
        "item": [1, 1, 2, 2, 3, 3],
        "annotator": ["Ana", "Ben", "Ana", "Cat", "Ana", "Dee"],
        "label": list("xyxxyy"),
    }
    score = accord.score(rows, "alpha", interval="unconditional")
    assert score.details["interval"] == "no unconditional interval: no item has two labels without Ana"
