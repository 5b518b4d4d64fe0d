"""The coefficients on items: measures that count atoms as items choose among them, too."""

from __future__ import annotations

from accord.measures.items.coefficients import BennettS, CohenKappa, GwetAC, KrippendorffAlpha, Percent, ScottPi
from accord.measures.items.item_measure import ItemMeasure

COEFFICIENTS: tuple[type[ItemMeasure], ...] = (
    Percent,
    BennettS,
    ScottPi,
    CohenKappa,
    KrippendorffAlpha,
    GwetAC,
)
