"""All measures, as one reads a table of contents."""

from __future__ import annotations

from accord.measures.bennett_s import BennettS
from accord.measures.cohen_kappa import CohenKappa
from accord.measures.gwet_ac import GwetAC
from accord.measures.items import ItemMeasure
from accord.measures.krippendorff_alpha import KrippendorffAlpha
from accord.measures.percent import Percent
from accord.measures.scott_pi import ScottPi
from accord.spec import build, parse

Measure = ItemMeasure

MEASURES: tuple[type[ItemMeasure], ...] = (
    Percent,
    BennettS,
    ScottPi,
    CohenKappa,
    KrippendorffAlpha,
    GwetAC,
)


def measure(given: str | Measure) -> Measure:
    """A measure from its spec; `alpha(distance=ordinal)`."""
    if isinstance(given, str):
        return build("measure", parse(given), MEASURES)
    return given
