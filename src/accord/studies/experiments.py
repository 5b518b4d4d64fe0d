"""The experiments of Mathet et al. 2012 (4), 2015 (6.3) and Barteld et al. 2016 (7); what they leave open is here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from accord.distances.matrices import Matrix, WeightMatrix
from accord.measures.catalogue import measure
from accord.measures.items.cohen_kappa import CohenKappa
from accord.measures.units.gamma import Gamma
from accord.model.data import Data
from accord.simulate.errors.category import FRIENDLY
from accord.simulate.generate import Model
from accord.simulate.values import Judge
from accord.studies.alignments_seen import alignments_seen
from accord.studies.harbour import Harbour

PREVALENCE = (3 / 11, 1 / 11, 2 / 11, 5 / 11)  # matrix B of Table 1, not rounded
TAGS = ("Noun", "Verb", "Adj", "Prep")


class ReferenceSource(Protocol):
    """Something that makes a reference."""

    def made(self, seed: int = 0) -> Data: ...


@dataclass(frozen=True)
class Experiment:
    """A figure, or a panel of one: a reference, an error, and the measures that are compared."""

    key: str
    figure: str
    title: str
    reference: ReferenceSource
    error: Any
    judges: tuple[Judge, ...]
    annotators: int = 3
    with_reference: bool = False  # the reference is one of them
    sets: int | None = None  # as many as the paper has, where it has fewer


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
_LINEAR = "category(power=1)"

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
    Experiment("cat", "2015 Fig. 25", "category errors", PLACES, _LINEAR, (*_FIVE, *_LABELS)),
    Experiment("cat-nogap", "2015 Fig. 25", "category errors, no gaps", ABUTTING, _LINEAR, _KAPPA_D),
    Experiment("pos", "2015 Fig. 26", "positional errors", UNITS, _SHIFT, _FIVE),
    Experiment("poscat", "2015 Fig. 26", "positional and categorial errors", UNITS,
               f"combination([{_SHIFT},{_LINEAR}],shares=[1,1])", _FIVE),
    Experiment("split", "2015 Fig. 27", "splits", UNITS, "fragment(x=5)", (*_QUICK, *_FIVE[1:])),
    Experiment("fp", "2015 Fig. 28", "false positives", UNITS, "false_positive", (*_QUICK, *_SER)),
    Experiment("fn", "2015 Fig. 28", "false negatives", UNITS, "false_negative", _FIVE),
    Experiment("general", "2015 Fig. 30", "positions and false positives, overlapping", UNITS,
               "combination([shift(form=2015),false_positive],shares=[1,1])", _QUICK),
)  # fmt: skip
_TEXTS = _named(
    ("tγ Cat", "text_gamma(p_t=0,p_s=0)"),
    ("tγ Cat+Seg", "text_gamma(p_t=0,p_s=0.04)"),
    ("tγ Cat+Seg+Text", "text_gamma(p_t=0.25,p_s=0.04)"),
)
_SEEN = (Judge(function=alignments_seen, label="alignments"),)
_SECTION_7: dict[str, Any] = {"annotators": 2, "with_reference": True, "sets": 10}
IN_2016 = (
    Experiment("text-cat", "2016 Fig. 2", "categories", Harbour(), "category",
               (*_TEXTS, *_named(("α", "alpha"))), **_SECTION_7),
    Experiment("text-seg", "2016 Fig. 2", "categories and segmentation", Harbour(),
               "combination([token,category],shares=[0.1,1])",
               (*_TEXTS, *_named(("α_U", "alpha_u"), ("γ", "gamma"))), **_SECTION_7),
    Experiment("text-all", "2016 Fig. 2", "categories, segmentation and text", Harbour(),
               "combination([text,token,category],shares=[0.5,0.1,1])", (*_TEXTS, *_SEEN), **_SECTION_7),
)  # fmt: skip
EXPERIMENTS = (*IN_2012, *IN_2015, *IN_2016)
