"""Distances between labels, and agreement weights (w = 1 − d/d_max).

A distance is a frozen value whose repr is its spec. `space(categories, marginals)` returns its arithmetic on the
categories of a data set. This module contains the catalogues; the other modules of the package contain the distances.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.core.errors import SpecError, quoted
from accord.core.spec import Call, build, parse
from accord.measures.distances.matrices import Matrix, WeightMatrix, from_pairs
from accord.measures.distances.scales import (
    Bipolar,
    Circular,
    IntervalDistance,
    Linear,
    Nominal,
    Ordinal,
    OrdinalWeights,
    Power,
    Quadratic,
    Radical,
    Ratio,
    RatioWeights,
)
from accord.measures.distances.sets import Dice, Jaccard, Masi, MasiNltk, Passonneau, as_set
from accord.measures.distances.spaces import Distance
from accord.measures.distances.trees import ExtendedSenses, GeertzenBunt, MelamedResnik
from accord.measures.other_tools import translated

DISTANCES: tuple[type[Distance], ...] = (
    Nominal,
    Ordinal,
    IntervalDistance,
    Ratio,
    Circular,
    Bipolar,
    Jaccard,
    Dice,
    Passonneau,
    Masi,
    MasiNltk,
    MelamedResnik,
    GeertzenBunt,
    ExtendedSenses,
    Matrix,
)

WEIGHTS: tuple[type[Distance], ...] = (
    Nominal,
    Linear,
    Quadratic,
    Radical,
    OrdinalWeights,
    RatioWeights,
    Circular,
    Bipolar,
    Power,
    WeightMatrix,
)


def distance(given: object) -> Distance:
    """Return a distance for a spec, a distance or a matrix."""
    return chosen_distance("distance", given, DISTANCES, Matrix)


def weights(given: object) -> Distance:
    """Return agreement weights for a spec, weights or a matrix."""
    return chosen_distance("weights", given, WEIGHTS, WeightMatrix)


def chosen_distance(kind: str, given: object, catalogue: tuple[type[Distance], ...], matrix: type[Matrix]) -> Distance:
    """Return the distance for a spec, a value or a matrix, looked up in a catalogue."""
    if isinstance(given, Distance):
        if not isinstance(given, catalogue):
            names = ", ".join(c.name for c in catalogue)
            raise SpecError("spec-syntax", f"{given} is not one of the {kind}; use one of: {names}")
        return given
    if isinstance(given, str):
        given = parse(given)
    if isinstance(given, Call):
        other, named = (WEIGHTS, "weights") if kind == "distance" else (DISTANCES, "distance")
        plain = catalogue in (DISTANCES, WEIGHTS)  # distances between units have no weights
        if plain and not _has(given.name, catalogue) and _has(given.name, other):
            raise SpecError("spec-syntax", f"{given.name} cannot be used as {kind}; write {named}={given}")
        return build(kind, translated(kind, given, _names(catalogue)) if plain else given, catalogue)
    if isinstance(given, Mapping):
        return from_pairs(given, matrix)
    try:
        rows = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.zeros(0)
    if rows.ndim != 2:
        raise SpecError(
            "spec-syntax",
            f"{kind} {quoted(given)} is not valid; give a name, a square matrix of numbers, or pairs of labels",
        )
    return matrix(rows=tuple(tuple(row) for row in rows.tolist()))


def _has(name: str, catalogue: tuple[type[Distance], ...]) -> bool:
    return name.lower() in _names(catalogue)


def _names(catalogue: tuple[type[Distance], ...]) -> tuple[str, ...]:
    return tuple(name for cls in catalogue for name in (cls.name, *cls.aliases))


__all__ = ["DISTANCES", "WEIGHTS", "Distance", "Nominal", "as_set", "chosen_distance", "distance", "weights"]
