"""Golden cases of dkpro/coding.json: cases of many papers from the tests of DKPro Statistics."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.marginals import of_table
from accord.data.model.labels import arrange, plain
from accord.measures.distances import distance

Golden = Callable[[str], Any]

SPECS = {
    "percentage": "percent",
    "bennett_s": "s",
    "randolph_kappa": "s",
    "scott_pi": "pi",
    "fleiss_kappa": "pi",
    "cohen_kappa": "kappa",
    "hubert_kappa": "kappa",
    "weighted_kappa": "kappa",
    "krippendorff_alpha": "alpha",
    "gwet_ac1": "ac",
    "gwet_ac2": "ac",
}

# Cases where accord differs on purpose or has no answer, with the reason.
DIFFERENT = {
    "full-agreement-single-used-category": "0/0 is undefined with a reason; DKPro returns 1 by convention",
    "krippendorff1980-ex2-rater": "an unconfirmed definition; accord uses the mean over pairs",
    "sets-max-percentage": "not among accord's measures",
    "error-wrong-arity": "concerns the interface of DKPro",
    "gwet2008-missing-ac2-nominal": "items with one label count for the shares, as in irrCAC",
    "gwet2008-3raters-missing-ac2-nominal": "the same",
}
OUT_OF_SCOPE = ("two-sided Fisher-z test of equal correlations",)


def rows_of(data: dict[str, Any]) -> list[list[Any]]:
    def label(value: Any) -> Any:
        return frozenset(value) if isinstance(value, list) else value

    return [[label(v) for v in row["values"]] for row in data["rows"] for _ in range(row["n"])]


def ratings(case: dict[str, Any], cases: dict[str, dict[str, Any]]) -> accord.Ratings:
    data = case["data"]
    if "ref" in data:
        data = cases[data["ref"]]["data"]
    return accord.Ratings.from_rows(rows_of(data), categories=data.get("declared_categories"))


def spec_of(case: dict[str, Any]) -> Any:
    name = SPECS[case["measure"]]
    given = case.get("distance")
    if "distance_matrix" in case:
        labels = tuple(case["distance_matrix"]["labels"])
        matrix = case["distance_matrix"]["matrix"]
        pairs = {(a, b): matrix[i][j] for i, a in enumerate(labels) for j, b in enumerate(labels) if i != j}
        return type(accord.measure(name))(distance=pairs)
    if given and given != "nominal":
        return f"{name}(distance={given.split()[0]})"
    return f"{name}(distance=nominal)" if name == "alpha" else name


def all_cases(golden: Golden) -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in golden("dkpro/coding.json")["cases"]}


def test_coefficients_equal_the_golden_values(golden: Golden) -> None:
    cases = all_cases(golden)
    checked = 0
    for case in cases.values():
        if case["measure"] not in SPECS or case["id"] in DIFFERENT or "error" in case["expected"]:
            continue
        score = accord.score(ratings(case, cases), spec_of(case))
        exact = case.get("recomputed") or {}
        for source, tolerance in ((case["expected"], case["tolerance"]), (exact, 1e-9)):
            found = {
                "coefficient": score.value,
                "observed_agreement": score.observed,
                "expected_agreement": score.expected,
                "observed_disagreement": score.details.get("observed_disagreement"),
                "expected_disagreement": score.details.get("expected_disagreement"),
            }
            if "interval" in str(case.get("distance")) and case["measure"] == "weighted_kappa":
                # DKPro divides by the largest distance
                found["observed_disagreement"] = 1 - (score.observed or 0)
                found["expected_disagreement"] = 1 - (score.expected or 0)
            for key, value in source.items():
                if key in found:
                    # Matrices and 1/3 are written with twelve digits in the file.
                    assert found[key] == pytest.approx(value, abs=max(tolerance, 1e-9)), (case["id"], key)
            if "item_agreement" in source:
                shown = [part.value for part in score.parts["item"].values()]
                assert shown == pytest.approx(source["item_agreement"], abs=max(tolerance, 1e-8))
        checked += 1
    assert checked > 80


def test_values_by_category_equal_the_golden_values(golden: Golden) -> None:
    """Compare one category against the rest, with the same coefficient."""
    cases = all_cases(golden)
    fleiss = cases["fleiss1971-kappa"]
    parts = accord.pi(ratings(fleiss, cases)).parts["category"]
    for name, value in fleiss["recomputed"]["category_agreement"].items():
        assert parts[name].value == pytest.approx(value, abs=1e-9)
    percent = cases["krippendorff1980-ex2-percentage"]
    parts = accord.percent(ratings(percent, cases)).parts["category"]
    for name, value in percent["recomputed"]["category_agreement"].items():
        assert parts[name].value == pytest.approx(value, abs=1e-8)
    # Agresti's κ_j pools the two annotators' shares: it is π by category, not κ.
    agresti = cases["agresti1992-kappa"]
    parts = accord.pi(ratings(agresti, cases)).parts["category"]
    for name, value in agresti["recomputed"]["category_agreement"].items():
        assert parts[name].value == pytest.approx(value, abs=1e-9)


def test_light_and_maximum_kappa_equal_the_golden_values(golden: Golden) -> None:
    cases = all_cases(golden)
    light = cases["warrens2010-light"]
    pairs = accord.kappa(ratings(light, cases)).parts["pair"]
    mean = np.mean([part.value for part in pairs.values()])
    assert mean == pytest.approx(light["recomputed"]["coefficient"], abs=1e-9)
    for name in ("cohen1960-ex1-kappa-max", "cohen1960-ex2-kappa-max"):
        matrix = accord.kappa(ratings(cases[name], cases)).details["matrix"]["counts"]
        assert of_table(np.array(matrix)).kappa_max == pytest.approx(cases[name]["recomputed"]["coefficient"], abs=1e-9)


def test_cases_dkpro_refuses_are_refused_or_undefined(golden: Golden) -> None:
    """DKPro raises. accord raises if nothing can be compared; 0/0 is undefined with a reason."""
    cases = all_cases(golden)
    for case in cases.values():
        if "error" not in case["expected"] or case["id"] in DIFFERENT:
            continue
        for name in case["measure"].replace("/", ",").split(","):
            try:
                score = accord.score(ratings(case, cases), SPECS[name])
            except accord.DataError:
                assert case["id"] in {"error-empty-study", "gwet2008-error-no-item-with-two-raters"}
                continue
            assert math.isnan(score.value), case["id"]
            assert score.undefined


def test_distances_equal_the_golden_values(golden: Golden) -> None:
    for case in golden("dkpro/coding.json")["cases"]:
        if not case["measure"].startswith("distance:"):
            continue
        kind = case["measure"].removeprefix("distance:").split()[0]
        kind = {"passonneau2004_set": "passonneau", "masi_dkpro": "masi"}.get(kind, kind)
        rows = case["data"].get("rows", [])
        if "squared_distance_matrix" in case["expected"]:
            categories = arrange((), case["data"]["categories"])
            flat = [v for row in rows for v in row["values"] for _ in range(row["n"]) if _counts(row, v)]
            marginals = np.array([flat.count(c) for c in categories], dtype=np.float64)
            space = distance(kind).space(categories, marginals)
            matrix = space.to(np.eye(len(categories)))
            expected = np.array(case["expected"]["squared_distance_matrix"], dtype=np.float64)
            if kind == "ratio" and min(case["data"]["categories"]) < 0:
                continue
            assert matrix == pytest.approx(expected, abs=1e-6), case["id"]
            continue
        for a, b, value in case["expected"]["pairs"]:
            if a is None or b is None or (isinstance(a, str) and kind in {"interval", "ratio", "ordinal"}):
                continue  # a missing value is not a label in accord, and words have no position on a scale
            if a == b:
                continue
            categories = arrange([plain(a), plain(b)])
            flat = [v for row in rows for v in row["values"] for _ in range(row["n"])]
            if kind == "ordinal":
                categories = arrange(flat)
            marginals = np.array([flat.count(c) for c in categories] if rows else [1.0, 1.0], dtype=np.float64)
            matrix = distance(kind).space(categories, marginals).to(np.eye(len(categories)))
            i, j = categories.labels.index(plain(a)), categories.labels.index(plain(b))
            assert matrix[i, j] == pytest.approx(value, rel=1e-4), case["id"]


def _counts(row: dict[str, Any], value: Any) -> bool:
    """Count pairable values only."""
    return value is not None and sum(v is not None for v in row["values"]) > 1


def test_values_differ_from_known_defects_of_dkpro(golden: Golden) -> None:
    for case in golden("dkpro/coding.json")["dkpro_defects"]:
        data = accord.Ratings.from_rows(rows_of(case["data"]), categories=_declared(case))
        name, _, rest = case["measure"].partition(" ")
        if case["id"] == "dkpro-bug-alpha-category-missing":
            parts = accord.alpha(data).parts["category"]
            assert parts["a"].value == pytest.approx(case["correct"]["category_agreement"])
        elif case["id"] == "dkpro-bug-cohen-missing":
            # Gwet's rule for missing labels (formulas.md, 2) uses all labels of an annotator for his shares; on the
            # items that both labelled alone, as a pair, the value is the one given here.
            pair = accord.kappa(data).parts["pair"]
            assert next(iter(pair.values())).expected == pytest.approx(case["correct"]["expected_agreement"])
            assert accord.kappa(data).expected == pytest.approx(0.4 / 3 + 0.6 * 2 / 3)
        elif case["id"] == "dkpro-bug-hubert-unused-category":
            assert accord.kappa(data).value == pytest.approx(case["correct"]["hubert_kappa"])
        else:
            score = accord.kappa(data, distance=rest)
            assert name == "weighted_kappa"
            assert score.value == pytest.approx(case["correct"]["coefficient"], abs=1e-9)


def _declared(case: dict[str, Any]) -> list[Any] | None:
    extra = case["data"].get("declared_categories")
    if extra is None:
        return None
    used = {v for row in case["data"]["rows"] for v in row["values"] if v is not None}
    return [*sorted(used), *extra]
