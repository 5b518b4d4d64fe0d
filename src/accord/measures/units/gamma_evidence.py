"""What γ looks at: the disorder of each document, and the disorder that chance would give."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from accord.core.arrays import Floats
from accord.data.model.corpus import Corpus
from accord.measures.chance.expected import Expected
from accord.measures.distances.spaces import sums_by
from accord.measures.sampling import Divisible, QuotientOfSums, Sampled
from accord.measures.units.compared import ComparedUnits


@dataclass(frozen=True, eq=False)
class GammaEvidence:
    """Per document: the disorder of its best alignment, x̄, and the disorder that chance would give."""

    compared: ComparedUnits
    expected: Expected
    times: Floats  # how often each document counts: what resampling changes

    @property
    def corpus(self) -> Corpus:
        return self.compared.corpus

    @property
    def names(self) -> tuple[str, ...]:
        return self.compared.names

    @property
    def observed_total(self) -> float:
        return float(self.times @ self.compared.alignment.totals)

    @property
    def units_per_annotator(self) -> Floats:
        return self.compared.units.per_annotator

    @property
    def expected_total(self) -> float:
        return float(self.times @ (self.units_per_annotator * self.expected.disorder))

    def weighted(self, times: Floats) -> GammaEvidence:
        """The same documents, counted otherwise."""
        return replace(self, times=times)

    def sampled(self) -> Sampled:
        """γ from sums over documents: each keeps its alignment and its disorder by chance."""
        observed = self.compared.alignment.totals
        expected = self.units_per_annotator * self.expected.disorder
        error = self.expected.relative_error
        return QuotientOfSums.of(self.names, self.times, observed, expected, chance_error=error)

    @property
    def divisible(self) -> Divisible:
        """A unitary alignment is never cut: it belongs to the stretch in which its units begin on average."""
        return Divisible(len(self.compared.alignment.disorder), "unitary alignments", self._stretches)

    def _stretches(self, wanted: int) -> Sampled:
        """Σ disorder and x̄ of the unitary alignments that begin in each stretch; chance costs the same everywhere."""
        alignment, units = self.compared.alignment, self.compared.units
        start = sums_by(alignment.members_group, units.start[alignment.members_unit], len(alignment.disorder))
        order = np.argsort(start / alignment.size, kind="stable")
        stretch = np.empty(len(order), dtype=np.int64)
        stretch[order] = np.arange(len(order)) * wanted // len(order)
        observed = sums_by(stretch, alignment.disorder, wanted)
        share = 1.0 / np.bincount(alignment.members_unit, minlength=len(units))[alignment.members_unit]
        marked = sums_by(stretch[alignment.members_group], share, wanted)  # units, each once
        expected = marked / float(units.annotators[0]) * float(self.expected.disorder[0])
        error = self.expected.relative_error
        names = [str(k + 1) for k in range(wanted)]
        return QuotientOfSums.of(names, np.ones(wanted), observed, expected, noun="stretch", chance_error=error)


@dataclass(frozen=True, eq=False)
class AgainstReference:
    """One comparison with the reference for each of the others."""

    reference: str
    others: dict[str, GammaEvidence]

    @property
    def names(self) -> tuple[str, ...]:
        """The documents of any of them."""
        return tuple(dict.fromkeys(name for one in self.others.values() for name in one.names))

    def sampled(self) -> Sampled:
        """The mean over the others, each on the documents that were compared."""
        parts, names = [one.sampled() for one in self.others.values()], self.names
        number = {name: k for k, name in enumerate(names)}
        codes = [np.array([number[name] for name in part.names]) for part in parts]
        error = math.sqrt(sum(part.chance_error**2 for part in parts)) / len(parts)

        def values(times: Floats) -> Floats:
            each: Floats = np.array([part.values(times[:, code]) for part, code in zip(parts, codes, strict=True)])
            return each.mean(axis=0)

        return Sampled(names, np.ones(len(names)), values, chance_error=error)
