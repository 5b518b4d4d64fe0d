"""Catalogue of all measures, grouped by kind of data."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from accord.core.errors import SpecError, quoted
from accord.core.spec import Call, build, parse, written
from accord.measures.chains.chain_alpha import ChainAlpha, LinkAlpha
from accord.measures.chains.coreference import BCubed, Blanc, CeafE, Conll, LinksF1, Muc
from accord.measures.items.coefficients import COEFFICIENTS
from accord.measures.items.item_measure import ItemMeasure
from accord.measures.measure import Measure
from accord.measures.other_tools import translated
from accord.measures.scales.concordance import KendallW, LinConcordance
from accord.measures.scales.cronbach import CronbachAlpha
from accord.measures.scales.icc import IntraclassCorrelation
from accord.measures.segmentations.boundary_similarity import (
    BoundarySimilarity,
    KappaStar,
    PiStar,
    SegmentationSimilarity,
)
from accord.measures.segmentations.edit_distances import BoundaryEditDistance, GeneralisedHamming
from accord.measures.segmentations.potential_boundaries import AlphaBoundaries, KappaBoundaries, PiBoundaries
from accord.measures.segmentations.windows import Pk, WindowDiff
from accord.measures.texts.text_gamma import TextGamma
from accord.measures.units.discretised import AlphaD, KappaD
from accord.measures.units.gamma import Gamma
from accord.measures.units.gamma_cat import GammaCat, GammaK
from accord.measures.units.gwet_theta import GwetTheta
from accord.measures.units.krippendorff_alpha_u import KrippendorffAlphaU
from accord.measures.units.pairwise import PairwiseF1, SlotErrorRate
from accord.measures.units.unitizing_alpha import BarUAlpha, CuAlpha, KuAlpha, UAlpha

ON_ITEMS: tuple[type[ItemMeasure], ...] = COEFFICIENTS
ON_UNITS: tuple[type[Measure], ...] = (
    Gamma,
    GammaCat,
    GammaK,
    KrippendorffAlphaU,
    UAlpha,
    BarUAlpha,
    CuAlpha,
    KuAlpha,
    GwetTheta,
    SlotErrorRate,
    PairwiseF1,
    KappaD,
    AlphaD,
)
ON_SEGMENTATIONS: tuple[type[Measure], ...] = (
    Pk,
    WindowDiff,
    GeneralisedHamming,
    BoundaryEditDistance,
    BoundarySimilarity,
    SegmentationSimilarity,
    PiStar,
    KappaStar,
    AlphaBoundaries,
    PiBoundaries,
    KappaBoundaries,
)
ON_TEXTS: tuple[type[Measure], ...] = (TextGamma,)
ON_CHAINS: tuple[type[Measure], ...] = (ChainAlpha, LinkAlpha, Muc, BCubed, CeafE, Conll, Blanc, LinksF1)
ON_SCALES: tuple[type[Measure], ...] = (CronbachAlpha, IntraclassCorrelation, LinConcordance, KendallW)
GROUPS: dict[str, tuple[type[Measure], ...]] = {
    "measures of agreement on items": ON_ITEMS,
    "measures on scales": ON_SCALES,
    "measures of agreement on units": ON_UNITS,
    "measures on segmentations": ON_SEGMENTATIONS,
    "measures on texts": ON_TEXTS,
    "measures on coreference chains": ON_CHAINS,
}
MEASURES: tuple[type[Measure], ...] = tuple(cls for group in GROUPS.values() for cls in group)


def own_names() -> tuple[str, ...]:
    """Return all names and aliases of the measures."""
    return tuple(name for cls in MEASURES for name in (cls.name, *cls.aliases))


def measure(given: str | Measure) -> Measure:
    """Make a measure from its spec.

    Parameters
    ----------
    given : str or Measure
        A spec such as `alpha(distance=ordinal)`. Names that other tools use are translated
        (`accord.measures.other_tools`). A measure is returned unchanged.

    Returns
    -------
    Measure
        A frozen value; its `repr` is the spec.

    Raises
    ------
    UnknownName
        If the measure or option does not exist.
    SpecError
        If the spec cannot be parsed, or an option has an invalid value.

    Examples
    --------
    >>> accord.measure("krippendorff(distance=ordinal)")
    alpha(distance=ordinal)
    """
    if isinstance(given, str):
        text = _printed_names().get(given.strip().lower(), given)
        return build("measure", translated("measure", _as_printed(parse(text)), own_names()), MEASURES)
    if not isinstance(given, Measure):
        raise SpecError(
            "spec-syntax",
            f"a measure is a spec such as alpha(distance=ordinal) or a result of accord.measure, not {quoted(given)}",
        )
    return given


@cache
def _printed_names() -> dict[str, str]:
    """Map the symbols that outputs show to names: α to alpha. Where measures share a symbol, the first one has it."""
    names: dict[str, str] = {"agreement": "percent"}
    for cls in MEASURES:
        if cls.symbol and cls.symbol.lower() not in own_names():
            names.setdefault(cls.symbol.lower(), cls.name)
    return names


def _as_printed(call: Call) -> Call:
    """Accept symbols with options, α(distance=ordinal), and forms of the ICC as papers write them, ICC(3,1)."""
    name = _printed_names().get(call.name.lower(), call.name)
    if name.lower() in {IntraclassCorrelation.name, *IntraclassCorrelation.aliases} and len(call.args) == 2:
        form = ",".join(map(written, call.args))
        return Call(name, (), (("form", form), *call.kwargs), bare=False)
    return replace(call, name=name)
