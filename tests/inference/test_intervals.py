"""Bootstrap, BCa, jackknife and blocks for all measures; the two sources of error of γ."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import accord
from accord.core.arrays import Floats
from accord.core.context import Run
from accord.measures.catalogue import MEASURES, measure
from accord.measures.chance.text_edits import EditRates
from accord.measures.intervals.cases import NotHere
from accord.measures.intervals.methods import INTERVALS
from accord.measures.intervals.resampled import cut_into
from accord.measures.measure import Measure
from accord.measures.texts import sampled_texts
from accord.measures.texts.differences import Prepared

from ..cases import for_each
from .studies import chains, observations, ratings, segmentations, texts, units

MADE = {"items": ratings, "units": units, "segmentations": segmentations, "texts": texts, "chains": chains}


@pytest.mark.parametrize("cls", MEASURES, ids=lambda cls: cls.name)
def test_every_measure_has_intervals(cls: type) -> None:
    data = MADE[cls.data](1)
    spec = {"gamma_k": "gamma_k(category=x)", "text_gamma": "text_gamma(samples=10,precision=0.1)"}.get(
        cls.name, cls.name
    )
    for method in ("bootstrap", "bca", "jackknife"):
        score = accord.score(data, spec, interval=method, replicates=200)
        assert score.interval is not None, (method, score.details)
        assert score.interval.method == method
        low, high = score.interval.low, score.interval.high
        assert low < high
        assert low - 0.05 < score.value < high + 0.05
        assert accord.score(data, spec, interval=method, replicates=200).interval == score.interval


@pytest.mark.parametrize("cls", MEASURES, ids=lambda cls: cls.name)
def test_resampling_evidence_with_weights_of_one_gives_the_value(cls: type) -> None:
    """With weights of one, the resampled value is the value."""
    data, chosen = MADE[cls.data](2), measure(cls.name)
    evidence = chosen.observe(data, Run())
    found = chosen.sampled(evidence, Run())
    assert found is not None
    assert found.value == pytest.approx(chosen.estimate(evidence).value, abs=1e-12)
    if cls.data != "items":
        assert set(found.names) == set(data.docs)


@for_each("cls", MEASURES)
def test_measures_name_methods_that_exist(cls: type[Measure]) -> None:
    named = {cls.default_interval, cls.interval_of_one or "none", *cls.special_intervals}
    assert named <= set(INTERVALS)


def test_memo_of_measures_is_shared_but_not_pickled() -> None:
    data = ratings(1)
    accord.score(data, "alpha")
    found = accord.measure("alpha").observe(data, Run())
    assert accord.measure("kappa").observe(data, Run()) is found  # the same distance: computed once
    assert "memo" not in pickle.loads(pickle.dumps(data)).__dict__  # noqa: S301
    assert accord.measure("alpha").observe(replace(data), Run()) is not found


def test_bca_interval_equals_scipy() -> None:
    """Percent agreement of two annotators is a mean of numbers."""
    rng = np.random.default_rng(3)
    agree = (rng.random(60) < 0.85).astype(int)
    data = accord.Ratings.from_rows(np.column_stack([np.zeros(60, int), 1 - agree]))
    score = accord.percent(data, interval="bca", replicates=5000)
    want = stats.bootstrap((agree,), np.mean, n_resamples=5000, method="BCa", random_state=1).confidence_interval
    assert score.interval is not None
    assert (score.interval.low, score.interval.high) == pytest.approx((want.low, want.high), abs=0.02)


def test_jackknife_error_of_a_mean_is_its_standard_error() -> None:
    agree = (np.random.default_rng(3).random(50) < 0.8).astype(int)
    data = accord.Ratings.from_rows(np.column_stack([np.zeros(50, int), 1 - agree]))
    score = accord.percent(data, interval="jackknife")
    assert score.se == pytest.approx(agree.std(ddof=1) / np.sqrt(50), rel=1e-9)
    assert score.details["jackknife"]["left_out"] == 50
    wide = np.random.default_rng(1).integers(
        0, 9, (3000, 12)
    )  # too many kinds of items: the jackknife leaves out groups
    grouped, plain = (accord.alpha(accord.Ratings.from_rows(wide), interval=m) for m in ("jackknife", "linearised"))
    assert grouped.se == pytest.approx(plain.se, rel=0.2)


def test_gamma_separates_error_of_documents_and_of_chance() -> None:
    data = units(1, docs=15)
    score = accord.gamma(data, interval="bootstrap", samples=5, precision=0.2)
    facts = score.details["bootstrap"]
    assert score.se == pytest.approx(np.hypot(facts["se_documents"], facts["se_chance"]), rel=0.05)
    assert facts["se_chance"] > 0
    fine = accord.gamma(data, interval="bootstrap", precision=0.005)
    assert fine.details["bootstrap"]["se_chance"] < facts["se_chance"]
    left = accord.gamma(data, interval="jackknife").details["jackknife"]
    assert left["se_documents"] == pytest.approx(fine.details["bootstrap"]["se_documents"], rel=0.4)


@pytest.mark.parametrize("base", [True, False])
def test_text_gamma_separates_error_of_documents_and_of_chance(base: bool) -> None:
    data = texts(1, docs=15, base=base)
    for method in ("bootstrap", "jackknife"):
        score = accord.text_gamma(data, interval=method, samples=10, precision=0.1)
        facts = score.details[method]
        assert facts["se_chance"] > 0
        assert facts["se_documents"] > facts["se_chance"]
        assert score.se == pytest.approx(np.hypot(facts["se_documents"], facts["se_chance"]), rel=0.06)


def test_bootstrap_of_text_gamma_needs_fewer_samples_than_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bootstrap needs extra random texts for other rates: fewer than the value needed."""
    drawn: list[int] = []
    by_chance = sampled_texts._by_chance

    def counted(ready: Prepared, rates: EditRates, samples: int, run: Run) -> Floats:
        drawn.append(samples)
        return by_chance(ready, rates, samples, run)

    monkeypatch.setattr(sampled_texts, "_by_chance", counted)
    score = accord.text_gamma(texts(1, docs=15), samples=60, precision=0.1)
    assert score.interval is not None
    assert 0 < sum(drawn) < 60


@pytest.mark.parametrize("spec", ["gamma", "gamma_cat", "u_alpha", "theta", "ser", "kappa_d", "text_gamma", "alpha_u"])
def test_default_interval_is_a_bootstrap_of_documents(spec: str) -> None:
    make = texts if spec == "text_gamma" else units
    score = accord.score(make(3, docs=20), spec, replicates=200)
    assert score.interval is not None
    assert score.interval.method == "bootstrap"
    assert "bootstrap 0.95 200 replicates" in score.signature
    assert "interval" not in score.details
    few = accord.score(make(3, docs=6), spec, replicates=200)
    assert few.details["interval"].startswith("only 6 documents: the interval may be too short")


@pytest.mark.parametrize("spec", ["gamma", "text_gamma", "u_alpha", "f1", "theta"])
def test_one_document_has_monte_carlo_or_no_interval_with_a_reason(spec: str) -> None:
    score = accord.score((texts if spec == "text_gamma" else units)(3, docs=1), spec)
    if spec in {"gamma", "text_gamma"}:
        assert score.interval is not None
        assert score.interval.method == "monte_carlo"
        assert "| monte_carlo 0.95 |" in score.signature
        assert "Monte Carlo error only" in score.details["interval"]
    else:
        assert score.interval is None
        assert "--interval blocks" in score.details["interval"]


def test_places_of_a_segmentation_are_clustered_by_document() -> None:
    """Places of one text are correlated, so bootstrap and jackknife resample documents."""
    data = segmentations(1, docs=12)
    drawn = accord.alpha_boundaries(data, interval="bootstrap", replicates=400)
    left = accord.alpha_boundaries(data, interval="jackknife")
    assert drawn.se == pytest.approx(left.se, rel=0.25)


def test_bootstrap_of_gamma_aligns_documents_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = observations(monkeypatch)
    score = accord.gamma(units(5, docs=20), interval="bootstrap", replicates=2000)
    assert score.interval is not None
    assert len(runs) == 1


@pytest.mark.parametrize("spec", ["gamma", "u_alpha", "bar_u_alpha", "f1", "ser", "kappa_d"])
def test_blocks_give_an_interval_of_one_long_continuum(spec: str) -> None:
    data = units(6, docs=1, length=6000)
    alone = accord.score(data, spec, interval="bootstrap")
    assert alone.interval is None
    assert "an interval needs at least two documents" in alone.details["interval"]
    assert "--interval blocks" in alone.details["interval"]
    score = accord.score(data, spec, interval="blocks", replicates=400)
    assert score.interval is not None, score.details
    assert score.interval.low < score.value < score.interval.high
    assert score.details["blocks"]["stretches"] >= 8
    assert "assumes that they are similar and independent" in score.details["interval"]
    # About as large as the error of documents of that length; one continuum varies.
    many = accord.score(units(7, docs=20), spec, interval="bootstrap", replicates=400)
    assert score.se == pytest.approx(many.se, rel=0.8)


@pytest.mark.parametrize("spec", ["gamma", "alpha_u", "theta"])
def test_interval_of_blocks_does_not_exceed_1(spec: str) -> None:
    """Annotators agree except in one place. Separate blocks change all values slightly."""
    rows = [("d", who, 40 * k, 40 * k + 10, "xy"[k % 2]) for who in "AB" for k in range(120) if (who, k) != ("B", 60)]
    made = {name: [row[j] for row in rows] for j, name in enumerate(("doc", "annotator", "start", "end", "label"))}
    score = accord.score(made, spec, interval="blocks", replicates=200)
    assert score.interval is not None
    assert 0.9 < score.interval.low < score.value < score.interval.high <= 1.0


def test_missing_interval_of_blocks_is_explained() -> None:
    assert "it is for a single document" in accord.u_alpha(units(1), interval="blocks").details["interval"]
    assert "too few" in accord.u_alpha(units(1, docs=1), interval="blocks").details["interval"]
    assert "it needs units on a continuum" in accord.alpha(ratings(1), interval="blocks").details["interval"]
    one = accord.read({"annotator": ["A", "B"], "start": [0, 1], "end": [10, 9], "label": ["x", "y"]})
    assert isinstance(one, accord.Corpus)
    with pytest.raises(NotHere, match="no position without units at which to cut"):
        cut_into(one, 10)


def test_donner_eliasziw_needs_two_annotators_and_two_categories() -> None:
    assert "two annotators and two categories" in accord.pi(ratings(1), interval="donner_eliasziw").details["interval"]
    data = accord.Ratings.from_confusion([[20, 8], [7, 65]], ["yes", "no"])
    score, normal = accord.pi(data, interval="donner_eliasziw"), accord.pi(data)
    assert score.interval is not None
    assert normal.interval is not None
    assert score.interval.low == pytest.approx(normal.interval.low, abs=0.06)
    assert "no formula" in accord.pi(data, interval="formula").details["interval"]


MISSING: list[list[Any]] = [["a", "b"], ["b", "a"], ["a", "b"], *[["a", None]] * 6, *[[None, "a"]] * 3]
GAPS: list[list[Any]] = [["a", "a"], ["b", "b"], ["a", "b"], *[["a", None]] * 8]
OPPOSITE: list[list[Any]] = [["a", "b"], ["b", "a"], ["a", "b"], ["b", "a"]]
NUMBERS: list[list[Any]] = [[1, 5], [5, 1], [1, 4], [1, 1], [5, 2], [5, 5]]


@pytest.mark.parametrize("method", [name for name in INTERVALS if name != "none"])
@pytest.mark.parametrize("rows", [MISSING, GAPS, OPPOSITE, NUMBERS], ids=["missing", "gaps", "opposite", "numbers"])
def test_every_method_keeps_the_interval_in_the_range_of_the_measure(method: str, rows: list[list[Any]]) -> None:
    specs = ["percent", "s", "pi", "kappa", "alpha", "ac", "pi(weights=linear)", "alpha(distance=nominal)"]
    if rows is NUMBERS:
        specs += ["icc", 'icc(form="2k")', 'icc(form="3k")', "lin", "cronbach", "alpha(distance=interval)"]
    for spec in specs:
        score = accord.score(rows, spec, interval=method, level=0.99)
        if score.interval is None:
            continue
        lowest = accord.measure(spec).lowest
        assert score.interval.low >= min(lowest, score.value), spec
        assert score.interval.high <= 1, spec


def test_irrcac_interval_of_a_value_below_the_range_begins_at_the_value() -> None:
    """Three disagreements and nine single labels a: the share of b is 1/8, so A_o is 0 and A_e is 25/32."""
    score = accord.pi(MISSING, interval="irrcac")
    assert score.value == pytest.approx(-25 / 7)
    assert score.interval is not None
    assert score.interval.low == score.value


def test_error_measures_have_no_upper_limit() -> None:
    rows = [("A", 0, 5), ("B", 0, 5), ("B", 6, 9), ("B", 10, 12)]
    columns: dict[str, list[Any]] = {"doc": [], "annotator": [], "start": [], "end": []}
    for doc in "abc":
        for who, start, end in rows:
            for name, cell in zip(columns, (doc, who, start, end), strict=True):
                columns[name].append(cell)
    score = accord.ser(columns, interval="jackknife")
    assert score.value > 1
    assert score.interval is not None
    assert score.interval.high >= score.value
