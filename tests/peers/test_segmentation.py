"""Compare segmentations with nltk, and with segeval if it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from accord.core.context import Run
from accord.core.result import Score
from accord.data.model.segmentations import Segmentations
from accord.measures.measure import Measure
from accord.measures.segmentations.boundary_similarity import (
    BoundarySimilarity,
    KappaStar,
    PiStar,
    SegmentationSimilarity,
)
from accord.measures.segmentations.edit_distances import BoundaryEditDistance, GeneralisedHamming
from accord.measures.segmentations.windows import Pk, WindowDiff


def score(data: Segmentations, measure: Measure) -> Score:
    evidence = measure.observe(data, Run())
    found = measure.estimate(evidence)
    return replace(found, details=measure.explain(evidence, found))


def random_strings(number: int, seed: int = 7) -> Iterator[tuple[str, str]]:
    rng = np.random.default_rng(seed)
    for _ in range(number):
        places = int(rng.integers(4, 40))
        share = rng.random(2) * 0.6 + 0.05
        yield tuple("".join(map(str, (rng.random(places) < p).astype(int))) for p in share)  # type: ignore[misc]


def two(ref: str, hyp: str) -> Segmentations:
    return Segmentations.from_strings({"ref": ref, "hyp": hyp})


def test_pk_and_window_diff_equal_nltk() -> None:
    nltk = pytest.importorskip("nltk.metrics.segmentation")
    for ref, hyp in random_strings(200):
        data = two(ref, hyp)
        for k in {1, 2, 3, len(ref) // 2}:
            assert score(data, Pk(reference="ref", k=k)).value == pytest.approx(nltk.pk(ref, hyp, k))
            assert score(data, WindowDiff(reference="ref", k=k)).value == pytest.approx(nltk.windowdiff(ref, hyp, k))
            weighted = WindowDiff(reference="ref", k=k, weighted=True)
            assert score(data, weighted).value == pytest.approx(nltk.windowdiff(ref, hyp, k, weighted=True))
        if "1" in ref and len(ref) > 2 * ref.count("1") >= 2:
            assert score(data, Pk(reference="ref", window="nltk")).value == pytest.approx(nltk.pk(ref, hyp))


def test_ghd_equals_nltk() -> None:
    nltk = pytest.importorskip("nltk.metrics.segmentation")
    for ref, hyp in random_strings(100):
        for costs in ((2.0, 2.0, 1.0), (1.0, 3.0, 0.5)):
            wanted = nltk.ghd(ref, hyp, *costs)
            assert score(two(ref, hyp), GeneralisedHamming("ref", False, *costs)).value == pytest.approx(wanted)


def as_masses(text: str) -> tuple[int, ...]:
    return tuple(len(part) + 1 for part in text.split("1"))


def test_pk_and_window_diff_equal_segeval() -> None:
    segeval = pytest.importorskip("segeval")
    for ref, hyp in random_strings(60):
        one, other = as_masses(hyp), as_masses(ref)
        data = two(ref, hyp)
        assert score(data, Pk(reference="ref", window="segeval")).value == pytest.approx(float(segeval.pk(one, other)))
        for fix in (False, True):
            wanted = float(segeval.window_diff(one, other, lamprier_et_al_2007_fix=fix))
            measure = WindowDiff(reference="ref", window="segeval", lamprier="segeval" if fix else False)
            assert score(data, measure).value == pytest.approx(wanted)


def test_similarities_equal_segeval() -> None:
    segeval = pytest.importorskip("segeval")
    for ref, hyp in random_strings(100):
        if "1" not in ref + hyp:
            continue
        one, other = as_masses(ref), as_masses(hyp)
        for n_t in (1, 2, 3, 6):
            for cls, peer in (
                (BoundarySimilarity, segeval.boundary_similarity),
                (SegmentationSimilarity, segeval.segmentation_similarity),
            ):
                wanted = float(peer(one, other, n_t=n_t))
                assert score(two(ref, hyp), cls(n_t=n_t, matching="greedy")).value == pytest.approx(wanted)


def test_edits_with_types_equal_segeval() -> None:
    segeval = pytest.importorskip("segeval")
    rng = np.random.default_rng(1)
    for _ in range(300):
        places = int(rng.integers(3, 12))
        sides: list[list[set[int]]] = [
            [{t for t in (1, 2, 3) if rng.random() < 0.25} for _ in range(places)] for _ in range(2)
        ]
        given: dict[str, Any] = {n: {p + 1: t for p, t in enumerate(s)} for n, s in zip("AB", sides, strict=True)}
        data = Segmentations.from_boundaries(given, length=places + 1, types=[1, 2, 3])
        for n_t in (1, 2, 4):
            additions, substitutions, transpositions = segeval.boundary_edit_distance(
                *(tuple(map(frozenset, side)) for side in sides), n_t=n_t
            )
            measure = BoundaryEditDistance(n_t=n_t, matching="greedy")
            evidence = measure.observe(data, Run())
            assert evidence["additions"][0] == len(additions)
            assert evidence["substitutions"][0] == len(substitutions)
            assert evidence["transpositions"][0] == len(transpositions)
            moved = sum(abs(t.start - t.end) for t in transpositions) / n_t
            changed = sum(abs(s.type_a - s.type_b) for s in substitutions) / 3
            assert evidence["cost"][0] == pytest.approx(len(additions) + moved + changed)


def test_agreement_equals_segeval() -> None:
    segeval = pytest.importorskip("segeval")
    rng = np.random.default_rng(2)
    for _ in range(20):
        lengths = rng.integers(3, 25, 3)
        given = {
            f"d{d}": {a: as_masses("1" + "".join(map(str, (rng.random(n) < 0.3).astype(int)))) for a in ("A", "B", "C")}
            for d, n in enumerate(lengths)
        }
        dataset, data = segeval.Dataset(given), Segmentations.from_masses(given)
        on = BoundarySimilarity(matching="greedy")
        pi = score(data, PiStar(on=on, rates="mean"))
        assert pi.value == pytest.approx(float(segeval.fleiss_pi_linear(dataset)))
        assert score(data, KappaStar(on=on)).value == pytest.approx(float(segeval.fleiss_kappa_linear(dataset)))
        assert pi.details["bias"] == pytest.approx(float(segeval.artstein_poesio_bias_linear(dataset)))
        assert pi.observed == pytest.approx(float(segeval.actual_agreement_linear(dataset)))
