"""Shuffled data as a measure takes them: units as items, segments as units, tokens as units or items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.answers.simulate.errors.base import ErrorType
from accord.core.errors import DataError, SpecError
from accord.data.kinds import ITEMS, SEGMENTATIONS, UNITS, Kind, kind_named
from accord.data.model.abutting import as_units
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.labels import Categories
from accord.data.model.ratings import Ratings
from accord.data.model.texts import BASE, Texts
from accord.measures.base import Measure


def as_measured(data: Data, kind: str) -> Data:
    """Data for measures on items, units, segmentations or texts."""
    change = _CHANGES.get((data.kind.name, kind))
    return data if change is None else change(data)


def judged(kind: Kind, measure: Measure) -> bool:
    """Whether a measure takes data of this kind as annotators gave them: segments are units that abut."""
    return measure.data == kind.name or (kind.name, measure.data) == (SEGMENTATIONS.name, UNITS.name)


def check_judged(measure: Measure, reference: Data, error: ErrorType) -> None:
    """Refuses a measure that can never take what the error leaves."""
    wanted, name = kind_named(measure.data), measure.name
    if reference.kind is wanted:
        return
    if (reference.kind.name, wanted.name) not in _CHANGES:
        these = f"{reference.kind.things} ({reference.kind.columns})"
        raise SpecError(f"{name} is for {wanted.words} ({wanted.columns}), and these are {these}")
    if wanted is ITEMS and not error.in_place:
        raise SpecError(f"{name} judges labels of given items: only category errors leave items in place")
    if isinstance(reference, Texts):
        if not error.same_text:
            raise SpecError(f"{name} compares places in one text, and {error.name} changes the text; use text_gamma")
        _feature(reference)


def tokens_as_units(texts: Texts) -> Corpus:
    """Tokens of annotators who all have the same text, with the labels of their one feature."""
    strings = np.array(texts.strings, dtype=object)
    mine = texts.version_annotator != BASE
    first = {int(d): texts.strings[v] for v, d in reversed([*enumerate(texts.version_doc.tolist())]) if mine[v]}
    if any(strings[v] != first[int(texts.version_doc[v])] for v in np.flatnonzero(mine)):
        raise DataError("annotators have different texts: places cannot be compared")
    there = mine[texts.version]
    version = texts.version[there]
    name = _feature(texts)
    label = texts.features[name].codes[there] if name is not None else np.full(len(version), -1, dtype=np.int64)
    judged = np.zeros((len(texts.docs), len(texts.annotators)), dtype=bool)
    judged[texts.version_doc[mine], texts.version_annotator[mine]] = True
    ends = np.array([float(len(first.get(d, ""))) for d in range(len(texts.docs))])
    return Corpus(
        doc=texts.version_doc[version].astype(np.int64),
        annotator=texts.version_annotator[version].astype(np.int64),
        start=texts.start[there].astype(np.float64),
        end=texts.end[there].astype(np.float64),
        label=label,
        docs=texts.docs,
        annotators=texts.annotators,
        categories=texts.features[name].categories if name is not None else Categories(()),
        extents=np.column_stack([np.zeros(len(ends)), ends]),
        extent_given=np.ones(len(ends), dtype=bool),
        judged=judged,
        judged_given=True,
    )


def _feature(texts: Texts) -> str | None:
    if len(texts.features) > 1:
        raise SpecError(f"measures on units take one label, and these tokens have {', '.join(texts.features)}")
    return next(iter(texts.features), None)


def ratings_of(corpus: Corpus) -> Ratings:
    """Units that all annotators have at the same places, as items with labels."""
    place = np.stack([corpus.doc.astype(np.float64), corpus.start, corpus.end])
    order = np.lexsort((*place[::-1], corpus.annotator))
    many = len(corpus.annotators)
    n = len(corpus) // many
    blocks = place[:, order].reshape(3, many, n) if n * many == len(corpus) else None
    if blocks is None or (blocks != blocks[:, :1]).any():
        raise DataError("annotators marked different places: there are no common items")
    codes = corpus.label[order].reshape(many, n).T
    labels = corpus.categories.labels
    rows = [[labels[c] if c >= 0 else None for c in row] for row in codes.tolist()]
    return Ratings.from_rows(rows, corpus.annotators, categories=list(corpus.categories))


_CHANGES: dict[tuple[str, str], Callable[[Any], Data]] = {
    ("units", "items"): ratings_of,
    ("segmentations", "units"): lambda data: as_units(data.untyped),
    ("texts", "units"): tokens_as_units,
    ("texts", "items"): lambda data: ratings_of(tokens_as_units(data)),
}
