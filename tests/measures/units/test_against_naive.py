"""Unitizing measures equal naive versions on small random corpora: several documents, 2 to 4 annotators, gaps."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord

from ...hypothesis_profiles import examples
from . import naive
from .made import NUMBERS, WORDS, corpora, corpus_of
from .naive import Docs, interval, nominal

SOME = (*WORDS, None)
MATCHES = ("exact", "overlap", "token")


def close(value: float) -> object:
    return pytest.approx(value, abs=1e-9, nan_ok=True)


# -- uα, |uα, cuα, (k)uα ---------------------------------------------------------------------------------------


@examples(30)
@given(corpora(SOME))
def test_u_alpha_equals_naive(docs: Docs) -> None:
    corpus = corpus_of(docs)
    assert accord.u_alpha(corpus, interval="none").value == close(naive.u_alpha(docs))
    assert accord.bar_u_alpha(corpus, interval="none").value == close(naive.bar_u_alpha(docs))


@examples(30)
@given(corpora(SOME))
def test_cu_alpha_equals_naive(docs: Docs) -> None:
    score = accord.cu_alpha(corpus_of(docs), interval="none")
    assert score.value == close(naive.cu_alpha(docs))
    used = naive.labels_of(dict(enumerate(naive.compared(docs))))
    assert set(score.parts["category"]) == {"(no label)" if k is None else k for k in used}
    for label in used:
        value, coverage = naive.ku_alpha(docs, label)
        name = "(no label)" if label is None else label
        part = score.parts["category"][name]
        assert (part.value, part.details["coverage"]) == (close(value), close(coverage))
        assert accord.ku_alpha(corpus_of(docs), category=name, interval="none").value == close(value)


@examples(30)
@given(corpora(NUMBERS))
def test_cu_alpha_with_distances_equals_naive(docs: Docs) -> None:
    corpus = corpus_of(docs)
    for form in (2016, 2013):
        score = accord.cu_alpha(corpus, distance="interval", form=form, interval="none")
        assert score.value == close(naive.cu_alpha(docs, interval))
    assert accord.cu_alpha(corpus, distance="nominal", interval="none").value == close(naive.cu_alpha(docs, nominal))
    for name, part in score.parts["category"].items():
        assert part.value == close(naive.ku_alpha(docs, int(name), interval)[0])


@st.composite
def with_overlaps(draw: st.DrawFn, labels: tuple[Any, ...]) -> dict[str, naive.Doc]:
    """Overlapping labels, and some units repeated with a longer extent."""
    docs = draw(corpora(labels, layers=True, most=4))
    made = {}
    for name, doc in docs.items():
        units = {}
        for who, given_units in doc.units.items():
            again = draw(st.lists(st.sampled_from(given_units), max_size=2)) if given_units else []
            units[who] = [*given_units, *((max(a - 1, doc.begin), b, label) for a, b, label in again)]
        made[name] = naive.Doc(doc.begin, doc.end, units)
    return made


@examples(40)
@given(with_overlaps(SOME))
def test_cu_alpha_of_overlapping_units_equals_naive(docs: Docs) -> None:
    score = accord.cu_alpha(corpus_of(docs), overlaps="pairs", interval="none")
    assert score.value == close(naive.cu_alpha_of_pairs(docs))


@examples(30)
@given(with_overlaps(NUMBERS))
def test_cu_alpha_of_overlapping_units_with_distances_equals_naive(docs: Docs) -> None:
    score = accord.cu_alpha(corpus_of(docs), overlaps="pairs", distance="interval", interval="none")
    assert score.value == close(naive.cu_alpha_of_pairs(docs, interval))


@examples(30)
@given(corpora(SOME))
def test_overlaps_pairs_changes_nothing_without_overlaps(docs: Docs) -> None:
    corpus = corpus_of(docs)
    plain, pairs = (accord.cu_alpha(corpus, overlaps=way, interval="none") for way in ("error", "pairs"))
    assert pairs.value == close(plain.value)
    assert pairs.details["notes"] == plain.details["notes"]
    for name, part in plain.parts["category"].items():
        other = pairs.parts["category"][name]
        assert (other.value, other.details["coverage"]) == (close(part.value), close(part.details["coverage"]))


@examples(30)
@given(corpora(SOME))
def test_u_alpha_of_2013_equals_naive(docs: Docs) -> None:
    score = accord.u_alpha(corpus_of(docs), form=2013, interval="none")
    observed, expected = naive.u_alpha_2013(docs)
    assert (score.observed, score.expected) == (close(observed), close(expected))
    assert score.value == close(naive.quotient(observed, expected))


# -- α_U -------------------------------------------------------------------------------------------------------


@examples(30)
@given(corpora(SOME, layers=True))
def test_alpha_u_equals_naive(docs: Docs) -> None:
    score = accord.alpha_u(corpus_of(docs), interval="none")
    parts = dict(score.parts["category"])
    sums = [0.0, 0.0]
    for label in naive.labels_of(docs):
        found = naive.alpha_u(docs, label)
        part = parts.pop("(no label)" if label is None else label, None)
        if part is None:  # occurs only in documents that are not compared
            continue
        sums = [a + b for a, b in zip(sums, found, strict=True)]
        assert (part.observed, part.expected) == (close(found[0]), close(found[1]))
        assert part.value == close(naive.quotient(*found))
    assert not parts
    assert (score.observed, score.expected) == (close(sums[0]), close(sums[1]))
    assert score.value == close(naive.quotient(*sums))


# -- θ_G -------------------------------------------------------------------------------------------------------


@examples(30)
@given(corpora(SOME, layers=True), st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_theta_layered_equals_naive(docs: Docs, p_random: float) -> None:
    score = accord.theta(corpus_of(docs), zones="layered", random=p_random, interval="none")
    found = naive.theta(docs, "layered", p_random=p_random)
    assert (score.value, score.observed) == (close(found.value), close(found.disagreement))
    assert score.details["random_disagreement"] == close(found.random)
    assert score.details["n_zones"] == len(score.details["zones"]) == found.zones


@examples(30)
@given(corpora(SOME, layers=True), st.sampled_from(["gap", "ignored"]), st.sampled_from(["joined", "atomic"]))
def test_theta_joined_or_atomic_equals_naive(docs: Docs, unpaired: str, zones: str) -> None:
    score = accord.theta(corpus_of(docs), zones=zones, unpaired=unpaired, interval="none")
    found = naive.theta(docs, zones, unpaired=unpaired)
    assert (score.value, score.observed) == (close(found.value), close(found.disagreement))
    assert score.details["random_disagreement"] == close(found.random)
    assert score.details["n_zones"] == len(score.details["zones"]) == found.zones


@examples(30)
@given(corpora(NUMBERS, layers=True), st.sampled_from(["ordinal", "interval", "ratio"]))
def test_theta_on_scales_equals_naive(docs: Docs, scale: str) -> None:
    labels = naive.labels_of(docs)
    x = {label: float(rank if scale == "ordinal" else label) for rank, label in enumerate(labels)}
    width = max(x.values()) - min(x.values())

    def far(a: int, b: int) -> float:
        return ((x[a] - x[b]) / width) ** 2 if width else 0.0

    pairs = [far(a, b) for a in labels for b in labels if a < b]
    chance = sum(pairs) / len(pairs) if pairs else 0.0
    score = accord.theta(corpus_of(docs), scale=scale, interval="none")
    found = naive.theta(docs, "joined", far=far, by_chance=chance)
    assert score.details["zones_cut"] == "joined"
    assert (score.value, score.observed) == (close(found.value), close(found.disagreement))
    assert score.details["random_disagreement"] == close(found.random)


# -- SER and F1 ------------------------------------------------------------------------------------------------


@examples(30)
@given(corpora(SOME, most=4, layers=False), st.booleans())
def test_ser_equals_naive(docs: Docs, must_overlap: bool) -> None:
    score = accord.ser(corpus_of(docs), overlap=must_overlap, interval="none")
    found = naive.ser(docs, must_overlap=must_overlap)
    assert score.value == close(naive.mean(found))
    assert {name: part.value for name, part in score.parts["pair"].items()} == {
        f"{a} → {b}": close(value) for (a, b), value in found.items()
    }
    assert score.details.get("pairs_left_out", 0) == sum(math.isnan(value) for value in found.values())


@examples(30)
@given(corpora(SOME, most=3))
def test_ser_per_slot_equals_naive(docs: Docs) -> None:
    found = naive.ser(docs, per="slots")
    if found:
        assert accord.ser(corpus_of(docs), per="slots", interval="none").value == close(naive.mean(found))


@examples(20)
@given(corpora(("a", "b"), most=2, longest=8, layers=True))
def test_ser_of_overlapping_units_equals_naive(docs: Docs) -> None:
    assert accord.ser(corpus_of(docs), interval="none").value == close(naive.mean(naive.ser(docs)))


@examples(30)
@given(corpora(SOME, most=4), st.sampled_from(MATCHES), st.booleans())
def test_f1_equals_naive(docs: Docs, match: str, labels: bool) -> None:
    score = accord.f1(corpus_of(docs), match=match, labels=labels, interval="none")
    found = naive.f1(docs, match, labels)
    assert score.value == close(naive.mean(found))
    assert {name: part.value for name, part in score.parts["pair"].items()} == {
        f"{a} – {b}": close(value) for (a, b), value in found.items() if a < b
    }


@examples(20)
@given(corpora(("a", "b"), most=2, longest=8, layers=True), st.sampled_from(MATCHES), st.booleans())
def test_f1_of_overlapping_units_equals_naive(docs: Docs, match: str, labels: bool) -> None:
    assert accord.f1(corpus_of(docs), match=match, labels=labels, interval="none").value == close(
        naive.mean(naive.f1(docs, match, labels))
    )


# -- κ_d, α_d --------------------------------------------------------------------------------------------------


@examples(30)
@given(corpora(SOME))
def test_discretised_measures_equal_measures_on_atoms(docs: Docs) -> None:
    corpus, rows = corpus_of(docs), accord.Ratings.from_rows(naive.items(docs))
    for mine, theirs in (
        (accord.kappa_d(corpus, interval="none"), accord.kappa(rows)),
        (accord.alpha_d(corpus, interval="none"), accord.alpha(rows)),
    ):
        assert mine.value == close(theirs.value)
        assert (mine.observed, mine.expected) == (close(theirs.observed), close(theirs.expected))
        assert mine.details["atoms"] == rows.n_items
