"""The best alignment equals a brute force over all partitions of the units, written from equations 3 to 7 of the paper.

Mathet, Widlöcher & Métivier 2015. The tests use public functions only: tables, `accord.align` and scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.measures.units.gamma import Gamma

from ...hypothesis_profiles import examples

WORDS = ("ant", "aunt", "bee", "beetle")
TABLE = ((0.0, 0.5, 1.0, 0.25), (0.5, 0.0, 1.0, 0.0), (1.0, 1.0, 0.0, 0.75), (0.25, 0.0, 0.75, 0.0))
Unit = tuple[float, float, Any]  # start, end, label
Far = Callable[[Unit, Unit], float]
Between = Callable[[Any, Any], float]  # labels


# -- naive version ---------------------------------------------------------------------------------------------


def position(u: Unit, v: Unit) -> float:
    """Eq. 3 without Δ∅. Two units without length have distance 0 if they are equal, otherwise infinity."""
    apart = abs(u[0] - v[0]) + abs(u[1] - v[1])
    lengths = (u[1] - u[0]) + (v[1] - v[0])
    return (apart / lengths) ** 2 if lengths else (math.inf if apart else 0.0)


def edits(a: str, b: str) -> int:
    @cache
    def cost(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        return min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, cost(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return cost(len(a), len(b))


def ordinal(labels: Sequence[Any]) -> Between:
    return lambda a, b: abs(labels.index(a) - labels.index(b)) / max(len(labels) - 1, 1)


def numeric(labels: Sequence[Any]) -> Between:
    numbers = [float(label) for label in labels]
    return lambda a, b: abs(float(a) - float(b)) / ((max(numbers) - min(numbers)) or 1.0)


LABEL_DISTANCES: dict[str, Callable[[Sequence[Any]], Between]] = {
    "nominal": lambda _: lambda a, b: float(a != b),
    "ordinal": ordinal,
    "numeric": numeric,
    "levenshtein": lambda _: lambda a, b: edits(a, b) / max(len(a), len(b)),
    "matrix": lambda _: lambda a, b: TABLE[WORDS.index(a)][WORDS.index(b)],
}


def steep(x: float) -> float:
    """Footnote 2 of the paper."""
    return math.inf if x >= 1 else -math.log(1 - x**30) + x


def combined(
    between: Between, positional: float = 1.0, categorical: float = 1.0, f_cat: Callable[[float], float] = float
) -> Far:
    """Eq. 5, in units of Δ∅. A missing label has distance 0 to all labels."""

    def far(u: Unit, v: Unit) -> float:
        known = u[2] is not None and v[2] is not None
        category = categorical * f_cat(between(u[2], v[2])) if known and categorical else 0.0
        return (positional * position(u, v) if positional else 0.0) + category

    return far


def unitary_disorder(units: Sequence[Unit | None], far: Far, delta: float) -> float:
    """Eq. 6: the mean over all pairs of annotators; a pair with an empty unit, or of two, costs Δ∅."""
    pairs = list(combinations(units, 2))
    return sum(delta if u is None or v is None else far(u, v) for u, v in pairs) / len(pairs)


def groups_with(first: int, units: Sequence[Sequence[Unit]], free: frozenset[tuple[int, int]]) -> Iterator[list[Any]]:
    """Every unitary alignment of the first free unit of an annotator with free units of the others."""
    head = min(k for a, k in free if a == first)
    choices: list[list[int | None]] = [
        [head] if a == first else [None, *sorted(k for b, k in free if b == a)] for a in range(len(units))
    ]
    yield from (list(row) for row in product(*choices))


def least_disorder(units: Sequence[Sequence[Unit]], far: Far, delta: float, soft: bool = False) -> float:
    """Σ over the best alignment of one document, one list of units per annotator; soft: units may repeat."""
    everything = frozenset((a, k) for a, row in enumerate(units) for k in range(len(row)))

    @cache
    def best(left: frozenset[tuple[int, int]]) -> float:
        if not left:
            return 0.0
        first = min(a for a, _ in left)
        least = math.inf
        for row in groups_with(first, units, _open(first, left, everything) if soft else left):
            chosen = [None if k is None else units[a][k] for a, k in enumerate(row)]
            here = unitary_disorder(chosen, far, delta)
            if here < least:
                rest = left - {(a, k) for a, k in enumerate(row) if k is not None}
                least = min(least, here + best(rest))
        return least

    return best(everything)


def _open(first: int, left: frozenset[tuple[int, int]], all_: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """In a soft alignment other annotators may reuse units."""
    return frozenset((a, k) for a, k in all_ if a != first or (a, k) in left)


# -- random corpora --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Small:
    """Documents → annotators → units."""

    docs: dict[str, dict[str, list[Unit]]]

    @property
    def columns(self) -> dict[str, list[Any]]:
        rows = [(d, a, *u) for d, by in self.docs.items() for a, units in by.items() for u in units]
        return {name: [row[k] for row in rows] for k, name in enumerate(("doc", "annotator", "start", "end", "label"))}

    @property
    def used(self) -> list[Any]:
        return sorted({label for label in self.columns["label"] if label is not None})

    @property
    def compared(self) -> dict[str, dict[str, list[Unit]]]:
        """Documents with units; all have at least two annotators."""
        return {d: by for d, by in self.docs.items() if any(by.values())}

    @property
    def units_per_annotator(self) -> float:
        """Σ x̄ over the documents."""
        return sum(sum(map(len, by.values())) / len(by) for by in self.compared.values())

    def read(self, **options: Any) -> accord.Corpus:
        looked = {doc: list(by) for doc, by in self.docs.items()}
        corpus = accord.read(self.columns, judged=looked, **options)
        assert isinstance(corpus, accord.Corpus)
        return corpus

    def naive(self, far: Far, delta: float = 1.0, soft: bool = False) -> float:
        """Σ of the disorders of all unitary alignments."""
        return sum(least_disorder(list(by.values()), far, delta, soft) for by in self.compared.values())


def units(labels: Sequence[Any], decimals: bool, flat: bool) -> st.SearchStrategy[Unit]:
    """On a short continuum, so that they overlap, nest, abut and repeat; flat: some have no length."""
    place = st.integers(0, 24).map(lambda x: x / 2) if decimals else st.integers(0, 12).map(float)
    length = st.sampled_from([0, 0, 1, 3] if flat else [1, 1, 2, 3, 5, 8]).map(float)
    return st.tuples(place, length, st.sampled_from(labels)).map(lambda t: (t[0], t[0] + t[1], t[2]))


@st.composite
def corpora(
    draw: st.DrawFn,
    labels: Sequence[Any] = (*WORDS, None),
    annotators: tuple[int, int] = (2, 4),
    docs: int = 2,
    flat: bool = False,
) -> Small:
    unit = units(labels, draw(st.booleans()), flat)
    made: dict[str, dict[str, list[Unit]]] = {}
    for d in range(draw(st.integers(1, docs))):
        n = draw(st.integers(*annotators))
        most = 4 if n < 4 else 3
        made[f"d{d}"] = {f"A{a}": draw(st.lists(unit, max_size=most)) for a in range(n)}
    if not any(units_ for by in made.values() for units_ in by.values()):
        made["d0"]["A0"] = [draw(unit)]
    return Small(made)


def check_best(small: Small, corpus: accord.Corpus, measure: Any, far: Far, delta: float = 1.0) -> None:
    """Assert that the alignment is a partition with the least disorder."""
    found = accord.align(corpus, measure)
    assert found.gap == 0
    assert float(found.disorder.sum()) == pytest.approx(small.naive(far, delta), rel=1e-9, abs=1e-9)
    check_partition(small, found)
    for one in found:
        assert sum(one.causes.values()) == pytest.approx(one.disorder, rel=1e-9, abs=1e-9)
        given_ = [None if u is None else (u.start, u.end, u.label) for u in one.units.values()]
        assert one.disorder == pytest.approx(unitary_disorder(given_, far, delta), rel=1e-9, abs=1e-9)


def check_partition(small: Small, found: accord.UnitaryAlignments) -> None:
    """Assert that each unit is in one unitary alignment, and that each of these has all annotators."""
    met: dict[tuple[str, str], list[Unit]] = {}
    for one in found:
        assert list(one.units) == list(small.docs[one.doc])
        assert any(u is not None for u in one.units.values())
        for who, unit in one.units.items():
            if unit is not None:
                met.setdefault((one.doc, who), []).append((unit.start, unit.end, unit.label))
    marked = {(d, a): row for d, by in small.docs.items() for a, row in by.items() if row}

    def in_order(rows: dict[tuple[str, str], list[Unit]]) -> dict[tuple[str, str], list[tuple[Any, ...]]]:
        return {key: sorted((u[0], u[1], str(u[2])) for u in row) for key, row in rows.items()}

    assert in_order(met) == in_order(marked)


# -- accord equals the naive version -----------------------------------------------------------------------------


@examples(60)
@given(corpora())
def test_alignment_is_the_best_of_all_partitions(small: Small) -> None:
    check_best(small, small.read(), "gamma", combined(LABEL_DISTANCES["nominal"](small.used)))


@examples(25)
@given(corpora(), st.sampled_from([0.0, 0.5, 3.0]), st.sampled_from([0.5, 2.0]), st.sampled_from([0.3, 1.0, 2.5]))
def test_weights_and_delta_give_the_best_partition(
    small: Small, positional: float, categorical: float, delta: float
) -> None:
    """Both parts are multiples of Δ∅, so Δ∅ only scales the disorder."""
    spec = f"gamma(positional={positional},categorical={categorical},delta={delta})"
    far = combined(LABEL_DISTANCES["nominal"](small.used), positional, categorical)
    check_best(small, small.read(), spec, lambda u, v: delta * far(u, v), delta)
    assert small.naive(lambda u, v: delta * far(u, v), delta) == pytest.approx(delta * small.naive(far))


@examples(25)
@given(corpora())
def test_position_alone_gives_the_best_partition(small: Small) -> None:
    check_best(small, small.read(), "gamma(categorical=0)", combined(LABEL_DISTANCES["nominal"]([]), categorical=0.0))


@pytest.mark.parametrize("spec", ["gamma", "gamma(f_cat=steep)", "gamma(positional=2,delta=0.5)"])
@examples(25)
@given(small=corpora(flat=True))
def test_units_without_length_give_the_best_partition(spec: str, small: Small) -> None:
    """They align with equal units, and with longer units by eq. 3, but not with other units without length."""
    measure = accord.measure(spec)
    assert isinstance(measure, Gamma)
    far = combined(
        LABEL_DISTANCES["nominal"](small.used),
        measure.positional,
        f_cat=steep if measure.f_cat == "steep" else float,
    )
    check_best(small, small.read(), spec, lambda u, v: measure.delta * far(u, v), measure.delta)


def test_distant_units_align_if_positions_do_not_count() -> None:
    columns = {"annotator": ["A", "B"], "start": [0, 9], "end": [0, 9], "label": ["x", "x"]}
    found = accord.align(columns, "gamma(positional=0)")
    assert (len(found), float(found.disorder.sum())) == (1, 0.0)


@pytest.mark.parametrize("f_cat", ["identity", "steep"])
@pytest.mark.parametrize("name", ["nominal", "ordinal", "levenshtein", "matrix"])
@examples(15)
@given(small=corpora(docs=1))
def test_distances_of_words_give_the_best_partition(name: str, f_cat: str, small: Small) -> None:
    pairs = {(a, b): TABLE[i][j] for (i, a), (j, b) in combinations(enumerate(WORDS), 2)}
    far = combined(LABEL_DISTANCES[name](WORDS), f_cat=steep if f_cat == "steep" else float)
    # All categories are declared, including unused ones, because they define the scale.
    corpus = small.read(categories=WORDS)
    check_best(small, corpus, Gamma(distance=pairs if name == "matrix" else name, f_cat=f_cat), far)


@examples(25)
@given(corpora(labels=(1, 2.5, 7, 10, None), docs=1))
def test_distances_of_numbers_give_the_best_partition(small: Small) -> None:
    for name in ("numeric", "ordinal"):
        check_best(small, small.read(), f"gamma(distance={name})", combined(LABEL_DISTANCES[name](small.used)))


def own(u: Any, v: Any) -> Any:
    """Distance of middles and of lengths, plus a constant for different labels."""
    other = np.array([a != b for a, b in zip(u.label, v.label, strict=True)])
    return np.abs(u.start + u.end - v.start - v.end) / 10 + np.abs(u.length - v.length) / 5 + 0.7 * other


def own_naive(u: Unit, v: Unit) -> float:
    middle = abs(u[0] + u[1] - v[0] - v[1]) / 10
    return middle + abs((u[1] - u[0]) - (v[1] - v[0])) / 5 + 0.7 * (u[2] != v[2])


@examples(25)
@given(corpora(), st.sampled_from([0.8, 1.0, 2.0]))
def test_custom_dissimilarity_gives_the_best_partition(small: Small, delta: float) -> None:
    check_best(small, small.read(), Gamma(dissimilarity=accord.dissimilarity(own, delta=delta)), own_naive, delta)


@examples(25)
@given(corpora(annotators=(2, 3), docs=1))
def test_soft_alignments_are_the_best_of_all_covers(small: Small) -> None:
    far = combined(LABEL_DISTANCES["nominal"](small.used))
    found = accord.align(small.read(), "gamma(soft=true)")
    least = small.naive(far, soft=True)
    assert float(found.disorder.sum()) == pytest.approx(least, rel=1e-9, abs=1e-9)
    assert least <= small.naive(far) + 1e-9
    met = {(who, unit) for one in found for who, unit in one.units.items() if unit is not None}
    marked = {(a, accord.Unit(*u)) for by in small.docs.values() for a, row in by.items() for u in row}
    assert met == marked


@examples(10)
@given(corpora(annotators=(5, 5), docs=1, labels=("ant", "bee")))
def test_five_annotators_have_the_best_partition(small: Small) -> None:
    few = Small({d: {a: row[:2] for a, row in by.items()} for d, by in small.docs.items()})
    if few.compared:
        check_best(few, few.read(), "gamma", combined(LABEL_DISTANCES["nominal"](few.used)))


@examples(25)
@given(st.lists(st.tuples(st.integers(0, 7), units(("ant", "bee"), False, False)), min_size=1, max_size=9))
def test_eight_annotators_have_the_best_partition(marked: list[tuple[int, Unit]]) -> None:
    """Most annotators have one unit or none."""
    small = Small({"d": {f"A{a}": [unit for who, unit in marked if who == a] for a in range(8)}})
    check_best(small, small.read(), "gamma", combined(LABEL_DISTANCES["nominal"](small.used)))


@st.composite
def uneven(draw: st.DrawFn) -> Small:
    """Units of a thousandth and of a thousand on one continuum, far from the origin."""
    origin = draw(st.sampled_from([0.0, -1e6, 1e9]))
    power = st.integers(-10, 10).map(lambda k: 2.0**k)
    unit = st.tuples(power, power, st.booleans(), st.sampled_from(["ant", "bee"])).map(
        lambda t: (origin + t[0], origin + t[0] + (t[1] if t[2] else t[0]), t[3])
    )
    return Small({"d": {f"A{a}": draw(st.lists(unit, max_size=4)) for a in range(draw(st.integers(2, 3)))}})


@examples(25)
@given(uneven())
def test_uneven_lengths_give_the_best_partition(small: Small) -> None:
    """Candidates are searched by length; none may be missed."""
    if small.compared:
        check_best(small, small.read(), "gamma", combined(LABEL_DISTANCES["nominal"](small.used)))
        check_best(
            small, small.read(), "gamma(categorical=0)", combined(LABEL_DISTANCES["nominal"]([]), categorical=0.0)
        )


@examples(25)
@given(corpora())
def test_score_has_the_disorder_of_the_best_partition(small: Small) -> None:
    corpus = small.read(extents=dict.fromkeys(small.docs, (0, 40)))
    score = accord.score(corpus, "gamma(chance=shift,samples=2,precision=0.5)")
    far = combined(LABEL_DISTANCES["nominal"](small.used))
    assert score.observed == pytest.approx(small.naive(far) / small.units_per_annotator, rel=1e-9, abs=1e-9)
    assert score.n == len(small.compared)
    assert score.expected is not None
    assert score.value == pytest.approx(1 - score.observed / score.expected)


@examples(25)
@given(corpora(), st.randoms(use_true_random=False))
def test_tie_breaking_does_not_depend_on_order_of_rows(small: Small, random: Any) -> None:
    columns = small.columns
    order = list(range(len(columns["doc"])))
    random.shuffle(order)
    turned = {name: [column[k] for k in order] for name, column in columns.items()}
    looked = {doc: list(by) for doc, by in small.docs.items()}
    for spec in ("gamma", "gamma(soft=true)"):
        first = accord.align(small.read(), spec)
        second = accord.align(accord.read(turned, judged=looked), spec)
        assert list(first) == list(second)
