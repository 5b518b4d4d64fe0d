"""P_k and WindowDiff: the share of sliding windows in which two segmentations differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.core.result import Score
from accord.measures.measure import Measure
from accord.measures.segmentations.comparisons import PairsCompared, SegmentationMeasure

WINDOWS = ("half_mean", "segeval", "nltk")
_SIZES = {
    "half_mean": "k is half the mean length of the reference's segments",
    "segeval": "k as in segeval",
    "nltk": "k as in nltk, which counts boundaries instead of segments",
}


@dataclass(frozen=True, repr=False)
class WindowMeasure(SegmentationMeasure):
    """A window of k potential boundaries; the default k is half the mean segment length of the reference."""

    k: int | None = None
    window: str = "half_mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k is not None and (isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1):
            raise SpecError(
                "measure-option", f"{self.name}: k must be a whole number of atoms, 1 or more, not {quoted(self.k)}"
            )
        if self.window not in WINDOWS:
            raise UnknownName("window", str(self.window), WINDOWS)

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        others = () if self.k is not None else tuple(one for one in WINDOWS if one != self.window)
        return tuple((replace(self, window=other), _SIZES[other]) for other in others)

    @property
    def beyond_the_ends(self) -> bool:
        """Return whether windows extend beyond the ends of the text."""
        return False

    @property
    def counting(self) -> int:
        """Return the error of a window; see `window_errors`."""
        return 0

    def compare(self, found: PairsCompared, run: Run) -> dict[str, Floats]:
        from accord.measures.segmentations.kernels import window_errors

        data = found.data.untyped
        lengths = data.lengths[data.doc[found.first]]
        sizes = np.diff(data.offsets)
        k = self._windows(found, lengths, sizes[found.first])
        windows = lengths + k if self.beyond_the_ends else lengths - k
        before = k if self.beyond_the_ends else np.zeros_like(k)
        run.progress(self.name, 0, len(found))
        errors = window_errors.for_work(int(sizes[found.first].sum() + sizes[found.second].sum()) + len(found))(
            data.position, data.offsets, found.first, found.second, k, windows, before, self.counting
        )
        run.progress(self.name, len(found), len(found))
        return {"numerator": errors, "denominator": self.normaliser(windows), "k": k.astype(np.float64)}

    def normaliser(self, windows: Ints) -> Floats:
        return windows.astype(np.float64)

    def _windows(self, found: PairsCompared, lengths: Ints, boundaries: Ints) -> Ints:
        """Return k for each comparison."""
        data = found.data
        if self.k is not None:
            k = np.full(len(found), self.k, dtype=np.int64)
        else:
            if self.window == "nltk" and not boundaries.all():
                row = int(found.first[np.argmin(boundaries)])
                raise DataError(
                    "measure-option",
                    f"{data.place(row)}: window=nltk is undefined for a segmentation without boundaries; give k=…",
                )
            k = window_size(lengths, boundaries, self.window)
        if not self.beyond_the_ends and (k >= lengths).any():
            at = int(np.argmax(k >= lengths))
            name = data.docs[data.doc[found.first[at]]]
            raise DataError(
                "measure-option",
                f"document {quoted(name)} has {lengths[at]:,} atoms, but the window has k={k[at]:,}; give a smaller k",
            )
        return k

    def explain(self, evidence: PairsCompared, score: Score) -> dict[str, Any]:
        k = evidence["k"]
        window = "given" if self.k is not None else self.window
        return super().explain(evidence, score) | {"window": window, "k": [int(k.min()), int(k.max())]}


@dataclass(frozen=True, repr=False)
class Pk(WindowMeasure):
    """Beeferman, Berger & Lafferty 1999. Share of atom pairs at distance k wrongly joined or separated."""

    name: ClassVar[str] = "pk"
    symbol: ClassVar[str] = "P_k"
    aliases: ClassVar[tuple[str, ...]] = ("p_k", "beeferman")
    title: ClassVar[str] = "P_k, segmentation error"
    source: ClassVar[str] = "Beeferman, Berger & Lafferty 1999"


@dataclass(frozen=True, repr=False)
class WindowDiff(WindowMeasure):
    """Pevzner & Hearst 2002. Share of windows in which the numbers of boundaries differ."""

    weighted: bool = False
    lamprier: bool | str = False

    name: ClassVar[str] = "window_diff"
    symbol: ClassVar[str] = "WindowDiff"
    aliases: ClassVar[tuple[str, ...]] = ("windowdiff", "wd")
    title: ClassVar[str] = "WindowDiff, segmentation error"
    source: ClassVar[str] = "Pevzner & Hearst 2002; Lamprier et al. 2007"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.weighted, bool):
            raise SpecError(
                "measure-option", f"{self.name}: weighted must be true or false, not {quoted(self.weighted)}"
            )
        if self.lamprier not in (True, False, "segeval") or isinstance(self.lamprier, int) > isinstance(
            self.lamprier, bool
        ):
            raise SpecError(
                "measure-option", f"{self.name}: lamprier must be true, false or segeval, not {quoted(self.lamprier)}"
            )

    @property
    def beyond_the_ends(self) -> bool:
        return self.lamprier is not False

    def normaliser(self, windows: Ints) -> Floats:
        # segeval divides by the number of windows plus one.
        return (windows + (self.lamprier == "segeval")).astype(np.float64)

    @property
    def counting(self) -> int:
        return 2 if self.weighted else 1


def window_size(lengths: Ints, boundaries: Ints, how: str = "half_mean") -> Ints:
    """Return half the mean segment length, or the window size of another program.

    `half_mean` rounds to the nearest integer (.5 up), at least 1. `segeval` rounds .5 to the even integer, at least 2.
    `nltk` divides by the number of boundaries instead of segments.
    """
    if how == "half_mean":
        segments = boundaries + 1
        return np.maximum((lengths + segments) // (2 * segments), 1)
    if how == "segeval":
        return np.maximum(_half_even(lengths, 2 * (boundaries + 1)), 2)
    return np.maximum(_half_even(lengths - 1, 2 * np.maximum(boundaries, 1)), 1)


def _half_even(above: Ints, below: Ints) -> Ints:
    whole, rest = above // below, above % below
    return whole + ((2 * rest > below) | ((2 * rest == below) & (whole % 2 == 1)))
