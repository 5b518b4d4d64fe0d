"""Golden cases of segmentation: segeval, nltk and their papers."""

from __future__ import annotations

import math
from collections.abc import Callable
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
from accord.measures.segmentations.edit_distances import BoundaryEditDistance, Edits, GeneralisedHamming, Prices, edits
from accord.measures.segmentations.potential_boundaries import AlphaBoundaries, KappaBoundaries, PiBoundaries
from accord.measures.segmentations.windows import Pk, WindowDiff, window_size

from ..refusals import raises

Golden = Callable[[str], Any]

FILES = ("agreement", "boundary_edit_distance", "boundary_similarity", "confusion_matrix", "edge_cases", "ghd", "pk",
         "segmentation_similarity", "weights", "windowdiff")  # fmt: skip

# Cases where accord differs on purpose, with the reason.
NOT_FOLLOWED = {
    "cm-": "segeval's micro average counts places without boundary as a class: precision = recall; accord gives the "
    "boundary_class values of the same cases, and they are checked",
    "segeval-tests-vacuous": "about segeval's tests; nothing to compute",
    "nltk-string-length": "about nltk's strings: from_strings takes a symbol for each potential boundary",
}


def score(data: Segmentations, measure: Measure) -> Score:
    evidence = measure.observe(data, Run())
    found = measure.estimate(evidence)
    return replace(found, details=measure.explain(evidence, found))


def masses(data: dict[str, Any]) -> Segmentations:
    return Segmentations.from_masses({name: data[name] for name in ("ref", "hyp", "a", "b") if name in data})


def strings(data: dict[str, Any]) -> Segmentations:
    def whole(text: str) -> str:
        pattern, _, times = text.partition("*")
        return pattern * int(times or 1)

    return Segmentations.from_strings({"ref": whole(data["ref_string"]), "hyp": whole(data["hyp_string"])})


def two(data: dict[str, Any]) -> Segmentations:
    return masses(data) if "ref" in data or "a" in data else strings(data)


def sets(data: dict[str, Any]) -> Segmentations:
    given = {side: {p + 1: set(t) for p, t in enumerate(data[f"{side}_sets"])} for side in "ab"}
    return Segmentations.from_boundaries(given, length=len(data["a_sets"]) + 1)


def dataset(golden: Golden, case: dict[str, Any]) -> Segmentations:
    known = golden("segmentation/datasets.json")
    if "items" in case["data"]:
        return Segmentations.from_masses(case["data"]["items"])
    name = case["data"]["dataset"]
    if name == "multiple_boundary_types":
        items = known[name]
        return Segmentations.from_boundaries(
            {d: {a: {p + 1: set(t) for p, t in enumerate(s)} for a, s in who.items()} for d, who in items.items()},
            length={d: len(next(iter(who.values()))) + 1 for d, who in items.items()},
        )
    return Segmentations.from_masses(known["datasets"][name])


def test_every_case_is_followed_or_listed(golden: Golden) -> None:
    ids = [case["id"] for name in FILES for case in golden(f"segmentation/{name}.json")["cases"]]
    for prefix in NOT_FOLLOWED:
        assert any(i.startswith(prefix) for i in ids), prefix
    edges = {case["id"] for case in golden("segmentation/edge_cases.json")["cases"]}
    assert edges == {*EDGES, "segeval-tests-vacuous", "nltk-string-length"}
    assert len(ids) == 38 + 11 + 61 + 6 + 15 + 33 + 58 + 44 + 3 + 57


def window(case: dict[str, Any]) -> dict[str, Any]:
    """Return the window of a case, by segeval's rule if it is automatic."""
    k = case["params"].get("k")
    if isinstance(k, int):
        return {"k": k}
    return {"window": "nltk" if str(k).startswith("nltk") else "segeval"}


def test_pk_equals_the_golden_values(golden: Golden) -> None:
    done = 0
    for case in golden("segmentation/pk.json")["cases"]:
        if case["measure"] == "window_size":
            ref = case["data"]["ref"]
            k = window_size(np.array([sum(ref)]), np.array([len(ref) - 1]), "segeval")
            assert k[0] == case["expected"], case["id"]
        elif case["measure"] == "pk_pairwise_summary":
            check_summary(dataset(golden, case), Pk(window="segeval"), case)
        else:
            found = score(two(case["data"]), Pk(reference="ref", **window(case)))
            assert found.value == pytest.approx(case["expected"], abs=case["tolerance"]), case["id"]
            if "k_used" in case["params"]:
                assert found.details["k"] == [case["params"]["k_used"]] * 2, case["id"]
            assert found.kind == "error"
        done += 1
    assert done == 58


def test_window_diff_equals_the_golden_values(golden: Golden) -> None:
    for case in golden("segmentation/windowdiff.json")["cases"]:
        lamprier: bool | str = "segeval" if case["params"]["lamprier"] else False
        if case["measure"] == "windowdiff_pairwise_summary":
            check_summary(dataset(golden, case), WindowDiff(window="segeval", lamprier=lamprier), case)
            continue
        measure = WindowDiff(reference="ref", lamprier=lamprier, **window(case))
        evidence = measure.observe(two(case["data"]), Run())
        found = measure.estimate(evidence)
        assert found.value == pytest.approx(case["expected"], abs=case["tolerance"]), case["id"]
        assert evidence["numerator"][0] == case["parts"]["errors"], case["id"]
        if lamprier:  # all windows and no others, the default of accord
            own = score(two(case["data"]), replace(measure, lamprier=True))
            assert own.value == pytest.approx(case["alternatives"]["den_N+k"], abs=1e-12)
        else:
            assert evidence["denominator"][0] == case["parts"]["windows"], case["id"]


def check_summary(data: Segmentations, measure: Measure, case: dict[str, Any]) -> None:
    evidence = measure.observe(data, Run())
    each = evidence["numerator"] / evidence["denominator"]
    wanted = case["expected"]
    assert len(each) == wanted["n"]
    assert measure.estimate(evidence).value == pytest.approx(wanted["mean"], abs=case["tolerance"]), case["id"]
    assert each.std() == pytest.approx(wanted["std_pop"], abs=case["tolerance"])


def test_ghd_equals_the_golden_values(golden: Golden) -> None:
    for case in golden("segmentation/ghd.json")["cases"]:
        costs = case["params"]
        measure = GeneralisedHamming(
            insertion=costs["ins_cost"],
            deletion=costs["del_cost"],
            shift=costs["shift_cost_coeff"],
            reference="ref",
        )
        data = strings(case["data"])
        assert score(data, measure).value == pytest.approx(case["expected"], abs=1e-9), case["id"]
        share = score(data, replace(measure, normalised=True)).value
        assert share == pytest.approx(case["normalised_by_insdel_bound"], abs=1e-9), case["id"]


def test_boundary_edit_distance_equals_the_golden_values(golden: Golden) -> None:
    for case in golden("segmentation/boundary_edit_distance.json")["cases"]:
        data = sets(case["data"])
        for matching in ("greedy", "optimal"):
            found = edits_of(data, BoundaryEditDistance(n_t=case["params"]["n_t"], matching=matching))
            names = data.categories
            wanted = case["expected"]
            added = sorted([names[t], "a" if first else "b"] for _, t, first in found.additions)
            assert added == sorted(wanted["additions"]), (case["id"], matching)
            assert sorted([names[a], names[b]] for _, a, b in found.substitutions) == sorted(wanted["substitutions"])
            moved = sorted([min(a, b) - 1, max(a, b) - 1, names[t]] for a, b, t in found.transpositions)
            assert moved == sorted(wanted["transpositions"]), (case["id"], matching)


def edits_of(data: Segmentations, measure: BoundaryEditDistance) -> Edits:
    one, other = (
        (data.position[data.offsets[s] : data.offsets[s + 1]], data.label[data.offsets[s] : data.offsets[s + 1]])
        for s in (0, 1)
    )
    return edits(one, other, measure.prices(data.categories), measure.matching)


def weight_of(case: dict[str, Any]) -> str:
    text = case["params"].get("transposition_weight", "distance/n_t")
    return "unit" if text == "1" else "te" if text.startswith("te") else "scaled"


@pytest.mark.parametrize(
    ("name", "cls"),
    [("boundary_similarity", BoundarySimilarity), ("segmentation_similarity", SegmentationSimilarity)],
)
def test_similarity_equals_the_golden_values(golden: Golden, name: str, cls: type[BoundarySimilarity]) -> None:
    for case in golden(f"segmentation/{name}.json")["cases"]:
        data = sets(case["data"]) if "a_sets" in case["data"] else masses(case["data"])
        measure = cls(n_t=case["params"]["n_t"], weight=weight_of(case), matching="greedy")
        evidence = measure.observe(data, Run())
        assert measure.estimate(evidence).value == pytest.approx(case["expected"], abs=1e-9), case["id"]
        parts = case.get("parts", {})
        if parts:
            assert evidence["additions"][0] == parts["additions"], case["id"]
            assert evidence["transpositions"][0] == len(parts["transpositions"])
            assert evidence["numerator"][0] == pytest.approx(parts["numerator"])
            assert evidence["denominator"][0] == parts["denominator"]
        best = replace(measure, matching="optimal")
        again = best.observe(data, Run())
        assert again["cost"][0] <= evidence["cost"][0] + 1e-12
        if case["params"]["n_t"] == 2:  # with n_t = 2, greedy matching is optimal
            assert best.estimate(again).value == pytest.approx(case["expected"], abs=1e-9), case["id"]


def test_agreement_equals_the_golden_values(golden: Golden) -> None:
    nominal = {
        "fleiss_kappa_nominal (multi-pi, K)": PiBoundaries(),
        "multi_kappa (Davies & Fleiss)": KappaBoundaries(),
        "krippendorff_alpha_nominal": AlphaBoundaries(),
    }
    for case in golden("segmentation/agreement.json")["cases"]:
        data = dataset(golden, case)
        params, kind = case["params"], case["measure"]
        if kind in nominal:
            assert score(data, nominal[kind]).value == pytest.approx(case["expected"], abs=1e-9), case["id"]
            continue
        name = params.get("fnc_compare", "boundary_similarity")
        cls = SegmentationSimilarity if name == "segmentation_similarity" else BoundarySimilarity
        on = cls(types="pair")
        rates = "pooled" if "pooled" in params.get("A_e", "") else "mean"
        if kind == "actual_agreement":
            found = score(data, on).value
        elif kind == "fleiss_kappa_boundaries":
            found = score(data, KappaStar(on=on)).value
        elif kind == "fleiss_pi_boundaries":
            found = score(data, PiStar(on=on, rates=rates)).value
        else:
            found = score(data, PiStar(on=on, rates="mean")).details["bias"]
        assert found == pytest.approx(case["expected"], abs=1e-9), case["id"]


def test_boundary_classes_equal_the_golden_confusion_matrices(golden: Golden) -> None:
    for case in golden("segmentation/confusion_matrix.json")["cases"]:
        details = score(masses(case["data"]), BoundaryEditDistance(reference="ref")).details
        for name in ("precision", "recall", "f1"):
            assert details[name] == pytest.approx(case["boundary_class"][name], abs=1e-9), case["id"]
        assert details["f1"] == pytest.approx(case["expected"]["f1"], abs=1e-7)


def test_weights_equal_the_golden_values(golden: Golden) -> None:
    by_id = {case["id"]: case for case in golden("segmentation/weights.json")["cases"]}
    worth = np.arange(6)
    one, other = np.array(by_id["w_t_scale"]["data"]["edits"]).T
    each, below = Prices(4, "scaled", worth, None).of_transpositions(other - one)
    assert each.sum() / below == by_id["w_t_scale"]["expected"]
    for name, span in (("w_s_scale", 4), ("w_s_scale_min2", 5 - 2 + 1)):
        each, below = Prices(2, "scaled", worth, span).of_substitutions(one, other)
        assert each.sum() / below == by_id[name]["expected"]


def none_none() -> None:
    data = Segmentations.from_masses({"A": [5], "B": [5]})
    assert score(data, BoundarySimilarity()).value == score(data, SegmentationSimilarity()).value == 1.0
    for measure in (PiStar(), KappaStar()):
        assert math.isnan(score(data, measure).value)
        assert score(data, measure).undefined


def types_count_once() -> None:
    data = Segmentations.from_boundaries({"A": {1: 1, 4: 2}, "B": {1: 1}}, length=6)
    assert score(data, SegmentationSimilarity()).value == 0.9


def large_windows() -> None:
    data = Segmentations.from_masses({"hyp": [300, 300], "ref": [600]})
    assert score(data, Pk(reference="ref")).value == score(data, WindowDiff(reference="ref")).value == 1.0
    assert score(data, Pk(reference="ref")).details["k"] == [300, 300]


def many_segments() -> None:
    data = Segmentations.from_masses({"ref": [6], "hyp": [3, 3]})
    assert score(data, Pk(reference="ref", k=2)).value == 0.5


def window_too_large() -> None:
    data = Segmentations.from_masses({"ref": [3, 3], "hyp": [6]})
    for k in (6, 7):
        for measure in (Pk(k=k), WindowDiff(k=k)):
            with raises("measure-option"):
                score(data, measure)


def no_bias_in_complete_agreement() -> None:
    data = Segmentations.from_masses({"x": {"A": [2, 3], "B": [2, 3]}, "y": {"A": [1, 1, 9], "B": [1, 1, 9]}})
    assert score(data, PiStar()).details["bias"] == pytest.approx(0.0, abs=1e-15)
    assert score(data, PiStar(rates="mean")).details["bias"] > 0


def window_of_one() -> None:
    ones = (np.array([13]), np.array([12]))
    assert [int(window_size(*ones, how)[0]) for how in ("half_mean", "segeval")] == [1, 2]


def half_upwards() -> None:
    for length, wanted in ((10, 3), (14, 4)):
        assert window_size(np.array([length]), np.array([1]))[0] == wanted
    assert window_size(np.array([10]), np.array([1]), "segeval")[0] == 2


def nltk_window() -> None:
    data = Segmentations.from_strings({"ref": "000001001000", "hyp": "000100010000"})
    assert score(data, Pk(reference="ref")).value == pytest.approx(6 / 11)
    assert score(data, Pk(reference="ref", window="nltk")).value == pytest.approx(0.4)


def near_misses_are_credited() -> None:
    data = Segmentations.from_boundaries({"ref": [5], "hyp": [6, 10]}, length=12)
    details = score(data, BoundaryEditDistance(reference="ref", n_t=3)).details
    assert details["precision"] == pytest.approx((2 / 3) / (2 / 3 + 1))


def documents_pool() -> None:
    data = Segmentations.from_masses({"x": {"A": [1, 1], "B": [2]}, "y": {"A": [50, 49], "B": [50, 49]}})
    assert score(data, PiStar()).expected == pytest.approx((3 / (2 * 99)) ** 2)
    assert score(data, PiStar(rates="mean")).expected == pytest.approx(((0.5 + 1 / 98) / 2) ** 2)


def greedy_is_not_best() -> None:
    data = Segmentations.from_boundaries({"A": [1, 4], "B": [3, 6]}, length=8)
    assert score(data, BoundarySimilarity(n_t=3, matching="greedy")).value == pytest.approx(2 / 9)
    assert score(data, BoundarySimilarity(n_t=3)).value == pytest.approx(1 / 3)


EDGES: dict[str, Callable[[], None]] = {
    "B-none-none": none_none,
    "S-multitype-double": types_count_once,
    "WD-k>=256": large_windows,
    "positions>256": many_segments,
    "k>=N": window_too_large,
    "bias-complete": no_bias_in_complete_agreement,
    "window-floor": window_of_one,
    "rounding": half_upwards,
    "nltk-default-k": nltk_window,
    "nltk-k>len": window_too_large,
    "cm-nearmiss-credit": near_misses_are_credited,
    "pi-mean-of-ratios": documents_pool,
    "B-greedy": greedy_is_not_best,
}


@pytest.mark.parametrize("name", EDGES)
def test_edge_case_gives_the_expected_result(name: str) -> None:
    EDGES[name]()
