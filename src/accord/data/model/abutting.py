"""Units that abut are a segmentation, and the other way round: the one as the other, if nothing is lost by it."""

from __future__ import annotations

import numpy as np

from accord.core.errors import DataError, quoted
from accord.core.typed import checks_types
from accord.data.model.boundaries import Given
from accord.data.model.chains import Chains
from accord.data.model.corpus import Corpus
from accord.data.model.labels import Categories
from accord.data.model.segmentations import Segmentations


@checks_types
def as_segmentations(corpus: Corpus, drop_labels: bool = False) -> Segmentations:
    """Each annotator's units as segments. They must cover the document without gap or overlap, at whole positions."""
    if not drop_labels:
        _nothing_beside(corpus)
    given = []
    order = np.lexsort((corpus.end, corpus.start, corpus.annotator, corpus.doc))
    m = len(corpus.annotators)
    keys = (corpus.doc.astype(np.int64) * m + corpus.annotator)[order]
    for d, a in zip(*np.nonzero(corpus.judged), strict=True):
        where = f"document {quoted(corpus.docs[d])}, {quoted(corpus.annotators[a])}"
        low, high = np.searchsorted(keys, [d * m + a, d * m + a + 1])
        units = order[low:high]
        begin, end = corpus.extents[d]
        if begin != 0:
            raise DataError(f"{where}: the document begins at {begin:g}, and a segmentation counts from 0")
        if not len(units):
            raise DataError(f"{where}: nothing is marked, and a segmentation covers the whole document")
        edges = np.concatenate([[0.0], corpus.end[units][:-1], [end]])
        starts, ends = corpus.start[units], corpus.end[units]
        apart = np.flatnonzero(starts != edges[:-1])
        if len(apart) or ends[-1] != end:
            at = int(apart[0]) if len(apart) else len(units) - 1
            raise DataError(
                f"{corpus.place(int(units[at]))}: {where}: the unit {starts[at]:g}–{ends[at]:g} leaves a gap or an "
                "overlap; units of a segmentation abut, from the begin of the document to its end"
            )
        empty = np.flatnonzero(ends <= starts)
        if len(empty):
            raise DataError(f"{corpus.place(int(units[empty[0]]))}: {where}: a unit without length is no segment")
        if (edges % 1 != 0).any():
            raise DataError(f"{where}: position {edges[edges % 1 != 0][0]:g} is no whole number of atoms")
        positions = edges[1:-1].astype(np.int64)
        given.append(Given(corpus.docs[d], corpus.annotators[a], positions, None, int(end), where))
    return Segmentations.assemble(given, notes=corpus.notes)


@checks_types
def as_units(data: Segmentations | Chains) -> Corpus:
    """Each segment as a unit without label, in atoms; of chains, each mention."""
    if isinstance(data, Chains):
        return data.as_units()
    if len(data.categories) > 1:
        listed = ", ".join(data.categories.names[:5])
        raise DataError(f"boundaries have types here ({listed}), which units cannot keep; take data.untyped first")
    sizes = np.diff(data.offsets)
    segments = sizes + 1
    row = np.repeat(np.arange(len(data.doc)), segments)
    last = np.cumsum(segments) - 1
    end = np.zeros(len(row))
    inner = np.ones(len(row), dtype=bool)
    inner[last] = False
    end[inner] = data.position
    end[last] = data.lengths[data.doc]
    start = np.zeros(len(row))
    start[1:] = end[:-1]
    start[last + 1 - segments] = 0.0
    judged = np.zeros((len(data.docs), len(data.annotators)), dtype=bool)
    judged[data.doc, data.annotator] = True
    return Corpus(
        doc=data.doc[row],
        annotator=data.annotator[row],
        start=start,
        end=end,
        label=np.full(len(row), -1, dtype=np.int64),
        docs=data.docs,
        annotators=data.annotators,
        categories=Categories(()),
        extents=np.stack([np.zeros(len(data.docs)), data.lengths.astype(np.float64)], axis=1),
        extent_given=np.ones(len(data.docs), dtype=bool),
        judged=judged,
        judged_given=True,
        notes=data.notes,
    )


def _nothing_beside(corpus: Corpus) -> None:
    labelled = np.flatnonzero(corpus.label >= 0)
    if len(labelled):
        label = quoted(corpus.categories.names[int(corpus.label[labelled[0]])])
        raise DataError(
            f"{corpus.place(int(labelled[0]))}: the unit has a label ({label}), and a segment has none; "
            "say drop_labels=True to leave labels out"
        )
    if corpus.features:
        raise DataError(f"units have further columns ({', '.join(corpus.features)}), and segments have none")
