"""What gamma, gamma_cat and gamma_k promise."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import accord
from accord.dissimilarities import LABEL_DISTANCES
from accord.measures.units.gamma import Gamma

NAMES = ("doc", "annotator", "start", "end", "label")
QUICK = "samples=8,precision=0.2"
ALL = ("gamma", "gamma_cat", "gamma_k")
EVERY = pytest.mark.parametrize("name", ALL)
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
Row = tuple[Any, ...]

SPECS = [
    *ALL,
    *(
        f"gamma(distance={d.name})"
        for d in LABEL_DISTANCES
        if d.name not in {"melamed_resnik", "geertzen_bunt", "matrix"}
    ),
    "gamma(positional=1,categorical=3)",
    "gamma(positional=0.5,categorical=0,delta=2.5)",
    "gamma(f_cat=steep,chance=mix,samples=100,precision=0.01,soft=true)",
    "gamma(chance=statistical)",
    "gamma(reference=Ana)",
    'gamma(reference="7")',
    'gamma(reference="Ana María")',
    'gamma(distance=matrix("a file.csv"))',
    "gamma(distance=matrix(labels=[a,b],rows=[[0,0.5],[0.5,0]]))",
    "gamma_cat(distance=ordinal,chance=shift)",
    "gamma_cat(distance=circular(period=24))",
    'gamma_k(category="two words",distance=numeric)',
    'gamma_k(category="3")',
]


def noisy(docs: int = 4, annotators: int = 3, seed: int = 5) -> list[Row]:
    """Annotators who mark nearly the same things: boundaries, labels, omissions, additions. Decimal positions."""
    rng = np.random.default_rng([seed, docs, annotators])
    rows: list[Row] = []
    for doc in range(docs):
        places = np.cumsum(rng.uniform(8, 30, 7))
        for who in range(annotators):
            for k, place in enumerate(places.tolist()):
                if rng.random() < 0.85:
                    start = place + rng.normal(0, 1.2)
                    label = "abc"[(k + doc) % 3] if rng.random() < 0.8 else str(rng.choice(list("abc")))
                    rows.append((f"d{doc}", f"A{who}", start, start + rng.uniform(3, 8), label))
            start = rng.uniform(0, 150)
            rows.append((f"d{doc}", f"A{who}", start, start + rng.uniform(2, 12), "c"))
    return rows


ROWS = noisy()
EXTENTS = {f"d{doc}": (-10.25, 240.5) for doc in range(4)}


def columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    return {name: [row[k] for row in rows] for k, name in enumerate(NAMES)}


def corpus_of(rows: Sequence[Row], **options: Any) -> accord.Corpus:
    corpus = accord.read(columns(rows), **options)
    assert isinstance(corpus, accord.Corpus)
    return corpus


CORPUS = corpus_of(ROWS, extents=EXTENTS)


def same(one: accord.Score, other: accord.Score) -> None:
    """The same digits, but for rounding."""
    mine, theirs = ((s.value, s.observed, s.expected, s.n) for s in (one, other))
    assert mine == pytest.approx(theirs, rel=1e-9, abs=1e-9)
    if one.interval is not None and other.interval is not None:
        assert (one.interval.low, one.interval.high) == pytest.approx(
            (other.interval.low, other.interval.high), abs=1e-9
        )


# -- specs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_parses_back_to_an_equal_measure(spec: str) -> None:
    measure = accord.measure(spec)
    assert accord.measure(str(measure)) == measure
    assert hash(accord.measure(str(measure))) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301


def test_what_is_said_by_default_is_not_written() -> None:
    assert str(accord.measure("gamma(positional=1,categorical=1.0,delta=1,chance=auto,samples=30)")) == "gamma"
    assert accord.measure("mathet_gamma") == accord.measure("gamma()")
    assert accord.measure("gamma(distance=nominal)") != accord.measure("gamma")


def far(u: Any, v: Any) -> Any:
    return np.abs(u.start - v.start) / 5


def test_a_dissimilarity_of_ones_own_is_told_but_not_parsed() -> None:
    measure = Gamma(dissimilarity=accord.dissimilarity(far, delta=2, reach=3))
    assert str(measure) == "gamma(dissimilarity=dissimilarity(far,delta=2,reach=3))"
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301
    with pytest.raises(accord.SpecError, match="made in Python"):
        accord.measure(str(measure))
    assert accord.score(CORPUS, measure).measure == str(measure)


@pytest.mark.parametrize(
    "function",
    [
        lambda u, v: np.abs(u.start - v.start) + 1,  # not 0 on equal units
        lambda u, v: np.maximum(u.start - v.start, 0),  # not the same both ways
        lambda u, v: u.start - v.start,  # below 0
        lambda u, v: (u.start - v.start) * np.nan,
        lambda u, v: np.abs(u.start - v.start).sum(),  # one number for all
    ],
)
def test_what_is_no_dissimilarity_is_refused(function: Any) -> None:
    with pytest.raises(accord.SpecError):
        accord.gamma(CORPUS, dissimilarity=accord.dissimilarity(function))


def test_what_is_no_function_is_no_dissimilarity_either() -> None:
    for wrong in (3, None, "far"):
        with pytest.raises(accord.SpecError):
            accord.dissimilarity(wrong)  # type: ignore[arg-type]
    for options in ({"delta": 0}, {"delta": -1}, {"delta": float("nan")}, {"reach": 0}):
        with pytest.raises(accord.SpecError):
            accord.dissimilarity(far, **options)
    with pytest.raises(accord.SpecError, match=r"accord\.dissimilarity\(function\)"):
        accord.gamma(CORPUS, dissimilarity=far)
    with pytest.raises(accord.SpecError, match="stands for positional"):
        accord.gamma(CORPUS, dissimilarity=accord.dissimilarity(far), positional=2)
    with pytest.raises(accord.SpecError, match="takes none of your own"):
        accord.gamma_cat(CORPUS, dissimilarity=accord.dissimilarity(far))


def test_delta_of_a_dissimilarity_of_ones_own_is_a_number() -> None:
    with pytest.raises(accord.SpecError):
        accord.dissimilarity(far, delta="x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        "delta=0", "delta=-1", "precision=0", "precision=1", "precision=-0.1", "samples=1", "samples=2.5", "soft=1",
        "positional=-1", "positional=0,categorical=0", "chance=shuffle", "f_cat=flat", "distance=ordnal",
        "dissimilarity=far", "delta=many", "samples=true",
    ],
)  # fmt: skip
def test_wrong_options_are_refused_at_the_door(wrong: str) -> None:
    with pytest.raises(accord.SpecError):
        accord.measure(f"gamma({wrong})")


# -- best value ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("annotators", [2, 3, 4, 5])
@EVERY
def test_identical_annotations_are_one(name: str, annotators: int) -> None:
    one = [row for row in ROWS if row[1] == "A0"]
    rows = [(doc, f"B{who}", *rest) for doc, _, *rest in one for who in range(annotators)]
    for spec in (name, f"{name}(chance=shift,samples=5)", f"{name}(soft=true)"):
        score = accord.score(corpus_of(rows), spec)
        assert (score.value, score.observed) == (pytest.approx(1.0), pytest.approx(0.0))
        assert score.undefined is None


# -- what must not matter --------------------------------------------------------------------------------------


@SAMPLED
def test_the_order_of_the_rows_does_not_matter(spec: str) -> None:
    plain = accord.score(CORPUS, spec, seed=3)
    order = np.random.default_rng(1).permutation(len(ROWS))
    turned = accord.score(corpus_of([ROWS[k] for k in order], extents=EXTENTS), spec, seed=3)
    assert turned == plain


@SAMPLED
def test_the_names_of_labels_do_not_matter(spec: str) -> None:
    names = {"a": "zebra", "b": "b", "c": "-1"}
    renamed = corpus_of([(*row[:4], names[row[4]]) for row in ROWS], extents=EXTENTS)
    same(accord.score(renamed, spec, seed=3), accord.score(CORPUS, spec, seed=3))


def test_the_names_of_annotators_matter_for_the_draw_of_chance_alone() -> None:
    renamed = corpus_of([(row[0], f"B{9 - int(row[1][1:])}", *row[2:]) for row in ROWS], extents=EXTENTS)
    for model in ("shift", "mix", "statistical"):
        one, other = (accord.score(data, f"gamma(chance={model})") for data in (CORPUS, renamed))
        assert other.observed == pytest.approx(one.observed, abs=1e-12)
        assert other.value == pytest.approx(one.value, abs=0.03)  # 2% of the expected disorder at 95%
    same(accord.gamma_cat(renamed), accord.gamma_cat(CORPUS))


def moved(by: float, scale: float = 1.0) -> accord.Corpus:
    rows = [(doc, who, scale * start + by, scale * end + by, label) for doc, who, start, end, label in ROWS]
    return corpus_of(rows, extents={d: (scale * a + by, scale * b + by) for d, (a, b) in EXTENTS.items()})


@pytest.mark.parametrize("by", [1000.0, -0.75])
@SAMPLED
def test_the_origin_does_not_matter(spec: str, by: float) -> None:
    same(accord.score(moved(by), spec, seed=3), accord.score(CORPUS, spec, seed=3))


@pytest.mark.parametrize("scale", [2.0, 0.001])
@SAMPLED
def test_the_scale_does_not_matter(spec: str, scale: float) -> None:
    """Decimal positions: the same seed draws the same shares of the continuum."""
    same(accord.score(moved(0, scale), spec, seed=3), accord.score(CORPUS, spec, seed=3))


def test_the_origin_and_the_scale_do_not_matter_to_the_statistical_sampler_where_extents_are_given() -> None:
    """Without extents it counts the first gap from 0, as pygamma-agreement does."""
    spec = f"gamma(chance=statistical,{QUICK})"
    for other in (moved(1000.0), moved(0, 2.0), moved(0, 0.001)):
        same(accord.score(other, spec, seed=3), accord.score(CORPUS, spec, seed=3))


def test_whole_positions_draw_other_shifts_than_decimal_ones() -> None:
    """Samples keep to whole positions where the data do, so halves of them are other data to chance."""
    whole = [(d, who, round(s), round(s) + max(1, round(e - s)), label) for d, who, s, e, label in ROWS]
    halves = [(d, who, s / 2, e / 2, label) for d, who, s, e, label in whole]
    one, other = (accord.score(corpus_of(rows), "gamma(chance=shift)") for rows in (whole, halves))
    assert one.observed == pytest.approx(other.observed, abs=1e-12)
    assert one.expected == pytest.approx(other.expected, rel=0.05)
    doubled = corpus_of([(d, who, 2 * s, 2 * e, label) for d, who, s, e, label in whole])
    assert accord.score(doubled, "gamma(chance=shift)").expected == pytest.approx(one.expected, rel=0.05)


@SAMPLED
def test_the_seed_decides_and_nothing_else(spec: str) -> None:
    first = accord.score(CORPUS, spec, seed=3)
    again = accord.score(corpus_of(ROWS, extents=EXTENTS), spec, seed=3)
    assert again == first
    other = accord.score(CORPUS, spec, seed=4)
    assert other.observed == first.observed
    if first.details["samples"]:
        assert other.expected != first.expected


@pytest.mark.parametrize("spec", ["gamma(chance=shift,samples=12,precision=0.2)", "gamma_cat(chance=mix,samples=12)"])
def test_the_number_of_workers_does_not_matter(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.chance.expected._UNITS_AT_ONCE", 100)  # a task per sample
    alone = accord.score(CORPUS, spec, seed=3, jobs=1)
    monkeypatch.setattr("accord.parallel._PATIENCE", 1e-4)
    monkeypatch.setattr("accord.parallel._WORTH_IT", 0.0)
    said: list[tuple[str, int, int]] = []
    both = accord.score(CORPUS, spec, seed=3, jobs=2, progress=lambda *now: said.append(now))
    assert both == alone
    done, tasks = next(now[1:] for now in reversed(said) if now[0] == "aligning 12 random samples")
    assert done == tasks > 2


def test_how_samples_are_cut_into_tasks_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = (f"gamma(chance=shift,{QUICK})", "gamma_cat(chance=shift,samples=8)", "gamma_k(chance=shift,category=b)")
    together = [accord.score(CORPUS, spec, seed=3) for spec in specs]
    monkeypatch.setattr("accord.chance.expected._UNITS_AT_ONCE", 1)
    for spec, score in zip(specs, together, strict=True):
        same(accord.score(CORPUS, spec, seed=3), score)


def test_documents_of_many_annotators_are_aligned_by_workers_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = corpus_of(noisy(docs=4, annotators=7))
    alone = accord.score(corpus, "gamma(samples=2,precision=0.9)", jobs=1)
    monkeypatch.setattr("accord.parallel._PATIENCE", 1e-4)
    monkeypatch.setattr("accord.parallel._WORTH_IT", 0.0)
    both = accord.score(corpus_of(noisy(docs=4, annotators=7)), "gamma(samples=2,precision=0.9)", jobs=2)
    assert both == alone
    assert both.details["gap"] == 0


# -- what a score tells ----------------------------------------------------------------------------------------


@SAMPLED
def test_a_score_is_told_completely(spec: str) -> None:
    score = accord.score(CORPUS, spec, seed=3)
    assert score.measure == str(accord.measure(spec))
    assert score.kind == "agreement"
    assert score.undefined is None
    assert score.observed is not None
    assert score.expected is not None
    assert score.value == pytest.approx(1 - score.observed / score.expected)
    details = score.details
    assert details["gap"] == 0
    assert (details["documents"], details["documents_compared"], details["units"]) == (4, 4, len(ROWS))
    assert (details["annotators"], details["categories"], details["distance"]) == (3, 3, "nominal")
    assert details["left_out"] == {"one_annotator": 0, "nothing_marked": 0}
    assert details["chance"] in {"shift", "mix", "frequencies"}
    assert f"chance={details['chance']}" in spec or details["chance"] == "frequencies"
    for part in (accord.__version__, score.measure, "seed 3", CORPUS.digest):
        assert part in score.signature
    again = pickle.loads(pickle.dumps(score))  # noqa: S301
    assert again == score


def test_gamma_has_the_interval_of_the_sampling_of_chance() -> None:
    score = accord.gamma(CORPUS, seed=3, interval="monte_carlo")
    assert score.interval is not None
    assert (score.interval.method, score.interval.level) == ("monte_carlo", 0.95)
    assert score.interval.low < score.value < score.interval.high
    assert score.n == 4
    assert score.details["samples"] >= 30
    assert score.details["chance_gap"] == 0
    assert score.details["precision"] == 0.02
    wide = accord.gamma(CORPUS, seed=3, level=0.99, interval="monte_carlo").interval
    assert wide is not None
    assert wide.high - wide.low > score.interval.high - score.interval.low
    others = [accord.gamma(CORPUS, seed=seed).value for seed in range(20, 32)]
    inside = sum(score.interval.low <= value <= score.interval.high for value in others)
    assert inside >= 7  # both sides sample: 83% of 12 on average


def test_documents_are_drawn_again() -> None:
    score = accord.gamma(CORPUS, replicates=300, seed=3)
    assert score.interval is not None
    assert (score.interval.method, score.details["bootstrap"]["replicates"]) == ("bootstrap", 300)
    assert score.interval.low < score.value < score.interval.high
    plain = accord.gamma(CORPUS, seed=3)
    assert score.value == plain.value
    one = accord.gamma(CORPUS["d0"], interval="bootstrap", seed=3)
    assert one.interval is None
    assert "one document has no spread" in one.details["interval"]


def test_where_nothing_is_sampled_there_is_no_monte_carlo_interval() -> None:
    asked = accord.gamma_cat(CORPUS, interval="monte_carlo")
    assert asked.interval is None
    assert "nothing is sampled" in asked.details["interval"]
    assert "for coefficients on items" in accord.gamma(CORPUS, interval="linearised").details["interval"]


def test_a_document_alone_is_a_corpus() -> None:
    alone = accord.gamma(CORPUS["d1"], seed=3)
    rows = [row for row in ROWS if row[0] == "d1"]
    same(alone, accord.gamma(corpus_of(rows, extents={"d1": EXTENTS["d1"]}), seed=3))
    assert alone.observed == pytest.approx(accord.gamma(CORPUS).parts["document"]["d1"].observed)


# -- where the disorder comes from -----------------------------------------------------------------------------


@pytest.mark.parametrize("options", ["", "soft=true,", "categorical=0,", "delta=2,distance=ordinal,"])
def test_the_parts_sum_up(options: str) -> None:
    uneven = [row for row in ROWS if (row[0], row[1]) != ("d2", "A1")]
    uneven += [("d2", "A3", 5.5, 9.5, None), ("d3", "A0", 200.5, 204.5, None)]
    looked = {f"d{d}": ["A0", "A1", "A2"] for d in range(4)} | {"d2": ["A0", "A2", "A3"]}
    corpus = corpus_of(uneven, annotators=looked)
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


def test_pooled_over_documents_means_sums_of_disorder_over_sums_of_units() -> None:
    score = accord.score(CORPUS, f"gamma(chance=shift,{QUICK})")
    parts = score.parts["document"]
    weight = {doc: len(CORPUS[doc]) / 3 for doc in parts}
    for kind in ("observed", "expected"):
        pooled = sum(weight[doc] * getattr(part, kind) for doc, part in parts.items()) / sum(weight.values())
        assert getattr(score, kind) == pytest.approx(pooled)


def test_the_alignment_belongs_to_the_score() -> None:
    found = accord.align(CORPUS)
    score = accord.gamma(CORPUS)
    assert score.observed == pytest.approx(float(found.disorder.sum()) / (len(ROWS) / 3))
    assert score.details["unitary_alignments"] == len(found)
    causes = {name: float(cost.sum()) for name, cost in found.causes.items()}
    assert set(causes) == {"position", "category", "absence"}
    assert sum(causes.values()) == pytest.approx(float(found.disorder.sum()))
    worst = found.worst(3)
    assert [one.disorder for one in worst] == sorted(found.disorder.tolist(), reverse=True)[:3]


@pytest.mark.parametrize("seed", range(4))
def test_a_soft_alignment_has_no_more_disorder(seed: int) -> None:
    for annotators in (2, 3, 4):
        corpus = corpus_of(noisy(2, annotators, seed))
        hard, soft = (float(accord.align(corpus, spec).disorder.sum()) for spec in ("gamma", "gamma(soft=true)"))
        assert soft <= hard + 1e-9


# -- reference -------------------------------------------------------------------------------------------------


def test_against_a_reference_the_mean_over_the_others() -> None:
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


def test_with_two_annotators_either_is_the_reference() -> None:
    pair = CORPUS.only_annotators(("A0", "A1"))
    plain = accord.gamma(pair, seed=3)
    for name in ("A0", "A1"):
        same(accord.gamma(pair, reference=name, seed=3), plain)


def test_a_reference_that_is_not_there() -> None:
    with pytest.raises(accord.UnknownName, match='unknown annotator "A9"'):
        accord.gamma(CORPUS, reference="A9")
    rows = [("d", "A", 0, 5, "x"), ("d", "B", 1, 5, "x"), ("e", "C", 0, 5, "x")]
    with pytest.raises(accord.DataError, match='nobody else looked at the documents of "C"'):
        accord.gamma(corpus_of(rows), reference="C")


# -- undefined -------------------------------------------------------------------------------------------------


def test_undefined_has_a_reason() -> None:
    rows = [(doc, who, 0, 10, "x") for doc in ("d", "e") for who in ("A", "B")]
    score = accord.gamma(corpus_of(rows))  # every mixture is the same again
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


def test_a_category_that_never_aligns_is_undefined_and_not_one() -> None:
    """pygamma-agreement gives 1 here (pitfalls.md)."""
    rows = [("d", w, s, s + 5, k) for w in "AB" for s, k in ((0, "x"), (20, "y"), (40, "x"))] + [
        ("d", "A", 90, 95, "q")
    ]
    parts = accord.gamma_cat(corpus_of(rows)).parts["category"]
    assert math.isnan(parts["q"].value)
    assert parts["q"].undefined == 'no two labelled units of "q" are aligned'
    assert parts["x"].value == 1.0


def test_units_without_labels_have_no_gamma_cat() -> None:
    unlabelled = {name: column for name, column in columns(ROWS).items() if name != "label"}
    assert accord.gamma(unlabelled).value < 1
    for name in ("gamma_cat", "gamma_k"):
        with pytest.raises(accord.DataError, match="no unit has one"):
            accord.score(unlabelled, name)
    with pytest.raises(accord.UnknownName, match='unknown category "z"'):
        accord.gamma_k(CORPUS, category="z")


# -- on predefined units γ_cat is α ----------------------------------------------------------------------------


def predefined(labels: Sequence[Sequence[Any]], gap: float = 200.0) -> accord.Corpus:
    """Items as units in the same places for all, far from each other; without a label there is no unit."""
    rows = [
        ("d", f"A{who}", gap * k, gap * k + 10, label)
        for k, row in enumerate(labels)
        for who, label in enumerate(row)
        if label is not None
    ]
    return corpus_of(rows, annotators={"d": [f"A{who}" for who in range(len(labels[0]))]})


def labels_of(seed: int, items: int, annotators: int, missing: float, values: Sequence[Any]) -> list[list[Any]]:
    rng = np.random.default_rng([seed, items, annotators])
    truth = rng.integers(0, len(values), items)
    return [
        [
            None if rng.random() < missing else values[t] if rng.random() < 0.7 else values[rng.integers(len(values))]
            for _ in range(annotators)
        ]
        for t in truth
    ]


@pytest.mark.parametrize("missing", [0.0, 0.15, 0.4])
@pytest.mark.parametrize("annotators", [2, 3, 5])
def test_on_predefined_units_gamma_cat_is_alpha(annotators: int, missing: float) -> None:
    labels = labels_of(1, 40, annotators, missing, ("a", "b", "c", "d"))
    alpha, gamma_cat = accord.alpha(labels), accord.gamma_cat(predefined(labels))
    assert gamma_cat.value == pytest.approx(alpha.value, abs=1e-9)
    assert gamma_cat.observed == pytest.approx(alpha.details["observed_disagreement"], abs=1e-9)
    assert gamma_cat.expected == pytest.approx(alpha.details["expected_disagreement"], abs=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_on_predefined_units_with_distances_between_labels(missing: float) -> None:
    values = (1, 2, 4, 9)
    labels = labels_of(2, 40, 3, missing, values)
    corpus = predefined(labels)
    apart = {(a, b): abs(a - b) for a, b in combinations(values, 2)}
    ranks = {(values[i], values[j]): j - i for i, j in combinations(range(4), 2)}
    odd = {(a, b): 1 / (1 + (a * b) % 5) for a, b in combinations(values, 2)}
    for mine, theirs in (
        ("numeric", apart),
        ("ordinal", ranks),
        ("interval", "interval"),
        ("ratio", "ratio"),
        (odd, odd),
    ):
        gamma_cat = accord.gamma_cat(corpus, distance=mine)
        assert gamma_cat.value == pytest.approx(accord.alpha(labels, distance=theirs).value, abs=1e-9), mine


def test_on_predefined_units_in_several_documents() -> None:
    labels = labels_of(3, 30, 3, 0.2, ("a", "b", "c"))
    one = predefined(labels)
    rows = [
        (f"d{int(s) // 2000}", one.annotators[a], s % 2000, s % 2000 + 10, one.categories.names[k])
        for s, a, k in zip(one.start.tolist(), one.annotator, one.label, strict=True)
    ]
    several = corpus_of(rows, annotators={f"d{d}": ["A0", "A1", "A2"] for d in range(3)})
    assert accord.gamma_cat(several).value == pytest.approx(accord.alpha(labels).value, abs=1e-9)


def test_with_wide_gaps_sampled_chance_comes_near_alpha() -> None:
    """Only there: random units align with neighbours otherwise (pitfalls.md). The sampling leaves 0.05."""
    labels = labels_of(4, 120, 2, 0.0, ("a", "b", "c"))
    alpha = accord.alpha(labels).value
    for model in ("shift", "statistical"):
        sampled = accord.gamma_cat(predefined(labels, 60.0), chance=model, samples=60)
        assert sampled.value == pytest.approx(alpha, abs=0.05), model
        assert sampled.details["chance"] == model


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_gamma_k_counts_the_pairs_with_the_category(missing: float) -> None:
    """Mathet 2017, as gamma.md knows it: pairs of k labels of an item weigh 1/(k − 1), chance pairs any two."""
    labels = labels_of(5, 40, 4, missing, ("a", "b", "c"))
    items = [present for row in labels if len(present := [x for x in row if x is not None]) > 1]
    parts = accord.gamma_cat(predefined(labels)).parts["category"]
    for category in ("a", "b", "c"):
        weight = disagreement = 0.0
        for item in items:
            for x, y in combinations(item, 2):
                if category in (x, y):
                    weight += 1 / (len(item) - 1)
                    disagreement += (x != y) / (len(item) - 1)
        every = [x for item in items for x in item]
        chance = [x != y for x, y in combinations(every, 2) if category in (x, y)]
        value = 1 - (disagreement / weight) / np.mean(chance)
        assert accord.gamma_k(predefined(labels), category=category).value == pytest.approx(value, abs=1e-9)
        assert parts[category].value == pytest.approx(value, abs=1e-9)


def test_badly_placed_pairs_weigh_less() -> None:
    """max(0, 1 − d_pos): half a unit off weighs 1 − 1/4, a unit off nothing."""

    def value(shift: float) -> accord.Score:
        rows = [("d", "A", 0, 10, "x"), ("d", "B", shift, 10 + shift, "y")]
        rows += [("d", w, 100 * k, 100 * k + 10, label) for k, label in ((1, "x"), (2, "y"), (3, "x")) for w in "AB"]
        return accord.gamma_cat(corpus_of(rows))

    assert value(0).observed == pytest.approx(1 / 4)
    assert value(5).observed == pytest.approx(0.75 / 3.75)
    assert value(9.99).observed == pytest.approx(0, abs=1e-3)
