"""Measures that cut the continuum: options, labels, annotators without units, parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.core.context import Run

from ...cases import for_each
from ...hypothesis_profiles import examples
from ...refusals import raises
from .made import (
    ALL,
    CORPUS,
    CUT,
    EVERY,
    EXTENTS,
    ROWS,
    columns,
    corpora,
    corpus_of,
    moved,
    read,
    same,
    value_of,
)
from .naive import Doc, Docs, compared, measured


@for_each(
    "wrong",
    [
        "u_alpha(form=2014)", "u_alpha(form=x)", "cu_alpha(form=2004)", "u_alpha(grain=0)", "u_alpha(grain=-1)",
        "alpha_u(grain=fine)", "theta(grain=true)", "alpha_u(overlaps=drop)", "cu_alpha(distance=ordnal)",
        "theta(random=-0.1)", "theta(random=1.5)", "theta(random=true)", "theta(random=half)", "theta(scale=words)",
        "theta(zones=many)", "theta(unpaired=half)", "ser(per=unit)", "f1(match=some)", "kappa_d(atom=0)",
        "alpha_d(atom=-0.5)", "kappa_d(atom=true)", "kappa_d(overlaps=drop)", "kappa_d(grain=1)", "f1(grain=1)",
    ],
)  # fmt: skip
def test_wrong_options_are_refused_when_parsed(wrong: str) -> None:
    with pytest.raises(accord.SpecError):
        accord.measure(wrong)


def test_atom_must_be_a_number() -> None:
    with raises("measure-option"):
        accord.measure("kappa_d(atom=x)")


@pytest.mark.parametrize("wrong", ["ser(overlap=3)", "f1(labels=3)"])
def test_switch_must_be_true_or_false(wrong: str) -> None:
    with pytest.raises(accord.SpecError):
        accord.measure(wrong)


@EVERY
def test_score_reports_counts_of_data_and_few_documents(spec: str) -> None:
    score = accord.score(CORPUS, spec, replicates=100)
    assert score.details["interval"].startswith("only 2 documents: the interval may be too short")
    details = score.details
    assert (details["documents"], details["documents_compared"], details["units"]) == (2, 2, len(ROWS))
    assert (details["annotators"], details["categories"]) == (3, 3)
    assert (details["grain"] == 1) if spec in CUT else ("grain" not in details)


def test_single_document_scores_like_a_corpus() -> None:
    for spec in ALL:
        alone = read([row for row in ROWS if row[0] == "d1"], extents={"d1": EXTENTS["d1"]})
        same(value_of(CORPUS["d1"], spec), value_of(alone, spec))


def test_theta_depends_on_order_of_labels_where_units_overlap() -> None:
    """Gwet sorts and pairs the labels of a zone, so the order of categories decides which labels are paired."""
    rows = [("d", "A", 0, 10, "a"), ("d", "B", 0, 10, "a"), ("d", "B", 0, 10, "b")]
    one, two = (accord.theta(read(rows, categories=list(order)), zones="atomic") for order in ("ab", "ba"))
    assert (one.observed, two.observed) == pytest.approx((0.5, 1.0))
    layered = [accord.theta(read(rows, categories=list(order)), zones="layered").value for order in ("ab", "ba")]
    assert layered[0] == layered[1]


def repeated(docs: Docs, times: Sequence[int], spec: str) -> tuple[accord.Score, accord.Score]:
    """Scores of weighted documents and of repeated documents."""
    corpus = corpus_of(docs)
    used = compared(docs) if spec.startswith(("theta", "ser", "f1")) else measured(docs)  # do gaps count?
    often = {name: many for (name, doc), many in zip(docs.items(), times, strict=False) if doc in used}
    weights = np.array(list(often.values()), dtype=np.float64)
    measure = accord.measure(spec)
    weighted = measure.estimate(measure.observe(corpus, Run()).weighted(weights))
    made = {f"{name}.{k}": docs[name] for name, many in often.items() for k in range(many)}
    plain = value_of(corpus_of(made, categories=list(corpus.categories.names)), spec)
    return replace(weighted, n=0), replace(plain, n=0)


@examples(20)
@given(corpora(docs=3), st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_document_with_weight_2_equals_repeated_document(docs: Docs, times: list[int]) -> None:
    """The bootstrap relies on this."""
    if any(many and doc in compared(docs) for doc, many in zip(docs.values(), times, strict=False)):
        for spec in ("alpha_u", "u_alpha", "bar_u_alpha", "cu_alpha", "theta", "theta(zones=atomic)"):
            same(*repeated(docs, times, spec))
    if all(times):  # a pair of annotators without documents is not in the mean
        for spec in ("ser", "f1"):
            same(*repeated(docs, times, spec))


def test_form_2013_ignores_document_with_weight_0() -> None:
    docs = {
        "d": Doc(0, 1, {"Ana": [(0, 1, "a")], "Ben": []}),
        "e": Doc(0, 1, {"Ana": [], "Ben": [(0, 1, "a")]}),
    }
    same(*repeated(docs, [0, 1], "u_alpha(form=2013)"))


def test_units_without_labels_count_as_one_category() -> None:
    one = {**columns(ROWS), "label": ["x"] * len(ROWS)}
    none = {name: column for name, column in columns(ROWS).items() if name != "label"}
    for spec in ALL:
        if "category" in spec:
            continue
        a, b = (
            accord.score(accord.read(none, extents=EXTENTS), spec, interval="none"),
            accord.score(accord.read(one, extents=EXTENTS), spec, interval="none"),
        )
        assert (a.value, a.observed, a.expected) == pytest.approx((b.value, b.observed, b.expected), nan_ok=True), spec
    score = accord.alpha_u(accord.read(none, extents=EXTENTS))
    assert set(score.parts["category"]) == {"(no label)"}
    labels = accord.cu_alpha(accord.read(none, extents=EXTENTS))
    assert math.isnan(labels.value)
    assert "no variation" in (labels.undefined or "")


def test_missing_label_counts_as_a_category() -> None:
    rows = [(d, w, s, e, None if k == "c" else k) for d, w, s, e, k in ROWS]
    for spec in ("alpha_u", "u_alpha", "cu_alpha", "kappa_d", "ser", "f1"):
        same(value_of(read(rows, extents=EXTENTS), spec), value_of(CORPUS, spec))
    assert set(accord.alpha_u(read(rows)).parts["category"]) == {"a", "b", "(no label)"}


def test_annotator_without_units_counts_as_judged() -> None:
    rows = [("d", "A", 0, 5, "x"), ("d", "B", 0, 5, "x")]
    two = accord.u_alpha(read(rows, extents=(0, 10)))
    three = accord.u_alpha(read(rows, extents=(0, 10), judged={"d": ["A", "B", "C"]}))
    assert (two.value, three.details["annotators"]) == (1, 3)
    assert three.observed == pytest.approx(2 * 2 * 5 / 2 / 30)  # C against A and B, both orders, over mL
    assert three.value < 1
    alone = read(rows[:1], extents=(0, 10), judged={"d": ["A", "B"]})
    assert accord.kappa_d(alone).value == 0
    assert accord.theta(alone).value == 0
    assert accord.f1(alone).value == 0
    assert accord.u_alpha(alone).value < 0


# A recording of length 100, as six documents or as one; three of the six have units.
RECORDING = [
    ("A", 0, 10, "x"), ("A", 20, 30, "y"), ("A", 61, 64, "x"),
    ("B", 1, 11, "x"), ("B", 20, 28, "y"), ("B", 35, 38, "x"), ("B", 61, 64, "y"),
]  # fmt: skip
BORDERS = (0, 15, 40, 50, 60, 70, 100)


def recording(borders: Sequence[int]) -> accord.Corpus:
    docs = {f"from {begin}": (begin, end) for begin, end in pairwise(borders)}
    rows = [
        (doc, *unit) for unit in RECORDING for doc, (begin, end) in docs.items() if begin <= unit[1] and unit[2] <= end
    ]
    return read(rows, extents=docs, judged={doc: ["A", "B"] for doc in docs})


SUMS_OVER_ATOMS = (
    "kappa_d", "alpha_d", "kappa_d(coefficient=ac)", "u_alpha", "bar_u_alpha", "cu_alpha", "ku_alpha(category=x)",
)  # fmt: skip


@pytest.mark.parametrize("spec", SUMS_OVER_ATOMS)
def test_cutting_a_recording_into_documents_changes_no_sum_over_atoms(spec: str) -> None:
    whole = accord.score(recording((0, 100)), spec)
    for borders in ((0, 50, 100), (0, 70, 100), BORDERS):
        cut = accord.score(recording(borders), spec)
        assert (cut.value, cut.observed, cut.expected) == (
            pytest.approx(whole.value), pytest.approx(whole.observed), pytest.approx(whole.expected),
        )  # fmt: skip
        assert cut.n == len(borders) - 1
        assert cut.details["left_out"] == {"one_annotator": 0, "nothing_marked": 0}


@examples(30)
@given(corpora(docs=3, longest=20), st.lists(st.integers(1, 19), max_size=3))
def test_cutting_random_continua_changes_no_sum_over_atoms(docs: Docs, places: list[int]) -> None:
    cut: dict[str, Doc] = {}
    for name, doc in docs.items():
        every = [unit for units in doc.units.values() for unit in units]
        free = [
            place for place in {doc.begin + step for step in places}
            if place < doc.end and not any(start < place < end for start, end, _ in every)
        ]  # fmt: skip
        for begin, end in pairwise(sorted({doc.begin, *free, doc.end})):
            inside = {who: [u for u in units if begin <= u[0] and u[1] <= end] for who, units in doc.units.items()}
            cut[f"{name} {begin}"] = Doc(begin, end, inside)
    whole, pieces = corpus_of(docs), corpus_of(cut)
    for spec in SUMS_OVER_ATOMS:
        if "category=" not in spec:
            same(replace(value_of(whole, spec), n=0), replace(value_of(pieces, spec), n=0))


def test_unmarked_document_counts_for_measures_that_count_gaps() -> None:
    """The details list what is left out. A document of unknown length cannot count."""
    known = recording((0, 70, 100))
    who = {doc: ["A", "B"] for doc in known.docs}
    unknown = read(list(known.rows()[1]), extents={"from 0": (0, 70)}, judged=who)
    for spec in ("kappa_d", "u_alpha", "u_alpha(form=2013)", "alpha_u"):
        one, other = accord.score(known, spec), accord.score(unknown, spec)
        assert (one.n, one.details["documents_compared"], one.details["left_out"]["nothing_marked"]) == (2, 2, 0)
        assert one.details["notes"] == []
        assert (other.n, other.details["documents_compared"], other.details["left_out"]["nothing_marked"]) == (1, 1, 1)
        assert other.details["notes"] == ["1 document without units left out; length unknown"]
        assert one.value != pytest.approx(other.value)
    for spec in ("theta", "f1", "ser", "gamma_cat"):
        score = accord.score(known, spec)
        assert (score.n, score.details["documents_compared"], score.details["left_out"]["nothing_marked"]) == (1, 1, 1)
        assert score.details["notes"] == ["1 document without units left out"]


def test_alpha_u_by_category_sums_up() -> None:
    score = accord.alpha_u(CORPUS)
    parts = score.parts["category"]
    assert set(parts) == {"a", "b", "c"}
    assert sum(part.observed or 0 for part in parts.values()) == pytest.approx(score.observed)
    assert sum(part.expected or 0 for part in parts.values()) == pytest.approx(score.expected)
    assert sum(part.n for part in parts.values()) == len(ROWS)


def test_ku_alpha_is_the_part_of_cu_alpha() -> None:
    whole = accord.cu_alpha(CORPUS)
    assert accord.ku_alpha(CORPUS).value == whole.value
    for name, part in whole.parts["category"].items():
        alone = accord.ku_alpha(CORPUS, category=name, interval="none")
        assert (alone.value, alone.observed, alone.expected) == (part.value, part.observed, part.expected)
        assert 0 <= part.details["coverage"] <= 1
    with raises("unknown-name", '"z"'):
        accord.ku_alpha(CORPUS, category="z")


@pytest.mark.parametrize("name", ["kappa_d", "alpha_d"])
def test_kappa_d_has_parts_by_category_annotator_and_pair(name: str) -> None:
    parts = accord.score(CORPUS, name).parts
    assert set(parts) == {"category", "annotator", "pair"}
    assert set(parts["category"]) >= {"a", "b", "c", "(gap)"}
    assert set(parts["pair"]) == {"Ana – Ben", "Ana – Cleo", "Ben – Cleo"}
    pair = CORPUS.only_annotators(("Ana", "Ben"))
    assert parts["pair"]["Ana – Ben"].value == pytest.approx(accord.score(pair, name).value)


def test_theta_lists_its_zones() -> None:
    zones = accord.theta(read(moved(ROWS, lambda at: at / 2))).details["zones"]
    assert {zone["document"] for zone in zones} == {"d1", "d2"}
    first = next(z for z in zones if z["document"] == "d1" and z["annotators"] == ["Ana", "Ben"] and z["start"] == 0)
    assert first == {
        "document": "d1", "annotators": ["Ana", "Ben"], "start": 0.0, "length": 0.5, "labels": [["a"], []],
        "dissimilarity": 1.0, "random_dissimilarity": 1.0,
    }  # fmt: skip


def test_interval_scale_of_theta_needs_numbers() -> None:
    with raises("not-a-number"):
        accord.theta(CORPUS, scale="interval")
    assert accord.theta(CORPUS, scale="ordinal").details["zones_cut"] == "joined"


def test_undefined_has_a_reason() -> None:
    full = read([("d", who, 0, 10, "x") for who in "AB"])
    for spec in ("u_alpha", "bar_u_alpha", "cu_alpha", "kappa_d", "alpha_d"):
        score = accord.score(full, spec)
        assert math.isnan(score.value)
        assert "0/0" in (score.undefined or "")
    apart = accord.cu_alpha(read([("d", "A", 0, 5, "x"), ("d", "B", 10, 15, "y")]))
    assert math.isnan(apart.value)
    assert apart.undefined
    sure = accord.theta(full, random=1.0)
    assert math.isnan(sure.value)
    assert "always agree" in (sure.undefined or "")


def test_kappa_d_accepts_another_coefficient() -> None:
    found = value_of(CORPUS, "kappa_d(coefficient=pi)")
    assert found.measure == "kappa_d(coefficient=pi)"
    assert found.value == pytest.approx(value_of(CORPUS, "alpha_d(coefficient=pi)").value)
    assert found.value != value_of(CORPUS, "kappa_d").value
    with raises("unknown-name", '"ppi"'):
        accord.measure("kappa_d(coefficient=ppi)")
