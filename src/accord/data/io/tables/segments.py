"""Fixed segments: a row for each stretch that all annotators labelled, with a column for each of them.

`file, start, end, Ana, Ben` looks like units; but who is asked about given stretches labels items.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.data.io.reading import Reading
from accord.data.io.tables.columns import without_blank
from accord.data.io.tables.evidence import groups_alike, seen
from accord.data.io.tables.roles import ANNOTATOR, DOC, LABEL, START, end_of, first_of, holds_units, people_of
from accord.data.io.tables.sources import Source


def annotators_of_segments(header: Sequence[str], needed: Sequence[str] = ()) -> tuple[str, ...]:
    """The columns beside the segments that may be annotators; none where a column names them, or their labels."""
    if not holds_units(header) or first_of(header, ANNOTATOR) or first_of(header, LABEL):
        return ()
    segment = (first_of(header, START), end_of(header), first_of(header, DOC))
    return people_of([name for name in header if name not in segment], needed)


def are_segments(source: Source, how: Reading) -> bool:
    """Whether every stretch comes once, and at least two columns hold the same labels."""
    people = annotators_of_segments(source.header, how.needed) if how.annotator is None else ()
    if len(people) < 2:
        return False
    where = [
        name for name in (first_of(source.header, DOC), first_of(source.header, START), end_of(source.header)) if name
    ]
    columns = without_blank(*source.load([*where, *people]))[0]
    places = np.stack([columns[name].codes for name in where])
    if len(np.unique(places, axis=1).T) < places.shape[1]:
        return False
    known = seen({name: columns[name] for name in people})
    labelled = [one for one in known.values() if one.n and not one.never_twice]
    return len(labelled) > 1 and len(groups_alike(labelled)) == 1
