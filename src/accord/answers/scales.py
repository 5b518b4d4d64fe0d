"""Published scales for interpreting coefficients; shown on request with source and warning."""

from __future__ import annotations

import math
from dataclasses import dataclass

from accord.core.errors import UnknownName
from accord.core.probability import normal_below
from accord.core.result import Score

WARNING = (
    "Scales are conventions, not tests. Most were proposed for unweighted coefficients. With weights or distances, a "
    "value depends on the distance, and the thresholds do not apply (Artstein & Poesio 2008, 4.4.3 and 5)."
)


@dataclass(frozen=True)
class Scale:
    """Levels, highest first: (lowest value, name)."""

    name: str
    source: str
    levels: tuple[tuple[float, str], ...]
    made_for: tuple[str, ...]

    def fits(self, spec: str) -> bool:
        """Whether the scale applies to this measure; scales of κ do not apply to errors, γ and percentages."""
        return spec.partition("(")[0] in self.made_for

    def level(self, value: float) -> str:
        for least, name in self.levels:
            if value >= least:
                return name
        return self.levels[-1][1]

    def membership(self, value: float, se: float) -> dict[str, float]:
        """Gwet's benchmarking: the probability that the value is at this level or a better one."""
        top = normal_below((value - 1) / se)
        whole = normal_below((value + 1) / se) - top
        return {name: (normal_below((value - least) / se) - top) / whole for least, name in self.levels}


_KAPPAS = ("s", "pi", "kappa", "alpha", "ac")  # κ and similar coefficients: labels of items, corrected for chance
_ALPHAS = ("alpha_u", "u_alpha", "bar_u_alpha", "cu_alpha", "ku_alpha", "chain_alpha")
SCALES: tuple[Scale, ...] = (
    Scale(
        "landis_koch",
        "Landis & Koch 1977",
        (
            (0.8, "almost perfect"),
            (0.6, "substantial"),
            (0.4, "moderate"),
            (0.2, "fair"),
            (0.0, "slight"),
            (-1.0, "poor"),
        ),
        _KAPPAS,
    ),
    Scale(
        "krippendorff",
        "Krippendorff 1980; Carletta 1996",
        ((0.8, "good"), (0.67, "tentative conclusions only"), (-1.0, "to be discarded")),
        (*_KAPPAS, *_ALPHAS),
    ),
    Scale(
        "krippendorff_2004",
        "Krippendorff 2004",
        ((0.8, "sufficient"), (-1.0, "not sufficient")),
        ("alpha", *_ALPHAS),
    ),
    Scale(
        "neuendorf",
        "Neuendorf 2002",
        ((0.9, "acceptable to all"), (0.8, "acceptable in most situations"), (-1.0, "disputed")),
        _KAPPAS,
    ),
    Scale(
        "altman",
        "Altman 1991",
        ((0.8, "very good"), (0.6, "good"), (0.4, "moderate"), (0.2, "fair"), (-1.0, "poor")),
        _KAPPAS,
    ),
    Scale("fleiss", "Fleiss 1981", ((0.75, "excellent"), (0.4, "intermediate to good"), (-1.0, "poor")), _KAPPAS),
)


def scale(name: str) -> Scale:
    known = {s.name: s for s in SCALES}
    if name.lower().replace("-", "_") not in known:
        raise UnknownName("scale", name, known)
    return known[name.lower().replace("-", "_")]


def verdict(scale: Scale, score: Score) -> str:
    """Return the level of a score, with its probability."""
    if math.isnan(score.value):
        return "undefined"
    if not score.se:
        return scale.level(score.value)
    sure = next(level for level, p in scale.membership(score.value, score.se).items() if p >= 0.95)
    better = f" ({sure} or better at 95%)" if sure != scale.levels[-1][1] else ""
    return f"{scale.level(score.value)}{better}"
