"""Small random corpora with integer positions, as plain data and as accord reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import strategies as st

import accord
from accord.measures.measure import Measure

from .naive import Doc, Docs, Unit

WHO = ("Ana", "Ben", "Cleo", "Dora")
WORDS = ("a", "b", "c")
NUMBERS = (1, 2, 5)
NAMES = ("doc", "annotator", "start", "end", "label")
Row = tuple[Any, ...]


@st.composite
def track(draw: st.DrawFn, begin: int, length: int, labels: Sequence[Any], most: int = 12) -> list[Unit]:
    """Units that do not overlap, some of them side by side."""
    units: list[Unit] = []
    at = begin
    while at < begin + length:
        step = draw(st.integers(1, 5))
        label = draw(st.sampled_from(["φ", *labels]))
        end = min(at + step, begin + length)
        if label != "φ" and len(units) < most:
            units.append((at, end, label))
        at = end
    return units


@st.composite
def corpora(
    draw: st.DrawFn,
    labels: Sequence[Any] = WORDS,
    longest: int = 12,
    docs: int = 3,
    most: int = 12,
    layers: bool = False,
) -> dict[str, Doc]:
    """With layers, units of different labels may overlap. Some documents have one annotator or no units."""
    made: dict[str, Doc] = {}
    for number in range(draw(st.integers(1, docs))):
        begin, length = draw(st.integers(-3, 3)), draw(st.integers(1, longest))
        least = 2 if number == 0 else 1
        who = draw(st.lists(st.sampled_from(WHO), min_size=least, max_size=4, unique=True).map(sorted))
        nothing = number > 0 and draw(st.integers(0, 4)) == 0
        made[f"d{number}"] = Doc(begin, begin + length, {
            name: [] if nothing else [unit for label in labels for unit in draw(track(begin, length, [label], most))]
            if layers else draw(track(begin, length, labels, most))
            for name in who
        })  # fmt: skip
    first = made["d0"]
    if not any(first.units.values()):  # at least one unit is needed
        name = next(iter(first.units))
        made["d0"] = Doc(first.begin, first.end, {**first.units, name: [(first.begin, first.begin + 1, labels[0])]})
    return made


def rows_of(docs: Docs) -> list[Row]:
    return [(doc, who, *unit) for doc, made in docs.items() for who, units in made.units.items() for unit in units]


def columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    return {name: [row[k] for row in rows] for k, name in enumerate(NAMES)}


def read(rows: Sequence[Row], **options: Any) -> accord.Corpus:
    corpus = accord.read(columns(rows), **options)
    assert isinstance(corpus, accord.Corpus)
    return corpus


def extents(docs: Docs) -> dict[str, tuple[int, int]]:
    return {name: (doc.begin, doc.end) for name, doc in docs.items()}


def looked(docs: Docs) -> dict[str, list[str]]:
    return {name: list(doc.units) for name, doc in docs.items()}


def corpus_of(docs: Docs, **options: Any) -> accord.Corpus:
    return read(rows_of(docs), extents=extents(docs), judged=looked(docs), **options)


CUT = (
    "alpha_u",
    "u_alpha",
    "u_alpha(form=2013)",
    "bar_u_alpha",
    "cu_alpha",
    "ku_alpha(category=a)",
    "theta",
    "theta(zones=atomic)",
    "theta(zones=layered)",
    "kappa_d",
    "alpha_d",
)


PAIRWISE = ("ser", "ser(overlap=false)", "f1", "f1(match=overlap)", "f1(match=token)", "f1(match=token,labels=false)")


ALL = (*CUT, *PAIRWISE)


EVERY = pytest.mark.parametrize("spec", ALL)


# Three annotators, two documents: small differences of all kinds, positions of whole numbers.
ROWS: list[Row] = [
    ("d1", "Ana", 0, 10, "a"), ("d1", "Ana", 15, 25, "b"), ("d1", "Ana", 30, 40, "c"), ("d1", "Ana", 50, 55, "a"),
    ("d1", "Ben", 1, 10, "a"), ("d1", "Ben", 15, 25, "b"), ("d1", "Ben", 30, 35, "c"), ("d1", "Ben", 35, 40, "c"),
    ("d1", "Cleo", 0, 10, "a"), ("d1", "Cleo", 16, 27, "c"), ("d1", "Cleo", 50, 56, "a"), ("d1", "Cleo", 58, 60, "b"),
    ("d2", "Ana", 5, 20, "b"), ("d2", "Ana", 20, 30, "a"), ("d2", "Ben", 5, 18, "b"), ("d2", "Ben", 22, 30, "b"),
]  # fmt: skip


EXTENTS = {"d1": (-5, 70), "d2": (0, 40)}


CORPUS = read(ROWS, extents=EXTENTS)


def moved(rows: Sequence[Row], to: Callable[[Any], Any]) -> list[Row]:
    return [(doc, who, to(start), to(end), label) for doc, who, start, end, label in rows]


def value_of(corpus: accord.Corpus, spec: str | Measure) -> accord.Score:
    """Without an interval: the bootstrap has its own tests."""
    return accord.score(corpus, spec, interval="none")


def same(one: accord.Score, other: accord.Score, tolerance: float = 1e-9) -> None:
    """Assert that two scores are equal up to rounding."""
    for a, b in ((one.value, other.value), (one.observed, other.observed), (one.expected, other.expected)):
        assert a == pytest.approx(b, abs=tolerance, nan_ok=True) if a is not None else b is None
    assert (one.undefined, one.n, one.kind) == (other.undefined, other.n, other.kind)
