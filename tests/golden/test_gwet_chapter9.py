"""Golden cases of gwet: differences of coefficients, influence, common correlation; every case is tested."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.compare import compare
from accord.answers.influence import influence
from accord.measures.intervals.methods import CommonCorrelation

Golden = Callable[[str], Any]

SPECS = {
    "percent_agreement": "percent",
    "brennan_prediger": "s",
    "fleiss": "pi",
    "conger": "kappa",
    "krippendorff": "alpha",
    "ac": "ac",
}
# Cases covered by other tests, by measure.
ELSEWHERE = {
    "krippendorff": "tests/golden/test_gwet.py, alpha and its bootstraps",
    "stuart_maxwell,bhapkar,bowker": "tests/golden/test_gwet.py, tests of equal marginals",
    "pabak,prevalence_index,bias_index,kappa,bak,kappa_max,specific_agreement": "tests/golden/test_gwet.py",
    "benchmark_cumulative_membership": "tests/golden/test_gwet.py, benchmarking",
    "cohen_kappa_asymptotic": "tests/golden/test_gwet.py, cohen asymptotic",
}
HERE = {"intraclass_kappa_gof", "S,pi,kappa,annotator_bias_B", "alpha and kappa_w, custom distance"}


def table(datasets: dict[str, Any], name: str) -> accord.Ratings:
    """Return a table; `pairedCAC.ratings2 columns 1-3` is a part of one."""
    name, _, columns = name.partition(" columns ")
    rows = datasets[name]["table"]
    if datasets[name]["format"] != "raw":
        return accord.Ratings.from_confusion(rows, list(range(1, len(rows) + 1)))
    if columns:
        first, last = map(int, columns.split("-"))
        rows = [row[first - 1 : last] for row in rows]
    return accord.Ratings.from_rows(rows)


def test_paired_differences_equal_the_golden_values(golden: Golden) -> None:
    datasets, checked = golden("gwet/datasets.json"), 0
    for case in golden("gwet/paired_difference.json"):
        a, b = (table(datasets, name) for name in case["data"])
        spec = f"{SPECS[case['measure'].removeprefix('paired_difference:')]}(weights={case['weights']})"
        found, want = compare(a, b, spec, method="linearised"), case["expected"]
        got = (found.a.value, found.b.value, found.difference, found.se, found.df, found.p)
        names = ("coeff1", "coeff2", "diff", "se", "df", "p_two_sided")
        assert got == pytest.approx([want[name] for name in names], abs=case["tolerance"]), case["id"]
        assert (found.interval.low, found.interval.high) == pytest.approx(want["ci"], abs=case["tolerance"]), case["id"]
        assert found.difference / found.se == pytest.approx(want["t"], abs=1e-8)
        assert found.method.startswith("paired linearisation")
        checked += 1
    assert checked == len(golden("gwet/paired_difference.json"))


def test_influence_equals_the_golden_values(golden: Golden) -> None:
    datasets = golden("gwet/datasets.json")
    for case in golden("gwet/influence.json"):
        data = table(datasets, case["data"])
        spec = f"{SPECS[case['measure'].removeprefix('influence:')]}(weights={case['weights']})"
        found, want = influence(data, spec, of=["annotator", "item"], replicates=100), case["expected"]
        assert found.score.value == pytest.approx(want["full"], abs=case["tolerance"])
        people, units = ({left.name: left for left in some} for some in (found.annotators, found.units))
        for names, left, kind in ((data.annotators, people, "rater"), (list(data.items), units, "unit")):
            close = {"abs": case["tolerance"]}
            assert [left[n].without for n in names] == pytest.approx(want[f"without_{kind}"], **close), case["id"]
            assert [left[n].influence for n in names] == pytest.approx(want[f"{kind}_influence"], **close), case["id"]


def test_unconditional_errors_are_the_leave_one_out_of_annotators(golden: Golden) -> None:
    """The jackknife over annotators uses the leave-one-out values of influence, so both give the same numbers."""
    datasets = golden("gwet/datasets.json")
    for case in golden("gwet/unconditional_se.json"):
        data = table(datasets, case["data"])
        found = influence(data, f"{SPECS[case['measure']]}(weights={case['weights']})", of=["annotator"])
        left = {one.name: one.without for one in found.annotators}
        want = case["expected"]["leave_one_rater_out"]
        assert [left[name] for name in data.annotators] == pytest.approx(want, abs=1e-9), case["id"]
        values = np.array(want)
        r = len(values)
        se = np.sqrt((r - 1) / r * ((values - values.mean()) ** 2).sum())
        assert se == pytest.approx(case["expected"]["se_given_subjects"], abs=1e-9)


def misc(golden: Golden, measure: str) -> list[dict[str, Any]]:
    return [case for case in golden("gwet/misc.json") if case["measure"] == measure]


def test_common_correlation_equals_the_golden_values(golden: Golden) -> None:
    for case in misc(golden, "intraclass_kappa_gof"):
        data, want = case["data"], case["expected"]
        found = CommonCorrelation(data["both_positive"], data["discordant"], data["both_negative"])
        assert found.prevalence == pytest.approx(want["prevalence"], abs=1e-12)
        assert found.value == pytest.approx(want["coeff"], abs=1e-12)
        assert found.interval() == pytest.approx(want["ci"], abs=case["tolerance"])
        assert found.chi2(0.4) == pytest.approx(want["chi2_H0_kappa_0_4"], abs=1e-8)
        assert found.p(0.4) == pytest.approx(want["p_H0_0_4"], abs=1e-8)
        table = [[data["both_positive"], data["discordant"]], [0, data["both_negative"]]]
        score = accord.pi(accord.Ratings.from_confusion(table, ["yes", "no"]), interval="donner_eliasziw")
        assert score.value == pytest.approx(want["coeff"], abs=1e-12)
        assert score.interval is not None
        assert (score.interval.low, score.interval.high) == pytest.approx(want["ci"], abs=case["tolerance"])


def test_artstein_poesio_table_4_equals_the_printed_values(golden: Golden) -> None:
    datasets = golden("gwet/datasets.json")
    [case] = misc(golden, "S,pi,kappa,annotator_bias_B")
    data, want = table(datasets, case["data"]), case["expected"]
    for name, spec in (("S", "s"), ("pi", "pi"), ("kappa", "kappa")):
        score = accord.score(data, spec)
        assert (score.value, score.observed) == pytest.approx((want["coeff"][name], want["pa"]), abs=1e-9)
        assert score.expected == pytest.approx(want["pe"][name], abs=1e-9)
    assert accord.marginals(data).bias == pytest.approx(want["annotator_bias_B"], abs=1e-9)
    [case] = misc(golden, "alpha and kappa_w, custom distance")
    data, want = table(datasets, case["data"]), case["expected"]
    for spec, expected in (("alpha", "De_alpha"), ("kappa", "De_kappa_w")):
        score = accord.score(data, f"{spec}(distance={json.dumps(case['weights'])})")
        value = want["alpha" if spec == "alpha" else "kappa_w"]
        assert score.value == pytest.approx(value, abs=1e-9)
        assert score.details["observed_disagreement"] == pytest.approx(want["Do"], abs=1e-9)
        assert score.details["expected_disagreement"] == pytest.approx(want[expected], abs=1e-9)


def test_every_case_is_tested(golden: Golden) -> None:
    """Every case of the files is tested here or is listed with its other test."""
    for case in (*golden("gwet/misc.json"), *golden("gwet/cohen_asymptotic.json")):
        assert case["measure"] in HERE or case["measure"] in ELSEWHERE, case["id"]
    for case in golden("gwet/paired_difference.json"):
        assert case["measure"].removeprefix("paired_difference:") in SPECS
    for case in golden("gwet/unconditional_se.json"):
        assert case["measure"] in SPECS
    for case in golden("gwet/influence.json"):
        assert case["measure"].removeprefix("influence:") in SPECS
