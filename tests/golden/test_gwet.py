"""Golden cases of gwet: values, errors, intervals and p of irrCAC (R 1.4), and formulas checked by others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.marginals import of_table
from accord.answers.scales import scale

Golden = Callable[[str], Any]

SPECS = {
    "percent_agreement": "percent",
    "brennan_prediger": "s",
    "fleiss": "pi",
    "scott": "pi",
    "conger": "kappa",
    "cohen": "kappa",
    "krippendorff": "alpha",
    "ac": "ac",
}
# Measures in the files that accord does not have.
OUT_OF_SCOPE = {"bangdiwala": "Bangdiwala's B is not among accord's measures"}


def ratings(data: dict[str, Any], categories: list[int] | None = None) -> accord.Ratings:
    table = data["table"]
    if data["format"] == "raw":
        return accord.Ratings.from_rows(table, categories=categories)
    numbered = list(range(1, len(table[0]) + 1))
    if data["format"] == "counts":
        return accord.Ratings.from_counts(table, numbered)
    return accord.Ratings.from_confusion(table, numbered)


@pytest.mark.parametrize(
    ("file", "form"), [("cac_raw.json", "irrcac"), ("cac_counts.json", "irrcac"), ("cac_table.json", "table")]
)
def test_coefficients_equal_irrcac(golden: Golden, file: str, form: str) -> None:
    """Compare each case in the form that irrCAC prints. The default differs only for alpha (see below)."""
    datasets = golden("gwet/datasets.json")
    checked = 0
    for case in golden(f"gwet/{file}"):
        if case["measure"] in OUT_OF_SCOPE:
            continue
        options = case.get("options", {})
        data = ratings(datasets[case["data"]], options.get("categ.labels"))
        score = accord.score(
            data,
            f"{SPECS[case['measure']]}(weights={case['weights']})",
            interval=form,
            level=options.get("conflev", 0.95),
            items_population=options.get("N"),
        )
        expected = case["expected"]
        close = {"abs": case["tolerance"], "rel": 1e-9}
        assert score.value == pytest.approx(expected["coeff"], **close), case["id"]
        assert score.se == pytest.approx(expected["se"], **close), case["id"]
        assert score.interval is not None
        low = max(expected["ci"][0], -1.0 if case["measure"] != "percent_agreement" else 0.0)
        assert (score.interval.low, score.interval.high) == pytest.approx(
            (low, min(1.0, expected["ci"][1])), abs=1e-8
        ), case["id"]
        assert score.p == pytest.approx(expected["p_two_sided"], abs=1e-9), case["id"]
        if "pa" in expected and case["measure"] != "krippendorff":
            assert (score.observed, score.expected) == pytest.approx((expected["pa"], expected["pe"]), **close), case[
                "id"
            ]
        checked += 1
    assert checked > 100


def test_default_error_of_alpha_is_the_first_order_error(golden: Golden) -> None:
    """SE(α) = (1−ε)·SE(α′) over the pairable items (pitfalls.md, 37); every other default equals irrCAC's."""
    datasets = golden("gwet/datasets.json")
    for case in golden("gwet/cac_raw.json"):
        if case.get("options", {}).get("N"):
            continue
        data = ratings(datasets[case["data"]], case.get("options", {}).get("categ.labels"))
        score = accord.score(data, f"{SPECS[case['measure']]}(weights={case['weights']})")
        factor = 1.0
        if case["measure"] == "krippendorff":
            pairable = [row for row in datasets[case["data"]]["table"] if sum(x is not None for x in row) > 1]
            factor = 1.0 - 1.0 / sum(x is not None for row in pairable for x in row)
            assert score.details["df"] == len(pairable) - 1
        assert score.se == pytest.approx(factor * case["expected"]["se"], abs=1e-9), case["id"]


def test_unconditional_errors_equal_the_golden_values(golden: Golden) -> None:
    datasets = golden("gwet/datasets.json")
    for case in golden("gwet/unconditional_se.json"):
        data = ratings(datasets[case["data"]])
        score = accord.score(data, f"{SPECS[case['measure']]}(weights={case['weights']})", interval="unconditional")
        expected = case["expected"]
        assert score.value == pytest.approx(expected["coeff"], abs=1e-9)
        assert list(score.details["without_annotator"].values()) == pytest.approx(
            expected["leave_one_rater_out"], abs=1e-9
        )
        assert score.details["se_annotators"] == pytest.approx(expected["se_given_subjects"], abs=1e-9)
        given = expected["se_given_raters"]
        if case["measure"] == "krippendorff":  # the file has SE(α′)
            rows = [[x for x in row if x is not None] for row in datasets[case["data"]]["table"]]
            given *= 1 - 1 / sum(len(row) for row in rows if len(row) > 1)
        assert score.se == pytest.approx(math.hypot(given, expected["se_given_subjects"]), abs=1e-9), case["id"]
        assert score.interval is not None
        if case["measure"] != "krippendorff":
            assert (score.interval.low, score.interval.high) == pytest.approx(expected["ci_normal"], abs=1e-8)
            assert score.p == pytest.approx(expected["p_two_sided_normal"], abs=1e-9)


def test_leave_one_out_values_equal_the_golden_values(golden: Golden) -> None:
    """Influence reuses the evidence with other counts, and leaves out annotators."""
    datasets = golden("gwet/datasets.json")
    for case in golden("gwet/influence.json"):
        data = ratings(datasets[case["data"]])
        measure = accord.measure(f"{SPECS[case['measure'].removeprefix('influence:')]}(weights={case['weights']})")
        score = accord.score(data, measure, interval="unconditional")
        assert list(score.details["without_annotator"].values()) == pytest.approx(
            case["expected"]["without_rater"], abs=1e-9
        )


def test_asymptotic_errors_of_cohen_kappa_equal_the_golden_values(golden: Golden) -> None:
    datasets = golden("gwet/datasets.json")
    for case in golden("gwet/cohen_asymptotic.json"):
        given = case["weights"]
        score = accord.kappa(ratings(datasets[case["data"]]), weights=given, interval="fleiss_cohen_everitt")
        expected = case["expected"]
        assert score.value == pytest.approx(expected["coeff"], abs=1e-9)
        assert (score.observed, score.expected) == pytest.approx((expected["pa"], expected["pe"]), abs=1e-9)
        assert score.se == pytest.approx(expected["se"], abs=1e-9)
        assert score.details["se_null"] == pytest.approx(expected["se_null"], abs=1e-9)
        assert score.details["z"] == pytest.approx(expected["z"], abs=1e-9)
        assert score.p == pytest.approx(expected["p_two_sided"], rel=1e-6)
        assert score.interval is not None
        assert (score.interval.low, score.interval.high) == pytest.approx(expected["ci"], abs=1e-9)


def misc(golden: Golden, measure: str) -> list[dict[str, Any]]:
    return [case for case in golden("gwet/misc.json") if case["measure"] == measure]


def test_alpha_and_its_bootstraps_equal_the_golden_values(golden: Golden) -> None:
    data = ratings(golden("gwet/datasets.json")["hayes_krippendorff_2007"])
    for case in misc(golden, "krippendorff"):
        spec = f"alpha(distance={case['weights'].split()[0]})"
        expected, tolerance = case["expected"], case["tolerance"]
        score = accord.score(data, spec)
        assert score.value == pytest.approx(expected["coeff"], abs=tolerance["coeff"])
        assert score.details["observed_disagreement"] == pytest.approx(expected["Do"], rel=1e-9)
        assert score.details["expected_disagreement"] == pytest.approx(expected["De"], rel=1e-9)
        for name, method in (("M239_pairs_2007", "hayes_krippendorff"), ("M318_min25Q_2013", "krippendorff_2013")):
            drawn = accord.score(data, spec, interval=method)
            assert drawn.interval is not None
            want = expected["bootstrap"][name]
            assert (drawn.interval.low, drawn.interval.high) == pytest.approx(want["ci"], abs=tolerance["bootstrap"])
            assert drawn.details["bootstrap"]["probability_below"]["0.8"] == pytest.approx(want["q80"], abs=0.01)
        units = accord.score(data, spec, interval="bootstrap", seed=1)
        assert units.interval is not None
        assert (units.interval.low, units.interval.high) == pytest.approx(
            expected["unit_bootstrap_ci"], abs=tolerance["unit_bootstrap"]
        )


def test_hayes_krippendorff_2007_alpha_ordinal_is_the_distance(golden: Golden) -> None:
    data = ratings(golden("gwet/datasets.json")["hayes_krippendorff_2007"])
    assert accord.score(data, "alpha(ordinal)").value == pytest.approx(0.7598, abs=5e-5)
    assert accord.score(data, "alpha(weights=ordinal)").value < 0.75  # Gwet's weights give another value


def test_tests_of_equal_marginals_equal_the_golden_values(golden: Golden) -> None:
    table = np.array(golden("gwet/datasets.json")["stuart_vision_women"]["table"])
    [case] = misc(golden, "stuart_maxwell,bhapkar,bowker")
    found = of_table(table)
    for name, want in case["expected"].items():
        test = getattr(found, name)
        assert (test.statistic, test.df, test.p) == pytest.approx((want["stat"], want["df"], want["p"]), abs=1e-8)


def test_indices_of_two_by_two_tables_equal_the_golden_values(golden: Golden) -> None:
    for case in misc(golden, "pabak,prevalence_index,bias_index,kappa,bak,kappa_max,specific_agreement"):
        expected = case["expected"]
        found = of_table(np.array(case["data"]))
        for name in (
            "pabak",
            "prevalence_index",
            "bias_index",
            "positive_agreement",
            "negative_agreement",
            "kappa_max",
        ):
            assert getattr(found, name) == pytest.approx(expected[name], abs=1e-12), name
        data = accord.Ratings.from_confusion(case["data"], ["yes", "no"])
        assert accord.kappa(data).value == pytest.approx(expected["kappa"], abs=1e-12)
        assert accord.pi(data).value == pytest.approx(expected["bak_scott_pi"], abs=1e-12)
        assert accord.s(data).value == pytest.approx(expected["pabak"], abs=1e-12)


def test_benchmarking_equals_the_golden_values(golden: Golden) -> None:
    for case in misc(golden, "benchmark_cumulative_membership"):
        name = case["id"].split("/")[1].replace(".", "_")
        found = scale(name).membership(case["data"]["coeff"], case["data"]["se"])
        assert list(found.values()) == pytest.approx(case["expected"]["cumprob"], abs=case["tolerance"])
        assert [level.lower() for level in case["data"]["labels"]] == list(found)
