"""The values of measures on sets of annotations. γ of many sets is one batch: its samples are aligned together."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.measured import as_measured, check_judged
from accord.answers.simulate.shuffle import one_set
from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError, SpecError
from accord.data.model.data import Data
from accord.measures.base import Measure
from accord.measures.catalogue import measure as measure_of
from accord.measures.units.timeline import PAIRS


@dataclass(frozen=True)
class Judge:
    """A measure of the catalogue, or a function of one's own from data to a number."""

    measure: Measure | None = None
    function: Callable[[Any], float] | None = None
    label: str | None = None  # a name of its own

    @property
    def name(self) -> str:
        """As it stands in tables: an error rate is turned into an agreement."""
        if self.label is not None:
            return self.label
        if self.measure is None:
            return str(getattr(self.function, "__name__", "function"))
        return f"1-{self.measure}" if self.turned else str(self.measure)

    @property
    def identity(self) -> str:
        """What values depend on: of a function also what stands in its file, which may change between two runs."""
        code = getattr(self.function, "__code__", None)
        path = Path(code.co_filename) if code is not None else None
        if path is None or not path.is_file():
            return self.name
        return f"{self.name} {hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()}"

    @property
    def turned(self) -> bool:
        return getattr(self.measure, "kind", "agreement") == "error"

    @property
    def on_a_line(self) -> bool:
        """Whether it takes no units that overlap."""
        return self.measure is not None and getattr(self.measure, "overlaps", PAIRS) != PAIRS

    def chance_on(self, data: Data) -> str:
        """The model of chance on these data, in words; empty where there is none."""
        return "" if self.measure is None else self.measure.chance_on(self.fitting(data))

    def value(self, data: Data, run: Run) -> tuple[float, str]:
        """The agreement, and why it is undefined where it is."""
        try:
            if self.measure is None:
                return self._own(data), "the function gives no number"
            chosen = self.measure.coarser()
            found = chosen.estimate(chosen.observe(self.fitting(data), run))
        except DataError as error:
            return math.nan, str(error)
        return 1.0 - found.value if self.turned else found.value, found.undefined or "undefined"

    def of_sets(self, batch: Data, sets: int, n_docs: int, run: Run) -> tuple[Floats, str] | None:
        """The values of all sets, where they can be had together, and why some may have none."""
        if self.measure is None:
            return None
        return self.measure.coarser().of_sets(self.fitting(batch), sets, n_docs, run)

    def _own(self, data: Data) -> float:
        assert self.function is not None  # noqa: S101 - one of the two is there
        try:
            return float(self.function(data))
        except Exception as error:  # noqa: BLE001 - whatever is wrong in a user's function
            raise SpecError(f"{self.name}: {type(error).__name__}: {error}") from None

    def fitting(self, data: Data) -> Data:
        """The data as the measure takes them."""
        return as_measured(data, self.measure.data if self.measure is not None else "")

    def check(self, reference: Data, error: ErrorType) -> None:
        """Refuses what can never be compared."""
        if self.measure is not None:
            check_judged(self.measure, reference, error)


def judge(given: Any) -> Judge:
    """From a spec, a measure or a function."""
    if isinstance(given, Judge):
        return given
    if isinstance(given, str | Measure):
        return Judge(measure_of(given))
    if callable(given):
        return Judge(function=given)
    raise SpecError(f"a measure is a spec, or a function from data to a number, not {type(given).__name__}")


def judges_of(given: Any) -> tuple[Judge, ...]:
    """From one of them, or several."""
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    return tuple(judge(one) for one in several)


def values(judges: Sequence[Judge], batch: Data, sets: int, n_docs: int, seed: int) -> tuple[Floats, list[str]]:
    """A row per measure, a column per set; NaN where undefined, with the first reason of each measure."""
    found = np.full((len(judges), sets), math.nan)
    reasons = [""] * len(judges)
    run = Run(seed, jobs=1)
    parts: list[Data] = []
    for j, one in enumerate(judges):
        together = one.of_sets(batch, sets, n_docs, run)
        if together is not None:
            found[j], reason = together
            reasons[j] = reason if np.isnan(found[j]).any() else ""
            continue
        parts = parts or [one_set(batch, s, n_docs) for s in range(sets)]
        for s, part in enumerate(parts):
            found[j, s], reason = one.value(part, run)
            if math.isnan(found[j, s]) and not reasons[j]:
                reasons[j] = reason
    return found, reasons


def kinds_of_judges(judges: Sequence[Judge]) -> tuple[str, ...]:
    """The kinds of data that measures take; a function of one's own takes any."""
    return tuple(one.measure.data for one in judges if one.measure is not None)
