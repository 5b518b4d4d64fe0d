"""The experiments of Mathet et al. 2012, section 4, and 2015, 6.3; what the papers leave open is chosen here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accord.distances.matrices import Matrix, WeightMatrix
from accord.measures.catalogue import measure
from accord.measures.cohen_kappa import CohenKappa
from accord.measures.gamma import Gamma
from accord.simulate.category import FRIENDLY
from accord.simulate.generate import Model
from accord.simulate.values import Judge

PREVALENCE = (3 / 11, 1 / 11, 2 / 11, 5 / 11)  # matrix B of Table 1, not rounded
TAGS = ("Noun", "Verb", "Adj", "Prep")


@dataclass(frozen=True)
class Experiment:
    """A figure, or a panel of one: a reference, an error, and the measures that are compared."""

    key: str
    figure: str
    title: str
    reference: Model
    error: Any
    judges: tuple[Judge, ...]


def _named(*pairs: tuple[str, str]) -> tuple[Judge, ...]:
    return tuple(Judge(measure(spec), label=name) for name, spec in pairs)


def _likeness(most: float) -> tuple[tuple[float, ...], ...]:
    """Agreement weights: friendly categories are alike, at most this much."""
    far = max(max(row) for row in FRIENDLY)
    return tuple(
        tuple(1.0 if i == j else most * (FRIENDLY[i][j] + FRIENDLY[j][i]) / 2 / far for j in range(4)) for i in range(4)
    )


def _unlike(most: float) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(1.0 - w for w in row) for row in _likeness(most))


SEGMENTS = Model(units=50, categories=0, lengths=(5, 15), segmentation=True)
UNITS = Model(units=50, categories=4, prevalence=(0.4, 0.3, 0.2, 0.1), lengths=(50, 150), gaps=(0, 20))
PLACES = Model(units=10, categories=4, prevalence=(0.4, 0.3, 0.2, 0.1), lengths=(100, 100), gaps=(20, 20), documents=5)
ABUTTING = Model(units=10, categories=4, prevalence=(0.4, 0.3, 0.2, 0.1), lengths=(100, 100), gaps=(0, 0), documents=5)
TAGGED = Model(units=11, categories=TAGS, prevalence=PREVALENCE, lengths=(5, 5), gaps=(1, 1), documents=5)
EVEN = Model(units=12, categories=TAGS, lengths=(5, 5), gaps=(1, 1), documents=5)

_BOUNDARIES = _named(("γ", "gamma"), ("WD", "window_diff"), ("GHD", "ghd(normalised=true)"))
_GAMMA = _named(("γ", "gamma"))
_QUICK = _named(("γ", "gamma(samples=9)"))  # for many units: a third of it, 3 random annotations per set
_ALPHAS = _named(("uα", "u_alpha(form=2013)"), ("c|uα", "cu_alpha(form=2013)"))
_SER, _KAPPA_D = _named(("SER", "ser")), _named(("κ_d", "kappa_d"))
_FIVE = (*_GAMMA, *_ALPHAS, *_SER, *_KAPPA_D)
_LABELS = _named(("α", "alpha"), ("κ", "kappa"), ("γ, chance by shift", "gamma(chance=shift)"))
_SIX = (
    *_named(("BM", "percent"), ("κ", "kappa")),
    Judge(CohenKappa(weights=WeightMatrix(labels=TAGS, rows=_likeness(0.9))), label="W-κ 1"),
    Judge(CohenKappa(weights=WeightMatrix(labels=TAGS, rows=_likeness(0.5))), label="W-κ 2"),
    Judge(Gamma(distance=Matrix(labels=TAGS, rows=_unlike(0.5))), label="GM 1 (γ, friendly)"),
    *_named(("GM 2 (γ)", "gamma")),
)
_SHIFT = "shift(form=2015,overlap=false)"

IN_2012 = (
    Experiment("seg-fn", "2012 Fig. 2", "false negatives", SEGMENTS, "false_negative", _BOUNDARIES),
    Experiment("seg-fp", "2012 Fig. 2", "false positives", SEGMENTS, "false_positive", _BOUNDARIES),
    Experiment("seg-shift", "2012 Fig. 2", "shifts", SEGMENTS, "shift", _BOUNDARIES),
    Experiment("seg-combi", "2012 Fig. 2", "combination", SEGMENTS,
               "combination([false_negative,false_positive,shift])", _BOUNDARIES),
    Experiment("cat-none", "2012 Fig. 3", "neither", EVEN, "category(prevalence=false)", _SIX),
    Experiment("cat-prev", "2012 Fig. 3", "prevalence", TAGGED, "category", _SIX),
    Experiment("cat-overlap", "2012 Fig. 3", "overlapping", EVEN, "category(prevalence=false,overlap=true)", _SIX),
    Experiment("cat-both", "2012 Fig. 3", "overlapping and prevalence", TAGGED, "category(overlap=true)", _SIX),
)  # fmt: skip
IN_2015 = (
    Experiment("cat", "2015 Fig. 25", "category errors", PLACES, "category", (*_FIVE, *_LABELS)),
    Experiment("cat-nogap", "2015 Fig. 25", "category errors, no gaps", ABUTTING, "category", _KAPPA_D),
    Experiment("pos", "2015 Fig. 26", "positional errors", UNITS, _SHIFT, _FIVE),
    Experiment("poscat", "2015 Fig. 26", "positional and categorial errors", UNITS,
               f"combination([{_SHIFT},category],shares=[1,1])", _FIVE),
    Experiment("split", "2015 Fig. 27", "splits", UNITS, "fragment(x=5)", (*_QUICK, *_FIVE[1:])),
    Experiment("fp", "2015 Fig. 28", "false positives", UNITS, "false_positive", (*_QUICK, *_SER)),
    Experiment("fn", "2015 Fig. 28", "false negatives", UNITS, "false_negative", _FIVE),
    Experiment("general", "2015 Fig. 30", "positions and false positives, overlapping", UNITS,
               "combination([shift(form=2015),false_positive],shares=[1,1])", _QUICK),
)  # fmt: skip
EXPERIMENTS = (*IN_2012, *IN_2015)
