"""Growth of time and memory: tasks at several sizes, and the exponents.

Seconds are processor time, which other processes hardly change. `python -m benchmarks.growth` uses the largest sizes,
for docs/scale.md; `make bench` uses smaller ones.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.measure import Cost, alone, note, say, tell


@dataclass(frozen=True)
class Curve:
    """A task of `benchmarks.work` at several sizes."""

    what: str
    work: str
    fixed: tuple[object, ...]  # arguments after the size
    sizes: tuple[int, ...]
    large: tuple[int, ...]
    wanted: float  # maximum exponent of the time

    def measured(self, sizes: Sequence[int]) -> list[Cost]:
        return [alone(self.work, size, *self.fixed) for size in sizes]


_MANY = (10**5, 10**6, 10**7)
CURVES = (
    Curve("alpha + SE in memory, items × 3", "grown_alpha", (3,), _MANY, _MANY, 1.2),
    Curve("alpha + SE, 200 items × annotators", "grown_annotators", (200,), (1000, 10**4), (100, 1000, 10**4), 1.2),
    Curve("whole γ, documents × 3 × 5 units", "grown_gamma", (3, 5), (10**3, 10**4), (10**4, 10**5, 10**6), 1.1),
    Curve("observed disorder, 2 × units", "grown_units", (2,), (10**5, 10**6), (10**4, 10**5, 10**6), 1.2),
    Curve("alignment of two unrelated texts of words", "grown_texts", (), (500, 2000), (500, 2000, 8000), 2.2),
)


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the least-squares slope of log cost on log size. 1 is linear."""
    x, y = [math.log(size) for size in sizes], [math.log(max(cost, 1e-9)) for cost in costs]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sum((a - mx) ** 2 for a in x)


def curves(large: bool = False) -> None:
    """Measure all curves. Memory is the peak of the process above its memory before the task."""
    for curve in CURVES:
        sizes = curve.large if large else curve.sizes
        costs = curve.measured(sizes)
        for size, cost in zip(sizes, costs, strict=True):
            tell(f"  {size:>12,}", f"{cost.processor:8.2f} s of a core {cost.seconds:8.2f} s {cost.megabytes:8.0f} MB")
        slope = exponent(sizes, [cost.processor for cost in costs])
        room = exponent(sizes, [cost.megabytes for cost in costs])
        note(f"growth: {curve.what}", slope, "exponent")
        say(curve.what, f"time ~ n^{slope:.2f}, memory ~ n^{room:.2f}", f"n^{curve.wanted:g}", slope <= curve.wanted)


if __name__ == "__main__":
    asked = sys.argv[1:]
    CURVES = tuple(curve for curve in CURVES if not asked or curve.work in asked)
    curves(large=True)
