"""p of no agreement by permutation: values, level, power, and default."""

from __future__ import annotations

import itertools
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.core.context import Run
from accord.data.model.measurement import Measurement
from accord.measures.catalogue import measure
from accord.measures.items.permutation import DealtPlaces

from ..command_line import Cli
from ..refusals import raises
from .studies import ratings, units

SIMULATIONS = int(os.environ.get("ACCORD_SIMULATIONS", "200"))  # 2,000 in `make papers`
SPECS = (
    "alpha",
    "alpha(distance=ordinal)",
    "alpha(distance=ratio)",
    "pi",
    "pi(weights=linear)",
    "kappa",
    "kappa(weights=quadratic)",
    "ac",
    "ac(weights=ordinal)",
    "s",
    "s(weights=linear)",
)
NOMINAL = Measurement("nominal", "stated", "stated")
TABLES = st.integers(2, 4).flatmap(
    lambda r: st.lists(st.lists(st.sampled_from([1, 2, 3, None]), min_size=r, max_size=r), min_size=3, max_size=9)
)


def by_hand(data: accord.Ratings, dealt: np.ndarray) -> accord.Ratings:
    """The data with other labels on the compared items."""
    label = data.label.copy()
    label[DealtPlaces.of(data).entry] = dealt
    return replace(data, label=label)


@settings(max_examples=60, deadline=None)
@given(TABLES, st.sampled_from(SPECS))
def test_permuted_values_equal_scores_of_permuted_labels(rows: list[list[int | None]], spec: str) -> None:
    data = accord.Ratings.from_rows(rows, categories=[1, 2, 3]).with_level(NOMINAL)
    try:
        score = accord.score(data, spec, interval="none")
    except accord.DataError:
        return
    if score.undefined:
        return
    one, many = measure(spec), 7
    deals = [row for part in DealtPlaces.of(data).deals(many, Run(3)) for row in part]
    found = one.dealt(one.observe(data, Run(3)), many, Run(3))
    wanted = [accord.score(by_hand(data, deal), spec, interval="none").value for deal in deals]
    assert found == pytest.approx(wanted, abs=1e-9)
    assert found[0] == pytest.approx(score.value, abs=1e-12)
    for deal in deals:  # each annotator keeps the same labels
        again = by_hand(data, deal)
        for who in range(len(data.annotators)):
            own = np.sort(data.label[data.annotator == who]), np.sort(again.label[again.annotator == who])
            assert own[0].tolist() == own[1].tolist()


def test_p_equals_exact_p_over_all_orders() -> None:
    """Two annotators, five items: there are 120 orders of the second annotator's labels."""
    first, second = [1, 1, 2, 3, 3], [1, 1, 2, 2, 3]
    data = accord.Ratings.from_rows(list(zip(first, second, strict=True)))
    score = accord.alpha(data, distance="ordinal", null="permutation", replicates=20_000)
    values = [
        accord.alpha(list(zip(first, order, strict=True)), distance="ordinal", interval="none").value
        for order in itertools.permutations(second)
    ]
    exact = np.mean(np.array(values) >= score.value - 1e-9)
    test = score.details["test"]
    assert test["one_sided"] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))
    assert test["mean"] == pytest.approx(np.mean(values), abs=0.02)
    assert score.p == pytest.approx(2 * test["one_sided"])


def test_confusion_matrix_has_the_same_test_as_its_items() -> None:
    table = [[8, 2], [3, 7]]
    rows = [[a, b] for a in (0, 1) for b in (0, 1) for _ in range(table[a][b])]
    of_table = accord.ac(accord.Ratings.from_confusion(table, [0, 1]))
    assert of_table.details["test"] == accord.ac(accord.Ratings.from_rows(rows)).details["test"]
    counts = accord.Ratings.from_counts([[3, 0], [0, 3], [2, 1], [0, 2], [3, 0], [0, 3]], [0, 1])
    assert accord.alpha(counts).details["test"]["permutations"] == 999


def test_permutation_test_is_the_default_for_these_measures() -> None:
    data = ratings(1)
    score = accord.ac(data)
    assert score.details["test"]["permutations"] == 999
    assert score.p == 0.002  # the smallest two-sided p of 999 permutations
    assert accord.ac(data) == score
    for method in ("linearised", "irrcac"):
        named = accord.ac(data, interval=method)
        assert named.p == accord.ac(data, interval=method, null=0.0).p
        assert "test" not in named.details
    large = accord.Ratings.from_rows(np.random.default_rng(0).integers(0, 3, (3_500, 3)))
    assert "test" not in accord.ac(large).details
    assert accord.ac(large, null="permutation", replicates=100).details["test"]["permutations"] == 100
    assert "test" not in accord.percent(data).details


def test_permutation_test_can_be_chosen_by_name() -> None:
    data = ratings(1)
    found = accord.pi(data, null="permutation", interval="irrcac", replicates=500)
    assert found.details["test"]["permutations"] == 500
    assert found.interval == accord.pi(data, interval="irrcac").interval
    assert "against 500 permutations" in found.signature
    assert accord.pi(data, null="permutation", interval="none").p is not None
    for nothing in (accord.percent(data, null="permutation"), accord.ser(units(1), null="permutation")):
        assert nothing.p is None
        assert any("permutations need a chance-corrected coefficient on items" in note for note in nothing.notes())
    with raises("option-value"):
        accord.pi(data, null="permute")


def test_permutation_test_of_1000_items_takes_under_a_second() -> None:
    rows = np.random.default_rng(0).integers(0, 5, (1_000, 3))
    data = accord.Ratings.from_rows(rows)
    started = time.process_time()
    found = accord.score(data, ["s", "kappa", "alpha", "ac"])
    assert time.process_time() - started < 1.0  # a fifth of it on an idle machine
    assert {score.details["test"]["permutations"] for score in found} == {999}


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["alpha(distance=ordinal)", "ac", "s", "kappa"])
@pytest.mark.parametrize("gaps", [False, True])
def test_permutation_test_keeps_its_level_with_skewed_shares(spec: str, gaps: bool) -> None:
    """Random labels, 80% of one category: the error of the interval would nearly always reject for s and ac."""
    rejected, known = 0, 0
    for seed in range(SIMULATIONS):
        rng = np.random.default_rng([seed, gaps])
        rows = rng.choice(3, size=(25, 3), p=(0.8, 0.15, 0.05)).astype(float)
        if gaps:
            rows[rng.random(rows.shape) < 0.2] = np.nan
        data = accord.Ratings.from_rows(rows, categories=[0, 1, 2])
        p = accord.score(data, spec, null="permutation", interval="none", replicates=100, seed=seed).p
        if p is not None:
            known, rejected = known + 1, rejected + (p <= 0.05)
    assert known > 0.9 * SIMULATIONS
    assert rejected / known <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / known)


def test_permutation_test_finds_agreement_as_often_as_the_formula() -> None:
    """Annotators agree on a third of 20 items; both tests find this equally often."""
    seen = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows = rng.choice(2, size=(20, 3), p=(0.7, 0.3))
        alike = rng.random(20) < 1 / 3
        rows[alike] = rows[alike, :1]
        data = accord.Ratings.from_rows(rows, categories=[0, 1])
        seen.append([accord.pi(data).p, accord.pi(data, null="permutation", interval="none", replicates=200).p])
    share = (np.array(seen, dtype=float) <= 0.05).mean(axis=0)
    assert share[1] >= share[0] - 0.12
    assert share[1] > 0.4


def test_command_line_prints_permutation_p(cli: Cli, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    rows = ["x,x,x" if k % 3 else "x,y,y" if k % 2 else "y,y,y" for k in range(40)]
    table.write_text("\n".join(["A,B,C", *rows, ""]), encoding="utf-8")
    shown = cli("score", table, "-m", "alpha", "-m", "kappa", "-m", "ac", "--notes").out
    assert "alpha, kappa: p = 0.002 for no agreement (999 permutations)" in shown
    assert "ac: p = 0.002 for no agreement (999 permutations, where the value is " in shown
    kept = tmp_path / "run.toml"
    options = ("--null", "permutation", "--replicates", "300", "--save", kept)
    asked = cli("score", table, "-m", "alpha", *options, "--notes").out
    assert "(300 permutations" in asked
    assert cli("score", "--run", kept, "--notes").out == asked
    details = json.loads(cli("score", table, "-m", "alpha", "--json").out)["scores"][0]["details"]
    assert details["test"]["permutations"] == 999
    assert "null must be a number or permutation" in cli("score", table, "--null", "x").err
