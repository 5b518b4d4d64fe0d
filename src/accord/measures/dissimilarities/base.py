"""What every dissimilarity between units is: it looks at columns of units, and knows how far it has to look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from accord.core.arrays import Floats, Ints


class Positioned(Protocol):
    """What a dissimilarity looks at: columns of units."""

    @property
    def start(self) -> Floats: ...
    @property
    def end(self) -> Floats: ...
    @property
    def label(self) -> Ints: ...


class Dissimilarity(Protocol):
    """Between two units; Δ∅ (`delta`) is what a unit without counterpart costs."""

    @property
    def delta(self) -> float: ...

    def between(self, units: Positioned, u: Ints, v: Ints) -> Floats:
        """How far the units u are from the units v."""
        ...

    def parts(self, units: Positioned, u: Ints, v: Ints) -> Mapping[str, Floats]:
        """The same, as the sum of what it is made of: position, category."""
        ...

    def reach(self, limit: Floats) -> Floats:
        """|Δstart| + |Δend| of units at most `limit` apart, in sums of their lengths; infinite if unbounded."""
        ...
