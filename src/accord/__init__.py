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
    from accord.inference.comparison.checks import check
    from accord.inference.comparison.compare import compare, compare_all
    from accord.inference.comparison.groups import compare_groups
    from accord.inference.comparison.influence import influence
    from accord.inference.intervals.methods import METHODS as INTERVALS
    from accord.inference.marginals import marginals
    from accord.inference.planning.designs import intra, layout
    from accord.inference.planning.sample_size import sample_size
    from accord.inference.reliability import bland_altman, cronbach, icc, icc_forms, kendall_w, lin
    from accord.io import read, read_all
    from accord.measures.catalogue import MEASURES, measure
    from accord.measures.texts.side_by_side import TextAlignments
    from accord.measures.texts.two_texts import side_by_side
    from accord.measures.units.unitary import UnitaryAlignment, UnitaryAlignments
    from accord.model import Categories, Continuum, Corpus, Ratings, Segmentations, Texts, Unit
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
        text_gamma,
        theta,
        u_alpha,
        window_diff,
    )
    from accord.simulate.generate import generate
    from accord.simulate.meaning import meaning
    from accord.simulate.shuffle import shuffle
    from accord.simulate.xray import xray

_ROOMS = {
    # data
    "read": "accord.io",
    "read_all": "accord.io",
    "Ratings": "accord.model",
    "Corpus": "accord.model",
    "Continuum": "accord.model",
    "Unit": "accord.model",
    "Segmentations": "accord.model",
    "Texts": "accord.model",
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
    "text_gamma": "accord.run",
    # alignments
    "side_by_side": "accord.measures.texts.two_texts",
    "align": "accord.run",
    "TextAlignments": "accord.measures.texts.side_by_side",
    "UnitaryAlignment": "accord.measures.units.unitary",
    "UnitaryAlignments": "accord.measures.units.unitary",
    "dissimilarity": "accord.dissimilarities",
    # what follows from them
    "compare": "accord.inference.comparison.compare",
    "compare_all": "accord.inference.comparison.compare",
    "compare_groups": "accord.inference.comparison.groups",
    "influence": "accord.inference.comparison.influence",
    "check": "accord.inference.comparison.checks",
    "layout": "accord.inference.planning.designs",
    "intra": "accord.inference.planning.designs",
    "sample_size": "accord.inference.planning.sample_size",
    "cronbach": "accord.inference.reliability",
    "icc": "accord.inference.reliability",
    "icc_forms": "accord.inference.reliability",
    "lin": "accord.inference.reliability",
    "kendall_w": "accord.inference.reliability",
    "bland_altman": "accord.inference.reliability",
    "shuffle": "accord.simulate.shuffle",
    "generate": "accord.simulate.generate",
    "xray": "accord.simulate.xray",
    "meaning": "accord.simulate.meaning",
    # around them
    "marginals": "accord.inference.marginals",
    "measure": "accord.measures.catalogue",
    "MEASURES": "accord.measures.catalogue",
    "INTERVALS": "accord.inference.intervals.methods",
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
    "TextAlignments",
    "Texts",
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
    "bland_altman",
    "boundary_edit_distance",
    "boundary_similarity",
    "check",
    "compare",
    "compare_all",
    "compare_groups",
    "cronbach",
    "cu_alpha",
    "dissimilarity",
    "f1",
    "gamma",
    "gamma_cat",
    "gamma_k",
    "generate",
    "ghd",
    "icc",
    "icc_forms",
    "influence",
    "intra",
    "kappa",
    "kappa_boundaries",
    "kappa_d",
    "kappa_star",
    "kendall_w",
    "ku_alpha",
    "layout",
    "lin",
    "marginals",
    "meaning",
    "measure",
    "percent",
    "pi",
    "pi_boundaries",
    "pi_star",
    "pk",
    "read",
    "read_all",
    "s",
    "sample_size",
    "score",
    "segmentation_similarity",
    "ser",
    "shuffle",
    "side_by_side",
    "text_gamma",
    "theta",
    "u_alpha",
    "window_diff",
    "xray",
]
