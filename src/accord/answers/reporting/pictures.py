"""The picture of the data on the first screen: an alignment, a confusion matrix, or numbers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from accord.answers.reporting.findings import MOST_CATEGORIES, Findings
from accord.answers.scatter import scatter_of
from accord.core.figures.curves import Strip
from accord.core.figures.documents import SegmentsFigure, UnitMark
from accord.core.figures.figure import ONE
from accord.core.tables import Drawing
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import Segmentations
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

WIDTH = 4.2  # inches of a figure: legible on a phone
_TALL = 4.5  # inches: a taller picture does not fit on the first screen
_MOST_ITEMS = 100  # items of a strip


def picture_of(found: Findings) -> Drawing | None:
    """Return the picture of the data; None if the data have none."""
    if isinstance(found.alignment, UnitaryAlignments):
        return _alignment(found.alignment)
    if isinstance(found.alignment, TextAlignments):
        return found.alignment.figure("differences") if "differences" in found.alignment.drawings() else None
    if isinstance(found.data, Segmentations):
        return _segments(found, found.data)
    return _numbers(found.data) if found.numeric and isinstance(found.data, Ratings) else _labels(found)


def width_of(picture: Drawing) -> float:
    """Return the width in inches. Texts have lines for one or two columns only."""
    return ONE if picture.kind == "differences" else WIDTH


def _labels(found: Findings) -> Drawing | None:
    """Return the confusion of labels; for other data, the values by document."""
    if found.with_matrix is not None and len(found.used_categories) <= MOST_CATEGORIES:
        return found.with_matrix.figure("confusion")
    if found.disagreements is not None and "confused" in found.disagreements.drawings():
        return found.disagreements.figure("confused")
    known = {} if np.isnan(found.score.value) else found.score.drawings()
    return known["forest by document"]() if "forest by document" in known else None


def _alignment(alignment: UnitaryAlignments) -> Drawing | None:
    """Return the document with the highest disorder among those that fit on the first screen, or else the first."""
    compared = alignment.compared
    order = np.argsort(-compared.alignment.totals, kind="stable")
    names = [alignment.corpus.docs[compared.docs[k]] for k in order.tolist()]
    drawn = (alignment.timeline(name) for name in names[:_MOST_ITEMS])
    return next((one for one in drawn if one.size(WIDTH)[1] <= _TALL), alignment.timeline(names[0]) if names else None)


def _numbers(data: Ratings) -> Drawing | None:
    numbers, ratings = data.categories.values, data.one_by_one
    several = np.flatnonzero(data.sizes > 1)
    if not data.identified or data.times is not None or not len(several):
        return None
    table = np.full((len(data.items), len(data.annotators)), np.nan)
    table[ratings.item, ratings.annotator] = numbers[ratings.label]
    there = np.flatnonzero(data.took_part)
    names = tuple(data.annotators[k] for k in there.tolist())
    chosen = table[several][:, there]
    if len(names) == 2:
        return scatter_of(data)
    order = np.argsort(np.nanmean(chosen, axis=1), kind="stable")
    most = min(len(order), _MOST_ITEMS)
    drawn = order[np.linspace(0, len(order) - 1, most).round().astype(np.int64)]
    items = tuple(str(data.items[int(several[k])]) for k in drawn.tolist())
    return Strip("", items, names, tuple(map(tuple, chosen[drawn].tolist())), len(order))


def _segments(found: Findings, data: Segmentations) -> Drawing | None:
    """Return the segments of the document with the lowest agreement, a lane per annotator."""
    parts = found.score.parts.get("document", {})
    sign = 1 if found.score.kind == "agreement" else -1
    comparable = [data.docs[d] for d in np.flatnonzero(data.comparable).tolist()]
    known = [name for name in comparable if name in parts and not np.isnan(parts[name].value)]
    if not comparable:
        return None
    doc = min(known, key=lambda name: (sign * parts[name].value, name)) if known else comparable[0]
    at = data.docs.index(doc)
    rows = np.flatnonzero(data.doc == at)
    length = float(data.lengths[at])
    marks = []
    for lane, row in enumerate(rows.tolist()):
        ends = [0.0, *data.positions_of(row).astype(np.float64).tolist(), length]
        marks += [UnitMark(lane, a, b) for a, b in pairwise(ends) if a < b]
    lanes = tuple(data.annotators[int(data.annotator[row])] for row in rows)
    return SegmentsFigure(doc, lanes, tuple(marks), (), (), 0.0, length)
