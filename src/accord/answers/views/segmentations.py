"""Segmentations: boundaries as lanes; those of different annotators next to each other are a near miss."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accord.answers.views.spans import Spans, Words, kinds_named, merged
from accord.answers.views.view import Views
from accord.core.arrays import Floats, Ints
from accord.data.model.segmentations import Segmentations
from accord.measures.segmentations.boundary_similarity import BoundarySimilarity

NEAR = BoundarySimilarity().n_t - 1  # atoms between two boundaries of a near miss, as boundary similarity has it
_NEAR_MISS = "near miss"
_WORDS = Words(
    unit="boundary",
    category="type",
    cost="edits",
    kinds=kinds_named(label="type", boundaries=_NEAR_MISS),
    note=(
        f"A boundary stands after the atom of its number. Boundaries up to {NEAR} apart are a near miss. edits: the "
        "mean over pairs of annotators; 1 where one of them has no boundary or another type, "
        f"distance/{NEAR + 1} for a near miss."
    ),
    ticks=True,
)


def views_of_segmentations(data: Segmentations, most: int | None = None) -> Views:
    made = [_view(data, int(d)) for d in np.flatnonzero(data.comparable)]
    made.sort(key=lambda view: -view.cost)
    kept = made[:most]
    return Views("segmentations", tuple(kept), len(data.docs) - len(kept), data.categories.names)


def _view(data: Segmentations, doc: int) -> Spans:
    rows = np.flatnonzero(data.doc == doc)
    rows = rows[np.argsort(data.annotator[rows], kind="stable")]
    counts = data.offsets[rows + 1] - data.offsets[rows]
    inside = [np.arange(data.offsets[r], data.offsets[r + 1]) for r in rows]
    at = np.concatenate([np.zeros(0, dtype=np.int64), *inside])
    lane = np.repeat(np.arange(len(rows)), counts)
    position, label = data.position[at], data.label[at].astype(np.int64)
    group = merged(lane, _candidates(lane, position, label))
    costs, causes = _costs(lane, position, label, group, len(rows))
    several = len(data.categories) > 1
    return Spans.of(
        data.docs[doc],
        [data.annotators[int(data.annotator[r])] for r in rows],
        (lane, position.astype(np.float64), position.astype(np.float64), label if several else np.full(len(at), -1)),
        data.categories.names,
        (group, np.arange(len(at)), costs, causes),
        (0.0, float(data.lengths[doc])),
        words=_WORDS if several else replace(_WORDS, kinds=kinds_named(label=None, boundaries=_NEAR_MISS)),
    )


def _candidates(lane: Ints, position: Ints, label: Ints) -> Ints:
    """Boundaries that may be the same: nearest first; another type only at the same place."""
    order = np.argsort(position, kind="stable")
    found = []
    for step in range(1, len(order)):
        one, other = order[:-step], order[step:]
        apart = position[other] - position[one]
        near = apart <= NEAR
        if not near.any():
            break
        typed = label[one] != label[other]
        fits = near & (lane[one] != lane[other]) & ((apart == 0) | ~typed)
        found.append(np.stack([apart, typed, position[one], lane[one], lane[other], one, other], axis=1)[fits])
    if not found:
        return np.zeros((0, 2), dtype=np.int64)
    pairs = np.concatenate(found)
    return pairs[np.lexsort(pairs[:, 4::-1].T)][:, 5:]


def _costs(lane: Ints, position: Ints, label: Ints, group: Ints, n: int) -> tuple[Floats, dict[str, Floats]]:
    """The mean over pairs of annotators of what makes them the same."""
    many = int(group.max()) + 1 if len(group) else 0
    near, types, absent = np.zeros(many), np.zeros(many), np.zeros(many)
    order = np.lexsort((lane, group))
    ends = np.searchsorted(group[order], np.arange(many + 1))
    everyone = n * (n - 1) / 2
    for g in range(many):
        mine = order[ends[g] : ends[g + 1]]
        a, b = np.triu_indices(len(mine), 1)
        near[g] = np.abs(position[mine[a]] - position[mine[b]]).sum() / (NEAR + 1)
        types[g] = (label[mine[a]] != label[mine[b]]).sum()
        absent[g] = everyone - len(a)
    causes = {_NEAR_MISS: near / everyone, "type": types / everyone, "absence": absent / everyone}
    return sum(causes.values(), np.zeros(many)), causes
