"""accord: how far annotators agree, where they do not, and what the number means.

Read data, then score them; every measure of the catalogue is also a function. The names below are all there is to
know; each is imported from its room when it is first used, so that a start costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from accord._version import __version__

if TYPE_CHECKING:
    from accord.dissimilarities import dissimilarity
    from accord.errors import AccordError, DataError, SpecError, UnknownName
    from accord.inference.intervals import METHODS as INTERVALS
    from accord.inference.marginals import marginals
    from accord.io import read, read_all
    from accord.measures.catalogue import MEASURES, measure
    from accord.measures.unitary import UnitaryAlignment, UnitaryAlignments
    from accord.model import Categories, Continuum, Corpus, Ratings, Segmentations, Unit
    from accord.result import Interval, Score
    from accord.run import (
        ac,
        align,
        alpha,
        alpha_boundaries,
        alpha_d,
        alpha_u,
        bar_u_alpha,
        boundary_edit_distance,
        boundary_similarity,
        cu_alpha,
        f1,
        gamma,
        gamma_cat,
        gamma_k,
        ghd,
        kappa,
        kappa_boundaries,
        kappa_d,
        kappa_star,
        ku_alpha,
        percent,
        pi,
        pi_boundaries,
        pi_star,
        pk,
        s,
        score,
        segmentation_similarity,
        ser,
        theta,
        u_alpha,
        window_diff,
    )

_ROOMS = {
    # data
    "read": "accord.io",
    "read_all": "accord.io",
    "Ratings": "accord.model",
    "Corpus": "accord.model",
    "Continuum": "accord.model",
    "Unit": "accord.model",
    "Segmentations": "accord.model",
    "Categories": "accord.model",
    # scores
    "score": "accord.run",
    "Score": "accord.result",
    "Interval": "accord.result",
    "percent": "accord.run",
    "s": "accord.run",
    "pi": "accord.run",
    "kappa": "accord.run",
    "alpha": "accord.run",
    "ac": "accord.run",
    "gamma": "accord.run",
    "gamma_cat": "accord.run",
    "gamma_k": "accord.run",
    "alpha_u": "accord.run",
    "u_alpha": "accord.run",
    "bar_u_alpha": "accord.run",
    "cu_alpha": "accord.run",
    "ku_alpha": "accord.run",
    "theta": "accord.run",
    "ser": "accord.run",
    "f1": "accord.run",
    "kappa_d": "accord.run",
    "alpha_d": "accord.run",
    "pk": "accord.run",
    "window_diff": "accord.run",
    "ghd": "accord.run",
    "boundary_edit_distance": "accord.run",
    "boundary_similarity": "accord.run",
    "segmentation_similarity": "accord.run",
    "pi_star": "accord.run",
    "kappa_star": "accord.run",
    "alpha_boundaries": "accord.run",
    "pi_boundaries": "accord.run",
    "kappa_boundaries": "accord.run",
    # alignments
    "align": "accord.run",
    "UnitaryAlignment": "accord.measures.unitary",
    "UnitaryAlignments": "accord.measures.unitary",
    "dissimilarity": "accord.dissimilarities",
    # around them
    "marginals": "accord.inference.marginals",
    "measure": "accord.measures.catalogue",
    "MEASURES": "accord.measures.catalogue",
    "INTERVALS": "accord.inference.intervals",
    # trouble
    "AccordError": "accord.errors",
    "DataError": "accord.errors",
    "SpecError": "accord.errors",
    "UnknownName": "accord.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'accord' has no attribute {name!r}")
    room = import_module(_ROOMS[name])
    value = getattr(room, "METHODS" if name == "INTERVALS" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_ROOMS, "__version__"])


__all__ = [
    "INTERVALS",
    "MEASURES",
    "AccordError",
    "Categories",
    "Continuum",
    "Corpus",
    "DataError",
    "Interval",
    "Ratings",
    "Score",
    "Segmentations",
    "SpecError",
    "Unit",
    "UnitaryAlignment",
    "UnitaryAlignments",
    "UnknownName",
    "__version__",
    "ac",
    "align",
    "alpha",
    "alpha_boundaries",
    "alpha_d",
    "alpha_u",
    "bar_u_alpha",
    "boundary_edit_distance",
    "boundary_similarity",
    "cu_alpha",
    "dissimilarity",
    "f1",
    "gamma",
    "gamma_cat",
    "gamma_k",
    "ghd",
    "kappa",
    "kappa_boundaries",
    "kappa_d",
    "kappa_star",
    "ku_alpha",
    "marginals",
    "measure",
    "percent",
    "pi",
    "pi_boundaries",
    "pi_star",
    "pk",
    "read",
    "read_all",
    "s",
    "score",
    "segmentation_similarity",
    "ser",
    "theta",
    "u_alpha",
    "window_diff",
]
