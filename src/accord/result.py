"""What a measure gives: a Score, frozen, and the one place that decides about 0/0."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from accord.errors import UnknownName

Kind = Literal["agreement", "error"]


@dataclass(frozen=True)
class Interval:
    """A confidence interval, and how it was made."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True)
class Score:
    """A value of a measure with all that explains it. Values are never rounded here."""

    value: float
    measure: str
    observed: float | None = None
    expected: float | None = None
    se: float | None = None
    interval: Interval | None = None
    p: float | None = None  # two-sided
    n: int = 0  # resampling units that were compared: items, documents
    parts: Mapping[str, Mapping[str, Score]] = field(default_factory=dict, repr=False, compare=False)
    kind: Kind = "agreement"
    undefined: str | None = None  # the reason, when value is NaN
    details: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    signature: str = ""

    def __float__(self) -> float:
        return float(self.value)


@dataclass(frozen=True)
class Scores(Sequence[Score]):
    """Several scores of the same data, by place or by spec: `scores[0]`, `scores["alpha"]`."""

    scores: tuple[Score, ...]

    def __len__(self) -> int:
        return len(self.scores)

    @overload
    def __getitem__(self, which: int | str) -> Score: ...

    @overload
    def __getitem__(self, which: slice) -> Scores: ...

    def __getitem__(self, which: int | str | slice) -> Score | Scores:
        if isinstance(which, slice):
            return Scores(self.scores[which])
        if isinstance(which, int):
            return self.scores[which]
        for score in self.scores:
            if score.measure == which:
                return score
        raise UnknownName("measure here", which, [score.measure for score in self.scores])


def chance_corrected(
    measure: str,
    disagreement: float,
    chance: float,
    scale: float = 1.0,
    reason: str | None = None,
    **rest: Any,
) -> Score:
    """1 − D_o/D_e, or NaN with a reason. Distances divided by `scale` give the agreements that are shown.

    `reason` says why the data cannot carry a coefficient even though a quotient exists.
    """
    scale = scale if scale > 0 else 1.0
    if reason is None and not chance > 0:
        reason = "chance alone gives perfect agreement here (no variation): 0/0"
    value = math.nan if reason else float(1.0 - disagreement / chance)
    return Score(
        value,
        measure,
        observed=float(1.0 - disagreement / scale),
        expected=float(1.0 - chance / scale),
        undefined=reason,
        **rest,
    )


@dataclass(frozen=True)
class PartTable(Mapping[str, Score]):
    """Scores by name, kept as columns: a million items are four arrays, not a million objects."""

    measure: str
    names: tuple[str, ...]
    value: NDArray[np.float64]
    observed: NDArray[np.float64]
    expected: NDArray[np.float64]
    n: NDArray[np.int64]
    undefined: str = "0/0"

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> Score:
        return self.at(self._index[name])

    def at(self, i: int) -> Score:
        value = float(self.value[i])
        return Score(
            value,
            self.measure,
            observed=_known(self.observed[i]),
            expected=_known(self.expected[i]),
            n=int(self.n[i]),
            undefined=self.undefined if math.isnan(value) else None,
        )

    @property
    def _index(self) -> dict[str, int]:
        index = self.__dict__.get("_positions")
        if index is None:
            index = {name: i for i, name in enumerate(self.names)}
            self.__dict__["_positions"] = index
        return index


def _known(number: float) -> float | None:
    return None if math.isnan(number) else float(number)


class Parts(Mapping[str, Mapping[str, Score]]):
    """Breakdowns that are computed when they are looked at."""

    def __init__(self, names: tuple[str, ...], compute: Callable[[str], Mapping[str, Score]]) -> None:
        self._names, self._compute = names, compute
        self._made: dict[str, Mapping[str, Score]] = {}

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __getitem__(self, by: str) -> Mapping[str, Score]:
        if by not in self._names:
            raise KeyError(by)
        if by not in self._made:
            self._made[by] = self._compute(by)
        return self._made[by]

    def __reduce__(self) -> tuple[object, ...]:
        return dict, (dict(self._made),)  # a pickle keeps what was looked at

    def __repr__(self) -> str:
        return f"<parts by {', '.join(self._names)}>"
