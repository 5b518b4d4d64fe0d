"""Boundary similarity B and segmentation similarity S from boundary edits; π* and κ* are chance-corrected."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import SpecError, UnknownName, quoted
from accord.core.result import Kind, Score, chance_corrected
from accord.core.spec import Call, build, parse
from accord.measures.measure import Measure
from accord.measures.segmentations.comparisons import PairsCompared, SegmentationMeasure
from accord.measures.segmentations.edit_distances import LONGEST_TE, EditMeasure

RATES = ("pooled", "mean")


@dataclass(frozen=True, repr=False)
class BoundarySimilarity(EditMeasure):
    """Fournier 2013. Share of the matched and edited boundaries that remains after subtracting the edit costs."""

    pooled: bool = True

    name: ClassVar[str] = "boundary_similarity"
    symbol: ClassVar[str] = "B"
    aliases: ClassVar[tuple[str, ...]] = ("b",)
    title: ClassVar[str] = "Boundary similarity B"
    source: ClassVar[str] = "Fournier 2013"
    kind: ClassVar[Kind] = "agreement"

    def parts_of(self, table: dict[str, Floats], cost: Floats) -> dict[str, Floats]:
        whole = table["additions"] + table["transpositions"] + table["substitutions"] + table["matches"]
        return {"numerator": whole - cost, "denominator": whole}


@dataclass(frozen=True, repr=False)
class SegmentationSimilarity(EditMeasure):
    """Fournier & Inkpen 2012. Share of the potential boundaries that need no edit."""

    pooled: bool = True

    name: ClassVar[str] = "segmentation_similarity"
    symbol: ClassVar[str] = "S"
    title: ClassVar[str] = "Segmentation similarity S"
    source: ClassVar[str] = "Fournier & Inkpen 2012"
    kind: ClassVar[Kind] = "agreement"

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        if self.weight == "te":
            return ((replace(self, weight="scaled"), "a near miss costs as in segeval 2, not as in 2012"),)
        if self.weight == "scaled" and self.n_t <= LONGEST_TE:
            return ((replace(self, weight="te"), "a near miss costs as in Fournier & Inkpen 2012, not segeval 2"),)
        return ()

    def parts_of(self, table: dict[str, Floats], cost: Floats) -> dict[str, Floats]:
        return {"numerator": table["places"] - cost, "denominator": table["places"]}


SIMILARITIES: tuple[type[EditMeasure], ...] = (BoundarySimilarity, SegmentationSimilarity)


@dataclass(frozen=True, repr=False)
class StarMeasure(SegmentationMeasure):
    """(A_a − A_e)/(1 − A_e): B or S pooled over all comparisons, corrected for chance agreement on boundaries."""

    pooled: bool = True
    on: EditMeasure | None = None
    rates: str = "pooled"

    symmetric: ClassVar[bool] = True
    lowest: ClassVar[float] = -math.inf
    kind: ClassVar[Kind] = "agreement"

    def __post_init__(self) -> None:
        super().__post_init__()
        chosen: Any = self.on
        if isinstance(chosen, str):
            chosen = parse(chosen)
        if isinstance(chosen, Call):
            chosen = build("similarity", chosen, SIMILARITIES)
        if chosen is not None and not isinstance(chosen, SIMILARITIES):
            raise SpecError(
                "measure-option",
                f"{self.name}: on must be boundary_similarity or segmentation_similarity, not {quoted(chosen)}",
            )
        if chosen is not None and chosen.reference is not None:
            raise SpecError("measure-option", f"{self.name}: give the reference only once, as {self.name}(reference=…)")
        object.__setattr__(self, "on", None if chosen == BoundarySimilarity() else chosen)
        if self.rates not in RATES:
            raise UnknownName("rates", str(self.rates), RATES)

    @property
    def uses_types(self) -> bool:
        return True

    @property
    def similarity(self) -> EditMeasure:
        return self.on or BoundarySimilarity()

    def compare(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        return self.similarity.compare(found, run)

    def chance(self, evidence: PairsCompared) -> float:
        """Return A_e: the probability that two annotators both mark a boundary at a position."""
        raise NotImplementedError

    def scored(self, evidence: PairsCompared) -> Score:
        observed = self.quotient(evidence)
        if math.isnan(observed):
            return Score(math.nan, str(self), undefined="the sample contains none of these documents")
        expected = self.chance(evidence)
        placed = evidence.total("size_1") + evidence.total("size_2")
        reason = None if placed else "no annotator marked a boundary"
        if expected >= 1:
            reason = "every position has a boundary, so expected agreement is 1 (0/0)"
        return chance_corrected(str(self), 1.0 - observed, 1.0 - expected, reason=reason)

    def explain(self, evidence: PairsCompared, score: Score) -> dict[str, Any]:
        by_pi, by_kappa = chance_of_all(evidence, self.rates), chance_of_pairs(evidence)
        facts = {"on": str(self.similarity), "expected_pi": by_pi, "expected_kappa": by_kappa, "bias": by_pi - by_kappa}
        return self.similarity.explain(evidence, score) | super().explain(evidence, score) | facts


@dataclass(frozen=True, repr=False)
class PiStar(StarMeasure):
    """Fournier & Inkpen 2012, Fournier 2013. Expected agreement from the boundary rate of all annotators together."""

    name: ClassVar[str] = "pi_star"
    symbol: ClassVar[str] = "π*"
    aliases: ClassVar[tuple[str, ...]] = ("boundary_pi",)
    title: ClassVar[str] = "π*, chance-corrected boundary similarity"
    source: ClassVar[str] = "Fournier & Inkpen 2012; Fournier 2013"

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        if self.rates == "mean":
            return ((replace(self, rates="pooled"), "boundary rates are pooled, as in Fournier & Inkpen 2012"),)
        return ((replace(self, rates="mean"), "boundary rates are the mean of each annotator and text, as in segeval"),)

    def chance(self, evidence: PairsCompared) -> float:
        return chance_of_all(evidence, self.rates)


@dataclass(frozen=True, repr=False)
class KappaStar(StarMeasure):
    """Fournier & Inkpen 2012, Fournier 2013. Expected agreement from the boundary rate of each annotator."""

    name: ClassVar[str] = "kappa_star"
    symbol: ClassVar[str] = "κ*"
    aliases: ClassVar[tuple[str, ...]] = ("boundary_kappa",)
    title: ClassVar[str] = "κ*, chance-corrected boundary similarity"
    source: ClassVar[str] = "Fournier & Inkpen 2012; Fournier 2013"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rates != "pooled":
            raise SpecError(
                "measure-option",
                "kappa_star: rates must be pooled; for rates=mean use pi_star(rates=mean)",
            )

    def chance(self, evidence: PairsCompared) -> float:
        return chance_of_pairs(evidence)


def chance_of_all(evidence: PairsCompared, rates: str = "pooled") -> float:
    """Return P(seg)², the squared share of positions with a boundary; `mean` averages the comparisons, as segeval."""
    weight, places = evidence.weight, evidence["places"]
    if rates == "mean":
        each = (evidence["size_1"] + evidence["size_2"]) / (2 * places)
        return float(weight @ each / weight.sum()) ** 2
    return ((evidence.total("size_1") + evidence.total("size_2")) / (2 * evidence.total("places"))) ** 2


def chance_of_pairs(evidence: PairsCompared) -> float:
    """Return the mean of P(seg | one) · P(seg | other) over pairs of annotators."""
    data, weight = evidence.data, evidence.weight
    m = len(data.annotators)
    first, second = (data.annotator[rows].astype(np.int64) for rows in (evidence.first, evidence.second))
    put, places = np.zeros(m), np.zeros(m)
    for who, size in ((first, "size_1"), (second, "size_2")):
        put += np.bincount(who, weights=weight * evidence[size], minlength=m)
        places += np.bincount(who, weights=weight * evidence["places"], minlength=m)
    share = np.divide(put, places, out=np.zeros(m), where=places > 0)
    met = np.unique((np.minimum(first, second) * m + np.maximum(first, second))[weight > 0])
    return float((share[met // m] * share[met % m]).mean())
