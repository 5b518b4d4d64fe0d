"""Measures on segmentations equal naive versions; parts, references, weights and refusals."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.core.context import Run
from accord.core.errors import AccordError, DataError, SpecError, UnknownName
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
from accord.measures.segmentations.potential_boundaries import AlphaBoundaries, KappaBoundaries, PiBoundaries, places
from accord.measures.segmentations.windows import Pk, WindowDiff

from ...hypothesis_profiles import examples
from ...refusals import raises

ALL: tuple[type[Measure], ...] = (
    Pk,
    WindowDiff,
    GeneralisedHamming,
    BoundaryEditDistance,
    BoundarySimilarity,
    SegmentationSimilarity,
    PiStar,
    KappaStar,
    AlphaBoundaries,
    PiBoundaries,
    KappaBoundaries,
)
ON_PAIRS = ALL[:8]
Texts = dict[str, dict[str, list[int]]]  # document → annotator → masses


def score(data: Segmentations, measure: Measure) -> Score:
    evidence = measure.observe(data, Run())
    found = measure.estimate(evidence)
    return replace(found, details=measure.explain(evidence, found))


@st.composite
def texts(draw: st.DrawFn, docs: int = 2, annotators: int = 3) -> Texts:
    made: Texts = {}
    for d in range(draw(st.integers(1, docs))):
        places_ = draw(st.integers(1, 24))
        made[f"d{d}"] = {}
        for a in range(draw(st.integers(2, annotators))):
            cut = draw(st.lists(st.booleans(), min_size=places_, max_size=places_))
            ends = [k + 1 for k, there in enumerate(cut) if there] + [places_ + 1]
            made[f"d{d}"]["ABC"[a]] = np.diff([0, *ends]).tolist()
    return made


def cuts(masses: list[int]) -> set[int]:
    return set(np.cumsum(masses)[:-1].tolist())


def half_mean(masses: list[int]) -> int:
    return max(1, math.floor(sum(masses) / (2 * len(masses)) + 0.5))


def naive_windows(ref: list[int], hyp: list[int], k: int, beyond: bool) -> list[tuple[int, int]]:
    """Numbers of boundaries of both segmentations in every window, atom by atom."""
    n = sum(ref)
    first, last = (1 - k, n) if beyond else (1, n - k)
    return [
        tuple(sum(i <= p < i + k for p in cuts(one)) for one in (ref, hyp))  # type: ignore[misc]
        for i in range(first, last + 1)
    ]


def naive_pk(ref: list[int], hyp: list[int], k: int) -> float:
    found = naive_windows(ref, hyp, k, False)
    return sum((a > 0) != (b > 0) for a, b in found) / len(found)


def naive_wd(ref: list[int], hyp: list[int], k: int, beyond: bool = False, weighted: bool = False) -> float:
    found = naive_windows(ref, hyp, k, beyond)
    return sum(abs(a - b) if weighted else a != b for a, b in found) / len(found)


def naive_ghd(ref: list[int], hyp: list[int], insertion: float, deletion: float, shift: float) -> float:
    a, b = sorted(cuts(hyp)), sorted(cuts(ref))
    table = np.zeros((len(a) + 1, len(b) + 1))
    table[:, 0], table[0] = np.arange(len(a) + 1) * deletion, np.arange(len(b) + 1) * insertion
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            here = table[i, j] + shift * abs(x - y)
            table[i + 1, j + 1] = min(table[i, j + 1] + deletion, table[i + 1, j] + insertion, here)
    return float(table[-1, -1])


def naive_edits(a: set[int], b: set[int]) -> tuple[int, int, int]:
    """(additions, transpositions, matches) for n_t = 2: neighbours are paired along each run."""
    rest = sorted((p, p in a) for p in a ^ b)
    pairs, at = 0, 0
    while at + 1 < len(rest):
        if rest[at + 1][0] == rest[at][0] + 1 and rest[at + 1][1] != rest[at][1]:
            pairs, at = pairs + 1, at + 1
        at += 1
    return len(rest) - 2 * pairs, pairs, len(a & b)


def ordered(data: Texts) -> list[tuple[list[int], list[int]]]:
    return [(who[a], who[b]) for who in data.values() for a, b in permutations(who, 2)]


@examples(40)
@given(texts(), st.booleans(), st.booleans())
def test_pk_and_window_diff_equal_naive(data: Texts, weighted: bool, beyond: bool) -> None:
    made = Segmentations.from_masses(data)
    every = ordered(data)
    wanted = np.mean([naive_pk(a, b, half_mean(a)) for a, b in every])
    assert score(made, Pk()).value == pytest.approx(wanted, abs=1e-12)
    wanted = np.mean([naive_wd(a, b, half_mean(a), beyond, weighted) for a, b in every])
    assert score(made, WindowDiff(weighted=weighted, lamprier=beyond)).value == pytest.approx(wanted, abs=1e-12)
    k = min(sum(a) for a, _ in every) - 1
    pooled = [(naive_wd(a, b, k) * (sum(a) - k), sum(a) - k) for a, b in every]
    wanted = sum(x for x, _ in pooled) / sum(y for _, y in pooled)
    assert score(made, WindowDiff(k=k, pooled=True)).value == pytest.approx(wanted, abs=1e-12)


COSTS = st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0, 3.5])


@examples(40)
@given(texts(), COSTS, COSTS, COSTS)
def test_hamming_equals_naive(data: Texts, insertion: float, deletion: float, shift: float) -> None:
    found = score(Segmentations.from_masses(data), GeneralisedHamming(None, False, insertion, deletion, shift))
    wanted = np.mean([naive_ghd(a, b, insertion, deletion, shift) for a, b in ordered(data)])
    assert found.value == pytest.approx(wanted, abs=1e-9)


@examples(40)
@given(texts(), st.sampled_from([0.25, 0.5, 1.0, 3.0]), st.sampled_from(["edits", "segments"]), st.booleans())
def test_normalised_hamming_with_limit_equals_naive(data: Texts, limit: float, by: str, pooled: bool) -> None:
    costs, bounds = [], []
    for ref, hyp in ordered(data):
        half = limit * (sum(ref) + sum(hyp)) / (len(ref) + len(hyp)) / 2  # masses are segments
        costs.append(naive_ghd(ref, hyp, half, half, 1.0))
        bounds.append(half * (len(ref) + len(hyp) - (2 if by == "edits" else 0)))
    found = score(Segmentations.from_masses(data), GeneralisedHamming(None, pooled, normalised=by, limit=limit))
    each = [c / b if b else 0.0 for c, b in zip(costs, bounds, strict=True)]
    wanted = (sum(costs) / sum(bounds) if sum(bounds) else 0.0) if pooled else np.mean(each)
    assert found.value == pytest.approx(wanted, abs=1e-9)
    assert 0 <= found.value <= 1 + 1e-12
    assert score(Segmentations.from_masses(data), GeneralisedHamming(limit=limit)).value == pytest.approx(
        np.mean(costs), abs=1e-9
    )


def test_equal_segmentations_have_distance_0_for_all_costs() -> None:
    made = Segmentations.from_masses({"A": [1, 1, 1, 2, 5, 2, 3], "B": [1, 1, 1, 2, 5, 2, 3]})
    for measure in (GeneralisedHamming(limit=0.5), GeneralisedHamming(None, False, 0.1, 0.3, 0.7)):
        assert score(made, measure).value == 0


def test_shift_beyond_the_limit_costs_as_much_as_miss_and_false_alarm() -> None:
    """Segments of 18 atoms on average, so that half a segment is 9."""
    measure = GeneralisedHamming(limit=0.5)
    found = [
        score(Segmentations.from_masses({"A": [50, 50] + [10] * 8, "B": [50 + by, 50 - by] + [10] * 8}), measure).value
        for by in range(14)
    ]
    assert found == pytest.approx([min(by, 9) for by in range(14)])
    far = Segmentations.from_masses({"A": [50, 50], "B": [90, 10]})
    assert score(far, measure).value == pytest.approx(25)  # of 40: half of the mean segment of 50
    assert score(far, replace(measure, shift=0.1)).value == pytest.approx(2.5)


@examples(20)
@given(texts())
def test_normalised_true_means_edits(data: Texts) -> None:
    made = Segmentations.from_masses(data)
    found = [score(made, GeneralisedHamming(normalised=by)) for by in (True, "edits")]
    assert found[0].value == found[1].value
    assert found[0].details["normalised_by"] == "all boundaries deleted and inserted"


@examples(40)
@given(texts())
def test_similarities_and_chance_corrected_forms_equal_naive(data: Texts) -> None:
    made = Segmentations.from_masses(data)
    pairs = [(d, a, b) for d, who in data.items() for a, b in combinations(who, 2)]
    found = [naive_edits(cuts(data[d][a]), cuts(data[d][b])) for d, a, b in pairs]
    sizes = [sum(data[d][a]) - 1 for d, a, _ in pairs]
    costs = [x + t / 2 for x, t, _ in found]
    whole = [x + t + m for x, t, m in found]
    b = 1 - sum(costs) / sum(whole) if sum(whole) else 1.0
    s = 1 - sum(costs) / sum(sizes)
    assert score(made, BoundaryEditDistance()).value == pytest.approx(np.mean(costs))
    assert score(made, BoundarySimilarity()).value == pytest.approx(b)
    assert score(made, SegmentationSimilarity()).value == pytest.approx(s)
    each = [1 - c / w if w else 1.0 for c, w in zip(costs, whole, strict=True)]
    assert score(made, BoundarySimilarity(pooled=False)).value == pytest.approx(np.mean(each))
    put = [(len(data[d][a]) - 1) + (len(data[d][c]) - 1) for d, a, c in pairs]
    chance = (sum(put) / (2 * sum(sizes))) ** 2
    for similarity, value in ((None, b), (SegmentationSimilarity(), s)):
        got = score(made, PiStar(on=similarity))
        if sum(put) == 0 or chance == 1:
            assert math.isnan(got.value)
            assert got.undefined
        else:
            assert got.value == pytest.approx((value - chance) / (1 - chance), abs=1e-12)
            assert (got.observed, got.expected) == pytest.approx((value, chance))


def test_kappa_star_uses_the_share_of_each_annotator() -> None:
    data = {"d": {"A": [1, 1, 3], "B": [2, 3], "C": [5]}, "e": {"A": [4, 5], "B": [4, 5], "C": [3, 6]}}
    found = score(Segmentations.from_masses(data), KappaStar())
    share = {"A": 3 / 12, "B": 2 / 12, "C": 1 / 12}
    assert found.expected == pytest.approx(np.mean([share[a] * share[b] for a, b in combinations("ABC", 2)]))
    assert found.details["bias"] == pytest.approx((6 / 36) ** 2 - found.expected)


@examples(30)
@given(texts())
def test_potential_boundaries_score_like_items(data: Texts) -> None:
    made = Segmentations.from_masses(data)
    rows = [
        [("yes" if p in cuts(who[a]) else "no") if a in who else None for a in "ABC"]
        for who in data.values()
        for p in range(1, sum(who["A"]))
    ]
    ratings = accord.Ratings.from_rows(rows)
    for here, there in ((AlphaBoundaries(), "alpha"), (PiBoundaries(), "pi"), (KappaBoundaries(), "kappa")):
        found, wanted = score(made, here), accord.score(ratings, there, interval="none")
        assert found.value == pytest.approx(wanted.value, abs=1e-12, nan_ok=True)
        assert found.n == wanted.n
    assert places(made).ratings.n_items == len(rows)
    # Begin and end of each compared text: every annotator of the text has a boundary there.
    rows += [["yes" if a in who else None for a in "ABC"] for who in data.values() if sum(who["A"]) > 1] * 2
    with_ends = accord.Ratings.from_rows(rows)
    for here, there in ((AlphaBoundaries(ends=True), "alpha"), (PiBoundaries(ends=True), "pi")):
        found, wanted = score(made, here), accord.score(with_ends, there, interval="none")
        assert found.value == pytest.approx(wanted.value, abs=1e-12, nan_ok=True)
        assert found.n == wanted.n


def test_base_measure_of_a_star_may_have_options() -> None:
    """As a nested spec, and as a string in Python."""
    data = Segmentations.from_masses({"A": [2, 5, 4], "B": [4, 3, 4], "C": [3, 4, 4]})
    wanted = accord.score(data, "pi_star(on=boundary_similarity(n_t=3))")
    found = accord.pi_star(data, on="boundary_similarity(n_t=3)")
    assert (found.value, found.measure) == (wanted.value, wanted.measure)
    assert found.value != pytest.approx(accord.pi_star(data).value)
    assert accord.kappa_star(data, on="segmentation_similarity").value is not None
    with raises("unknown-name"):
        accord.pi_star(data, on="pk")


def test_boundary_types_are_labels_of_places() -> None:
    data = Segmentations.from_boundaries(
        {"A": {1: "x", 3: {"x", "y"}, 5: "y"}, "B": {1: "x", 3: {"x"}, 4: "y"}}, length=8
    )
    ratings = accord.Ratings.from_rows([["x", "x"], ["-", "-"], ["xy", "x"], ["-", "y"], ["y", "-"], *[["-", "-"]] * 2])
    assert score(data, AlphaBoundaries()).value == pytest.approx(accord.alpha(ratings).value)
    assert score(data, AlphaBoundaries(distance="jaccard")).value > score(data, AlphaBoundaries()).value
    assert score(data, Pk()).details["notes"]


# -- properties of all measures ----------------------------------------------------------------------------------

DATA = {
    "d": {"A": [2, 3, 3, 1, 3, 6, 3], "B": [2, 8, 2, 4, 2, 3], "C": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1]},
    "e": {"A": [4, 4], "B": [8], "C": [3, 5]},
    "f": {"A": [5, 2], "B": [5, 2], "C": [5, 2]},
}


@pytest.mark.parametrize("cls", ON_PAIRS)
def test_texts_without_boundaries_agree_or_are_undefined(cls: type[Measure]) -> None:
    found = score(Segmentations.from_masses({"A": [5], "B": [5]}), cls())
    if cls in {PiStar, KappaStar}:
        assert math.isnan(found.value)
        assert "no annotator marked a boundary" in str(found.undefined)
    else:
        assert found.value == (0.0 if found.kind == "error" else 1.0)


@pytest.mark.parametrize("cls", ON_PAIRS)
def test_parts_average_to_the_score(cls: type[Measure]) -> None:
    data = Segmentations.from_masses(DATA)
    found = score(data, cls(pooled=False) if cls in {BoundarySimilarity, SegmentationSimilarity} else cls())
    assert set(found.parts) == {"annotator", "pair", "document"}
    assert set(found.parts["document"]) == {"d", "e", "f"}
    assert set(found.parts["annotator"]) == {"A", "B", "C"}
    symmetric = cls not in {Pk, WindowDiff, GeneralisedHamming}
    assert len(found.parts["pair"]) == (3 if symmetric else 6)
    if cls not in {PiStar, KappaStar}:
        for by in ("document", "pair", "annotator"):
            assert np.mean([p.value for p in found.parts[by].values()]) == pytest.approx(found.value)
    assert found.n == 3
    assert found.details["comparisons"] == (9 if symmetric else 18)
    assert all(part.kind == found.kind for part in found.parts["pair"].values())


@pytest.mark.parametrize("cls", ON_PAIRS)
def test_value_against_reference_is_mean_over_other_annotators(cls: type[Any]) -> None:
    data = Segmentations.from_masses(DATA)
    found = score(data, cls(reference="B"))
    each = [score(data.only_annotators(["B", name]), cls(reference="B")).value for name in "AC"]
    assert found.value == pytest.approx(np.mean(each))
    assert set(found.parts["annotator"]) == {"A", "C"}
    assert found.details["reference"] == "B"
    assert found.details["compared_with"] == ["A", "C"]


@pytest.mark.parametrize("cls", ON_PAIRS)
def test_weighted_documents_equal_repeated_documents(cls: type[Measure]) -> None:
    measure = cls()
    evidence = measure.observe(Segmentations.from_masses(DATA), Run())
    twice = {**DATA, "d2": DATA["d"]}
    wanted = score(Segmentations.from_masses({k: v for k, v in twice.items() if k != "f"}), measure).value
    assert measure.estimate(evidence.weighted(np.array([2.0, 1.0, 0.0]))).value == pytest.approx(wanted)


def test_documents_that_cannot_contribute_are_counted() -> None:
    data = Segmentations.from_masses({**DATA, "g": {"A": [3, 4]}, "h": {"A": [1], "B": [1]}})
    for measure in (Pk(), BoundarySimilarity(), AlphaBoundaries()):
        found = score(data, measure)
        assert found.details["left_out"] == {"one_annotator": 1, "one_atom": 1}
        assert found.details["documents_compared"] == 3
        assert found.value == pytest.approx(score(Segmentations.from_masses(DATA), measure).value)


BAD: list[tuple[Any, type[AccordError], str]] = [
    (lambda: score(Segmentations.from_masses({"A": [2, 3]}), Pk()), DataError, 'only one annotator ("A")'),
    (
        lambda: score(Segmentations.from_masses({"d": {"A": [2]}, "e": {"B": [2]}}), Pk()),
        DataError,
        "no document with two or more atoms",
    ),
    (lambda: score(accord.read([["a", "b"]]), Pk()), DataError, "pk is for segmentations"),  # type: ignore[arg-type]
    (
        lambda: score(Segmentations.from_masses({"d": {"A": [2, 2], "B": [4]}}), Pk(k=4)),
        DataError,
        'document "d" has 4 atoms, but the window has k=4',
    ),
    (lambda: score(Segmentations.from_masses({"A": [2, 2], "B": [4]}), Pk(reference="C")), UnknownName, "annotator"),
    (lambda: score(Segmentations.from_masses({"A": [2], "B": [2]}), Pk(window="nltk")), DataError, "give k="),
    (
        lambda: score(Segmentations.from_masses({"d": {"A": [2], "B": [2]}, "e": {"C": [2]}}), Pk(reference="C")),
        DataError,
        'no other annotator segmented the documents of "C"',
    ),
    (lambda: Pk(k=0), SpecError, "k must be a whole number"),
    (lambda: Pk(window="large"), UnknownName, "window"),
    (lambda: WindowDiff(lamprier="yes"), SpecError, "lamprier"),
    (lambda: WindowDiff(lamprier=1), SpecError, "lamprier"),
    (lambda: GeneralisedHamming(shift=-1), SpecError, "shift must be a number from 0"),
    (lambda: GeneralisedHamming(pooled=True), SpecError, "normalised=true"),
    (lambda: GeneralisedHamming(normalised="segment"), UnknownName, 'did you mean "segments"'),
    (lambda: GeneralisedHamming(normalised=[1]), UnknownName, "known: edits, segments, true, false"),  # type: ignore[arg-type]
    (lambda: GeneralisedHamming(limit=0), SpecError, "such as 0.5"),
    (lambda: GeneralisedHamming(limit="half"), SpecError, "such as 0.5"),  # type: ignore[arg-type]
    (lambda: GeneralisedHamming(limit=0.5, insertion=1), SpecError, "remove limit"),
    (lambda: GeneralisedHamming(limit=0.5, shift=0), SpecError, "shift=0"),
    (lambda: BoundaryEditDistance(pooled=True), SpecError, "no denominator"),
    (lambda: BoundarySimilarity(n_t=0), SpecError, "n_t must be a whole number"),
    (lambda: BoundarySimilarity(weight="none"), UnknownName, "weight"),
    (lambda: BoundarySimilarity(weight="te", n_t=21), SpecError, "n_t must be at most 20"),
    (lambda: PiStar(on="pk"), UnknownName, "similarity"),
    (lambda: PiStar(on=Pk()), SpecError, "on must be boundary_similarity"),
    (lambda: PiStar(on=BoundarySimilarity(reference="A")), SpecError, "pi_star(reference=…)"),
    (lambda: KappaStar(rates="mean"), SpecError, "pi_star(rates=mean)"),
]


@pytest.mark.parametrize(("make", "kind", "message"), BAD, ids=[m for _, _, m in BAD])
def test_wrong_input_is_refused_with_its_name(make: Any, kind: type[AccordError], message: str) -> None:
    with pytest.raises(kind) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_long_texts_are_quick() -> None:
    rng = np.random.default_rng(0)
    n = 10**9
    data = Segmentations.from_boundaries({a: np.unique(rng.integers(1, n, 20_000)) for a in "AB"}, length=n)
    for cls in ALL:
        assert not math.isnan(score(data, cls()).value)
