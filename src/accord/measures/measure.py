"""Base class of all measures: a frozen value whose repr is its spec.

Every measure implements `observe` and `estimate`. All other methods have a default that is valid for any measure. A
measure overrides a default when it has a faster or more specific answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar, Self

import numpy as np

from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError, SpecError
from accord.core.result import Score
from accord.core.spec import Named
from accord.data.kinds import Kind, kind_named
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.measurement import Measurement
from accord.measures.resampling import Contributions, Divisible, Sampled, Values, Weighted

WIDEST_MATRIX = 64  # categories; larger matrices are not printed
COARSE = 0.05  # relative precision of one value among many


def check_kind(name: str, wanted: Kind, data: Data) -> None:
    """Raise DataError if the measure does not accept this kind of data, and suggest a measure that does."""
    if data.kind is not wanted:
        raise DataError(
            "measure-for-other-data",
            f"{name} is for {wanted.words} ({wanted.columns}), and these are {data.kind.words}: try "
            f"{data.kind.main}, or name the layout of the table with --layout",
        )


@dataclass(frozen=True, repr=False)
class Measure(Named):
    """A measure: `observe` compares the data once and returns evidence; `estimate` computes the score from it."""

    symbol: ClassVar[str] = ""  # the usual symbol, e.g. α; empty if the measure has none
    title: ClassVar[str]
    source: ClassVar[str]
    data: ClassVar[str]  # the kind of data, by its name in accord.data.kinds
    lowest: ClassVar[float] = -1.0
    default_interval: ClassVar[str]
    unnamed: ClassVar[tuple[str, ...] | None] = ()  # options that a spec may give without a name
    interval_of_one: ClassVar[str | None] = None  # the default interval for a single document, if it differs
    # interval methods that only some measures support, this one included
    special_intervals: ClassVar[tuple[str, ...]] = ()
    on_items: ClassVar[bool] = False  # a coefficient on labels of items; implements `contributions`
    chance_from_annotators: ClassVar[bool] = False  # expected agreement uses the marginals of each annotator
    by_shares: ClassVar[bool] = False  # expected agreement uses category shares, so prevalence lowers the value
    aligns: ClassVar[bool] = False  # `alignments` is implemented

    @property
    def by_order(self) -> bool:
        """Whether the measure uses the order of the categories."""
        return False

    @property
    def by_degrees(self) -> bool:
        """Whether the user gave weights or a distance, so that near misses may receive partial credit."""
        return False

    # -- level of measurement -------------------------------------------------------------------------------------

    def at(self, level: Measurement | None, explicit: bool = False) -> Measure:  # noqa: ARG002
        """Return the measure for labels of this level: α with the ordinal distance for grades.

        With `explicit`, the spec also names the distance where it is the default.
        """
        return self

    @property
    def leaves_level_open(self) -> bool:
        """Whether the level of measurement decides the distance, because the user named none."""
        return False

    # -- required methods -----------------------------------------------------------------------------------------

    def observe(self, data: Any, run: Run) -> Any:
        raise NotImplementedError

    def estimate(self, evidence: Any) -> Score:
        raise NotImplementedError

    def explain(self, evidence: Any, score: Score) -> dict[str, Any]:
        """Return the details of a score: counts, chosen options, notes."""
        raise NotImplementedError

    def value_of(self, evidence: Any) -> float:
        """Return the value without the rest of the score; NaN if nothing is left to compare."""
        try:
            with np.errstate(all="ignore"):
                return self.estimate(evidence).value
        except ZeroDivisionError:
            return math.nan

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        """Return the measure by other conventions of the literature, each with the difference in words.

        A score lists their values.
        """
        return ()

    # -- resampling -----------------------------------------------------------------------------------------------

    def sampled(self, evidence: Any, run: Run, named: bool = True) -> Sampled | None:  # noqa: ARG002
        """Return the sampled items or documents, with the value as a function of their weights.

        Return None if the evidence does not separate items or documents. Without `named`, identical items may be
        merged.
        """
        if not isinstance(evidence, Weighted):
            return None
        noun = kind_named(self.data).noun
        at_once = self.summed(evidence)
        values = at_once or self.each(evidence)
        return Sampled(evidence.names, evidence.times, values, noun, by_draw=at_once is None)

    def summed(self, evidence: Any) -> Values | None:  # noqa: ARG002
        """Return a function that values many draws at once from sums over documents; None if there is none."""
        return None

    def each(self, evidence: Weighted) -> Values:
        """Return a function that values draws one at a time by weighting the rows of the evidence."""

        def values(times: Floats) -> Floats:
            return np.array([self.value_of(evidence.weighted(row)) for row in times])

        return values

    def sampled_without(self, evidence: Any, annotators: Sequence[str], run: Run) -> Iterator[Sampled | None]:  # noqa: ARG002
        """Yield `sampled` without each of these annotators; None if the data must be observed again."""
        return repeat(None, len(annotators))

    def sampled_without_categories(self, evidence: Any, codes: Sequence[int], run: Run) -> Iterator[Sampled | None]:  # noqa: ARG002
        """Yield `sampled` without each of these categories; None as in `sampled_without`."""
        return repeat(None, len(codes))

    def same_chance(self, data: Any) -> Self:  # noqa: ARG002
        """Return the measure with the chance model chosen for these data, for use on a subset of them."""
        return self

    def without_each_annotator(self, evidence: Any, run: Run) -> Floats:
        """Return the value without each annotator who gave labels; NaN where it is undefined."""
        raise NotImplementedError

    def contributions(self, evidence: Any, named: bool = False) -> Contributions | None:  # noqa: ARG002
        """Return the linearised contribution of each row to the value; None if the measure has no linearisation.

        With `named`, return one contribution per item, with the clusters that `sampled` draws.
        """
        return None

    def chance_error(self, evidence: Any, value: float) -> float:  # noqa: ARG002
        """Return the Monte Carlo error of a value; 0 if the measure draws no samples of chance."""
        return 0.0

    def chance_on(self, data: Any) -> str:  # noqa: ARG002
        """Describe the chance model for these data and why it is the default; empty if nothing is drawn."""
        return ""

    def chance_test(self, evidence: Any, score: Score) -> tuple[str, float] | None:  # noqa: ARG002
        """Return the name and p-value of the test against chance agreement; None: use the error of the interval."""
        return None

    def labels_to_deal(self, evidence: Any) -> int | None:  # noqa: ARG002
        """Return the number of labels that a permutation test permutes; None if the test does not apply."""
        return None

    def dealt(self, evidence: Any, many: int, run: Run) -> Floats:
        """Return the observed value, then the values of `many` permutations of the labels of each annotator."""
        raise NotImplementedError

    def null_error(self, evidence: Any) -> float | None:  # noqa: ARG002
        """Return the standard error under chance agreement; None if no formula applies."""
        return None

    # -- hooks for single interval methods ---------------------------------------------------------------------------

    def own_interval(
        self,
        evidence: Any,  # noqa: ARG002
        score: Score,  # noqa: ARG002
        level: float,  # noqa: ARG002
    ) -> tuple[float, float, float | None, float | None] | None:
        """Return (low, high, standard error, p) by the measure's own formula; None if it has none."""
        return None

    def continua(self, evidence: Any) -> Corpus | None:  # noqa: ARG002
        """Return the compared corpus of units; None for other kinds of data."""
        return None

    def divisible(self, evidence: Any) -> Divisible | None:  # noqa: ARG002
        """Return one continuum as resampling blocks that need no new comparison; None: cut it first, then compare."""
        return None

    def expected_disagreement(self, evidence: Any) -> float:
        """Return D_e of a coefficient on items."""
        raise NotImplementedError

    def variance_factor(self, evidence: Any) -> float:  # noqa: ARG002
        """Return the factor by which irrCAC, and the form for tables, multiply the variance."""
        return 1.0

    # -- hooks for simulations -----------------------------------------------------------------------------------

    def compare(self, data: Any, run: Run) -> Any:  # noqa: ARG002
        """Return the best alignment for a consensus; None if the measure aligns nothing."""
        return None

    def coarser(self) -> Self:
        """Return the measure with lower precision, for one value among many whose Monte Carlo errors average out."""
        return self

    def as_found(self, evidence: Any) -> Measure:  # noqa: ARG002
        """Return the measure with its options set to the values it estimated from the data."""
        return self

    def of_sets(self, data: Any, sets: int, n_docs: int, run: Run) -> tuple[Floats, str] | None:  # noqa: ARG002
        """Return the values of many sets of n documents, and why some are undefined; None: compute one set at a time.

        Only valid for measures where a set has the same value when it is scored separately.
        """
        return None

    # -- labels, features and alignments ----------------------------------------------------------------------------

    def distances(self, evidence: Any) -> Floats | None:  # noqa: ARG002
        """Return the distances between categories, at most 1; None if labels are not compared or too many."""
        return None

    def features_of(self, evidence: Any) -> tuple[str, ...]:  # noqa: ARG002
        """Return the compared features of tokens."""
        return ()

    def without_feature(self, evidence: Any, feature: str) -> Measure:
        """Return the measure without one of its features."""
        raise NotImplementedError

    def check_aligns(self) -> None:
        """Raise SpecError if the measure has no alignments to show."""
        if not self.aligns:
            raise SpecError(
                "option-not-for-data",
                f"{self.name} produces no alignment; use gamma for units, text_gamma for texts, or accord "
                "disagreements for labels of items",
            )

    def alignments(self, data: Any, run: Run) -> Any:
        """Return the best alignment, as a sequence of unitary alignments or rows."""
        raise NotImplementedError


# -- scores of γ and tγ -------------------------------------------------------------------------------------------


def fewer(samples: int) -> int:
    """Return the number of random annotations for one value among many: a third of the usual number."""
    return max(2, samples // 3)


def gamma_score(measure: str, observed: float, expected: float, reason: str | None = None, **rest: Any) -> Score:
    """Return the score 1 − δ_o/δ_e with both disorders; NaN with a reason if it is undefined.

    `reason`: why the value is undefined although the quotient exists.
    """
    if reason is None and not expected > 0:
        reason = "random annotations have no disorder (0/0)"
    return Score(
        math.nan if reason else 1.0 - observed / expected,
        measure,
        observed=observed,
        expected=None if math.isnan(expected) else expected,
        undefined=reason,
        **rest,
    )
