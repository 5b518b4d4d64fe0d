"""What every measure of the catalogue promises."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.distances import DISTANCES, WEIGHTS
from accord.measures.catalogue import ON_ITEMS
from accord.measures.items.base import ItemMeasure

RNG = np.random.default_rng(5)
TRUTH = RNG.integers(0, 4, 60)
ROWS = [
    [None if RNG.random() < 0.1 else int(t if RNG.random() < 0.7 else RNG.integers(0, 4)) for _ in range(4)]
    for t in TRUTH
]
EVERY = pytest.mark.parametrize("cls", ON_ITEMS, ids=lambda cls: cls.name)
SPECS = [
    *(cls.name for cls in ON_ITEMS),
    *(f"alpha(distance={d.name})" for d in DISTANCES if d.name not in {"melamed_resnik", "geertzen_bunt", "matrix"}),
    *(f"kappa(weights={w.name})" for w in WEIGHTS if w.name not in {"power", "matrix"}),
    "pi(weights=power(1.5))",
    'alpha(distance=matrix("a file.csv"))',
    "alpha(distance=circular(period=24))",
    'kappa(distance=melamed_resnik("tree.csv",mass=levels))',
    "kappa(distance=geertzen_bunt(tree,step=0.5))",
    'alpha(distance=jaccard(separator=";"))',
    "ac(weights=matrix(labels=[a,b],rows=[[1,0.5],[0.5,1]]))",
]


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_parses_back_to_an_equal_measure(spec: str) -> None:
    measure = accord.measure(spec)
    assert accord.measure(str(measure)) == measure
    assert hash(accord.measure(str(measure))) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301


@EVERY
def test_aliases_mean_the_same(cls: type[ItemMeasure]) -> None:
    for alias in cls.aliases:
        assert accord.measure(alias) == cls()


@EVERY
def test_perfect_agreement_is_one(cls: type[ItemMeasure]) -> None:
    score = accord.score([["a"] * 3, ["b"] * 3, ["c"] * 3, ["a"] * 3], cls())
    assert score.value == pytest.approx(1.0)
    assert score.se == pytest.approx(0.0, abs=1e-12)


@EVERY
def test_order_and_names_do_not_matter(cls: type[ItemMeasure]) -> None:
    plain = accord.score(ROWS, cls())
    turned = accord.score([list(reversed(row)) for row in reversed(ROWS)], cls())
    renamed = accord.score([[None if x is None else f"label {9 - x}" for x in row] for row in ROWS], cls())
    for other in (turned, renamed):
        assert (other.value, other.se) == pytest.approx((plain.value, plain.se), abs=1e-12)


@EVERY
def test_independent_labels_give_about_zero(cls: type[ItemMeasure]) -> None:
    if cls.name == "percent":
        return
    rows = np.random.default_rng(1).integers(0, 4, (20_000, 3))
    assert accord.score(rows, cls()).value == pytest.approx(0.0, abs=0.02)


@EVERY
def test_a_score_is_told_completely(cls: type[ItemMeasure]) -> None:
    score = accord.score(ROWS, cls())
    assert score.measure == cls.name
    assert score.interval is not None
    assert score.interval.low <= score.value <= score.interval.high
    assert (score.interval.level, score.interval.method) == (0.95, "linearised")
    assert score.kind == "agreement"
    assert score.undefined is None
    assert set(score.parts) == {"category", "annotator", "pair", "item"}
    assert accord.__version__ in score.signature
    pairs = {name: part.value for name, part in score.parts["pair"].items()}
    again = pickle.loads(pickle.dumps(score))  # noqa: S301
    assert again == score
    assert {name: part.value for name, part in again.parts["pair"].items()} == pairs


@EVERY
def test_the_seed_decides_and_nothing_else(cls: type[ItemMeasure]) -> None:
    first = accord.score(ROWS, cls(), interval="bootstrap", replicates=100, seed=3)
    assert accord.score(ROWS, cls(), interval="bootstrap", replicates=100, seed=3) == first
    assert accord.score(ROWS, cls(), interval="bootstrap", replicates=100, seed=4).interval != first.interval


@EVERY
def test_the_page_explains_it(cls: type[ItemMeasure]) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "measures" / f"{cls.name}.md"
    assert page.is_file()
    assert len(page.read_text(encoding="utf-8")) > 1000


@EVERY
def test_undefined_has_a_reason(cls: type[ItemMeasure]) -> None:
    if cls.name == "percent":
        assert accord.score([["a", "a"], ["a", "a"]], cls()).value == 1.0
        return
    for rows in ([["a", "a"], ["a", "a"]], [["a", "b"]]):
        score = accord.score(rows, cls())
        assert np.isnan(score.value)
        assert score.undefined
        assert score.interval is None
