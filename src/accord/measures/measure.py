"""What every measure is: a frozen value whose repr is its spec, and that answers whatever inference has to know.

Two methods make a measure: `observe` and `estimate`. All others have an answer here that holds for any measure; a
measure about which more is known says more.
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
from accord.measures.resampling import Contributions, Divisible, Sampled, Values, Weighted

WIDEST_MATRIX = 64  # categories; a larger matrix is not printed
COARSE = 0.05  # the precision of a value among many


def check_kind(name: str, wanted: Kind, data: Data) -> None:
    """Raise DataError where a measure does not take this kind of data; name one that does."""
    if data.kind is not wanted:
        raise DataError(
            "measure-for-other-data",
            f"{name} is for {wanted.words} ({wanted.columns}), and these are {data.kind.words}: for them try "
            f"{data.kind.main}, or say with --layout what the table holds",
        )


@dataclass(frozen=True, repr=False)
class Measure(Named):
    """A measure: `observe` compares the data once and gives evidence; `estimate` makes a score from it, cheaply."""

    symbol: ClassVar[str] = ""  # as people write it: α; empty where only the name will do
    title: ClassVar[str]
    source: ClassVar[str]
    data: ClassVar[str]  # the kind of data that it takes, by its name in accord.data.kinds
    lowest: ClassVar[float] = -1.0
    default_interval: ClassVar[str]
    unnamed: ClassVar[tuple[str, ...] | None] = ()  # a value without a name is refused, unless a measure knows it
    interval_of_one: ClassVar[str | None] = None  # the default for one document, where it differs
    special_intervals: ClassVar[tuple[str, ...]] = ()  # methods that hold for some measures only, and for this one
    on_items: ClassVar[bool] = False  # a coefficient on labels of items: it has `contributions`
    chance_from_annotators: ClassVar[bool] = False  # chance follows the habits of each of them: it matters whose labels
    by_shares: ClassVar[bool] = False  # chance follows the shares of categories: prevalence lowers the value
    aligns: ClassVar[bool] = False  # `alignments` has something to show

    @property
    def by_order(self) -> bool:
        """Whether the measure uses the order of the categories."""
        return False

    @property
    def by_degrees(self) -> bool:
        """Whether the user named weights or a distance, so that near misses may count in part."""
        return False

    # -- the two methods of every measure ------------------------------------------------------------------------

    def observe(self, data: Any, run: Run) -> Any:
        raise NotImplementedError

    def estimate(self, evidence: Any) -> Score:
        raise NotImplementedError

    def explain(self, evidence: Any, score: Score) -> dict[str, Any]:
        """The details of a score: counts, options that were chosen, notes."""
        raise NotImplementedError

    def value_of(self, evidence: Any) -> float:
        """The value without the rest of the score; NaN where nothing is left to compare."""
        try:
            with np.errstate(all="ignore"):
                return self.estimate(evidence).value
        except ZeroDivisionError:
            return math.nan

    # -- how the value depends on what was drawn -----------------------------------------------------------------

    def sampled(self, evidence: Any, run: Run, named: bool = True) -> Sampled | None:  # noqa: ARG002
        """The items or documents behind a value, and the value as a function of how often each of them counts.

        None where the evidence does not tell them apart. Without `named`, those that are alike may be one.
        """
        if not isinstance(evidence, Weighted):
            return None
        noun = kind_named(self.data).noun
        at_once = self.summed(evidence)
        values = at_once or self.each(evidence)
        return Sampled(evidence.names, evidence.times, values, noun, by_draw=at_once is None)

    def summed(self, evidence: Any) -> Values | None:  # noqa: ARG002
        """The values of many draws at once, where they follow from sums over documents; None where they do not."""
        return None

    def each(self, evidence: Weighted) -> Values:
        """The values of draws, one draw after the other: each counts the rows of the evidence differently."""

        def values(times: Floats) -> Floats:
            return np.array([self.value_of(evidence.weighted(row)) for row in times])

        return values

    def sampled_without(self, evidence: Any, annotators: Sequence[str], run: Run) -> Iterator[Sampled | None]:  # noqa: ARG002
        """`sampled` without each of these annotators; None where the data have to be observed again for that."""
        return repeat(None, len(annotators))

    def sampled_without_categories(self, evidence: Any, codes: Sequence[int], run: Run) -> Iterator[Sampled | None]:  # noqa: ARG002
        """`sampled` without each of these categories; None as in `sampled_without`."""
        return repeat(None, len(codes))

    def same_chance(self, data: Any) -> Self:  # noqa: ARG002
        """The measure with the model of chance that was chosen for these data, to be used on a part of them."""
        return self

    def without_each_annotator(self, evidence: Any, run: Run) -> Floats:
        """The value without the labels of each annotator who gave any; NaN where it is undefined."""
        raise NotImplementedError

    def contributions(self, evidence: Any, named: bool = False) -> Contributions | None:  # noqa: ARG002
        """The linearised part of each row in the value; None where the measure has no linearisation.

        With `named`, of each item, clustered as `sampled` draws them.
        """
        return None

    def chance_error(self, evidence: Any, value: float) -> float:  # noqa: ARG002
        """The Monte Carlo error of a value, from sampling chance; 0 where nothing is sampled."""
        return 0.0

    def chance_on(self, data: Any) -> str:  # noqa: ARG002
        """The model of chance for these data and why it is the default, in words; empty where nothing is drawn."""
        return ""

    def chance_test(self, evidence: Any, score: Score) -> tuple[str, float] | None:  # noqa: ARG002
        """The name and p of the test against chance agreement; None: p follows from the error of the interval."""
        return None

    def labels_to_deal(self, evidence: Any) -> int | None:  # noqa: ARG002
        """The number of labels that a permutation test permutes; None where the test does not apply."""
        return None

    def dealt(self, evidence: Any, many: int, run: Run) -> Floats:
        """The observed value, then the values of `many` permutations of each annotator's labels over the items."""
        raise NotImplementedError

    def null_error(self, evidence: Any) -> float | None:  # noqa: ARG002
        """The standard error under chance agreement; None where no formula holds."""
        return None

    # -- what single methods of intervals ask --------------------------------------------------------------------

    def own_interval(
        self,
        evidence: Any,  # noqa: ARG002
        score: Score,  # noqa: ARG002
        level: float,  # noqa: ARG002
    ) -> tuple[float, float, float | None, float | None] | None:
        """(low, high, standard error, p) by the measure's own formula, or None where there is none."""
        return None

    def continua(self, evidence: Any) -> Corpus | None:  # noqa: ARG002
        """The corpus of units that was compared; None for other kinds of data."""
        return None

    def divisible(self, evidence: Any) -> Divisible | None:  # noqa: ARG002
        """One continuum as stretches that need no new comparison; None: the continuum is cut first, then compared."""
        return None

    def expected_disagreement(self, evidence: Any) -> float:
        """D_e of a coefficient on items."""
        raise NotImplementedError

    def variance_factor(self, evidence: Any) -> float:  # noqa: ARG002
        """The factor by which irrCAC, and the form for tables, multiply the variance."""
        return 1.0

    # -- what simulations ask ------------------------------------------------------------------------------------

    def compare(self, data: Any, run: Run) -> Any:  # noqa: ARG002
        """The best alignment, for a consensus; None where nothing is aligned."""
        return None

    def coarser(self) -> Self:
        """The measure with less precision, for one value among many: Monte Carlo errors average out."""
        return self

    def as_found(self, evidence: Any) -> Measure:  # noqa: ARG002
        """The measure with options set to what it estimated from the data."""
        return self

    def of_sets(self, data: Any, sets: int, n_docs: int, run: Run) -> tuple[Floats, str] | None:  # noqa: ARG002
        """The values of sets of n documents each, and why some may have none; None: one by one.

        Only where a set by itself has the same value.
        """
        return None

    # -- what else is asked about data ---------------------------------------------------------------------------

    def distances(self, evidence: Any) -> Floats | None:  # noqa: ARG002
        """The distances between categories, at most 1; None where labels are not compared, or are too many."""
        return None

    def features_of(self, evidence: Any) -> tuple[str, ...]:  # noqa: ARG002
        """The features of tokens that were compared."""
        return ()

    def without_feature(self, evidence: Any, feature: str) -> Measure:
        """The measure without one of the features."""
        raise NotImplementedError

    def check_aligns(self) -> None:
        """Raise SpecError where the measure has no alignments to show."""
        if not self.aligns:
            raise SpecError("option-not-for-data", f"{self.name} aligns nothing; use gamma, or text_gamma for texts")

    def alignments(self, data: Any, run: Run) -> Any:
        """The best alignment, as a sequence of unitary alignments or rows."""
        raise NotImplementedError


# -- scores of γ and tγ, and of all parts of them ------------------------------------------------------------------


def fewer(samples: int) -> int:
    """The number of random annotations for one value among many: a third of the usual number."""
    return max(2, samples // 3)


def gamma_score(measure: str, observed: float, expected: float, **rest: Any) -> Score:
    """The score 1 − δ_o/δ_e; NaN with a reason where it is undefined. It shows both disorders."""
    reason = None
    if not expected > 0:
        reason = "random annotations have no disorder here: nothing to divide by"
    return Score(
        math.nan if reason else 1.0 - observed / expected,
        measure,
        observed=observed,
        expected=None if math.isnan(expected) else expected,
        undefined=reason,
        **rest,
    )
