"""The coefficients on items: measures that count atoms as items choose among them, too."""

from __future__ import annotations

from accord.measures.items.base import ItemMeasure
from accord.measures.items.bennett_s import BennettS
from accord.measures.items.cohen_kappa import CohenKappa
from accord.measures.items.gwet_ac import GwetAC
from accord.measures.items.krippendorff_alpha import KrippendorffAlpha
from accord.measures.items.percent import Percent
from accord.measures.items.scott_pi import ScottPi

COEFFICIENTS: tuple[type[ItemMeasure], ...] = (
    Percent,
    BennettS,
    ScottPi,
    CohenKappa,
    KrippendorffAlpha,
    GwetAC,
)
