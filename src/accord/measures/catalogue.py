"""All measures, as one reads a table of contents."""

from __future__ import annotations

from accord.measures.base import Measure
from accord.measures.bennett_s import BennettS
from accord.measures.boundary_edit_distance import BoundaryEditDistance
from accord.measures.boundary_similarity import BoundarySimilarity, KappaStar, PiStar, SegmentationSimilarity
from accord.measures.cohen_kappa import CohenKappa
from accord.measures.discretised import AlphaD, KappaD
from accord.measures.gamma import Gamma
from accord.measures.gamma_cat import GammaCat, GammaK
from accord.measures.gwet_ac import GwetAC
from accord.measures.gwet_theta import GwetTheta
from accord.measures.hamming import GeneralisedHamming
from accord.measures.items import ItemMeasure
from accord.measures.krippendorff_alpha import KrippendorffAlpha
from accord.measures.krippendorff_alpha_u import KrippendorffAlphaU
from accord.measures.pairwise_f1 import PairwiseF1
from accord.measures.percent import Percent
from accord.measures.potential_boundaries import AlphaBoundaries, KappaBoundaries, PiBoundaries
from accord.measures.scales_concordance import KendallW, LinConcordance
from accord.measures.scales_cronbach import CronbachAlpha
from accord.measures.scales_icc import IntraclassCorrelation
from accord.measures.scott_pi import ScottPi
from accord.measures.slot_error_rate import SlotErrorRate
from accord.measures.text_gamma import TextGamma
from accord.measures.unitizing_alpha import BarUAlpha, CuAlpha, KuAlpha, UAlpha
from accord.measures.window_measures import Pk, WindowDiff
from accord.spec import build, parse

ON_ITEMS: tuple[type[ItemMeasure], ...] = (
    Percent,
    BennettS,
    ScottPi,
    CohenKappa,
    KrippendorffAlpha,
    GwetAC,
)
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
ON_SCALES: tuple[type[Measure], ...] = (CronbachAlpha, IntraclassCorrelation, LinConcordance, KendallW)
MEASURES: tuple[type[Measure], ...] = (*ON_ITEMS, *ON_SCALES, *ON_UNITS, *ON_SEGMENTATIONS, *ON_TEXTS)


def measure(given: str | Measure) -> Measure:
    """A measure from its spec; `alpha(distance=ordinal)`."""
    if isinstance(given, str):
        return build("measure", parse(given), MEASURES)
    return given
