"""Leaving out an annotator reuses the samples of all annotators, without bias and with the stated precision."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.influence import influence
from accord.core.arrays import Floats
from accord.core.context import Run
from accord.measures.alignment.units import Units
from accord.measures.chance import expected
from accord.measures.chance.drawing import Annotations, annotations_of, combinations_of
from accord.measures.chance.expected import FromPool, Mixed, draw_mixed_samples
from accord.measures.chance.sampling import Sampling, Sums
from accord.measures.units.gamma_without import Aligned, WithoutSeats

from ..cases import for_each

SEEDS = min(int(os.environ.get("ACCORD_SIMULATIONS", "40")), 400)  # 400 in `make papers`
UNEVEN = [("ABC", 3), ("AB", 4), ("BCD", 3), ("A", 2), ("CD", 4), ("ABCD", 2)]  # annotators, number of documents


def uneven(seed: int = 0) -> accord.Corpus:
    """A marks many short units, the others fewer and longer ones, so chance depends on the annotators."""
    rng = np.random.default_rng(seed)
    rows: dict[str, list[Any]] = {name: [] for name in ("doc", "annotator", "start", "end", "label")}
    number = 0
    for who, docs in UNEVEN:
        for _ in range(docs):
            number += 1
            for name in who:
                for _ in range(int(rng.integers(4, 9) if name == "A" else rng.integers(1, 4))):
                    start = int(rng.integers(0, 90))
                    length = int(rng.integers(1, 4) if name == "A" else rng.integers(5, 20))
                    values = (f"d{number}", name, start, start + length, "xyz"[rng.integers(3)])
                    for column, value in zip(rows.values(), values, strict=True):
                        column.append(value)
    found = accord.read(rows, extents=dict.fromkeys(rows["doc"], (0, 120)))
    assert isinstance(found, accord.Corpus)
    return found


def pool_of(corpus: accord.Corpus) -> tuple[Annotations, np.ndarray]:
    """The pool of annotations, and the annotator of each seat."""
    return annotations_of(corpus, np.arange(len(corpus.docs))), np.nonzero(corpus.judged)[1]


def artificial_sums(units: Units, counts: Floats) -> Sums:
    """A fast substitute for the disorder that depends on all units of a sample."""
    far = np.bincount(units.continuum, weights=np.sqrt(units.end - units.start) + units.label, minlength=len(counts))
    return Sums((far * (1 + 0.1 * np.sin(far)))[:, None], units.per_annotator[:, None])


def exact_ratio(pool: Annotations, n: int) -> float:
    return FromPool(pool, artificial_sums, 0).every(n, Run()).ratio


@pytest.mark.parametrize("gone", range(4))
@pytest.mark.parametrize("n", [2, 3])
def test_reused_samples_have_the_weights_of_the_remaining_annotators(gone: int, n: int) -> None:
    """All combinations with their probabilities, without sampling."""
    pool, who = pool_of(uneven())
    kept = who != gone
    everything, likely = combinations_of(pool, n)
    left, wanted = combinations_of(pool, n, kept)
    serving = kept[everything].all(axis=1)
    assert everything[serving].tolist() == left.tolist()
    weight = likely[serving] * WithoutSeats(Aligned(pool, artificial_sums, 0, {}), kept)._counts[left].prod(axis=1)
    assert weight / weight.sum() == pytest.approx(wanted, rel=1e-12)
    assert np.ptp(weight / likely[serving]) > 0.1  # the weights differ


@pytest.mark.slow
@pytest.mark.parametrize("gone", range(4))
def test_chance_without_an_annotator_is_unbiased_with_the_reported_error(
    gone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compare with all combinations of the remaining annotators. The spread over seeds equals the reported error."""
    corpus = uneven()
    pool, who = pool_of(corpus)
    rest = corpus.only_annotators([name for k, name in enumerate(corpus.annotators) if k != gone])
    true = {n: exact_ratio(annotations_of(rest, np.arange(len(rest.docs))), n) for n in (2, 3)}
    monkeypatch.setattr(expected, "MOST_SAMPLES", 0)  # sample instead of listing all combinations
    monkeypatch.setattr("accord.measures.units.gamma_without.MOST_SAMPLES", 0)
    monkeypatch.setattr("accord.measures.chance.sampling.MOST_SAMPLES", 10**6)
    n_of, own = np.array([2, 2, 3, 3, 3]), np.array([3.0, 2.0, 4.0, 1.0, 2.0])
    exact = float(own @ [true[n] for n in n_of.tolist()])
    off, errors = [], []
    for seed in range(SEEDS):
        run, sampling = Run(seed), Sampling("mix", 30, 0.05)
        whole: Mixed = draw_mixed_samples(FromPool(pool, artificial_sums, seed), n_of, own, sampling, run)
        aligned = Aligned(pool, artificial_sums, seed, dict(zip(whole.counts.tolist(), whole.found, strict=True)))
        found = draw_mixed_samples(WithoutSeats(aligned, who != gone), n_of, own, sampling, run)
        off.append(found.total / exact - 1)
        errors.append(found.error / exact)
        assert 1.96 * found.error / found.total < 0.053
    z = np.array(off) / np.array(errors)
    assert abs(z.mean()) < 4 / np.sqrt(SEEDS)
    assert abs(z.std(ddof=1) - 1.05) < 0.15 + 3 / np.sqrt(2 * SEEDS)


@for_each("seed", [1, 2])
def test_with_exact_chance_leaving_out_equals_a_new_score(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [
        (f"d{d}", who, start, start + int(rng.integers(2, 9)), "xy"[rng.integers(2)])
        for d in range(4)
        for who in "ABC"
        for start in (int(rng.integers(0, 10)), int(rng.integers(20, 40)))
    ]
    names = ("doc", "annotator", "start", "end", "label")
    data = accord.read(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    for left in influence(data, "gamma", of=["annotator"], replicates=100).annotators:
        rest = accord.score(data.only_annotators([a for a in data.annotators if a != left.name]), "gamma")
        assert rest.details["combinations"]
        assert left.without == pytest.approx(rest.value, abs=1e-12)


def test_leaving_out_a_category_equals_a_new_score() -> None:
    data = uneven(1)
    assert isinstance(data, accord.Corpus)
    found = {left.name: left.without for left in influence(data, "gamma", of=["category"], replicates=100).categories}
    for code, name in enumerate(data.categories.names):
        assert found[name] == pytest.approx(accord.score(data.without_category(code), "gamma").value, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["gamma", "gamma(distance=ordinal)"])
def test_leaving_out_an_annotator_equals_a_new_score_within_monte_carlo_error(spec: str) -> None:
    data = uneven(2)
    for left in influence(data, spec, replicates=100).annotators:
        rest = data.only_annotators([name for name in data.annotators if name != left.name])
        again = accord.score(rest, spec, interval="monte_carlo")
        assert left.without == pytest.approx(again.value, abs=5 * again.details["monte_carlo_error"]), left.name


def aligned_samples(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the number of random annotations in each following call."""
    seen: list[int] = []
    before = expected.lay_over

    def laid(pool: Annotations, picked: np.ndarray) -> Units:
        seen.append(len(picked))
        return before(pool, picked)

    monkeypatch.setattr(expected, "lay_over", laid)
    return seen


def test_twelve_annotators_share_their_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Separate runs would need as many samples as the whole for each annotator."""
    rng = np.random.default_rng(3)
    rows: dict[str, list[Any]] = {name: [] for name in ("doc", "annotator", "start", "end", "label")}
    for d in range(40):
        for who in rng.choice(12, 3, replace=False).tolist():
            for _ in range(3):
                start = int(rng.integers(0, 90))
                values = (f"d{d}", f"A{who}", start, start + int(rng.integers(3, 9)), "xy"[rng.integers(2)])
                for column, value in zip(rows.values(), values, strict=True):
                    column.append(value)
    data = accord.read(rows)
    spec = "gamma(precision=0.03)"
    seen = aligned_samples(monkeypatch)
    accord.score(data, spec, interval="none", jobs=1)
    whole = sum(seen)
    seen.clear()
    found = influence(data, spec, of=["annotator"], replicates=100, jobs=1)
    assert len(found.annotators) == 12
    assert whole > 100
    assert sum(seen) < 4 * whole  # the whole, and a few more samples


def test_leaving_out_others_or_more_workers_does_not_change_a_result() -> None:
    data = uneven(4)
    all_left = influence(data, "gamma", of=["annotator"], replicates=100, jobs=1).annotators
    for left in all_left:
        (alone,) = influence(data, "gamma", of=["annotator"], annotators=[left.name], replicates=100, jobs=2).annotators
        assert alone == left


def test_more_samples_are_drawn_if_units_are_rare() -> None:
    """All of 30 samples may be empty, but the expected disorder is not 0."""
    units = {"doc": [], "annotator": [], "start": [], "end": [], "label": []}
    for doc, who, start in (("d0", "A", 3), ("d0", "B", 4), ("d1", "B", 9), ("d2", "C", 5), ("d2", "A", 5)):
        for column, value in zip(units.values(), (doc, who, start, start + 5, "x"), strict=True):
            column.append(value)
    judged = {f"d{d}": ["A", "B", "C"] for d in range(150)}
    data = accord.read(units, judged=judged, extents={f"d{d}": (0, 40) for d in range(150)})
    for seed in range(4):
        score = accord.score(data, "gamma(chance=mix,precision=0.2)", interval="none", seed=seed)
        assert score.undefined is None
        assert score.expected > 0


def test_leaving_out_an_annotator_keeps_the_chance_model() -> None:
    """Two documents can be mixed for two annotators but not for three; influence still uses one model."""
    data = uneven(5).only_named({"d1", "d2"})
    assert data.n_annotators == 3
    assert accord.score(data, "gamma", interval="none").details["chance"] == "shift"
    for left in influence(data, "gamma", of=["annotator"], replicates=100).annotators:
        rest = data.only_annotators([name for name in data.annotators if name != left.name])
        assert accord.score(rest, "gamma", interval="none").details["chance"] == "mix"
        assert left.without == accord.score(rest, "gamma(chance=shift)", interval="none").value
