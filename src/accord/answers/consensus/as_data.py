"""A gold standard as data of one annotator, to be scored, converted or shuffled like all others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.answers.consensus.settled import Gold, Row
from accord.core.arrays import Codes, Floats, Ints
from accord.core.errors import Asker, DataError, counted
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data, Fact
from accord.data.model.labels import Categories, Label, arrange, as_number, encode, label_name, plain
from accord.data.model.ratings import Ratings

NAME = "gold"


def as_data(gold: Gold) -> Data:
    """What is settled; what is not, or has no place in data, is counted in the notes."""
    open_labels = [row for row in gold.rows if "label" in row.tie.split(", ")]
    rows = [row for row in gold.rows if "label" not in row.tie.split(", ")]
    if gold.rows and not rows:
        raise DataError("no label is settled: there is no gold standard to write; --adjudicate lists what to decide")
    flagged = sum(bool(row.tie) for row in rows)
    what = "unit" if gold.in_units else gold.noun
    where = "-o gold.csv" if Asker.types else "the gold itself"
    notes = (
        *gold.facts(),
        *([f"{counted(len(open_labels), what)} left out: the label is not settled"] if open_labels else ()),
        *(
            [f"{counted(flagged, what)} written although place, or whether it is one, is not settled"]
            if flagged
            else ()
        ),
        f"support, shares, ties and alternatives are not data: {where} has them",
    )
    facts = tuple(map(Fact, notes))
    source = gold.source
    if isinstance(source, Ratings):
        return _items(rows, source, facts)
    if isinstance(source, Corpus):
        return _units(rows, source, facts)
    assert gold.made is not None  # noqa: S101
    return replace(gold.made, annotators=(NAME,), notes=facts)


def _items(rows: Sequence[Row], source: Ratings, notes: tuple[str, ...]) -> Ratings:
    codes, categories = _labels(rows, source)
    return Ratings(
        item=np.arange(len(rows), dtype=np.int32),
        annotator=np.zeros(len(rows), dtype=np.int32),
        label=codes,
        items=[row.name for row in rows],
        annotators=(NAME,),
        categories=categories,
        variable=source.variable,
        notes=notes,
    )


def _units(rows: Sequence[Row], source: Corpus, notes: tuple[str, ...]) -> Corpus:
    alone = int((source.annotators_per_doc == 1).sum())
    if alone:
        notes = (*notes, Fact(f"{counted(alone, 'document')} that one annotator alone looked at left out"))
    ground = source.only_docs(source.annotators_per_doc > 1)
    place = {name: k for k, name in enumerate(ground.docs)}
    doc = np.array([place[row.name] for row in rows], dtype=np.int64)
    start, end = (np.array([getattr(row, side) for row in rows], dtype=np.float64) for side in ("start", "end"))
    codes, categories = _labels(rows, source)
    return replace(
        ground,
        doc=doc,
        annotator=np.zeros(len(rows), dtype=np.int64),
        start=start,
        end=end,
        label=codes,
        annotators=(NAME,),
        categories=categories,
        extents=_extents(ground, doc, start, end),
        judged=np.ones((len(ground.docs), 1), dtype=bool),
        judged_given=True,
        features={},
        notes=notes,
        places=None,
    )


def _extents(ground: Corpus, doc: Ints, start: Floats, end: Floats) -> Floats:
    """As given; else from the first start to the last end of what is left."""
    low, high = np.full(len(ground.docs), np.inf), np.full(len(ground.docs), -np.inf)
    np.minimum.at(low, doc, start)
    np.maximum.at(high, doc, end)
    empty = ~np.isfinite(low)
    found = np.stack([np.where(empty, 0.0, low), np.where(empty, 0.0, high)], axis=1)
    return np.where(ground.extent_given[:, None], ground.extents, found)


def _labels(rows: Sequence[Row], source: Ratings | Corpus) -> tuple[Codes, Categories]:
    """Codes, and what they stand for: labels as the source has them; what was computed or decided is new."""
    known = dict(zip(source.categories.names, source.categories, strict=True))
    members = {label_name(one): one for label in source.categories if isinstance(label, frozenset) for one in label}

    def label(row: Row) -> Label | None:
        if row.label in known:
            return known[row.label]
        if members:
            return frozenset(members.get(name, name) for name in row.label.split("|") if name)
        number = as_number(row.label)
        if source.categories.numeric and not math.isnan(number):
            return plain(number)
        return row.label or None

    codes, used = encode([label(row) for row in rows])
    there = set(source.categories)
    declared = [*source.categories, *(new for new in used if new not in there)]
    order = arrange(used, declared if source.categories.declared else None)
    place = {one: k for k, one in enumerate(order)}
    return np.array([*(place[one] for one in used), -1], dtype=np.int32)[codes], order
