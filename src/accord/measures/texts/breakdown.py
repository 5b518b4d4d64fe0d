"""The breakdowns of tγ: what the disorder of texts comes from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.core.arrays import Floats
from accord.core.result import Score
from accord.measures.distances.spaces import sums_by
from accord.measures.measure import gamma_score
from accord.measures.texts.differences import TextEvidence

PARTS = ("kind", "category", "annotator", "pair", "document")
NO_LABEL = "(no label)"
GAP = "(gap)"


def disorder_by(measure: str, evidence: TextEvidence, by: str) -> Mapping[str, Score]:
    """The breakdown: for each name tγ, its disorder, and in `details` its sum and its share of all disorder."""
    ready, compared, times = evidence.ready, evidence.compared, evidence.times
    own, expected = ready.own * times, evidence.expected * times[:, None]
    observed = compared.kinds * times[:, None]
    if by == "kind":
        always = ("text", "segmentation")
        names = (*always, *(f"feature_{name}" if name in always else name for name in ready.features))
        size = np.full(len(names), float(own.sum()))
        return _scores(measure, names, observed.sum(axis=0), size, expected.sum(axis=0))
    if by == "document":
        return _scores(measure, evidence.names, observed.sum(axis=1), own, expected.sum(axis=1))
    per_unit = np.divide(expected.sum(axis=1), own, out=np.zeros(len(own)), where=own > 0)
    if by == "category" or by in ready.features:
        which = ready.features.index(by) if by in ready.features else 0
        return _by_category(measure, evidence, per_unit, which)
    doc, a, b = ready.pairs.T
    one, other = (ready.texts.version_annotator[v].astype(np.int64) for v in (a, b))
    weight = times[doc] * ready.share
    cost = compared.kinds_by_pair.sum(axis=1) * weight
    units = (ready.versions.units[a] + ready.versions.units[b]) / 2
    size = units * weight
    m = len(ready.texts.annotators)
    if by == "annotator":
        both = np.concatenate([one, other])
        sums, sizes, chance = (sums_by(both, np.tile(x, 2) / 2, m) for x in (cost, size, size * per_unit[doc]))
        whose = ready.texts.version_annotator[evidence.version].astype(np.int64)
        count = sums_by(whose, ready.versions.units[evidence.version] * evidence.version_times, m)
        return _scores(measure, ready.texts.annotators, sums, sizes, chance, count)
    met, number = np.unique(one * m + other, return_inverse=True)
    sums, sizes, chance = (sums_by(number, x, len(met)) for x in (cost, size, size * per_unit[doc]))
    names = tuple(f"{ready.texts.annotators[k // m]} – {ready.texts.annotators[k % m]}" for k in met)
    return _scores(measure, names, sums, sizes, chance, sums_by(number, units * times[doc], len(met)))


def _by_category(measure: str, evidence: TextEvidence, per_unit: Floats, feature: int) -> Mapping[str, Score]:
    """A feature: what an aligned pair costs goes to the categories of its two tokens, half and half."""
    ready, found = evidence.ready, evidence.compared.alignments
    versions = ready.versions
    labels = ready.texts.features[ready.features[feature]].categories
    q = len(labels) + 2  # and tokens without label, and gaps
    code = np.where(versions.whole.gap, q - 1, versions.whole.labels[:, feature])
    weight = evidence.times[ready.pairs[:, 0]] * ready.share
    owner, half = found.owner, found.parts.sum(axis=1) / 2
    sums, size, chance = np.zeros(q), np.zeros(q), np.zeros(q)
    for side in (0, 1):
        version = ready.pairs[:, 1 + side]
        # Every unit of a version counts once for each pair it is in, as if it were alone; then the aligned ones less.
        times = sums_by(version, weight, len(versions))[versions.owner]
        expected = sums_by(version, weight * per_unit[ready.pairs[:, 0]], len(versions))[versions.owner]
        met = code[versions.first_unit[version][owner] + found.pairs[:, side]]
        sums += sums_by(code, times, q) - sums_by(met, (1 - half) * weight[owner], q)
        size += sums_by(code, times / 2, q)
        chance += sums_by(code, expected / 2, q)
    often = np.zeros(len(versions))
    often[evidence.version] = evidence.version_times
    count = sums_by(code, often[versions.owner], q)
    return _scores(measure, (*labels.names, NO_LABEL, GAP), np.maximum(sums, 0.0), size, chance, count)


def _scores(
    measure: str, names: tuple[str, ...], sums: Floats, size: Floats, chance: Floats, count: Floats | None = None
) -> dict[str, Score]:
    """`size` is the share of each name in x̄, `count` how many units it has, if that is something else."""
    whole = float(sums.sum())
    many = size if count is None else count
    made = {}
    for k in np.flatnonzero(size > 0).tolist():
        share = float(sums[k] / whole) if whole else 0.0
        made[names[k]] = gamma_score(
            measure,
            float(sums[k] / size[k]),
            float(chance[k] / size[k]),
            n=round(float(many[k])),
            details={"disorder": float(sums[k]), "share": share},
        )
    return made
