"""BCa, jackknife, blocks; the two sources of error of γ; and that every measure can be drawn again."""

from __future__ import annotations

import pickle
from dataclasses import replace

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
    """What resampling works on gives the value itself where everything counts once."""
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
    assert accord.measure("kappa").observe(data, Run()) is found  # the same distance: compared once
    assert "memo" not in pickle.loads(pickle.dumps(data)).__dict__  # noqa: S301
    assert accord.measure("alpha").observe(replace(data), Run()) is not found


def test_bca_is_that_of_scipy() -> None:
    """The mean of numbers, by way of percent agreement of two annotators."""
    rng = np.random.default_rng(3)
    agree = (rng.random(60) < 0.85).astype(int)
    data = accord.Ratings.from_rows(np.column_stack([np.zeros(60, int), 1 - agree]))
    score = accord.percent(data, interval="bca", replicates=5000)
    want = stats.bootstrap((agree,), np.mean, n_resamples=5000, method="BCa", random_state=1).confidence_interval
    assert score.interval is not None
    assert (score.interval.low, score.interval.high) == pytest.approx((want.low, want.high), abs=0.02)


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    agree = (np.random.default_rng(3).random(50) < 0.8).astype(int)
    data = accord.Ratings.from_rows(np.column_stack([np.zeros(50, int), 1 - agree]))
    score = accord.percent(data, interval="jackknife")
    assert score.se == pytest.approx(agree.std(ddof=1) / np.sqrt(50), rel=1e-9)
    assert score.details["jackknife"]["left_out"] == 50
    wide = np.random.default_rng(1).integers(0, 9, (3000, 12))  # too many kinds of items: groups are left out
    grouped, plain = (accord.alpha(accord.Ratings.from_rows(wide), interval=m) for m in ("jackknife", "linearised"))
    assert grouped.se == pytest.approx(plain.se, rel=0.2)


def test_gamma_tells_documents_from_chance() -> None:
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
def test_text_gamma_tells_documents_from_chance(base: bool) -> None:
    data = texts(1, docs=15, base=base)
    for method in ("bootstrap", "jackknife"):
        score = accord.text_gamma(data, interval=method, samples=10, precision=0.1)
        facts = score.details[method]
        assert facts["se_chance"] > 0
        assert facts["se_documents"] > facts["se_chance"]
        assert score.se == pytest.approx(np.hypot(facts["se_documents"], facts["se_chance"]), rel=0.06)


def test_the_bootstrap_of_text_gamma_samples_less_than_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """How chance follows the rates takes random texts of its own: fewer than the value took."""
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
def test_the_default_says_something_about_the_data(spec: str) -> None:
    make = texts if spec == "text_gamma" else units
    score = accord.score(make(3, docs=20), spec, replicates=200)
    assert score.interval is not None
    assert score.interval.method == "bootstrap"
    assert "bootstrap 0.95 200 replicates" in score.signature
    assert "interval" not in score.details
    few = accord.score(make(3, docs=6), spec, replicates=200)
    assert few.details["interval"].startswith("6 documents: an interval from so few")


@pytest.mark.parametrize("spec", ["gamma", "text_gamma", "u_alpha", "f1", "theta"])
def test_one_document_explains_its_missing_interval(spec: str) -> None:
    score = accord.score((texts if spec == "text_gamma" else units)(3, docs=1), spec)
    if spec in {"gamma", "text_gamma"}:
        assert score.interval is not None
        assert score.interval.method == "monte_carlo"
        assert "| monte_carlo 0.95 |" in score.signature
        assert "chance alone" in score.details["interval"]
    else:
        assert score.interval is None
        assert "--interval blocks" in score.details["interval"]


def test_places_of_a_segmentation_are_drawn_by_document() -> None:
    """Places of one text hang together: ten copies of each document's places are no more knowledge."""
    data = segmentations(1, docs=12)
    drawn = accord.alpha_boundaries(data, interval="bootstrap", replicates=400)
    left = accord.alpha_boundaries(data, interval="jackknife")
    assert drawn.se == pytest.approx(left.se, rel=0.25)


def test_two_thousand_replicates_of_gamma_align_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = observations(monkeypatch)
    score = accord.gamma(units(5, docs=20), interval="bootstrap", replicates=2000)
    assert score.interval is not None
    assert len(runs) == 1


@pytest.mark.parametrize("spec", ["gamma", "u_alpha", "bar_u_alpha", "f1", "ser", "kappa_d"])
def test_stretches_of_one_long_continuum(spec: str) -> None:
    data = units(6, docs=1, length=6000)
    said = accord.score(data, spec, interval="bootstrap")
    assert said.interval is None
    assert "one document has no spread" in said.details["interval"]
    assert "--interval blocks" in said.details["interval"]
    score = accord.score(data, spec, interval="blocks", replicates=400)
    assert score.interval is not None, score.details
    assert score.interval.low < score.value < score.interval.high
    assert score.details["blocks"]["stretches"] >= 8
    assert "assumes that they are alike" in score.details["interval"]
    # As wide as the spread of documents of that length says, within the luck of one continuum.
    many = accord.score(units(7, docs=20), spec, interval="bootstrap", replicates=400)
    assert score.se == pytest.approx(many.se, rel=0.8)


@pytest.mark.parametrize("spec", ["gamma", "alpha_u", "theta"])
def test_an_interval_of_stretches_ends_at_one(spec: str) -> None:
    """Annotators who agree but in one place. Stretches are compared on their own, which moves all values a little."""
    rows = [("d", who, 40 * k, 40 * k + 10, "xy"[k % 2]) for who in "AB" for k in range(120) if (who, k) != ("B", 60)]
    made = {name: [row[j] for row in rows] for j, name in enumerate(("doc", "annotator", "start", "end", "label"))}
    score = accord.score(made, spec, interval="blocks", replicates=200)
    assert score.interval is not None
    assert 0.9 < score.interval.low < score.value < score.interval.high <= 1.0


def test_where_there_are_no_stretches() -> None:
    assert "several documents" in accord.u_alpha(units(1), interval="blocks").details["interval"]
    assert "too few" in accord.u_alpha(units(1, docs=1), interval="blocks").details["interval"]
    assert "for units" in accord.alpha(ratings(1), interval="blocks").details["interval"]
    one = accord.read({"annotator": ["A", "B"], "start": [0, 1], "end": [10, 9], "label": ["x", "y"]})
    assert isinstance(one, accord.Corpus)
    with pytest.raises(NotHere, match="nowhere to cut"):
        cut_into(one, 10)


def test_common_correlation_is_for_two_by_two() -> None:
    assert "two annotators and two categories" in accord.pi(ratings(1), interval="donner_eliasziw").details["interval"]
    data = accord.Ratings.from_confusion([[20, 8], [7, 65]], ["yes", "no"])
    score, normal = accord.pi(data, interval="donner_eliasziw"), accord.pi(data)
    assert score.interval is not None
    assert normal.interval is not None
    assert score.interval.low == pytest.approx(normal.interval.low, abs=0.06)
    assert "no formula" in accord.pi(data, interval="formula").details["interval"]
