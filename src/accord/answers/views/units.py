"""Units: each document with its unitary alignments."""

from __future__ import annotations

import numpy as np

from accord.answers.views.spans import Spans, Words, kinds_named
from accord.answers.views.view import Views
from accord.measures.units.unitary import UnitaryAlignments


def views_of_units(found: UnitaryAlignments, most: int | None = None) -> Views:
    """The documents that were aligned, those with the largest disorder first."""
    corpus, compared, alignment = found.corpus, found.compared, found.compared.alignment
    ranked = np.argsort(-alignment.totals, kind="stable")[:most]
    groups = np.argsort(alignment.continuum, kind="stable")
    group_ends = np.searchsorted(alignment.continuum[groups], np.arange(len(compared.docs) + 1))
    member_ends = np.searchsorted(alignment.members_group, np.arange(len(alignment.disorder) + 1))
    words = Words() if len(corpus.categories) else Words(kinds=kinds_named(label=None))
    made = []
    for c in ranked.tolist():
        doc = int(compared.docs[c])
        mine = groups[group_ends[c] : group_ends[c + 1]]
        sizes = member_ends[mine + 1] - member_ends[mine]
        first = np.cumsum(sizes) - sizes
        members = np.repeat(member_ends[mine] - first, sizes) + np.arange(int(sizes.sum()))
        entries, unit = np.unique(compared.source.unit[alignment.members_unit[members]], return_inverse=True)
        lanes = np.cumsum(corpus.judged[doc]) - 1
        name = corpus.docs[doc]
        made.append(
            Spans.of(
                name,
                [who for who, looked in zip(corpus.annotators, corpus.judged[doc], strict=True) if looked],
                (
                    lanes[corpus.annotator[entries]],
                    corpus.start[entries],
                    corpus.end[entries],
                    corpus.label[entries].astype(np.int64),
                ),
                corpus.categories.names,
                (
                    np.repeat(np.arange(len(mine)), sizes),
                    unit,
                    alignment.disorder[mine],
                    {cause: cost[mine] for cause, cost in found.causes.items()},
                ),
                (float(corpus.extents[doc, 0]), float(corpus.extents[doc, 1])),
                text=corpus.texts.get(name),
                words=words,
            )
        )
    return Views("units", tuple(made), len(corpus.docs) - len(made), corpus.categories.names)
