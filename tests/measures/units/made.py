"""Small random corpora of whole numbers, and the same as accord reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

import accord

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
    """With layers, units of different labels may overlap. Some documents have one annotator, or nothing marked."""
    made: dict[str, Doc] = {}
    for number in range(draw(st.integers(1, docs))):
        begin, length = draw(st.integers(-3, 3)), draw(st.integers(1, longest))
        least = 2 if number == 0 else 1
        who = draw(st.lists(st.sampled_from(WHO), min_size=least, max_size=4, unique=True).map(sorted))
        made[f"d{number}"] = Doc(begin, begin + length, {
            name: [unit for label in labels for unit in draw(track(begin, length, [label], most))]
            if layers else draw(track(begin, length, labels, most))
            for name in who
        })  # fmt: skip
    first = made["d0"]
    if not any(first.units.values()):  # something has to be there
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
    return read(rows_of(docs), extents=extents(docs), annotators=looked(docs), **options)
