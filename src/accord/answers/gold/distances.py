"""How far apart the labels of an item are, by the distance of their level of measurement."""

from __future__ import annotations

import math

import numpy as np

from accord.answers.scoring import main_measure
from accord.core.arrays import Floats
from accord.core.errors import AccordError
from accord.data.model.measurement import ORDERED
from accord.data.model.ratings import Ratings
from accord.measures.distances import Distance, Nominal
from accord.measures.distances.scales import Ordinal

_DIGITS = 12  # significant digits of the largest; rounded, so that items with the same labels are tied


def distances_within(data: Ratings) -> Floats | None:
    """Return the sum of the distances between all pairs of labels of each item; None if labels are names.

    The distance is that of α at the level of the labels: squared differences for numbers, mid-ranks for grades, MASI
    for sets.
    """
    metric = _metric(data)
    if metric is None or not len(data):
        return None
    compared = np.where(data.sizes > 1, data.weight, 0.0)
    marginals = data.summed(data.label, compared, len(data.categories))
    try:
        within = metric.space(data.categories, marginals).within(data.item, data.label, data.sizes, data.many)
    except AccordError:  # too many different numbers for a table of distances
        within = Ordinal().space(data.categories, marginals).within(data.item, data.label, data.sizes, data.many)
    total = np.asarray(within * data.sizes * (data.sizes - 1) / 2, dtype=np.float64)
    largest = float(total.max(initial=0.0))
    return np.asarray(np.round(total, _DIGITS - math.ceil(math.log10(largest)))) if largest > 0 else total


def _metric(data: Ratings) -> Distance | None:
    try:
        metric = getattr(main_measure(None, data), "metric", None)
    except AccordError:  # rankings and free texts have no distance
        return None
    return None if metric is None or isinstance(metric, Nominal) else metric


def ranges(data: Ratings) -> Floats | None:
    """Return the difference between the highest and the lowest label of each item, for words in ranks."""
    if data.measurement.level not in ORDERED:
        return None
    place = data.categories.positions[data.label]
    low, high = np.full(len(data.items), np.inf), np.full(len(data.items), -np.inf)
    np.minimum.at(low, data.item, place)
    np.maximum.at(high, data.item, place)
    wide = np.where(high >= low, high - low, 0.0)
    return np.asarray(np.round(wide, 10), dtype=np.float64)  # 7.3 − 4.1 is 3.2
