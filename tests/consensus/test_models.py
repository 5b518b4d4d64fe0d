"""Models that weigh annotators: against naive code, and with known truth."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import digamma

import accord
from accord.answers.gold.models import Labelled, accuracies, bias_and_noise, dawid_skene, mace, votes
from accord.core.context import Run

from ..hypothesis_profiles import examples

STUDIES = min(int(os.environ.get("ACCORD_SIMULATIONS", "6")), 100)  # 100 in `make papers`


def simulated(items: int, people: int, labels: int, each: int, seed: int) -> tuple[np.ndarray, np.ndarray, Labelled]:
    rng = np.random.default_rng(seed)
    truth, right = rng.integers(0, labels, items), rng.uniform(0.3, 0.95, people)
    key = np.unique(np.repeat(np.arange(items), each) * people + rng.integers(0, people, items * each))
    item, who = key // people, key % people
    good = rng.random(len(item)) < right[who]
    label = np.where(good, truth[item], (truth[item] + rng.integers(1, labels, len(item))) % labels)
    return truth, right, Labelled(item, who, label, items, people, labels)


def naive(rows: list[tuple[int, int, int]], items: int, people: int, labels: int, steps: int) -> list[list[float]]:
    """Dawid & Skene with plain loops."""
    belief = []
    for i in range(items):
        mine = [lab for item, _, lab in rows if item == i]
        belief.append([mine.count(k) / len(mine) if mine else 1 / labels for k in range(labels)])
    for _ in range(steps):
        prior = [sum(b[k] for b in belief) / items for k in range(labels)]
        table = [[[0.0] * labels for _ in range(labels)] for _ in range(people)]
        for i, a, lab in rows:
            for k in range(labels):
                table[a][k][lab] += belief[i][k]
        for one in table:
            for k in range(labels):
                total = sum(one[k])
                one[k] = [x / total if total > 0 else 1 / labels for x in one[k]]
        made = []
        for i in range(items):
            logs = [math.log(max(prior[k], 1e-10)) for k in range(labels)]
            for item, a, lab in rows:
                if item == i:
                    for k in range(labels):
                        logs[k] += math.log(max(table[a][k][lab], 1e-10))
            most = max(logs)
            scaled = [math.exp(x - most) for x in logs]
            made.append([x / sum(scaled) for x in scaled])
        belief = made
    return belief


@examples(30)
@given(st.data())
def test_dawid_skene_equals_naive_em(data: st.DataObject) -> None:
    items, people, labels = (data.draw(st.integers(low, high)) for low, high in ((1, 5), (1, 4), (2, 3)))
    pairs = st.tuples(st.integers(0, items - 1), st.integers(0, people - 1), st.integers(0, labels - 1))
    rows = sorted(data.draw(st.lists(pairs, min_size=1, max_size=12, unique_by=lambda r: r[:2])))
    item, who, label = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    found = dawid_skene(Labelled(item, who, label, items, people, labels))
    assert found.posterior == pytest.approx(np.array(naive(rows, items, people, labels, found.steps)), abs=1e-9)


def test_many_labels_of_an_item_do_not_underflow() -> None:
    """Products of a thousand probabilities are below the smallest float."""
    _, _, data = simulated(4, 1000, 3, 3000, 2)
    rows = list(zip(*(c.tolist() for c in (data.item, data.annotator, data.label)), strict=True))
    found = dawid_skene(data)
    assert found.posterior == pytest.approx(np.array(naive(rows, 4, 1000, 3, found.steps)), abs=1e-9)
    assert mace(data).posterior.sum(axis=1) == pytest.approx(np.ones(4))


def naive_mace(data: Labelled, steps: int, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """One start of MACE with tables of every label under every truth."""
    k, people = data.labels, data.annotators
    knows = 0.5 + 0.5 * rng.random(people)
    habits = rng.random((people, k)) + 0.5
    habits /= habits.sum(axis=1, keepdims=True)
    for _ in range(steps):
        belief, sums, habit = np.full((data.items, k), -math.log(k)), np.zeros((people, 2)), np.zeros((people, k))
        entries = list(zip(data.item.tolist(), data.annotator.tolist(), data.label.tolist(), strict=True))
        for i, a, lab in entries:
            for true in range(k):
                belief[i, true] += math.log((1 - knows[a]) * habits[a, lab] + knows[a] * (lab == true))
        likelihood = float(np.logaddexp.reduce(belief, axis=1).sum())
        posterior = np.exp(belief - np.logaddexp.reduce(belief, axis=1)[:, None])
        for i, a, lab in entries:
            knew = posterior[i, lab] * knows[a] / ((1 - knows[a]) * habits[a, lab] + knows[a])
            sums[a] += 1 - knew, knew
            habit[a, lab] += 1 - knew
        weights = np.exp(digamma(sums + 0.5) - digamma((sums + 0.5).sum(axis=1, keepdims=True)))
        knows = weights[:, 1] / weights.sum(axis=1)
        strategy = np.exp(digamma(habit + 10) - digamma((habit + 10).sum(axis=1, keepdims=True)))
        habits = strategy / strategy.sum(axis=1, keepdims=True)
    return posterior, likelihood


def test_mace_equals_naive_variational_bayes() -> None:
    _, _, data = simulated(12, 5, 3, 4, 7)
    rng = Run(3).rng(71)
    starts = [naive_mace(data, 50, rng) for _ in range(10)]
    best = max(starts, key=lambda one: one[1])
    assert mace(data, Run(3)).posterior == pytest.approx(best[0], abs=1e-9)


def test_models_recover_truth_and_accuracies() -> None:
    truth, right, data = simulated(800, 20, 4, 5, 1)
    plain = (votes(data).argmax(axis=1) == truth).mean()
    for model in (dawid_skene, mace):
        found = model(data)
        assert (found.posterior.argmax(axis=1) == truth).mean() > plain
        assert np.corrcoef(found.accuracy, right)[0, 1] > 0.9
        assert found.posterior.sum(axis=1) == pytest.approx(np.ones(800))


@pytest.mark.slow
def test_dawid_skene_recovers_accuracies_within_their_intervals() -> None:
    """Accuracies of 8 annotators in each study; coverage is 95% ± 3 errors, with studies as the sampling unit."""
    inside = []
    for seed in range(STUDIES):
        _, right, data = simulated(300, 8, 3, 5, seed)
        draws = accuracies(data, dawid_skene(data), Run(seed), replicates=40 if STUDIES < 50 else 100)
        low, high = np.quantile(draws, [0.025, 0.975], axis=0)
        inside.append(float(((low <= right) & (right <= high)).mean()))
    error = max(float(np.std(inside, ddof=1)), 0.1) / np.sqrt(STUDIES)
    assert abs(float(np.mean(inside)) - 0.95) < 3 * error + 0.01


def test_mace_finds_annotators_who_guess() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 300)
    rows = [[t if rng.random() < 0.9 else rng.integers(0, 3) for t in truth] for _ in range(4)]
    rows.append(rng.choice(3, 300, p=[0.8, 0.1, 0.1]).tolist())
    label = np.array(rows).T.ravel()
    data = Labelled(np.repeat(np.arange(300), 5), np.tile(np.arange(5), 300), label, 300, 5, 3)
    knows = mace(data).accuracy
    assert knows[4] < 0.15
    assert knows[:4].min() > 0.6


def test_bias_and_noise_are_recovered() -> None:
    rng = np.random.default_rng(5)
    truth, bias, noise = rng.normal(10, 3, 400), np.array([-1.0, 0.0, 1.0]), np.array([0.5, 1.0, 2.0])
    item, who = np.repeat(np.arange(400), 3), np.tile(np.arange(3), 400)
    number = truth[item] + bias[who] + rng.normal(0, noise[who])
    found = bias_and_noise(item, who, number, 400, 3)
    assert found.bias == pytest.approx(bias, abs=0.15)
    assert found.noise == pytest.approx(noise, abs=0.15)
    error = np.abs(found.value - truth).mean()
    assert error < np.abs(number.reshape(400, 3).mean(axis=1) - truth).mean()
    covered = np.abs(found.value - truth) < 1.96 * found.sd
    assert 0.92 < covered.mean() < 0.98


def test_model_resolves_ties_of_a_vote() -> None:
    """Ana and Ben agree with each other, Cy does not: Cy has less weight in a tie."""
    rows = [[x, x, (x + (k % 3 != 0)) % 2] for k, x in enumerate([0, 1] * 20)]
    data = {"item": [f"i{k}" for k in range(40) for _ in range(3)], "annotator": ["Ana", "Ben", "Cy"] * 40,
            "label": ["xy"[v] for row in rows for v in row]}  # fmt: skip
    data = {
        name: [*column, *more]
        for (name, column), more in zip(data.items(), (["q", "q"], ["Ana", "Cy"], ["x", "y"]), strict=True)
    }
    assert next(one for one in accord.gold(data).rows if one.name == "q").label == ""
    weighed = next(one for one in accord.gold(data, method="dawid_skene").rows if one.name == "q")
    assert (weighed.label, weighed.tie) == ("x", "")


def test_distributions_of_models_sum_to_one() -> None:
    """Labels with tiny probabilities are left out; the others are rescaled."""
    rng = np.random.default_rng(2)
    labels = [str(x) for x in rng.integers(0, 12, 60)]
    wrong = [str(x) for x in rng.integers(0, 12, 60)]
    data = {"item": [f"i{k}" for k in range(60)] * 4, "annotator": [a for a in "abcd" for _ in range(60)],
            "label": labels * 3 + wrong}  # fmt: skip
    for method in ("dawid_skene", "mace"):
        soft = accord.gold(data, method=method).soft()
        assert max(abs(sum(row["distribution"].values()) - 1) for row in soft) < 1e-12
        assert min(len(row["distribution"]) for row in soft) < 12
