"""γ: options, invariances, parts of the disorder, a reference."""

from __future__ import annotations

import math
import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest

import accord
from accord.measures.chance.expected import expected_disorder
from accord.measures.units.gamma import Gamma

from ...cases import for_each
from ...refusals import raises
from .noisy import CORPUS, EXTENTS, QUICK, ROWS, corpus_of, noisy, same

SAMPLED = pytest.mark.parametrize(
    "spec",
    [
        f"gamma(chance=shift,{QUICK})",
        f"gamma(chance=mix,{QUICK})",
        f"gamma(chance=shift,soft=true,{QUICK})",
        "gamma_cat",
        "gamma_cat(chance=shift,samples=8)",
        "gamma_cat(chance=mix,samples=8)",
        "gamma_k(category=b)",
    ],
)


def test_named_nominal_distance_differs_from_the_default() -> None:
    assert accord.measure("gamma(distance=nominal)") != accord.measure("gamma")


def far(u: Any, v: Any) -> Any:
    return np.abs(u.start - v.start) / 5


def test_custom_dissimilarity_is_named_but_cannot_be_parsed() -> None:
    measure = Gamma(dissimilarity=accord.dissimilarity(far, delta=2, reach=3))
    assert str(measure) == "gamma(dissimilarity=dissimilarity(far,delta=2,reach=3))"
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301
    with raises("measure-option"):
        accord.measure(str(measure))
    assert accord.score(CORPUS, measure).measure == str(measure)


@pytest.mark.parametrize(
    "function",
    [
        lambda u, v: np.abs(u.start - v.start) + 1,  # not 0 on equal units
        lambda u, v: np.maximum(u.start - v.start, 0),  # not symmetric
        lambda u, v: u.start - v.start,  # negative
        lambda u, v: (u.start - v.start) * np.nan,
        lambda u, v: np.abs(u.start - v.start).sum(),  # one number for all pairs
    ],
)
def test_invalid_dissimilarity_function_is_refused(function: Any) -> None:
    with pytest.raises(accord.SpecError):
        accord.gamma(CORPUS, dissimilarity=accord.dissimilarity(function))


def test_invalid_arguments_of_dissimilarity_are_refused() -> None:
    for wrong in (3, None, "far"):
        with pytest.raises(accord.SpecError):
            accord.dissimilarity(wrong)  # type: ignore[arg-type]
    for options in ({"delta": 0}, {"delta": -1}, {"delta": float("nan")}, {"reach": 0}):
        with pytest.raises(accord.SpecError):
            accord.dissimilarity(far, **options)
    with raises("measure-option"):
        accord.gamma(CORPUS, dissimilarity=far)
    with raises("measure-option"):
        accord.gamma(CORPUS, dissimilarity=accord.dissimilarity(far), positional=2)
    with raises("measure-option"):
        accord.gamma_cat(CORPUS, dissimilarity=accord.dissimilarity(far))


def test_delta_of_custom_dissimilarity_must_be_a_number() -> None:
    with pytest.raises(accord.SpecError):
        accord.dissimilarity(far, delta="x")  # type: ignore[arg-type]


@for_each(
    "wrong",
    [
        "delta=0", "delta=-1", "precision=0", "precision=1", "precision=-0.1", "samples=1", "samples=2.5", "soft=1",
        "positional=-1", "positional=0,categorical=0", "chance=shuffle", "f_cat=flat", "distance=ordnal",
        "dissimilarity=far", "delta=many", "samples=true",
    ],
)  # fmt: skip
def test_wrong_options_are_refused_when_parsed(wrong: str) -> None:
    with pytest.raises(accord.SpecError):
        accord.measure(f"gamma({wrong})")


def test_integer_and_decimal_positions_have_similar_chance() -> None:
    """Samples have integer positions if the data have, so halved positions give other samples."""
    whole = [(d, who, round(s), round(s) + max(1, round(e - s)), label) for d, who, s, e, label in ROWS]
    halves = [(d, who, s / 2, e / 2, label) for d, who, s, e, label in whole]
    one, other = (accord.score(corpus_of(rows), "gamma(chance=shift)") for rows in (whole, halves))
    assert one.observed == pytest.approx(other.observed, abs=1e-12)
    assert one.expected == pytest.approx(other.expected, rel=0.05)
    doubled = corpus_of([(d, who, 2 * s, 2 * e, label) for d, who, s, e, label in whole])
    assert accord.score(doubled, "gamma(chance=shift)").expected == pytest.approx(one.expected, rel=0.05)


def test_division_of_samples_into_tasks_does_not_change_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = (f"gamma(chance=shift,{QUICK})", "gamma_cat(chance=shift,samples=8)", "gamma_k(chance=shift,category=b)")
    together = [accord.score(CORPUS, spec, seed=3) for spec in specs]
    monkeypatch.setattr("accord.measures.chance.sampling._UNITS_AT_ONCE", 1)
    for spec, score in zip(specs, together, strict=True):
        same(accord.score(CORPUS, spec, seed=3), score)


def test_workers_align_documents_of_many_annotators_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = corpus_of(noisy(docs=4, annotators=7))
    alone = accord.score(corpus, "gamma(samples=2,precision=0.9)", jobs=1)
    monkeypatch.setattr("accord.core.parallel._PATIENCE", 1e-4)
    monkeypatch.setattr("accord.core.parallel._WORTH_IT", 0.0)
    both = accord.score(corpus_of(noisy(docs=4, annotators=7)), "gamma(samples=2,precision=0.9)", jobs=2)
    assert both == alone
    assert both.details["gap"] == 0


@SAMPLED
def test_score_reports_its_observed_and_expected_parts(spec: str) -> None:
    score = accord.score(CORPUS, spec, seed=3, interval="none")
    assert score.value == pytest.approx(1 - score.observed / score.expected)
    details = score.details
    assert details["gap"] == 0
    assert (details["documents"], details["documents_compared"], details["units"]) == (4, 4, len(ROWS))
    assert (details["annotators"], details["categories"], details["distance"]) == (3, 3, "nominal")
    assert details["left_out"] == {"one_annotator": 0, "nothing_marked": 0}
    assert details["chance"] in {"shift", "mix", "frequencies"}
    assert f"chance={details['chance']}" in spec or details["chance"] == "frequencies"


def test_monte_carlo_interval_covers_values_of_other_seeds() -> None:
    shifts = partial(accord.gamma, CORPUS, chance="shift")  # mixed, four documents have few combinations
    score = shifts(seed=3, interval="monte_carlo")
    assert score.interval is not None
    assert (score.interval.method, score.interval.level) == ("monte_carlo", 0.95)
    assert score.interval.low < score.value < score.interval.high
    assert score.n == 4
    assert score.details["samples"] >= 30
    assert score.details["chance_gap"] == 0
    assert score.details["precision"] == 0.02
    wide = shifts(seed=3, level=0.99, interval="monte_carlo").interval
    assert wide is not None
    assert wide.high - wide.low > score.interval.high - score.interval.low
    others = [shifts(seed=seed).value for seed in range(20, 32)]
    inside = sum(score.interval.low <= value <= score.interval.high for value in others)
    assert inside >= 7  # both sides sample: 83% of 12 on average


def test_bootstrap_interval_needs_several_documents() -> None:
    score = accord.gamma(CORPUS, replicates=300, seed=3)
    assert score.interval is not None
    assert (score.interval.method, score.details["bootstrap"]["replicates"]) == ("bootstrap", 300)
    assert score.interval.low < score.value < score.interval.high
    plain = accord.gamma(CORPUS, seed=3)
    assert score.value == plain.value
    one = accord.gamma(CORPUS["d0"], interval="bootstrap", seed=3)
    assert one.interval is None
    assert "an interval needs at least two documents" in one.details["interval"]


def test_monte_carlo_interval_needs_sampled_chance() -> None:
    asked = accord.gamma_cat(CORPUS, interval="monte_carlo")
    assert asked.interval is None
    assert "does not sample chance" in asked.details["interval"]
    assert "it needs a coefficient on items" in accord.gamma(CORPUS, interval="linearised").details["interval"]


def test_single_document_scores_like_a_corpus() -> None:
    alone = accord.gamma(CORPUS["d1"], seed=3)
    rows = [row for row in ROWS if row[0] == "d1"]
    same(alone, accord.gamma(corpus_of(rows, extents={"d1": EXTENTS["d1"]}), seed=3))
    assert alone.observed == pytest.approx(accord.gamma(CORPUS).parts["document"]["d1"].observed)


@pytest.mark.parametrize("options", ["", "soft=true,", "categorical=0,", "delta=2,distance=ordinal,"])
def test_parts_sum_to_the_total_disorder(options: str) -> None:
    uneven = [row for row in ROWS if (row[0], row[1]) != ("d2", "A1")]
    uneven += [("d2", "A3", 5.5, 9.5, None), ("d3", "A0", 200.5, 204.5, None)]
    looked = {f"d{d}": ["A0", "A1", "A2"] for d in range(4)} | {"d2": ["A0", "A2", "A3"]}
    corpus = corpus_of(uneven, judged=looked)
    score = accord.score(corpus, f"gamma({options}chance=shift,{QUICK})")
    total = float(accord.align(corpus, f"gamma({options}chance=shift)").disorder.sum())
    assert set(score.parts) == {"category", "annotator", "pair", "document"}
    for by, parts in score.parts.items():
        assert sum(part.details["disorder"] for part in parts.values()) == pytest.approx(total), by
        assert sum(part.details["share"] for part in parts.values()) == pytest.approx(1), by
        for part in parts.values():
            assert part.value == pytest.approx(1 - part.observed / part.expected)  # type: ignore[operator]
    assert set(score.parts["category"]) == {"a", "b", "c", "(no label)"}
    assert set(score.parts["annotator"]) == {"A0", "A1", "A2", "A3"}
    assert set(score.parts["pair"]) == {"A0 – A1", "A0 – A2", "A1 – A2", "A0 – A3", "A2 – A3"}
    for by in ("category", "annotator", "document"):
        assert sum(part.n for part in score.parts[by].values()) == len(corpus), by


@pytest.mark.parametrize("annotators", [2, 3, 5])
def test_in_one_document_gamma_is_the_mean_over_pairs(annotators: int) -> None:
    score = accord.score(corpus_of(noisy(1, annotators)), f"gamma({QUICK})")
    pairs = [part.value for part in score.parts["pair"].values()]
    assert len(pairs) == annotators * (annotators - 1) // 2
    assert np.mean(pairs) == pytest.approx(score.value)
    each = [part.value for part in score.parts["annotator"].values()]
    assert np.mean(each) == pytest.approx(score.value)
    (document,) = score.parts["document"].values()
    assert document.value == pytest.approx(score.value)


def test_pooled_gamma_divides_summed_disorder_by_summed_units() -> None:
    score = accord.score(CORPUS, f"gamma(chance=shift,{QUICK})")
    parts = score.parts["document"]
    weight = {doc: len(CORPUS[doc]) / 3 for doc in parts}
    for kind in ("observed", "expected"):
        pooled = sum(weight[doc] * getattr(part, kind) for doc, part in parts.items()) / sum(weight.values())
        assert getattr(score, kind) == pytest.approx(pooled)


def test_alignment_has_the_disorder_of_the_score() -> None:
    found = accord.align(CORPUS)
    score = accord.gamma(CORPUS)
    assert score.observed == pytest.approx(float(found.disorder.sum()) / (len(ROWS) / 3))
    assert score.details["unitary_alignments"] == len(found)
    causes = {name: float(cost.sum()) for name, cost in found.causes.items()}
    assert set(causes) == {"position", "category", "absence"}
    assert sum(causes.values()) == pytest.approx(float(found.disorder.sum()))
    worst = found.worst(3)
    assert [one.disorder for one in worst] == sorted(found.disorder.tolist(), reverse=True)[:3]


@for_each("seed", range(4))
def test_soft_alignment_has_no_more_disorder_than_hard(seed: int) -> None:
    for annotators in (2, 3, 4):
        corpus = corpus_of(noisy(2, annotators, seed))
        hard, soft = (float(accord.align(corpus, spec).disorder.sum()) for spec in ("gamma", "gamma(soft=true)"))
        assert soft <= hard + 1e-9


def test_gamma_against_reference_is_mean_over_other_annotators() -> None:
    score = accord.gamma(CORPUS, reference="A1", seed=3)
    others = score.parts["annotator"]
    assert set(others) == {"A0", "A2"}
    assert score.value == pytest.approx(np.mean([part.value for part in others.values()]))
    assert score.details["reference"] == "A1"
    assert score.details["compared_with"] == ["A0", "A2"]
    for name, part in others.items():
        pair = accord.gamma(CORPUS.only_annotators(("A1", name)), seed=3)
        assert (part.value, part.observed, part.expected) == (pair.value, pair.observed, pair.expected)
    assert score.interval is not None
    assert score.interval.low < score.value < score.interval.high


def test_with_two_annotators_either_reference_gives_the_same() -> None:
    pair = CORPUS.only_annotators(("A0", "A1"))
    plain = accord.gamma(pair, seed=3)
    for name in ("A0", "A1"):
        same(accord.gamma(pair, reference=name, seed=3), plain)


def test_unknown_or_unshared_reference_is_refused() -> None:
    with raises("unknown-name", '"A9"'):
        accord.gamma(CORPUS, reference="A9")
    rows = [("d", "A", 0, 5, "x"), ("d", "B", 1, 5, "x"), ("e", "C", 0, 5, "x")]
    with raises("nothing-shared", '"C"'):
        accord.gamma(corpus_of(rows), reference="C")


def test_undefined_has_a_reason() -> None:
    rows = [(doc, who, 0, 10, "x") for doc in ("d", "e") for who in ("A", "B")]
    score = accord.gamma(corpus_of(rows))  # all mixtures are equal
    assert math.isnan(score.value)
    assert score.undefined is not None
    assert "no disorder" in score.undefined
    assert (score.observed, score.expected, score.interval) == (0, 0, None)
    same_label = accord.gamma_cat(corpus_of(rows))
    assert math.isnan(same_label.value)
    assert "do not vary" in (same_label.undefined or "")
    apart = corpus_of([("d", "A", 0, 1, "x"), ("d", "B", 90, 91, "y"), ("d", "B", 10, 11, "x")])
    for score in (accord.gamma_cat(apart), accord.gamma_k(apart, category="y")):
        assert math.isnan(score.value)
        assert "are aligned" in (score.undefined or "")
    assert not math.isnan(accord.gamma(apart).value)


@pytest.mark.parametrize("chance", ["shift", "mix"])
def test_chance_against_a_reference_counts_the_samples_of_all_pairs(chance: str) -> None:
    options = {"chance": chance, "seed": 3, "interval": "none"}
    score = accord.gamma(CORPUS, reference="A0", **options)
    alone = [accord.gamma(CORPUS.only_annotators(("A0", other)), **options) for other in ("A1", "A2")]
    assert score.value == pytest.approx(np.mean([one.value for one in alone]))
    for fact in ("samples", "combinations"):
        assert (score.details[fact] or 0) == sum(one.details[fact] or 0 for one in alone)
    assert score.details["samples"] or score.details["combinations"]


def test_random_annotations_are_drawn_once_for_a_measure_and_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def watched(*given: Any) -> Any:
        drawn.append(1)
        return expected_disorder(*given)

    monkeypatch.setattr("accord.measures.units.gamma.expected_disorder", watched)
    corpus = CORPUS.only_annotators(("A0", "A1"))
    first = accord.gamma(corpus, chance="shift", seed=1, interval="none")
    assert accord.gamma(corpus, chance="shift", seed=1, interval="none") == first
    assert len(drawn) == 1
    others = [accord.gamma(corpus, chance=chance, seed=2, interval="none") for chance in ("shift", "mix")]
    assert len(drawn) == 3
    assert len({first.value, *(one.value for one in others)}) == 3
