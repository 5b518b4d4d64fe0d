"""Layouts, sample sizes, thresholds, and the measures of number scales."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import accord
from accord import bland_altman, cronbach, icc, kendall_w, lin
from accord.answers.checks import check, threshold
from accord.answers.compare import compare
from accord.answers.intra import _left_out, _linearised, intra
from accord.answers.plan_layout import crossing, layout
from accord.answers.plan_size import sample_size
from accord.answers.scoring import score_data
from accord.core.context import Run
from accord.core.spec import build, parse
from accord.doors.rendering import render
from accord.doors.rendering.for_programs import checks_as_junit
from accord.measures.intervals.methods import Settings
from accord.measures.scales.concordance import KendallW, LinConcordance
from accord.measures.scales.cronbach import CronbachAlpha
from accord.measures.scales.icc import FORMS, IntraclassCorrelation

from ..refusals import raises
from .studies import ratings, texts, units

SCALES = (CronbachAlpha, IntraclassCorrelation, LinConcordance, KendallW)


@pytest.mark.parametrize(
    ("docs", "people", "per"), [(100, 6, 2), (60, 5, 3), (7, 4, 2), (90, 10, 4), (45, 10, 2), (435, 30, 2)]
)
def test_layouts_are_balanced(docs: int, people: int, per: int) -> None:
    found = layout(docs, people, per_document=per, seed=3)
    loads, met = list(found.loads.values()), list(found.meetings.values())
    assert len(found.rows) == docs * per
    assert max(loads) - min(loads) <= 1
    assert max(met) - min(met) <= (1 if per == 2 else 2)
    assert len(set(found.rows)) == len(found.rows)
    assert found == layout(docs, people, per_document=per, seed=3)
    assert found != layout(docs, people, per_document=per, seed=4)


def test_layouts_can_have_documents_for_all_annotators() -> None:
    found = layout(["a", "b", "c", "d"], ["Ana", "Ben", "Chloé"], per_document=1, everybody=1)
    assert sorted(found.loads.values()) == [2, 2, 2]
    assert min(found.meetings.values()) == 1
    for bad in ({"per_document": 4}, {"everybody": 5}, {"per_document": 0}):
        with pytest.raises(accord.SpecError):
            layout(["a", "b", "c", "d"], ["Ana", "Ben", "Chloé"], **bad)
    with raises("option-value"):
        layout(["a", "a"], 2)
    with raises("option-value"):
        layout(4, 1, per_document=1)
    with raises("option-missing"):
        layout(4, 3, per_document=1)


def test_two_labels_per_item_give_limits_of_full_crossing() -> None:
    """Two of five annotators per item give limits of the error of all five; some complete items give an estimate."""
    rng = np.random.default_rng(1)
    easy = rng.random((400, 1)) < 0.6
    truth = rng.integers(0, 3, (400, 1))
    rows = np.where(easy, truth, rng.integers(0, 3, (400, 5)))
    two = rows.astype(object)
    for row in two:
        row[rng.choice(5, 3, replace=False)] = None
    for spec in ("ac", "kappa", "alpha"):
        full = accord.score(accord.Ratings.from_rows(rows), spec).se
        assert full is not None
        found = crossing(accord.Ratings.from_rows(two), spec)
        assert found.two_per_item is None
        assert "give only limits" in found.note
        assert found.se_full is not None
        assert found.se_full[0] < full < found.se_full[1] == found.score.se
        some = two.copy()
        some[:60] = rows[:60]
        known = crossing(accord.Ratings.from_rows(some), spec)
        assert known.full_from == 60
        assert known.se_full is not None
        assert known.se_full[0] == known.se_full[1] == pytest.approx(full, rel=0.2)
    few = crossing(accord.Ratings.from_rows([["x", None], [None, "x"], ["y", None], ["x", "x"], ["y", "x"]]), "ac")
    assert "too few items" in few.note


def test_intra_uses_repeated_items_only() -> None:
    """Ten of fifty items are repeated: the error uses ten clusters, not fifty."""
    rng = np.random.default_rng(4)
    once = [(f"i{k}", "Ana", str(rng.integers(3))) for k in range(50)]
    again = [(item, who, label if k % 3 else str(rng.integers(3))) for k, (item, who, label) in enumerate(once[:10])]
    rows = [*once, *again, ("i0", "Ben", "1")]
    long = dict(zip(("item", "annotator", "label"), (list(column) for column in zip(*rows, strict=True)), strict=True))
    found = intra(long, "alpha")
    assert (found.score.n, found.score.details["clusters"], found.score.details["df"]) == (10, 10, 9)
    assert found.score.se == pytest.approx(found.annotators["Ana"].se)
    assert found.annotators["Ben"].undefined == "labels no item twice"
    with raises("measure-for-other-data"):
        intra(units(1), "alpha")


@pytest.mark.slow
def test_sizes_from_assumed_values_agree_with_simulation() -> None:
    found = sample_size("alpha", width=0.2, value=0.6, simulations=150)
    assert found.simulated == pytest.approx(0.2, abs=0.012)
    wider = sample_size("alpha", width=0.4, value=0.6, simulations=20)
    assert found.n == pytest.approx(4 * wider.n, rel=0.06)
    paired = sample_size("kappa", difference=0.15, value=0.5, simulations=200)
    assert paired.simulated == pytest.approx(0.8, abs=0.1)
    apart = sample_size("kappa", difference=0.15, value=0.5, paired=False, simulations=200)
    assert apart.simulated == pytest.approx(0.8, abs=0.1)
    assert apart.n > paired.n


def test_plan_refers_to_the_default_interval() -> None:
    """The default interval of icc generalises to other annotators, so it is wider than that of icc(form=3)."""
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(60, 1)) * 2 + rng.normal(size=(60, 3)) + [0.0, 0.7, 1.4]
    data = accord.Ratings.from_rows(rows.round(2).tolist())
    printed = accord.icc(data).interval
    assert printed is not None
    width = printed.high - printed.low
    found = sample_size("icc", width=width, pilot=data)
    assert found.n == pytest.approx(60, rel=0.5)
    assert found.simulated == pytest.approx(width, rel=0.05)
    assert "the number of annotators limits the width" in found.notes[0]
    with raises("target-unreachable"):
        sample_size("icc", width=0.05, pilot=data)
    own = accord.icc(data, form=3).interval
    assert own is not None
    fixed = sample_size("icc(form=3)", width=own.high - own.low, pilot=data)
    assert fixed.n == pytest.approx(60, abs=6)
    assert not fixed.notes


def test_note_states_that_annotators_limit_the_width() -> None:
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 2, 60)
    rows = np.where(rng.random((60, 3)) < [1.0, 0.9, 0.3], truth[:, None], rng.integers(0, 2, (60, 3)))
    found = sample_size("alpha", width=0.1, pilot=accord.Ratings.from_rows(rows), simulations=0)
    assert "if they are a sample, their sampling alone gives an interval" in found.notes[0]


@pytest.mark.slow
def test_sample_size_has_the_power_to_distinguish_two_values() -> None:
    found = sample_size("kappa", null=0.4, value=0.7, simulations=300)
    assert found.goal == "distinguishing a value of 0.7 from 0.4 with power 0.8"
    assert found.simulated is not None
    assert 0.8 <= found.simulated < 0.9
    assert sample_size("kappa", null=0.5, value=0.7, simulations=100).n > 1.5 * found.n
    pilot = sample_size("alpha", null=0.3, pilot=ratings(1, 80), simulations=300)
    assert pilot.simulated is not None
    assert pilot.simulated >= 0.8
    of_units = sample_size("f1", null=0.5, pilot=units(1, docs=20))
    assert of_units.noun == "document"
    with raises("option-value"):
        sample_size("kappa", null=0.7, value=0.7)
    with raises("option-missing"):
        sample_size("kappa", null=0.7, width=0.1)


def test_sizes_from_a_pilot_follow_its_standard_deviation() -> None:
    data = ratings(1, 80)
    score = accord.alpha(data)
    found = sample_size("alpha", width=0.1, pilot=data)
    assert score.se is not None
    assert found.sd == pytest.approx(score.se * math.sqrt(80), rel=1e-9)
    assert found.n == pytest.approx((2 * 1.96 * found.sd / 0.1) ** 2, rel=0.01)
    assert found.simulated == pytest.approx(0.1, abs=0.025)
    of_units = sample_size("f1", width=0.1, pilot=units(1, docs=10))
    assert of_units.noun == "document"
    assert "use a larger pilot" in of_units.notes[0]
    with raises("measure-for-other-data"):
        sample_size("gamma", width=0.1)
    with raises("option-missing"):
        sample_size("alpha")
    with raises("too-few"):
        sample_size("u_alpha", width=0.1, pilot=units(1, docs=1))
    with raises("option-value"):
        sample_size("alpha", width=0.1, value=1.5)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "make"), [("alpha", ratings), ("f1", units), ("text_gamma", texts)])
@pytest.mark.parametrize("paired", [True, False])
def test_power_from_a_pilot_agrees_with_simulation(spec: str, make: Callable[..., Any], paired: bool) -> None:
    found = sample_size(spec, difference=0.1, pilot=make(3, 40), paired=paired, correlation=0.5, simulations=1000)
    # Each seed samples chance of texts again: the power of tγ is between 0.85 and 0.93, slightly too high.
    assert found.simulated == pytest.approx(0.8, abs=0.13 if spec == "text_gamma" else 0.09)
    assert found.simulations == 1000
    more = sample_size(spec, difference=0.1, power=0.95, pilot=make(3, 40), paired=paired, correlation=0.5)
    assert more.n > found.n
    assert sample_size(spec, difference=0.1, pilot=make(3, 40), correlation=-0.2).simulated is None


def test_planned_documents_have_the_planned_power() -> None:
    """Compare corpora of the planned size: the share of significant tests is about the planned power."""
    good, bad = {"moved": 0.2}, {"moved": 0.5}
    apart = [accord.f1(units(9, docs=400, **kind), interval="none").value for kind in (good, bad)]
    planned = sample_size("f1", difference=apart[1] - apart[0], pilot=units(8, docs=80, moved=0.35), paired=False)
    seen = 0
    for seed in range(60):
        pair = (units(100 + 2 * seed + k, docs=planned.n, **kind) for k, kind in enumerate((good, bad)))
        seen += compare(*pair, "f1", paired=False, method="bootstrap", replicates=200).p <= 0.05
    assert 0.6 <= seen / 60 <= 0.97


def test_thresholds_are_checked_and_parsed() -> None:
    data = accord.read(ratings(1), measurement="nominal")
    value = accord.alpha(data).value
    found = check(data, {"alpha": value - 0.01, "kappa(weights=linear)": 0.99})
    assert [one.passed for one in found] == [True, False]
    [lower] = check(data, {"alpha": value - 0.01}, use="lower")
    assert not lower.passed
    assert "lower end" in lower.reason
    [error] = check(units(1), None, {"ser": 5.0}, use="lower", interval="bootstrap", replicates=200)
    assert error.passed
    assert "upper end" in error.reason
    [none] = check(units(1), None, {"ser": 5.0}, use="lower", interval="none")
    assert not none.passed
    assert "no interval" in none.reason
    [undefined] = check(accord.Ratings.from_rows([["x", "x"]] * 3), {"alpha": 0.5})
    assert not undefined.passed
    assert "only one category" in undefined.reason
    parsed = threshold("alpha(distance=ordinal)=0.8", "min")
    assert (str(parsed.measure), parsed.limit) == ("alpha(distance=ordinal)", 0.8)
    for bad in ("alpha", "alpha=", "=0.8", "alpha=high", "alpha=nan"):
        with pytest.raises(accord.SpecError):
            threshold(bad, "min")
    with raises("option-missing"):
        check(data)
    xml = checks_as_junit(found, 'a "name" & <more>')
    assert 'tests="2" failures="1"' in xml
    assert "&lt;more&gt;" in xml
    assert render(found).startswith("ok  alpha")


def test_specs_of_scales_round_trip() -> None:
    for cls in SCALES:
        assert build("measure", parse(str(cls())), SCALES) == cls()
    for form in FORMS:
        made = IntraclassCorrelation(form)
        assert build("measure", parse(str(made)), SCALES) == made
        assert build("measure", parse(f"icc(form={form})"), SCALES) == made
    with pytest.raises(accord.UnknownName):
        IntraclassCorrelation("4")


def numbers(seed: int = 1, n: int = 40, k: int = 3) -> tuple[np.ndarray, accord.Ratings]:
    rng = np.random.default_rng(seed)
    rows = np.round(rng.normal(5, 2, (n, 1)) + rng.normal(0, 1, (n, k)) + rng.normal(0, 0.5, (1, k)), 1)
    return rows, accord.Ratings.from_rows(rows)


def test_lin_concordance_by_hand() -> None:
    rows, data = numbers(2, 50, 2)
    x, y = rows.T
    want = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    found = lin(data)
    assert found.value == pytest.approx(want, abs=1e-12)
    assert found.interval is not None
    drawn = lin(data, interval="bootstrap").interval
    assert drawn is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((drawn.low, drawn.high), abs=0.05)
    assert lin(accord.Ratings.from_rows([[1, 1], [2, 2], [3, 3]])).value == 1.0
    three = lin(numbers(2, 50, 3)[1])
    assert three.interval is None
    assert "use --interval bootstrap" in three.details["interval"]


def test_kendall_w_equals_friedman_test() -> None:
    rows, data = numbers(3, 12, 5)
    found = kendall_w(data)
    want = stats.friedmanchisquare(*rows)
    assert found.details["chi2"] == pytest.approx(want.statistic, abs=1e-9)
    assert found.p == pytest.approx(want.pvalue, abs=1e-12)
    rho = stats.spearmanr(rows).statistic
    assert found.details["mean_spearman"] == pytest.approx(rho[np.triu_indices(5, 1)].mean(), abs=0.02)


def test_cronbach_has_values_without_each_annotator() -> None:
    rows, data = numbers(4, 30, 4)
    found = cronbach(data)
    k = 4
    spread = np.cov(rows.T)
    assert found.value == pytest.approx(k / (k - 1) * (1 - np.trace(spread) / spread.sum()), abs=1e-12)
    left = found.parts["annotator"]
    assert left["A1"].measure == "cronbach without it"
    assert (
        cronbach(accord.Ratings.from_rows(rows[:, :2])).parts["annotator"]["A1"].undefined == "only one column is left"
    )
    assert left["A1"].value == pytest.approx(cronbach(accord.Ratings.from_rows(rows[:, 1:])).value, abs=1e-12)
    assert cronbach(data, standardised=True).value == pytest.approx(found.value, abs=0.05)
    assert math.isnan(cronbach(accord.Ratings.from_rows([[1, 2], [1, 2], [1, 2]])).value)


def test_bland_altman_by_hand() -> None:
    rows, data = numbers(5, 40, 2)
    apart = rows[:, 1] - rows[:, 0]
    found = bland_altman(data)
    assert (found.mean, found.sd) == pytest.approx((apart.mean(), apart.std(ddof=1)))
    assert found.upper - found.lower == pytest.approx(2 * 1.959964 * found.sd, rel=1e-6)
    line = stats.linregress(rows.mean(axis=1), apart)
    assert (found.slope, found.slope_p) == pytest.approx((line.slope, line.pvalue))
    with raises("option-missing"):
        bland_altman(numbers(5, 40, 3)[1])
    with pytest.raises(accord.UnknownName):
        bland_altman(numbers(5, 40, 3)[1], "A1", "A9")


def test_scales_refuse_words_and_leave_out_incomplete_items() -> None:
    with raises("not-a-number"):
        icc(accord.Ratings.from_rows([["a", 1], [2, 3]]))
    with raises("nothing-shared"):
        icc(accord.Ratings.from_rows([[1, None, 2], [None, 2, 2]]))
    some = icc(accord.Ratings.from_rows([[1, 2], [3, 3], [5, 4], [2, None]]))
    assert some.n == 3
    assert "left out" in some.details["notes"][0]
    assert icc(accord.Ratings.from_rows([[2, 2], [2, 2]])).undefined is not None


def test_icc_form_1_accepts_different_annotators_per_item() -> None:
    rng = np.random.default_rng(6)
    rows = np.round(rng.normal(0, 1, (30, 1)) + rng.normal(0, 1, (30, 3)), 2)
    scattered: list[list[object]] = [[None] * 9 for _ in rows]
    for line, row in zip(scattered, rows, strict=True):
        for g, x in zip(rng.choice(9, 3, replace=False), row, strict=True):
            line[g] = x
    for form in ("1", "1k"):
        same, found = icc(rows, form=form), icc(scattered, form=form)
        assert found.value == pytest.approx(same.value, abs=1e-12)
        assert same.interval is not None
        assert found.interval is not None
        assert (found.interval.low, found.interval.high) == pytest.approx((same.interval.low, same.interval.high))
        assert found.p == pytest.approx(same.p)
    counts = accord.Ratings.from_counts([[2, 0, 1], [0, 3, 0], [1, 1, 1]], [1, 2, 3])
    assert icc(counts, form=1).value == pytest.approx(icc([[1, 1, 3], [2, 2, 2], [1, 2, 3]], form=1).value)
    with raises("nothing-shared"):
        icc(scattered)
    with raises("nothing-shared"):
        icc([[1, None], [None, 2]], form=1)


def test_icc_form_1_with_different_numbers_of_ratings_by_hand() -> None:
    rows = [[1, 2, None, None], [None, 4, 5, 6], [3, None, None, 3], [7, 8, 8, 9], [2, None, None, None]]
    groups = [[x for x in row if x is not None] for row in rows[:4]]
    found = icc(rows, form=1)
    f = stats.f_oneway(*groups)
    sizes = np.array([len(g) for g in groups])
    k0 = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / 3
    assert found.value == pytest.approx((f.statistic - 1) / (f.statistic + k0 - 1))
    assert found.p == pytest.approx(f.pvalue)
    assert found.details["ratings_per_item"] == pytest.approx(k0)
    assert found.details["notes"] == ["1 item with one rating only left out"]
    assert icc(rows, form="1k").value == pytest.approx(1 - 1 / f.statistic)
    drawn = icc(rows, form=1, interval="bootstrap").interval
    assert drawn is not None


def test_a_measure_that_refuses_the_data_does_not_stop_the_others() -> None:
    gaps = [[1, 2, None], [None, 3, 3], [5, None, 4], [2, 2, None]]
    found = accord.score(gaps, ["icc", "icc(form=1)", "alpha"])
    without = found["icc(form=2)"]
    assert math.isnan(without.value)
    assert "all 3 annotators" in str(without.undefined)
    assert without.signature.startswith("accord ")
    assert without.to_dict()["value"] is None
    assert found["alpha(distance=ordinal)"].undefined is None
    assert (
        found.tables()[0].notes[0].startswith("icc(form=2) is undefined: icc needs items that all 3 annotators rated")
    )
    with raises("nothing-shared"):
        accord.score(gaps, ["icc", "lin"])
    with raises("nothing-shared"):
        accord.score(gaps, "icc")
    assert set(accord.icc_forms(gaps)) == set(FORMS)


def test_repetitions_in_columns_equal_repetitions_in_rows() -> None:
    """Ana_1 and Ana_2 in a wide table equal two rows of the same item and annotator in a long one."""
    rng = np.random.default_rng(8)
    wide: dict[str, list[object]] = {"item": [f"i{k}" for k in range(40)]}
    rows: list[tuple[str, str, int]] = []
    for who in ("Ana", "Ben"):
        first = rng.integers(1, 5, 40)
        second = np.where(rng.random(40) < 0.7, first, rng.integers(1, 5, 40))
        wide |= {f"{who}_1": first.tolist(), f"{who}_2": second.tolist()}
        for labels in (first, second):
            rows += [(f"i{k}", who, int(label)) for k, label in enumerate(labels)]
    wide["Eva"] = [1] * 40
    long = dict(zip(("item", "annotator", "label"), (list(column) for column in zip(*rows, strict=True)), strict=True))
    for spec in ("alpha", "icc", "icc(form=1)", "kappa(weights=linear)"):
        one, other = intra(wide, spec), intra(long, spec)
        assert one.score.value == pytest.approx(other.score.value, abs=1e-12)
        assert one.score.se == pytest.approx(other.score.se, abs=1e-12)
        assert one.score.interval is not None
        assert one.score.details["clusters"] == 40
        assert one.annotators["Ana"].value == pytest.approx(other.annotators["Ana"].value, abs=1e-12)
        assert one.annotators["Eva"].undefined == "labels no item twice"
    with raises("nothing-shared"):
        intra({"item": [1, 2, 3], "rater_1": ["a", "b", "a"], "rater_2": ["a", "b", "b"]})


def test_jackknife_over_items_is_close_to_linearisation() -> None:
    found = score_data(numbers(9, 60, 2)[1], accord.measure("alpha(distance=interval)"), Settings("none"), Run())
    code = np.arange(60) // 3
    by_hand, linear = _left_out(found, code, Run()), _linearised(found, code, 20)
    assert by_hand is not None
    assert linear is not None
    assert by_hand[0] == pytest.approx(linear[0], rel=0.25)


def test_names_may_contain_the_word_by() -> None:
    rows = [(item, who, "xy"[(k + t * (k == 3)) % 2])
            for k, (item, who) in enumerate([("song", "X by Y"), ("song by X", "Y"), ("tale", "Y"), ("ode", "X by Y")])
            for t in range(2)]  # fmt: skip
    long = dict(zip(("item", "annotator", "label"), (list(column) for column in zip(*rows, strict=True)), strict=True))
    found = intra(long)
    assert list(found.annotators) == ["X by Y", "Y"]
    assert found.score.details["clusters"] == 4
    assert found.annotators["Y"].n == 2


def test_intra_of_units_is_clustered_by_document() -> None:
    rng = np.random.default_rng(10)
    rows = []
    for doc in range(6):
        for who in ("Ana", "Ben"):
            starts = np.cumsum(rng.integers(5, 15, 6))
            for trial in (1, 2):
                for k, start in enumerate(starts + (trial == 2) * rng.integers(0, 3, 6)):
                    rows.append((f"d{doc}", f"{who}_{trial}", int(start), int(start) + 4, "ab"[k % 2]))
    columns = ("doc", "annotator", "start", "end", "label")
    data = accord.read(dict(zip(columns, (list(column) for column in zip(*rows, strict=True)), strict=True)))
    found = intra(data, "gamma(samples=10,precision=0.2)")
    assert found.score.n == 12
    assert found.score.details["clusters"] == 6
    assert found.score.interval is not None
    assert found.score.interval.method == "clustered by document"
    alone = accord.gamma(data.only_annotators(["Ana_1", "Ana_2"]), samples=10, precision=0.2)
    assert found.annotators["Ana"].value == alone.value
    assert found.tables()[0].columns[-1] == "documents"
